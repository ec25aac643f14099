package stripe

import (
	"fmt"
	"net/http"

	"parity/fakes"
	"parity/fakes/kit"
)

// longestKey is what Stripe allows, in characters.
// Source: docs.stripe.com/api/idempotent_requests.
const longestKey = 255

// Key gives the call's idempotency key. Only POST takes one: Stripe ignores
// the header elsewhere.
func (f *Fake) Key(c *fakes.Call) string {
	if c.Operation.Method != http.MethodPost {
		return ""
	}
	return c.Header.Get("Idempotency-Key")
}

// Reserve marks the call's key as in flight, unless the key is in use or
// answered already: then nothing is written.
func (f *Fake) Reserve(c *fakes.Call) {
	use := f.use(c)
	if use.Key == "" || len(f.Key(c)) > longestKey {
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
	return kit.Use{
		Key:        f.scoped(c.Header, f.Key(c)),
		Endpoint:   kit.Path(c.Operation.Path, c.Input.Path),
		Parameters: kit.Fingerprint(c.Input.Body),
		Now:        c.Now,
	}
}

// once answers a keyed call the first time, and says the same again later.
// Keys belong to the account, which is the run, not to the secret key.
func (c *call) once() fakes.Reply {
	if len(c.key) > longestKey {
		return c.refuse(invalid("", "", "Idempotency keys can be at most %d characters long; yours has %d.", longestKey, len(c.key)))
	}
	use := c.fake.use(c.Call)
	state, stored := c.fake.keys.Look(c.Tx, use)
	switch state {
	case kit.KeyDone:
		return c.replay(stored)
	case kit.KeyRunning:
		if !c.Held {
			return c.refuse(inFlight(c.key))
		}
	case kit.KeyOtherParameters:
		return c.refuse(otherParameters(c.key))
	case kit.KeyOtherEndpoint:
		return c.refuse(misused("Keys for idempotent requests can only be used for the same endpoint they were first used for ('%s' vs '%s'). Try using a key other than '%s' if you meant to execute a different request.", use.Endpoint, stored.Endpoint, c.key))
	}
	return c.first(use)
}

func inFlight(key string) *refusal {
	return &refusal{
		status: http.StatusConflict, code: keyInUse,
		message: fmt.Sprintf("There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): %s. Please try again later.", key),
	}
}

func otherParameters(key string) *refusal {
	return misused("Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '%s' if you meant to execute a different request.", key)
}

func misused(message string, args ...any) *refusal {
	r := invalid("", "", message, args...)
	r.kind = idempotencyError
	return r
}

// first runs the call and keeps its answer, unless it was refused for its
// parameters alone: then the key is free for a better try.
func (c *call) first(use kit.Use) fakes.Reply {
	reply, saved := c.attempt()
	if !saved {
		kit.Must(name, c.fake.keys.Release(c.Tx, use))
		return reply
	}
	kept := kit.Stored{Endpoint: use.Endpoint, Status: reply.Status, Body: reply.Body, Result: reply.Result, Header: kit.Headers(
		"Original-Request", c.request,
		"Stripe-Should-Retry", reply.Header.Get("Stripe-Should-Retry"),
	)}
	kit.Must(name, c.fake.keys.Keep(c.Tx, use, kept))
	return reply
}

// replay gives a stored answer again, under a request id of its own.
func (c *call) replay(s kit.Stored) fakes.Reply {
	header := c.header(s.Header.Get("Stripe-Should-Retry"))
	header["Original-Request"] = s.Header["Original-Request"]
	header["Idempotent-Replayed"] = []string{"true"}
	return fakes.Reply{Status: s.Status, Header: header, Body: s.Body, Result: s.Result, Replayed: true}
}
