package body

import (
	"strings"

	"parity/specs/openapi"
)

// Decode types a body by its content type and what a contract says of that: it
// is DecodeJSON, DecodeForm, DecodeMultipart, DecodeXML or, for text, the
// schema's scalar; the bytes of anything else are a string. Parts are those of
// a multipart body.
func Decode(data []byte, contentType string, m openapi.Media, options Options) (value any, parts []Part, wrong *Problem) {
	kind := kindOnly(contentType)
	if kind == "" {
		kind = kindOnly(m.Type)
	}
	if strings.HasPrefix(kind, "multipart/") {
		whole, wrong := DecodeMultipart(data, contentType, m.Schema, m.Encoding)
		return whole.Value, whole.Parts, wrong
	}
	isText := strings.HasPrefix(kind, "text/")
	if !isText && !isJSON(kind) && !isForm(kind) && !isXML(kind) {
		return string(data), nil, nil
	}
	text, wrong := ToUTF8(data, contentType)
	if wrong != nil {
		return nil, nil, wrong
	}
	s := shapeOf(m.Schema)
	switch {
	case isJSON(kind):
		value, wrong = DecodeJSON(text)
	case isForm(kind):
		value, wrong = DecodeForm(text, m.Schema, m.Encoding, options)
	case isXML(kind) && (s.takes(anArray|anObject) || s.kinds == 0):
		value, wrong = decodeXML(text, s, "", strings.Contains(contentType, "charset"))
	default:
		value = s.scalar(string(text))
	}
	return value, nil, wrong
}
