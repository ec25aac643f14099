package body

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestXMLAsOpenAPIDescribesIt holds the examples of the specification's xml
// object, both ways.
// Source: https://spec.openapis.org/oas/v3.1.1.html#xml-object-examples
func TestXMLAsOpenAPIDescribesIt(t *testing.T) {
	t.Parallel()
	animals := map[string]any{"animals": []any{"a", "b"}}
	for _, test := range []struct {
		name, schema, root, xml string
		value                   any
	}{
		{
			"a component's name for two properties", `{"type": "object", "properties": {"from": {"type": "object", "xml": {"name": "Place"}}, "to": {"type": "object", "xml": {"name": "Place"}}}}`, "r",
			"<r><from></from><to></to></r>",
			map[string]any{"from": map[string]any{}, "to": map[string]any{}},
		},
		{"a scalar", `{"type": "string"}`, "animals", "<animals>x</animals>", "x"},
		{"a list", `{"type": "array", "items": {"type": "string"}}`, "animals", "<animals><animals>a</animals><animals>b</animals></animals>", []any{"a", "b"}},
		{"another name", `{"type": "string", "xml": {"name": "animal"}}`, "animals", "<animal>x</animal>", "x"},
		{
			"attribute, prefix and namespace", `{"type": "object", "properties": {"id": {"type": "integer", "xml": {"attribute": true}},
			"name": {"type": "string", "xml": {"namespace": "https://example.com/schema/sample", "prefix": "sample"}}}}`, "Person",
			`<Person id="123"><sample:name xmlns:sample="https://example.com/schema/sample">example</sample:name></Person>`,
			map[string]any{"id": int64(123), "name": "example"},
		},
		{
			"named items", `{"type": "object", "properties": {"animals": {"type": "array", "items": {"type": "string", "xml": {"name": "animal"}}}}}`, "r",
			"<r><animal>a</animal><animal>b</animal></r>", animals,
		},
		{
			"a name outside means nothing without wrapping", `{"type": "object", "properties": {"animals": {"type": "array", "xml": {"name": "aliens"}, "items": {"type": "string", "xml": {"name": "animal"}}}}}`, "r",
			"<r><animal>a</animal><animal>b</animal></r>", animals,
		},
		{
			"wrapped without names", `{"type": "object", "properties": {"animals": {"type": "array", "xml": {"wrapped": true}, "items": {"type": "string"}}}}`, "r",
			"<r><animals><animals>a</animals><animals>b</animals></animals></r>", animals,
		},
		{
			"wrapped, named inside", `{"type": "object", "properties": {"animals": {"type": "array", "xml": {"wrapped": true}, "items": {"type": "string", "xml": {"name": "animal"}}}}}`, "r",
			"<r><animals><animal>a</animal><animal>b</animal></animals></r>", animals,
		},
		{
			"wrapped, named outside", `{"type": "object", "properties": {"animals": {"type": "array", "xml": {"wrapped": true, "name": "aliens"}, "items": {"type": "string"}}}}`, "r",
			"<r><aliens><aliens>a</aliens><aliens>b</aliens></aliens></r>", animals,
		},
		{
			"wrapped, named twice", `{"type": "object", "properties": {"animals": {"type": "array", "xml": {"wrapped": true, "name": "aliens"}, "items": {"type": "string", "xml": {"name": "animal"}}}}}`, "r",
			"<r><aliens><animal>a</animal><animal>b</animal></aliens></r>", animals,
		},
		{
			"node types", `{"type": "object", "properties": {"id": {"type": "integer", "xml": {"nodeType": "attribute"}}, "of": {"type": "array", "items": {"type": "integer"}, "xml": {"nodeType": "element"}}}}`, "r",
			`<r id="1"><of><of>1</of></of></r>`,
			map[string]any{"id": int64(1), "of": []any{int64(1)}},
		},
		{
			"text beside an attribute", `{"type": "object", "properties": {"id": {"type": "integer", "xml": {"attribute": true}}, "text": {"type": "string", "xml": {"nodeType": "text"}}}}`, "r",
			`<r id="1">a &amp; b</r>`,
			map[string]any{"id": int64(1), "text": "a & b"},
		},
		{
			"null", `{"type": "object", "properties": {"a": {"type": ["string", "null"]}}}`, "r",
			`<r><a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"></a></r>`,
			map[string]any{"a": nil},
		},
		{
			"types", `{"type": "object", "properties": {"b": {"type": "boolean"}, "f": {"type": "number"}, "o": {"type": "object"}, "s": {"type": "string"}}, "additionalProperties": {"type": "integer"}}`, "r",
			`<r><b>true</b><f>1.5</f><o></o><s> </s><x>7</x></r>`,
			map[string]any{"b": true, "f": 1.5, "o": map[string]any{}, "s": " ", "x": int64(7)},
		},
	} {
		s := types(t, test.schema)
		data, err := EncodeXML(test.value, s, test.root)
		if got := strings.TrimPrefix(string(data), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"); err != nil || got != test.xml {
			t.Errorf("%s is written %s (%v), want %s", test.name, got, err, test.xml)
		}
		got, wrong := DecodeXML([]byte(test.xml), s, "")
		if diff := cmp.Diff(test.value, got); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, wrong, diff)
		}
	}
}

