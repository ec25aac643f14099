package personal

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Span is where in a text something of people stands.
type Span struct {
	Kind     Kind
	From, To int
}

// forms are what is of people wherever it stands. The sign of an address may be
// written as in URLs, in HTML, and in JSON.
var forms = sync.OnceValue(func() (f struct{ email, whole, phone, national, iban, ssn *regexp.Regexp }) {
	const local, domain = `[\p{L}\p{N}._%+'-]*[\p{L}\p{N}_]`, `[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*\.\p{L}{2,}`
	f.email = regexp.MustCompile(local + `(?:@|%40|&#64;|&#x40;|&commat;|\\u0040)` + domain)
	f.whole = regexp.MustCompile(`^` + local + `@` + domain + `$`)
	f.phone = regexp.MustCompile(`(?:\+|\b00)[1-9][0-9]{0,3}[ ().\-/\x{a0}]{0,2}(?:[0-9][ ().\-/\x{a0}]{0,2}){6,12}[0-9]`)
	f.national = regexp.MustCompile(`\([0-9]{2,5}\)[ -]?[0-9]{3,4}[ .-]?[0-9]{3,4}\b|\b[2-9][0-9]{2}([ .-])[0-9]{3}[ .-][0-9]{4}\b|\b0[0-9]{2,4}[ -/][0-9]{3,4}[ -]?[0-9]{3,4}\b`)
	f.iban = regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`)
	f.ssn = regexp.MustCompile(`\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b`)
	return f
})

// Find lists what of people a text shows by its form, in order: addresses of mail,
// phone numbers with a country's code or as they are written in one, numbers of
// bank accounts whose check is right, and social security numbers. Cards are
// specs/secret's to find.
func Find(text string) []Span {
	f := forms()
	var found []Span
	add := func(kind Kind, re *regexp.Regexp, ok func(string) bool) {
		for _, at := range re.FindAllStringIndex(text, -1) {
			if ok(text[at[0]:at[1]]) && !met(found, at[0], at[1]) {
				found = append(found, Span{kind, at[0], at[1]})
			}
		}
	}
	if strings.ContainsAny(text, "@%&\\") {
		add(Email, f.email, func(s string) bool { return !strings.HasPrefix(s, "git@") })
	}
	if strings.ContainsAny(text, "0123456789") {
		add(Account, f.iban, IBAN)
		add(Account, f.ssn, func(string) bool { return true })
		add(Phone, f.phone, func(string) bool { return true })
		add(Phone, f.national, func(string) bool { return true })
	}
	slices.SortFunc(found, func(a, b Span) int { return a.From - b.From })
	return found
}

func met(found []Span, from, to int) bool {
	return slices.ContainsFunc(found, func(s Span) bool { return from < s.To && s.From < to })
}

// WholeEmail tells whether a text is an address of mail, and nothing else.
func WholeEmail(text string) bool {
	return strings.Contains(text, "@") && forms().whole.MatchString(text)
}

// IBAN tells whether a text is an international bank account number whose check is
// right (ISO 13616: 1 modulo 97).
func IBAN(text string) bool {
	text = strings.ReplaceAll(text, " ", "")
	return len(text) >= 15 && len(text) <= 34 && Modulo97(text) == 1
}

// Modulo97 is the remainder that the check of an IBAN is about: of the number that
// it is with its first four signs at its end and each letter as two digits.
func Modulo97(iban string) int {
	rest := 0
	for _, c := range iban[4:] + iban[:4] {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return 0
		}
	}
	return rest
}
