package gateway_test

import (
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/browser"
	"parity/gateway/client"
)

// A code opens the page of a gateway, whose token reads runs and nothing of what
// would let its holder act in them.
func TestAConsoleOpensAndReadsRuns(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.Token, s.Memory = controlToken, true })
	code, err := h.control().ConsoleCode(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	anybody, err := client.New(client.Options{URL: "http://" + h.Control()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := anybody.OpenConsole(t.Context(), code.Code)
	if err != nil || got.Name != "ada" || got.Proved {
		t.Fatalf("%+v, %v", got, err)
	}
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: got.Token})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := k.Runs(t.Context(), "")
	if err != nil || len(runs) != 1 || runs[0].Token != "" || runs[0].URLs != nil {
		t.Errorf("%+v, %v", runs, err)
	}
	if run, err := k.Run(t.Context(), h.Run.ID); err != nil || run.Token != "" || run.URLs != nil {
		t.Errorf("%+v, %v", run, err)
	}
	if _, err := k.Reset(t.Context(), h.Run.ID); err == nil || !strings.Contains(err.Error(), "PARITY_CONTROL_TOKEN") {
		t.Errorf("it resets a run: %v", err)
	}
	if _, err := k.Approvals(t.Context(), "", client.Pending); err != nil {
		t.Error(err)
	}
}

// The page itself, from a gateway, with all that its control port puts before it.
func TestAConsoleIsShown(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	h := open(t, quiet, func(s *gateway.Settings) { s.Token, s.Memory = controlToken, true })
	code, err := h.control().ConsoleCode(t.Context(), "ada")
	if err != nil {
		t.Fatal(err)
	}
	b.Open("http://" + h.Control() + "/console/#code=" + code.Code)
	b.Until(`document.querySelector('main').textContent.includes('Nothing waits for a person')`)
	b.Until(`document.getElementById('link').textContent === 'live'`)
	if at := b.Eval(`location.hash + document.cookie`); at != "#/approvals" {
		t.Errorf("it is at %v", at)
	}
	if len(b.Errors) > 0 {
		t.Errorf("the console has errors: %q", b.Errors)
	}
}
