package body

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parity/specs/openapi"
)

// EncodeParameter writes a value as a parameter asks for: the text of a path's
// segment, escaped; the pieces of a query, with & between them; the value of a
// header; cookies, with "; " between them. "" is for what is simply left out:
// null, and an empty list or object.
//
// An error means that the style has no way to write the value, such as a comma
// inside an item of a list in a header.
func EncodeParameter(p openapi.Parameter, value any) (string, error) {
	w := writer{p: newParameter(p)}
	switch p.In {
	case "path":
		w.escape, w.plain = percent, true
		text, err := w.segment(value)
		if err == nil && text == "" {
			err = errors.New("a path parameter cannot be empty")
		}
		return dots(text), w.name(err)
	case "header":
		w.escape, w.plain = func(text string) string { return text }, true
		text, err := w.headerValue(value)
		return text, w.name(err)
	case "cookie":
		w.escape = percent
		if p.Style == "cookie" {
			w.escape, w.plain = func(text string) string { return text }, true
		}
		pairs, err := w.pairs(value)
		if err == nil && w.plain && strings.ContainsAny(strings.Join(pairs, ""), ";\" \t\r\n%") {
			err = errors.New("a cookie without escapes cannot hold this text")
		}
		return strings.Join(pairs, "; "), w.name(err)
	case "querystring":
		return w.queryString(value)
	default:
		w.escape = percent
		if p.Node.Get("allowReserved").True() {
			w.escape = reserved
		}
		pairs, err := w.pairs(value)
		return strings.Join(pairs, "&"), w.name(err)
	}
}

// A writer writes one parameter.
type writer struct {
	p      *parameter
	escape func(string) string
	plain  bool // readers see the text without escapes, and cannot tell separators from data
}

func (w *writer) name(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s parameter %s: %w", w.p.In, w.p.Name, err)
}

func (w *writer) segment(value any) (string, error) {
	if w.p.Content != "" || value == nil {
		return w.joined(value, ",", false)
	}
	switch w.p.Style {
	case "label":
		separator := ","
		if w.p.Explode {
			separator = "."
		}
		text, err := w.joined(value, separator, w.p.Explode)
		return "." + text, err
	case "matrix":
		return w.matrix(value)
	default:
		return w.joined(value, ",", w.p.Explode)
	}
}

func (w *writer) matrix(value any) (string, error) {
	name := ";" + w.escape(w.p.Name)
	if items, ok := value.([]any); ok && w.p.Explode {
		var b strings.Builder
		for _, item := range items {
			text, err := w.item(item, ";")
			if err != nil {
				return "", err
			}
			b.WriteString(name + "=" + text)
		}
		return b.String(), nil
	}
	if object, ok := value.(map[string]any); ok && w.p.Explode {
		if len(object) == 0 {
			return "", nil
		}
		text, err := w.joined(value, ";", true)
		return ";" + text, err
	}
	text, err := w.joined(value, ",", false)
	return name + "=" + text, err
}

func (w *writer) headerValue(value any) (string, error) {
	text, err := w.joined(value, ",", w.p.Explode)
	if err == nil && (strings.TrimSpace(text) != text || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })) {
		err = errors.New("a header cannot hold this text")
	}
	return text, err
}

// joined writes a value as one text.
func (w *writer) joined(value any, separator string, assigned bool) (string, error) {
	if w.p.Content != "" {
		if IsJSON(Kind(w.p.Content)) {
			text, err := marshal(value)
			return w.escape(string(text)), err
		}
		return w.item(value, "")
	}
	switch v := value.(type) {
	case []any:
		return w.items(v, separator)
	case map[string]any:
		return w.object(v, separator, assigned)
	default:
		text, err := scalarText(value)
		if err == nil && w.p.shape.takes(anArray|anObject) && strings.Contains(text, separator) {
			err = errors.New("text with a separator cannot be told from a list")
		}
		return w.escape(text), err
	}
}

func (w *writer) items(items []any, separator string) (string, error) {
	if len(items) == 1 && !w.p.shape.only(anArray) && w.p.shape.kinds != 0 {
		return "", errors.New("a list of one cannot be told from its item")
	}
	texts := make([]string, len(items))
	for i, item := range items {
		text, err := w.item(item, separator)
		if err != nil {
			return "", err
		}
		texts[i] = text
	}
	if len(items) == 1 && separator != " " {
		if text, _ := scalarText(items[0]); strings.Contains(text, separator) { // it was written already: no error
			return "", fmt.Errorf("a list of one with %q in it cannot be told from a list", separator)
		}
	}
	return strings.Join(texts, w.mark(separator)), nil
}

// mark writes a separator.
func (w *writer) mark(separator string) string {
	if separator == "," || w.plain || separator == ";" || separator == "." {
		return separator
	}
	return percent(separator) // a blank, a bar
}

func (w *writer) object(object map[string]any, separator string, assigned bool) (string, error) {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if object[name] == nil {
			continue
		}
		text, err := w.item(object[name], separator)
		if err != nil {
			return "", err
		}
		key, err := w.item(name, separator)
		if err != nil {
			return "", err
		}
		if !assigned {
			texts = append(texts, key, text)
			continue
		}
		if strings.Contains(name, "=") {
			return "", errors.New("a name with = in it cannot be told from its value")
		}
		texts = append(texts, key+"="+text)
	}
	return strings.Join(texts, w.mark(separator)), nil
}

// item writes one item of a list. Where readers cannot tell a separator from
// data, data must not have it.
func (w *writer) item(value any, separator string) (string, error) {
	if value == nil {
		return "", errors.New("null cannot be written in a list")
	}
	text, err := scalarText(value)
	if err != nil {
		return "", err
	}
	blurred := w.plain || w.mark(separator) != separator
	if blurred && separator != "" && strings.Contains(text, separator) {
		return "", fmt.Errorf("an item with %q in it cannot be told from two", separator)
	}
	if w.p.In == "header" && strings.TrimSpace(text) != text {
		return "", errors.New("blanks around an item are lost in a header")
	}
	return w.escape(text), nil
}

// scalarText writes a value as text; lists and objects become JSON.
func scalarText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		text, err := marshal(v)
		return string(text), err
	case json.Number:
		return v.String(), nil
	case []any, map[string]any:
		text, err := marshal(v)
		return string(text), err
	default:
		return "", fmt.Errorf("%T is no value of JSON", value)
	}
}

// marshal writes a value as JSON, names sorted, with no escapes for HTML.
func marshal(value any) ([]byte, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

const upperhex = "0123456789ABCDEF"

// percent escapes all but RFC 3986's unreserved characters.
func percent(text string) string { return escapeBut(text, "-._~") }

// reserved leaves what stands for nothing inside a query's value.
func reserved(text string) string { return escapeBut(text, "-._~:/?@!$'()*,;=[]") }

func escapeBut(text, safe string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte(safe, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(upperhex[c>>4])
			b.WriteByte(upperhex[c&15])
		}
	}
	return b.String()
}

// dots keeps a segment from meaning "here" or "one up".
func dots(text string) string {
	if text == "." || text == ".." {
		return strings.ReplaceAll(text, ".", "%2E")
	}
	return text
}
