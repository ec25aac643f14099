package specs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A style says how a parameter spells a list.
type style struct {
	brackets  bool // only with brackets
	separator string
}

// A typing gives a form's values the types that a shape declares.
type typing struct {
	form     form
	brackets bool // lists only with brackets
	failed   *Violation
}

// fields types the children of the root: the fields of a form, or the
// parameters of a query.
func (t *typing) fields(root *shape, styles map[string]style) map[string]any {
	out := make(map[string]any, t.form.count(0))
	for i := t.form[0].first; i != 0; i = t.form[i].next {
		node := &t.form[i]
		var inner *shape
		if root != nil {
			inner = root.property(node.name, 0)
		}
		spelt, ok := styles[node.name]
		if !ok {
			spelt.brackets = t.brackets
		}
		if ok && spelt.separator != "" && inner != nil && inner.accepts(0)&anArray != 0 && node.first == 0 {
			out[node.name] = list(strings.Split(node.latest(), spelt.separator), inner.item(0))
			continue
		}
		out[node.name] = t.value(i, inner, spelt.brackets, "/"+escape(node.name))
	}
	return out
}

// value types one node. What cannot have the declared type keeps the form it
// came in, for the schema to refuse.
func (t *typing) value(at int32, inner *shape, brackets bool, pointer string) any {
	node := &t.form[at]
	accepted := kinds(0)
	if inner != nil {
		accepted = inner.accepts(0)
	}
	free := accepted == 0
	if node.first == 0 {
		if accepted&anArray != 0 && accepted&^(anArray|aNull) == 0 && !brackets {
			return list(node.values(), inner.item(0))
		}
		if accepted&anArray != 0 && !brackets && len(node.more) > 0 {
			return list(node.values(), inner.item(0))
		}
		return inner.scalar(node.latest()) // the last one wins
	}
	if node.given { // a=1&a[b]=2
		t.fail(Violation{Pointer: pointer, Rule: RuleSyntax, Message: "is given both a value and parts; give one of them"})
	}
	if (accepted&anArray != 0 || free) && t.indexed(at) {
		return t.array(at, inner, brackets, pointer)
	}
	out := make(map[string]any, t.form.count(at))
	for i := node.first; i != 0; i = t.form[i].next {
		var part *shape
		name := t.form[i].name
		if inner != nil {
			part = inner.property(name, 0)
		}
		out[name] = t.value(i, part, brackets, pointer+"/"+escape(name))
	}
	return out
}

// array types a node's children as the items of a list: by index, then those
// with empty brackets in the order they came.
func (t *typing) array(at int32, inner *shape, brackets bool, pointer string) any {
	type entry struct {
		index int
		node  int32
	}
	var entries []entry
	for i := t.form[at].first; i != 0; i = t.form[i].next {
		index := maxIndex + 1
		if !t.form[i].append {
			n, err := strconv.Atoi(t.form[i].name)
			if err != nil || n > maxIndex {
				t.fail(Violation{Pointer: pointer + "/" + escape(t.form[i].name), Rule: RuleSize,
					Message: fmt.Sprintf("has an index above %d", maxIndex), Want: strconv.Itoa(maxIndex)})
				return []any{}
			}
			index = n
		}
		entries = append(entries, entry{index, i})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return a.index - b.index })
	var item *shape
	if inner != nil {
		item = inner.item(0)
	}
	out := make([]any, len(entries))
	for i, e := range entries {
		out[i] = t.value(e.node, item, brackets, pointer+"/"+strconv.Itoa(i))
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

func (t *typing) fail(v Violation) {
	if t.failed == nil {
		t.failed = &v
	}
}

func list(texts []string, item *shape) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = item.scalar(text)
	}
	return out
}
