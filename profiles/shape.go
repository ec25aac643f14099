package profiles

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// shaper turns YAML into items, holding it against the table of keys.
type shaper struct {
	*finder
	file string
}

func (s *shaper) at(n *yaml.Node) place {
	return place{file: s.file, line: max(1, n.Line), col: max(1, n.Column)}
}

// item reads one value. It always gives an item: a bad one where the value is
// not what the key wants, so that it is not reported as missing too.
func (s *shaper) item(n *yaml.Node, k *key, path string) *item {
	it := &item{place: s.at(n), key: k, inset: -1}
	if s.refused(n, k, path) {
		it.bad = true
		return it
	}
	switch k.kind {
	case object, table, arguments:
		s.mapping(it, n, path)
	case mix:
		s.mix(it, n, path)
	case list, oneOrMany:
		s.list(it, n, path)
	case anything:
		s.anything(it, n, path)
	default:
		s.scalar(it, n, path)
	}
	return it
}

// refused names what YAML can do and the format does not use.
func (s *shaper) refused(n *yaml.Node, k *key, path string) bool {
	at := s.at(n)
	switch {
	case n.Kind == yaml.AliasNode:
		s.wrong(at, "write the value out; a rule can name a list of calls, and a profile can extend another", "%s is an alias, which profiles do not use", shorten("*"+n.Value))
	case n.Style&yaml.TaggedStyle != 0 && strings.HasPrefix(n.Tag, "!!"):
		s.wrong(at, "remove it", "%s is a tag, which profiles do not use", shorten(n.Tag))
	case n.Style&yaml.TaggedStyle != 0:
		hint := "quote the whole value"
		if n.Anchor == "" {
			hint = "quote the value: " + shorten(strings.TrimSpace(n.Tag+" "+n.Value))
		}
		s.wrong(at, hint, "YAML reads %s as a tag, not as part of the value", shorten(n.Tag))
	case n.Anchor != "":
		s.wrong(at, "remove it", "%s is an anchor, which profiles do not use", shorten("&"+n.Anchor))
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null" && !(k.null && n.Value != ""):
		s.wrong(at, "give it one, or leave the key out"+emptyMap(k), "%s has no value", path)
	default:
		return false
	}
	return true
}

func emptyMap(k *key) string {
	if k.kind == object || k.kind == table {
		return "; an empty map is written {}"
	}
	return ""
}

func (s *shaper) mapping(it *item, n *yaml.Node, path string) {
	if n.Kind != yaml.MappingNode {
		it.bad = true
		s.wrong(it.place, example(it.key), "%s wants a map of keys, and this is %s", orTop(path), shape(n))
		return
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		keyNode, valueNode := n.Content[i], n.Content[i+1]
		at := s.at(keyNode)
		name, ok := s.keyName(keyNode, it.key, path)
		if !ok {
			continue
		}
		if line, twice := lines[name]; twice {
			s.wrong(at, "keep one of them", "%s is here twice, the first time on line %d", inside(path, name), line)
			continue
		}
		lines[name] = at.line
		if of := s.entry(it.key, keyNode, path); of != nil {
			it.fields = append(it.fields, field{place: at, name: name, item: s.item(valueNode, of, inside(path, name))})
		}
	}
	for _, k := range it.key.keys {
		if k.must && lines[k.name] == 0 {
			s.wrong(it.place, "add it, such as "+k.name+": "+k.example, "%s is missing", inside(path, k.name))
		}
	}
}

