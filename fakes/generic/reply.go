package generic

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs/anatomy"
	"parity/specs/body"
	"parity/specs/header"
	"parity/specs/openapi"
	"parity/specs/sample"
	"parity/specs/schema"
)

// usual puts the status that the contract names before others.
func (c *call) usual(wanted ...int) []int {
	if own, err := strconv.Atoi(c.plan.role.Status); err == nil {
		return append([]int{own}, wanted...)
	}
	return wanted
}

// show answers with a member, in whatever the contract puts around it.
func (c *call) show(e *entry, t target) fakes.Reply {
	t = t.spoken(c.plan.res)
	if t.media == nil {
		return c.bare(e, t)
	}
	if c.plan.rule != nil && c.plan.rule.receipt {
		return c.receipt(e, t)
	}
	whole := t.schema()
	at := pointer(c.plan.role.Output.Path)
	inner := c.fake.library.at(whole, at)
	nameless := whole == nil && c.plan.res.ID.Field == ""
	if len(at) == 0 && e.stored != nil && !nameless && body.IsJSON(body.Kind(t.media.Type)) && (whole == nil || same(whole, c.plan.res.Record)) {
		reply := kit.RecordReply(t.status, http.Header{}, e.stored)
		return c.headed(reply, e, t)
	}
	if inner == nil && len(at) > 0 && whole != nil {
		return c.headed(c.give(t, nil), e, t) // there is no place for the record
	}
	shown := c.item(inner, e)
	if object, ok := shown.(map[string]any); ok && inner != nil && !same(inner, c.plan.res.Record) {
		shown = c.placed(c.fake.library.form(inner), object)
	}
	if len(at) > 0 {
		p := part{shown, e.stored}
		if !c.asStored(inner, e) {
			p.value = world.Normalise(shown)
			p.bytes = p.value
		}
		return c.headed(c.framed(t, c.keyed(map[string]any{}, t, e), at, p), e, t)
	}
	if object, ok := shown.(map[string]any); ok && c.plan.role.Keyed {
		shown = c.keyed(maps.Clone(object), t, e)
	}
	return c.headed(c.give(t, shown), e, t)
}

// receipt answers a write with what its reply says of itself: the contract's
// example, or a value of its schema, with the ids that the path and the member
// have.
func (c *call) receipt(e *entry, t target) fakes.Reply {
	body, _ := c.plan.example()
	if body == nil {
		body = c.source().value(t.schema(), "")
	}
	object, ok := world.Normalise(body).(map[string]any)
	if !ok {
		return c.headed(c.written(fakes.Reply{Status: t.status, Header: http.Header{}}, t, world.Normalise(body)), e, t)
	}
	f := c.fake.library.form(t.schema())
	for _, name := range f.names {
		if id := c.idOf(e); c.plan.res.isID(name) {
			if held, ok := c.fake.fitted(f, name, id); ok {
				object[name] = held
			}
		}
	}
	return c.headed(c.give(t, c.placed(f, object)), e, t)
}

// completed gives what stands around a value at its place in a reply, with what
// is required there. Nothing is added to the value itself.
func (c *call) completed(t target, around any, at path, value any) any {
	object, ok := around.(map[string]any)
	if around == nil {
		object, ok = map[string]any{}, true
	}
	if s := t.schema(); s != nil && ok && len(at) > 0 {
		empty := world.Normalise(at.put(object, hollow(value)))
		if holder, is := empty.(map[string]any); is {
			return c.source().least(s, holder)
		}
	}
	return around
}

// hollow stands for a value while what is around it is completed.
func hollow(value any) any {
	switch value.(type) {
	case []any:
		return []any{}
	case map[string]any:
		return map[string]any{}
	}
	return value
}

// project gives a member as a schema shows it: as a record, or by its id.
func (c *call) project(s *schema.Schema, e *entry) any {
	if s == nil || same(s, c.plan.res.Record) {
		return e.value
	}
	v := typed(s)
	if len(v.Types) > 0 && !v.Is("object") {
		return c.single(s, v, e)
	}
	f := c.fake.library.form(s)
	shown := c.secrets(f, c.aliased(f, c.fake.mould(f, e.value), e))
	if c.plan.res.Record == nil { // no operation reads one: what else the reply says is as in the contract's example
		body, _ := c.plan.example()
		inner, _ := pointer(c.plan.role.Output.Path).get(body)
		for name, value := range cast.Object(inner) {
			if _, there := shown[name]; !there {
				shown[name] = value
			}
		}
	}
	return shown
}