const pet = `{"type": "object", "xml": {"name": "pet"}, "properties": {"id": {"type": "integer", "xml": {"attribute": true}}, "name": {"type": "string"},
	"tags": {"type": "array", "xml": {"wrapped": true}, "items": {"type": "object", "properties": {"n": {"type": "integer"}}, "xml": {"name": "tag"}}},
	"photos": {"type": "array", "items": {"type": "string"}, "xml": {"name": "ignored"}}, "free": {}, "alone": {"type": "object", "properties": {"n": {"type": "integer"}}, "xml": {"name": "Only"}}, "age": {"type": ["integer", "null"]}}}`

func TestXMLAsClientsWriteIt(t *testing.T) {
	t.Parallel()
	s := types(t, pet)
	for text, want := range map[string]map[string]any{
		"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- hello -->\n<pet><name>a</name></pet>\n<!-- bye -->":   {"name": "a"},
		"<?xml version='1.0' encoding='utf-8' standalone='yes'?><pet><name><![CDATA[<a>]]></name></pet>": {"name": "<a>"},
		"<pet><name>a<!-- b -->c&lt;&#228;</name></pet>":                                                 {"name": "ac<ä"},
		"<p:pet xmlns:p='urn:x' p:id='3'><p:name/></p:pet>":                                              {"id": int64(3), "name": ""},
		"<pet xmlns='urn:x'>\n  <tags>\n    <tag><n> 1 </n></tag>\n    <tag/>\n  </tags>\n</pet>":        {"tags": []any{map[string]any{"n": int64(1)}, map[string]any{}}},
		"<pet><photos>a</photos><name>b</name><photos>c</photos></pet>":                                  {"photos": []any{"a", "c"}, "name": "b"},
		"<pet><alone><n>1</n></alone></pet>":                                                             {"alone": map[string]any{"n": int64(1)}},
		"<pet><Only><n>1</n></Only></pet>":                                                               {"alone": map[string]any{"n": int64(1)}},
		"<pet><tags/></pet>":                                                                             {"tags": []any{}},
		"<pet><age/></pet>":                                                                              {"age": nil},
		"<pet><name>a</name><name>b</name></pet>":                                                        {"name": []any{"a", "b"}},
		"<pet><x>1</x><x>2</x><x>3</x></pet>":                                                            {"x": []any{"1", "2", "3"}},
		"<pet><free><a b='c'>d</a><e/></free></pet>":                                                     {"free": map[string]any{"a": map[string]any{"b": "c", "#text": "d"}, "e": ""}},
		"<pet><id>1</id>stray</pet>":                                                                     {"id": int64(1), "#text": "stray"},
	} {
		got, wrong := DecodeXML([]byte(text), s, "")
		if diff := cmp.Diff(any(want), got); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", text, wrong, diff)
		}
	}
}

func TestXMLRefuses(t *testing.T) {
	t.Parallel()
	s := types(t, pet)
	laughs := `<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><pet><name>&b;</name></pet>`
	for _, test := range []struct{ name, text, rule string }{
		{"a billion laughs", laughs, RuleSyntax},
		{"a file from outside", `<!DOCTYPE a SYSTEM "file:///etc/passwd"><pet/>`, RuleSyntax},
		{"an entity without a type", "<pet><name>&b;</name></pet>", RuleSyntax},
		{"an entity of HTML", "<pet><name>&nbsp;</name></pet>", RuleSyntax},
		{"nothing", "", RuleSyntax},
		{"blanks", " \n", RuleSyntax},
		{"a comment alone", "<!-- -->", RuleSyntax},
		{"text", "hello", RuleSyntax},
		{"JSON", `{"a": 1}`, RuleSyntax},
		{"not closed", "<pet><name>a</name>", RuleSyntax},
		{"closed wrongly", "<pet><name>a</pet></name>", RuleSyntax},
		{"two roots", "<pet/><pet/>", RuleSyntax},
		{"text after", "<pet/>a", RuleSyntax},
		{"text before", "a<pet/>", RuleSyntax},
		{"an attribute twice", "<pet id='1' id='2'/>", RuleSyntax},
		{"an attribute without quotes", "<pet id=1/>", RuleSyntax},
		{"another root", "<dog/>", RuleSyntax},
		{"not UTF-8", "<pet><name>\xff</name></pet>", RuleSyntax},
		{"a control character", "<pet><name>\x01</name></pet>", RuleSyntax},
		{"another encoding", "<?xml version='1.0' encoding='iso-8859-1'?><pet/>", RuleContentType},
		{"another version", "<?xml version='2.0'?><pet/>", RuleSyntax},
		{"too deep", strings.Repeat("<pet>", 1000) + strings.Repeat("</pet>", 1000), RuleSize},
		{"too many", "<pet>" + strings.Repeat("<a/>", 100_001) + "</pet>", RuleSize},
	} {
		got, wrong := DecodeXML([]byte(test.text), s, "")
		if wrong == nil || wrong.Rule != test.rule {
			t.Errorf("%s: %+v; gives %.60v", test.name, wrong, got)
		}
	}
}

