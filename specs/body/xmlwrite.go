package body

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parity/specs/schema"
)

// EncodeXML writes a value as an XML document, as a schema's xml objects ask
// for. name is that of the outermost element where the schema has none.
//
// An error means that XML has no way to write the value: names that are no
// names there, control characters, null in an attribute.
func EncodeXML(value any, s *schema.Schema, name string) ([]byte, error) {
	return encodeXML(value, shapeOf(s), name)
}

func encodeXML(value any, s shape, name string) ([]byte, error) {
	n := xmlOf(s)
	if n.name == "" {
		n.name = name
	}
	if n.name == "" {
		n.name = "root"
	}
	w := xmlWriter{names: xmlTyping{known: map[*schema.View]xmlNames{}}}
	w.out.WriteString(xml.Header)
	if err := w.element(&n, value, 0); err != nil {
		return nil, fmt.Errorf("xml: %w", err)
	}
	return w.out.Bytes(), nil
}

type xmlWriter struct {
	out   bytes.Buffer
	names xmlTyping
}

// written gives a name with its prefix, and the attribute that says what the
// prefix means.
func (n *xmlName) written() (name, declared string, err error) {
	if !isXMLName(n.name) || n.prefix != "" && !isXMLName(n.prefix) {
		return "", "", fmt.Errorf("%q is no name in XML", shorten(n.prefix+":"+n.name))
	}
	name = n.name
	mark := "xmlns"
	if n.prefix != "" {
		name, mark = n.prefix+":"+n.name, "xmlns:"+n.prefix
	}
	if n.space != "" {
		text, err := xmlText(n.space)
		if err != nil {
			return "", "", err
		}
		declared = " " + mark + `="` + text + `"`
	}
	return name, declared, nil
}

// element writes <name>…</name>.
func (w *xmlWriter) element(n *xmlName, value any, depth int) error {
	if depth > maxXMLDepth {
		return fmt.Errorf("nests deeper than %d", maxXMLDepth)
	}
	name, declared, err := n.written()
	if err != nil {
		return err
	}
	w.out.WriteString("<" + name + declared)
	switch v := value.(type) {
	case nil:
		w.out.WriteString(` xmlns:xsi="` + xsi + `" xsi:nil="true">`)
	case []any:
		w.out.WriteString(">")
		err = w.items(n, v, depth)
	case map[string]any:
		err = w.object(n.shape, v, depth)
	default:
		var text string
		if text, err = xmlValue(v); err == nil {
			w.out.WriteString(">" + text)
		}
	}
	w.out.WriteString("</" + name + ">")
	return err
}

// items writes the items of a list that has an element of its own.
func (w *xmlWriter) items(n *xmlName, items []any, depth int) error {
	all := n.shape.items()
	for i, item := range items {
		inner := xmlOf(all.at(i))
		if inner.name == "" {
			inner.name, inner.prefix, inner.space = n.name, n.prefix, n.space
		}
		if err := w.element(&inner, item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// object writes attributes, the end of the tag, and what is in the element.
func (w *xmlWriter) object(s shape, object map[string]any, depth int) error {
	names := w.names.names(s)
	written := map[string]bool{}
	for _, n := range names {
		value, given := object[n.property]
		if n.node != "attribute" || !given {
			continue
		}
		written[n.property] = true
		if err := w.attribute(n, value); err != nil {
			return err
		}
	}
	w.out.WriteString(">")
	for _, n := range names {
		value, given := object[n.property]
		if !given || written[n.property] {
			continue
		}
		written[n.property] = true
		if err := w.property(n, value, depth); err != nil {
			return fmt.Errorf("%s: %w", n.property, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if written[name] {
			continue
		}
		if names.find(xml.Name{Local: name}, false) != nil || name == textName {
			return fmt.Errorf("the name %q would be read as another", name)
		}
		inner, _ := s.property(name)
		if err := w.element(&xmlName{name: name, shape: inner}, object[name], depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *xmlWriter) attribute(n *xmlName, value any) error {
	name, declared, err := n.written()
	if err != nil {
		return err
	}
	if isPart(value) || value == nil {
		return fmt.Errorf("%s: an attribute is text", n.property)
	}
	text, err := xmlValue(value)
	if n.prefix == "" {
		declared = ""
	}
	w.out.WriteString(declared + " " + name + `="` + text + `"`)
	return err
}

func (w *xmlWriter) property(n *xmlName, value any, depth int) error {
	items, isList := value.([]any)
	switch {
	case n.node == "text" || n.node == "cdata":
		if isPart(value) || value == nil {
			return errors.New("text between elements is text")
		}
		text, err := xmlValue(value)
		w.out.WriteString(text)
		return err
	case n.list && value == nil:
		return nil // no list
	case n.list && isList:
		for i, item := range items {
			one := *n
			one.shape = n.items.at(i)
			if err := w.element(&one, item, depth+1); err != nil {
				return err
			}
		}
		return nil
	default:
		return w.element(n, value, depth+1)
	}
}

func xmlValue(value any) (string, error) {
	text, err := scalarText(value)
	if err != nil {
		return "", err
	}
	return xmlText(text)
}

func xmlText(text string) (string, error) {
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF
	}) {
		return "", errors.New("control characters cannot be written")
	}
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}

func isXMLName(name string) bool {
	for i, r := range name {
		switch {
		case r == '_' || unicode.IsLetter(r):
		case i > 0 && (r == '-' || r == '.' || unicode.IsDigit(r)):
		default:
			return false
		}
	}
	return name != ""
}
