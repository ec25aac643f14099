package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"

	"parity/specs"
)

// An Operation is what one operation of the contract does. Its context ends
// when the caller has left, and with the server's BaseContext.
type Operation func(context.Context, Call) (Answer, error)

// A Call is one request, decoded and found valid.
type Call struct {
	Path        map[string]string
	Query, Body map[string]any // of the types that the contract declares; nil where there is none
	Header      http.Header
	By          Caller
	Host        string // by which the caller has reached this control plane, without port: one of its own, so that it may be given out
}

// Live tells whether the caller wants things as they come.
func (c Call) Live() bool {
	live, _ := c.Query["live"].(bool)
	return live || strings.Contains(c.Header.Get("Accept"), "text/event-stream")
}

// An Answer is what an operation gives: JSON, a stream of bytes, events, or
// nothing.
type Answer struct {
	Status int // 0: 200, or 204 where there is nothing to say
	JSON   any
	// Stream writes the body. An error before its first byte is told as any other
	// is; after it the connection is cut, so that nobody takes a part for the
	// whole.
	Stream      func(io.Writer) error
	ContentType string                  // of a Stream
	Events      iter.Seq2[Event, error] // as they come, until it ends
}

// An Event is one server-sent event.
type Event struct {
	ID   string // what a caller goes on after, as Last-Event-ID
	Name string
	JSON any
}

// A Problem is what is wrong with a call, for whoever made it. Every other
// error of an Operation is the gateway's own: 500, and logged.
type Problem struct {
	Status int    // 400 to 599
	Code   string // for programs, such as "unknown-run"
	Detail string // for people: what is wrong, and what to do
}

func (p *Problem) Error() string { return p.Detail }

// mostBody is above the ten thousand names that the contract allows.
const mostBody = 1 << 20

// check tells whether the operations are those of the contract.
func check(c *specs.Contract, operations map[string]Operation) error {
	known := map[string]bool{}
	for _, op := range c.Operations {
		known[op.ID] = true
		if operations[op.ID] == nil {
			return fmt.Errorf("control plane: nothing does the operation %s of its contract", op.ID)
		}
	}
	for id := range operations {
		if !known[id] {
			return fmt.Errorf("control plane: its contract has no operation %s", id)
		}
	}
	return nil
}

// serve matches a request, checks it and has it done.
func (a *admin) serve(w http.ResponseWriter, r *http.Request) {
	m := a.contract.Match(r.Method, r.URL.EscapedPath())
	switch {
	case m.Operation == nil && len(m.Allowed) > 0:
		allowed := strings.Join(m.Allowed, ", ")
		w.Header().Set("Allow", allowed)
		refuse(w, http.StatusMethodNotAllowed, "method", "this path takes "+allowed)
		return
	case m.Operation == nil:
		notFound(w, r)
		return
	}
	call, wrong := read(w, r, m)
	if wrong != nil {
		wrong.send(w)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := &outgoing{ResponseWriter: w}
	defer a.recovered(out, r)
	answer, err := a.o.Operations[m.Operation.ID](ctx, call)
	if err == nil {
		err = a.send(ctx, cancel, out, r.Method == http.MethodHead, answer)
	}
	if err != nil {
		a.failed(out, r, err)
	}
}

// read decodes a request and holds it against the contract.
func read(w http.ResponseWriter, r *http.Request, m specs.Match) (Call, *problem) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return Call{}, newProblem(http.StatusRequestEntityTooLarge, "body-too-large", fmt.Sprintf("the body is over %d bytes; ask for less at once", over.Limit))
	case err != nil:
		return Call{}, newProblem(http.StatusBadRequest, "body-broken-off", "the body ends before its length; send it again")
	case len(body) > 0 && r.Header.Get("Content-Encoding") != "":
		return Call{}, newProblem(http.StatusUnsupportedMediaType, "content-encoding", "send the body as it is, without Content-Encoding")
	}
	// A page can have a browser send forms and text to any site, and JSON only to
	// its own.
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); len(body) > 0 && kind != "application/json" {
		return Call{}, newProblem(http.StatusUnsupportedMediaType, "content-type", "send the body as application/json")
	}
	by, _ := r.Context().Value(callerKey{}).(Caller)
	in, violations := m.Operation.Read(specs.Request{Path: m.Path, Query: r.URL.RawQuery, Header: r.Header, Body: body})
	if len(violations) > 0 {
		return Call{}, broken(violations)
	}
	return Call{Path: m.Path, Query: in.Query, Body: in.Body, Header: r.Header, Host: hostname(r.Host), By: by}, nil
}

// recovered ends an operation that has panicked: it costs this call alone.
func (a *admin) recovered(out *outgoing, r *http.Request) {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		a.o.Log.ErrorContext(r.Context(), "control operation panicked", "panic", p, "stack", string(debug.Stack()))
		a.failed(out, r, fmt.Errorf("it panicked: %v", p))
	}
}
