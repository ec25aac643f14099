package body

import (
	"strings"
	"unicode/utf8"

	"parity/specs/document"
	"parity/specs/openapi"
)

// part types one part by its content type, or by what its encoding says.
func (d *partsReader) part(part *Part, inner shape, encoding openapi.Encoding, pointer string) (any, *Problem) {
	part.Pointer = pointer
	kind := Kind(part.Type)
	switch {
	case part.Type != "" && kind == "":
		return nil, &Problem{Pointer: pointer, Rule: RuleContentType, Message: "has a Content-Type that cannot be read", Got: shorten(part.Type)}
	case encoding.ContentType != "" && kind != "" && !fits(encoding.ContentType, kind):
		return nil, &Problem{
			Pointer: pointer, Rule: RuleContentType, Message: "wants to be " + encoding.ContentType,
			Want: encoding.ContentType, Got: shorten(part.Type),
		}
	case kind == "":
		kind = firstKind(encoding.ContentType)
	}
	value, wrong := d.content(part, kind, inner)
	if wrong != nil {
		wrong.Pointer = pointer + wrong.Pointer
	}
	return value, wrong
}

// firstKind gives the first content type of a list; "" for a pattern.
func firstKind(list string) string {
	first, _, _ := strings.Cut(list, ",")
	kind := Kind(strings.TrimSpace(first))
	if strings.Contains(kind, "*") {
		return ""
	}
	return kind
}

func (d *partsReader) content(part *Part, kind string, inner shape) (any, *Problem) {
	file := inner.binary() && !(IsJSON(kind) && inner.takes(anArray|anObject)) || part.FileName != "" && (inner.takes(aString) || inner.kinds == 0)
	switch {
	case file:
		return string(part.Data), nil
	case strings.HasPrefix(kind, "multipart/"):
		nested := partsReader{shape: inner, depth: d.depth + 1}
		whole, wrong := nested.decode(part.Data, part.Type)
		return whole.Value, wrong
	case IsJSON(kind):
		return part.json(inner)
	case IsXML(kind) && inner.takes(anObject|anArray):
		text, wrong := ToUTF8(part.Data, part.Type)
		if wrong != nil {
			return nil, wrong
		}
		return decodeXML(text, inner, "", strings.Contains(part.Type, "charset"))
	case IsForm(kind) && inner.takes(anObject):
		return newFields(inner, false).decode(string(part.Data))
	case kind == "" || strings.HasPrefix(kind, "text/"):
		return part.text(inner)
	default:
		return string(part.Data), nil
	}
}

// json decodes a JSON part. A string that has JSON in it, and says so by its
// type, stays text.
func (part *Part) json(inner shape) (any, *Problem) {
	text, wrong := ToUTF8(part.Data, part.Type)
	if wrong != nil {
		return nil, wrong
	}
	value, wrong := DecodeJSON(text)
	if _, ok := value.(string); inner.only(aString) && !ok {
		return string(text), nil
	}
	return value, wrong
}

// text types a part of text. One for an object or a list is JSON, though it
// does not say so: many clients cannot give a part a type.
func (part *Part) text(inner shape) (any, *Problem) {
	data, wrong := ToUTF8(part.Data, part.Type)
	if wrong != nil {
		return nil, wrong
	}
	if !utf8.Valid(data) {
		if inner.kinds == 0 && part.Type == "" {
			return string(data), nil
		}
		return nil, &Problem{Rule: RuleSyntax, Message: "is not UTF-8"}
	}
	text := string(data)
	if begin := strings.TrimLeft(text, " \t\r\n"); inner.kinds != 0 && !inner.takes(aString) && begin != "" && (begin[0] == '{' || begin[0] == '[') {
		value, wrong := DecodeJSON(data)
		if wrong == nil || inner.takes(anArray|anObject) {
			return value, wrong
		}
	}
	return inner.scalar(text), nil
}

// binary tells whether a shape is bytes by its format.
func (s shape) binary() bool {
	for _, v := range s.views {
		if v.Format == "binary" {
			return true
		}
	}
	return false
}

// demanded finds headers that parts must have and have not.
func (d *partsReader) demanded(out map[string]any) *Problem {
	for _, e := range d.encoding {
		headers := e.Node.Get("headers")
		for i := range headers.Len() {
			name := headers.At(i).Name
			if out[e.Field] == nil || !d.required(headers.At(i)) || strings.EqualFold(name, "Content-Type") {
				continue
			}
			for _, part := range d.parts {
				if field, _, _ := strings.Cut(part.Name, "["); (part.Name == e.Field || field == e.Field) && part.Header.Get(name) == "" {
					return &Problem{Pointer: part.Pointer, Rule: RuleRequired, Message: "wants the part header " + name, Want: name}
				}
			}
		}
	}
	return nil
}

func (d *partsReader) required(header *document.Node) bool {
	if _, ok := header.Ref(); ok && d.document != nil {
		if target, err := d.document.Follow(header); err == nil {
			header = target
		}
	}
	return header.Get("required").True()
}
