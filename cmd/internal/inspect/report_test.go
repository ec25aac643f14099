package inspect

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

	"parity/cmd/internal/gatewaytest"
	"parity/cmd/internal/reports"
)

// ended is a run that has ended, with so many calls: its root, and its name.
func ended(t *testing.T, calls int) (root, run string) {
	t.Helper()
	h := gatewaytest.Open(t, gatewaytest.Quiet)
	for range calls {
		h.Must("GET", h.Base("stripe")+"/v1/charges", "")
	}
	h.Close()
	return h.Root, h.Run.ID
}

func TestReportsAreWritten(t *testing.T) {
	t.Parallel()
	root, run := ended(t, 1)
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
	to, err := reports.Parse(all)
	must(err)
	must(WriteReports(t.Context(), root, run, to, ""))
	for _, file := range all {
		said, err := os.ReadFile(file)
		must(err)
		if !bytes.Contains(said, []byte(run)) && !strings.HasSuffix(file, ".har") || bytes.Contains(said, []byte("of a run before")) {
			t.Errorf("%s says %.300s", file, said)
		}
	}
	must(os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	for _, file := range []string{dir, filepath.Join(dir, "file", "a")} {
		to, err := reports.Parse([]string{"junit=" + file})
		must(err)
		if err := WriteReports(t.Context(), root, run, to, ""); err == nil || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// A collector gets all spans, in parts that it takes, and with what it wants to
// know of who sends; what it says of them is told.
func TestTracesGoToACollector(t *testing.T) {
	t.Parallel()
	root, run := ended(t, 2)
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
	to, err := reports.Parse([]string{"otlp=" + collector.URL})
	if err != nil {
		t.Fatal(err)
	}
	put := func(headers string) error { return WriteReports(t.Context(), root, run, to, headers) }
	if err := put("x-key=a%2Cb,"); err != nil || spans != 3 {
		t.Errorf("%d spans, %v", spans, err)
	}
	for _, c := range []struct {
		status       int
		answer, want string
	}{
		{http.StatusNotFound, "no\x1b such", `404 Not Found: "no\x1b such"`},
		{http.StatusOK, `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"old"}}`, `refuses 2 spans: "old"`},
		{http.StatusOK, `{"partialSuccess":{}}`, ""},
		{http.StatusOK, "fine", ""},
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

func TestSurfaceIsTextOrJSON(t *testing.T) {
	t.Parallel()
	root, run := ended(t, 1)
	var out strings.Builder
	if err := PrintSurface(&out, root, run, "text"); err != nil || !strings.Contains(out.String(), "stripe GET /v1/charges") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := PrintSurface(&out, root, run, "sarif"); err == nil {
		t.Error("written as SARIF")
	}
}
