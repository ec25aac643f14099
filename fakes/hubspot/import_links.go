package hubspot

import (
	"slices"

	"parity/fakes/cast"
	"parity/fakes/kit"
)

// importAttached takes in what a record is shown to be associated with.
func (c *call) importAttached(o *objectType, id string, one map[string]any) {
	for kind, list := range cast.Object(one["associations"]) {
		to, ok := c.typeNamed(kind)
		m, _ := list.(map[string]any)
		if !ok {
			continue
		}
		var others []string
		types := map[string][]any{} // by the other record, as it is tied
		for _, result := range each(m) {
			other := cast.Text(result["id"])
			if !slices.Contains(others, other) {
				others = append(others, other)
			}
			if t, refused := c.tieNamed(o, to, cast.Text(result["type"])); refused == nil {
				types[other] = append(types[other], t.id)
			}
		}
		for _, other := range others {
			c.importLink(o, id, to, other, types[other])
		}
	}
}

func (c *call) importLinks(shown map[string]any) {
	o, ok := c.typeNamed(c.Input.Path["objectType"])
	to, ok2 := c.typeNamed(c.Input.Path["toObjectType"])
	if !ok || !ok2 {
		return
	}
	c.importObject(o, map[string]any{"id": c.Input.Path["objectId"]})
	for _, one := range each(shown) {
		id := cast.Plain(one["toObjectId"])
		if id == "" {
			id = cast.Text(one["id"])
		}
		var types []any
		for _, t := range cast.List(one["associationTypes"]) {
			types = append(types, cast.Object(t)["typeId"])
		}
		c.importLink(o, c.Input.Path["objectId"], to, id, types)
	}
}

func (c *call) importLink(o *objectType, id string, to *objectType, other string, types []any) {
	if !digits(other) || !digits(id) {
		return
	}
	c.importObject(to, map[string]any{"id": other})
	if r, _ := c.pair(end(o, id), end(to, other)); r != nil {
		return
	}
	if types == nil {
		types = []any{c.plainTie(o, to).id}
	}
	key := end(o, id) + ">" + end(to, other)
	c.keep(associations, key, map[string]any{"id": key, "from": end(o, id), "to": end(to, other), "types": types})
}

// goOn remembers that a list went on after a record.
func (c *call) goOn(list, last string) {
	if last == "" {
		return
	}
	key := c.fake.store.Full(beyond)
	if r, there := c.Tx.Get(key, list); there && whole(cast.Text(r.Value()["last"])) >= whole(last) {
		return
	}
	kit.Keep(c.Tx, key, list, map[string]any{"id": list, "last": last})
}

// wentOn tells whether a list that ends with a record went on where it was
// seen.
func (c *call) wentOn(list, last string) bool {
	r, there := c.Tx.Get(c.fake.store.Full(beyond), list)
	return there && last != "" && kit.Text(r.Value(), "last") == last
}

// remember keeps how many there were in a list of which a part was taken in.
func (c *call) remember(list string, total any) {
	n, ok := total.(int64)
	if !ok || n == 0 {
		return
	}
	key := "total/" + list
	if _, there := c.Tx.Get(c.fake.store.Full(beyond), key); there {
		return
	}
	_, err := c.Tx.Insert(c.fake.store.Full(beyond), key, map[string]any{"id": key, "total": n})
	kit.Must(name, err) // the collection is declared
}

// counted is how many were seen to be in a list; 0 where nobody saw.
func (c *call) counted(list string) int64 {
	r, there := c.Tx.Get(c.fake.store.Full(beyond), "total/"+list)
	if !there {
		return 0
	}
	return cast.Int(r.Value()["total"])
}

// importStaff takes in the contacts of a company, as v2 shows them.
func (c *call) importStaff(shown map[string]any) {
	company := c.Input.Path["companyId"]
	if shown["companyId"] != nil {
		c.importCompanies(shown)
	} else {
		c.importObject(c.companies(), map[string]any{"id": company})
	}
	vids := cast.List(shown["vids"])
	for _, one := range cast.Objects(shown["contacts"]) {
		vids = append(vids, one["vid"])
		held := map[string]any{}
		for property, value := range givenV1(one["properties"]) {
			held[property] = c.modern(c.contacts(), property, cast.Plain(value))
		}
		c.importObject(c.contacts(), map[string]any{"id": cast.Plain(one["vid"]), "properties": held})
	}
	for _, vid := range vids {
		c.importObject(c.contacts(), map[string]any{"id": cast.Plain(vid)})
		c.importLink(c.contacts(), cast.Plain(vid), c.companies(), company, nil)
	}
	if vid := c.Input.Path["vid"]; digits(vid) { // put with the company, or taken from it: so it was there
		c.importObject(c.contacts(), map[string]any{"id": vid})
	}
}
