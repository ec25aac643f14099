package specs

import "strings"

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// escape writes a name as one token of a JSON pointer.
func escape(name string) string { return pointerEscaper.Replace(name) }

// Pointer writes the JSON pointer (RFC 6901) that leads through names; "" for
// none, which is the whole document.
func Pointer(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString("/" + escape(name))
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
		names[i] = pointerUnescaper.Replace(name)
	}
	return names
}
