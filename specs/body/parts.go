package body

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parity/specs/openapi"
)

// encodeMultipart writes an object as parts: files and text as they are, lists
// as a part for each item, other objects as JSON, or what their encoding says.
// The boundary is always the same, unless a part has it in its bytes.
func encodeMultipart(kind string, media openapi.Media, value any) ([]byte, string, error) {
	s := shapeOf(media.Schema)
	w := partsWriter{kind: kind}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range ordered(s, v, kind == "multipart/form-data") {
			if err := w.field(name, v[name], s, media.Encoding); err != nil {
				return nil, "", fmt.Errorf("part %s: %w", shorten(name), err)
			}
		}
	case []any:
		if kind == "multipart/form-data" {
			return nil, "", errors.New("form-data is an object")
		}
		all := s.items()
		for i, item := range v {
			if err := w.part("", item, all.at(i), openapi.Encoding{}); err != nil {
				return nil, "", fmt.Errorf("part %d: %w", i, err)
			}
		}
	default:
		return nil, "", fmt.Errorf("a body in parts is an object; %T is none", value)
	}
	if len(w.parts) > maxParts {
		return nil, "", fmt.Errorf("a body has %d parts at most", maxParts)
	}
	data, boundary := w.join()
	return data, kind + "; boundary=" + boundary, nil
}

// ordered gives an object's names: those of the schema first, in its order,
// where the order means something.
func ordered(s shape, object map[string]any, plain bool) []string {
	names := slices.Sorted(maps.Keys(object))
	if plain {
		return names
	}
	var out []string
	for _, view := range s.views {
		for _, p := range view.Properties {
			if _, given := object[p.Name]; given && !slices.Contains(out, p.Name) {
				out = append(out, p.Name)
			}
		}
	}
	for _, name := range names {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

type partsWriter struct {
	kind  string
	parts [][]byte
}

func (w *partsWriter) field(name string, value any, s shape, encodings []openapi.Encoding) error {
	inner, known := s.property(name)
	if !known && strings.Contains(name, "[") || strings.ContainsAny(name, "%\\\"\r\n\x00") || name == "" || !utf8.ValidString(name) {
		return errors.New("the name would be read as another")
	}
	var encoding openapi.Encoding
	for _, e := range encodings {
		if e.Field == name {
			encoding = e
		}
	}
	if encoding.Style != "" && isPart(value) {
		if p := formParameter(encoding, s); p.separator != "" {
			list := writer{p: p, plain: true, escape: func(text string) string { return text }}
			text, err := list.joined(value, p.separator, false)
			if err != nil {
				return err
			}
			return w.part(name, text, inner, openapi.Encoding{Field: name})
		}
	}
	items, isList := value.([]any)
	if !isList {
		return w.part(name, value, inner, encoding)
	}
	all := inner.items()
	for i, item := range items {
		at := name
		if !inner.only(anArray) {
			at += "[" + strconv.Itoa(i) + "]"
		}
		if item == nil {
			return errors.New("null cannot be a part of a list")
		}
		if err := w.part(at, item, all.at(i), encoding); err != nil {
			return err
		}
	}
	return nil
}

// part writes one part; null is none.
func (w *partsWriter) part(name string, value any, inner shape, encoding openapi.Encoding) error {
	if value == nil {
		return nil
	}
	kind := sampleKind(encoding.ContentType)
	text, isText := value.(string)
	file := isText && (inner.binary() || !utf8.ValidString(text))
	var data []byte
	var err error
	switch {
	case IsXML(kind) && isPart(value):
		data, err = encodeXML(value, inner, name)
	case isPart(value):
		if !IsJSON(kind) {
			kind = "application/json"
		}
		data, err = marshal(value)
	case IsJSON(kind) && !file:
		data, err = marshal(value)
	default:
		if kind == "" && file {
			kind = "application/octet-stream"
		}
		text, err = scalarText(value)
		data = []byte(text)
	}
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if name != "" {
		disposition := "attachment"
		if w.kind == "multipart/form-data" {
			disposition = "form-data"
		}
		b.WriteString("Content-Disposition: " + disposition + `; name="` + name + `"`)
		if file {
			b.WriteString(`; filename="file"`)
		}
		b.WriteString("\r\n")
	}
	if kind != "" {
		b.WriteString("Content-Type: " + kind + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(data)
	w.parts = append(w.parts, b.Bytes())
	return nil
}

// sampleKind gives a content type that a list of them takes; "" for none.
func sampleKind(list string) string {
	first, _, _ := strings.Cut(list, ",")
	kind := Kind(strings.TrimSpace(first))
	switch kind {
	case "image/*":
		return "image/png"
	case "audio/*":
		return "audio/mpeg"
	case "video/*":
		return "video/mp4"
	case "text/*":
		return "text/plain"
	case "application/*", "*/*":
		return "application/octet-stream"
	}
	return kind
}

func (w *partsWriter) join() ([]byte, string) {
	boundary := "parity-boundary"
	for i := 1; slices.ContainsFunc(w.parts, func(part []byte) bool { return bytes.Contains(part, []byte("--"+boundary)) }); i++ {
		boundary = "parity-boundary-" + strconv.Itoa(i)
	}
	var b bytes.Buffer
	for _, part := range w.parts {
		b.WriteString("--" + boundary + "\r\n")
		b.Write(part)
		b.WriteString("\r\n")
	}
	b.WriteString("--" + boundary + "--\r\n")
	return b.Bytes(), boundary
}
