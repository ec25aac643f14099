package specs

import (
	"strings"

	"parity/specs/document"
)

// Pointer writes the JSON pointer (RFC 6901) that leads through names; "" for
// none, which is the whole document.
func Pointer(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString("/" + document.Escape(name))
	}
	return b.String()
}

// PointerNames gives the names that a JSON pointer leads through.
func PointerNames(pointer string) []string {
	if pointer == "" {
		return nil
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
		names[i] = document.Unescape(name)
	}
	return names
}