// entry gives what the value of a key has to be, or nil.
func (s *shaper) entry(k *key, n *yaml.Node, path string) *key {
	name, at := n.Value, s.at(n)
	switch k.kind {
	case arguments:
		return &key{kind: anything}
	case anything:
		return &key{kind: anything, null: true}
	case mix:
		return &key{kind: share, example: "30%"}
	case table:
		form, hint := nameForm, "a name has lower-case letters, digits and -, and at most 64 of them"
		if k.names != nil {
			form, hint = k.names, "it looks like "+k.names().String()
		}
		if !form().MatchString(name) {
			s.wrong(at, hint, "%s is not a name", shorten(name))
			return nil
		}
		return k.of
	}
	sub := k.find(name)
	if sub == nil {
		var known []string
		for _, other := range k.keys {
			known = append(known, other.name)
		}
		hint := didYouMean(name, known)
		if strings.ContainsAny(name, " .()<>=\"'") {
			hint = "inside { } and [ ] a comma ends a value: quote an expression that has one"
		}
		if oldBoolean(n) {
			hint = "YAML 1.1 even takes it for a boolean; " + hint
		}
		s.wrong(at, hint, "there is no key %s", shorten(inside(path, name)))
		return nil
	}
	return sub
}

// keyName reads a key. In YAML 1.1, which many tools still read, on, yes and
// their like are booleans.
func (s *shaper) keyName(n *yaml.Node, k *key, path string) (string, bool) {
	at := s.at(n)
	switch {
	case n.Kind != yaml.ScalarNode:
		s.wrong(at, "write a name", "a key of %s is %s", orTop(path), shape(n))
	case n.Tag == "!!merge":
		s.wrong(at, "use extends", "<< merges maps, which profiles do not use")
	case n.Style&yaml.TaggedStyle != 0 || n.Anchor != "":
		s.wrong(at, "write a plain name", "a key of %s has a tag or an anchor", orTop(path))
	case n.Tag == "!!null":
		s.wrong(at, "write a name before the colon", "a key of %s is empty", orTop(path))
	case k.kind == table && (n.Tag == "!!bool" || oldBoolean(n)):
		s.wrong(at, "choose another name", "%s is a boolean to many YAML readers, not a name", n.Value)
	default:
		return n.Value, true
	}
	return "", false
}

// oldBoolean tells a word that YAML 1.1 took for true or false.
func oldBoolean(n *yaml.Node) bool {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return false
	}
	switch strings.ToLower(n.Value) {
	case "on", "off", "yes", "no", "y", "n":
		return true
	}
	return false
}

func (s *shaper) list(it *item, n *yaml.Node, path string) {
	if it.key.kind != list && n.Kind == yaml.ScalarNode {
		one := s.item(n, it.key.of, path)
		it.bad, it.list = one.bad, []*item{one}
		return
	}
	if n.Kind != yaml.SequenceNode {
		it.bad = true
		s.wrong(it.place, "write [one, another], or one a line after -", "%s wants %s, and this is %s", path, wanted(it.key), shape(n))
		return
	}
	for _, element := range n.Content {
		it.list = append(it.list, s.item(element, it.key.of, path))
	}
	if it.key.some && len(it.list) == 0 {
		it.bad = true
		s.wrong(it.place, example(it.key.of), "%s is an empty list", path)
	}
}

// mix reads a value, or several that come alike, or several with the share of
// each.
func (s *shaper) mix(it *item, n *yaml.Node, path string) {
	if n.Kind == yaml.MappingNode {
		s.mapping(it, n, path)
		return
	}
	s.list(it, n, path)
}

// anything reads a value as it is: the fault knows what it wants.
func (s *shaper) anything(it *item, n *yaml.Node, path string) {
	switch n.Kind {
	case yaml.MappingNode:
		s.mapping(it, n, path)
		m := make(map[string]any, len(it.fields))
		for _, f := range it.fields {
			m[f.name] = f.item.value
		}
		it.value = m
	case yaml.SequenceNode:
		l := make([]any, 0, len(n.Content))
		for i, element := range n.Content {
			e := s.item(element, &key{kind: anything, null: true}, path+"["+strconv.Itoa(i)+"]")
			it.list, l = append(it.list, e), append(l, e.value)
		}
		it.value = l
	default:
		s.scalar(it, n, path)
	}
}

func example(k *key) string {
	switch {
	case k == nil || k.example == "":
		return ""
	case k.name == "":
		return "such as " + k.example
	}
	return "such as " + k.name + ": " + k.example
}

func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	return shorten(n.Value)
}

func inside(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func orTop(path string) string {
	if path == "" {
		return "the profile"
	}
	return path
}
