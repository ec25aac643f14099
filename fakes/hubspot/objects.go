package hubspot

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// How many records a page has: by default, and at most.
// Source: developers.hubspot.com/docs/api-reference/crm-contacts-v3.
const (
	usualPage = 10
	mostPage  = 100
)

// limit reads how many records a page is to have.
func (c *call) limit(most int) (int, *refusal) {
	n, sent := c.Input.Query["limit"].(int64)
	switch {
	case !sent:
		return min(usualPage, most), nil
	case n < 1:
		return 0, invalid("limit must be greater than 0")
	case n > int64(most):
		return 0, invalid("limit must be less than or equal to %d", most)
	}
	return int(n), nil
}

func getPage(c *call, o *objectType) (answer, *refusal) {
	v, refused := c.view()
	if refused != nil {
		return answer{}, refused
	}
	limit, refused := c.limit(mostPage)
	if refused != nil {
		return answer{}, refused
	}
	from, refused := c.after(o)
	if refused != nil {
		return answer{}, refused
	}
	archived := c.flag("archived")
	results, last := make([]any, 0, limit), ""
	for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), from) {
		if !visible(o, r, archived) {
			continue
		}
		if len(results) == limit {
			return c.page(results, following(last))
		}
		results, last = append(results, c.show(o, r.Value(), v)), r.ID
	}
	if c.wentOn(o.name, last) {
		return c.page(results, following(last))
	}
	return c.page(results, "")
}

// after reads where a page begins: cursors name the id that comes next. It
// gives the order of the record before that.
func (c *call) after(o *objectType) (uint64, *refusal) {
	cursor := c.query("after")
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil || n < 0 {
		return 0, invalid("Invalid after parameter: %s", kit.Clip(cursor))
	}
	if r, ok := c.fake.store.Get(c.Tx, o.collection, strconv.FormatInt(n-1, 10)); ok {
		return r.Order, nil
	}
	// The record is gone for good: the page begins with the first id that is no
	// smaller.
	from := uint64(0)
	for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), 0) {
		if id, err := strconv.ParseInt(r.ID, 10, 64); err == nil && id >= n {
			break
		}
		from = r.Order
	}
	return from, nil
}

// following is the cursor of the page after a record: its id and one.
func following(id string) string {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return id
	}
	return strconv.FormatInt(n+1, 10)
}

// page answers with results and, where there are more, how to go on.
func (c *call) page(results []any, after string) (answer, *refusal) {
	value := map[string]any{"results": results}
	if after != "" {
		value["paging"] = map[string]any{"next": map[string]any{"after": after, "link": c.link(after)}}
	}
	return ok(value)
}

// link is the address of the page after this one: this one's, with the cursor.
func (c *call) link(after string) string {
	var query strings.Builder
	add := func(name, value string) {
		query.WriteString(map[bool]string{true: "?", false: "&"}[query.Len() == 0])
		query.WriteString(name + "=" + url.QueryEscape(value))
	}
	for _, name := range []string{"limit", "properties", "propertiesWithHistory", "associations", "archived", "email"} {
		switch v := c.Input.Query[name].(type) {
		case int64:
			add(name, strconv.FormatInt(v, 10))
		case bool:
			add(name, strconv.FormatBool(v))
		case string:
			add(name, v)
		case []any:
			for _, one := range v {
				add(name, cast.Plain(one))
			}
		}
	}
	add("after", after)
	return c.Base + kit.Path(c.Operation.Path, escaped(c.Input.Path)) + query.String()
}

func escaped(parameters map[string]string) map[string]string {
	all := make(map[string]string, len(parameters))
	for name, value := range parameters {
		all[name] = url.PathEscape(value)
	}
	return all
}

