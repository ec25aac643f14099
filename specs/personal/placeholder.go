package personal

import (
	"regexp"
	"strings"
	"sync"
)

// A placeholder stands in a record for a value of people: its kind, and letters that
// are the same for the same value of a run, as in <email abcdefghij>.

// Placeholder writes one. Of hexadecimal digits it takes the first ten, as letters,
// so that nobody finds a number in it.
func Placeholder(kind Kind, digits string) string {
	letters := []byte(digits[:placeholderLetters])
	for i, c := range letters {
		if c <= '9' {
			letters[i] = c - '0' + 'g'
		}
	}
	return "<" + string(kind) + " " + string(letters) + ">"
}

const placeholderLetters = 10

// Placeholders finds them in a text, also with the escapes of JSON. Its groups are
// the kind and the letters.
var Placeholders = sync.OnceValue(func() *regexp.Regexp {
	kinds := make([]string, 0, len(Kinds()))
	for _, kind := range Kinds() {
		kinds = append(kinds, string(kind))
	}
	return regexp.MustCompile(`(?:<|\\u003[cC])(` + strings.Join(kinds, "|") + `) ([a-p]{10})(?:>|\\u003[eE])`)
})

// IsPlaceholder tells whether all of a text is one.
func IsPlaceholder(text string) bool {
	at := Placeholders().FindStringIndex(text)
	return at != nil && at[1]-at[0] == len(text)
}
