package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPageHasRatiosAndWhatWasLeftOut(t *testing.T) {
	t.Parallel()
	starts := beginnings([]*cold{
		{starter: starter{title: "bare server"}, took: []float64{0.02, 0.01, 0.09}, cpu: []float64{0.01}, resident: []float64{8}},
		{starter: starter{title: "parity --version"}, took: []float64{0.08, 0.04, 0.01}, cpu: []float64{0.03}},
	})
	f := figures{
		about:    "2 cores.",
		contests: []placed{{contest{title: "GET one"}, []standing{{Peer: bare, Ratio: 1, CPU: 1}, {Peer: parity, Ratio: 0.5, CPU: 4}, {Peer: before, Ratio: 0.4}}}, {contest{title: "Proxy"}, []standing{{Peer: goproxy, Ratio: 0.9, CPU: 1.2}}}},
		starts:   starts,
		memory:   []keeping{{Peer: bare, Resident: 0.4}, {Peer: parity, Resident: 12, Heap: 9.5, Store: 1.5, Ours: true}},
		delays:   []delay{{Peer: bare, Case: "get", Ratio50: 1, Ratio99: 1}, {Peer: parity, Case: "get", Ratio50: 1.5, Ratio99: 2.5}},
		leftOut:  map[string]error{hoverfly: errors.New("no such module")},
	}
	if err := f.failed(); err != nil {
		t.Errorf("nothing failed: %v", err)
	}
	failed := figures{contests: []placed{{contest{name: "get"}, []standing{{Peer: parity, failed: 2, first: "status 507"}}}}}
	if err := failed.failed(); err == nil || err.Error() != "parity, get: 2 calls failed, the first: status 507" {
		t.Errorf("got %v", err)
	}
	got := f.markdown()
	for _, line := range []string{
		"| | goproxy | parity |", "| --- | --- | --- |",
		"| GET one | – | 0.50 (4.0×) |", "| Proxy | 0.90 (1.2×) | – |",
		"| bare server | 1.0× | 1.0× | 8 MB |", "| parity --version | 2.0× | 3.0× | – |",
		"| bare | 0.4 KB | – | – |", "| parity | 12.0 KB | 9.5 KB | 1.5 KB |",
		"| parity, get | 1.5× | 2.5× |", "Not to be had where this was measured: hoverfly.",
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
}

// TestWritingLeavesTheRestOfThePageAlone, and can be done again.
func TestWritingLeavesTheRestOfThePageAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "README.md")
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), pageBegins)
	_, tail, _ := strings.Cut(rest, pageEnds)
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one\n", "two\n"} {
		if err := write(file, text); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(file)
		if string(got) != head+pageBegins+"\n"+text+"\n"+pageEnds+tail {
			t.Errorf("got\n%s", got)
		}
	}
	if _, err := written("# no markers\n", "x"); err == nil {
		t.Error("no markers, and no error")
	}
}

func TestSimulationSaysWhatParitySaid(t *testing.T) {
	t.Parallel()
	f := &field{dir: t.TempDir(), call: call{method: "GET", path: "/v1/customers?limit=20"}}
	f.replies = filepath.Join(f.dir, "replies.json")
	content, _ := json.Marshal([]reply{{Call: "GET /v1/customers?limit=20", Status: 200, Body: []byte(`{"data":[]}`), Header: map[string][]string{"Request-Id": {"req_1"}}}})
	if err := os.WriteFile(f.replies, content, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := f.simulation()
	if err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(file)
	const want = `{"data":{"globalActions":{"delays":[]},"pairs":[{` +
		`"request":{"method":[{"matcher":"exact","value":"GET"}],"path":[{"matcher":"exact","value":"/v1/customers"}],"query":{"limit":[{"matcher":"exact","value":"20"}]}},` +
		`"response":{"body":"{\"data\":[]}","encodedBody":false,"headers":{"Request-Id":["req_1"]},"status":200,"templated":false}}]},"meta":{"schemaVersion":"v5.2"}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestFlagsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"-rounds 0", "-slice 0s", "-client curl", "-write -case get", "-exchanges 1", "get"} {
		if _, err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
	got, err := parse(strings.Fields("-case get -slice 1s -soak 10m"))
	if err != nil || got.cases != "get" || got.slice != time.Second || got.soak != 10*time.Minute || got.client != netHTTP {
		t.Errorf("got %+v, %v", got, err)
	}
}
