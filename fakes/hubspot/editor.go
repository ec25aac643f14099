package hubspot

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// person is where what somebody does on HubSpot's pages comes from.
func person() source { return source{"CRM_UI", "userId:9586504"} }

// Subject names the record that a call is about, as its path leads to it. What
// is archived is not there.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := f.on(fc)
	a := c.Operation.Anatomy
	if a.Items != "" || strings.HasSuffix(c.Operation.Path, "Type}") || strings.HasSuffix(c.Operation.Path, "/associated/{kind}/{objectId}") {
		return "", ""
	}
	var r *world.Record
	var refused *refusal
	collection = a.Collection
	switch path := c.Input.Path; {
	case a.Collection == "objects" && path["objectId"] != "":
		o, ok := c.typeNamed(path["objectType"])
		if !ok {
			return "", ""
		}
		collection = o.collection
		r, refused = c.look(o, path["objectId"], c.query("idProperty"))
	case a.Collection == "objects" && path["email"] != "": // made where it is not there
		collection = "contacts"
		r, refused = c.namedV1()
	case a.Collection == "contacts" && (path["vid"] != "" || path["email"] != "" || path["utk"] != ""):
		r, refused = c.namedV1()
	case a.Collection == "companies" && path["companyId"] != "":
		r, refused = c.namedCompany()
	case a.Collection == "deals" && path["dealId"] != "":
		r, refused = c.namedDeal()
	case a.Collection == engagements:
		e, _ := c.engagementOf(path["engagementId"])
		if e.r != nil {
			collection, r = e.o.collection, e.r
		}
	case a.Collection == properties || a.Collection == groups || a.Collection == pipelines:
		return c.ofType(a.Collection, path)
	default:
		collection, id = kit.Subject(fc)
		if held, ok := c.Tx.Get(collection, id); ok && held.Value()["archived"] == true {
			return "", ""
		}
		return collection, id
	}
	if refused != nil || r == nil {
		return "", ""
	}
	return f.store.Full(collection), r.ID
}

// on is a call as handlers have it, of which no reply is made.
func (f *Fake) on(fc *fakes.Call) *call {
	c := &call{Call: fc, fake: f}
	c.settings = c.account()
	return c
}

// ofType finds what a type of records has: a property, a group, a pipeline. What
// HubSpot defines is no record until somebody changes it.
func (c *call) ofType(collection string, path map[string]string) (string, string) {
	o, ok := c.typeNamed(path["objectType"])
	if !ok {
		for _, old := range []string{"contacts", "companies", "deals"} {
			if strings.HasPrefix(c.Operation.Path, "/"+old+"/") {
				o = c.fake.types.byName[old]
			}
		}
	}
	for _, parameter := range []string{"propertyName", "groupName", "pipelineId"} {
		if path[parameter] == "" || o == nil {
			continue
		}
		if r, there := c.fake.store.Get(c.Tx, collection, o.name+"/"+path[parameter]); there && r.Value()["archived"] != true {
			return c.fake.store.Full(collection), r.ID
		}
	}
	return "", ""
}

// typeOf gives the type of a record of the CRM; nil for other records.
func (c *call) typeOf(collection string, value map[string]any) *objectType {
	for _, o := range c.fake.types.all {
		if o.collection == collection && !o.custom {
			return o
		}
	}
	if custom, ok := value["type"].(string); ok && collection == customObjects {
		if o, known := c.typeNamed(custom); known {
			return o
		}
	}
	return nil
}

// Edit changes a record. Of one of the CRM what is set are its properties,
// whether they stand under "properties" or at the top.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	last, _ := time.Parse(time.RFC3339Nano, cast.Text(r.Value()["updatedAt"]))
	c := f.on(kit.After(fc, last, time.Millisecond))
	o := c.typeOf(short, r.Value())
	if o == nil {
		return f.store.Edit(c.Tx, collection, id, set, func(value map[string]any) {
			if r.Value()["updatedAt"] != nil {
				value["updatedAt"] = c.now()
			}
		})
	}
	given := map[string]any{}
	for field, value := range set {
		if inner, ok := value.(map[string]any); ok && field == "properties" {
			maps.Copy(given, inner)
			continue
		}
		given[field] = value
	}
	before, _ := r.Value()["properties"].(map[string]any)
	sent, refused := c.values(o, given)
	if refused == nil {
		refused = c.staged(o, sent, before)
	}
	if refused == nil {
		refused = c.collides(o, sent, r.ID)
	}
	if refused != nil {
		return fmt.Errorf("hubspot %s %s: %s", short, id, refused.message)
	}
	c.alter(o, r, sent, person())
	return nil
}

// Remove archives a record.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.on(fc)
	switch o := c.typeOf(short, r.Value()); {
	case o != nil && r.Value()["archived"] == true:
		return fmt.Errorf("hubspot %s %s is archived already", short, id)
	case o != nil:
		c.retire(o, r)
	case short == account:
		return fmt.Errorf("hubspot: there is one account")
	default:
		f.store.Delete(c.Tx, short, id)
	}
	return nil
}

// Copy makes another record like one there is, with nothing associated. What
// tells records apart is another.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	short, r, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return "", err
	}
	c := f.on(fc)
	o := c.typeOf(short, r.Value())
	if o == nil {
		if slices.Contains([]string{account, properties, groups, associations, labels, memberships}, short) || strings.Contains(id, "/") {
			return "", fmt.Errorf("hubspot %s %s: what is found by its name cannot be there twice", short, id)
		}
		return f.store.Copy(fc.Tx, collection, id, func(value map[string]any) string {
			fresh := c.id(short)
			value["id"] = fresh
			return fresh
		})
	}
	held, _ := r.Value()["properties"].(map[string]any)
	set := make(map[string]string, len(held))
	for property, v := range held {
		value, _ := v.(string)
		d := c.definition(o, property)
		switch {
		case property == o.created, property == o.modified, property == "hs_object_id", value == "":
			continue
		case property == "email" && o.name == "contacts", d != nil && d.unique:
			value = strings.ToLower(c.NewID("", 6)) + "." + value
		}
		set[property] = value
	}
	return c.make(o, set, person()).ID, nil
}
