package gateway_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// sends makes a call as the bot, and gives its status, 0 where the answer was lost.
func sends(t *testing.T, h *harness, method, path, kind, body string, header ...string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+h.Addr()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_parityparity")
	r.Header.Set("Content-Type", kind)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	reply, err := h.single().Do(r)
	if err != nil {
		return 0
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body)
	return reply.StatusCode
}

func committed(h *harness) int {
	events, _ := h.events()
	made := 0
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Committed {
			made++
		}
	}
	return made
}

const form = "application/x-www-form-urlencoded"

// A part of a batch that a gate is about is what the gate says it is.
func TestABatchDoesNotCarryAPartPastItsGate(t *testing.T) {
	t.Parallel()
	h := open(t, `
profile: batch
seed: 7
world: friendly
services:
  googlecalendar: {}
identities:
  bot: {presents: {value: ya29.parity-parity-parity-parity}, may: irreversible}
policy:
  gates:
    deletes: {call: "googlecalendar DELETE /calendar/v3/calendars/{calendarId}/events/{eventId}", then: refuse}
`)
	batch := "--b\r\nContent-Type: application/http\r\n\r\nDELETE /calendar/v3/calendars/primary/events/acmestandup0001 HTTP/1.1\r\n\r\n\r\n--b--\r\n"
	if got := sends(t, h, "POST", "/googlecalendar/batch/calendar/v3", "multipart/mixed; boundary=b", batch, "Authorization", "Bearer ya29.parity-parity-parity-parity"); got != http.StatusForbidden {
		t.Errorf("the batch is answered %d", got)
	}
	if n := committed(h); n != 0 {
		t.Errorf("%d calls have committed", n)
	}
}

// What the service would have refused when the call came is asked about where it
// would do it once a rule has had the call wait.
func TestACallThatWasToBeRefusedIsHeldOnceItWouldBeDone(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(deskWhere("answer: refuse", "decides: nothing"), "call: stripe POST /v1/customers,", "call: stripe POST /v1/refunds,", 1)+
		"faults:\n  slow: {call: stripe POST /v1/refunds, inject: timeout, with: {for: 600ms, commits: every}, trigger: {tries: 9}}\n")
	post := func(path, body string) string {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+h.Addr()+"/stripe"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer sk_test_parityparity")
		r.Header.Set("Content-Type", form)
		reply, err := h.single().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		text, _ := io.ReadAll(reply.Body)
		return string(text)
	}
	_, rest, _ := strings.Cut(post("/v1/payment_intents", "amount=1000&currency=usd&payment_method=pm_card_visa&payment_method_types[]=card"), `"id":"`)
	intent, _, _ := strings.Cut(rest, `"`)
	var refund sync.WaitGroup
	refund.Go(func() { sends(t, h, "POST", "/stripe/v1/refunds", form, "payment_intent="+intent) })
	for h.Run.Seq() < 3 { // it waits
		if t.Context().Err() != nil {
			t.Fatal("the refund never came")
		}
	}
	post("/v1/payment_intents/"+intent+"/confirm", "")
	refund.Wait()
	events, _ := h.events()
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Operation == "POST /v1/refunds" && x.Committed {
			t.Error("it was refunded, and nobody was asked")
		}
	}
}

// A retry that a rule has the service take for a new call wants an approval.
func TestARetryWhoseKeyIsForgottenIsHeld(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: refuse", "decides: approve")+
		"faults:\n  forgets: {call: stripe POST /v1/customers, inject: idempotency-conflict, with: {how: forgotten}, trigger: {tries: 9}}\n")
	for range 4 {
		sends(t, h, "POST", "/stripe/v1/customers", form, "name=Ada", "Idempotency-Key", "k-1")
	}
	events, _ := h.events()
	used := 0
	for i := range events {
		if x := events[i].Exchange; x != nil && x.Committed && x.Policy.State != "used" {
			t.Errorf("event %d was done without an approval", events[i].Seq)
		} else if x != nil && x.Committed {
			used++
		}
	}
	if used == 0 {
		t.Error("nothing was done at all")
	}
}

// An approval is used by a call that the service has done, though no record shows it.
func TestAnActThatLeavesNoRecordUsesItsApproval(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	contract := `{"openapi":"3.0.3","info":{"title":"bank","version":"1"},"servers":[{"url":"https://bank.example"}],"paths":{
"/accounts":{"get":{"responses":{"200":{"description":"all"}}}},
"/wires/now":{"post":{"x-parity-class":"irreversible","requestBody":{"content":{"application/json":{"schema":{"type":"object"}}}},"responses":{"200":{"description":"done","content":{"application/json":{"schema":{"type":"object","properties":{"ok":{"type":"boolean"}}}}}}}}}}}`
	if err := os.WriteFile(filepath.Join(dir, "bank.json"), []byte(contract), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openIn(t, dir, `
profile: wires
seed: 7
services:
  bank: {contract: bank.json}
clock: {mode: stepped}
policy:
  gates:
    wires: {call: bank POST /wires/now, then: approve}
  approvers:
    clerk: {decides: approve}
`)
	var got []int
	for range 3 {
		got = append(got, sends(t, h, "POST", "/bank/wires/now", "application/json", `{"to":"x","amount":1}`))
	}
	if got[0] != 403 || got[1] != 200 || got[2] != 403 {
		t.Errorf("%v; want it held, done, and held again", got)
	}
}

// What is approved is what is sent, whatever its fields are called.
func TestAnApprovalIsOfAllThatACallSays(t *testing.T) {
	t.Parallel()
	h := open(t, deskWhere("answer: refuse", "decides: approve"))
	ask := func(order string) int {
		return sends(t, h, "POST", "/stripe/v1/customers", form, "name=Ada&metadata[request_id]="+order)
	}
	if ask("order-1") != 403 || ask("order-666") != 403 || ask("order-1") != 200 {
		t.Error("an approval of one order was good for another, or for none")
	}
}
