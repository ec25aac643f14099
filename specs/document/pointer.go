package document

import "strings"

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape writes a name as one token of a JSON pointer (RFC 6901).
func Escape(name string) string { return escaper.Replace(name) }

// Unescape gives the name that one token of a JSON pointer stands for.
func Unescape(token string) string {
	if strings.IndexByte(token, '~') < 0 {
		return token // most have none, and a replacer copies
	}
	return unescaper.Replace(token)
}

// Clip keeps text from outside, which may be as long as a file, to so many
// bytes, and shows that there was more.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
