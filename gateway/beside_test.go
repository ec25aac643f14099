package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// names of the known differences that a report has as touched.
func differing(rep report.Report) (names []string) {
	for i := range rep.Differences {
		names = append(names, rep.Differences[i].Name)
	}
	return names
}

// A write in mode shadow is captured with what it would do to the real record, which
// is read for it; the real service sees no write. Beside a log of what people did it
// is told in each report from then on.
func TestShadowIsComparedWithWhatPeopleDid(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	c := r.direct(false, false)
	id := fmt.Sprint(must(t, c, "POST", "http://"+r.Addr()+"/stripe/v1/customers", "description=Ada")["id"])
	before := len(r.saw())

	h := open(t, r.profile("shadow", ""), withRealKey)
	base := "http://" + h.Addr() + "/stripe/v1/customers"
	must(t, h.single(), "POST", base+"/"+id, "description=Gold")
	must(t, h.single(), "DELETE", base+"/"+id, "")
	if got := must(t, h.single(), "GET", base+"/"+id, ""); got["description"] != "Ada" {
		t.Errorf("the real customer is %v", got)
	}
	for _, call := range r.saw()[before:] {
		if !strings.HasPrefix(call, "GET ") {
			t.Errorf("the real service saw %s", call)
		}
	}
	h.events()
	k := keptRun(t, h)
	drafts, err := k.Drafts()
	if err != nil || len(drafts) != 2 || len(drafts[0].Predicted.Diff) != 1 || drafts[0].Predicted.Diff[0].Record != "stripe.customers/"+id {
		t.Fatalf("drafts %+v, %v", drafts, err)
	}
	if got := differing(k.Report()); !slices.Contains(got, "shadow-multistep") || !slices.Contains(got, "drafts-are-not-kept") {
		t.Errorf("differences %v", got)
	}
	log := fmt.Appendf(nil, `{"at": "2026-03-02T09:00:00Z", "call": "stripe POST /v1/customers/%s", "body": {"description": "Gold", "metadata": {"k": %q}}, "by": "ada"}`+"\n", id, strings.Replace(realKey, "test", "live", 1))
	clean := kept.CleanHuman(log)
	if bytes.Contains(clean, []byte("canary")) || !json.Valid(clean) {
		t.Errorf("kept %s", clean)
	}
	if err := kept.KeepHuman(h.root, h.Run.ID, clean); err != nil {
		t.Fatal(err)
	}
	rep := keptRun(t, h).Report()
	if s := rep.Shadow; s == nil || s.Dangerous != 1 || s.Interesting != 1 || s.Findings[0].Call != "stripe DELETE /v1/customers/{customer}" || s.Findings[0].Agent.Draft != drafts[1].ID {
		t.Errorf("beside people: %+v", s)
	}
	for _, name := range []string{"text", "markdown", "html", "json"} {
		f, _ := report.FormatNamed(name)
		var out bytes.Buffer
		if err := f.Write(&out, keptRun(t, h).Subject(), report.Options{}); err != nil || !strings.Contains(strings.ToLower(out.String()), "dangerous") {
			t.Errorf("%s does not tell it: %v", name, err)
		}
	}
	h.close()
	if err := kept.ForgetHuman(h.Dir(), h.Run.ID); err != nil || keptRun(t, h).Report().Shadow != nil {
		t.Errorf("a log that was removed is still compared: %v", err)
	}
	if _, err := os.Stat(kept.HumanFile(h.Dir(), h.Run.ID)); err == nil {
		t.Error("it is still there")
	}
}

func keptRun(t *testing.T, h *harness) *kept.Run {
	t.Helper()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Writes that a fake made, of which a run in live-read has some, are compared as
// captured ones are; what was set back, refused or answered from a key is none.
func TestWritesOfAFakeAreComparedToo(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.Token = controlToken })
	base := "http://" + h.Addr() + "/stripe/v1/customers"
	gone := fmt.Sprint(must(t, h.single(), "POST", base, "description=first")["id"])
	if _, err := h.control().Reset(t.Context(), h.Run.ID); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		must(t, h.single(), "POST", base, "description=Ada", "Idempotency-Key", "k-1")
	}
	if status, _, _, err := call(t, h.single(), "DELETE", base+"/"+gone, ""); err != nil || status != 404 {
		t.Fatal(status, err)
	}
	h.events()
	c, err := keptRun(t, h).Compare(fmt.Appendf(nil, `{"at": "2026-03-02T09:00:00Z", "call": "stripe POST /v1/customers", "body": "description=Ada"}
{"at": "2026-03-02T09:01:00Z", "call": "stripe DELETE /v1/customers/%s"}`, gone))
	if err != nil || c.Acts != 1 || c.Agree != 1 || c.Interesting != 1 || len(c.Tried) != 1 {
		t.Fatalf("%+v %v", c, err)
	}
	if f := c.Findings[0]; f.Kind != trail.Interesting || !strings.Contains(strings.Join(f.Why, " "), "the fake refused it with 404") {
		t.Errorf("%+v", f)
	}
}

// What a run's policy answers as no real service would comes as a known difference
// by itself, and where nothing was held there is none.
func TestHeldCallsBringTheirDifference(t *testing.T) {
	t.Parallel()
	for _, gate := range []string{"", "refunds: {call: stripe POST /v1/customers, then: approve, by: desk}"} {
		h := open(t, "profile: gated\nservices: {stripe: {}}\nclock: {mode: stepped}\npolicy: {stage: 5, gates: {"+gate+"}, approvers: {desk: {decides: nothing}}}\n")
		status, _, _, err := call(t, h.single(), "POST", "http://"+h.Addr()+"/stripe/v1/customers", "description=Ada")
		if err != nil || (status == 403) != (gate != "") {
			t.Fatal(status, err)
		}
		h.events()
		if got := slices.Contains(differing(keptRun(t, h).Report()), "approval-wire"); got != (gate != "") {
			t.Errorf("gate %q: approval-wire is %t", gate, got)
		}
	}
}
