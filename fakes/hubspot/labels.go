package hubspot

import (
	"net/http"
	"strconv"

	"parity/fakes/kit"
)

func listLabels(c *call, a association) (answer, *refusal) {
	results := []any{}
	for _, t := range c.ties(a.from, a.to) {
		results = append(results, t.shown())
	}
	return ok(map[string]any{"results": results})
}

// createLabel makes a label of the account's own, in both directions.
func createLabel(c *call, a association) (answer, *refusal) {
	label, back, name := c.text("label"), c.text("inverseLabel"), c.text("name")
	if back == "" {
		back = label
	}
	for _, t := range c.ties(a.from, a.to) {
		if t.label == label || t.name == name {
			return answer{}, &refusal{status: http.StatusConflict, category: "OBJECT_ALREADY_EXISTS", message: "An association definition with the name " + kit.Clip(name) + " already exists"}
		}
	}
	forth := c.nextLabel()
	c.keepLabel(forth, forth+1, a.from, a.to, name, label)
	c.keepLabel(forth+1, forth, a.to, a.from, name, back)
	results := []any{tie{id: forth, label: label}.shown(), tie{id: forth + 1, label: back}.shown()}
	return ok(map[string]any{"results": results})
}

// nextLabel is the number of the account's next label.
func (c *call) nextLabel() int64 {
	for n := int64(1); ; n++ {
		taken := false
		for _, id := range []int64{n, n + 1} {
			_, is := c.fake.store.Get(c.Tx, labels, strconv.FormatInt(id, 10))
			taken = taken || is || c.builtTie(id)
		}
		if !taken {
			return n
		}
	}
}

func (c *call) builtTie(id int64) bool {
	for _, t := range c.fake.types.ties {
		if t.id == id {
			return true
		}
	}
	return false
}

func (c *call) keepLabel(id, inverse int64, from, to *objectType, name, label string) {
	key := strconv.FormatInt(id, 10)
	c.fake.store.Create(c.Tx, labels, key, map[string]any{
		"id": key, "from": from.name, "to": to.name, "name": name, "label": label, "inverse": inverse,
	})
}

func updateLabel(c *call) (answer, *refusal) {
	id, _ := c.Input.Body["associationTypeId"].(int64)
	r, found := c.fake.store.Get(c.Tx, labels, strconv.FormatInt(id, 10))
	if !found {
		return answer{}, invalidTie("USER_DEFINED", id)
	}
	value := changed(r.Value())
	value["label"] = c.text("label")
	c.fake.store.Update(c.Tx, labels, r.ID, value)
	if back := c.text("inverseLabel"); back != "" {
		inverse, _ := r.Value()["inverse"].(int64)
		if other, ok := c.fake.store.Get(c.Tx, labels, strconv.FormatInt(inverse, 10)); ok {
			value := changed(other.Value())
			value["label"] = back
			c.fake.store.Update(c.Tx, labels, other.ID, value)
		}
	}
	return done()
}

func archiveLabel(c *call) (answer, *refusal) {
	id := c.Input.Path["associationTypeId"]
	r, found := c.fake.store.Get(c.Tx, labels, id)
	if !found {
		return answer{}, invalidTie("USER_DEFINED", whole(id))
	}
	inverse, _ := r.Value()["inverse"].(int64)
	c.fake.store.Delete(c.Tx, labels, id)
	if key := strconv.FormatInt(inverse, 10); key != id {
		if _, there := c.fake.store.Get(c.Tx, labels, key); there {
			c.fake.store.Delete(c.Tx, labels, key)
		}
	}
	return done()
}
