package profiles

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/faults"
)

// resolution is a profile as one document that extends none.
type resolution struct {
	text []byte
	err  error
}

// resolved writes the merged profile down. It only reads.
func (b *binder) resolved() (r resolution) {
	r.text, r.err = yaml.Dump(b.node(b.tree), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	return r
}

func (b *binder) node(it *item) *yaml.Node {
	if path, ok := b.paths[it]; ok {
		return textNode(path)
	}
	switch {
	case it.key.kind == object, it.key.kind == table, it.key.kind == arguments, it.isMap(), len(it.fields) > 0:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, f := range ordered(it) {
			if f.name == "extends" || f.name == "required" && it.key.find("inject") != nil {
				continue
			}
			if f.name == "value" && it.key.find("digest") != nil { // of a credential
				n.Content = append(n.Content, textNode("digest"), textNode(CredentialDigest(f.item.str())))
				continue
			}
			n.Content = append(n.Content, textNode(f.name), b.node(f.item))
		}
		n.Content = append(n.Content, b.obligation(it)...)
		return n
	case it.key.kind == list, it.key.kind == oneOrMany, it.key.kind == mix, it.isList():
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}
		for _, e := range it.list {
			n.Content = append(n.Content, b.node(e))
		}
		return n
	}
	return scalarNode(it)
}

// obligation writes whether a rule is required, where that no longer follows
// from where it is written.
func (b *binder) obligation(it *item) []*yaml.Node {
	if it.key.find("inject") == nil {
		return nil
	}
	trigger := it.get("trigger")
	counted := trigger.get("nth") != nil || trigger.get("first") != nil
	required := it.get("required").flag(counted && slices.Contains(b.named, trigger.file))
	if required == counted {
		return nil
	}
	return []*yaml.Node{textNode("required"), {Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(required)}}
}

// ordered gives the fields of an object in the order of the table of keys, and
// those of other maps as they are.
func ordered(it *item) []field {
	if it.key.kind != object {
		return it.fields
	}
	index := func(f field) int {
		return slices.IndexFunc(it.key.keys, func(k key) bool { return k.name == f.name })
	}
	fields := slices.Clone(it.fields)
	slices.SortStableFunc(fields, func(a, b field) int { return index(a) - index(b) })
	return fields
}

func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if oldBoolean(n) || strings.ContainsAny(s, "\n\r\t") {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func scalarNode(it *item) *yaml.Node {
	switch v := it.value.(type) {
	case nil:
		if it.key.null {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
		}
	case uint64, int64, float64:
		if it.key.kind == share || it.key.kind == size {
			return textNode(it.source)
		}
		tag := "!!int"
		if _, ok := v.(float64); ok {
			tag = "!!float"
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: it.source}
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v)}
	case time.Time, time.Duration:
		return textNode(it.source)
	}
	return textNode(it.source)
}

// identity writes down what a rule does. Its counters live as long as this
// stays the same: a better because, another layout, or being moved to another
// file changes nothing about it.
func identity(it *item) string {
	var b strings.Builder
	for _, f := range ordered(it) {
		switch f.name {
		case "call", "when", "inject", "with", "trigger":
			b.WriteString(f.name + "=")
			spell(&b, f.item)
		}
	}
	if fault, ok := faults.Lookup(it.get("inject").str()); ok {
		for _, p := range fault.Params {
			if given := it.get("with").get(p.Name); p.Kind == faults.Value && given.ok() && looksOtherwise(given) {
				b.WriteString(p.Name + " is text")
			}
		}
	}
	return b.String()
}

// looksOtherwise tells a text that would be a number or the like without its
// quotes. Most parameters take one for the other.
func looksOtherwise(it *item) bool {
	text, ok := it.value.(string)
	return ok && Scalar(text) != any(text)
}

func spell(b *strings.Builder, it *item) {
	b.WriteByte('(')
	switch {
	case it.bad:
	case it.key.kind == arguments, it.isMap():
		fields := slices.Clone(it.fields)
		slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
		for _, f := range fields {
			name := f.name
			if it.isMap() { // any text
				name = strconv.Quote(name)
			}
			b.WriteString(name + "=")
			spell(b, f.item)
		}
	case it.key.kind == object:
		for _, f := range ordered(it) {
			b.WriteString(f.name + "=")
			spell(b, f.item)
		}
	case it.list != nil:
		for _, e := range it.list {
			spell(b, e)
		}
	case it.isList():
		b.WriteString("[]")
	case it.key.null && it.value == nil:
		b.WriteString("null")
	default:
		b.WriteString(strconv.Quote(it.source))
		if it.key.null && looksOtherwise(it) {
			b.WriteString("s") // of a map or a list, "1" is not 1
		}
	}
	b.WriteByte(')')
}
