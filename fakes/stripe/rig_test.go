package stripe_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/stripe"
	"parity/fakes/world"
	"parity/specs"
)

// A rig drives the fake as the gateway does, without HTTP: match, read, answer
// in a transaction, commit. Every answer is held against the contract.
type rig struct {
	t       testing.TB
	service fakes.Service
	world   *world.World
	now     time.Time
	minted  int
	held    bool
}

func newRig(t testing.TB) *rig {
	t.Helper()
	service, err := stripe.New()
	if err != nil {
		t.Fatal(err)
	}
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, service: service, world: w, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

// A got is an answer, decoded.
type got struct {
	status int
	header http.Header
	raw    []byte
	body   map[string]any
	reply  fakes.Reply
}

func (g got) id() string { id, _ := g.body["id"].(string); return id }

// at gives the value at a dotted path; lists by their index.
func (g got) at(path string) any {
	var v any = g.body
	for _, name := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// ids lists the ids of a page.
func (g got) ids() []string {
	out := []string{}
	items, _ := g.body["data"].([]any)
	for _, item := range items {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m["id"].(string))
		}
	}
	return out
}

func (r *rig) get(path string) got { r.t.Helper(); return r.send("GET", path, "", nil) }
func (r *rig) post(path, form string) got {
	r.t.Helper()
	return r.send("POST", path, form, nil)
}

func (r *rig) keyed(key, path, form string) got {
	r.t.Helper()
	return r.send("POST", path, form, http.Header{"Idempotency-Key": {key}})
}

func (r *rig) send(method, target, form string, header http.Header) got {
	r.t.Helper()
	call, trouble := r.call(method, target, form, header)
	if trouble != nil {
		return r.word(*trouble)
	}
	reply := r.service.Fake.Answer(call)
	r.written(call)
	r.world = call.Tx.Commit()
	if wrong := call.Operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body); len(wrong) > 0 {
		r.t.Errorf("%s %s: the answer breaks the contract: %+v\n%s", method, target, wrong[0], reply.Body)
	}
	return r.decode(reply)
}

// written holds what a call has stored against the contract.
func (r *rig) written(call *fakes.Call) {
	r.t.Helper()
	for _, wrong := range kit.Breaches(r.service, call.Tx.Changes()) {
		r.t.Errorf("the contract is broken: %s%s %s", wrong.In, wrong.Pointer, wrong.Message)
	}
}

func (r *rig) word(t fakes.Problem) got {
	r.t.Helper()
	t.RequestID = "req_rig"
	return r.decode(r.service.Fake.(fakes.Dialect).Render(t))
}

func (r *rig) decode(reply fakes.Reply) got {
	r.t.Helper()
	g := got{status: reply.Status, header: reply.Header, raw: reply.Body, reply: reply}
	body, err := world.Decode(reply.Body)
	if err != nil {
		r.t.Fatalf("%v: %s", err, reply.Body)
	}
	g.body = body
	if a, b := asJSON(reply.Result), asJSON(body); a != b {
		r.t.Errorf("Result is not the body:\n%s\n%s", a, b)
	}
	return g
}

// call decodes a request, or says what is wrong with it.
func (r *rig) call(method, target, form string, header http.Header) (*fakes.Call, *fakes.Problem) {
	if header == nil {
		header = http.Header{}
	}
	path, query, _ := strings.Cut(target, "?")
	match := r.service.Contract.Match(method, path)
	if match.Operation == nil {
		return nil, &fakes.Problem{Kind: fakes.NoOperation, Method: method, Path: path, Header: header}
	}
	header = header.Clone()
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	input, wrong := match.Operation.Read(specs.Request{Path: match.Path, Query: query, Header: header, Body: []byte(form)})
	if len(wrong) > 0 {
		return nil, &fakes.Problem{Kind: fakes.BadRequest, Method: method, Path: path, Header: header, Violations: wrong}
	}
	return &fakes.Call{
		Operation: match.Operation, Contract: r.service.Contract, Input: input, Header: header,
		Body: []byte(form), Tx: r.world.Begin(), Now: r.now, Identity: "tester", Held: r.held, NewID: r.mint,
	}, nil
}

// wait moves the clock on and fires what comes due, as the gateway does.
func (r *rig) wait(d time.Duration) {
	r.t.Helper()
	until := r.now.Add(d)
	for {
		timer, ok := kit.Due(r.world, until)
		if !ok {
			break
		}
		call := &fakes.Call{Contract: r.service.Contract, Tx: r.world.Begin(), Now: timer.Due, NewID: r.mint}
		if err := kit.Cancel(call.Tx, timer.Service, timer.Kind, timer.Subject); err != nil {
			r.t.Fatal(err)
		}
		r.service.Fake.(fakes.Timed).Fire(call, timer)
		r.written(call)
		r.world = call.Tx.Commit()
	}
	r.now = until
}

// mint counts in the last places of an id.
func (r *rig) mint(prefix string, n int) string {
	r.minted++
	return fmt.Sprintf("%s%0*d", prefix, n, r.minted)
}

// must fails the test unless the status is as said.
func (r *rig) must(status int, g got) got {
	r.t.Helper()
	if g.status != status {
		r.t.Fatalf("status %d, want %d: %s", g.status, status, g.raw)
	}
	return g
}

// types lists the events so far, oldest first.
func (r *rig) types() []string {
	var out []string
	for e := range r.world.Oldest("stripe.events", 0) {
		out = append(out, e.Value()["type"].(string))
	}
	return out
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// want compares fields of an answer by dotted path.
func want(t *testing.T, g got, fields map[string]any) {
	t.Helper()
	for path, value := range fields {
		if n, ok := value.(int); ok {
			value = int64(n)
		}
		if have := g.at(path); asJSON(have) != asJSON(value) {
			t.Errorf("%s is %s, want %s", path, asJSON(have), asJSON(value))
		}
	}
}
