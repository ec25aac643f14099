package body

import (
	"fmt"
	"slices"
	"strconv"
)

// A typing gives a form's values the types that a shape declares.
type typing struct {
	form   form
	leaf   func(inner shape, text string, pointer string) any // nil: text becomes a scalar
	failed *Problem
}

func (t *typing) scalar(inner shape, text, pointer string) any {
	if t.leaf != nil {
		return t.leaf(inner, text, pointer)
	}
	return inner.scalar(text)
}

// value types one node. What cannot have the declared type keeps the form it
// came in, for the schema to refuse.
func (t *typing) value(at int32, inner shape, brackets bool, pointer string) any {
	node := &t.form[at]
	if node.first == 0 {
		if !brackets && inner.takes(anArray) && (inner.only(anArray) || len(node.more) > 0) {
			return t.list(node.values(), inner, pointer)
		}
		return t.scalar(inner, node.latest(), pointer) // the last one wins
	}
	if node.given { // a=1&a[b]=2
		t.fail(twofold(pointer))
	}
	if (inner.takes(anArray) || inner.kinds == 0) && t.indexed(at) {
		return t.array(at, inner, brackets, pointer)
	}
	out := make(map[string]any, t.form.count(at))
	for i := node.first; i != 0; i = t.form[i].next {
		name := t.form[i].name
		part, _ := inner.property(name)
		out[name] = t.value(i, part, brackets, pointer+"/"+escape(name))
	}
	return out
}

func twofold(pointer string) *Problem {
	return &Problem{Pointer: pointer, Rule: RuleSyntax, Message: "is given both a value and parts; give one of them"}
}

func (t *typing) list(texts []string, inner shape, pointer string) []any {
	out := make([]any, 0, len(texts))
	all := inner.items()
	for i, text := range texts {
		item := all.at(i)
		value := t.scalar(item, text, pointer+"/"+strconv.Itoa(i))
		if whole, ok := value.([]any); ok && len(texts) == 1 && !item.takes(anArray) {
			return whole // the list itself, in one part
		}
		out = append(out, value)
	}
	return out
}

// array types a node's children as the items of a list: by index, then those
// with empty brackets in the order they came.
func (t *typing) array(at int32, inner shape, brackets bool, pointer string) any {
	type entry struct {
		index int
		node  int32
	}
	var entries []entry
	for i := t.form[at].first; i != 0; i = t.form[i].next {
		if t.form[i].append {
			entries = append(entries, entry{maxIndex + 1, i})
			continue
		}
		index, err := strconv.Atoi(t.form[i].name)
		if err != nil || index > maxIndex {
			t.fail(&Problem{
				Pointer: pointer + "/" + escape(shorten(t.form[i].name)), Rule: RuleSize,
				Message: fmt.Sprintf("has an index above %d", maxIndex), Want: strconv.Itoa(maxIndex),
			})
			return []any{}
		}
		entries = append(entries, entry{index, i})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return a.index - b.index })
	out := make([]any, 0, len(entries))
	all := inner.items()
	for i, e := range entries {
		out = append(out, t.value(e.node, all.at(i), brackets, pointer+"/"+strconv.Itoa(i)))
	}
	return out
}

// indexed tells whether all children of a node are places in a list.
func (t *typing) indexed(at int32) bool {
	for i := t.form[at].first; i != 0; i = t.form[i].next {
		if !t.form[i].append && !isIndex(t.form[i].name) {
			return false
		}
	}
	return true
}

func (t *typing) fail(p *Problem) {
	if t.failed == nil {
		t.failed = p
	}
}
