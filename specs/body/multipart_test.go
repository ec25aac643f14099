package body

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/specs/openapi"
)

// upload has a field of every kind.
const upload = `{"schema": {"type": "object", "properties": {
	"title": {"type": "string"}, "count": {"type": "integer"}, "ok": {"type": "boolean"}, "ratio": {"type": "number"},
	"file": {"type": "string", "format": "binary"}, "image": {"type": "string", "format": "binary"}, "doc": {"type": "object", "properties": {"n": {"type": "integer"}}},
	"tags": {"type": "array", "items": {"type": "string"}}, "numbers": {"type": "array", "items": {"type": "integer"}},
	"files": {"type": "array", "items": {"type": "string", "format": "binary"}}, "objects": {"type": "array", "items": {"type": "object"}},
	"csv": {"type": "array", "items": {"type": "integer"}}, "xml": {"type": "object", "properties": {"n": {"type": "integer"}}},
	"note": {"type": "string"}, "either": {"oneOf": [{"type": "string", "format": "binary"}, {"type": "object"}]}, "inner": {"type": "object", "properties": {"a": {"type": "integer"}}}}},
	"encoding": {"image": {"contentType": "image/png, image/jpeg"}, "csv": {"style": "form", "explode": false}, "note": {"contentType": "text/*"},
	"xml": {"contentType": "application/xml"}, "doc": {"contentType": "application/json"},
	"file": {"headers": {"X-Sum": {"required": true, "schema": {"type": "string"}}, "X-Free": {"schema": {"type": "string"}}}}}}`

const formData = "multipart/form-data; boundary=x"

// body joins parts, each "headers\n\ncontent", with the boundary x.
func parts(list ...string) string {
	var b strings.Builder
	for _, part := range list {
		headers, content, _ := strings.Cut(part, "\n\n")
		b.WriteString("--x\r\n" + strings.ReplaceAll(headers, "\n", "\r\n") + "\r\n\r\n" + content + "\r\n")
	}
	return b.String() + "--x--\r\n"
}

// field is a part of a form.
func field(name, more, content string) string {
	return `Content-Disposition: form-data; name="` + name + `"` + more + "\n\n" + content
}

