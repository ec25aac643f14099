package specs

import (
	"strconv"
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

// ValueAt gives what stands at a JSON pointer in a decoded value; false: nothing
// does.
func ValueAt(value any, pointer string) (any, bool) {
	for _, name := range PointerNames(pointer) {
		switch v := value.(type) {
		case map[string]any:
			inner, ok := v[name]
			if !ok {
				return nil, false
			}
			value = inner
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}
