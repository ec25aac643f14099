// Package schema reads the schemas of a contract, whichever version of OpenAPI
// it is written in, and says what they say in one way.
//
//	$ref: '#/components/schemas/Pet' ──Set.At──▶ Schema ──View──▶ types, properties, bounds …
//
// A Schema is a place in a document and costs nothing until it is looked at:
// documents have thousands, of which a request meets a few.
package schema

import (
	"sync"
	"sync/atomic"

	"parity/specs/document"
)

// A Dialect is how a document writes its schemas.
type Dialect uint8

// The dialects. Documents that mix them are understood: nullable, and
// exclusiveMinimum as a boolean, mean in each what they mean in 3.0.
const (
	OpenAPI30 Dialect = iota // and Swagger 2.0: JSON Schema of draft 4, nearly
	OpenAPI31                // and 3.2: JSON Schema 2020-12
)

// A Set is the schemas of one document.
type Set struct {
	Document *document.Document
	Dialect  Dialect

	mu    sync.Mutex
	known map[*document.Node]*Schema
}

// NewSet makes a Set; nothing is read yet.
func NewSet(d *document.Document, dialect Dialect) *Set {
	return &Set{Document: d, Dialect: dialect, known: map[*document.Node]*Schema{}}
}

// At gives the schema that stands at a node; nil for no node. The same node
// gives the same Schema.
func (s *Set) At(n *document.Node) *Schema {
	if n == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.known[n]
	if found == nil {
		found = &Schema{set: s, node: n}
		s.known[n] = found
	}
	return found
}

// A Schema is a schema, or a reference to one.
type Schema struct {
	set  *Set
	node *document.Node
	view atomic.Pointer[View]
	goal atomic.Pointer[Schema]
}

// Node gives the place where it stands; nil for a nil Schema.
func (s *Schema) Node() *document.Node {
	if s == nil {
		return nil
	}
	return s.node
}

// Set gives the set it belongs to.
func (s *Schema) Set() *Set { return s.set }

// Target follows references to the schema that is no reference: the one that
// stands for all that lead to it. What leads nowhere is its own target; see
// View.Broken. A reference with keywords beside it is no mere reference in
// OpenAPI 3.1: it is its own target, and has the other one in AllOf.
func (s *Schema) Target() *Schema {
	if s == nil {
		return nil
	}
	if found := s.goal.Load(); found != nil {
		return found
	}
	at := s
	for range 64 {
		ref, ok := at.node.Ref()
		if !ok || at.siblings() {
			break
		}
		next, err := s.set.Document.Resolve(at.node, ref)
		if err != nil {
			at = s
			break
		}
		at = s.set.At(next)
	}
	if _, still := at.node.Ref(); still && !at.siblings() {
		at = s // round in a circle
	}
	s.goal.Store(at)
	return at
}

// siblings tells whether keywords beside a $ref count.
func (s *Schema) siblings() bool {
	for i := range s.node.Len() {
		switch s.node.At(i).Name {
		case "$ref", "description", "summary", "title", "example", "examples", "deprecated", "default", "externalDocs", "xml",
			"$comment", "readOnly", "writeOnly":
		case "nullable":
			return true
		default:
			if s.set.Dialect == OpenAPI31 && s.node.At(i).Name[:min(2, len(s.node.At(i).Name))] != "x-" {
				return true
			}
		}
	}
	return false
}

// Name gives the name that the schema has among the document's components, or
// in whatever object holds its target; "" for one in an array.
func (s *Schema) Name() string {
	if s == nil {
		return ""
	}
	return s.Target().node.Name
}

// Referred tells whether it is a reference, and so has a name worth telling.
func (s *Schema) Referred() bool {
	_, ok := s.Node().Ref()
	return ok
}

// View gives what the schema says, references followed. It is never nil: a nil
// Schema, and one that leads nowhere, say nothing, which is that anything goes.
func (s *Schema) View() *View {
	if s == nil {
		return &nothing
	}
	target := s.Target()
	if found := target.view.Load(); found != nil {
		return found
	}
	made := read(target)
	if !target.view.CompareAndSwap(nil, made) {
		return target.view.Load()
	}
	return made
}

var nothing View
