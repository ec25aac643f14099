package generic

import (
	"fmt"
	"slices"
	"strings"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/words"
)

// A file is a behaviour file being read. What is wrong in it is gathered, so
// that all of it is told at once.
type file struct {
	fake     *Fake
	problems []Problem
	out      *behaviour
	lines    []string
}

// behave reads a behaviour file, and corrects the model by it.
func (f *Fake) behave(text []byte, name string) (*behaviour, []Problem, error) {
	b := &file{fake: f, out: &behaviour{resources: map[string]*rules{}, operations: map[*openapi.Operation]*operationRule{}, errors: map[string]errorRule{}}}
	if len(strings.TrimSpace(string(text))) == 0 {
		return b.out, nil, nil
	}
	if name == "" {
		name = "behaviour.yaml"
	}
	b.lines = strings.Split(string(text), "\n")
	d, err := document.Open(content{"behaviour.yaml", text}, "behaviour.yaml")
	if err != nil {
		p := Problem{Line: 1, Column: 1, Message: strings.TrimPrefix(err.Error(), "behaviour.yaml:"), Fatal: true}
		var line, column int
		if n, _ := fmt.Sscanf(p.Message, "%d:%d:", &line, &column); n == 2 {
			p.Line, p.Column = line, column
			_, p.Message, _ = strings.Cut(p.Message, ": ")
		}
		return b.out, []Problem{p}, fmt.Errorf("%s: %s", name, p.Message)
	}
	for _, p := range d.Problems() {
		b.problems = append(b.problems, Problem{Line: p.Line, Column: p.Column, Message: p.Message, Fatal: true})
	}
	b.read(d.Root())
	slices.SortStableFunc(b.problems, func(x, y Problem) int {
		if x.Line != y.Line {
			return x.Line - y.Line
		}
		return x.Column - y.Column
	})
	for _, p := range b.problems {
		if p.Fatal {
			return b.out, b.problems, fmt.Errorf("%s:%d:%d: %s", name, p.Line, p.Column, p.Message)
		}
	}
	return b.out, b.problems, nil
}

func (b *file) read(root *document.Node) {
	if !b.object(root, "a behaviour file", "behaviour", "resources", "operations", "errors", "fixtures") {
		return
	}
	if n := root.Get("behaviour"); n != nil {
		if name, ok := b.text(n); ok && name != b.fake.service {
			b.warn(n, "this is the behaviour of "+name+"; the service is "+b.fake.service, "")
		}
	}
	resources := root.Get("resources")
	if b.optional(resources, "resources are named: contacts: {…}") {
		for i := range resources.Len() {
			b.resource(resources.At(i))
		}
	}
	operations := root.Get("operations")
	if b.optional(operations, "operations are named by method and path, or by their operationId") {
		for i := range operations.Len() {
			b.operation(operations.At(i))
		}
	}
	b.errors(root.Get("errors"))
	b.fixtures(root.Get("fixtures"))
}

func (b *file) wrong(n *document.Node, message, hint string) {
	_, line, column := n.Place()
	b.problems = append(b.problems, Problem{Line: line, Column: column, Message: message, Hint: hint, Fatal: true})
}

func (b *file) warn(n *document.Node, message, hint string) {
	_, line, column := n.Place()
	b.problems = append(b.problems, Problem{Line: line, Column: column, Message: message, Hint: hint})
}

// unknown tells of a name that is none of those known.
func (b *file) unknown(n *document.Node, what, name string, known []string) {
	hint := "known are " + strings.Join(known, ", ")
	if near := nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	} else if len(known) > 12 {
		hint = ""
	}
	b.wrong(n, what+" "+name+" is not known", hint)
}

