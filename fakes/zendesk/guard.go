package zendesk

import (
	"parity/fakes/kit"
	"parity/fakes/world"
)

// on answers a call about the record that a parameter of its path names.
func on(collection, parameter string, act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With(func(c *call) (*world.Record, *refusal) { return c.member(collection, parameter) }, act)
}

// onTicket answers a call about a ticket that the caller may see.
func onTicket(act func(*call, *world.Record) (answer, *refusal)) handler {
	return kit.With((*call).ticket, act)
}
