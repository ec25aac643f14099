package hubspot

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mostHistory is how many versions of a property are kept.
const mostHistory = 20

// A source says where a value came from, as versions of properties have it.
type source struct {
	kind, id string
}

// api is where all comes from that a client writes.
func (c *call) api() source { return source{"INTEGRATION", c.settings.appID} }

// find gives a record that is not archived, by its id.
func (c *call) find(o *objectType, id string) (*world.Record, bool) {
	r, ok := c.held(o, id)
	if !ok || r.Value()["archived"] == true {
		return nil, false
	}
	return r, true
}

// held gives a record, archived or not. An id that was merged away leads to
// the record that it was merged into.
func (c *call) held(o *objectType, id string) (*world.Record, bool) {
	r, ok := c.fake.store.Get(c.Tx, o.collection, c.current(o, id))
	if !ok || o.custom && r.Value()["type"] != o.name {
		return nil, false
	}
	return r, true
}

// look finds the record that a path names: by its id, or by a property that is
// one of a kind.
func (c *call) look(o *objectType, key, idProperty string) (*world.Record, *refusal) {
	if idProperty == "" || idProperty == "hs_object_id" {
		if !digits(key) {
			return nil, unnamed(key)
		}
		r, ok := c.find(o, key)
		if !ok {
			return nil, missing()
		}
		return r, nil
	}
	if refused := c.unique(o, idProperty); refused != nil {
		return nil, refused
	}
	if r := c.byProperty(o, idProperty, key); r != nil {
		return r, nil
	}
	return nil, missing()
}

// unique refuses a property that does not tell records apart.
func (c *call) unique(o *objectType, property string) *refusal {
	d := c.definition(o, property)
	switch {
	case d == nil:
		return &refusal{status: http.StatusBadRequest, category: invalidCategory, message: "Property \"" + kit.Clip(property) + "\" does not exist"}
	case d.unique, property == "email" && o.name == "contacts", property == "hs_email" && o.name == "users":
		return nil
	}
	return invalid("Property '%s' is not a unique property and cannot be used as the idProperty", kit.Clip(property))
}

// byProperty finds the record of a type whose property holds a value.
func (c *call) byProperty(o *objectType, property, value string) *world.Record {
	if property == "email" {
		value = strings.ToLower(strings.TrimSpace(value))
		for r := range c.fake.store.Find(c.Tx, o.collection, "properties.email", value) {
			if r.Value()["archived"] != true {
				return r
			}
		}
		return c.byFormerAddress(o, value)
	}
	for r := range c.Tx.Oldest(c.fake.store.Full(o.collection), 0) {
		if r.Value()["archived"] == true || o.custom && r.Value()["type"] != o.name {
			continue
		}
		if held, _ := r.Value()["properties"].(map[string]any); cast.Text(held[property]) == value {
			return r
		}
	}
	return nil
}

// collides refuses values that another record has and only one may.
func (c *call) collides(o *objectType, set map[string]string, own string) *refusal {
	for _, property := range slices.Sorted(maps.Keys(set)) {
		value := set[property]
		if value == "" {
			continue
		}
		if property == "email" && o.name == "contacts" {
			if other := c.byProperty(o, property, value); other != nil && other.ID != own {
				return exists("Contact", other.ID)
			}
			continue
		}
		if d := c.definition(o, property); d != nil && d.unique {
			if other := c.byProperty(o, property, value); other != nil && other.ID != own {
				return invalid("Cannot set PropertyValueCoordinates{portalId=%s, objectTypeId=%s, propertyName=%s, value=%s} on %s. %s already has that value.",
					c.settings.portalID, o.id, property, kit.Clip(value), own, other.ID)
			}
		}
	}
	return nil
}

// make writes a new record with properties that were found good.
func (c *call) make(o *objectType, set map[string]string, by source) *world.Record {
	id, now := c.id(o.collection), c.now()
	held := make(map[string]any, len(set)+12)
	for property, value := range set {
		if value != "" {
			held[property] = value
		}
	}
	c.begin(o, held, id, now)
	c.derive(o, held)
	value := map[string]any{"id": id, "properties": held, "createdAt": now, "updatedAt": now, "archived": false}
	if o.custom {
		value["type"] = o.name
	}
	if by.kind != "INTEGRATION" {
		value["history"] = c.versions(held, by)
	}
	r := c.fake.store.Create(c.Tx, o.collection, id, value)
	c.fake.index.Note(c.Tx, o.collection+"/"+id, nil, c.Now)
	c.announce(o, id, "creation", "", "")
	return r
}

// versions gives each property its first version, where it did not come the
// usual way.
func (c *call) versions(held map[string]any, by source) map[string]any {
	all := make(map[string]any, len(held))
	for property, value := range held {
		all[property] = []any{c.version(value, by)}
	}
	return all
}

func (c *call) version(value any, by source) map[string]any {
	v := map[string]any{"value": value, "timestamp": c.Now.UnixMilli(), "source": by.kind}
	if by.id != "" {
		v["sourceId"] = by.id
	}
	return v
}

// alter writes changed properties of a record, and gives the names of those
// that differ.
func (c *call) alter(o *objectType, r *world.Record, set map[string]string, by source) *world.Record {
	before, _ := r.Value()["properties"].(map[string]any)
	held := changed(before)
	for property, value := range set {
		if value == "" {
			delete(held, property)
		} else {
			held[property] = value
		}
	}
	c.derive(o, held)
	differ := slices.Sorted(maps.Keys(kit.Before(before, held)))
	held[o.modified] = c.now()
	value := changed(r.Value())
	value["properties"], value["updatedAt"] = held, c.now()
	value["history"] = c.extended(r.Value(), before, held, differ, by)
	c.fake.index.Note(c.Tx, o.collection+"/"+r.ID, r.Value(), c.Now)
	for _, property := range differ {
		c.announce(o, r.ID, "propertyChange", property, cast.Text(held[property]))
	}
	return c.fake.store.Update(c.Tx, o.collection, r.ID, value)
}

// extended adds the versions of changed properties to a record's history.
func (c *call) extended(value, before, held map[string]any, differ []string, by source) map[string]any {
	history, _ := value["history"].(map[string]any)
	all := make(map[string]any, len(history)+len(differ))
	maps.Copy(all, history)
	for _, property := range differ {
		past, _ := all[property].([]any)
		if was, had := before[property]; past == nil && had {
			past = []any{map[string]any{"value": was, "timestamp": millis(cast.Text(value["createdAt"])), "source": "INTEGRATION", "sourceId": c.settings.appID}}
		}
		past = append([]any{c.version(cast.Text(held[property]), by)}, past...)
		all[property] = past[:min(len(past), mostHistory)]
	}
	return all
}

// retire moves a record to the recycling bin, where it keeps its id.
func (c *call) retire(o *objectType, r *world.Record) {
	value := changed(r.Value())
	value["archived"], value["archivedAt"], value["updatedAt"] = true, c.now(), c.now()
	c.fake.index.Note(c.Tx, o.collection+"/"+r.ID, r.Value(), c.Now)
	c.fake.store.Update(c.Tx, o.collection, r.ID, value)
	c.announce(o, r.ID, "deletion", "", "")
}

// digits tells whether a text is an id.
func digits(id string) bool {
	return id != "" && strings.Trim(id, "0123456789") == ""
}
