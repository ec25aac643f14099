package generic

import (
	"net/http"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

// keyLife is how long an idempotency key is remembered, where no service says
// otherwise: most say a day.
const keyLife = 24 * time.Hour

// Key gives the call's idempotency key, where the contract has a header or a
// field of the body for it.
func (f *Fake) Key(c *fakes.Call) string {
	if f.stateless {
		return ""
	}
	if !c.Operation.Keyed() || c.Operation.Method == http.MethodGet {
		return ""
	}
	return c.Operation.KeyOf(c.Header, c.Input.Body)
}

// Reserve marks the call's key as in flight, unless it is in use already.
func (f *Fake) Reserve(c *fakes.Call) {
	if use := f.use(c); use.Key != "" {
		_, err := f.keys.Reserve(c.Tx, use)
		(&call{Call: c, fake: f}).must(err)
	}
}

// Release frees the call's key again.
func (f *Fake) Release(c *fakes.Call) {
	if use := f.use(c); use.Key != "" {
		(&call{Call: c, fake: f}).must(f.keys.Release(c.Tx, use))
	}
}

func (f *Fake) use(c *fakes.Call) kit.Use {
	parameters := c.Input.Body
	if parameters == nil && c.Input.Value != nil {
		parameters = map[string]any{"": c.Input.Value}
	}
	return kit.Use{
		Key: f.Key(c), Endpoint: c.Operation.Method + " " + kit.Path(c.Operation.Path, c.Input.Path),
		Parameters: kit.Fingerprint(parameters), Now: c.Now,
	}
}

// once answers a keyed call the first time, and says the same again later.
// Source: draft-ietf-httpapi-idempotency-key-header, 2.6 and 2.7.
func (c *call) once() fakes.Reply {
	use := c.fake.use(c.Call)
	state, stored := c.fake.keys.Look(c.Tx, use)
	switch state {
	case kit.KeyDone:
		header := stored.Header.Clone()
		header.Set("Idempotent-Replayed", "true")
		return fakes.Reply{Status: stored.Status, Header: header, Body: stored.Body, Result: stored.Result, Replayed: true, Fidelity: fakes.Generic}
	case kit.KeyRunning:
		if !c.Held {
			return c.refuse(keyInFlight())
		}
	case kit.KeyOtherParameters, kit.KeyOtherEndpoint:
		return c.refuse(keyReused())
	}
	reply := c.attempt()
	c.must(c.fake.keys.Keep(c.Tx, use, kit.Stored{Endpoint: use.Endpoint, Status: reply.Status, Header: reply.Header, Body: reply.Body, Result: reply.Result}))
	return reply
}

func keyInFlight() *refusal {
	return &refusal{
		status: http.StatusConflict, code: "idempotency_key_in_use",
		message: "A request with this idempotency key is still being answered.",
	}
}

func keyReused() *refusal {
	return &refusal{
		status: http.StatusUnprocessableEntity, code: "idempotency_key_reused",
		message: "This idempotency key was used for another request.",
	}
}