func TestMultipartTypesItsParts(t *testing.T) {
	t.Parallel()
	m := media(t, "multipart/form-data", upload)
	png := "\x89PNG\r\n\x1a\n\x00\xff--x"
	for _, test := range []struct {
		name string
		body string
		want map[string]any
	}{
		{
			"text", parts(field("title", "", "Grüß Gott"), field("count", "", "3"), field("ok", "", "true"), field("ratio", "", "1.5")),
			map[string]any{"title": "Grüß Gott", "count": int64(3), "ok": true, "ratio": 1.5},
		},
		{"text of the wrong type", parts(field("count", "", "three")), map[string]any{"count": "three"}},
		{"empty parts", parts(field("title", "", ""), field("image", `; filename=""`, "")), map[string]any{"title": "", "image": ""}},
		{"a file", parts(field("image", `; filename="a.png"`+"\nContent-Type: image/png", png)), map[string]any{"image": png}},
		{"a file of JSON stays bytes", parts(field("files", `; filename="a.json"`+"\nContent-Type: application/json", `{"a":`)), map[string]any{"files": []any{`{"a":`}}},
		{"JSON", parts(field("doc", "\nContent-Type: application/json", `{"n": 1}`)), map[string]any{"doc": map[string]any{"n": int64(1)}}},
		{
			"JSON without a type", parts(field("doc", "", `{"n": 1}`), field("inner", "", ` {"a": 1}`)),
			map[string]any{"doc": map[string]any{"n": int64(1)}, "inner": map[string]any{"a": int64(1)}},
		},
		{"JSON of another family", parts(field("doc", "\nContent-Type: application/x+json; charset=utf-16le", "{\x00}\x00")), map[string]any{"doc": map[string]any{}}},
		{"JSON that is text", parts(field("title", "", `{"n": 1}`)), map[string]any{"title": `{"n": 1}`}},
		{"one is a list", parts(field("tags", "", "a")), map[string]any{"tags": []any{"a"}}},
		{"several are a list", parts(field("numbers", "", "1"), field("numbers", "", "2")), map[string]any{"numbers": []any{int64(1), int64(2)}}},
		{"brackets", parts(field("numbers[]", "", "1"), field("numbers[]", "", "2")), map[string]any{"numbers": []any{int64(1), int64(2)}}},
		{"indexes", parts(field("tags[1]", "", "b"), field("tags[0]", "", "a")), map[string]any{"tags": []any{"a", "b"}}},
		{"a list as JSON", parts(field("numbers", "\nContent-Type: application/json", "[1,2]")), map[string]any{"numbers": []any{int64(1), int64(2)}}},
		{"a list as JSON without a type", parts(field("numbers", "", "[1,2]")), map[string]any{"numbers": []any{int64(1), int64(2)}}},
		{
			"a list of JSON", parts(field("objects", "", `{"a":1}`), field("objects", "", `{"b":2}`)),
			map[string]any{"objects": []any{map[string]any{"a": int64(1)}, map[string]any{"b": int64(2)}}},
		},
		{"a list with commas by its style", parts(field("csv", "", "1,2")), map[string]any{"csv": []any{int64(1), int64(2)}}},
		{"a file or JSON", parts(field("either", "\nContent-Type: application/json", "{}")), map[string]any{"either": map[string]any{}}},
		{"JSON or a file", parts(field("either", "; filename=a.json\nContent-Type: application/json", "{}")), map[string]any{"either": "{}"}},
		{"an object with brackets", parts(field("inner[a]", "", "1")), map[string]any{"inner": map[string]any{"a": int64(1)}}},
		{"XML", parts(field("xml", "\nContent-Type: application/xml", "<xml><n>1</n></xml>")), map[string]any{"xml": map[string]any{"n": int64(1)}}},
		{"XML without a type", parts(field("xml", "", "<xml><n>1</n></xml>")), map[string]any{"xml": map[string]any{"n": int64(1)}}},
		{"text that holds JSON", parts(field("title", "\nContent-Type: application/json", `{"n": 1}`)), map[string]any{"title": `{"n": 1}`}},
		{"text as JSON", parts(field("title", "\nContent-Type: application/json", `"a\n"`)), map[string]any{"title": "a\n"}},
		{"a form", parts(field("inner", "\nContent-Type: application/x-www-form-urlencoded", "a=1")), map[string]any{"inner": map[string]any{"a": int64(1)}}},
		{"a charset", parts(field("title", "\nContent-Type: text/plain; charset=iso-8859-1", "\xe4")), map[string]any{"title": "ä"}},
		{"base64", parts(field("title", "\nContent-Transfer-Encoding: BASE64", "R3Jh\r\neg==")), map[string]any{"title": "Graz"}},
		{"quoted-printable", parts(field("title", "\nContent-Transfer-Encoding: quoted-printable", "Gr=C3=\r\n=A4z=3D")), map[string]any{"title": "Gräz="}},
		{"a pattern of types", parts(field("note", "\nContent-Type: text/html", "<b>")), map[string]any{"note": "<b>"}},
		{"unknown", parts(field("other", "", "1"), field("blob", `; filename="b"`, "\xff")), map[string]any{"other": "1", "blob": "\xff"}},
		{"preamble and epilogue", "hello\r\n" + parts(field("title", "", "a")) + "--y\r\nbye", map[string]any{"title": "a"}},
		{"no parts", "--x--\r\n", map[string]any{}},
		{"bare line feeds", strings.ReplaceAll(parts(field("title", "", "a")), "\r\n", "\n"), map[string]any{"title": "a"}},
		{"percent signs", parts(field("title", "", "100%zz+")), map[string]any{"title": "100%zz+"}},
		{"the header that it wants", parts(field("file", "\nX-Sum: 1", "a")), map[string]any{"file": "a"}},
	} {
		got, wrong := DecodeMultipart([]byte(test.body), formData, m.Schema, m.Encoding)
		if diff := cmp.Diff(any(test.want), got.Value); wrong != nil || diff != "" {
			t.Errorf("%s: %v %s", test.name, wrong, diff)
		}
	}
}

