package sendgrid

import (
	"maps"
	"net/http"
	"strconv"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A resource is a kind of record that is made, listed, read, changed and deleted,
// with nothing else to it. All of them are played by one implementation.
type resource struct {
	collection string
	parameter  string         // of the path, that names one
	key        string         // the field that holds the id
	numbered   int64          // where ids are counted, the first; 0: they are UUIDs, or the key is given
	given      bool           // the key is given by who makes one
	required   []string       // fields without which none is made
	usual      map[string]any // the fields of one, as they are where nothing is said
	within     string         // the field of a list that holds it; "": the list is the reply
	begin      func(c *call, value map[string]any)
	made       int // status; 0: 201
}

// describe lays what was sent over a record.
func (k *resource) describe(c *call, value map[string]any, isNew bool) *refusal {
	for field, usual := range k.usual {
		v, sent := c.Input.Body[field]
		if !sent || v == nil {
			continue
		}
		if !alike(v, usual) {
			return invalid(field, field+" is of the wrong type")
		}
		value[field] = v
	}
	if isNew {
		r := &refusal{status: http.StatusBadRequest}
		for _, field := range k.required {
			if v := c.Input.Body[field]; v == nil || v == "" {
				r.problems = append(r.problems, problem{field: field, message: "missing required argument"})
			}
		}
		if len(r.problems) > 0 {
			return r
		}
	}
	for _, field := range []string{"email_to", "email"} {
		if email, sent := c.Input.Body[field].(string); sent && !isEmail(email) {
			return invalid(field, "email address is invalid")
		}
	}
	return nil
}

// alike reports whether a value sent is of the type of the usual one; where that
// is none, a number.
func alike(sent, usual any) bool {
	switch usual.(type) {
	case string:
		_, is := sent.(string)
		return is
	case bool:
		_, is := sent.(bool)
		return is
	case []any:
		_, is := sent.([]any)
		return is
	case map[string]any:
		_, is := sent.(map[string]any)
		return is
	}
	switch sent.(type) {
	case string, bool, []any, map[string]any:
		return false
	}
	return true
}

// moments sets when a record was made and changed, in the form that it has.
func (k *resource) moments(c *call, value map[string]any, isNew bool) {
	for _, field := range []string{"created_at", "updated_at"} {
		held, has := k.usual[field]
		if !has || field == "created_at" && !isNew {
			continue
		}
		if _, number := held.(int64); number {
			value[field] = c.Now.Unix()
		} else {
			value[field] = iso(c.Now)
		}
	}
}

func (k *resource) create(c *call) (answer, *refusal) {
	value := maps.Clone(k.usual)
	if refused := k.describe(c, value, true); refused != nil {
		return answer{}, refused
	}
	id := ""
	switch {
	case k.given:
		id = cast.Text(value[k.key])
		if _, taken := c.get(k.collection, id); taken {
			return answer{}, invalid(k.key, k.key+" already exists")
		}
	case k.numbered != 0:
		n := c.next(k.collection, k.numbered)
		value[k.key], id = n, strconv.FormatInt(n, 10)
	default:
		id = c.id(c.uuid)
		value[k.key] = id
	}
	k.moments(c, value, true)
	if k.begin != nil {
		k.begin(c, value)
	}
	c.put(k.collection, id, value)
	if k.made != 0 {
		return answer{status: k.made, value: value}, nil
	}
	return created(value), nil
}

func (k *resource) list(c *call) (answer, *refusal) {
	limit, offset := c.count("limit", 500), max(c.count("offset", 0), 0)
	if _, paged := c.Input.Query["page_size"]; paged {
		limit = c.count("page_size", 100)
		offset, _ = offsetOf(c.query("page_token"))
	}
	page, n := []any{}, 0
	for r := range c.Tx.Oldest(full(k.collection), 0) {
		if n >= offset && len(page) < limit {
			page = append(page, r.Value())
		}
		n++
	}
	if k.within == "" {
		return ok(page), nil
	}
	return ok(map[string]any{k.within: page, "_metadata": c.metadata(max(limit, 1), offset, n)}), nil
}

func (k *resource) find(c *call) (*world.Record, *refusal) {
	return c.member(k.collection, k.parameter, notFound())
}

func (k *resource) get(_ *call, r *world.Record) (answer, *refusal) { return ok(r.Value()), nil }

func (k *resource) change(c *call, r *world.Record) (answer, *refusal) {
	value := maps.Clone(r.Value())
	if refused := k.describe(c, value, false); refused != nil {
		return answer{}, refused
	}
	k.moments(c, value, false)
	if k.given && value[k.key] != r.Value()[k.key] {
		c.fake.store.Delete(c.Tx, k.collection, r.ID)
	}
	id := r.ID
	if k.given {
		id = cast.Text(value[k.key])
	}
	return ok(c.put(k.collection, id, value).Value()), nil
}

func (k *resource) remove(c *call, r *world.Record) (answer, *refusal) {
	c.fake.store.Delete(c.Tx, k.collection, r.ID)
	return noContent, nil
}

// handlers are those of a resource, under the ids that the vendor gives them.
func (k *resource) handlers(list, create, get, change, remove string) map[string]handler {
	return map[string]handler{
		list: k.list, create: k.create, get: kit.With(k.find, k.get), change: kit.With(k.find, k.change), remove: kit.With(k.find, k.remove),
	}
}
