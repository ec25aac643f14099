package sample

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/brianvoe/gofakeit/v7"
)

// wordsOf splits a name at its humps and marks: createdAt, created_at and
// created-at are created and at.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, c := range runes {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end()
			continue
		case unicode.IsUpper(c) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, unicode.ToLower(c))
	}
	end()
	return words
}

func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "ss") || strings.HasSuffix(name, "us") || strings.HasSuffix(name, "is"):
		return name
	case strings.HasSuffix(name, "s") && len(name) > 3:
		return name[:len(name)-1]
	default:
		return name
	}
}

// identifies tells whether a field holds an id.
func identifies(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "id", "uid", "uuid", "guid", "sid", "gid", "key":
		return true
	default:
		return false
	}
}

// varies tells whether a field is not likely to be the same in two records,
// though there is an example.
func varies(name string) bool {
	if identifies(name) {
		return true
	}
	words := wordsOf(name)
	return slices.ContainsFunc(words, func(w string) bool {
		return w == "email" || w == "token" || w == "secret" || w == "hash" || w == "etag" || w == "cursor" || w == "fingerprint" || w == "sha" || w == "checksum"
	})
}

// timely tells whether a field holds a time.
func timely(words []string) bool {
	if len(words) == 0 {
		return false
	}
	switch last := words[len(words)-1]; last {
	case "at", "on", "timestamp", "datetime", "date", "time", "created", "updated", "modified", "expires", "expiration", "expiry", "epoch", "deadline", "due", "since", "until":
		return true
	default:
		return last == "ms" && len(words) > 1 && timely(words[:len(words)-1])
	}
}

// faker makes plausible texts, the same for the same place.
func (r *run) faker(at place) *gofakeit.Faker {
	return gofakeit.New(1 + uint64(r.pick(at, "faker", 1<<52))) // 0 would be drawn anew each time
}

// nouns are for texts of which nothing is known: nouns that nobody minds.
var nouns = strings.Fields(`amber anchor apple arch aspen atlas autumn badge bamboo basin beacon birch bloom bridge brook cabin canal candle canyon
	cedar chapter circle cliff cloud clover coast comet copper coral crane creek crystal delta desert dune eagle echo elm ember falcon fern field
	fjord forest fountain garden glacier granite grove harbor hazel heron hill horizon island ivory jasper juniper lagoon lantern laurel lily
	linden lotus maple marble meadow mesa mirror moss mountain oasis ocean olive opal orchard otter palm pearl pebble pine planet prairie quartz
	rainbow raven reef ridge river robin sail sandstone sapphire shore silver sparrow spring spruce star stone summit sunrise swan thicket
	timber topaz trail tulip valley velvet violet walnut waterfall willow winter`)

func (r *run) word(at place) string { return nouns[r.pick(at, "word", len(nouns))] }

// wordy is several words.
func (r *run) wordy(at place, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = nouns[r.pick(at, "word"+strconv.Itoa(i), len(nouns))]
	}
	return strings.Join(list, " ")
}

func asciiWord(word string) string {
	word = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, strings.ToLower(word))
	if word == "" {
		return "word"
	}
	return word
}

func (r *run) email(at place) string {
	f := r.faker(at)
	return asciiWord(f.FirstName()) + "." + asciiWord(f.LastName()) + strconv.Itoa(f.Number(1, 9999)) + "@example.com"
}

func (r *run) address(at place) string {
	return "https://example.com/" + r.word(at) + "/" + strconv.Itoa(100+r.pick(at, "path", 900))
}

// phone gives a number of a range that nobody has.
func (r *run) phone(at place) string {
	return fmt.Sprintf("+1202555%04d", 100+r.pick(at, "phone", 100))
}

