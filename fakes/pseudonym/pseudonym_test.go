package pseudonym_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parity/fakes/pseudonym"
	"parity/specs/body"
	"parity/specs/personal"
)

// settled is a book that has met some values.
func settled(t interface{ Fatal(...any) }, documents ...string) *pseudonym.Book {
	b := pseudonym.New([]byte("a key that nobody keeps"), "open", "tickets")
	for _, document := range documents {
		v, wrong := body.DecodeJSON([]byte(document))
		if wrong != nil {
			t.Fatal(wrong)
		}
		b.Value("", v)
	}
	b.Settle()
	return b
}

// Equal values have equal pseudonyms, others have others, nothing of a value is in
// its own, and each is a valid one of its kind.
func TestPseudonymsAreValidAndTellEqualValues(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		of    personal.Kind
		form  string
		valid func(was, is string) bool
	}{
		{personal.Email, `[a-z]{4,8}([._+][a-z]{2,9})?[0-9]{0,3}@[a-z]{3,10}\.(com|org|co\.uk)`, func(_, is string) bool { _, err := mail.ParseAddress(is); return err == nil && personal.WholeEmail(is) }},
		{personal.Phone, `\+[1-9][0-9] ?[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3,4}`, func(was, is string) bool { return layout(was) == layout(is) }},
		{personal.Name, `[A-Z][a-z]{3,9} ([A-Z]\. )?[A-Z][a-z]{3,9}(-[A-Z][a-z]{3,8})?`, func(was, is string) bool {
			return strings.Count(was, " ") == strings.Count(is, " ") && is == strings.TrimSpace(is)
		}},
		{personal.Card, `4[0-9]{15}`, func(was, is string) bool {
			ok := false
			each(is, func(string) { ok = true })
			return ok == (len(is) == len(was)) && ok
		}},
		{personal.Account, `DE[0-9]{20}`, func(was, is string) bool { return layout(was) == layout(is) }},
		{personal.Birth, `19[3-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])`, func(was, is string) bool { return layout(was) == layout(is) }},
		{personal.Network, `[1-9][0-9]\.[1-9][0-9]\.[1-9]\.[1-9]`, func(_, is string) bool { return strings.HasPrefix(is, "10.") }},
		{personal.Login, `[a-z]{5,12}[0-9]{0,4}`, func(_, is string) bool { return regexp.MustCompile(`^[a-z0-9]+$`).MatchString(is) }},
	} {
		t.Run(string(kind.of), func(t *testing.T) {
			t.Parallel()
			book := settled(t)
			met, given := map[string]string{}, map[string]string{}
			rapid.Check(t, func(t *rapid.T) {
				was := rapid.StringMatching(kind.form).Draw(t, "value")
				is := book.Of(kind.of, was)
				switch again, known := met[was]; {
				case known && again != is:
					t.Fatalf("%s is %s and %s", was, again, is)
				case is == was || strings.Contains(strings.ToLower(is), strings.ToLower(was)):
					t.Fatalf("%s is in its pseudonym %s", was, is)
				case given[is] != "" && given[is] != was:
					t.Fatalf("%s and %s are both %s", was, given[is], is)
				case !kind.valid(was, is):
					t.Fatalf("%s of %s is no %s", is, was, kind.of)
				}
				met[was], given[is] = is, was
			})
		})
	}
}

func each(text string, found func(string)) {
	for _, s := range regexp.MustCompile(`[0-9]{13,19}`).FindAllString(text, -1) {
		sum := 0
		for i := range s {
			d := int(s[len(s)-1-i] - '0')
			if i%2 == 1 {
				if d *= 2; d > 9 {
					d -= 9
				}
			}
			sum += d
		}
		if sum%10 == 0 {
			found(s)
		}
	}
}

// layout is a text with each letter and digit as one of its class.
func layout(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= '0' && c <= '9':
			return '0'
		case c >= 'a' && c <= 'z':
			return 'a'
		case c >= 'A' && c <= 'Z':
			return 'A'
		}
		return c
	}, text)
}

const customers = `{"data":[
	{"object":"customer","id":"cus_1","name":"Grace Hopper","email":"grace.hopper@navy.mil","phone":"+1 (415) 555-2671"},
	{"object":"customer","id":"cus_2","name":"José García","email":"jose@garcia.example","phone":"+34 612 345 678","login":"octojose"}]}`

