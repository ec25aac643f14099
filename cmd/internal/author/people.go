package author

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"parity/specs"
	"parity/specs/secret"
)

// people gives those whose addresses are in what the real service said others in
// their place, the same for the same one.
type people map[string]string

var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+`) })

func (p people) address(of string) string {
	if _, host, _ := strings.Cut(of, "@"); strings.HasSuffix("."+host, ".example") || strings.HasPrefix(host, "example.") {
		return of
	}
	name := strings.ToLower(of)
	if p[name] == "" {
		p[name] = "person-" + strconv.Itoa(len(p)+1) + "@people.example"
	}
	return p[name]
}

// redacted copies a value of the real service's without what looks like a
// secret, numbers of cards, and addresses of people, and counts those.
func redacted(value any, known people) (clean any, n int) {
	var list *secret.List
	clean = list.Value(value, func(_, _ string) string { n++; return specs.Redacted })
	return each(clean, func(text string) string {
		bare := address().ReplaceAllStringFunc(secret.Cards(text, false), known.address)
		if bare != text {
			n++
		}
		return bare
	}), n
}

// each copies a decoded value with its texts put through a function.
func each(value any, text func(string) string) any {
	switch v := value.(type) {
	case string:
		return text(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = each(item, text)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, inner := range v {
			object[name] = each(inner, text)
		}
		return object
	}
	return value
}
