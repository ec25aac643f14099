package exchange

import (
	"fmt"
	"net/http"
	"strconv"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/specs/secret"
)

// Deliver is the turn that ends an attempt. Where the delivery waits no longer,
// since the run was set back meanwhile, it leaves no trace.
func (r *Run) Deliver(d fakes.Delivery, sent *trail.Delivery) func(*run.Turn) *trail.Event {
	return func(t *run.Turn) *trail.Event {
		if now, ok := kit.Queued(t.State.World, d); !ok || now.Attempt != d.Attempt {
			return nil
		}
		if err := kit.Dequeue(t.Tx(), d); err != nil {
			panic(err) // it was there a line before
		}
		if sender, call, ok := r.sender(t.State, t.Tx(), d, sent); ok {
			call.Now = t.Now
			if wrong := heard(sender, call, d, fakes.Answer{Status: sent.Status, Error: sent.Error, Body: sent.Answer}); wrong != "" {
				t.Discard()
				_ = kit.Dequeue(t.Tx(), d)
				sent.Error = wrong
			}
		}
		return &trail.Event{Kind: trail.Delivered, Revision: r.Revision().Profile.Revision, Delivery: sent}
	}
}

// sender is the fake that sends a delivery, and the call that it is asked in.
func (r *Run) sender(state *run.State, tx *world.Tx, d fakes.Delivery, sent *trail.Delivery) (fakes.WebhookSender, *fakes.Call, bool) {
	service, ok := r.Revision().Catalogue.Service(d.Service)
	if !ok {
		return nil, nil, false
	}
	sender, ok := service.Fake.(fakes.WebhookSender)
	if !ok {
		return nil, nil, false
	}
	n := 0
	return sender, &fakes.Call{Contract: service.Contract, Tx: tx, Now: sent.Signed.Time(), NewID: func(prefix string, length int) string {
		n++
		parts := []string{"delivery", prefix, d.Service, d.ID, strconv.Itoa(d.Attempt), strconv.Itoa(n)}
		if d.Copy > 0 {
			parts = append(parts, "copy", strconv.Itoa(d.Copy))
		}
		return prefix + chance.ID(ids(r.Seed, state), length, parts...)
	}}, true
}

// Heeds tells whether the service that sends a delivery does what its endpoint
// answers.
func (r *Run) Heeds(d fakes.Delivery) bool {
	service, ok := r.Revision().Catalogue.Service(d.Service)
	heeder, heeds := service.Fake.(fakes.Heeder)
	return ok && heeds && heeder.Heeds(d)
}

// Frame tells how a delivery goes out on a websocket.
func (r *Run) Frame(d fakes.Delivery) fakes.Frame {
	if service, ok := r.Revision().Catalogue.Service(d.Service); ok {
		if fake, ok := service.Fake.(fakes.Socketed); ok {
			return fake.Frame(d)
		}
	}
	return fakes.Frame{}
}

// Sign gives the headers of an attempt to deliver, and whether a mark went out in
// the place of a secret that no record keeps. No service sends it any more where
// it is not ok.
func (r *Run) Sign(d fakes.Delivery, sent *trail.Delivery) (header http.Header, masked, ok bool) {
	state := r.State()
	sender, call, ok := r.sender(&state, state.World.Begin(), d, sent)
	if !ok {
		return http.Header{}, false, false
	}
	header, masked = signed(sender, call, d)
	return header, masked, true
}

// signed asks a fake for an attempt's headers. One that panics gets none: the
// endpoint will refuse what is not signed, and the record shows it. It tells
// whether a mark went out in the place of a secret that no record keeps.
func signed(sender fakes.WebhookSender, call *fakes.Call, d fakes.Delivery) (header http.Header, masked bool) {
	masked = secret.Marked(d.URL)
	defer func() {
		if wrong := recover(); wrong != nil {
			header = http.Header{}
		}
		for name, value := range d.Header {
			header.Set(name, value)
			masked = masked || secret.Marked(value)
		}
		kit.Disorder(header, d)
	}()
	if signer, ok := sender.(fakes.Signer); ok && secret.Marked(signer.SigningKey(call, d)) {
		masked = true
	}
	return sender.Sign(call, d), masked
}

// heard tells a fake what came of an attempt; what it says where it panics.
func heard(sender fakes.WebhookSender, call *fakes.Call, d fakes.Delivery, a fakes.Answer) (wrong string) {
	defer func() {
		if p := recover(); p != nil {
			wrong = fmt.Sprint(p)
		}
	}()
	d.Spoilt = false // what is sent again, is signed again
	sender.Delivered(call, d, a)
	return ""
}
