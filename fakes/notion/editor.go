package notion

import (
	"fmt"
	"maps"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Subject names the record that a call is about. A page is a block to the
// endpoints of blocks.
func (f *Fake) Subject(fc *fakes.Call) (collection, id string) {
	c := f.call(fc)
	a := c.Operation.Anatomy
	sent := c.Input.Path[a.Member]
	if a.Collection == users && strings.HasSuffix(c.Operation.Path, "/me") {
		sent = kit.Text(c.space, "bot_id")
	}
	id, ok := uuidOf(sent)
	if !ok || a.Collection == viewQueries && a.Member == "view_id" {
		return "", ""
	}
	if a.Collection == blocks {
		n, found := c.node(id)
		if !found {
			return "", ""
		}
		return f.store.Full(n.kind), id
	}
	if _, ok := c.find(a.Collection, id); !ok {
		return "", ""
	}
	return f.store.Full(a.Collection), id
}

// Edit changes a record. Notion shows when to the minute, so that two edits of
// one minute cannot be told apart there; nor can they here.
func (f *Fake) Edit(fc *fakes.Call, collection, id string, set map[string]any) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.call(fc)
	changes := map[string]any{}
	laid, err := f.store.Laid(short, record, set)
	if err != nil {
		return err
	}
	for field, value := range laid {
		if _, changed := set[field]; changed {
			changes[field] = value
		}
	}
	value := maps.Clone(record.Value())
	maps.Copy(value, changes)
	if err := f.store.Fits(short, id, value); err != nil {
		return err
	}
	if _, dated := record.Value()["last_edited_time"]; !dated {
		f.store.Update(c.Tx, short, id, value)
		return nil
	}
	if somebody := c.somebody(); somebody != nil && record.Value()["last_edited_by"] != nil {
		changes["last_edited_by"] = somebody
	}
	r := c.write(short, record, changes)
	if by := changes["last_edited_by"]; by != nil { // write says that it was the bot
		value = maps.Clone(r.Value())
		value["last_edited_by"] = by
		r = f.store.Update(c.Tx, short, id, value)
	}
	if short == blocks {
		c.touch(r.Value())
	}
	return nil
}

// somebody is a person of the workspace; nil where there is none.
func (c *call) somebody() any {
	for r := range c.Tx.Oldest(c.fake.store.Full(users), 0) {
		if r.Value()["type"] == "person" {
			return map[string]any{"object": "user", "id": r.ID}
		}
	}
	return nil
}

// Remove moves a record to the trash, as far as Notion has one for its kind.
func (f *Fake) Remove(fc *fakes.Call, collection, id string) error {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return err
	}
	c := f.call(fc)
	switch short {
	case pages, blocks, databases:
		if trashed(record.Value()) {
			return fmt.Errorf("notion %s %s is in the trash already", short, id)
		}
		if refused := c.bury(node{short, record}, true); refused != nil {
			return fmt.Errorf("notion %s %s: %s", short, id, refused.message)
		}
	case comments, views, fileUploads, viewQueries:
		f.store.Delete(c.Tx, short, id)
	default:
		return fmt.Errorf("notion deletes no %s", short)
	}
	return nil
}

// Copy makes another record like one there is, with nothing in it.
func (f *Fake) Copy(fc *fakes.Call, collection, id string) (string, error) {
	short, record, err := f.store.Held(fc.Tx, collection, id)
	if err != nil {
		return "", err
	}
	c := f.call(fc)
	if short == workspaces {
		return "", fmt.Errorf("notion: there is one workspace")
	}
	kind := "8"
	if short == databases || short == dataSources || short == users {
		kind = "4"
	}
	copied := c.uuid(kind)
	value := cast.Object(kit.Renamed(kit.Renamed(record.Value(), id, copied), undashed(id), undashed(copied)))
	for field, now := range map[string]string{"created_time": c.minute(), "last_edited_time": c.minute()} {
		if _, dated := value[field]; dated {
			value[field] = now
		}
	}
	if up, ok := c.parent(record.Value()); ok && value["position"] != nil {
		value["position"] = c.last(up.ID)
	}
	if err := f.store.Fits(short, copied, value); err != nil {
		return "", err
	}
	var made *world.Record = c.create(short, value)
	return made.ID, nil
}