func TestMultipartKeepsWhatFilesAreCalled(t *testing.T) {
	t.Parallel()
	m := media(t, "multipart/form-data", upload)
	for disposition, want := range map[string]string{
		`form-data; name="files"; filename="a b.png"`:                                "files a b.png",
		`form-data; name="files"; filename="na\"me.png"`:                             `files na"me.png`,
		`form-data; name="files"; filename="na%22me.png"`:                            `files na"me.png`,
		`form-data; name="files"; filename="plain.png"; filename*=UTF-8''%c3%a4.png`: "files ä.png",
		`form-data; name="files"; filename="ä.png"`:                                  "files ä.png",
		`form-data; name="files"; filename="../../etc/passwd"`:                       "files ../../etc/passwd",
		`form-data; name*=UTF-8''f%C3%BCr`:                                           "für ",
		`form-data; name="für"`:                                                      "für ",
		`form-data; name=files`:                                                      "files ",
	} {
		got, wrong := DecodeMultipart([]byte(parts("Content-Disposition: "+disposition+"\nContent-Type: image/png\n\nabc")), formData, m.Schema, nil)
		if wrong != nil || len(got.Parts) != 1 {
			t.Errorf("%s: %v", disposition, wrong)
			continue
		}
		part := got.Parts[0]
		if name := part.Name + " " + part.FileName; name != want || string(part.Data) != "abc" || part.Type != "image/png" {
			t.Errorf("%s gives %q, %+v", disposition, name, part)
		}
		if part.Name == "files" && part.Pointer != "/files/0" {
			t.Errorf("%s is at %s", disposition, part.Pointer)
		}
	}
}

