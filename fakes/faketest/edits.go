package faketest

import (
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// An Edit is what a test does to one record in the place of somebody other than
// the agent.
type Edit struct {
	Read    string         // a target that shows it
	Writes  []string       // other calls about it, such as "PATCH /v1/things/1"
	Nowhere string         // a target of the same operation that leads to no record
	Set     map[string]any // what is changed
	At      string         // where the read shows the first of it, such as "ticket.subject"
	Shows   string         // what it shows there then
	Bad     map[string]any // what the contract does not allow; nil: nothing is tried
	Gone    int            // the status of a read once it is removed; 0: it is not removed
	Once    bool           // it cannot be copied
}

// Subject names the record that a call is about.
func (r *Rig) Subject(method, target string) (collection, id string) {
	r.T.Helper()
	return r.Service.Fake.(fakes.Editor).Subject(r.Asked(method, target))
}

// Change edits the record that a read is about.
func (r *Rig) Change(read string, set map[string]any) error {
	r.T.Helper()
	call := r.Asked("GET", read)
	editor := r.Service.Fake.(fakes.Editor)
	collection, id := editor.Subject(call)
	err := editor.Edit(call, collection, id, set)
	r.settle(call, err)
	return err
}

// Asked is a call that is decoded and not answered.
func (r *Rig) Asked(method, target string) *fakes.Call {
	r.T.Helper()
	header := r.Headers([]string{"Content-Type", "application/json"})
	call, trouble := r.Call(method, target, "", header)
	if trouble == nil {
		return call
	}
	path, _, _ := strings.Cut(target, "?") // it lacks a body: whom it is about stands in the path
	m := r.Service.Contract.Match(method, path)
	if m.Operation == nil {
		r.T.Fatalf("%s %s is no operation", method, target)
	}
	call = r.Later(r.Now)
	call.Operation, call.Input.Path, call.Header, call.Base = m.Operation, m.Path, header, r.Base
	return call
}

// settle commits what a call wrote; one that failed may have written nothing.
func (r *Rig) settle(call *fakes.Call, err error) {
	r.T.Helper()
	if changes := call.Tx.Changes(); err != nil && len(changes) > 0 {
		r.T.Errorf("%v, but it wrote %+v", err, changes)
	}
	if err == nil {
		r.World = call.Tx.Commit()
	}
}

// Edits holds what a fake does as somebody other than the agent: whom calls are
// about, and what changes, copies and removals leave behind.
func (r *Rig) Edits(e Edit) {
	r.T.Helper()
	editor, copier := r.Service.Fake.(fakes.Editor), r.Service.Fake.(fakes.Copier)
	collection, id := r.Subject("GET", e.Read)
	if _, ok := r.World.Get(collection, id); !ok {
		r.T.Fatalf("%s is about %s %q, which is not there", e.Read, collection, id)
	}
	for _, write := range e.Writes {
		method, target, _ := strings.Cut(write, " ")
		if c, i := r.Subject(method, target); c != collection || i != id {
			r.T.Errorf("%s is about %s %q, not %s %q", write, c, i, collection, id)
		}
	}
	if e.Nowhere != "" {
		if c, i := r.Subject("GET", e.Nowhere); c != "" || i != "" {
			r.T.Errorf("%s is about %s %q", e.Nowhere, c, i)
		}
	}
	if e.Bad != nil {
		if err := r.Change(e.Read, e.Bad); err == nil {
			r.T.Errorf("%s: %v is taken", e.Read, e.Bad)
		}
	}
	if err := r.Change(e.Read, e.Set); err != nil {
		r.T.Fatalf("%s: %v", e.Read, err)
	}
	if got := r.Must(200, r.Send("GET", e.Read, "")); got.Text(e.At) != e.Shows {
		r.T.Errorf("%s: %s is %q, want %q", e.Read, e.At, got.Text(e.At), e.Shows)
	}
	r.copied(copier, e, collection, id)
	call := r.Asked("GET", e.Read)
	err := editor.Remove(call, collection, id)
	r.settle(call, err)
	switch {
	case e.Gone == 0 && err == nil:
		r.T.Errorf("%s: it is removed", e.Read)
	case e.Gone != 0 && err != nil:
		r.T.Errorf("%s: %v", e.Read, err)
	case e.Gone != 0:
		r.Must(e.Gone, r.Send("GET", e.Read, ""))
	}
	if err := editor.Edit(r.Asked("GET", e.Read), collection, "nobody-has-this", e.Set); err == nil {
		r.T.Errorf("%s: a record that is not there is edited", e.Read)
	}
}

// copied makes another record like one there is.
func (r *Rig) copied(copier fakes.Copier, e Edit, collection, id string) {
	r.T.Helper()
	before := r.World.Len(collection)
	call := r.Asked("GET", e.Read)
	made, err := copier.Copy(call, collection, id)
	r.settle(call, err)
	if e.Once {
		if err == nil {
			r.T.Errorf("%s: there are two of it", e.Read)
		}
		return
	}
	if err != nil {
		r.T.Errorf("%s: %v", e.Read, err)
		return
	}
	var newest *world.Record
	for newest = range r.World.Newest(collection, 0) {
		break
	}
	if made == id || newest.ID != made || r.World.Len(collection) != before+1 {
		r.T.Errorf("%s: of %d there are %d, the newest %s, the copy of %s is %s", e.Read, before, r.World.Len(collection), newest.ID, id, made)
	}
}

// A Worded is how a service says one kind of trouble.
type Worded struct {
	Trouble fakes.Problem
	Status  int
	Says    string   // a part of the body
	Header  []string // pairs; an empty value: it is not there
}

// Words holds how a service words trouble that an operation can meet. Where its
// contract has the status the body has to be as it says.
func (r *Rig) Words(method, path string, all []Worded) {
	r.T.Helper()
	m := r.Service.Contract.Match(method, path)
	if m.Operation == nil {
		r.T.Fatalf("%s %s is no operation", method, path)
	}
	for _, w := range all {
		t := w.Trouble
		t.Method, t.Path, t.RequestID, t.Now = method, path, "req_1234567890", r.Now
		if t.Header = r.Header.Clone(); t.Kind == fakes.KeyInFlight || t.Kind == fakes.KeyReused {
			t.Header.Set("Idempotency-Key", "key-1")
		}
		got := r.word(t)
		if got.Status != w.Status || !strings.Contains(got.Raw, w.Says) {
			r.T.Errorf("%s: %d %s, want %d %s", t.Kind, got.Status, got.Raw, w.Status, w.Says)
		}
		for i := 0; i+1 < len(w.Header); i += 2 {
			if has := got.Header.Get(w.Header[i]); has != w.Header[i+1] {
				r.T.Errorf("%s: %s is %q, want %q", t.Kind, w.Header[i], has, w.Header[i+1])
			}
		}
		if declares(m.Operation, got.Status) {
			r.hold(m.Operation, got.Reply)
		}
	}
}

func declares(op *specs.Operation, status int) bool {
	text := strconv.Itoa(status)
	return slices.ContainsFunc(op.Statuses(), func(one string) bool {
		return one == text || strings.EqualFold(one, text[:1]+"xx") || strings.EqualFold(one, "default")
	})
}
