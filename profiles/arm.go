package profiles

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"parity/faults"
)

// Armed is a rule that is in force beside those of a profile, without being in
// it.
type Armed struct {
	Name     string
	Text     string // the rule as a profile would have it under its name
	Calls    []string
	Fault    string
	Rule     *faults.Rule
	Warnings Problems
}

// Arm reads a rule for one run under p. Its parts are those of a rule in a
// profile, by key, as JSON has them: strings, whole numbers, booleans, lists and
// maps. What is wrong with it is what a profile with that rule would be told, as
// Problems without a line.
func (p *Profile) Arm(name string, parts map[string]any) (*Armed, error) {
	b := p.beside(name)
	f := b.ruleOf(name, nodeOf(parts))
	rule, d := b.rule(f)
	if b.errors == 0 {
		b.lint(nil, []drafted{d})
	}
	for i := range b.found {
		b.found[i].Line = 0
	}
	if b.errors > 0 {
		return nil, b.found
	}
	text, err := yaml.Dump(b.node(f.item), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", name, err)
	}
	return &Armed{
		Name: name, Text: string(text), Calls: f.item.get("call").strings(), Fault: rule.Fault.Name, Rule: rule, Warnings: b.found,
	}, nil
}

// Rearm reads back what Arm has written. Salt tells rules of one name and text
// apart that were armed one after the other: each counts for itself.
func Rearm(name, text, salt string) (*faults.Rule, error) {
	b := &binder{finder: &finder{}, settled: true}
	root := readDocument(b.finder, name, []byte(text))
	if root == nil {
		return nil, b.found
	}
	_, d := b.rule(b.ruleOf(name, root))
	if b.errors > 0 {
		return nil, b.found
	}
	d.Text += " " + salt
	return faults.NewRule(d.Draft)
}

// beside gives a binder for one more rule of p.
func (p *Profile) beside(name string) *binder {
	b := &binder{
		finder: &finder{}, tree: &item{place: place{file: name}, key: &key{kind: object}},
		catalogue: p.Catalogue, effects: p.effects, bound: map[string]bool{}, failed: map[string]bool{}, matched: map[string]bool{},
	}
	for _, service := range p.Services {
		b.bound[service] = true
		if s, ok := p.Catalogue.Service(service); ok && s.Contract != nil {
			b.ops = append(b.ops, s.Contract.Operations...)
		}
	}
	return b
}

// ruleOf holds one rule against the table of keys.
func (b *binder) ruleOf(name string, root *yaml.Node) field {
	s := &shaper{finder: b.finder, file: name}
	if !nameForm().MatchString(name) {
		b.wrong(place{file: name}, "a name has lower-case letters, digits and -, and at most 64 of them", "%s is not a name", shorten(name))
	}
	return field{place: place{file: name}, name: name, item: s.item(root, ruleKey(), "")}
}

// nodeOf writes down what came as JSON: the keys of a rule in their order, others
// by name.
func nodeOf(value any) *yaml.Node {
	switch v := value.(type) {
	case map[string]any:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			n.Content = append(n.Content, textNode(name), nodeOf(v[name]))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, e := range v {
			n.Content = append(n.Content, nodeOf(e))
		}
		return n
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Style: yaml.DoubleQuotedStyle}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	case int64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(v, 10)}
	case float64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: strconv.FormatFloat(v, 'f', -1, 64)}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
}

// Scalar reads a plain value as a profile would: a whole number, true or false,
// or text, which may be quoted.
func Scalar(text string) any {
	switch {
	case signedForm().MatchString(text):
		if n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64); err == nil {
			return n
		}
	case text == "true" || text == "false":
		return text == "true"
	case len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0]:
		return text[1 : len(text)-1]
	}
	return text
}
