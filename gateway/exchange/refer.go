package exchange

import (
	"strings"

	"parity/fakes/expression"
	"parity/faults/run"
)

// refer follows an id to the record that it refers to, by what the contract
// says about the field. A field of a request is named by its place in it.
func (a *arrived) refer(t *run.Turn) expression.Resolve {
	return func(collection, field, id string) (string, map[string]any, bool) {
		for _, place := range []string{"body.", "query.", "path."} {
			field = strings.TrimPrefix(field, place)
		}
		target, ok := a.service.Contract.Refers(collection, field)
		if !ok {
			return "", nil, false
		}
		target = a.service.Name + "." + strings.TrimPrefix(target, a.service.Name+".")
		r, ok := t.Tx().Get(target, id)
		if !ok {
			return "", nil, false
		}
		return target, r.Value(), true
	}
}
