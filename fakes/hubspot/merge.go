package hubspot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// mergeObjects makes one record of two.
func mergeObjects(c *call, o *objectType) (answer, *refusal) {
	primary, secondary := cast.Plain(c.Input.Body["primaryObjectId"]), cast.Plain(c.Input.Body["objectIdToMerge"])
	if c.current(o, primary) == c.current(o, secondary) {
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

// merge makes a record of two: the properties of a over those of b, and what
// both were associated with. Their ids lead to it.
// Source: developers.hubspot.com/changelog, merges make a record with an id of
// its own.
func (c *call) merge(o *objectType, a, b *world.Record) *world.Record {
	mine, _ := a.Value()["properties"].(map[string]any)
	theirs, _ := b.Value()["properties"].(map[string]any)
	set := map[string]string{}
	for _, held := range []map[string]any{theirs, mine} {
		for property, value := range held {
			set[property], _ = value.(string)
		}
	}
	set[o.created] = min(cmp.Or(cast.Text(mine[o.created]), cast.Text(theirs[o.created])), cmp.Or(cast.Text(theirs[o.created]), cast.Text(mine[o.created])))
	var ids []any
	for _, r := range []*world.Record{a, b} {
		ids = append(append(ids, r.ID), cast.List(r.Value()["merged"])...)
	}
	set["hs_merged_object_ids"] = strings.Join(cast.Texts(ids), ";")
	delete(set, "hs_all_contact_vids") // of one of them: the merged record's is made below
	if o.name == "contacts" {
		set["hs_calculated_merged_vids"] = set["hs_merged_object_ids"]
		set["hs_additional_emails"] = strings.Join(additional(mine, theirs), ";")
	}
	// The addresses are free before the merged record has them.
	c.retire(o, b)
	c.retire(o, a)
	r := c.make(o, set, c.api())
	if o.name == "contacts" {
		c.forward(additional(mine, theirs), r.ID)
	}
	value := changed(r.Value())
	held := changed(value["properties"].(map[string]any))
	if o.name == "contacts" {
		held["hs_all_contact_vids"] = r.ID + ";" + set["hs_merged_object_ids"]
	}
	value["properties"], value["merged"] = held, ids
	value["createdAt"] = min(cast.Text(a.Value()["createdAt"]), cast.Text(b.Value()["createdAt"]))
	history := map[string]any{}
	for _, one := range []*world.Record{b, a} {
		maps.Copy(history, cast.Object(one.Value()["history"]))
	}
	if len(history) > 0 {
		value["history"] = history
	}
	if kept := a.Value()["v1"]; kept != nil {
		value["v1"] = kept
	}
	r = c.fake.store.Update(c.Tx, o.collection, r.ID, value)
	for _, one := range []*world.Record{b, a} { // a last: its first company stays the primary one
		c.moveLinks(o, one.ID, r.ID)
		if o.name == "contacts" {
			c.moveMemberships(one.ID, r.ID)
		}
		old, _ := c.fake.store.Get(c.Tx, o.collection, one.ID)
		value := changed(old.Value())
		value["mergedInto"] = r.ID
		c.fake.store.Update(c.Tx, o.collection, one.ID, value)
	}
	c.announce(o, r.ID, "merge", "", "")
	return r
}

// moveMemberships puts a contact into the lists that another is in.
func (c *call) moveMemberships(from, to string) {
	var all []*world.Record
	for r := range c.fake.store.Find(c.Tx, memberships, "vid", from) {
		all = append(all, r)
	}
	for _, r := range all {
		c.fake.store.Delete(c.Tx, memberships, r.ID)
		id := cast.Text(r.Value()["list"]) + "/" + to
		if _, in := c.fake.store.Get(c.Tx, memberships, id); !in {
			value := changed(r.Value())
			value["id"], value["vid"] = id, to
			c.fake.store.Create(c.Tx, memberships, id, value)
		} else if of, there := c.fake.store.Get(c.Tx, lists, cast.Text(r.Value()["list"])); there {
			c.resize(of, -1)
		}
	}
}

// current is the id of the record that an id leads to: its own, or that of the
// one it was merged into.
func (c *call) current(o *objectType, id string) string {
	for {
		r, ok := c.fake.store.Get(c.Tx, o.collection, id)
		if !ok || cast.Text(r.Value()["mergedInto"]) == "" {
			return id
		}
		id = cast.Text(r.Value()["mergedInto"])
	}
}

// purgeObject takes a record away with all that is known of it.
func purgeObject(c *call, o *objectType) (answer, *refusal) {
	id := cast.Plain(c.Input.Body["objectId"])
	r, found := c.held(o, id)
	if property := cast.Text(c.Input.Body["idProperty"]); property != "" && property != "hs_object_id" {
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
	kit.Must(name, kit.Send(c.Tx, sent))
	c.unlink(o, r.ID)
	c.fake.index.Note(c.Tx, o.collection+"/"+r.ID, r.Value(), c.Now)
	c.fake.store.Delete(c.Tx, o.collection, r.ID)
	for _, old := range cast.Texts(r.Value()["merged"]) {
		c.fake.store.Delete(c.Tx, o.collection, old)
	}
	c.announce(o, r.ID, "privacyDeletion", "", "")
	return done()
}

// additional lists the addresses that a merged contact has beside its own: what
// is sent to them still finds it.
func additional(mine, theirs map[string]any) []string {
	var all []string
	own := cast.Text(mine["email"])
	for _, listed := range []string{cast.Text(mine["hs_additional_emails"]), cast.Text(theirs["email"]), cast.Text(theirs["hs_additional_emails"])} {
		for address := range strings.SplitSeq(listed, ";") {
			if address != "" && address != own && !slices.Contains(all, address) {
				all = append(all, address)
			}
		}
	}
	return all
}

// forward has addresses lead to a contact.
func (c *call) forward(addresses []string, contact string) {
	for _, address := range addresses {
		kit.Keep(c.Tx, c.fake.store.Full(formerAddresses), address, map[string]any{"id": address, "contact": contact})
	}
}

// byFormerAddress finds the contact that has an address since a merge.
func (c *call) byFormerAddress(o *objectType, address string) *world.Record {
	if o.name != "contacts" {
		return nil
	}
	record, ok := c.fake.store.Get(c.Tx, formerAddresses, address)
	if !ok {
		return nil
	}
	r, ok := c.find(o, cast.Text(record.Value()["contact"]))
	if !ok {
		return nil
	}
	return r
}
