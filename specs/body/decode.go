package body

import (
	"strings"

	"parity/specs/openapi"
)

// Decode types a body by its content type and what a contract says of that: it
// is DecodeJSON, DecodeForm, DecodeMultipart, DecodeXML or, for text, the
// schema's scalar; the bytes of anything else are a string. Where the schema
// wants an object or a list of a type that has none, such as text/plain, JSON
// is taken for one. Parts are those of a multipart body.
func Decode(data []byte, contentType string, m openapi.Media, options Options) (value any, parts []Part, wrong *Problem) {
	kind := Kind(contentType)
	if kind == "" {
		kind = Kind(m.Type)
	}
	if strings.HasPrefix(kind, "multipart/") {
		whole, wrong := DecodeMultipart(data, contentType, m.Schema, m.Encoding)
		return whole.Value, whole.Parts, wrong
	}
	text := data
	known := IsJSON(kind) || IsForm(kind) || IsXML(kind)
	if known || strings.HasPrefix(kind, "text/") {
		if text, wrong = ToUTF8(data, contentType); wrong != nil {
			return nil, nil, wrong
		}
	}
	s := shapeOf(m.Schema)
	switch {
	case IsJSON(kind):
		value, wrong = DecodeJSON(text)
	case IsForm(kind):
		value, wrong = DecodeForm(text, m.Schema, m.Encoding, options)
	case IsXML(kind) && (s.takes(anArray|anObject) || s.kinds == 0):
		value, wrong = decodeXML(text, s, "", strings.Contains(contentType, "charset"))
	default:
		value = s.nested(string(text))
	}
	return value, nil, wrong
}
