package overlay

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/specs"
)

// leastID is how long an id is at least that is taken for the same record wherever
// it stands.
const leastID = 8

// inner lays changed records over a reply that the fake cannot give, where they
// stand within other records: in what a client had expanded.
func (o Over) inner(asked *fakes.Call, all []*record, body []byte) []byte {
	for _, r := range all {
		if r.State != Changed || len(r.ID) < leastID || !bytes.Contains(body, []byte(`"`+r.ID+`"`)) || cast.Text(r.Base["id"]) != r.ID {
			continue
		}
		read := o.reading(r)
		if read == nil {
			continue
		}
		n := Need{Operation: read, Path: fakes.PathTo(read, map[string]string{read.Anatomy.Member: r.ID})}
		a := o.both(all, n.Of(asked), o.ask)
		without, ok1 := parse(a.without.Body)
		with, ok2 := parse(a.with.Body)
		if ok1 && ok2 && good(a.without) && good(a.with) {
			body = within(body, r.ID, without, with, 0)
		}
	}
	return body
}

// reading gives the operation that reads a record by its id alone.
func (o Over) reading(r *record) *specs.Operation {
	for _, op := range o.Service.Contract.Operations {
		a := &op.Anatomy
		own := o.Service.Name+"."+a.Collection == r.Collection
		if own && op.Method == http.MethodGet && !a.List && strings.Count(op.Path, "{") == 1 && strings.HasSuffix(op.Path, "/{"+a.Member+"}") {
			return op
		}
	}
	return nil
}

// within lays a record over each object of its id.
func within(raw json.RawMessage, id string, without, with any, depth int) json.RawMessage {
	const deepest = 16
	if depth > deepest || !bytes.Contains(raw, []byte(`"`+id+`"`)) {
		return raw
	}
	changed := false
	inner := func(held json.RawMessage) json.RawMessage {
		laid := within(held, id, without, with, depth+1)
		changed = changed || !bytes.Equal(laid, held)
		return laid
	}
	if items, ok := itemsOf(raw); ok {
		for i := range items {
			items[i] = inner(items[i])
		}
		if !changed {
			return raw
		}
		return encodeList(items)
	}
	fields, ok := fieldsOf(raw)
	if !ok {
		return raw
	}
	for i, f := range fields {
		if f.name == "id" && string(f.raw) == `"`+id+`"` {
			return patch(raw, without, with, "", false)
		}
		fields[i].raw = inner(f.raw)
	}
	if !changed {
		return raw
	}
	return join(fields)
}
