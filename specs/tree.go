package specs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// add hangs an operation into the tree at the path it declares. It says so
// when the same shape has the method already: the first one stays.
func (n *node) add(path string, op *Operation) error {
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("path %q does not begin with a slash; it is never matched", path)
	}
	var names []string
	at := n
	for _, segment := range strings.Split(path[1:], "/") {
		texts, found, err := template(segment)
		if err != nil {
			return fmt.Errorf("path %q: %w; it is never matched", path, err)
		}
		names = append(names, found...)
		at = at.step(texts)
	}
	if len(names) > maxParameters {
		return fmt.Errorf("path %q has more than %d parameters; it is never matched", path, maxParameters)
	}
	for _, other := range at.leaves {
		if other.method == op.Method {
			return fmt.Errorf("%s %s has the same shape as %s; it is never matched", op.Method, path, other.op.Path)
		}
	}
	at.leaves = append(at.leaves, leaf{method: op.Method, op: op, names: names})
	return nil
}

// template splits a segment into the texts around its parameters, and their
// names: "{base}...{head}" gives ["", "...", ""] and [base, head].
func template(segment string) (texts, names []string, err error) {
	for {
		before, rest, ok := strings.Cut(segment, "{")
		text, good := unescape(before)
		if !good {
			return nil, nil, fmt.Errorf("segment %q is not escaped well", segment)
		}
		texts = append(texts, text)
		if !ok {
			return texts, names, nil
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok || name == "" {
			return nil, nil, fmt.Errorf("segment %q has a brace without its partner", segment)
		}
		if len(names) > 0 && text == "" {
			return nil, nil, fmt.Errorf("parameters %s and %s touch", names[len(names)-1], name)
		}
		names = append(names, name)
		segment = after
	}
}

// step gives the node behind a segment, making it where there is none.
func (n *node) step(texts []string) *node {
	if len(texts) == 1 {
		if n.literals == nil {
			n.literals = map[string]*node{}
		}
		next := n.literals[texts[0]]
		if next == nil {
			next = &node{}
			n.literals[texts[0]] = next
		}
		return next
	}
	for _, p := range n.patterns {
		if slices.Equal(p.texts, texts) {
			return p.next
		}
	}
	p := &pattern{texts: texts, next: &node{}}
	n.patterns = append(n.patterns, p)
	slices.SortStableFunc(n.patterns, func(a, b *pattern) int {
		return cmp.Or(
			cmp.Compare(len(strings.Join(b.texts, "")), len(strings.Join(a.texts, ""))),
			cmp.Compare(len(b.texts), len(a.texts)),
		)
	})
	return p.next
}
