package fidelity

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"parity/fakes/chance"
	"parity/specs"
)

var notOfNames = regexp.MustCompile(`[^a-z0-9]+`)

// Slug makes a part of a name of an operation.
func Slug(op *specs.Operation) string {
	text := strings.Trim(notOfNames.ReplaceAllString(strings.ToLower(op.Service+" "+op.Method+" "+op.Bare()), "-"), "-")
	if len(text) > 40 {
		text = text[:32] + "-" + chance.Hash(op.Name())[:6]
	}
	return text
}

// declaration is a difference as a profile has it.
type declaration struct {
	Covers     string   `yaml:"covers"`
	Production string   `yaml:"production"`
	Here       string   `yaml:"here"`
	So         string   `yaml:"so"`
	Weakens    []string `yaml:"weakens,flow"`
}

type latencyRule struct {
	Call    string    `yaml:"call"`
	Inject  string    `yaml:"inject"`
	With    yaml.Node `yaml:"with"`
	Because string    `yaml:"because"`
}

// propose writes, as YAML for a profile, what it does not declare yet: one
// difference for each operation and property, and how fast operations were. What
// no contract has cannot be named in a profile, and is left out.
func (m *measuring) propose(r *Result) (string, error) {
	differences, rules := map[string]*declaration{}, map[string]latencyRule{}
	for _, d := range r.Undeclared() {
		o := m.operations[d.Operation]
		if o.op == nil {
			continue
		}
		if d.What == timing {
			p := Fit(o.name, o.took)
			rule := latencyRule{Call: o.op.Name(), Inject: "latency", Because: fmt.Sprintf("As fast as %d recorded calls were answered.", p.Replies)}
			if err := yaml.Unmarshal([]byte(p.With()), &rule.With); err != nil {
				return "", err
			}
			rule.With = *cmp.Or(first(rule.With.Content), &rule.With)
			rules[Slug(o.op)+"-pace"] = rule
			continue
		}
		name := Slug(o.op) + "-" + d.Property
		known := differences[name]
		if known == nil {
			known = &declaration{Covers: o.op.Name(), So: "Nothing here shows that the agent copes with that.", Weakens: []string{d.Property}}
			differences[name] = known
		}
		known.Production = told(known.Production, d.says(d.Production, true))
		known.Here = told(known.Here, d.says(d.Here, false))
	}
	var whole struct {
		Differences map[string]*declaration `yaml:"differences,omitempty"`
		Faults      map[string]latencyRule  `yaml:"faults,omitempty"`
	}
	if len(differences)+len(rules) == 0 {
		return "", nil
	}
	whole.Differences, whole.Faults = differences, rules
	text, err := yaml.Dump(whole, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	return string(text), err
}

func first(nodes []*yaml.Node) *yaml.Node {
	if i := slices.IndexFunc(nodes, func(n *yaml.Node) bool { return n.Kind == yaml.MappingNode }); i >= 0 {
		return nodes[i]
	}
	return nil
}

// told adds a part to a sentence, up to a length at which nobody reads on.
func told(sentence, part string) string {
	const most = 400
	switch {
	case sentence == "":
		return "It " + part + "."
	case strings.HasSuffix(sentence, "And more."):
		return sentence
	case len(sentence)+len(part) > most:
		return sentence + " And more."
	}
	return strings.TrimSuffix(sentence, ".") + "; it " + part + "."
}