// secrets puts into the reply to a creation what is told once, and is in no
// record: a token, a key.
func (c *call) secrets(f *form, shown map[string]any) map[string]any {
	if c.plan.role.Kind != anatomy.Create || c.plan.res.Record == nil {
		return shown
	}
	for _, name := range f.names {
		if _, there := shown[name]; there || c.plan.res.form.has(name) || !once().MatchString(name) || !slices.Contains(typed(f.fields[name]).Types, "string") {
			continue
		}
		shown[name] = c.source().value(f.fields[name], name)
	}
	return shown
}

// once matches the names of what a service tells once.
var once = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(token|secret|password|^key|api_?key|private_?key|signing_?key)$`)
})

// placed puts what the path says into fields that are named as its parameters
// are, and that no record holds.
func (c *call) placed(f *form, shown map[string]any) map[string]any {
	own := false
	for param, text := range c.Input.Path {
		name, ok := f.alike(param)
		if !ok || plainly(param) == "id" || c.plan.res != nil && c.plan.res.form.has(name) {
			continue
		}
		held, ok := c.fake.fitted(f, name, text)
		if !ok {
			continue
		}
		if !own {
			shown, own = maps.Clone(shown), true
		}
		shown[name] = held
	}
	return shown
}

// aliased gives a member's id under the other names that a reply has for it: the
// path's parameter, or plain id.
func (c *call) aliased(f *form, shown map[string]any, e *entry) map[string]any {
	r := c.plan.res
	if r.Singleton {
		return shown
	}
	id, ok := dotted(r.ID.Field).get(e.value)
	if !ok || r.ID.Field == "" {
		id = c.idOf(e)
	}
	for _, name := range f.names {
		if _, there := shown[name]; there || !r.isID(name) || r.form.has(name) {
			continue
		}
		if held, ok := c.fake.fitted(f, name, id); ok {
			shown[name] = held
		}
	}
	return shown
}

// single gives a member where the contract shows no object: its id, or a list
// of one.
func (c *call) single(s *schema.Schema, v *schema.View, e *entry) any {
	if v.Items != nil {
		all := c.many
		if len(all) == 0 {
			all = []*entry{e}
		}
		items := make([]any, len(all))
		for i := range all {
			items[i] = c.item(v.Items, all[i])
		}
		return items
	}
	id, ok := dotted(c.plan.res.ID.Field).get(e.value)
	if !ok || c.plan.res.ID.Field == "" {
		id = e.key
	}
	if fits(s, id, 0) && c.fake.library.Fits(s, id, sample.Reply) {
		return id
	}
	if bent, ok := bend(s, id); ok && c.fake.library.Fits(s, bent, sample.Reply) {
		return bent
	}
	return c.source().value(s, "id")
}

// give answers with a body of the contract's own content type, with what its
// schema requires beyond the body.
func (c *call) give(t target, value any) fakes.Reply {
	reply := fakes.Reply{Status: t.status, Header: http.Header{}}
	if t.media == nil {
		return reply
	}
	s := t.schema()
	if value == nil && s != nil {
		value = c.source().value(s, "")
	}
	if s != nil && !fits(s, value, 0) {
		if bent, ok := bend(s, value); ok {
			value = bent
		}
	}
	if object, ok := value.(map[string]any); ok && s != nil && !same(s, c.record()) {
		value = c.source().least(s, object)
	}
	return c.written(reply, t, world.Normalise(value))
}

// record is the schema of the resource's records; nil where there is none.
func (c *call) record() *schema.Schema {
	if c.plan.res == nil {
		return nil
	}
	return c.plan.res.Record
}

// written encodes a body.
func (c *call) written(reply fakes.Reply, t target, value any) fakes.Reply {
	encode(&reply, *t.media, value)
	return reply
}

// encode writes a value in a content type: JSON in a fixed order, as the world
// keeps it. What the type has no way to write is written as JSON.
func encode(reply *fakes.Reply, media openapi.Media, value any) {
	if !isJSON(media.Type) {
		kind := body.Kind(media.Type)
		if data, written, err := body.Encode(media, value); err == nil {
			reply.Body = data
			if strings.HasSuffix(kind, "/*") && !strings.HasPrefix(written, strings.TrimSuffix(kind, "*")) {
				written = contentType(media.Type)
			}
			reply.Header.Set("Content-Type", written)
			return
		}
	}
	reply.Header.Set("Content-Type", contentType(media.Type))
	reply.Body = world.Encode(value)
	reply.Result, _ = value.(map[string]any)
}

// isJSON tells whether what is answered in a content type is JSON.
func isJSON(declared string) bool {
	kind := body.Kind(declared)
	return body.IsJSON(kind) || kind == "*/*" || kind == "application/*" || kind == ""
}

// contentType gives one that can be sent: a range stands for JSON.
func contentType(declared string) string {
	switch kind := body.Kind(declared); {
	case kind == "*/*" || kind == "" || kind == "application/*":
		return "application/json"
	case kind == "image/*":
		return "image/png"
	case kind == "video/*" || kind == "audio/*":
		return strings.TrimSuffix(kind, "*") + "mp4"
	case strings.HasSuffix(kind, "/*"):
		return strings.TrimSuffix(kind, "*") + "plain"
	}
	return declared
}

// bare answers without a body, or with one that says nothing of the member.
func (c *call) bare(e *entry, t target) fakes.Reply {
	if t.status == http.StatusNoContent || t.media == nil {
		t.media = nil
	}
	return c.headed(c.give(t, nil), e, t)
}

// headed adds what headers say of a member.
func (c *call) headed(reply fakes.Reply, e *entry, t target) fakes.Reply {
	if reply.Header.Get("Content-Type") == "" && t.media != nil {
		reply.Header.Set("Content-Type", contentType(t.media.Type))
	}
	if c.plan.role.ETag || c.plan.role.IfMatch || t.header("ETag") {
		reply.Header.Set("Etag", `"`+e.version()+`"`)
	}
	if h, ok := t.declared("Last-Modified"); ok && h.Schema != nil && c.plan.res.Updated != "" {
		if v, ok := dotted(c.plan.res.Updated).get(e.value); ok {
			if at, ok := instant(v); ok {
				reply.Header.Set("Last-Modified", at.UTC().Format(http.TimeFormat))
			}
		}
	}
	return c.obliged(reply, t)
}

// obliged adds headers that the contract requires and nothing else has set.
func (c *call) obliged(reply fakes.Reply, t target) fakes.Reply {
	if t.of == nil {
		return reply
	}
	for _, h := range t.of.Headers {
		if !h.Required || reply.Header.Get(h.Name) != "" || strings.EqualFold(h.Name, "Content-Type") || strings.EqualFold(h.Name, "Location") || header.OfSender(h.Name) {
			continue
		}
		if value := cast.Plain(c.source().value(h.Schema, h.Name)); value != "" {
			reply.Header.Set(h.Name, strings.Map(printable, value))
		}
	}
	return reply
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}

// deleted answers for a member that is gone.
func (c *call) deleted(e *entry) fakes.Reply {
	t := c.success(c.usual(http.StatusNoContent, http.StatusOK)...)
	if t.media == nil {
		return c.obliged(c.give(t, nil), t)
	}
	s := t.schema()
	if s != nil && !same(s, c.plan.res.Record) {
		shown := c.fake.mould(c.fake.library.form(s), e.value)
		f := c.fake.library.form(s)
		for _, name := range []string{"deleted", "success", "ok"} {
			if at := f.fields[name]; at != nil && slices.Contains(typed(at).Types, "boolean") {
				shown[name] = true
			}
		}
		if !typed(s).Is("object") {
			return c.obliged(c.give(t, nil), t)
		}
		return c.obliged(c.give(t, shown), t)
	}
	return c.obliged(c.give(t, e.value), t)
}
