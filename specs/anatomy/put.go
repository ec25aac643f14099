package anatomy

import (
	"regexp"
	"strings"
	"sync"
)

// upserts tells whether PUT makes what is not there.
func (in *inference) upserts(c *call, t *thing) bool {
	for i := range c.responses {
		if c.responses[i].Status == "201" {
			return true
		}
	}
	return !in.creatable(t) && !in.standing(t)
}

// standing tells whether things are there that nothing makes: a list shows
// them, something changes one, nothing deletes one, and nothing says that a PUT
// makes what is not there.
func (in *inference) standing(t *thing) bool {
	if t.memb == nil || in.creatable(t) || t.memb.has(Delete) {
		return false
	}
	for name := range textual { // a name is chosen by whoever puts something there
		if strings.HasSuffix(canon(t.memb.name()), name) {
			return false
		}
	}
	lists := false
	for _, p := range t.colls {
		lists = lists || p.of(Read, List) != nil
	}
	if !lists || t.memb.of(Read) == nil {
		return false
	}
	for _, c := range t.memb.calls {
		for i := range c.responses {
			if c.responses[i].Status == "201" && c.method == "PUT" {
				return false
			}
		}
		if c.method == "PUT" && making().MatchString(c.said()) {
			return false
		}
	}
	return true
}

// said is what the document says of an operation, in short.
func (c *call) said() string {
	n := c.op.Node
	return c.op.ID + " " + n.Get("summary").Text() + " " + n.Get("description").Text()
}

// makes tells whether an operation is called a creation: by the first word of
// its name, or of what is said of it in short.
func (c *call) makes() bool {
	for _, text := range []string{strings.Join(split(c.op.ID), " "), c.op.Node.Get("summary").Text()} {
		if first, _, _ := strings.Cut(strings.ToLower(text), " "); beginning[first] && !wholly().MatchString(text) {
			return true
		}
	}
	return false
}

// beginning are the words with which a creation is called so.
var beginning = set("create", "creates", "add", "adds", "insert", "inserts", "register", "registers", "new")

var (
	merging = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bupserts?\b|\b(creat|add|insert)\w* ?(or|/) ?updat|\bupdat\w* ?(or|/) ?(creat|add|insert)`)
	})
	making  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)creat|upsert|\badds?\b|\bnew\b|regist|insert`) })
	wholly  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)replac|overwr[io]t|entire|fully|full update`) })
	sparely = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)sparse|partial|unchanged|only the (fields|attributes|properties|parameters|values)|(not|un)[ -]?(provided|specified|included|sent|passed|supplied)`)
	})
	changing = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(update|edit|modif|change|patch|set)`) })
)

// sparing tells whether a PUT leaves alone what is not sent: the document says
// so, or calls it an update, has no PATCH beside it, and wants no field.
func (in *inference) sparing(p *place, c *call) bool {
	text := c.said()
	switch {
	case p.find("PATCH") != nil, c.op.API().Version == "discovery": // where PUT is the whole, always
		return false
	case sparely().MatchString(text):
		return true
	case wholly().MatchString(text):
		return false
	}
	for _, f := range in.shape(in.unwrap(c.takes(), nil, "").Schema).fields {
		if f.needed && canon(f.name) != "id" {
			return false
		}
	}
	return c.takes() != nil && changing().MatchString(strings.Join(split(c.op.ID), " ")+" "+c.op.Node.Get("summary").Text())
}
