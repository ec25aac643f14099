package generic

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"parity/fakes/cast"
	"parity/fakes/expression"
	"parity/specs/openapi"
	"parity/specs/words"
)

// A behaviour is what a behaviour file says beyond the model that it corrects.
type behaviour struct {
	resources  map[string]*rules
	operations map[*openapi.Operation]*operationRule
	errors     map[string]errorRule
	shape      map[string]string // message, code, status, field -> JSON pointer
}

// rules are those of one resource.
type rules struct {
	id       idForm
	defaults map[string]any
	states   *states
	must     map[string]string // field -> resource in which its id has to be
	newest   bool              // lists begin with the newest
	fixtures []map[string]any
	made     bool // an effect creates some
}

// states are the values that one field goes through.
type states struct {
	field string
	start any
	moves map[string][]string // nil: any
}

// An operationRule is what the file says of one operation.
type operationRule struct {
	does    string // "": as it was inferred
	when    *expression.Program
	refusal errorRule
	set     []assignment
	effects []effect
	headers []assignment // of its reply
	fields  []string     // of the body that are the record; nil: all
	receipt bool         // its reply says nothing of the record
}

// empty tells whether the file says nothing that is done beyond the usual.
func (r *operationRule) empty() bool {
	return r.when == nil && r.does != "answer" && r.set == nil && len(r.effects)+len(r.headers)+len(r.fields) == 0 && !r.receipt
}

// An assignment puts a value into a field.
type assignment struct {
	field string
	value value
}

// A value is written out, read from the call, computed, or put together of
// values.
type value struct {
	fixed   any
	now     bool
	program *expression.Program
	parts   []assignment // by name, or by place in a list
	list    bool
}

// told tells whether a value is known before any call.
func (v value) told() bool { return !v.now && v.program == nil && v.parts == nil }

// An effect is a write to another resource.
type effect struct {
	do       string // create, update, delete
	resource string
	id       value
	set      []assignment
}

// An errorRule words a refusal.
type errorRule struct {
	status        int
	code, message string
	number        bool // the code is one
}

func (b *behaviour) of(name string) rules {
	if r := b.resources[name]; r != nil {
		return *r
	}
	return rules{}
}

func (b *behaviour) operation(o *openapi.Operation) *operationRule { return b.operations[o] }

// reworded gives a refusal in the file's own words, where it has some.
func (b *behaviour) reworded(r *refusal) *refusal {
	rule, ok := b.errors[r.code]
	if !ok {
		return r
	}
	return r.as(rule)
}

// as gives a refusal in the words of a rule.
func (r *refusal) as(rule errorRule) *refusal {
	out := *r
	if rule.message != "" && (r.res != nil || !strings.Contains(rule.message, "{resource}")) {
		what := "resource"
		if r.res != nil {
			what = strings.ReplaceAll(words.Singular(r.res.Name), "_", " ")
		}
		out.message = strings.NewReplacer("{resource}", what, "{id}", r.id, "{field}", r.field, "{reason}", r.words()).Replace(rule.message)
	}
	if rule.status != 0 {
		out.status = rule.status
	}
	if rule.code != "" {
		out.code, out.number = rule.code, rule.number
	}
	return &out
}

// moved refuses a state that does not follow from the one before.
func (c *call) moved(r *resource, old, value map[string]any) *refusal {
	s := r.rules.states
	if s == nil || s.moves == nil {
		return nil
	}
	from, _ := dotted(s.field).get(old)
	to, _ := dotted(s.field).get(value)
	if cast.Plain(from) == cast.Plain(to) {
		return nil
	}
	for _, next := range s.moves[cast.Plain(from)] {
		if next == cast.Plain(to) {
			return nil
		}
	}
	return &refusal{
		status: http.StatusConflict, code: "invalid_transition", res: r, field: s.field,
		message: "The " + s.field + " cannot go from " + cast.Plain(from) + " to " + cast.Plain(to) + ".",
	}
}

// acceptable refuses what breaks a rule between records.
func (c *call) acceptable(r *resource, in scope, key string, value map[string]any) *refusal {
	for _, field := range r.Unique {
		held, ok := dotted(field).get(value)
		words := cast.Plain(held)
		if !ok || words == "" {
			continue
		}
		for other := range c.Tx.Find(r.full, field, words, 0) {
			if other.ID != key && c.belongs(r, other, in) {
				return &refusal{status: http.StatusConflict, code: "already_exists", res: r, id: words, field: field}
			}
		}
	}
	for _, field := range slices.Sorted(maps.Keys(r.rules.must)) {
		held, ok := dotted(field).get(value)
		id := cast.Plain(held)
		to := c.fake.named(r.rules.must[field])
		if !ok || id == "" || to == nil {
			continue
		}
		if _, there := c.find(to, scope{}, to.ID.Param, id); !there {
			refused := missing(to, id)
			refused.status, refused.code, refused.field = http.StatusUnprocessableEntity, "invalid_reference", field
			refused.message = missing(to, id).words()
			return refused
		}
	}
	return nil
}

// named gives a resource by its name; nil for none.
func (f *Fake) named(name string) *resource {
	for _, r := range f.order {
		if r.Name == name {
			return r
		}
	}
	return nil
}
