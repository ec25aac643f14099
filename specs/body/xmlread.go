package body

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/specs/schema"
)

// Bounds on XML.
const (
	maxXMLDepth    = 64
	maxXMLElements = 100_000 // attributes too
)

const xsi = "http://www.w3.org/2001/XMLSchema-instance"

// DecodeXML types an XML document by a schema and its xml objects. name is that
// of the outermost element where the schema has none; "" takes any.
//
// Document types and entities are refused, whatever they say; so are other
// encodings than UTF-8. What the schema does not know keeps its local name,
// text for a value. xsi:nil is null.
func DecodeXML(data []byte, s *schema.Schema, name string) (any, *Problem) {
	return decodeXML(data, shapeOf(s), name, false)
}

// decodeXML: with transcoded, the encoding that the document declares is not
// its own any more.
func decodeXML(data []byte, s shape, name string, transcoded bool) (any, *Problem) {
	root, wrong := parseXML(data, transcoded)
	if wrong != nil {
		return nil, wrong
	}
	if own := xmlOf(s).name; own != "" {
		name = own
	}
	if name != "" && root.name.Local != name {
		return nil, &Problem{Rule: RuleSyntax, Message: "the outermost element is <" + name + ">", Want: name, Got: shorten(root.name.Local)}
	}
	t := xmlTyping{known: map[*schema.View]xmlNames{}}
	return t.value(root, s), nil
}

// An element is one of XML, read and not yet typed.
type element struct {
	name     xml.Name
	attrs    []xml.Attr
	children []*element
	text     strings.Builder
}

type xmlReader struct {
	decoder  *xml.Decoder
	open     []*element
	root     *element
	elements int
}

func parseXML(data []byte, transcoded bool) (*element, *Problem) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		return nil, &Problem{Rule: RuleSyntax, Message: "is not UTF-8"}
	}
	r := xmlReader{decoder: xml.NewDecoder(bytes.NewReader(data))}
	var encoding string
	r.decoder.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if transcoded {
			return in, nil
		}
		encoding = charset
		return nil, errors.New("encoding")
	}
	for {
		token, err := r.decoder.Token()
		switch {
		case encoding != "":
			return nil, &Problem{Rule: RuleContentType, Message: "declares an encoding that is not known here; send UTF-8", Want: "utf-8", Got: shorten(encoding)}
		case errors.Is(err, io.EOF) && r.root == nil:
			return nil, &Problem{Rule: RuleSyntax, Message: "has no element"}
		case errors.Is(err, io.EOF):
			return r.root, nil
		case err != nil:
			return nil, &Problem{Rule: RuleSyntax, Message: "is not XML: " + shorten(err.Error())}
		}
		if wrong := r.token(token); wrong != nil {
			return nil, wrong
		}
	}
}

func (r *xmlReader) token(token xml.Token) *Problem {
	switch t := token.(type) {
	case xml.Directive:
		return &Problem{Rule: RuleSyntax, Message: "has a document type: that and entities are refused", Got: shorten(string(t))}
	case xml.StartElement:
		return r.start(t)
	case xml.EndElement:
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		if len(r.open) > 0 {
			r.open[len(r.open)-1].text.Write(t)
		} else if len(bytes.TrimSpace(t)) > 0 {
			return &Problem{Rule: RuleSyntax, Message: "has text outside of its element", Got: shorten(string(t))}
		}
	}
	return nil
}

func (r *xmlReader) start(t xml.StartElement) *Problem {
	switch r.elements += 1 + len(t.Attr); {
	case r.elements > maxXMLElements:
		return &Problem{Rule: RuleSize, Message: fmt.Sprintf("has more than %d elements", maxXMLElements), Want: strconv.Itoa(maxXMLElements)}
	case len(r.open) > maxXMLDepth:
		return &Problem{Rule: RuleSize, Message: fmt.Sprintf("nests deeper than %d", maxXMLDepth), Want: strconv.Itoa(maxXMLDepth)}
	case len(r.open) == 0 && r.root != nil:
		return &Problem{Rule: RuleSyntax, Message: "has more than one outermost element", Got: shorten(t.Name.Local)}
	}
	made := &element{name: t.Name}
	seen := make(map[xml.Name]bool, len(t.Attr))
	for _, attr := range t.Attr {
		if seen[attr.Name] {
			return &Problem{Rule: RuleSyntax, Message: "has an attribute twice: " + shorten(attr.Name.Local)}
		}
		seen[attr.Name] = true
		if attr.Name.Space != "xmlns" && attr.Name.Local != "xmlns" {
			made.attrs = append(made.attrs, attr)
		}
	}
	if len(r.open) == 0 {
		r.root = made
	} else {
		above := r.open[len(r.open)-1]
		above.children = append(above.children, made)
	}
	r.open = append(r.open, made)
	return nil
}
