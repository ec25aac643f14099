package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/gateway"
)

func TestWhereReportsGo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a.xml": "a.xml", "out/A.JSON": "out/A.JSON", "a.otlp.json": "a.otlp.json", "junit=a": "a", "markdown=/x/y=z": "/x/y=z", "./a=b.md": "./a=b.md",
		"otlp=http://me:hush@127.0.0.1:4318": "http://me:xxxxx@127.0.0.1:4318/v1/traces", "otlp=https://c.example/otlp/": "https://c.example/otlp/v1/traces",
		"otlp=http://c.example/v1/traces": "http://c.example/v1/traces", "otlp=traces": "traces",
	} {
		all, err := gateway.ParseReports([]string{text})
		if err != nil || all[0].String() != want {
			t.Errorf("%s: %v, %v", text, all, err)
		}
	}
	for text, want := range map[string]string{
		"a.pdf": "its ending names no format: say FORMAT=FILE", "": "its ending names no format", "xml=a.xml": "junit", "otlp=": "names no file", "junit=": "names no file",
		"otlp=http://": "goes to a file", "junit=http://c.example/": "goes to a file",
	} {
		var usage *gateway.UsageError
		if _, err := gateway.ParseReports([]string{text}); !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := gateway.ParseReports([]string{"a.xml", "json=a.xml"}); err == nil || !strings.Contains(err.Error(), "another report goes there too") {
		t.Errorf("two reports in one file: %v", err)
	}
}

// rehearsed is a run that has ended, with so many calls.
func rehearsed(t *testing.T, calls int) *harness {
	t.Helper()
	h := open(t, quiet)
	c := h.proxied(false)
	for range calls {
		must(t, c, "GET", "https://api.stripe.com/v1/charges", "")
	}
	h.close()
	return h
}

func TestReportsAreWritten(t *testing.T) {
	t.Parallel()
	h := rehearsed(t, 1)
	dir := t.TempDir()
	stale := filepath.Join(dir, "new", "a.md")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(filepath.Dir(stale), 0o750))
	must(os.WriteFile(stale, []byte(strings.Repeat("of a run before ", 1000)), 0o600))
	var all []string
	for name := range strings.SplitSeq("a.txt a.md a.json a.xml a.sarif a.har a.otlp.json", " ") {
		all = append(all, filepath.Join(dir, "new", name))
	}
	to, err := gateway.ParseReports(all)
	must(err)
	must(gateway.WriteReports(t.Context(), h.root, h.Run.ID, to, ""))
	for _, file := range all {
		said, err := os.ReadFile(file)
		must(err)
		if !bytes.Contains(said, []byte(h.Run.ID)) && !strings.HasSuffix(file, ".har") || bytes.Contains(said, []byte("of a run before")) {
			t.Errorf("%s says %.300s", file, said)
		}
	}
	must(os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for _, file := range []string{dir, filepath.Join(dir, "file", "a")} {
		to, err := gateway.ParseReports([]string{"junit=" + file})
		must(err)
		var usage *gateway.UsageError
		if err := gateway.WriteReports(t.Context(), h.root, h.Run.ID, to, ""); !errors.As(err, &usage) || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// A collector gets all spans, in parts that it takes, and with what it wants to
// know of who sends; what it says of them is told.
func TestTracesGoToACollector(t *testing.T) {
	t.Parallel()
	h := rehearsed(t, 2)
	status, answer, spans := http.StatusOK, "{}", 0
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var doc struct {
			ResourceSpans []struct{ ScopeSpans []struct{ Spans []any } }
		}
		if err = errors.Join(err, json.Unmarshal(body, &doc)); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("X-Key") != "a,b" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v: %v", r.Method, r.URL, r.Header, err)
		} else {
			spans += len(doc.ResourceSpans[0].ScopeSpans[0].Spans)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	defer collector.Close()
	to, err := gateway.ParseReports([]string{"otlp=" + collector.URL})
	if err != nil {
		t.Fatal(err)
	}
	put := func(headers string) error { return gateway.WriteReports(t.Context(), h.root, h.Run.ID, to, headers) }
	if err := put("x-key=a%2Cb,"); err != nil || spans != 3 {
		t.Errorf("%d spans, %v", spans, err)
	}
	for _, c := range []struct {
		status       int
		answer, want string
	}{
		{http.StatusNotFound, "no\x1b such", `404 Not Found: "no\x1b such"`}, {http.StatusOK, `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"old"}}`, `refuses 2 spans: "old"`},
		{http.StatusOK, `{"partialSuccess":{}}`, ""}, {http.StatusOK, "fine", ""},
	} {
		status, answer = c.status, c.answer
		if err := put("x-key=a%2Cb"); err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if err := put("nonsense"); err == nil || !strings.Contains(err.Error(), "name=value") {
		t.Errorf("%v", err)
	}
	collector.Close()
	if err := put("x-key=a%2Cb"); err == nil || !strings.Contains(err.Error(), "port 4318") {
		t.Errorf("%v", err)
	}
}

// Who names no format gets JSON, as the contract says.
func TestAReportIsJSONWhereNoFormatIsNamed(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	k := h.control()
	for query, want := range map[string]string{"": "application/json", "?format=text": "text/plain", "?format=markdown": "text/markdown"} {
		ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, k.URL()+"/v1/runs/"+h.Run.ID+"/report"+query, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		ask.Header.Set("Authorization", "Bearer "+k.Token())
		reply, err := http.DefaultClient.Do(ask)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		if kind := reply.Header.Get("Content-Type"); reply.StatusCode != http.StatusOK || !strings.HasPrefix(kind, want) {
			t.Errorf("%q: %s, %s", query, reply.Status, kind)
		}
	}
}
