package specs

import (
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// sure gives what matches nearly all texts of a format, in the way in which
// nearly everybody writes them, and none that is wrong; nil where there is no
// such thing. Others may be right too: it is for a sieve.
func sure(format string) jsonschema.Regexp {
	switch format {
	case "date-time":
		return usual{format, instant}
	case "date":
		return usual{format, date}
	case "email":
		return usual{format, email}
	case "uuid":
		return usual{format, uuid}
	case "uri":
		return usual{format, uri}
	}
	return nil
}

// A usual matches what a function is sure of.
type usual struct {
	format string
	is     func(text string) bool
}

func (u usual) MatchString(text string) bool { return u.is(text) }

func (u usual) String() string { return u.format }

// instant is sure of 2026-01-07T10:12:00Z, with parts of a second or without.
func instant(text string) bool {
	if len(text) < len("2026-01-07T10:12:00Z") || text[10] != 'T' || text[13] != ':' || text[19] != '.' && text[19] != 'Z' || text[len(text)-1] != 'Z' {
		return false
	}
	_, err := time.Parse(time.RFC3339, text)
	return err == nil
}

func date(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// email is sure of ada.lovelace+orders@mail.example.com.
func email(text string) bool {
	local, domain, _ := strings.Cut(text, "@")
	return local != "" && len(local) <= 64 && len(text) <= 254 && dotted(local, "_+-") && hostname(domain)
}

// hostname is sure of those with a dot whose labels do not end in a hyphen.
func hostname(text string) bool {
	if !strings.Contains(text, ".") || !dotted(text, "-") {
		return false
	}
	for label := range strings.SplitSeq(text, ".") {
		if len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return len(text) <= 253
}

// dotted tells whether a text is words between dots, of letters, digits and some
// other characters.
func dotted(text, others string) bool {
	before := byte('.')
	for i := range len(text) {
		c := text[i]
		if !alphanumeric(c) && strings.IndexByte(others, c) < 0 && (c != '.' || before == '.') {
			return false
		}
		before = c
	}
	return before != '.'
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func uuid(text string) bool {
	if len(text) != len("123e4567-e89b-12d3-a456-426614174000") {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
				return false
			}
		}
	}
	return true
}

// uri is sure of https://example.com/some/path?with=query#part.
func uri(text string) bool {
	rest, ok := strings.CutPrefix(text, "http")
	if !ok {
		return false
	}
	rest, ok = strings.CutPrefix(strings.TrimPrefix(rest, "s"), "://")
	if !ok {
		return false
	}
	end := strings.IndexByte(rest, '/')
	if end < 0 {
		end = len(rest)
	}
	for i := end; i < len(rest); i++ {
		if !alphanumeric(rest[i]) && strings.IndexByte("/._~-?=&#+,", rest[i]) < 0 {
			return false
		}
	}
	return hostname(rest[:end])
}
