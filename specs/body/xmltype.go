package body

import (
	"encoding/xml"
	"strings"

	"parity/specs/document"
	"parity/specs/schema"
)

// textName is the name of text that stands beside elements, where no property
// takes it.
const textName = "#text"

// An xmlName says how a property is written in XML.
type xmlName struct {
	property string
	name     string // of the element or attribute; of an unwrapped list, that of its items
	prefix   string
	space    string // namespace
	node     string // element, attribute, text or cdata
	list     bool   // each item stands beside the other properties
	shape    shape
	items    items
}

type xmlNames []*xmlName

// xmlOf reads what a schema says of itself as XML.
func xmlOf(s shape) xmlName {
	var n *document.Node
	for _, v := range s.views {
		if v.XML != nil {
			n = v.XML
			break
		}
	}
	out := xmlName{
		name: n.Get("name").Text(), prefix: n.Get("prefix").Text(), space: n.Get("namespace").Text(),
		node: n.Get("nodeType").Text(), shape: s,
	}
	if n.Get("attribute").True() {
		out.node = "attribute"
	}
	if n.Get("wrapped").True() {
		out.node = "element"
	}
	return out
}

// xmlProperty says how a property is written.
//
//	tags: {type: array, items: {xml: {name: tag}}}                       <tag>a</tag><tag>b</tag>
//	tags: {type: array, items: {xml: {name: tag}}, xml: {wrapped: true}} <tags><tag>a</tag><tag>b</tag></tags>
func xmlProperty(name string, s shape) *xmlName {
	out := xmlOf(s)
	out.property = name
	if s.only(anArray) && out.node != "element" { // its own name is that of an element that there is not
		item := xmlOf(s.item(0))
		out.list, out.items = true, s.items()
		out.name, out.prefix, out.space = item.name, item.prefix, item.space
	}
	if out.name == "" {
		out.name = name
	}
	if out.node == "" {
		out.node = "element"
	}
	return &out
}

func (n *xmlName) fits(name xml.Name) bool { return n.name == name.Local }

// find gives the property that is written under a name: of the same namespace
// if there is one, else of any.
func (ns xmlNames) find(name xml.Name, attribute bool) *xmlName {
	var found *xmlName
	for _, n := range ns {
		if n.node == "text" || n.node == "cdata" || (n.node == "attribute") != attribute || !n.fits(name) {
			continue
		}
		if n.space == name.Space {
			return n
		}
		if found == nil {
			found = n
		}
	}
	if found == nil && !attribute { // a name that means the component, where the client means the property
		for _, n := range ns {
			if n.property == name.Local && n.node == "element" && !n.list {
				return n
			}
		}
	}
	return found
}

// apart gives properties whose elements would have the same name their own
// names: the other is that of a component which several of them refer to.
func (ns xmlNames) apart() {
	count := map[string]int{}
	for _, n := range ns {
		if n.node == "element" {
			count[n.space+" "+n.name]++
		}
	}
	for _, n := range ns {
		if n.node == "element" && count[n.space+" "+n.name] > 1 {
			n.name = n.property
		}
	}
}

// An xmlTyping gives elements their types.
type xmlTyping struct {
	known map[*schema.View]xmlNames
}

func (t *xmlTyping) names(s shape) xmlNames {
	if found, ok := t.known[s.whole]; ok && s.whole != nil {
		return found
	}
	var out xmlNames
	seen := map[string]bool{}
	for _, v := range s.views {
		for _, p := range v.Properties {
			if !seen[p.Name] {
				seen[p.Name] = true
				inner, _ := s.property(p.Name)
				out = append(out, xmlProperty(p.Name, inner))
			}
		}
	}
	out.apart()
	if s.whole != nil {
		t.known[s.whole] = out
	}
	return out
}

// value types an element.
func (t *xmlTyping) value(e *element, s shape) any {
	for _, attr := range e.attrs {
		if attr.Name.Space == xsi && attr.Name.Local == "nil" && (attr.Value == "true" || attr.Value == "1") {
			return nil
		}
	}
	parts := len(e.children) + len(e.attrs)
	switch {
	case s.takes(anArray) && !s.takes(anObject) && (s.only(anArray) || len(e.children) > 0):
		out := make([]any, len(e.children))
		all := s.items()
		for i, child := range e.children {
			out[i] = t.value(child, all.at(i))
		}
		return out
	case s.only(anObject), (s.takes(anObject) || s.kinds == 0) && parts > 0:
		return t.object(e, s)
	default:
		return xmlScalar(s, e.text.String())
	}
}

// xmlScalar types text. Blanks around what is no string mean nothing.
func xmlScalar(s shape, text string) any {
	if s.takes(aString) || s.kinds == 0 {
		return s.scalar(text)
	}
	trimmed := strings.TrimSpace(text)
	if trimmed == "" && s.takes(aNull) {
		return nil
	}
	return s.scalar(trimmed)
}

func (t *xmlTyping) object(e *element, s shape) any {
	names := t.names(s)
	o := xmlObject{fields: map[string]any{}}
	for _, attr := range e.attrs {
		if attr.Name.Space == xsi {
			continue
		}
		if n := names.find(attr.Name, true); n != nil {
			o.add(n.property, xmlScalar(n.shape, attr.Value))
			continue
		}
		inner, _ := s.property(attr.Name.Local)
		o.add(attr.Name.Local, xmlScalar(inner, attr.Value))
	}
	for _, child := range e.children {
		n := names.find(child.name, false)
		if n == nil {
			inner, _ := s.property(child.name.Local)
			o.add(child.name.Local, t.value(child, inner))
			continue
		}
		if n.list {
			items, _ := o.fields[n.property].([]any)
			o.fields[n.property] = append(items, t.value(child, n.items.at(len(items))))
			continue
		}
		o.add(n.property, t.value(child, n.shape))
	}
	s.unlisted(names, o.fields)
	for _, n := range names {
		if n.node == "text" || n.node == "cdata" {
			o.add(n.property, xmlScalar(n.shape, e.text.String()))
			return o.fields
		}
	}
	if text := e.text.String(); strings.TrimSpace(text) != "" {
		o.add(textName, text)
	}
	return o.fields
}

// An xmlObject puts values under names.
type xmlObject struct {
	fields map[string]any
	lists  map[string]bool // made of a name that came several times
}

// add makes a list of a name that comes again, which the schema will refuse
// where it wants no list.
func (o *xmlObject) add(name string, value any) {
	before, again := o.fields[name]
	switch {
	case !again:
		o.fields[name] = value
	case o.lists[name]:
		list, _ := before.([]any)
		o.fields[name] = append(list, value)
	default:
		if o.lists == nil {
			o.lists = map[string]bool{}
		}
		o.lists[name] = true
		o.fields[name] = []any{before, value}
	}
}

// unlisted puts an empty list where one has to be and no element of it is
// there: a list that has no element of its own is written so when it is empty.
func (s shape) unlisted(names xmlNames, fields map[string]any) {
	for _, v := range s.views {
		for _, name := range v.Required {
			if _, there := fields[name]; there {
				continue
			}
			for _, n := range names {
				if least := v.Get(name).View().MinItems; n.property == name && n.list && (least == nil || *least == 0) {
					fields[name] = []any{}
				}
			}
		}
	}
}
