package profiles

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Change is one thing in which a profile means something else than another.
type Change struct {
	Path string `json:"path"`          // faults.lose-a-refund.trigger.nth
	Was  string `json:"was,omitempty"` // "": it was not there
	Is   string `json:"is,omitempty"`  // "": it is there no more
}

// Diff compares what two profiles come to, with all that they extend. Names,
// summaries, comments and layout are no differences.
func Diff(a, b *Profile) ([]Change, error) {
	var trees [2]yaml.Node
	for i, p := range []*Profile{a, b} {
		if err := yaml.Unmarshal(p.Content, &trees[i]); err != nil {
			return nil, fmt.Errorf("profile %s: %w", p.Name, err)
		}
	}
	found := compare("", trees[0].Content[0], trees[1].Content[0])
	found = slices.DeleteFunc(found, func(c Change) bool { return c.Path == "profile" || c.Path == "summary" })
	if was, is := shared(a, b), shared(b, a); was != is {
		found = append(found, Change{Path: "faults, in order (of two that decide, the first wins)", Was: was, Is: is})
	}
	named := slices.ContainsFunc(found, func(c Change) bool { return strings.HasPrefix(c.Path, "services") || strings.HasPrefix(c.Path, "data") })
	for _, of := range []Change{
		{"what fixtures and data come to", a.Start.Hash(), b.Start.Hash()}, {"what contracts say", a.Catalogue.Hash(), b.Catalogue.Hash()},
	} {
		if of.Was != of.Is && !named { // else it was said what
			found = append(found, of)
		}
	}
	return found, nil
}

// shared lists the rules of a profile that another has too, in order.
func shared(p, other *Profile) string {
	var names []string
	for _, r := range p.Rules {
		for _, o := range other.Rules {
			if o.Name == r.Name {
				names = append(names, r.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// compare walks two nodes, either of which may be nil. Of what is at the top
// each entry is told apart.
func compare(path string, a, b *yaml.Node) []Change {
	if top := !strings.Contains(path, "."); top && a == nil && b.Kind == yaml.MappingNode {
		a = &yaml.Node{Kind: yaml.MappingNode}
	} else if top && b == nil && a.Kind == yaml.MappingNode {
		b = &yaml.Node{Kind: yaml.MappingNode}
	}
	if a == nil || b == nil || a.Kind != yaml.MappingNode || b.Kind != yaml.MappingNode {
		c := Change{path, oneLine(a), oneLine(b)}
		if c.Was == c.Is {
			return nil
		}
		return []Change{c}
	}
	var found []Change
	for _, name := range union(a, b) {
		found = append(found, compare(inside(path, name), under(a, name), under(b, name))...)
	}
	return found
}

func union(a, b *yaml.Node) []string {
	var names []string
	for _, n := range []*yaml.Node{a, b} {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !slices.Contains(names, n.Content[i].Value) {
				names = append(names, n.Content[i].Value)
			}
		}
	}
	return names
}

func under(n *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// oneLine writes a value on one line; nil is "".
func oneLine(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		var parts []string
		step := 1
		if n.Kind == yaml.MappingNode {
			step = 2
		}
		for i := 0; i+step <= len(n.Content); i += step {
			part := oneLine(n.Content[i])
			if step == 2 {
				part += ": " + oneLine(n.Content[i+1])
			}
			parts = append(parts, part)
		}
		if step == 2 {
			return "{" + strings.Join(parts, ", ") + "}"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if n.Tag == "!!str" && (n.Value == "" || Scalar(n.Value) != any(n.Value)) {
		return fmt.Sprintf("%q", n.Value)
	}
	return n.Value
}