// What was replaced in a field is replaced wherever else it stands, however it is
// written there.
func TestValuesAreReplacedInWhateverWayTheyAreWritten(t *testing.T) {
	t.Parallel()
	book := settled(t, customers)
	grace, email := book.Of(personal.Name, "Grace Hopper"), book.Of(personal.Email, "grace.hopper@navy.mil")
	first, last, _ := strings.Cut(grace, " ")
	for text, want := range map[string]string{
		"Grace Hopper called":                                  grace + " called",
		"GRACE HOPPER, grace hopper":                           strings.ToUpper(grace) + ", " + strings.ToLower(grace),
		"Hopper, Grace":                                        last + ", " + first,
		"Hi Grace, and goodbye":                                "Hi " + first + ", and goodbye",
		"by the grace of":                                      "by the grace of",
		"https://x.example/people/grace-hopper.png":            "https://x.example/people/" + strings.ToLower(first+"-"+last) + ".png",
		"https://x.example/?q=Grace%20Hopper&page=2":           "https://x.example/?q=" + first + "%20" + last + "&page=2",
		"write to GRACE.HOPPER@navy.mil.":                      "write to " + email + ".",
		"mailto:grace.hopper%40navy.mil":                       "mailto:" + strings.Replace(email, "@", "%40", 1),
		"grace.hopper&#64;navy.mil":                            email,
		`{"to":"grace.hopper@navy.mil","n":1}`:                 `{"n":1,"to":"` + email + `"}`,
		"call 415.555.2671 or (415) 555-2671":                  "call " + book.Of(personal.Phone, "415.555.2671") + " or " + book.Of(personal.Phone, "(415) 555-2671"),
		"/users/octojose/tickets":                              "/users/" + book.Of(personal.Login, "octojose") + "/tickets",
		"open":                                                 "open",
		"Jos\\u00e9 Garc\\u00eda":                              book.Of(personal.Name, "José García"),
		"Jos%C3%A9%20Garc%C3%ADa":                              strings.Replace(book.Of(personal.Name, "José García"), " ", "%20", 1),
		based("to grace.hopper@navy.mil"):                      based("to " + email),
		hex.EncodeToString([]byte("to grace.hopper@navy.mil")): hex.EncodeToString([]byte("to " + email)),
		"git@github.com:acme/shop.git":                         "git@github.com:acme/shop.git",
		"2026-11-30T10:00:00+01:00":                            "2026-11-30T10:00:00+01:00",
		"cus_NffrFeUfNV2Hib":                                   "cus_NffrFeUfNV2Hib",
	} {
		if got := book.Text(text); got != want {
			t.Errorf("%s\n is %s\nnot %s", text, got, want)
		}
	}
}

func based(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// The number of one person is the same with its country's code and without, in
// fields of other records and in JSON's numbers.
func TestAPhoneIsOneHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	book := settled(t, customers)
	want := digits(book.Of(personal.Phone, "+1 (415) 555-2671"))[1:]
	for _, form := range []string{"4155552671", "415-555-2671", "(415) 555-2671", "001 415 555 2671"} {
		if got := digits(book.Of(personal.Phone, form)); !strings.HasSuffix(got, want) {
			t.Errorf("%s is %s, not %s", form, got, want)
		}
	}
	v := book.Value("", map[string]any{"msisdn": int64(14155552671), "count": int64(14155552671), "id": int64(77)})
	if got := v.(map[string]any); got["msisdn"] != got["count"] || got["msisdn"] == int64(14155552671) || got["id"] != int64(77) {
		t.Error(got)
	}
}

func digits(text string) string { return regexp.MustCompile(`\D`).ReplaceAllString(text, "") }

// Nothing of a value is left, in whatever way a document has it.
func FuzzNothingIsLeft(f *testing.F) {
	f.Add("please call Grace Hopper", 0)
	f.Add("a=b&c=", 3)
	f.Add(`<p>`, 4)
	f.Add(`{"x":"`, 5)
	f.Fuzz(func(t *testing.T, before string, way int) {
		const email = "grace.hopper@navy.mil"
		book := settled(t, customers)
		ways := []func(string) string{
			func(s string) string { return s }, strings.ToUpper, url.QueryEscape, url.PathEscape,
			func(s string) string { return based(before + " " + s) }, func(s string) string { return hex.EncodeToString([]byte("mail: " + s)) },
			func(s string) string { return url.QueryEscape(based("mail: " + s)) },
		}
		said := ways[((way%len(ways))+len(ways))%len(ways)](email)
		got := book.Text(before + " " + said)
		if lower := strings.ToLower(got); strings.Contains(lower, email) || strings.Contains(lower, "grace.hopper%40navy.mil") || strings.Contains(got, said) {
			t.Errorf("%q is %q", before+" "+said, got)
		}
	})
}
