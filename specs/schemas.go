package specs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parity/specs/document"
	"parity/specs/schema"
)

// A mode says from which side a schema is read.
type mode uint8

// The sides: what a client sends (nothing that is read-only is demanded), what
// a service answers (nothing that is write-only is demanded; an expanded record
// may stand for its id), and what is stored. Lenient is what a client sends, as
// services read it; merged is a part of an allOf there, which is closed by all
// of it together.
const (
	request mode = iota
	reply
	record
	lenient
	merged
)

// sent tells whether it is the side of what a client sends.
func (m mode) sent() bool { return m != reply && m != record }

// schemas holds a document's schemas, compiled one by one as they are needed:
// compiling all of them would cost every start more than all the rest.
type schemas struct {
	set     *schema.Set
	modern  bool                                     // OpenAPI 3.1 or later: JSON Schema 2020-12
	expand  bool                                     // x-parity-expand
	lenient bool                                     // somebody else wrote the contract: what its service would let pass is let pass
	claims  func(collection string) []*schema.Schema // that are one of a collection's records

	mu         sync.Mutex // held while compiling and shaping
	compiler   *jsonschema.Compiler
	names      map[place]int
	known      []place
	hidings    map[*schema.Schema]int // how many known places of it hide something
	shapes     map[*schema.Schema]*shape
	sieves     map[sided]*sieve
	patterns   map[string]compiledPattern
	late       atomic.Int32
	depth      int                           // of schemas whose shapes or sieves are being made
	translated int                           // schemas since the compiler was asked for one
	faults     map[*document.Node]Diagnostic // that were met on the way: see Contract.Check
}

// deepestChain bounds how far schemas lead to others in one breath: the stack
// of a program ends.
const deepestChain = 10_000

// mostTranslated bounds what one schema comes to with all that it leads to. The
// library takes time by the square of it; Microsoft's Graph has 7,500.
const mostTranslated = 12_000

// A checker judges values by one schema: first by its sieve, then, if that is
// not sure, by JSON Schema. Each is made on its first use.
type checker struct {
	schemas *schemas
	pointer string
	schema  *schema.Schema // nil: nothing to judge
	mode    mode

	sifting sync.Once
	sieve   *sieve
	shape   *shape

	compiling sync.Once
	compiled  *jsonschema.Schema // nil: nothing to judge, or it does not compile
	err       error

	relaxing sync.Once
	loose    *checker // of the same schema, read leniently
}

func newSchemas(set *schema.Set, expand bool) *schemas {
	return &schemas{
		set:      set,
		modern:   set.Dialect == schema.OpenAPI31,
		expand:   expand,
		names:    map[place]int{},
		hidings:  map[*schema.Schema]int{},
		shapes:   map[*schema.Schema]*shape{},
		sieves:   map[sided]*sieve{},
		patterns: map[string]compiledPattern{},
		faults:   map[*document.Node]Diagnostic{},
	}
}

func (s *schemas) checker(pointer string, of *schema.Schema, mode mode) *checker {
	return &checker{schemas: s, pointer: pointer, schema: of, mode: mode}
}

// sift prepares the sieve and the shape, once.
func (k *checker) sift() {
	k.sifting.Do(func() {
		if k.schema == nil {
			return
		}
		k.schemas.mu.Lock()
		defer k.schemas.mu.Unlock()
		k.sieve = k.schemas.sieve(k.schema, k.mode)
		k.shape = k.schemas.shapeOf(k.schema)
	})
}

// compile prepares JSON Schema, once, and gives the reason if it cannot.
func (k *checker) compile() error {
	k.compiling.Do(func() {
		if k.schema == nil {
			return
		}
		k.compiled, k.err = k.schemas.compile(k.schema, k.mode)
	})
	return k.err
}

const scheme = "contract:///"

func (s *schemas) compile(of *schema.Schema, mode mode) (*jsonschema.Schema, error) {
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
		s.compiler.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) { return s.pattern(text) })
		for _, format := range formats() {
			s.compiler.RegisterFormat(format)
		}
	}
	s.translated = 0
	compiled, err := s.compiler.Compile(s.address(of, mode))
	if err != nil {
		return nil, fmt.Errorf("schema does not compile: %w", err)
	}
	return compiled, nil
}

// place is a schema as one side reads it, without the properties that a schema
// around it says this side does not send.
type place struct {
	schema *schema.Schema // a target
	mode   mode
	hidden string // names, each followed by a line feed
}

// address names a schema for the compiler. Each schema that something refers
// to is a document of its own, so that compiling one reads only what it needs.
func (s *schemas) address(of *schema.Schema, mode mode, hidden ...string) string {
	at := place{schema: of.Target(), mode: mode}
	if len(hidden) > 0 {
		slices.Sort(hidden)
		at.hidden = strings.Join(slices.Compact(hidden), "\n") + "\n"
	}
	name, ok := s.names[at]
	if !ok && at.hidden != "" && s.hidings[at.schema] == mostHidings {
		// What is hidden around a schema differs with each way to it, and there
		// may be more ways than can be counted.
		at.hidden = ""
		name, ok = s.names[at]
	}
	if !ok {
		if at.hidden != "" {
			s.hidings[at.schema]++
		}
		name = len(s.known)
		s.names[at] = name
		s.known = append(s.known, at)
	}
	return scheme + strconv.Itoa(name)
}

// Load gives the compiler a schema by its address; it is called under mu.
func (s *schemas) Load(address string) (any, error) {
	number, err := strconv.Atoi(strings.TrimPrefix(address, scheme))
	if err != nil || number < 0 || number >= len(s.known) {
		return nil, fmt.Errorf("no schema %s: a contract's schemas refer to nothing outside it", address)
	}
	at := s.known[number]
	t := translation{schemas: s, mode: at.mode}
	if at.hidden != "" {
		t.hidden = strings.Split(strings.TrimSuffix(at.hidden, "\n"), "\n")
	}
	made := t.schema(at.schema)
	if s.translated > mostTranslated {
		return nil, fmt.Errorf("it comes to more than %d schemas", mostTranslated)
	}
	return made, nil
}

// fault notes what is wrong with a schema, once; it is called under mu.
func (s *schemas) fault(at *document.Node, code, message string) {
	if _, told := s.faults[at]; !told {
		s.faults[at] = diagnose(at, "", code, message)
	}
}
