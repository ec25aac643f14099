package faketest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/fakes/kit"
	"parity/fakes/stage"
	"parity/specs"
)

// A Rig plays one service in one world.
type Rig struct {
	*stage.Stage
	T      testing.TB
	Vendor *specs.Contract

	catalogue *fakes.Catalogue
}

// seed is what the worlds of rigs are drawn from.
const seed = chance.Seed(7)

// New makes a rig of a service, in the world that it begins with.
func New(t testing.TB, service fakes.Service) *Rig {
	t.Helper()
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	r := &Rig{Stage: stage.New(service, w, seed), T: t, catalogue: catalogue}
	r.Fired = r.written
	return r
}

// Fill begins the world anew from a fixture, in YAML.
func (r *Rig) Fill(content string) {
	r.T.Helper()
	base, err := r.catalogue.World()
	if err == nil {
		r.World, err = fixture.Build(base, r.catalogue, fixture.Spec{Files: []fixture.File{{Name: "fixture.yaml", Content: content}}}, seed, r.Now)
	}
	if err != nil {
		r.T.Fatal(err)
	}
}

// Send makes one request and gives its reply. header is pairs of name and
// value; an empty value takes the header away.
func (r *Rig) Send(method, target, body string, header ...string) Got {
	r.T.Helper()
	call, trouble := r.Call(method, target, body, r.Headers(header))
	if trouble != nil {
		return r.word(*trouble)
	}
	reply := r.Service.Ask(call)
	r.written(call)
	r.World = call.Tx.Commit()
	r.hold(call.Operation, reply)
	if r.Vendor != nil {
		path, query, _ := strings.Cut(target, "?")
		m := r.Vendor.MatchCall(&specs.Call{Method: method, Path: path, Query: query, Header: call.Header, Body: call.Body})
		if m.Operation == nil {
			m = r.Vendor.MatchBare(&specs.Call{Method: method, Path: path, Query: query, Header: call.Header, Body: call.Body})
		}
		if m.Operation != nil && (reply.Status < 300 || tellsOfErrors(m.Operation)) {
			if wrong := m.Operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body); len(wrong) > 0 {
				r.T.Errorf("%s %s: %d breaks the vendor's contract at %q: %s\n%s", method, target, reply.Status, wrong[0].Pointer, wrong[0].Message, kit.Clip(string(reply.Body)))
			}
		}
	}
	return r.got(reply)
}

// tellsOfErrors tells whether a contract says how an operation refuses: a
// discovery document does not.
func tellsOfErrors(op *specs.Operation) bool {
	return slices.ContainsFunc(op.Statuses(), func(status string) bool { return status >= "4" })
}

func (r *Rig) hold(operation *specs.Operation, reply fakes.Reply) {
	r.T.Helper()
	if wrong := operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body); len(wrong) > 0 {
		r.T.Errorf("%s: %d breaks the contract at %q: %s\n%s", operation.Name(), reply.Status, wrong[0].Pointer, wrong[0].Message, reply.Body)
	}
}

// written holds what a call has stored against the contract.
func (r *Rig) written(call *fakes.Call) {
	r.T.Helper()
	for _, wrong := range kit.Breaches(r.Service, call.Tx.Changes()) {
		r.T.Errorf("%s breaks the contract: %s%s %s", r.Service.Name, wrong.In, wrong.Pointer, wrong.Message)
	}
}

// JSON sends a value as JSON; nil sends no body.
func (r *Rig) JSON(method, target string, value any, header ...string) Got {
	r.T.Helper()
	if value == nil {
		return r.Send(method, target, "", header...)
	}
	body, err := json.Marshal(value)
	if err != nil {
		r.T.Fatal(err)
	}
	return r.Send(method, target, string(body), append([]string{"Content-Type", "application/json"}, header...)...)
}

// Form sends a form, as it stands in a body.
func (r *Rig) Form(method, target, form string, header ...string) Got {
	r.T.Helper()
	return r.Send(method, target, form, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...)
}

// Must ends the test unless the status is as said.
func (r *Rig) Must(status int, g Got) Got {
	r.T.Helper()
	if g.Status != status {
		r.T.Fatalf("status %d, want %d: %s", g.Status, status, g.Raw)
	}
	return g
}

func (r *Rig) word(t fakes.Problem) Got {
	r.T.Helper()
	reply, err := r.Render(t)
	if err != nil {
		r.T.Fatal(err)
	}
	return r.got(reply)
}

func (r *Rig) got(reply fakes.Reply) Got {
	r.T.Helper()
	g := Got{Status: reply.Status, Header: reply.Header, Raw: string(reply.Body), Reply: reply}
	if strings.Contains(reply.Header.Get("Content-Type"), "json") && len(reply.Body) > 0 {
		if err := json.Unmarshal(reply.Body, &g.Body); err != nil {
			r.T.Fatalf("%v: %s", err, reply.Body)
		}
		if reply.Result != nil {
			if a, b := asJSON(reply.Result), asJSON(g.Body); a != b {
				r.T.Errorf("Result is not the body:\n%s\n%s", a, b)
			}
		}
	}
	return g
}

// Wait moves the clock on and lets the service do what comes due.
func (r *Rig) Wait(d time.Duration) {
	r.T.Helper()
	if err := r.Advance(d); err != nil {
		r.T.Fatal(err)
	}
}

// Deliveries lists the webhooks that wait, by when they are due.
func (r *Rig) Deliveries() []fakes.Delivery {
	var all []fakes.Delivery
	for d := range kit.Deliveries(r.World) {
		all = append(all, d)
	}
	return all
}

// Attempt carries out the first delivery that waits: it gives the headers that
// would be sent, and tells the fake that the endpoint answered so; 0 is no
// answer. The clock goes to when it is due.
func (r *Rig) Attempt(status int) (fakes.Delivery, http.Header) {
	r.T.Helper()
	return r.Answered(status, "")
}

// Answered is Attempt of an endpoint that answers with a body.
func (r *Rig) Answered(status int, body string) (fakes.Delivery, http.Header) {
	r.T.Helper()
	all := r.Deliveries()
	if len(all) == 0 {
		r.T.Fatal("nothing waits to be delivered")
	}
	if all[0].Due.After(r.Now) {
		r.Wait(all[0].Due.Sub(r.Now))
	}
	sender, ok := r.Service.Fake.(fakes.WebhookSender)
	if !ok {
		r.T.Fatal("the fake sends no webhooks")
	}
	call := r.Later(r.Now)
	header := sender.Sign(call, all[0])
	if changes := call.Tx.Changes(); len(changes) > 0 {
		r.T.Errorf("Sign wrote %+v", changes)
	}
	if err := kit.Delivered(call.Tx, all[0].Service, all[0].ID); err != nil {
		r.T.Fatal(err)
	}
	answer := fakes.Answer{Status: status, Body: []byte(body)}
	if status == 0 {
		answer.Error = "connection refused"
	}
	sender.Delivered(call, all[0], answer)
	r.written(call)
	r.World = call.Tx.Commit()
	return all[0], header
}

// Outbox lists what was sent.
func (r *Rig) Outbox() []fakes.Sent {
	var all []fakes.Sent
	for s := range kit.Outbox(r.World) {
		all = append(all, s)
	}
	return all
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
