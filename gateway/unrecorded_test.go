package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/kept"
)

// filled opens a gateway whose run has no room for another event, and gives the
// customers that it has by then.
func filled(t *testing.T, change ...func(*gateway.Settings)) (h *harness, customers int) {
	t.Helper()
	h = open(t, quiet+`
faults:
  slow-down:
    call: stripe GET /v1/customers
    inject: error
    with: {status: 429}
    trigger: {every: 2}
`, append(change, func(s *gateway.Settings) { s.MaxRecord = 64 << 10 })...)
	made := 0
	for i := 0; ; i++ {
		if i == 20_000 {
			t.Fatal("it does not fill")
		}
		status, body, header, err := call(t, h.direct(false, false), "POST", "http://"+h.Addr()+"/stripe/v1/customers", fmt.Sprintf("name=%d", i))
		switch {
		case err != nil:
			t.Fatal(err)
		case header.Get("X-Parity-Refused") == "journal" && body["error"] != nil:
			return h, made
		case header.Get("X-Parity-Refused") == "journal": // until what waits is written
			continue
		case status != http.StatusOK:
			t.Fatal(status, body)
		}
		made++
	}
}

// A run whose record was full refused what changes nothing, too, and agents that
// only looked could not go on.
func TestAFullRecordAnswersWhatChangesNothing(t *testing.T) {
	t.Parallel()
	h, customers := filled(t)
	c, base := h.direct(false, false), "http://"+h.Addr()+"/stripe/v1/"
	seq, world, tallies := h.Run.Hashes()
	first := ""
	for i := range 6 { // each second one would be struck, were it counted
		status, body, header, err := call(t, c, "GET", base+"customers?limit=100", "")
		if err != nil || status != http.StatusOK || header.Get("Date") == "" {
			t.Fatal(status, body, err)
		}
		list, _ := body["data"].([]any)
		if len(list) != min(customers, 100) {
			t.Fatalf("%d of %d customers", len(list), customers)
		}
		if text := fmt.Sprint(body); i == 0 {
			first = text
		} else if text != first {
			t.Error("the same question has another answer, though nothing can have changed")
		}
	}
	status, body, header, err := call(t, c, "POST", base+"customers", "name=one-more")
	said, _ := body["error"].(map[string]any)
	if err != nil || status != http.StatusServiceUnavailable || said == nil || header.Get("X-Parity-Refused") != "journal" {
		t.Errorf("a write: %d %v %v", status, body, err)
	}
	if s, w, n := h.Run.Hashes(); s != seq || w != world || n != tallies {
		t.Error("what was not recorded has changed the run")
	}
	if status, _, _, err := call(t, c, "GET", base+"customers/cus_gone", ""); err != nil || status != http.StatusNotFound {
		t.Errorf("a read of what is not there: %d %v", status, err)
	}
	if status, _, _, err := call(t, c, "GET", base+"nowhere", ""); err != nil || status != http.StatusNotFound {
		t.Errorf("what the service has not: %d %v", status, err)
	}
	reply, err := c.Do(requestOf(t, "GET", "http://"+h.Control()+"/metrics", "", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`parity_unrecorded_calls_total{result="answered"} 8`, `parity_unrecorded_calls_total{result="refused"} 2`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// What a report says of calls that it has no record of was nothing.
func TestAReportSaysThatItsRecordWasFull(t *testing.T) {
	t.Parallel()
	h, _ := filled(t, shared)
	for range 3 {
		if status, _, _, err := call(t, h.direct(false, false), "GET", "http://"+h.Addr()+"/stripe/v1/customers", ""); err != nil || status != http.StatusOK {
			t.Fatal(status, err)
		}
	}
	last := h.Run.Seq()
	runs, err := h.control().Runs(t.Context(), "live")
	if err != nil || len(runs) != 1 || !strings.Contains(runs[0].Trouble, fmt.Sprintf("full after event %d", last)) {
		t.Errorf("the list of runs says %+v, %v", runs, err)
	}
	h.close()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("its record was full after event %d, and what came then is not in it: 3 calls that changed nothing were answered from the world as it stood, and struck by no rule, and 1 were refused", last)
	if missing := k.Missing(); len(missing) != 1 || missing[0] != want {
		t.Errorf("missing: %q, want %q", missing, want)
	}
	if report := k.Report(); report.Exit == 0 || len(report.Missing) != 1 {
		t.Errorf("it passes: exit %d, missing %q", report.Exit, report.Missing)
	}
	var out strings.Builder
	if code, err := replayRun(t.Context(), &out, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replay: %d %v\n%s", code, err, out.String())
	}
	list, err := kept.List(h.root)
	if err != nil || len(list) != 1 || list[0].Trouble != want {
		t.Errorf("the list of kept runs: %+v %v", list, err)
	}
}
