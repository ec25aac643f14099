package body

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const customer = `{"type": "object", "properties": {
	"name": {"type": "string"}, "amount": {"type": "integer"}, "confirm": {"type": "boolean"},
	"address": {"type": "object", "properties": {"line1": {"type": "string"}}},
	"metadata": {"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "string", "enum": [""]}]},
	"locales": {"type": "array", "items": {"type": "string"}},
	"tax": {"type": "array", "items": {"type": "object", "properties": {"type": {"type": "string"}, "value": {"type": "integer"}}}},
	"either": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
	"free": {"type": "object"}}}`

func TestFormsAsClientsWriteThem(t *testing.T) {
	t.Parallel()
	s := types(t, customer)
	for _, test := range []struct {
		name, body string
		want       map[string]any
	}{
		{"nested and indexed", "metadata[order_id]=6735&address[line1]=1%20St&locales[0]=en&locales[1]=fr", map[string]any{
			"metadata": map[string]any{"order_id": "6735"}, "address": map[string]any{"line1": "1 St"}, "locales": []any{"en", "fr"},
		}},
		{"escaped brackets and plus", "metadata%5Bk%5D=a+b%5B0%5D&name=Zo%C3%AB", map[string]any{"metadata": map[string]any{"k": "a b[0]"}, "name": "Zoë"}},
		{"empty brackets with parts", "tax[][type]=a&tax[][value]=1&tax[][type]=b&tax[][value]=2", map[string]any{
			"tax": []any{map[string]any{"type": "a", "value": int64(1)}, map[string]any{"type": "b", "value": int64(2)}},
		}},
		{"empty metadata", "metadata=", map[string]any{"metadata": ""}},
		{"metadata stays text", "metadata[n]=12&metadata[0]=x", map[string]any{"metadata": map[string]any{"n": "12", "0": "x"}}},
		{"types", "amount=2000&confirm=true&either=on&locales[]=x", map[string]any{"amount": int64(2000), "confirm": true, "either": "on", "locales": []any{"x"}}},
		{"free form", "free[a][b]=1&free[c][]=2", map[string]any{"free": map[string]any{"a": map[string]any{"b": "1"}, "c": []any{"2"}}}},
		{"the last one wins", "name=a&name=b", map[string]any{"name": "b"}},
		{"empty", "", map[string]any{}},
	} {
		got, wrong := DecodeForm([]byte(test.body), s, nil, Options{})
		if diff := cmp.Diff(test.want, got); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, wrong, diff)
		}
	}
}

// TestFormsByTheirEncoding: what an encoding says of a field of a form.
func TestFormsByTheirEncoding(t *testing.T) {
	t.Parallel()
	m := media(t, "application/x-www-form-urlencoded", `{"schema": `+customer+`, "encoding": {
		"locales": {"style": "pipeDelimited", "explode": false}, "address": {"contentType": "application/json"},
		"free": {"style": "deepObject"}, "tax": {"contentType": "application/json"}}}`)
	value := map[string]any{
		"address": map[string]any{"line1": "1 & 2 St"}, "amount": int64(3), "free": map[string]any{"a": "b"},
		"locales": []any{"de", "at"}, "tax": []any{map[string]any{"type": "x", "value": int64(1)}},
	}
	data, kind, err := Encode(m, value)
	want := "address=%7B%22line1%22%3A%221%20%26%202%20St%22%7D&amount=3&free[a]=b&locales=de%7Cat&tax=%5B%7B%22type%22%3A%22x%22%2C%22value%22%3A1%7D%5D"
	if err != nil || kind != "application/x-www-form-urlencoded" || string(data) != want {
		t.Errorf("%s as %s, %v, want %s", data, kind, err, want)
	}
	got, wrong := DecodeForm(data, m.Schema, m.Encoding, Options{})
	if diff := cmp.Diff(value, got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func TestReadingAFormUndoesWritingIt(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a&=+%\[\],]{0,5}`))
	texts := rapid.Map(text, func(s string) any { return s })
	key := rapid.StringMatching(`[a-z0-9 &=+%äö,]{1,6}`)
	for _, encoding := range []string{`{}`, `{"locales": {"explode": false}, "free": {"style": "deepObject"}, "tax": {"contentType": "application/json"}}`} {
		m := media(t, "application/x-www-form-urlencoded", `{"schema": `+customer+`, "encoding": `+encoding+`}`)
		rapid.Check(t, func(t *rapid.T) {
			value := map[string]any{"name": text.Draw(t, "name"), "amount": rapid.Int64().Draw(t, "amount"), "either": rapid.Bool().Draw(t, "either")}
			value["locales"] = rapid.Map(rapid.SliceOfN(texts, 2, 4), func(l []any) any { return l }).Draw(t, "locales")
			if metadata := rapid.MapOf(key, texts).Draw(t, "metadata"); len(metadata) > 0 {
				value["metadata"] = metadata
			}
			value["tax"] = rapid.SliceOfN(rapid.Map(rapid.Int64(), func(n int64) any { return map[string]any{"value": n} }), 1, 12).Draw(t, "tax")
			data, _, err := Encode(m, value)
			if err != nil {
				t.Fatal(err)
			}
			if all, err := url.ParseQuery(string(data)); err != nil || all.Get("name") != value["name"] {
				t.Fatalf("%s is read otherwise by net/url: %v", data, err)
			}
			got, wrong := DecodeForm(data, m.Schema, m.Encoding, Options{})
			if diff := cmp.Diff(value, got); wrong != nil || diff != "" {
				t.Fatalf("%s: %v %s", data, wrong, diff)
			}
		})
	}
}

func FuzzDecodeForm(f *testing.F) {
	m := media(f, "application/x-www-form-urlencoded", `{"schema": `+customer+`, "encoding": {"locales": {"explode": false}, "tax": {"contentType": "application/json"}}}`)
	for _, seed := range []string{"tax[][type]=a&tax[][value]=1", "metadata[a][b]=1&metadata=2", "locales=a,b&locales[]=c", "a[[b]]=1", "free[1000]=", "%", "tax=[1"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, wrong := DecodeForm(data, m.Schema, m.Encoding, Options{})
		if wrong != nil {
			return
		}
		if again, _, err := Encode(m, value); err == nil {
			if _, wrong := DecodeForm(again, m.Schema, m.Encoding, Options{}); wrong != nil {
				t.Fatalf("%q is written %q, which is refused: %v", data, again, wrong)
			}
		}
	})
}

func BenchmarkForm(b *testing.B) {
	form := NewForm(types(b, customer), nil, Options{})
	data := []byte("amount=2000&confirm=true&metadata[order_id]=6735&locales[]=en&locales[]=de&address[line1]=a&tax[0][type]=x&tax[0][value]=1")
	b.ReportAllocs()
	for b.Loop() {
		if _, wrong := form.Decode(data); wrong != nil {
			b.Fatal(wrong)
		}
	}
}
