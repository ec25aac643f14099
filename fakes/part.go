package fakes

import (
	"net/http"
	"net/url"
	"strings"

	"parity/specs"
)

// A Part is one call of those that a call carries: of a batch.
type Part struct {
	Operation *specs.Operation
	Path      string // escaped, as the service knows it
	Query     string // raw
	Header    http.Header
	Input     specs.Input
	Body      []byte
}

// PathTo is the escaped path to an operation with values for its parameters.
func PathTo(op *specs.Operation, values map[string]string) string {
	path := op.Path
	for name, value := range values {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
	}
	return path
}

// Batcher is met by fakes of services that take several calls of one operation in
// one list. Lists tells whether a call is such a list: rules then meet each of the
// calls in it, and not the list besides.
type Batcher interface {
	Lists(*Call) bool
}

// Carrier has each part of a batch met as a call of its own: by its operation's
// rules and limits, and in the record. answer asks the fake for one part, with the
// call that it is given, and nothing else.
type Carrier func(part Part, answer func(*Call) Reply) Reply

// Carry answers one part of the call, for who sent it. Fakes of services that take
// several calls in one give each of them to it, in their order.
func (c *Call) Carry(part Part, answer func(*Call) Reply) Reply {
	if c.Carrier != nil {
		return c.Carrier(part, answer)
	}
	return answer(c.As(part))
}

// As is the call with what one part of it asks for in the place of all.
func (c *Call) As(part Part) *Call {
	inner := *c
	inner.Operation, inner.Input, inner.Header, inner.Body = part.Operation, part.Input, part.Header, part.Body
	return &inner
}
