package hubspot

import (
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mergeObjects merges a record into another, which keeps its id. What it lacks
// it takes over from the second, whose id leads nowhere any more.
func mergeObjects(c *call) (answer, *refusal) {
	o, refused := c.objectType("objectType")
	if refused != nil {
		return answer{}, refused
	}
	primary, secondary := plain(c.Input.Body["primaryObjectId"]), plain(c.Input.Body["objectIdToMerge"])
	if primary == secondary {
		return answer{}, invalid("Cannot merge an object with itself: %s", kit.Clip(primary))
	}
	a, found := c.find(o, primary)
	if !found {
		return answer{}, unmerged(primary)
	}
	b, found := c.find(o, secondary)
	if !found {
		return answer{}, unmerged(secondary)
	}
	r := c.merge(o, a, b)
	return ok(c.made(o, r, nil))
}

func unmerged(id string) *refusal {
	r := missing()
	r.category = notFoundCategory
	r.context = map[string]any{"id": []any{kit.Clip(id)}}
	return r
}

// merge lays the properties of a over those of b, moves b's associations to a,
// and takes b away.
func (c *call) merge(o *objectType, a, b *world.Record) *world.Record {
	mine, _ := a.Value["properties"].(map[string]any)
	theirs, _ := b.Value["properties"].(map[string]any)
	set := map[string]string{}
	for property, value := range theirs {
		d := c.definition(o, property)
		if d == nil || d.readOnly || mine[property] != nil {
			continue
		}
		set[property], _ = value.(string)
	}
	ids := append([]any{}, list(a.Value["merged"])...)
	ids = append(append(ids, b.ID), list(b.Value["merged"])...)
	set["hs_merged_object_ids"] = strings.Join(texts(ids), ";")
	if o.name == "contacts" {
		set["hs_all_contact_vids"] = a.ID + ";" + strings.Join(texts(ids), ";")
		set["hs_calculated_merged_vids"] = set["hs_merged_object_ids"]
		if email := text(theirs, "email"); email != "" && email != text(mine, "email") {
			set["hs_additional_emails"] = email
		}
	}
	c.moveLinks(o, b.ID, a.ID)
	c.retire(o, b)
	r := c.alter(o, a, set, source{"MERGE_OBJECTS", c.settings.appID})
	value := changed(r.Value)
	value["merged"] = ids
	c.announce(o, a.ID, "merge", "", "")
	return c.fake.store.Update(c.Tx, o.collection, a.ID, value)
}

func list(v any) []any {
	all, _ := v.([]any)
	return all
}

// purgeObject takes a record away with all that is known of it.
func purgeObject(c *call) (answer, *refusal) {
	o, refused := c.objectType("objectType")
	if refused != nil {
		return answer{}, refused
	}
	id := plain(c.Input.Body["objectId"])
	r, found := c.held(o, id)
	if property := text(c.Input.Body, "idProperty"); property != "" && property != "hs_object_id" {
		if refused := c.unique(o, property); refused != nil {
			return answer{}, refused
		}
		r = c.byProperty(o, property, id)
		found = r != nil
	}
	if !found {
		return done() // an address that is not known is kept from ever becoming a contact: answered alike
	}
	sent := fakes.Sent{Service: name, Kind: "gdpr-delete", ID: r.ID, Summary: "deleted for good: " + o.singular + " " + r.ID, Content: map[string]any{"objectType": o.name, "objectId": r.ID}, At: c.Now}
	if err := kit.Send(c.Tx, sent); err != nil {
		panic("hubspot fake: " + err.Error())
	}
	c.unlink(o, r.ID)
	c.fake.index.Note(c.Tx, o.collection+"/"+r.ID, r.Value, c.Now)
	c.fake.store.Delete(c.Tx, o.collection, r.ID)
	c.announce(o, r.ID, "privacyDeletion", "", "")
	return done()
}
