package body

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeChoosesByContentType(t *testing.T) {
	t.Parallel()
	object := `{"schema": {"type": "object", "properties": {"a": {"type": "integer"}}}}`
	one := map[string]any{"a": int64(1)}
	for _, test := range []struct {
		declared, media, kind, text string
		want                        any
	}{
		{"application/json", object, "application/json; charset=utf-16", "\xfe\xff\x00{\x00}", map[string]any{}},
		{"application/json", object, "application/vnd.x+json", `{"a":1}`, one},
		{"application/json", object, "text/json", `{"a":1}`, one},
		{"application/json", object, "", `{"a":1}`, one},
		{"application/x-www-form-urlencoded", object, "application/x-www-form-urlencoded; charset=UTF-8", "a=1", one},
		{"multipart/form-data", object, formData, parts(field("a", "", "1")), one},
		{"application/xml", object, "text/xml", "<r><a>1</a></r>", one},
		{"text/plain", object, "text/plain", `{"a":1}`, one},
		{"text/plain", object, "text/plain", `{"a":`, `{"a":`},
		{"text/plain", `{"schema": {"type": "integer"}}`, "text/plain; charset=utf-16le", "1\x002\x00", int64(12)},
		{"text/plain", `{"schema": {"type": "string"}}`, "text/plain; charset=latin1", "\xe4", "ä"},
		{"application/octet-stream", `{"schema": {"type": "string", "format": "binary"}}`, "application/octet-stream", "{\xff", "{\xff"},
		{"image/png", `{}`, "image/png; charset=utf-16", "\x89", "\x89"},
		{"application/xml", `{"schema": {"type": "string"}}`, "application/xml", "<a/>", "<a/>"},
	} {
		got, _, wrong := Decode([]byte(test.text), test.kind, media(t, test.declared, test.media), Options{})
		if diff := cmp.Diff(test.want, got); wrong != nil || diff != "" {
			t.Errorf("%s of %s: %v %s", test.kind, test.text, wrong, diff)
		}
	}
}

func TestEncodeNamesTheContentType(t *testing.T) {
	t.Parallel()
	object := `{"schema": {"type": "object"}}`
	for _, test := range []struct {
		declared, media string
		value           any
		kind, text      string
	}{
		{"application/json; charset=utf-8", object, map[string]any{"a": "<&>"}, "application/json; charset=utf-8", `{"a":"<&>"}`},
		{"application/json; charset=utf-16", object, map[string]any{}, "application/json", `{}`},
		{"*/*", object, map[string]any{}, "application/json", `{}`},
		{"image/*", `{}`, "\x89", "application/octet-stream", "\x89"},
		{"text/*", `{}`, "a", "text/plain", "a"},
		{"text/csv", `{}`, "a,b", "text/csv", "a,b"},
		{"application/x-www-form-urlencoded", object, map[string]any{"a": "b c"}, "application/x-www-form-urlencoded", "a=b%20c"},
		{
			"application/xml", `{"schema": {"type": "object", "xml": {"name": "r"}}}`,
			map[string]any{"a": "b"},
			"application/xml",
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<r><a>b</a></r>",
		},
	} {
		data, kind, err := Encode(media(t, test.declared, test.media), test.value)
		if err != nil || kind != test.kind || string(data) != test.text {
			t.Errorf("%s: %s, %q, %v", test.declared, kind, data, err)
		}
	}
}

// An example that YAML wrote as a block went out without the blank line that its
// last event ends with, and readers drop such an event.
func TestTheLastEventOfAStreamEndsWithABlankLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"data: 1\n\ndata: 2":             "data: 1\n\ndata: 2\n\n",
		"data: 1\n\ndata: 2\n":           "data: 1\n\ndata: 2\n\n",
		"data: 1\n\ndata: 2\n\n":         "data: 1\n\ndata: 2\n\n",
		"data: 1\r\n\r\ndata: 2\r\n":     "data: 1\r\n\r\ndata: 2\r\n\n",
		"data: 1\r\n\r\ndata: 2\r\n\r\n": "data: 1\r\n\r\ndata: 2\r\n\r\n",
		"data: 1\r\r":                    "data: 1\r\r",
		"":                               "",
	} {
		if data, _, err := Encode(media(t, "text/event-stream", `{"schema": {"type": "string"}}`), text); err != nil || string(data) != want {
			t.Errorf("%q: %q, %v", text, data, err)
		}
	}
}