func TestWritingXMLRefuses(t *testing.T) {
	t.Parallel()
	s := types(t, pet)
	for _, value := range []any{
		map[string]any{"a b": 1},
		map[string]any{"<": 1},
		map[string]any{"": 1},
		map[string]any{"name": "\x01"},
		map[string]any{"name": "\xff"},
		map[string]any{"id": []any{}},
		map[string]any{"id": nil},
		map[string]any{"#text": "a"},
		map[string]any{"xmlns": struct{}{}},
	} {
		if data, err := EncodeXML(value, s, ""); err == nil {
			t.Errorf("%v is written %s", value, data)
		}
	}
}

func TestReadingXMLUndoesWritingIt(t *testing.T) {
	t.Parallel()
	s := types(t, pet)
	text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("<>&'\"\r\n\t ]")), rapid.RuneFrom([]rune("aä€𝄞"))))
	texts := rapid.Map(text, func(s string) any { return s })
	tags := rapid.SliceOf(rapid.Map(rapid.Int64(), func(n int64) any { return map[string]any{"n": n} }))
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]any{"id": rapid.Int64().Draw(t, "id"), "name": text.Draw(t, "name"), "free": text.Draw(t, "free"), "age": nil, "tags": tags.Draw(t, "tags")}
		if photos := rapid.SliceOf(texts).Draw(t, "photos"); len(photos) > 0 {
			value["photos"] = photos
		}
		data, err := EncodeXML(value, s, "")
		if err != nil {
			t.Fatal(err)
		}
		got, wrong := DecodeXML(data, s, "")
		if diff := cmp.Diff(any(value), got); wrong != nil || diff != "" {
			t.Fatalf("%s: %v %s", data, wrong, diff)
		}
	})
}

func TestXMLInAnotherCharset(t *testing.T) {
	t.Parallel()
	m := media(t, "application/xml", `{"schema": `+pet+`}`)
	got, _, wrong := Decode([]byte("<?xml version='1.0' encoding='iso-8859-1'?><pet><name>\xe4</name></pet>"), "text/xml; charset=iso-8859-1", m, Options{})
	if diff := cmp.Diff(any(map[string]any{"name": "ä"}), got); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func FuzzDecodeXML(f *testing.F) {
	s := types(f, pet)
	for _, seed := range []string{
		"<pet id='1'><tags><tag><n>1</n></tag></tags><photos>a</photos></pet>", "<pet xmlns:a='b' a:id='1'/>", "<?xml version='1.0' encoding='x'?>",
		"<!DOCTYPE a>", "<pet><![CDATA[a]]></pet>", "<pet><name xsi:nil='true'/></pet>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, wrong := DecodeXML(data, s, "")
		if wrong != nil {
			if wrong.Rule == "" || wrong.Message == "" {
				t.Fatal("a problem that says nothing")
			}
			return
		}
		written, err := EncodeXML(value, s, "")
		if err != nil {
			return
		}
		if again, wrong := DecodeXML(written, s, ""); wrong != nil {
			t.Fatalf("%q is written %q, which is refused: %v (%v)", data, written, wrong, again)
		}
	})
}

func BenchmarkDecodeXML(b *testing.B) {
	s := types(b, pet)
	data := []byte("<pet id='1'><name>a</name><tags>" + strings.Repeat("<tag><n>1</n></tag>", 100) + "</tags></pet>")
	b.ReportAllocs()
	for b.Loop() {
		if _, wrong := DecodeXML(data, s, ""); wrong != nil {
			b.Fatal(wrong)
		}
	}
}

// An unwrapped list without elements has nothing in the document to say so.
func TestARequiredListThatIsEmptyIsNotMissing(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","required":["names","pairs","few"],"properties":{
		"names":{"type":"array","items":{"type":"string"}},
		"pairs":{"type":"array","items":{"type":"string"},"xml":{"wrapped":true}},
		"few":{"type":"array","minItems":1,"items":{"type":"string"}},
		"more":{"type":"array","items":{"type":"string"}}}}`
	got, wrong := DecodeXML([]byte(`<input></input>`), types(t, text), "")
	if wrong != nil {
		t.Fatal(wrong)
	}
	want := any(map[string]any{"names": []any{}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
