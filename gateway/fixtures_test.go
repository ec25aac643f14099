package gateway_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

const peopled = quiet + `
data:
  stripe.customers: {count: 30, missing: {email: 20%}, created: [2010-01-01, 2020-01-01]}
`

// Runs begin with what the profile says, share it, and come back to it; its
// journal has all that is needed to have it again.
func TestRunsBeginWithTheirFixtures(t *testing.T) {
	t.Parallel()
	h := open(t, peopled, shared)
	runs := h.make(client.NewRun{Names: []string{"one", "two"}})
	c := h.single()
	first := h.dump("one", 0)
	if n := strings.Count(first, `"object":"customer"`); n < 30 || first != h.dump("two", 0) {
		t.Fatalf("%d customers, or two runs begin unlike", n)
	}
	made := must(t, c, "GET", base(runs[0])+"/v1/customers?limit=1", "")
	data, _ := made["data"].([]any)
	one, _ := data[0].(map[string]any)
	id, _ := one["id"].(string)
	must(t, c, "POST", base(runs[0])+"/v1/payment_intents", payment+"&customer="+id)
	must(t, c, "DELETE", base(runs[0])+"/v1/customers/"+id, "")
	if h.dump("two", 0) != first {
		t.Error("what one run deleted is gone from another")
	}
	if _, err := h.control().Reset(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if h.dump("one", 0) != first {
		t.Error("a reset does not bring the fixtures back")
	}
	h.close()
	if err := os.WriteFile(h.file, []byte(quiet), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := kept.Read(h.root, "two")
	if err != nil {
		t.Fatal(err)
	}
	state, err := kept.At(0)
	if err != nil {
		t.Fatal(err)
	}
	if n := state.World.Len("stripe.customers"); n != 30 {
		t.Errorf("from its record the run has %d customers", n)
	}
	next := h.reopen()
	if next.dump("two", 0) != first {
		t.Error("after a restart the run has other fixtures")
	}
}

// A fixture that breaks the contract is told with its line and pointer, and a
// save of the file is seen.
func TestFixtureFilesAreCheckedAndWatched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("people.yaml", "stripe.customers:\n  - {id: cus_Ada, name: Ada}\n  - {name: Bob, colour: red}\n")
	write("profile.yaml", "profile: p\nservices:\n  stripe: {fixtures: [./people.yaml]}\n")
	s := gateway.Settings{Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profile: filepath.Join(dir, "profile.yaml"), Getenv: func(string) string { return "" }}
	shared(&s)
	_, err := gateway.Open(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "people.yaml:3:1") || !strings.Contains(err.Error(), "/stripe.customers/1/colour") {
		t.Fatalf("a broken fixture: %v", err)
	}
	write("people.yaml", "stripe.customers:\n  - {id: cus_Ada, name: Ada}\n")
	srv, err := gateway.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{Server: srv, t: t, root: s.Root, file: s.Profile}
	t.Cleanup(h.close)
	h.make(client.NewRun{Names: []string{"before"}})
	write("people.yaml", "stripe.customers:\n  - {id: cus_Ada, name: Ada}\n  - {id: cus_Bob, name: Bob}\n")
	waitFor(t, "the new fixtures", func() bool { return h.customers("probe") == 2 })
	if n := h.customers("before"); n != 1 {
		t.Errorf("a run of before has %d customers now", n)
	}
}

// customers counts those of a run, which is made anew when it is the probe.
func (h *harness) customers(run string) int {
	if run == "probe" {
		_ = h.control().Remove(h.t.Context(), run)
		h.make(client.NewRun{Names: []string{run}})
	}
	return strings.Count(h.dump(run, 0), "\n{\"id\":\"cus_")
}
