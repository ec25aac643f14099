package zendesk

import (
	"net/http"

	"parity/fakes"
	"parity/fakes/kit"
)

// longestKey is what Zendesk allows, in characters.
const longestKey = 255

// lookup tells whether a key was known.
const lookup = "X-Idempotency-Lookup"

// Key gives the call's idempotency key. Only the creation of a ticket takes one.
// Source: developer.zendesk.com/api-reference/ticketing/introduction/#idempotency.
func (f *Fake) Key(c *fakes.Call) string {
	if c.Operation.ID != "CreateTicket" {
		return ""
	}
	return c.Header.Get("Idempotency-Key")
}

// Reserve marks the call's key as in flight, unless it is in use or answered.
func (f *Fake) Reserve(c *fakes.Call) {
	use := f.use(c)
	if use.Key == "" || len(use.Key) > longestKey {
		return
	}
	_, err := f.keys.Reserve(c.Tx, use)
	kit.Must(name, err)
}

// Release frees the call's key again.
func (f *Fake) Release(c *fakes.Call) {
	kit.Must(name, f.keys.Release(c.Tx, f.use(c)))
}

func (f *Fake) use(c *fakes.Call) kit.Use {
	return kit.Use{Key: f.Key(c), Endpoint: c.Operation.Path, Parameters: kit.Fingerprint(c.Input.Body), Now: c.Now}
}

// once answers a keyed call the first time, and says the same again later.
func (c *call) once(allowed kit.Allowance) fakes.Reply {
	use := c.fake.use(c.Call)
	if len(use.Key) > longestKey {
		return c.refuse(named(http.StatusBadRequest, "IdempotentRequestError", "The Idempotency-Key header must be 255 characters or less."), allowed)
	}
	state, stored := c.fake.keys.Look(c.Tx, use)
	switch state {
	case kit.KeyDone:
		header := c.header(allowed)
		for name := range stored.Header {
			header.Set(name, stored.Header.Get(name))
		}
		header.Set(lookup, "hit")
		return fakes.Reply{Status: stored.Status, Header: header, Body: stored.Body, Result: stored.Result, Replayed: true}
	case kit.KeyRunning:
		if !c.Held {
			return c.refuse(keyInFlight(), allowed)
		}
	case kit.KeyOtherParameters, kit.KeyOtherEndpoint:
		return c.refuse(keyReused(), allowed)
	}
	reply := c.attempt(allowed)
	if reply.Status/100 != 2 {
		kit.Must(name, c.fake.keys.Release(c.Tx, use))
		return reply
	}
	reply.Header.Set(lookup, "miss")
	kept := kit.Stored{Endpoint: use.Endpoint, Status: reply.Status, Body: reply.Body, Result: reply.Result, Header: kit.Headers(
		"Content-Type", reply.Header.Get("Content-Type"), "Location", reply.Header.Get("Location"))}
	kit.Must(name, c.fake.keys.Keep(c.Tx, use, kept))
	return reply
}