// suiting makes a text that suits the name of its field. It is known when the
// name says what kind of text it is.
func (r *run) suiting(at place) (text string, known bool) {
	words := wordsOf(at.name)
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	if r.Segment && !identifies(at.name) && !has("email", "phone", "currency", "locale", "language", "token") {
		return r.word(at), false
	}
	switch {
	case identifies(at.name) && last != "key":
		return r.id(at, last), true
	case has("email", "mail"):
		return r.email(at), true
	case has("phone", "mobile", "fax", "msisdn"):
		return r.phone(at), true
	case has("url", "uri", "website", "link", "href", "webhook", "callback", "avatar", "homepage"):
		return r.address(at), true
	case timely(words) && last != "time":
		return r.moment(at, words).Format("2006-01-02T15:04:05Z"), true
	case has("currency"):
		return "usd", true
	case has("token", "secret", "key", "etag", "hash", "checksum", "signature", "cursor"):
		return r.token(at, 24), true
	case has("ip"):
		text, _ := r.formatted("ipv4", at)
		return text, true
	case has("host", "hostname", "domain"):
		return r.word(at) + ".example.com", true
	}
	return r.worded(at, words, last, has)
}

func (r *run) worded(at place, words []string, last string, has func(...string) bool) (string, bool) {
	f := r.faker(at)
	switch {
	case has("country"):
		return f.CountryAbr(), true
	case has("zip", "postal", "postcode", "zipcode"):
		return f.Zip(), true
	case has("city", "town"):
		return f.City(), true
	case has("line1", "street", "address1"), last == "address":
		return f.Street(), true
	case has("province", "region"), last == "state" && strings.Contains(strings.ToLower(at.parent), "address"):
		return f.StateAbr(), true
	case last == "state", last == "status":
		return "active", true
	case has("company", "business", "organization", "organisation", "vendor"):
		return f.Company(), true
	case has("timezone", "tz"):
		return "UTC", true
	case has("locale", "language", "lang"):
		return "en", true
	case has("version"):
		return fmt.Sprintf("%d.%d.%d", f.Number(1, 4), f.Number(0, 9), f.Number(0, 9)), true
	case has("color", "colour"):
		return fmt.Sprintf("#%06x", f.Number(0, 0xffffff)), true
	case has("first", "given") && has("name"), last == "firstname":
		return f.FirstName(), true
	case has("last", "family", "sur") && has("name"), last == "lastname", last == "surname":
		return f.LastName(), true
	case has("user", "username", "login", "handle", "slug", "nickname"):
		return asciiWord(f.FirstName()) + strconv.Itoa(f.Number(1, 999)), true
	case has("file", "filename"):
		return r.word(at) + ".txt", true
	case has("mime", "mimetype") || has("content") && has("type"):
		return "text/plain", true
	case last == "name" && len(words) > 1 && has("full", "customer", "contact", "person", "owner", "author", "holder", "display"):
		return f.Name(), true
	case has("name", "title", "label", "subject", "heading"):
		return capital(r.wordy(at, 2)), true
	case has("description", "note", "notes", "comment", "message", "text", "body", "summary", "content", "reason", "details"):
		return capital(r.wordy(at, 2)) + " by the " + r.word(at) + ".", true
	case has("amount", "price", "total"):
		return fmt.Sprintf("%d.%02d", f.Number(5, 500), f.Number(0, 99)), true
	case has("number", "count"):
		return strconv.Itoa(f.Number(1000, 999_999)), true
	}
	return r.word(at), false
}

func capital(word string) string {
	return strings.ToUpper(word[:1]) + word[1:]
}

func (r *run) id(at place, last string) string {
	if last == "uuid" || last == "guid" {
		return r.uuid(at)
	}
	return r.token(at, 16)
}

// token is letters and digits.
func (r *run) token(at place, n int) string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	out := make([]byte, 0, n)
	for i := 0; len(out) < n; i++ {
		bits := r.pick(at, "token"+strconv.Itoa(i), 1<<60)
		for k := 0; k < 11 && len(out) < n; k++ {
			out = append(out, letters[bits%len(letters)])
			bits /= len(letters)
		}
	}
	return string(out)
}
