package gateway_test

import (
	"io"
	"net/http"
	"path/filepath"
	"strconv"
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

// gated is a profile in which a person is asked about each customer that is made.
const gated = `
profile: gated
seed: 7
world: empty
services: {stripe: {}}
clock: {mode: stepped}
policy:
  stage: 4
  gates:
    customers: {call: stripe POST /v1/customers, then: approve, by: [lead], because: Customers are counted.}
  approvals: {answer: refuse}
  approvers:
    lead: {person: true}
`

// A call is held, a person approves it on the page, and the same call is done.
func TestAPersonApprovesOnThePage(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	h := open(t, gated, func(s *gateway.Settings) { s.Token = controlToken })
	token, err := people.Add(filepath.Join(h.root, people.FileName), "ada", time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: token})
	if err != nil {
		t.Fatal(err)
	}
	code, err := k.ConsoleCode(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b.Size(1280, 900)
	b.Open("http://" + h.Control() + "/console/#code=" + code.Code)
	b.Until(`document.querySelector('main').textContent.includes('Nothing waits for a person')`)
	ask := func() int {
		status, _, _, _ := call(t, h.proxied(false), "POST", "https://api.stripe.com/v1/customers", "name=Ada&email=ada%40example.com", "Content-Type", "application/x-www-form-urlencoded", "Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
		return status
	}
	if status := ask(); status != 403 {
		t.Fatalf("it was answered %d", status)
	}
	b.Until(`document.querySelectorAll('.item:not(.quiet)').length === 1`)
	b.Until(`document.querySelector('.chosen').textContent.includes('ada@example.com')`)
	for _, says := range []string{"/v1/customers", "gate customers", "Customers are counted.", "lead is to answer", "stripe.customers/", "is made", "acting as ada"} {
		if !b.Eval(`document.querySelector('main').textContent.includes(` + strconv.Quote(says) + `)`).(bool) {
			t.Errorf("it does not say %q: %v", says, b.Eval(`document.querySelector('main').textContent`))
		}
	}
	b.Press("a", "Enter")
	b.Until(`document.querySelector('#toast').textContent === 'Approved.'`)
	if status := ask(); status != 200 {
		t.Errorf("once approved it was answered %d", status)
	}
	b.Until(`document.querySelector('.item.quiet .state').textContent === 'used'`)
	list, err := k.Approvals(t.Context(), h.Run.ID, "")
	if err != nil || len(list) == 0 || list[0].By == nil || *list[0].By != (client.By{Name: "ada", Kind: client.ByPerson}) {
		t.Errorf("%+v, %v", list, err)
	}
	if len(b.Errors) > 0 {
		t.Errorf("the console has errors: %q", b.Errors)
	}
}

// Who changes a number gets the number: 9007199254740993 came back as …992.
func TestAChangedNumberKeepsItsDigits(t *testing.T) {
	t.Parallel()
	h := open(t, gated, func(s *gateway.Settings) { s.Token, s.Memory = controlToken, true })
	status, _, _, _ := call(t, h.proxied(false), "POST", "https://api.stripe.com/v1/customers", "name=Ada&balance=1", "Content-Type", "application/x-www-form-urlencoded", "Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	list, err := h.control().Approvals(t.Context(), "", client.Pending)
	if status != 403 || err != nil || len(list) != 1 {
		t.Fatalf("%d, %d that wait, %v", status, len(list), err)
	}
	at := "http://" + h.Control() + "/v1/runs/" + h.Run.ID + "/approvals/" + list[0].ID
	body := `{"decision":"change","by":"ada","digest":"` + list[0].Digest + `","set":{"balance":9007199254740993}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/decision", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+controlToken)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	said, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK || !strings.Contains(string(said), `"set":{"balance":9007199254740993}`) {
		t.Errorf("%d %s %v", reply.StatusCode, said, err)
	}
}
