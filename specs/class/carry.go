package class

import (
	"net/http"
	"strings"

	"parity/specs"
)

// Codes of what is refused whoever asks.
const (
	Escalation = "class-escalation" // it asks for another method than its own
	NoPolicy   = "no-policy"        // a part of it is of no operation
	Contract   = "contract"         // it cannot be read
)

// A Judge is what is known of the operations that a request may carry.
type Judge struct {
	Match func(method, path string) (*specs.Operation, bool) // by the escaped path, without a query; nil: nothing matches
	Class func(*specs.Operation) Class                       // nil: as it is inferred, see Of; of a part, whose body nobody asks about: the highest that it may be
	Table func(*specs.Operation) (Table, bool)               // of those that GraphQL is asked at; nil, or false: see Table
}

// A Request is a request as it came.
type Request struct {
	Method string
	Query  string // raw, without the question mark
	Header http.Header
	Input  specs.Input
	Body   []byte
}

// A Carried is what a request carries besides the call that it seems to be.
type Carried struct {
	Class   Class  // never below the operation's own
	By      string // what is highest of it, in no words of the client's but names: "graphql mutation deleteContact", "part 2: DELETE /events/{id}"; "" for nothing
	Parts   []Part // of a batch, matched
	Code    string // Escalation, NoPolicy or Contract where it is refused whoever asks; else ""
	Message string // a fixed text for whoever made the call, with Code
}

// A Part is one call of a batch.
type Part struct {
	Operation *specs.Operation
	Class     Class
}

// deepest is how far a batch may stand in another one.
const deepest = 2

// Carry tells what a request to an operation carries. A request that carries
// nothing costs some look-ups, and no allocation.
func (j Judge) Carry(op *specs.Operation, r Request) Carried {
	c := Carried{Class: j.class(op)}
	j.look(&c, op, &r, 0)
	return c
}

func (j Judge) look(c *Carried, op *specs.Operation, r *Request, depth int) {
	if overridden(r) {
		c.refuse(Escalation, "A call may not ask for another method than the one it is made with.")
		return
	}
	kind := r.Header.Get("Content-Type")
	if r.Input.Body == nil && r.Input.Value == nil && len(r.Body) > 0 {
		r.Input = decoded(kind, r.Body) // of a body that the contract does not look at
		if says(r.Input.Body, r.Method) {
			c.refuse(Escalation, "A call may not ask for another method than the one it is made with.")
			return
		}
	}
	if table, ok := j.table(op); ok || begins(kind, "application/graphql") {
		table.look(c, r)
		return
	}
	Table{}.suspect(c, r)
	parts, told := batch(op, r, kind)
	switch {
	case told && len(parts) == 0:
	case !told || depth >= deepest:
		c.raise(Admin, "a batch whose parts cannot be told apart")
	default:
		j.parts(c, op, parts, depth)
	}
}

func (j Judge) class(op *specs.Operation) Class {
	if table, ok := j.given(op); ok {
		return table.query()
	}
	if j.Class == nil {
		return Of(op, op.Effect).Class
	}
	return j.Class(op)
}

func (j Judge) given(op *specs.Operation) (Table, bool) {
	if j.Table == nil {
		return Table{}, false
	}
	return j.Table(op)
}

// table gives what GraphQL at an operation may do; not ok where none is asked.
func (j Judge) table(op *specs.Operation) (Table, bool) {
	if table, ok := j.given(op); ok {
		return table, true
	}
	graph := strings.Contains(op.Path, "gql") || strings.Contains(op.Path, "raph") // the second look costs more
	return Table{}, graph && read(op.Path).graph()
}

// raise notes what is carried.
func (c *Carried) raise(to Class, by string) {
	if c.By == "" || to.Rank() > c.Class.Rank() {
		c.By = by
	}
	c.Class = Highest(c.Class, to)
}

func (c *Carried) refuse(code, message string) {
	if c.Code == "" {
		c.Code, c.Message = code, message
	}
}

// begins tells whether a content type is of a kind.
func begins(contentType, kind string) bool {
	if len(contentType) < len(kind) || !strings.EqualFold(contentType[:len(kind)], kind) {
		return false
	}
	rest := contentType[len(kind):]
	return rest == "" || rest[0] == ';' || rest[0] == ' '
}
