package specs

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A mode says from which side a schema is read.
type mode uint8

// The sides: what a client sends (nothing that is read-only is demanded), what
// a service answers (nothing that is write-only is demanded; an expanded record
// may stand for its id), and what is stored.
const (
	request mode = iota
	reply
	record
)

// schemas holds a document's schemas, compiled one by one as they are needed:
// compiling all of them would cost every start more than all the rest.
type schemas struct {
	modern   bool // OpenAPI 3.1 or later: JSON Schema 2020-12
	expand   bool // x-parity-expand
	claims   map[string][]*openapi3.SchemaRef
	checkers []*checker // only added to while the contract is built

	mu       sync.Mutex // held while compiling and shaping
	compiler *jsonschema.Compiler
	names    map[*openapi3.Schema]int
	known    []*openapi3.Schema
	shapes   map[*openapi3.Schema]*shape
	sieves   map[sided]*sieve
}

// A checker judges values by one schema: first by its sieve, then, if that is
// not sure, by JSON Schema. Each is made on its first use.
type checker struct {
	schemas *schemas
	pointer string
	ref     *openapi3.SchemaRef // nil: nothing to judge
	mode    mode

	sifting sync.Once
	sieve   *sieve
	shape   *shape

	compiling sync.Once
	compiled  *jsonschema.Schema // nil: nothing to judge, or it does not compile
	err       error
}

func newSchemas(doc *openapi3.T, expand bool) *schemas {
	return &schemas{
		modern: !strings.HasPrefix(doc.OpenAPI, "3.0"),
		expand: expand,
		claims: map[string][]*openapi3.SchemaRef{},
		names:  map[*openapi3.Schema]int{},
		shapes: map[*openapi3.Schema]*shape{},
		sieves: map[sided]*sieve{},
	}
}

// claim says that a schema is one of a collection's records.
func (s *schemas) claim(collection string, ref *openapi3.SchemaRef) {
	s.claims[collection] = append(s.claims[collection], ref)
}

func (s *schemas) checker(pointer string, ref *openapi3.SchemaRef, mode mode) *checker {
	k := &checker{schemas: s, pointer: pointer, ref: ref, mode: mode}
	s.checkers = append(s.checkers, k)
	return k
}

// sift prepares the sieve and the shape, once.
func (k *checker) sift() {
	k.sifting.Do(func() {
		if k.ref == nil || k.ref.Value == nil {
			return
		}
		k.schemas.mu.Lock()
		defer k.schemas.mu.Unlock()
		k.sieve = k.schemas.sieve(k.ref.Value, k.mode)
		k.shape = k.schemas.shapeOf(k.ref.Value)
	})
}

// compile prepares JSON Schema, once, and gives the reason if it cannot.
func (k *checker) compile() error {
	k.compiling.Do(func() {
		if k.ref == nil || k.ref.Value == nil {
			return
		}
		k.compiled, k.err = k.schemas.compile(k.ref.Value, k.mode)
	})
	return k.err
}

const scheme = "contract:///"

func (s *schemas) compile(schema *openapi3.Schema, mode mode) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.compiler == nil {
		s.compiler = jsonschema.NewCompiler()
		if s.modern {
			s.compiler.DefaultDraft(jsonschema.Draft2020)
		} else {
			s.compiler.DefaultDraft(jsonschema.Draft7)
		}
		s.compiler.AssertFormat()
		s.compiler.UseLoader(s)
		for _, format := range formats() {
			s.compiler.RegisterFormat(format)
		}
	}
	compiled, err := s.compiler.Compile(s.address(schema, mode))
	if err != nil {
		return nil, fmt.Errorf("schema does not compile: %w", err)
	}
	return compiled, nil
}

// address names a schema for the compiler. Each schema that something refers
// to is a document of its own, so that compiling one reads only what it needs.
func (s *schemas) address(schema *openapi3.Schema, mode mode) string {
	name, ok := s.names[schema]
	if !ok {
		name = len(s.known)
		s.names[schema] = name
		s.known = append(s.known, schema)
	}
	return scheme + strconv.Itoa(int(mode)) + "/" + strconv.Itoa(name)
}

// Load gives the compiler a schema by its address; it is called under mu.
func (s *schemas) Load(address string) (any, error) {
	side, name, ok := strings.Cut(strings.TrimPrefix(address, scheme), "/")
	number, err := strconv.Atoi(name)
	if !ok || err != nil || number < 0 || number >= len(s.known) {
		return nil, fmt.Errorf("no schema %s: a contract's schemas refer to nothing outside it", address)
	}
	for _, mode := range []mode{request, reply, record} {
		if side == strconv.Itoa(int(mode)) {
			return translation{schemas: s, mode: mode}.schema(s.known[number]), nil
		}
	}
	return nil, fmt.Errorf("no schema %s", address)
}
