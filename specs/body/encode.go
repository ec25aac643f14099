package body

import (
	"errors"
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"

	"parity/specs/openapi"
)

// Encode writes a value as a media type asks for, and gives the content type to
// send with it, which has the boundary of a multipart body.
func Encode(media openapi.Media, value any) (data []byte, contentType string, err error) {
	kind := Kind(media.Type)
	switch {
	case kind == "*/*" || kind == "application/*":
		data, err = marshal(value)
		return data, "application/json", err
	case IsJSON(kind):
		data, err = marshal(value)
	case IsForm(kind):
		data, err = encodeForm(value, shapeOf(media.Schema), media.Encoding)
	case strings.HasPrefix(kind, "multipart/"):
		return encodeMultipart(kind, media, value)
	case IsXML(kind) && (isPart(value) || shapeOf(media.Schema).takes(anArray|anObject)):
		data, err = EncodeXML(value, media.Schema, media.Schema.Name())
	default:
		return encodeText(kind, media.Type, value)
	}
	return data, withoutCharset(media.Type), err
}

// withoutCharset leaves out a charset that is not UTF-8: UTF-8 is what is
// written, whatever a contract says.
func withoutCharset(contentType string) string {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["charset"] == "" || strings.EqualFold(parameters["charset"], "utf-8") {
		return contentType
	}
	return kind
}

// encodeText writes what no schema can look into: text, or the bytes of a file.
func encodeText(kind, contentType string, value any) ([]byte, string, error) {
	text, err := scalarText(value)
	if err != nil {
		return nil, "", err
	}
	if strings.HasSuffix(kind, "/*") {
		contentType = "application/octet-stream"
		if strings.HasPrefix(kind, "text/") {
			contentType = "text/plain"
		}
	}
	if kind == "text/event-stream" {
		text = dispatched(text)
	}
	return []byte(text), withoutCharset(contentType), nil
}

// dispatched gives a stream of events with the blank line that its last one ends
// with: without it a reader drops that one. YAML's block texts have none at
// their end. Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
func dispatched(events string) string {
	plain := strings.ReplaceAll(strings.ReplaceAll(events, "\r\n", "\n"), "\r", "\n")
	switch {
	case plain == "" || strings.HasSuffix(plain, "\n\n"):
		return events
	case strings.HasSuffix(plain, "\n"):
		return events + "\n"
	default:
		return events + "\n\n"
	}
}

func encodeForm(value any, s shape, encoding []openapi.Encoding) ([]byte, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("a form is an object; %T is none", value)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		inner, known := s.property(name)
		if !known && strings.Contains(name, "[") {
			return nil, fmt.Errorf("the name %q would be read as another", shorten(name))
		}
		p := &parameter{Parameter: openapi.Parameter{Name: name, In: "query", Style: "form", Explode: true}, shape: inner}
		w := writer{p: p, escape: percent}
		for _, e := range encoding {
			if e.Field == name {
				w.p = formParameter(e, s)
				if e.Node.Get("allowReserved").True() {
					w.escape = reserved
				}
			}
		}
		pairs, err := w.pairs(object[name])
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", shorten(name), err)
		}
		out = append(out, pairs...)
	}
	if len(out) > maxFields {
		return nil, errors.New("a form has too many fields")
	}
	return []byte(strings.Join(out, "&")), nil
}
