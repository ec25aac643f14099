package specs

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"parity/specs/anatomy"
	"parity/specs/openapi"
	"parity/specs/schema"
)

// A Contract is one service's API, ready to match, read and check. Nothing in
// it changes after Load and Correct, and all its methods may be called at the
// same time.
type Contract struct {
	Service    string       // such as "stripe"
	Version    string       // info.version of the document
	Hash       string       // hex SHA-256 of the files it was read from
	Files      []string     // those files, in order, by their paths in the contract's folder
	Hosts      []string     // x-parity-hosts, else the hosts of servers
	Operations []*Operation // ordered by path, then method

	api         *openapi.API
	model       func() *anatomy.Model   // made once
	credentials func() []openapi.Scheme // in a parameter; made once
	tokens      func() []string         // paths where credentials are had; made once
	byName      map[string]*Operation
	root        *node // of all paths
	bare        *node // of paths without the bases of their servers
	schemas     *schemas
	collections func() map[string]*collection // made once
}

// A collection is what the document says about the records of one kind.
type collection struct {
	records []*checker // one for each schema that claims the collection
	claims  []*schema.Schema
	refers  func() map[string]string // dotted field -> collection it points into; made once
}

// Operation finds an operation by "POST /v1/refunds" or by its id,
// "PostRefunds". The service's name may stand in front: "stripe POST
// /v1/refunds", "stripe.PostRefunds".
func (c *Contract) Operation(name string) (*Operation, bool) {
	if op, ok := c.byName[name]; ok {
		return op, true
	}
	if rest, ok := strings.CutPrefix(name, c.Service); ok && rest != "" && (rest[0] == ' ' || rest[0] == '.') {
		op, ok := c.byName[rest[1:]]
		return op, ok
	}
	return nil, false
}

// CheckRecord judges a record against the schema of its collection; "charges"
// and "stripe.charges" both name it. Where several schemas claim a collection
// (a customer, and the tombstone of one) the record has to fit one of them. A
// collection without a schema takes every record.
func (c *Contract) CheckRecord(collection string, value map[string]any) []Violation {
	var best []Violation
	records := c.collection(collection).records
	if slices.ContainsFunc(records, func(record *checker) bool { return record.sifts(value) }) {
		return nil // and what else it might have been is not compiled
	}
	for i, record := range records {
		found := record.check("body", value)
		if len(found) == 0 {
			return nil
		}
		if i == 0 || len(found) < len(best) {
			best = found
		}
	}
	return best
}

// Refers tells which collection a record's field points into, by x-parity-ref;
// a field inside another is written with dots.
func (c *Contract) Refers(collection, field string) (target string, ok bool) {
	found := c.collection(collection)
	if found.refers == nil {
		return "", false
	}
	target, ok = found.refers()[field]
	return target, ok
}

// HasField tells whether a record of a collection may have a field, as far as the
// document says: of a collection without a schema, and of one whose records may
// have any field by what additionalProperties says, it may have all.
func (c *Contract) HasField(collection, field string) bool {
	records := c.collection(collection).records
	return len(records) == 0 || slices.ContainsFunc(records, func(k *checker) bool { return hasField(k.schema, field, 0) })
}

func hasField(s *schema.Schema, field string, depth int) bool {
	const deepest = 8 // parts of parts
	if s == nil || depth > deepest {
		return false
	}
	v := s.View()
	if v.Get(field) != nil || v.Rest != nil {
		return true
	}
	for _, parts := range [][]*schema.Schema{v.AllOf, v.AnyOf, v.OneOf} {
		if slices.ContainsFunc(parts, func(part *schema.Schema) bool { return hasField(part, field, depth+1) }) {
			return true
		}
	}
	return false
}

func (c *Contract) collection(name string) *collection {
	all := c.collections()
	if found, ok := all[name]; ok {
		return found
	}
	if found, ok := all[strings.TrimPrefix(name, c.Service+".")]; ok {
		return found
	}
	return &collection{}
}

// Expands tells whether a record may stand in a reply in place of its id, as
// x-parity-expand says and plain OpenAPI cannot.
func (c *Contract) Expands() bool { return c.schemas.expand }

// API gives the document's own view of the contract.
func (c *Contract) API() *openapi.API { return c.api }

// Check reads every operation and compiles every schema of the contract, and
// reports what does not read or compile. A schema with faults judges nothing.
// It takes a while: for lint and for tests, never on the start path.
func (c *Contract) Check() []Diagnostic {
	var found []Diagnostic
	seen := map[*parts]bool{}
	for _, op := range c.Operations {
		if seen[op.parts] {
			continue
		}
		seen[op.parts] = true
		p := op.read()
		for _, problem := range p.problems {
			found = append(found, diagnose(problem.Node, problem.Pointer, problem.Code, problem.Message))
		}
		for _, k := range p.checkers() {
			found = append(found, k.diagnose()...)
		}
	}
	for _, named := range c.api.Components() { // whether something uses them or not
		found = append(found, c.schemas.checker(Pointer("components", "schemas", named.Name), named.Schema, record).diagnose()...)
	}
	c.schemas.mu.Lock()
	defer c.schemas.mu.Unlock()
	for _, fault := range c.schemas.faults {
		found = append(found, fault)
	}
	slices.SortStableFunc(found, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(found)
}

// checkers lists what an operation judges by.
func (p *parts) checkers() []*checker {
	var all []*checker
	for _, one := range []*part{p.path, p.query, p.header} {
		if one != nil {
			all = append(all, one.checker)
		}
	}
	for i := range p.bodies {
		all = append(all, p.bodies[i].part.checker)
	}
	for _, status := range slices.Sorted(maps.Keys(p.replies)) {
		for i := range p.replies[status] {
			all = append(all, p.replies[status][i].part.checker)
		}
	}
	return all
}

func (k *checker) diagnose() []Diagnostic {
	err := k.compile()
	if err == nil {
		return nil
	}
	return []Diagnostic{diagnose(k.schema.Node(), k.pointer, "bad-schema", err.Error()+"; nothing is checked against this schema")}
}
