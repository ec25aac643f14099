package live

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"parity/specs"
	"parity/specs/class"
)

// mostReadings bounds what one path is taken for.
const mostReadings = 48

// readings are what servers take a path for, besides itself: of them some undo its
// encoding before they look for their operation, once or twice, or cut off what
// stands behind a semicolon, the format that a client asks for, or an end.
func readings(written string) []string {
	all := []string{written}
	add := func(other string) {
		if other != "" && len(all) < mostReadings && !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	for i := 0; i < len(all); i++ {
		at := all[i]
		if undone, err := url.PathUnescape(at); err == nil {
			add(undone)
		}
		add(strings.ReplaceAll(at, `\`, "/"))
		for _, end := range []string{"?", "#", "\x00"} {
			bare, _, _ := strings.Cut(at, end)
			add(bare)
		}
		segments := strings.Split(at, "/")
		for n, s := range segments {
			segments[n], _, _ = strings.Cut(s, ";")
		}
		add(strings.Join(segments, "/"))
		add(strings.TrimRight(at, "/. \t"))
		add(path.Clean("/" + at))
		add(strings.TrimSuffix(at, path.Ext(at)))
	}
	return all
}

// seems gives the operation above a class that a server may take a request for
// which its contract takes for another one; nil: there is none.
func (s *Service) seems(op *specs.Operation, is class.Class, method, at string) *specs.Operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	above := slices.DeleteFunc(slices.Clone(s.acting(method)), func(other *specs.Operation) bool { return other == op || s.class(other).Within(is) })
	if len(above) == 0 {
		return nil
	}
	for i, at := range readings(at) {
		taken := op
		if i > 0 {
			taken = s.Contract.Match(method, at).Operation
		}
		if slices.Contains(above, taken) {
			return taken
		}
		for _, other := range above {
			if fixed, ok := fits(other.Path, at); ok && (taken == nil || fixed > literals(taken.Path)) {
				return other
			}
		}
	}
	return nil
}

// guise gives the operation above a class that a request may be taken for, or a
// part of it where it is a batch; nil: there is none.
func (s *Service) guise(op *specs.Operation, is class.Class, r Request, asked class.Request) *specs.Operation {
	if other := s.seems(op, is, r.Method, r.Path); other != nil {
		return other
	}
	if len(r.Body) == 0 {
		return nil
	}
	parts, _ := class.Calls(op, asked)
	for _, part := range parts {
		target, _, _ := strings.Cut(part.Target, "?")
		for _, place := range class.Places(op) {
			m := s.Contract.Match(part.Method, place+target)
			if m.Operation == nil {
				continue
			}
			if other := s.seems(m.Operation, is, part.Method, place+target); other != nil {
				return other
			}
		}
	}
	return nil
}

// asksForMethod tells whether a request may ask for another method than its own
// where only some servers look: in the query under names of theirs, or in a body
// that says nothing to whoever goes by its content type.
// Source: Salesforce (_HttpMethod), Google ($httpMethod, $httpHeaders), Facebook (method).
func asksForMethod(r Request) bool {
	for pair := range strings.FieldsFuncSeq(r.Query, func(c rune) bool { return c == '&' || c == ';' || c == '?' }) {
		name, value, _ := strings.Cut(undone(pair), "=")
		name, _, _ = strings.Cut(name, "[")
		switch strings.NewReplacer("-", "", "_", "", "$", "").Replace(strings.ToLower(name)) {
		case "httpmethod", "xhttpmethod", "xhttpmethodoverride", "xmethodoverride", "methodoverride", "method":
			if writes(value) && !strings.EqualFold(strings.TrimSpace(value), r.Method) {
				return true
			}
		case "httpheaders":
			return true
		}
	}
	if len(r.Body) == 0 {
		return false
	}
	text := strings.ToLower(undone(string(r.Body)))
	for at := 0; ; at++ {
		next := strings.Index(text[at:], "_method")
		if next < 0 {
			return false
		}
		at += next
		if at == 0 || !word(text[at-1]) {
			return true
		}
	}
}

// undone is a text that may be percent-encoded, up to twice.
func undone(text string) string {
	for range 2 {
		if plain, err := url.QueryUnescape(text); err == nil {
			text = plain
		}
	}
	return text
}

func word(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' }

// writes tells the methods that change something, wherever one stands in a value.
func writes(value string) bool {
	value = strings.ToUpper(value)
	for _, verb := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, "MERGE"} {
		if strings.Contains(value, verb) {
			return true
		}
	}
	return false
}

// acting are the operations of a method that are above a read: of those that a
// read is made with there are few.
func (s *Service) acting(method string) []*specs.Operation {
	s.sorted.Do(func() {
		s.acts = map[string][]*specs.Operation{}
		for _, op := range s.Contract.Operations {
			if !s.class(op).Within(class.Read) {
				s.acts[op.Method] = append(s.acts[op.Method], op)
			}
		}
	})
	return s.acts[strings.ToUpper(method)]
}

// class is what sort of act an operation is, as its contract and the profile say.
func (s *Service) class(op *specs.Operation) class.Class {
	is := class.Of(op, op.Effect).Class
	if s.Said != nil {
		return class.Highest(is, s.Said(op))
	}
	return is
}

// fits tells whether a path is of a template, whatever its letters' case, and how
// many segments of it are fixed.
func fits(template, at string) (fixed int, ok bool) {
	want, got := strings.Split(template, "/"), strings.Split(at, "/")
	if len(want) != len(got) {
		return 0, false
	}
	for i, segment := range want {
		before, rest, open := strings.Cut(segment, "{")
		_, after, _ := strings.Cut(rest, "}")
		switch {
		case !open && !strings.EqualFold(segment, got[i]):
			return 0, false
		case !open:
			fixed++
		case len(got[i]) <= len(before)+len(after), !strings.EqualFold(got[i][:len(before)], before),
			!strings.Contains(after, "{") && !strings.EqualFold(got[i][len(got[i])-len(after):], after):
			return 0, false
		}
	}
	return fixed, true
}

func literals(template string) (n int) {
	for segment := range strings.SplitSeq(template, "/") {
		if !strings.Contains(segment, "{") {
			n++
		}
	}
	return n
}
