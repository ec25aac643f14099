package sample

import (
	"encoding/base64"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// formatted makes a text of a format; it is not known to every one.
func (r *run) formatted(format string, at place) (string, bool) {
	switch strings.ToLower(format) {
	case "date":
		return r.moment(at, wordsOf(at.name)).Format(time.DateOnly), true
	case "date-time", "datetime", "timestamp", "iso8601", "iso-8601", "google-datetime":
		return r.moment(at, wordsOf(at.name)).Format("2006-01-02T15:04:05Z"), true
	case "time", "partial-time":
		text := fmt.Sprintf("%02d:%02d:00", 8+r.pick(at, "hour", 10), 5*r.pick(at, "minute", 12))
		if format == "time" {
			text += "Z"
		}
		return text, true
	case "duration":
		return "PT" + strconv.Itoa(1+r.pick(at, "duration", 59)) + "M", true
	case "google-duration":
		return strconv.Itoa(1+r.pick(at, "duration", 59)) + "s", true
	case "email", "idn-email":
		return r.email(at), true
	case "hostname", "idn-hostname", "host", "domain":
		return r.word(at) + ".example.com", true
	case "ipv4", "ip", "ip-address":
		return fmt.Sprintf("192.0.2.%d", 1+r.pick(at, "ip", 254)), true // nobody's: RFC 5737
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x", 1+r.pick(at, "ip", 0xfffe)), true // RFC 3849
	case "cidr", "ipv4-cidr":
		return fmt.Sprintf("192.0.2.%d/32", 1+r.pick(at, "ip", 254)), true
	case "mac":
		return fmt.Sprintf("02:00:5e:00:53:%02x", r.pick(at, "mac", 256)), true
	case "uri", "url", "iri", "http-url", "uri-reference", "iri-reference":
		return r.address(at), true
	case "uri-template":
		return "https://example.com/{id}", true
	case "uuid", "guid", "uuid4":
		return r.uuid(at), true
	default:
		return r.encoded(format, at)
	}
}

// encoded makes a text of a format that is not about people or the network.
func (r *run) encoded(format string, at place) (string, bool) {
	switch strings.ToLower(format) {
	case "byte", "base64":
		words := r.word(at) + r.word(at.again(1))
		return base64.StdEncoding.EncodeToString([]byte(words[:len(words)-len(words)%3])), true // = does not stand in a path
	case "base64url":
		return base64.RawURLEncoding.EncodeToString([]byte(r.word(at) + r.word(at.again(1)))), true
	case "int32", "int64", "integer", "uint32", "uint64", "long":
		return strconv.Itoa(1000 + r.pick(at, "number", 900_000)), true
	case "float", "double", "decimal", "number", "money":
		return fmt.Sprintf("%d.%02d", 1+r.pick(at, "number", 500), r.pick(at, "cents", 100)), true
	case "json-pointer":
		return "/" + r.word(at), true
	case "relative-json-pointer":
		return "0/" + r.word(at), true
	case "regex":
		return "^[a-z]+$", true
	case "json":
		return "{}", true
	case "password":
		return "Correct-Horse-" + strconv.Itoa(10+r.pick(at, "password", 90)), true
	case "phone", "e164", "phone-number":
		return r.phone(at), true
	case "hexcolor", "color", "hex-color":
		return fmt.Sprintf("#%06x", r.pick(at, "color", 1<<24)), true
	case "google-fieldmask":
		return "name", true
	default:
		return "", false
	}
}

// uuid makes a version 4 UUID.
func (r *run) uuid(at place) string {
	a, b := r.pick(at, "uuid a", 1<<60), r.pick(at, "uuid b", 1<<60)
	return fmt.Sprintf("%08x-%04x-4%03x-%x%03x-%012x", a&0xffffffff, a>>32&0xffff, a>>48&0xfff, 8+b>>60&3, b>>48&0xfff, b&0xffffffffffff)
}

// moment is a time that suits a field: what has been is before Now, and
// updated after created; what is to come is after it.
func (r *run) moment(at place, words []string) time.Time {
	const day = 24 * time.Hour
	ago := time.Duration(1+r.draw(at.parent+"#age", 90*24)) * time.Hour
	step := time.Duration(r.draw(at.parent+"#step", 60)) * time.Second
	now := r.now().Truncate(time.Second)
	for _, word := range words {
		switch word {
		case "created", "creation", "inserted", "registered", "joined":
			return now.Add(-ago - step)
		case "updated", "modified", "changed", "edited", "update":
			return now.Add(-ago/2 - step)
		case "expires", "expiry", "expiration", "expire", "end", "ends", "until", "due", "deadline", "next", "to", "before":
			return now.Add(ago + day + step)
		case "birth", "birthday", "dob", "birthdate":
			return now.AddDate(-20-r.pick(at, "age", 40), -r.pick(at, "month", 12), -r.pick(at, "day", 28))
		case "start", "starts", "begin", "since", "from", "after":
			return now.Add(-ago + step)
		}
	}
	return now.Add(-ago/time.Duration(2+r.pick(at, "when", 7)) - step)
}

var (
	uuidForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	})
	timeForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)
	})
	durationForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^P(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$`)
	})
	hostForm = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)*[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.?$`)
	})
	pointerForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(/([^~/]|~[01])*)*$`) })
)

// formatFits tells whether a text is of a format; of one that is not known,
// every text is.
func formatFits(format, text string) bool {
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
		return err == nil
	case "time":
		return timeForm().MatchString(text)
	case "duration":
		return durationForm().MatchString(text) && !strings.HasSuffix(text, "T") && text != "P"
	case "email", "idn-email":
		address, err := mail.ParseAddress(text)
		return err == nil && address.Address == text
	case "hostname", "idn-hostname":
		return len(text) <= 253 && hostForm().MatchString(text)
	case "ipv4":
		address, err := netip.ParseAddr(text)
		return err == nil && address.Is4()
	case "ipv6":
		address, err := netip.ParseAddr(text)
		return err == nil && address.Is6() && address.Zone() == ""
	case "uri", "url":
		parsed, err := url.Parse(text)
		return err == nil && parsed.Scheme != "" && !strings.ContainsAny(text, " <>\"{}|\\^`")
	case "uri-reference":
		_, err := url.Parse(text)
		return err == nil && !strings.ContainsAny(text, " <>\"{}|\\^`")
	case "uuid":
		return uuidForm().MatchString(text)
	case "byte":
		_, err := base64.StdEncoding.DecodeString(text)
		return err == nil
	case "json-pointer":
		return pointerForm().MatchString(text)
	case "regex":
		_, err := regexp.Compile(text)
		return err == nil
	default:
		return true
	}
}