// unknownKey is unknown at the place of a key, and not at that of its value.
func (b *file) unknownKey(n *document.Node, what string, known []string) {
	before := len(b.problems)
	b.unknown(n, what, n.Name, known)
	p := &b.problems[before]
	for up := range 3 {
		if p.Line-up < 1 || p.Line-up > len(b.lines) {
			return
		}
		line := b.lines[p.Line-1-up]
		if up == 0 {
			line = line[:min(len(line), max(p.Column-1, 0))]
		}
		if at := strings.LastIndex(line, n.Name); at >= 0 && strings.HasPrefix(strings.TrimLeft(line[at+len(n.Name):], `"' `), ":") {
			p.Line, p.Column = p.Line-up, at+1
			return
		}
	}
}

// object tells whether a node is an object with no keys but these.
func (b *file) object(n *document.Node, what string, keys ...string) bool {
	if !n.Is(document.Object) {
		b.wrong(n, what+" is an object", "it has "+strings.Join(keys, ", "))
		return false
	}
	for i := range n.Len() {
		if name := n.At(i).Name; !slices.Contains(keys, name) {
			b.unknownKey(n.At(i), "key", keys)
		}
	}
	return true
}

// optional tells whether an object is there.
func (b *file) optional(n *document.Node, hint string) bool {
	if n == nil || n.Is(document.Object) {
		return n != nil
	}
	b.wrong(n, n.Name+" is an object", hint)
	return false
}

func (b *file) text(n *document.Node) (string, bool) {
	if n == nil {
		return "", false
	}
	if !n.Is(document.String) {
		b.wrong(n, n.Name+" is a text", "")
		return "", false
	}
	return n.Text(), true
}

func (b *file) count(n *document.Node) (int, bool) {
	if n == nil {
		return 0, false
	}
	c, ok := n.Count()
	if !ok || !n.Is(document.Number) {
		b.wrong(n, n.Name+" is a whole number", "")
	}
	return c, ok
}

func (b *file) flag(n *document.Node) (value, ok bool) {
	if n == nil {
		return false, false
	}
	if !n.Is(document.Bool) {
		b.wrong(n, n.Name+" is true or false", "")
		return false, false
	}
	return n.True(), true
}

func (b *file) texts(n *document.Node) ([]string, bool) {
	if n == nil {
		return nil, false
	}
	if !n.Is(document.Array) {
		b.wrong(n, n.Name+" is a list of texts", "write ["+n.Scalar()+"]")
		return nil, false
	}
	out := make([]string, 0, n.Len())
	for i := range n.Len() {
		if !n.At(i).Is(document.String) {
			b.wrong(n.At(i), n.Name+" is a list of texts", "")
			continue
		}
		out = append(out, n.At(i).Text())
	}
	return out, true
}

// choice is a text that is one of some.
func (b *file) choice(n *document.Node, choices ...string) (string, bool) {
	words, ok := b.text(n)
	if ok && !slices.Contains(choices, words) {
		b.unknown(n, n.Name, words, choices)
		return "", false
	}
	return words, ok
}

// field checks that records have a field. "" is none.
func (b *file) field(n *document.Node, f *form, name string) bool {
	if name == "" || f.open || f.at(dotted(name)) != nil {
		return true
	}
	b.unknown(n, "field", name, f.names)
	return false
}

// pointer is a text that is a JSON pointer.
func (b *file) pointer(n *document.Node) (string, bool) {
	words, ok := b.text(n)
	if ok && words != "" && words[0] != '/' {
		b.wrong(n, words+" is no JSON pointer", "write /"+strings.ReplaceAll(words, ".", "/"))
		return "", false
	}
	return words, ok
}

// nearest gives the known name that was most likely meant; "" for none.
func nearest(name string, known []string) string {
	best, distance := "", max(2, len(name)/3)+1
	if len(name) > 80 {
		return ""
	}
	for _, candidate := range known {
		d := words.Edits(strings.ToLower(name), strings.ToLower(candidate))
		if words.Singular(candidate) == name || words.Singular(name) == candidate {
			d = 0
		}
		if d < distance {
			best, distance = candidate, d
		}
	}
	return best
}
