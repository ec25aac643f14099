package gateway_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parity/gateway"
	"parity/gateway/browser"
	"parity/gateway/client"
	"parity/gateway/people"
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

// Who shows a token of their own is known by its name, until it is removed: at the
// next call, and on the page that they have opened.
func TestAPersonIsKnownUntilTheirTokenIsRemoved(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.Token = controlToken })
	file := filepath.Join(h.root, people.FileName)
	token, err := people.Add(file, "ada", time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	as := func(token string) *client.Client {
		k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: token})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	code, err := as(token).ConsoleCode(t.Context(), "somebody else")
	if err != nil {
		t.Fatal(err)
	}
	page, err := as("").OpenConsole(t.Context(), code.Code)
	if err != nil || page.Name != "ada" || !page.Proved {
		t.Fatalf("%+v %v", page, err)
	}
	if _, err := as(page.Token).ConsoleCode(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "opens no other") {
		t.Errorf("a console opens another: %v", err)
	}
	for _, token := range []string{token, page.Token} {
		if _, err := as(token).Approvals(t.Context(), h.Run.ID, ""); err != nil {
			t.Error(err)
		}
		if _, err := as(token).End(t.Context(), h.Run.ID, nil); err == nil || !strings.Contains(err.Error(), "PARITY_CONTROL_TOKEN") {
			t.Errorf("it ends a run: %v", err)
		}
	}
	if err := people.Remove(file, "ada"); err != nil {
		t.Fatal(err)
	}
	if _, err := people.Add(file, "ada", time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{token, page.Token} {
		if _, err := as(token).Approvals(t.Context(), h.Run.ID, ""); err == nil || !strings.Contains(err.Error(), "show the operator's control token") {
			t.Errorf("it was removed: %v", err)
		}
	}
}