func TestMultipartRefuses(t *testing.T) {
	t.Parallel()
	m := media(t, "multipart/form-data", upload)
	many := make([]string, 10_000)
	for i := range many {
		many[i] = field("tags", "", "")
	}
	good := parts(field("title", "", "a"))
	nested := "--x9--"
	for i := 8; i >= 0; i-- {
		part := parts(fmt.Sprintf("Content-Disposition: form-data; name=\"inner\"\nContent-Type: multipart/mixed; boundary=x%d\n\n%s", i+1, nested))
		nested = strings.ReplaceAll(part, "--x\r", fmt.Sprintf("--x%d\r", i))
		nested = strings.ReplaceAll(nested, "--x--", fmt.Sprintf("--x%d--", i))
	}
	for _, test := range []struct{ name, kind, body, want string }{
		{"no boundary", "multipart/form-data", good, " syntax"},
		{"an empty boundary", `multipart/form-data; boundary=""`, good, " syntax"},
		{"a long boundary", "multipart/form-data; boundary=" + strings.Repeat("x", 71), good, " syntax"},
		{"two boundaries", "multipart/form-data; boundary=x; boundary=y", good, " syntax"},
		{"a broken content type", "multipart/form-data; boundary", good, " syntax"},
		{"another content type", "text/plain; boundary=x", good, " content-type"},
		{"another boundary", "multipart/form-data; boundary=y", good, " syntax"},
		{"nothing", formData, "", " syntax"},
		{"garbage", formData, "\x00\xff\xfe", " syntax"},
		{"no closing boundary", formData, strings.TrimSuffix(good, "--x--\r\n"), " syntax"},
		{"cut in a part", formData, good[:len(good)-9], " syntax"},
		{"cut in a header", formData, "--x\r\nContent-Dispo", " syntax"},
		{"no headers", formData, "--x\r\n\r\na\r\n--x--", " syntax"},
		{"a header without a colon", formData, "--x\r\nfoo\r\n\r\na\r\n--x--", " syntax"},
		{"no name", formData, parts("Content-Disposition: form-data\n\na"), " syntax"},
		{"no form-data", formData, parts("Content-Disposition: attachment; name=a\n\na"), " syntax"},
		{"a broken name", formData, parts(`Content-Disposition: form-data; name="a"b"` + "\n\na"), " syntax"},
		{"a name that is not UTF-8", formData, parts("Content-Disposition: form-data; name=\"\xff\"\n\na"), " syntax"},
		{"two names", formData, parts("Content-Disposition: form-data; name=a; name=b\n\na"), " syntax"},
		{"ten thousand parts", formData, parts(many...), " size"},
		{"giant headers", formData, parts("X: " + strings.Repeat("x", 1<<20) + "\n" + field("title", "", "a")), " size"},
		{"eleven megabytes of headers", formData, parts("X: " + strings.Repeat("x", 11<<20) + "\n" + field("title", "", "a")), " size"},
		{"too many headers", formData, parts(strings.Repeat("X: y\n", 20_000) + field("title", "", "a")), " size"},
		{"deep names", formData, parts(field("a"+strings.Repeat("[b]", 20), "", "a")), "/a" + strings.Repeat("[b]", 20) + " size"},
		{"parts in parts in parts", "multipart/form-data; boundary=x0", nested, "/inner/inner/inner/inner size"},
		{"a file of another type", formData, parts(field("image", "\nContent-Type: image/gif", "a")), "/image content-type"},
		{"text of another type", formData, parts(field("note", "\nContent-Type: image/png", "a")), "/note content-type"},
		{"JSON called text", formData, parts(field("doc", "\nContent-Type: text/plain", "{}")), "/doc content-type"},
		{"a type that is none", formData, parts(field("doc", "\nContent-Type: ;", "{}")), "/doc content-type"},
		{"broken JSON", formData, parts(field("doc", "", `{"n":`)), "/doc syntax"},
		{"a name twice in JSON", formData, parts(field("objects", "", `{"n":1,"n":2}`)), "/objects/0/n syntax"},
		{"broken base64", formData, parts(field("title", "\nContent-Transfer-Encoding: base64", "a!")), " syntax"},
		{"broken quoted-printable", formData, parts(field("title", "\nContent-Transfer-Encoding: quoted-printable", "\x01")), " syntax"},
		{"an unknown transfer encoding", formData, parts(field("title", "\nContent-Transfer-Encoding: zip", "a")), " syntax"},
		{"an unknown charset", formData, parts(field("title", "\nContent-Type: text/plain; charset=klingon", "a")), "/title content-type"},
		{"text that is not UTF-8", formData, parts(field("title", "", "\xff")), "/title syntax"},
		{"a value and parts", formData, parts(field("inner", "", "{}"), field("inner[a]", "", "1")), "/inner syntax"},
		{"entities", formData, parts(field("xml", "\nContent-Type: application/xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><xml>&b;</xml>")), "/xml syntax"},
		{"a header too few", formData, parts(field("file", "", "a")), "/file required"},
	} {
		got, wrong := DecodeMultipart([]byte(test.body), test.kind, m.Schema, m.Encoding)
		if wrong == nil || wrong.Pointer+" "+wrong.Rule != test.want || wrong.Message == "" {
			t.Errorf("%s: %+v, want %s; gives %.60v", test.name, wrong, test.want, got.Value)
		}
	}
}

