package specs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// add hangs an operation into the tree at the path it declares. It gives one
// that is there already and has the same method, shape and conditions.
func (n *node) add(path string, op *Operation) (alike *Operation, err error) {
	path, when := conditions(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var names []string
	at := n
	segments := strings.Split(path[1:], "/")
	for i, segment := range segments {
		if name, ok := catchAll(segment); ok && i == len(segments)-1 {
			names = append(names, name)
			at = at.step([]string{"", ""}, true)
			break
		}
		texts, found, err := template(segment)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w; it is never matched", path, err)
		}
		names = append(names, found...)
		at = at.step(texts, false)
	}
	if len(names) > maxParameters {
		return nil, fmt.Errorf("path %q has more than %d parameters; it is never matched", path, maxParameters)
	}
	for i := range at.leaves {
		if other := &at.leaves[i]; alike == nil && other.method == op.Method && slices.Equal(other.when, when) {
			alike = other.op
		}
	}
	at.leaves = append(at.leaves, leaf{method: op.Method, op: op, names: names, when: when})
	return alike, nil
}

// catchAll tells whether a segment is a parameter that takes all that follows:
// {+name} or {name+}.
func catchAll(segment string) (name string, ok bool) {
	inner, ok := strings.CutPrefix(segment, "{")
	if !ok || !strings.HasSuffix(inner, "}") || strings.Count(segment, "{") > 1 {
		return "", false
	}
	inner = strings.TrimSuffix(inner, "}")
	if name, ok := strings.CutPrefix(inner, "+"); ok {
		return name, name != ""
	}
	name, ok = strings.CutSuffix(inner, "+")
	return name, ok && name != ""
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
		names = append(names, name)
		segment = after
	}
}

// step gives the node behind a segment, making it where there is none.
func (n *node) step(texts []string, rest bool) *node {
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
		if p.rest == rest && slices.Equal(p.texts, texts) {
			return p.next
		}
	}
	p := &pattern{texts: texts, rest: rest, next: &node{}}
	at := slices.IndexFunc(n.patterns, p.before)
	if at < 0 {
		at = len(n.patterns)
	}
	n.patterns = slices.Insert(n.patterns, at, p)
	return p.next
}

// before tells whether a pattern is tried before another one: that which takes
// all that follows is the last, then literal text counts, then parameters.
func (p *pattern) before(other *pattern) bool {
	if p.rest != other.rest {
		return other.rest
	}
	return cmp.Or(cmp.Compare(p.literal(), other.literal()), cmp.Compare(len(p.texts), len(other.texts))) > 0
}

// literal counts the bytes that a pattern has beside its parameters.
func (p *pattern) literal() int {
	n := 0
	for _, text := range p.texts {
		n += len(text)
	}
	return n
}
