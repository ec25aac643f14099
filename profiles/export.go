package profiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"
)

func exportedKey() key {
	return key{name: "exported", kind: object, unit: true, doc: "What `parity policy export` wrote this document from; nothing is decided by it.", keys: []key{
		{name: "profile", kind: text, example: "support-desk.yaml", doc: "The profile, as it was named."},
		{name: "revision", kind: text, example: "3f2a91bc", doc: "Its revision."},
		{name: "digest", kind: text, example: "9f2c61d0a4e8b713", doc: "The digest over all that decides, as runs are stamped with it."},
		{name: "secrets", kind: list, of: &key{kind: text, example: "STRIPE_API_KEY"}, doc: "The variables that hold credentials and keys, by name."},
	}}
}

// SecretNames are the variables that hold credentials and keys of this profile,
// sorted.
func (p *Profile) SecretNames() []string {
	var all []string
	for _, i := range p.Identities {
		all = append(all, i.Env)
	}
	for _, u := range p.Upstreams {
		all = append(all, u.Env)
	}
	if p.Authority != nil {
		for _, a := range p.Authority.Approvers {
			if a.Notify != nil {
				all = append(all, a.Notify.Env, a.Notify.Secret)
			}
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == "" })
}

// Policy is what a profile has to say of who may do what, as one document that
// extends none and is itself read as a profile: services with their contracts,
// effects and classes, identities, policy. Faults, fixtures, data, expectations
// and differences are no part of it. Paths of contracts are from the profile's
// folder.
func (p *Profile) Policy() (Exported, error) {
	var all yaml.Node
	if err := yaml.Unmarshal(p.Content, &all); err != nil {
		return nil, fmt.Errorf("profile %s: %w", p.Name, err)
	}
	name := p.Path
	if name == "" {
		name = p.Name
	}
	from := map[string]any{"profile": name, "revision": p.Revision, "secrets": p.SecretNames()}
	if p.Authority != nil {
		from["digest"] = p.Authority.Digest
	}
	if len(p.SecretNames()) == 0 {
		delete(from, "secrets")
	}
	var exported yaml.Node
	if err := exported.Encode(from); err != nil {
		return nil, err
	}
	top := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, k := range []string{"profile", "services", "policy", "identities"} {
		value := under(all.Content[0], k)
		if value == nil {
			continue
		}
		if k == "services" {
			for i := 1; i < len(value.Content); i += 2 {
				value.Content[i] = only(value.Content[i], "contract", "behaviour", "beside", "hosts", "effects", "classes", "mode", "upstream")
			}
		}
		top.Content = append(top.Content, textNode(k), value)
		if k == "profile" {
			top.Content = append(top.Content, textNode("exported"), &exported)
		}
	}
	text, err := yaml.Dump(top, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	return text, err
}

// only leaves of a map what is named.
func only(n *yaml.Node, names ...string) *yaml.Node {
	some := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Style: n.Style}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if slices.Contains(names, n.Content[i].Value) {
			some.Content = append(some.Content, n.Content[i], n.Content[i+1])
		}
	}
	if len(some.Content) == 0 {
		some.Style = yaml.FlowStyle
	}
	return some
}

// Exported is a policy as a document: YAML.
type Exported []byte

// JSON is the same document as JSON, which is read as the YAML is: gates and
// approvers keep their order.
func (e Exported) JSON() ([]byte, error) {
	var all yaml.Node
	if err := yaml.Unmarshal(e, &all); err != nil {
		return nil, err
	}
	plain, err := inJSON(nil, all.Content[0])
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = json.Indent(&text, plain, "", "  ")
	return append(text.Bytes(), '\n'), err
}

// inJSON appends a node as JSON, its keys in order.
func inJSON(text []byte, n *yaml.Node) ([]byte, error) {
	open, end, step := byte('['), byte(']'), 1
	switch n.Kind {
	case yaml.MappingNode:
		open, end, step = '{', '}', 2
	case yaml.SequenceNode:
	default:
		var v any
		if err := n.Decode(&v); err != nil {
			return nil, err
		}
		one, err := json.Marshal(v)
		return append(text, one...), err
	}
	text = append(text, open)
	for i, inner := range n.Content {
		switch {
		case i > 0 && step == 2 && i%2 == 1:
			text = append(text, ':')
		case i > 0:
			text = append(text, ',')
		}
		var err error
		if step == 2 && i%2 == 0 {
			name, _ := json.Marshal(inner.Value) // a text
			text = append(text, name...)
		} else if text, err = inJSON(text, inner); err != nil {
			return nil, err
		}
	}
	return append(text, end), nil
}

// DiffPolicy compares what two profiles say of egress, approvers, how approvals
// are asked for, and the names of secrets: what no cell of permissions shows.
func DiffPolicy(a, b *Profile) ([]Change, error) {
	all, err := Diff(a, b)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(all, func(c Change) bool {
		return !beneath(c.Path, "policy.egress") && !beneath(c.Path, "policy.approvers") && !beneath(c.Path, "policy.approvals") &&
			!beneath(c.Path, "policy.raise")
	})
	was, is := a.SecretNames(), b.SecretNames()
	for _, name := range was {
		if !slices.Contains(is, name) {
			found = append(found, Change{Path: "secrets", Was: name})
		}
	}
	for _, name := range is {
		if !slices.Contains(was, name) {
			found = append(found, Change{Path: "secrets", Is: name})
		}
	}
	return found, nil
}

// beneath tells whether a path is that of a key, or below it.
func beneath(path, key string) bool {
	return path == key || len(path) > len(key) && path[:len(key)] == key && path[len(key)] == '.'
}
