package generic

import (
	"net/http"

	"parity/fakes"
	"parity/specs/openapi"
)

// A behaviour is what a behaviour file says, ready for use.
type behaviour struct {
	resources  map[string]*rules
	operations map[*openapi.Operation]*operationRule
	shape      map[string]string
}

type rules struct {
	id       idForm
	defaults map[string]any
	states   *states
	fixtures []map[string]any
	newest   bool
}

type states struct {
	field string
	start any
}

type operationRule struct {
	does string
}

func (b *behaviour) of(name string) rules {
	if r := b.resources[name]; r != nil {
		return *r
	}
	return rules{}
}
func (b *behaviour) operation(o *openapi.Operation) *operationRule { return b.operations[o] }
func (b *behaviour) reworded(r *refusal) *refusal                  { return r }
func (f *Fake) behave(content []byte, name string) (*behaviour, []Problem, error) {
	return &behaviour{}, nil, nil
}
func (c *call) moved(r *resource, old, value map[string]any) *refusal { return nil }

// acceptable refuses what breaks a rule between members.
func (c *call) acceptable(r *resource, in scope, key string, value map[string]any) *refusal {
	for _, field := range r.Unique {
		held, ok := dotted(field).get(value)
		if words := plain(held); ok && words != "" {
			for other := range c.Tx.Find(r.full, field, words, 0) {
				if other.ID != key && c.belongs(r, other, in) {
					return &refusal{status: http.StatusConflict, code: "already_exists", res: r, id: words, field: field}
				}
			}
		}
	}
	return nil
}

func ruled(c *call) (fakes.Reply, *refusal) {
	if c.plan.role.Member == "" {
		return answerOther(c)
	}
	e, _, refused := c.target()
	if refused != nil {
		return fakes.Reply{}, refused
	}
	return c.changed(e), nil
}