func TestMultipartWithoutNames(t *testing.T) {
	t.Parallel()
	body := parts("Content-Type: application/json\n\n{\"name\":\"a\"}", "Content-Type: image/png\nContent-ID: <photo>\n\n\x89", "Content-Type: text/plain\n\n5")
	m := media(t, "multipart/related", `{"schema": {"type": "object", "properties": {"meta": {"type": "object"}, "photo": {"type": "string", "format": "binary"}, "n": {"type": "integer"}}}}`)
	got, wrong := DecodeMultipart([]byte(body), "multipart/related; boundary=x; type=\"application/json\"", m.Schema, nil)
	want := map[string]any{"meta": map[string]any{"name": "a"}, "photo": "\x89", "n": int64(5)}
	if diff := cmp.Diff(any(want), got.Value); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
	m = media(t, "multipart/mixed", `{"schema": {"type": "array", "prefixItems": [{"type": "object"}], "items": {"type": ["string", "integer"]}}}`)
	got, wrong = DecodeMultipart([]byte(body), "multipart/mixed; boundary=x", m.Schema, nil)
	if diff := cmp.Diff(any([]any{map[string]any{"name": "a"}, "\x89", int64(5)}), got.Value); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func TestMultipartOfAnySchema(t *testing.T) {
	t.Parallel()
	body := parts(field("a", "", "1"), field("b", "\nContent-Type: application/json", "[1]"), field("c", "; filename=c\nContent-Type: application/json", "[1"))
	got, wrong := DecodeMultipart([]byte(body), formData, nil, nil)
	want := map[string]any{"a": "1", "b": []any{int64(1)}, "c": "[1"}
	if diff := cmp.Diff(any(want), got.Value); wrong != nil || diff != "" {
		t.Error(wrong, diff)
	}
}

func TestReadingPartsUndoesWritingThem(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.Just("--parity-boundary"), rapid.Just("\r\n--parity-boundary--\r\n"))
	number := rapid.Map(rapid.Int64(), func(n int64) any { return n })
	for _, kind := range []string{"multipart/form-data", "multipart/mixed", "multipart/related"} {
		m := media(t, kind, strings.Replace(upload, `"headers"`, `"x-headers"`, 1))
		rapid.Check(t, func(t *rapid.T) {
			value := map[string]any{
				"title": text.Draw(t, "title"), "note": text.Draw(t, "note"), "count": rapid.Int64().Draw(t, "count"), "ok": rapid.Bool().Draw(t, "ok"),
				"image":   string(rapid.SliceOf(rapid.Byte()).Draw(t, "image")),
				"doc":     map[string]any{"n": rapid.Int64().Draw(t, "n"), text.Draw(t, "key"): "x"},
				"xml":     map[string]any{"n": rapid.Int64().Draw(t, "xml")},
				"numbers": rapid.SliceOfN(number, 1, 4).Draw(t, "numbers"),
				"csv":     rapid.SliceOfN(number, 2, 4).Draw(t, "csv"),
				"objects": []any{map[string]any{"a": []any{text.Draw(t, "object")}}},
				"files":   []any{string(rapid.SliceOf(rapid.Byte()).Draw(t, "file"))},
			}
			data, contentType, err := Encode(m, value)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := http.NewRequest(http.MethodPost, "/", bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			} else if r.Header.Set("Content-Type", contentType); kind == "multipart/form-data" {
				if err := r.ParseMultipartForm(1 << 20); err != nil || r.PostFormValue("title") != value["title"] || len(r.MultipartForm.File["image"]) != 1 {
					t.Fatalf("%q is read otherwise by net/http: %v", data, err)
				}
			}
			got, _, wrong := Decode(data, contentType, m, Options{})
			if diff := cmp.Diff(any(value), got); wrong != nil || diff != "" {
				t.Fatalf("%q: %v %s", data, wrong, diff)
			}
		})
	}
}

func FuzzDecodeMultipart(f *testing.F) {
	m := media(f, "multipart/form-data", upload)
	for _, kind := range []string{formData, "multipart/mixed; boundary=x", "multipart/related;boundary=\"x\"", "multipart/form-data; boundary=x; boundary=x"} {
		for _, body := range []string{
			parts(field("numbers[]", "", "1"), field("doc", "\nContent-Type: application/json", "{}")),
			parts(field("inner", "\nContent-Type: multipart/mixed; boundary=x", "--x\r\n\r\n--x--")), "--x\r\n\r\n\r\n--x", "--x--",
			parts(field("title", "\nContent-Transfer-Encoding: base64", "R3Jheg==")), parts("Content-ID: <a>\n\n1"),
		} {
			f.Add(kind, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		for _, encoding := range [][]openapi.Encoding{nil, m.Encoding} {
			got, wrong := DecodeMultipart(data, kind, m.Schema, encoding)
			if wrong != nil && (wrong.Rule == "" || wrong.Message == "") {
				t.Fatal("a problem that says nothing")
			}
			if wrong == nil && got.Value == nil {
				t.Fatal("neither a value nor a problem")
			}
		}
	})
}

func BenchmarkDecodeMultipart(b *testing.B) {
	m := media(b, "multipart/form-data", upload)
	data := []byte(parts(field("title", "", "a"), field("count", "", "3"), field("image", "; filename=a.png\nContent-Type: image/png", fmt.Sprintf("%064d", 1))))
	b.ReportAllocs()
	for b.Loop() {
		if _, wrong := DecodeMultipart(data, formData, m.Schema, m.Encoding); wrong != nil {
			b.Fatal(wrong)
		}
	}
}
