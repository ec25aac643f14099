package profiles

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/faults"
)

// Topic is what there is to say of a key of the format, of a fault or of a
// parameter.
type Topic struct {
	Name     string   `json:"name"` // faults.NAME.trigger.per, ambiguous-success, ambiguous-success.reply
	Kind     string   `json:"kind"` // key, fault, parameter or difference
	Doc      string   `json:"doc"`
	Written  string   `json:"written,omitempty"`
	Default  string   `json:"default,omitempty"`
	Bounds   string   `json:"bounds,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Needed   bool     `json:"needed,omitempty"` // it cannot be left out
	Example  string   `json:"example,omitempty"`
	Phase    string   `json:"phase,omitempty"` // of a fault
	Drawing  string   `json:"drawing,omitempty"`
	Reaction string   `json:"reaction,omitempty"`
	Notes    []string `json:"notes,omitempty"`
	Parts    []Part   `json:"parts,omitempty"` // the keys below, or a fault's parameters
}

// Part is one line about what a topic has below it.
type Part struct {
	Name    string `json:"name"`
	Written string `json:"written"`
	Default string `json:"default,omitempty"`
	Doc     string `json:"doc"`
}

// Explain gives the documentation of what a profile's author asks about: a key
// by its path, or by the end of it; a fault; a parameter of one, as FAULT.PARAM.
// Of "" it gives the top of the format. A known difference of the library has its
// name.
func Explain(asked string) (*Topic, error) {
	all := topics(nil, document())
	if asked == "" {
		return all[0].topic(), nil
	}
	words := strings.Split(asked, ".")
	var ends []keyPath
	for _, p := range all {
		switch p.match(words) {
		case exactly:
			return p.topic(), nil
		case atTheEnd:
			ends = append(ends, p)
		}
	}
	fault, found := faults.Lookup(words[0])
	switch {
	case found && len(words) == 1:
		return faultTopic(fault), nil
	case found:
		return parameterTopic(fault, strings.Join(words[1:], "."))
	case len(ends) == 1:
		return ends[0].topic(), nil
	case len(ends) > 1:
		var names []string
		for _, p := range ends {
			names = append(names, p.short())
		}
		return nil, fmt.Errorf("%s is the end of several keys; say which: %s", shorten(asked), strings.Join(names, ", "))
	}
	if t := explainDifference(asked); t != nil {
		return t, nil
	}
	return nil, unexplained(asked, all)
}

// unexplained says what may have been meant.
func unexplained(asked string, all []keyPath) error {
	known := faults.CatalogueNames()
	for _, p := range all {
		for path := p.short(); path != ""; _, path, _ = strings.Cut(path, ".") { // the ends of it name it too
			known = append(known, path)
		}
	}
	for _, f := range faults.Catalogue() {
		for _, p := range f.Params {
			known = append(known, f.Name+"."+p.Name)
		}
	}
	if word, ok := nearest(asked, known); ok {
		return fmt.Errorf("there is no key, fault or parameter %s; did you mean %s", shorten(asked), word)
	}
	return fmt.Errorf("there is no key, fault or parameter %s; parity explain prints the keys, and parity explain inject the faults", shorten(asked))
}

// keyPath is a key, and the keys that lead to it. NAME stands for any name.
type keyPath struct {
	path []string
	key  *key
}

const anyName = "NAME"

// topics lists a key and all below it.
func topics(path []string, k *key) []keyPath {
	all := []keyPath{{path, k}}
	below := k.keys
	if k.kind == table {
		path = append(slices.Clone(path), anyName)
		below = k.of.keys
	}
	for i := range below {
		all = append(all, topics(append(slices.Clone(path), below[i].name), &below[i])...)
	}
	return all
}

const (
	differs = iota
	atTheEnd
	exactly
)

// match holds a path that was asked for against that of the key: names may be
// there or not, and the first keys may be left out.
func (p keyPath) match(words []string) int {
	keys := slices.DeleteFunc(slices.Clone(p.path), func(w string) bool { return w == anyName })
	switch {
	case slices.Equal(words, keys), len(words) == len(p.path) && p.named(words):
		return exactly
	case len(words) < len(keys) && slices.Equal(words, keys[len(keys)-len(words):]):
		return atTheEnd
	}
	return differs
}

func (p keyPath) named(words []string) bool {
	for i, w := range p.path {
		if w != anyName && w != words[i] {
			return false
		}
	}
	return true
}

// short is the path as it is asked for.
func (p keyPath) short() string {
	return strings.Join(slices.DeleteFunc(slices.Clone(p.path), func(w string) bool { return w == anyName }), ".")
}

func (p keyPath) topic() *Topic {
	k := p.key
	t := &Topic{
		Name: strings.Join(p.path, "."), Kind: "key", Doc: k.doc, Written: k.written(), Default: k.otherwise, Bounds: k.bounds(),
		Choices: k.choices, Needed: k.must || k.full, Example: k.shown(),
	}
	if len(p.path) == 0 {
		t.Name = "a profile"
	}
	below := k.keys
	if k.of != nil {
		below = k.of.keys
		if len(t.Choices) == 0 {
			t.Choices = k.of.choices
		}
	}
	for i := range below {
		t.Parts = append(t.Parts, Part{below[i].name, below[i].written(), below[i].otherwise, below[i].doc})
	}
	if k.name == "inject" {
		for _, f := range faults.Catalogue() {
			t.Parts = append(t.Parts, Part{f.Name, string(f.Phase), "", f.Summary})
		}
	}
	return t
}

func faultTopic(f *faults.Fault) *Topic {
	t := &Topic{
		Name: f.Name, Kind: "fault", Doc: f.Summary, Phase: string(f.Phase), Drawing: f.Phase.Drawing(), Reaction: f.Reaction,
		Notes: f.Notes(), Example: f.Example,
	}
	for _, p := range f.Params {
		t.Parts = append(t.Parts, Part{p.Name, p.Unit(), p.Otherwise(), p.Doc})
	}
	return t
}

func parameterTopic(f *faults.Fault, name string) (*Topic, error) {
	var known []string
	for _, p := range f.Params {
		if p.Name == name {
			return &Topic{
				Name: f.Name + "." + name, Kind: "parameter", Doc: p.Doc, Written: p.Unit(), Default: p.Otherwise(), Bounds: p.Bounds(),
				Choices: p.Choices, Example: name + ": " + p.Example,
			}, nil
		}
		known = append(known, p.Name)
	}
	said := fmt.Sprintf("%s has no parameter %s", f.Name, shorten(name))
	if hint := didYouMean(name, known); hint != "" {
		said += "; " + hint
	}
	return nil, fmt.Errorf("%s", said)
}

// shown is the example as a line of a profile.
func (k *key) shown() string {
	text := k.example
	if text == "" && k.of != nil && k.kind != table {
		text = k.of.example
		if k.kind == list && text != "" {
			text = "[" + text + "]"
		}
	}
	if text == "" || k.name == "" {
		return text
	}
	return k.name + ": " + text
}

// written says how a key's value is written.
func (k *key) written() string {
	switch k.kind {
	case object:
		return "a map of keys"
	case table:
		return "a map from names to " + plural(k.of)
	case arguments:
		return "a map from the fault's parameters to values"
	case list:
		return "a list of " + plural(k.of)
	case oneOrMany:
		return "text, or a list of texts"
	case share:
		return "a share with its sign: 30%"
	case span:
		return "a duration with its unit: 250ms, 40s, 1h30m, 2d"
	case size:
		return "a size with its unit: 64KB, 2GB"
	case instant:
		return "a time (RFC 3339)"
	case choice:
		if k.name == "inject" {
			return "a fault's name"
		}
		return "one of " + strings.Join(k.choices, ", ")
	}
	return wanted(k)
}

func plural(k *key) string {
	switch k.kind {
	case object:
		return "maps of keys"
	case text, name:
		return "texts"
	case choice:
		return "words"
	case whole, integer:
		return "whole numbers"
	}
	return string(k.kind) + "s"
}

// bounds says between which values a key's value has to be.
func (k *key) bounds() string {
	switch {
	case k.kind != whole:
		return ""
	case k.most > 0:
		return "from " + strconv.FormatUint(k.least, 10) + " to " + strconv.FormatUint(k.most, 10)
	case k.least > 0:
		return "from " + strconv.FormatUint(k.least, 10)
	}
	return ""
}
