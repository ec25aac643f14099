package secret

import "strings"

// Live gives how a vendor's key to a real account begins that is in a text; ""
// where there is none. Keys of test modes, and such as say that they are made up,
// are none. It goes by less than Real does, and is for a warning: of most vendors it
// cannot be told which key is whole.
func Live(text string) string {
	for i := range len(text) {
		if len(forms[text[i]]) == 0 || i > 0 && word(text[i-1]) && !escaped(text, i) {
			continue
		}
		for _, f := range forms[text[i]] {
			if !strings.HasPrefix(text[i:], f.begins) || strings.HasSuffix(f.begins, "_test_") || strings.Contains(f.begins, "/") {
				continue
			}
			from := i + len(f.begins)
			to := from + run(text[from:], f.also)
			if to-from >= max(f.least, leastLive) && !madeUp(text[i:to]) {
				return f.begins
			}
		}
	}
	return ""
}

// leastLive is how much of a key comes after its beginning, at least.
const leastLive = 16

// madeUp tells a key that is none: it says so, or has no digits among its letters.
func madeUp(key string) bool {
	return saysMadeUp(key) || !strings.ContainsAny(key, "0123456789")
}

// saysMadeUp tells a key that says of itself that it is none.
func saysMadeUp(key string) bool {
	lower := strings.ToLower(key)
	for _, said := range []string{"parity", "test", "example", "fake", "dummy", "sample", "xxxx", "0000", "1234567", "abcdef"} {
		if strings.Contains(lower, said) {
			return true
		}
	}
	return false
}