func getObject(c *call, o *objectType) (answer, *refusal) {
	v, refused := c.view()
	if refused != nil {
		return answer{}, refused
	}
	id := c.Input.Path["objectId"]
	if property := c.query("idProperty"); property != "" && property != "hs_object_id" {
		r, refused := c.look(o, id, property)
		if refused != nil && refused.status == http.StatusNotFound {
			return answer{}, gone()
		}
		if refused != nil {
			return answer{}, refused
		}
		return ok(c.show(o, r.Value(), v))
	}
	if !digits(id) {
		return answer{}, unnamed(id)
	}
	r, found := c.held(o, id)
	if !found || r.Value()["archived"] == true && !c.flag("archived") {
		return answer{}, gone()
	}
	return ok(c.show(o, r.Value(), v))
}

func createObject(c *call, o *objectType) (answer, *refusal) {
	r, set, refused := c.create(o, c.Input.Body)
	if refused != nil {
		return answer{}, refused
	}
	return answer{
		status: http.StatusCreated, value: c.made(o, r, set),
		header: []string{"Location", c.Base + kit.Path(c.Operation.Path, escaped(c.Input.Path)) + "/" + r.ID},
	}, nil
}

// made writes a record as the answer to its creation shows it: with all that it
// holds.
func (c *call) made(_ *objectType, r *world.Record, _ map[string]string) map[string]any {
	shown := c.frame(r.Value())
	shown["properties"] = r.Value()["properties"]
	return shown
}

// create makes a record of an input: properties, and what it is associated
// with.
func (c *call) create(o *objectType, input map[string]any) (*world.Record, map[string]string, *refusal) {
	set, refused := c.values(o, cast.Object(input["properties"]))
	if refused == nil {
		refused = c.complete(o, set)
	}
	if refused == nil {
		refused = c.staged(o, set, nil)
	}
	if refused == nil {
		refused = c.collides(o, set, "")
	}
	var wanted []association
	if refused == nil {
		wanted, refused = c.wanted(o, input["associations"])
	}
	if refused != nil {
		return nil, nil, refused
	}
	r := c.make(o, set, c.api())
	for _, one := range wanted {
		one.fromID = r.ID
		c.put(one)
	}
	return r, set, nil
}

// complete refuses a record without what it needs.
func (c *call) complete(o *objectType, set map[string]string) *refusal {
	var absent []any
	for _, property := range o.required {
		if set[property] == "" && (o.name != "meetings" || set["hs_meeting_start_time"] == "") {
			absent = append(absent, property)
		}
	}
	if len(absent) == 0 {
		return nil
	}
	r := invalid("Error creating %s. Some required properties were not set.", o.upper)
	r.context = map[string]any{"properties": absent}
	return r
}

func updateObject(c *call, o *objectType) (answer, *refusal) {
	r, set, refused := c.change(o, c.Input.Path["objectId"], c.query("idProperty"), cast.Object(c.Input.Body["properties"]))
	if refused != nil {
		return answer{}, refused
	}
	return ok(c.updated(o, r, set))
}

func (c *call) updated(o *objectType, r *world.Record, set map[string]string) map[string]any {
	shown := c.frame(r.Value())
	shown["properties"] = c.written(o, cast.Object(r.Value()["properties"]), set)
	return shown
}

// change lays given properties over a record.
func (c *call) change(o *objectType, key, idProperty string, given map[string]any) (*world.Record, map[string]string, *refusal) {
	r, refused := c.look(o, key, idProperty)
	if refused != nil {
		return nil, nil, refused
	}
	if len(given) == 0 {
		none := invalid("No properties found to update, please provide at least one.")
		none.context = map[string]any{"properties": []any{"{}"}}
		return nil, nil, none
	}
	before, _ := r.Value()["properties"].(map[string]any)
	set, refused := c.values(o, given)
	if refused == nil {
		refused = c.staged(o, set, before)
	}
	if refused == nil {
		refused = c.collides(o, set, r.ID)
	}
	if refused != nil {
		return nil, nil, refused
	}
	return c.alter(o, r, set, c.api()), set, nil
}

func archiveObject(c *call, o *objectType) (answer, *refusal) {
	id := c.Input.Path["objectId"]
	if !digits(id) {
		return answer{}, unnamed(id)
	}
	// What is archived already, and what never was, is answered alike.
	if r, found := c.find(o, id); found {
		c.retire(o, r)
	}
	return done()
}
