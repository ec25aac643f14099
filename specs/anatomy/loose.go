package anatomy

import (
	"strings"

	"parity/specs/schema"
)

// ofLoose is for calls at a place that is no thing: something done to a member
// or a collection, or nothing that is known.
func (in *inference) ofLoose(p *place, c *call, up, beside *thing) {
	if c.method == "OPTIONS" || c.method == "TRACE" {
		in.role(c, nil, Other, "", "the method "+c.method+" says nothing here")
		return
	}
	name := p.word
	if c.route.verb != "" {
		name = c.route.verb
		if p.word != "" {
			name = p.word + "_" + name
		}
	}
	if in.elsewhere(p, c) {
		return
	}
	above := up
	if above == nil {
		above = beside
	}
	switch {
	case p.word == "":
		in.ofParameter(p, c, up, name)
	case in.adds(p, c, above):
		t := in.thing(p, up)
		t.take(p, collection)
		t.record = in.echoed(c, p.word)
		in.ofCollection(p, c, t)
	case beside != nil && !beside.tooFar(p):
		in.ofBeside(p, c, beside, name)
	case up != nil && c.method != "GET" && c.method != "HEAD":
		r := in.action(c, up, name, c.method+" below one of "+up.word)
		in.target(r, c, up)
	default:
		in.role(c, nil, Other, "", "no collection or member that it belongs to")
	}
}

// adds tells whether a POST makes something that no operation reads: a reminder
// of an invoice, a mail. Its success says so: 201, or 202; an id with what was
// sent; nothing at all below one of above, where a word for many tells what is
// made from what is done. What answers with the thing above it is done to that.
func (in *inference) adds(p *place, c *call, above *thing) bool {
	if c.method != "POST" || c.route.verb != "" || selves[canon(p.word)] {
		return false
	}
	sends := sending[canon(p.word)] && (p.up == nil || p.up.as != member) && len(in.shape(c.takes()).fields) > 0
	c.succeed(Create)
	e := in.unwrap(c.gives(), nil, p.word)
	if c.out != nil && !strings.Contains(c.out.Type, "json") && !strings.Contains(c.out.Type, "*") { // a file, a stream
		return false
	}
	if e.Many || in.listed(c.gives(), nil, p.word) || in.asks(c) && c.status != "201" {
		return false
	}
	many := plural(p.word)
	if above != nil && above.record != nil && c.out != nil {
		whole := in.unwrap(c.gives(), above.record, above.word)
		if whole.Fits && (!many || in.core(whole.Schema) == in.core(above.record)) {
			return false
		}
	}
	id := in.shape(e.Schema).get("id") != nil
	switch c.status {
	case "201":
		return many || id
	case "202":
		return many || sends
	case "200", "204":
		return sends || many && (id && c.takes() != nil && in.echoes(c, e.Schema) || c.out == nil && above != nil && above.memb != nil && p.up == above.memb)
	}
	return false
}

// sending are words for what goes out, and is not read again.
var sending = set("send", "trigger", "submit", "publish", "notify", "broadcast", "emit", "dispatch", "track", "ingest", "sendmail", "sendemail", "sendmessage", "sendsms",
	"mail", "email", "message", "notification", "event")

// echoed is what one of the things looks like that a call makes and nobody
// reads: its reply, where that has all that is sent; else it is what was sent.
func (in *inference) echoed(c *call, word string) *schema.Schema {
	if e := in.unwrap(c.gives(), nil, word); len(in.shape(e.Schema).fields) > 0 && in.echoes(c, e.Schema) {
		return in.core(e.Schema)
	}
	return nil
}

// echoes tells whether a reply has all that is sent. One that works something
// out of it (a moderation, a completion) has not.
func (in *inference) echoes(c *call, reply *schema.Schema) bool {
	shown := in.shape(reply)
	for name := range in.shape(c.takes()).index {
		if shown.get(name) == nil {
			return false
		}
	}
	return true
}

