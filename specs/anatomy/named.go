package anatomy

import (
	"regexp"
	"strings"
	"sync"

	"parity/specs/schema"
)

// named finds what says which member is meant where the path does not: a
// parameter of the query, or a field of the body.
func (in *inference) named(c *call, t *thing) (key, where string) {
	id := in.idOf(t)
	one := singular(t.word)
	names := []string{
		in.hint(t), canon(id.Param), one + "id", "id", canon(id.Field), one, one + "name", one + "key", one + "arn", one + "identifier",
		one + "uuid", "uuid", "guid", "name", "key", "arn", "sid",
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if p := c.parameter("query", name); p != nil && !array(in, p.Schema) {
			return p.Name, "query"
		}
	}
	if c.method == "GET" {
		return in.needed(c, t), "query"
	}
	if c.in == nil {
		return "", ""
	}
	e := in.unwrap(c.takes(), t.record, t.word)
	if e.Many {
		return "", ""
	}
	for _, at := range []struct {
		s    *schema.Schema
		path string
	}{{c.takes(), ""}, {e.Schema, e.Path}} {
		shape := in.shape(at.s)
		for _, name := range names {
			if f := shape.get(name); name != "" && f != nil && !array(in, f.schema) && in.kind(f.schema) != "object" {
				return dotted(at.path, f.name), "body"
			}
		}
	}
	switch k := c.rough(); {
	case k != Read && k != Delete:
	case c.route.rpc:
		return in.sole(c), "body"
	case c.method == "POST" && c.route.verb != "" && t.memb == nil: // POST /screening/person/get, {"screening_id": …}
		if key = in.sole(c); naming().MatchString(key) {
			return key, "body"
		}
	}
	return "", ""
}

// naming matches what a field is called that says which one is meant; a token or
// a key says who asks.
var naming = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(id|arn|slug|number|code|name|handle|ref)$`) })

// sole finds the one field that a call cannot be made without, where it is a
// plain value: {"LocationArn": …}.
func (in *inference) sole(c *call) string {
	found := ""
	for i := range in.shape(c.takes()).fields {
		f := &in.shape(c.takes()).fields[i]
		if !f.needed {
			continue
		}
		if kind := in.kind(f.schema); found != "" || kind != "string" && kind != "integer" {
			return ""
		}
		found = f.name
	}
	return found
}

// hint is the parameter by which the procedure that reads a thing names it.
func (in *inference) hint(t *thing) string {
	if t.hinted {
		return t.hint
	}
	t.hinted = true // before it is asked for again below
	for _, p := range t.colls {
		for _, c := range p.calls {
			if c.rough() == Read && c.route.verb != "" && t.hint == "" {
				in.reply(c)
				key, _ := in.named(c, t)
				t.hint = canon(key[strings.LastIndexByte(key, '.')+1:])
			}
		}
	}
	return t.hint
}

// needed finds the only parameter that a call cannot be made without, or one
// that a field of the reply repeats: /conversations.info?channel=.
func (in *inference) needed(c *call, t *thing) string {
	found := ""
	for i := range c.params {
		p := &c.params[i]
		if p.In != "query" || array(in, p.Schema) || hushed[canon(p.Name)] {
			continue
		}
		if f := in.shape(c.gives()).get(canon(p.Name)); c.route.rpc && f != nil && in.kind(f.schema) == "object" {
			return p.Name
		}
		if p.Required {
			if found != "" {
				return ""
			}
			found = p.Name
		}
	}
	return found
}

// hushed are parameters that say nothing of what is asked for.
var hushed = set("token", "apikey", "apiversion", "key", "accesstoken", "version", "format", "locale", "lang", "language", "appid", "clientid")

func array(in *inference, s *schema.Schema) bool { return in.kind(s) == "array" }
