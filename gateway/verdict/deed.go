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
		did += " to " + first(j.channelOf(c, to), to)
	}
	return did
}

// changed says what a call changed without making anything.
func (j *judge) changed(c *call) string {
	if !c.changedThings() {
		return operationOf(c)
	}
	for _, t := range j.written(c) {
		noun := nounOf(&t)
		switch t.Op {
		case world.Update:
			return stepOf(c, noun) + " (" + t.ID + ")" + setTo(t)
		}
	}
	for _, d := range c.delta {
		if d.Op == world.Delete && !j.in.Hidden[d.Collection] && !bookkeeping(d.Collection) {
			return "deleted " + words.A(words.Singular(d.Collection[strings.LastIndexByte(d.Collection, '.')+1:])) + " (" + d.ID + ")"
		}
	}
	return operationOf(c) + " done"
}

// setTo says what a change set, by the first of its fields that people can read.
func setTo(t touched) string {
	is, was := flat(t.value), flat(t.before)
	for _, name := range keys(is, was) {
		switch is[name].(type) {
		case string, int64, float64, bool, nil:
			last := lastPart(name)
			if !same(is[name], was[name]) && !passing(last) && !strings.Contains(name, "history") {
				return ": " + last + " " + shortValue(is[name])
			}
		}
	}
	return ""
}

// operationOf is an operation as people say it: with the type of what it is about,
// where its path has that as a parameter.
func operationOf(c *call) string {
	method, template, ok := strings.Cut(c.x.Operation, " ")
	if !ok {
		return c.x.Operation
	}
	parts, actual := strings.Split(template, "/"), strings.Split(c.x.Path, "/")
	for i, part := range parts {
		if isType(part) && len(parts) == len(actual) {
			parts[i] = actual[i]
		}
	}
	return method + " " + strings.Join(parts, "/")
}

// isType tells a part of a path whose value is a type, and not a name.
func isType(part string) bool {
	return strings.HasPrefix(part, "{") && strings.Contains(strings.ToLower(part), "type")
}

// channelOf is what an answer had called the channel that a message went to; "":
// none of the latest did.
func (j *judge) channelOf(c *call, id string) string {
	if s, ok := fieldsOf(c)["channel"].(string); !ok || s != id {
		return ""
	}
	read := 0
	earlier := j.before(c)
	for i := len(earlier) - 1; i >= 0 && read < mostSearched; i-- {
		if r := earlier[i]; r.reads() && r.x.Service == c.x.Service && r.read().shown[strings.ToLower(id)] {
			read++
			if reply, err := world.Decode(r.reply()); err == nil {
				if name := nameIn(reply, id); name != "" {
					return "#" + name
				}
			}
		}
	}
	return ""
}

// nameIn is the name that a value has for an id.
func nameIn(value any, id string) string {
	switch x := value.(type) {
	case map[string]any:
		if x["id"] == id {
			return text(x, "name")
		}
		for _, name := range sorted(x) {
			if found := nameIn(x[name], id); found != "" {
				return found
			}
		}
	case []any:
		for _, inner := range x {
			if found := nameIn(inner, id); found != "" {
				return found
			}
		}
	}
	return ""
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