// elsewhere looks for a thing of the same word and record at another path:
// /test_helpers/refunds/{id}/expire is an action of /refunds/{id}.
func (in *inference) elsewhere(p *place, c *call) bool {
	if c.method == "GET" || c.method == "HEAD" || in.reply(c) == nil {
		return false
	}
	seat, name := p, c.route.verb
	for seat != nil && seat.word != "" && seat.up != nil && seat.up.word == "" && seat.up.up != nil && in.byWord(seat.word) == nil {
		if name == "" {
			name = seat.word
		} else {
			name = seat.word + "_" + name
		}
		seat = seat.up
	}
	at := seat
	for at.word == "" && at.up != nil {
		at = at.up
	}
	t := in.byWord(at.word)
	if t == nil || t.memb == nil || t.record == nil || t.memb == seat {
		return false
	}
	e := in.unwrap(c.gives(), t.record, t.word)
	if !e.Fits || in.core(e.Schema) != in.core(t.record) && !in.partOf(t.record, in.core(e.Schema)) {
		return false
	}
	why := "another path that answers one of " + t.word
	switch {
	case seat == p && p.word != "" && c.method == "POST" && name == "":
		r := in.role(c, t, Create, "", why)
		in.wrap(r, c, t)
	case seat.word == "":
		kind := Action
		if seat == p && name == "" && c.method != "DELETE" {
			kind = Update
		}
		r := in.role(c, t, kind, identifier(name), why)
		in.wrap(r, c, t)
		r.Member, r.In = seat.param, "path"
	default:
		return false
	}
	return true
}

// byWord finds the thing that a word of a path names.
func (in *inference) byWord(word string) *thing {
	if in.nouns == nil {
		in.nouns = map[string]*thing{}
		for _, t := range in.things {
			if t.gone != nil || t.alone != nil {
				continue
			}
			if one := singular(t.word); in.nouns[one] == nil || in.nouns[one].depth() > t.depth() {
				in.nouns[one] = t
			}
		}
	}
	return in.nouns[singular(word)]
}

// tooFar tells whether a place is not right below the collection.
func (t *thing) tooFar(p *place) bool {
	return p.up == nil || p.up.thing != t && (p.up.up == nil || p.up.up.thing != t)
}

// ofBeside is for calls next to members: /contacts/search, /contacts/import.
func (in *inference) ofBeside(p *place, c *call, t *thing, name string) {
	word := canon(p.word)
	c.succeed(Read)
	s, ok := in.list(c.gives(), t.record, t.word)
	same := ok && t.record != nil && in.same(s.items, t.record)
	get := c.method == "GET" || c.method == "HEAD"
	switch {
	case tails[word] == Count || singular(word) == "count" || get && in.kind(c.gives()) == "integer":
		in.role(c, t, Count, name, "/"+p.word+" beside the members of "+t.word)
	case same && s.sure >= 5 && (get || in.asks(c) || tails[word] == Search || heads[firstWord(p.word)] == Search):
		in.lists(c, t, Search, "/"+p.word+" answers some of "+t.word)
	case !get:
		in.action(c, t, name, c.method+" below "+t.word)
	case !(ok && s.sure >= 5) && t.record != nil && t.memb != nil && in.unwrap(c.gives(), t.record, t.word).Fits && !needs(c):
		r := in.role(c, t, Read, name, "/"+p.word+" beside the members of "+t.word+" answers one of them")
		in.wrap(r, c, t)
	default:
		in.role(c, nil, Other, "", "GET below "+t.word+" that answers something else")
	}
}

func firstWord(name string) string {
	if words := split(name); len(words) > 0 {
		return words[0]
	}
	return ""
}

// ofParameter is for calls at a parameter that stands for no member.
func (in *inference) ofParameter(p *place, c *call, up *thing, name string) {
	t := up
	if p.up != nil && p.up.thing != nil {
		t = p.up.thing
	}
	c.succeed(Read)
	if t != nil && c.method == "GET" && t.record != nil {
		if s, ok := in.list(c.gives(), t.record, t.word); ok && s.sure >= 8 {
			in.lists(c, t, Search, "it answers those of "+t.word+" that a part of the path tells")
			return
		}
	}
	if t != nil && c.method != "GET" && c.method != "HEAD" {
		if name == "" && p.up != nil {
			name = p.up.word
		}
		r := in.action(c, t, name, c.method+" with a parameter below "+t.word)
		in.target(r, c, t)
		return
	}
	in.role(c, nil, Other, "", "no collection or member that it belongs to")
}

// target notes which path parameter says to which member an action is done.
func (in *inference) target(r *Role, c *call, t *thing) {
	if t.memb == nil {
		return
	}
	at := len(t.memb.within())
	if at < len(c.keys) {
		r.Member, r.In = c.keys[at], "path"
	}
}
