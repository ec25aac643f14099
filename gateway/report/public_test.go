package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parity/faults/trail"
)

// public compiles a schema that somebody else has published, from a package of
// npm that has it.
func public(t *testing.T, folder, root string) *jsonschema.Schema {
	t.Helper()
	in := filepath.Join("schemas", "node_modules", filepath.FromSlash(folder))
	files, err := filepath.Glob(filepath.Join(in, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(in, root)); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the public schemas are not installed: make schemas")
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if object, ok := doc.(map[string]any); ok { // its own name is of the web, or none; by file they find each other
			delete(object, "$id")
			delete(object, "id")
		}
		if err := c.AddResource("file:///"+filepath.Base(name), doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile("file:///" + root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(t *testing.T, s *jsonschema.Schema, doc string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		t.Fatalf("%v in %.2000s", err, doc)
	}
	return s.Validate(value)
}

func TestSARIFFitsThePublicSchema(t *testing.T) {
	t.Parallel()
	s := public(t, "@microsoft/jest-sarif/lib/schemas", "sarif-2.1.0-rtm.5.json")
	if fits(t, s, `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"kind": "passed", "message": {"text": "x"}}]}]}`) == nil {
		t.Fatal("a kind that does not exist fits")
	}
	for name, r := range samples() {
		var out bytes.Buffer
		if err := SARIF(&out, r); err != nil {
			t.Fatal(err)
		}
		if err := fits(t, s, out.String()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHARFitsThePublicSchema(t *testing.T) {
	t.Parallel()
	s := public(t, "har-schema/lib", "har.json")
	if fits(t, s, `{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{}]}}`) == nil {
		t.Fatal("an entry without anything fits")
	}
	for name, make := range map[string]func() ([]trail.Event, map[uint64]trail.Settlement){"told": told, "tape": tape, "odd": odd} {
		events, settlements := make()
		var out bytes.Buffer
		if err := HAR(&out, "1.2.3", nil, events, settlements); err != nil {
			t.Fatal(err)
		}
		if err := fits(t, s, out.String()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// odd is what nobody sends who means well, or whose journal was cut short.
func odd() ([]trail.Event, map[uint64]trail.Settlement) {
	var events []trail.Event
	for i, x := range []trail.Exchange{
		{},
		{Method: "GET", Host: "a b\x00\u202e", Path: "no slash\x7f%zz", Query: "a=%zz&;\xff", Outcome: trail.Unreadable},
		{Method: "POST", Host: "[::1", Path: "//x", Body: []byte{0xff, 0, 0xfe}, Status: 999, ReplyBody: []byte("\x00\x01")},
		{Method: "GET", Host: "h", Path: "/", Status: 302, ReplyHeader: []trail.Field{{Name: "location", Value: "/elsewhere"}}},
		{Method: "GET", Host: "h", Path: "/", Status: 200, ReplyBody: []byte("whole"), Wire: trail.Wire{Short: true, Cut: 2, End: trail.Close}},
		{Method: "GET", Host: "h", Path: "/", Status: 200, Wire: trail.Wire{HeadCut: true}},
	} {
		events = append(events, trail.Event{Seq: uint64(i + 1), Kind: trail.Exchanged, Exchange: &x})
	}
	return events, map[uint64]trail.Settlement{2: {Of: 2, Took: -5, Error: "broken pipe"}}
}

func TestWhatABaseURLWasAskedFor(t *testing.T) {
	t.Parallel()
	x := trail.Exchange{Way: "base", Service: "stripe", Host: "127.0.0.1", Path: "/v1/charges", Query: "limit=1"}
	if got := address(&x); got != "http://127.0.0.1/stripe/v1/charges?limit=1" {
		t.Error(got)
	}
	x.Base = "http://127.0.0.1:7070/stripe"
	if got := address(&x); got != "http://127.0.0.1:7070/stripe/v1/charges?limit=1" {
		t.Error(got)
	}
}

func TestHARSaysHowRepliesFailed(t *testing.T) {
	t.Parallel()
	events, settlements := odd()
	var out bytes.Buffer
	if err := HAR(&out, "1.2.3", nil, events, settlements); err != nil {
		t.Fatal(err)
	}
	var archive struct{ Log struct{ Entries []harEntry } }
	if err := json.Unmarshal(out.Bytes(), &archive); err != nil {
		t.Fatal(err)
	}
	entries := archive.Log.Entries
	if r := entries[0].Response; r.Status != 0 || r.Error != "no reply" {
		t.Errorf("nothing: %+v", r)
	}
	if r := entries[2].Request; r.PostData.Encoding != "base64" || r.PostData.Text != "/wD+" || r.BodySize != -1 {
		t.Errorf("bytes: %+v %+v", r, r.PostData)
	}
	if r := entries[3].Response; r.RedirectURL != "/elsewhere" || r.Error != "" {
		t.Errorf("redirect: %+v", r)
	}
	if r := entries[4].Response; r.Content.Text != "wh" || r.Content.Size != 2 || r.Error != "reply cut after 2 bytes" {
		t.Errorf("cut: %+v", r)
	}
	if r := entries[5].Response; r.Status != 0 || r.Error != "reply cut in its head" {
		t.Errorf("head cut: %+v", r)
	}
}

func sarifOf(t *testing.T, r Report) sarifRun {
	t.Helper()
	var out bytes.Buffer
	if err := SARIF(&out, r); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	return log.Runs[0]
}
