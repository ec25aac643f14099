package document_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"parity/specs/document"
)

func files(pairs ...string) fstest.MapFS {
	all := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		all[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return all
}

func open(t *testing.T, pairs ...string) *document.Document {
	t.Helper()
	d, err := document.Open(files(pairs...), pairs[0])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestJSONAndYAMLReadAlike(t *testing.T) {
	t.Parallel()
	const asJSON = `{"a": [1, -2.5, 1e3, true, null, "x\n\u00e9\ud83d\ude00"], "200": {"b~/c": {}}, "e": []}`
	const asYAML = "a: [1, -2.5, 1e3, true, ~, \"x\\n\\u00e9\\U0001F600\"]\n200:\n  b~/c: {}\ne: []\n"
	j, y := open(t, "a.json", asJSON), open(t, "a.yaml", asYAML)
	if diff := cmp.Diff(j.Root().Value(), y.Root().Value()); diff != "" {
		t.Error(diff)
	}
	for _, d := range []*document.Document{j, y} {
		if n := d.Root().Find("/200/b~0~1c"); !n.Is(document.Object) {
			t.Errorf("found %v", n)
		}
		if got := d.Root().Find("/a/5").Text(); got != "x\né😀" {
			t.Errorf("text %q", got)
		}
	}
}

func TestNodesKnowTheirPlace(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"a.json": "{\n  \"a\": {\n    \"b\": 1}}", "a.yaml": "\na:\n    b:   1\n"} {
		d := open(t, name, text)
		file, line, _ := d.Root().Find("/a/b").Place()
		if file != name || line != 3 {
			t.Errorf("%s: %s:%d", name, file, line)
		}
	}
}

func TestReferencesStayInTheFolder(t *testing.T) {
	t.Parallel()
	d := open(t, "api/main.yaml", "a: {$ref: '../shared/pet.json#/defs/Pet'}\nb: {$ref: 'https://example.com/x.yaml'}\nc: {$ref: '../../etc/passwd'}\nd: {$ref: '#/a'}\ne: {$ref: '#/f'}\nf: {$ref: '#/e'}\ng: {$ref: 'gone.yaml'}\nh: {$ref: /etc/passwd}\ni: {$ref: 'file:///etc/passwd'}\n",
		"shared/pet.json", `{"defs": {"Pet": {"$ref": "#/defs/Dog"}, "Dog": {"name": "Rex"}}}`)
	for _, name := range []string{"a", "d"} {
		n, err := d.Follow(d.Root().Get(name))
		if err != nil || n.Get("name").Text() != "Rex" {
			t.Errorf("%s: %v %v", name, n, err)
		}
	}
	for name, want := range map[string]string{"b": "own folder", "c": "own folder", "e": "circle", "g": "not there", "h": "own folder", "i": "own folder"} {
		if _, err := d.Follow(d.Root().Get(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
	if diff := cmp.Diff([]string{"api/main.yaml", "shared/pet.json"}, d.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestHashIsOverAllFiles(t *testing.T) {
	t.Parallel()
	one := open(t, "a.yaml", "$ref: b.yaml", "b.yaml", "x: 1")
	two := open(t, "a.yaml", "$ref: b.yaml", "b.yaml", "x: 2")
	if one.Hash() == two.Hash() {
		t.Error("a change in a file that is referred to does not show")
	}
}

func TestFilesThatAreNoDocuments(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+p+",", 9) + "*" + p + "]\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "nothing in this file"},
		"blank":          {" \n\n", "nothing in this file"},
		"comment":        {"# nothing\n", "nothing in this file"},
		"html":           {"<!doctype html><html></html>", "HTML"},
		"plain":          {"404: Not Found but no mapping", "404"},
		"text":           {"Not Found", "plain text"},
		"cut":            {`{"a": {"b": [1, 2`, "ends too early"},
		"garbage after":  {`{"a": 1} x`, "more follows"},
		"two values":     {`{"a": 1 "b": 2}`, "comma"},
		"leading zero":   {`{"a": 01}`, "01"},
		"deep":           {strings.Repeat("[", 100_000), "deep"},
		"deep yaml":      {strings.Repeat("- ", 100_000) + "x", "deep"},
		"bomb":           {bomb, "values"},
		"not utf-8":      {"{\"a\": \"\xff\"}", "UTF-8"},
		"alias in alias": {"a: &a\n  b: *a\n", "alias"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			d, err := document.Open(files("x", c.text), "x")
			if name == "plain" { // YAML reads it as an object, which is no fault of a file
				if err != nil {
					t.Error(err)
				}
				return
			}
			if name == "leading zero" { // YAML has such numbers
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v %v; want %q", d, err, c.want)
			}
			t.Logf("after %v", time.Since(began))
		})
	}
}

func TestDoubledNamesAreTold(t *testing.T) {
	t.Parallel()
	d := open(t, "a.json", "{\"a\": 1,\n \"a\": 2}")
	if p := d.Problems(); len(p) != 1 || p[0].Line != 2 || p[0].Code != "doubled-name" {
		t.Errorf("problems %+v", p)
	}
	if v, _ := d.Root().Get("a").Float(); v != 2 {
		t.Errorf("counts %v", v)
	}
}

func TestYAMLMergesAndAliases(t *testing.T) {
	t.Parallel()
	d := open(t, "a.yaml", "base: &b {x: 1, y: 2}\none: {<<: *b, y: 3}\ntwo: *b\nn: [0x1F, 1_000, .5, .inf, yes, 012]\n")
	want := map[string]any{
		"base": map[string]any{"x": int64(1), "y": int64(2)}, "one": map[string]any{"x": int64(1), "y": int64(3)},
		"two": map[string]any{"x": int64(1), "y": int64(2)}, "n": []any{int64(31), int64(1000), 0.5, ".inf", "yes", int64(10)},
	}
	if diff := cmp.Diff(want, d.Root().Value()); diff != "" {
		t.Error(diff)
	}
}

// What encoding/json takes of UTF-8 text we take, with the same value, and
// nothing else. It also takes other bytes, which are no JSON (RFC 8259, 8.1).
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5e-3,"x\u0041",null,true]}`, `[]`, `{"a":01}`, `{"":-0}`, "{\"a\":\"\\ud800\"}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := document.Open(files("x", text), "x")
		begin := strings.TrimLeft(text, " \t\r\n")
		if !strings.HasPrefix(begin, "{") && !strings.HasPrefix(begin, "[") || !utf8.ValidString(text) {
			return
		}
		var want any
		wrong := json.Unmarshal([]byte(text), &want)
		if wrong == nil && err != nil {
			t.Fatalf("%q is JSON: %v", text, err)
		}
		if err != nil {
			return
		}
		got, err := json.Marshal(d.Root().Value())
		if err != nil {
			t.Fatal(err)
		}
		var again any
		if err := json.Unmarshal(got, &again); err != nil {
			t.Fatal(err)
		}
		if wrong == nil && !cmp.Equal(want, again, cmp.Comparer(func(a, b float64) bool { return a == b || a-b < 1e-9*a })) {
			t.Fatalf("%q: %s", text, cmp.Diff(want, again))
		}
	})
}

// FuzzYAML only asks that nothing falls over.
func FuzzYAML(f *testing.F) {
	f.Add("a: &x {b: *x}\n<<: [1]\n? [1]\n: 2\n")
	f.Fuzz(func(_ *testing.T, text string) {
		if d, err := document.Open(files("x", text), "x"); err == nil {
			d.Root().Value()
			d.Root().Find("/a/b/0")
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	file := os.Getenv("PARITY_CONTRACT")
	if file == "" {
		b.Skip("PARITY_CONTRACT names no file")
	}
	fsys, name := os.DirFS(filepath.Dir(file)), filepath.Base(file)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := document.Open(fsys, name); err != nil {
			b.Fatal(err)
		}
	}
}
