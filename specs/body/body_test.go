package body

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"parity/specs/document"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// shared finds material that is kept beside the module.
func shared(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("PARITY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("shared material is not here (set PARITY_SHARED): %v", err)
	}
	return path
}

// node reads JSON or YAML into a document of its own.
func node(tb testing.TB, text string) (*document.Document, *document.Node) {
	tb.Helper()
	d, err := document.Open(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, "a.yaml")
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return d, d.Root()
}

// types reads a schema.
func types(tb testing.TB, text string) *schema.Schema {
	tb.Helper()
	d, root := node(tb, text)
	return schema.NewSet(d, schema.OpenAPI31).At(root)
}

// operation reads the one operation of a document whose paths are given.
func operation(tb testing.TB, rest string) *openapi.Operation {
	tb.Helper()
	d, _ := node(tb, `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/x": {"post": `+rest+`}}}`)
	api, err := openapi.Read(d)
	if err != nil {
		tb.Fatal(err)
	}
	return api.Operations[0]
}

// media reads what is under a content type.
func media(tb testing.TB, kind, rest string) openapi.Media {
	tb.Helper()
	body, problems := operation(tb, `{"requestBody": {"content": {"`+kind+`": `+rest+`}}}`).Body()
	if len(problems) > 0 || len(body.Content) != 1 {
		tb.Fatalf("%s: %v", rest, problems)
	}
	return body.Content[0]
}

// parameter reads one parameter object.
func readParameter(tb testing.TB, text string) openapi.Parameter {
	tb.Helper()
	list, problems := operation(tb, `{"parameters": [`+text+`]}`).Parameters()
	if len(problems) > 0 || len(list) != 1 {
		tb.Fatalf("%s: %v", text, problems)
	}
	return list[0]
}

// read decodes the text of a parameter as a request would carry it. given is
// false where the parameter is not there.
func read(p openapi.Parameter, text string) (value any, given bool, wrong *Problem) {
	ps := NewParameters([]openapi.Parameter{p}, Options{})
	var out map[string]any
	switch p.In {
	case "path":
		segment, err := url.PathUnescape(text)
		if err != nil {
			return nil, false, &Problem{Rule: RuleSyntax, Message: err.Error()}
		}
		out, wrong = ps.Path(map[string]string{p.Name: segment})
	case "header":
		out, wrong = ps.Header(http.Header{http.CanonicalHeaderKey(p.Name): {text}})
	case "cookie":
		out, wrong = ps.Cookie([]string{text})
	default:
		out, wrong = ps.Query(text)
	}
	value, given = out[p.Name]
	return value, given, wrong
}
