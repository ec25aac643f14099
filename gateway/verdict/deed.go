package verdict

import (
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/specs/words"
)

// deed says what a call did, in words of its service: what it made or moved, of
// what, and what it said to people.
//
//	#4 refunded 25.00 USD of ch_1      #6 sent a mail "Your order …" to ada@example.com
func (j *judge) deed(c *call) string { return tag(c) + j.done(c) }

func (j *judge) done(c *call) string {
	e, ok := j.effect(c)
	if !ok {
		return j.changed(c)
	}
	did := e.verb
	if verb, money := moves(e.noun); money {
		did = verb
		if e.sum.currency != "" {
			did += " " + e.sum.String()
		}
		if of := target(c); of != "" {
			did += " of " + of
		}
		return did
	}
	if did == "sent" {
		did += " " + words.A(e.noun)
	}
	if c.read().prose != "" {
		did += " " + quoted(c)
	}
	if to := address(c); to != "" {
		did += " to " + to
	}
	return did
}

// changed says what a call changed without making anything.
func (j *judge) changed(c *call) string {
	if !c.changedThings() {
		return c.x.Operation
	}
	for _, t := range j.written(c) {
		noun := nounOf(&t)
		switch t.Op {
		case world.Update:
			what := stepOf(c, noun) + " (" + t.ID + ")"
			if fields, here, _ := unlike(t.value, t.before); len(fields) > 0 && !passing(fields[0]) {
				what += ": " + here
			}
			return what
		}
	}
	for _, d := range c.delta {
		if d.Op == world.Delete && !j.in.Hidden[d.Collection] && !bookkeeping(d.Collection) {
			return "deleted " + words.A(words.Singular(d.Collection[strings.LastIndexByte(d.Collection, '.')+1:])) + " (" + d.ID + ")"
		}
	}
	return c.x.Operation + " done"
}

// target names what money was moved of: a charge, a payment.
func target(c *call) string {
	body := fieldsOf(c)
	for _, name := range []string{"charge", "payment_intent", "payment", "invoice", "order", "customer"} {
		if s, ok := body[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// address names to whom a mail went, or where a message was posted.
func address(c *call) string {
	var found []string
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, n := range sorted(x) {
				if n != "from" && n != "reply_to" {
					walk(n, x[n])
				}
			}
		case []any:
			for _, inner := range x {
				walk(name, inner)
			}
		case string:
			if (strings.EqualFold(name, "email") || name == "to" || name == "channel") && !slices.Contains(found, x) && x != "" {
				found = append(found, x)
			}
		}
	}
	walk("", fieldsOf(c))
	if len(found) == 0 || len(found) > 3 {
		return ""
	}
	return words.And(found)
}
