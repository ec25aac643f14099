// Package standin plays a service of which nothing is known but its contract.
//
//	POST /contacts ──▶ a record, as it was sent, with an id
//	GET /contacts  ──▶ all of them
//	GET, PATCH, PUT, DELETE /contacts/{id} ──▶ that one
//	anything else  ──▶ 501
//
// It goes by the anatomy that the contract itself declares (x-parity-…), keeps
// its records in the world like every other fake, and checks none of them.
package standin

import (
	"cmp"
	"maps"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// Options are what a service is made of.
type Options struct {
	Contract      *specs.Contract
	Behaviour     []byte // the behaviour file, or nil
	BehaviourName string // as problems are to name it
	Hosts         []string
	Stateless     bool // it keeps nothing
}

// A Problem is something wrong in a behaviour file.
type Problem struct {
	Line, Column  int // from 1; 0: the file as a whole
	Message, Hint string
	Fatal         bool // the service cannot be played
}

type fake struct{ stateless bool }

var _ fakes.Fake = fake{}

// New makes the service.
func New(o Options) (fakes.Service, []Problem, error) {
	s := fakes.Service{Name: o.Contract.Service, Contract: o.Contract, Fake: fake{o.Stateless}, Hosts: o.Hosts}
	if o.Stateless {
		return s, nil, nil
	}
	known := map[string]bool{}
	for _, op := range o.Contract.Operations {
		if name := op.Anatomy.Collection; name != "" && !known[name] {
			known[name] = true
			s.Collections = append(s.Collections, world.Collection{Name: s.Name + "." + name})
		}
	}
	return s, nil, nil
}

// Answer answers.
func (f fake) Answer(c *fakes.Call) fakes.Reply {
	collection := c.Operation.Anatomy.Collection
	if f.stateless || collection == "" {
		return problem(http.StatusNotImplemented, "nothing is known of what this operation does", fakes.Example)
	}
	collection = c.Operation.Service + "." + collection
	member := c.Operation.Anatomy.Member
	if member == "" && strings.HasSuffix(c.Operation.Path, "}") {
		for name := range c.Input.Path {
			member = name
		}
	}
	if member == "" {
		return all(c, collection)
	}
	return one(c, collection, c.Input.Path[member])
}

func all(c *fakes.Call, collection string) fakes.Reply {
	switch c.Operation.Method {
	case http.MethodPost:
		value := maps.Clone(c.Input.Body)
		if value == nil {
			value = map[string]any{}
		}
		id := c.Mint("", 12)
		value["id"] = id
		r, err := c.Tx.Insert(collection, id, value)
		if err != nil {
			return problem(http.StatusConflict, err.Error(), fakes.Generic)
		}
		return record(http.StatusCreated, r)
	case http.MethodGet:
		list := []any{}
		for r := range c.Tx.Oldest(collection, 0) {
			list = append(list, r)
		}
		items := map[string]any{cmp.Or(strings.Trim(c.Operation.Anatomy.Items, "/"), "items"): list}
		return fakes.Reply{Status: http.StatusOK, Header: kind("application/json"), Body: world.Encode(items), Fidelity: fakes.Generic}
	}
	return problem(http.StatusNotImplemented, "nothing is known of what this operation does", fakes.Example)
}

func one(c *fakes.Call, collection, id string) fakes.Reply {
	r, ok := c.Tx.Get(collection, id)
	if !ok {
		return problem(http.StatusNotFound, "there is no "+id, fakes.Generic)
	}
	var err error
	switch c.Operation.Method {
	case http.MethodDelete:
		if err = c.Tx.Delete(collection, id); err == nil {
			return fakes.Reply{Status: http.StatusNoContent, Fidelity: fakes.Generic}
		}
	case http.MethodPut, http.MethodPatch:
		value := maps.Clone(r.Value)
		maps.Copy(value, c.Input.Body)
		r, err = c.Tx.Update(collection, id, value)
	}
	if err != nil {
		return problem(http.StatusConflict, err.Error(), fakes.Generic)
	}
	return record(http.StatusOK, r)
}

func record(status int, r *world.Record) fakes.Reply {
	return fakes.Reply{Status: status, Header: kind("application/json"), Body: r.JSON(), Result: r.Value, Fidelity: fakes.Generic}
}

func problem(status int, detail string, f fakes.Fidelity) fakes.Reply {
	body := map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": int64(status), "detail": detail}
	return fakes.Reply{Status: status, Header: kind("application/problem+json"), Body: world.Encode(body), Result: body, Fidelity: f}
}

func kind(of string) http.Header { return http.Header{"Content-Type": {of}} }
