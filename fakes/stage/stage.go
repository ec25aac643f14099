// Package stage drives a service as the gateway does, without HTTP, clocks or
// journals: one world, one call after another.
//
//	request ─▶ match ─▶ identify ─▶ read ─▶ Answer in a transaction ─▶ commit
//	              └────────┴─── Word ◀┘
//	conversation ─▶ Import: the world as it was before ─▶ Play, exchange by exchange
//
// Conversations with the real service are played on it, and replies compared.
package stage

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// A Stage plays one service in one world.
type Stage struct {
	Service fakes.Service
	World   *world.World
	Now     time.Time         // the instant of the next request
	Header  http.Header       // sent with every request that does not say otherwise
	Base    string            // what self links begin with
	Fired   func(*fakes.Call) // is told of what came due, before it is committed; nil: nobody is

	seed   chance.Seed
	minted int
}

// New sets a stage for a service, in a world.
func New(service fakes.Service, w *world.World, seed chance.Seed) *Stage {
	base := "https://" + service.Name + ".example"
	if len(service.Hosts) > 0 {
		base = "https://" + strings.Replace(service.Hosts[0], "*", "acme", 1)
	}
	return &Stage{
		Service: service, World: w, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Header: http.Header{}, Base: base, seed: seed,
	}
}

// Headers lays pairs of name and value over what is sent with every request; an
// empty value takes the header away.
func (s *Stage) Headers(pairs []string) http.Header {
	header := s.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		header.Set(pairs[i], pairs[i+1])
		if pairs[i+1] == "" {
			header.Del(pairs[i])
		}
	}
	return header
}

// Call decodes a request, or says what is wrong with it, as the gateway does.
func (s *Stage) Call(method, target, body string, header http.Header) (*fakes.Call, *fakes.Problem) {
	path, query, _ := strings.Cut(target, "?")
	trouble := fakes.Problem{Method: method, Path: path, Header: header, RequestID: "req_" + strconv.Itoa(s.minted)}
	asked := &specs.Call{Method: method, Path: path, Query: query, Header: header, Body: []byte(body)}
	m := s.Service.Contract.MatchCall(asked)
	if m.Operation == nil {
		if values, err := url.ParseQuery(query); err == nil {
			presented := fakes.Credentials{Header: header, Query: map[string]any{}}
			for name := range values {
				presented.Query[name] = values.Get(name)
			}
			if _, refused := s.identify(presented); refused != nil {
				return nil, with(trouble, refused)
			}
		}
		trouble.Kind = fakes.NoOperation
		if len(m.Allowed) > 0 {
			trouble.Kind = fakes.NoMethod
		}
		return nil, &trouble
	}
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: header, Body: []byte(body)})
	identity, refused := s.identify(fakes.Credentials{Header: header, Query: input.Query, Body: input.Body})
	if refused != nil {
		return nil, with(trouble, refused)
	}
	input.Query = m.Operation.Anonymous(input.Query)
	if len(wrong) > 0 {
		trouble.Kind, trouble.Violations = fakes.BadRequest, wrong
		return nil, &trouble
	}
	return &fakes.Call{
		Operation: m.Operation, Contract: s.Service.Contract, Input: input, Header: header, Body: []byte(body),
		Tx: s.World.Begin(), Now: s.Now, Identity: identity, Base: s.Base, NewID: s.mint, IdentityOf: s.identityOf,
	}, nil
}

// with lays what a fake says of a caller over what is known of the request.
func with(t fakes.Problem, refused *fakes.Problem) *fakes.Problem {
	said := *refused
	said.Method, said.Path, said.Header, said.RequestID = t.Method, t.Path, t.Header, t.RequestID
	return &said
}

func (s *Stage) identify(p fakes.Credentials) (string, *fakes.Problem) {
	i, ok := s.Service.Fake.(fakes.Identifier)
	if !ok {
		return "", nil
	}
	credential, trouble := i.Identify(p)
	if credential == "" {
		return "", trouble
	}
	return s.identityOf(credential), trouble
}

func (s *Stage) identityOf(credential string) string {
	return fakes.IdentityPrefix(s.Service.Name, s.Service.Fake, credential) + chance.ID(s.seed.With("identity", s.Service.Name, credential), 8)
}

func (s *Stage) mint(prefix string, n int) string {
	s.minted++
	return prefix + chance.ID(s.seed, n, prefix, strconv.Itoa(s.minted))
}

// ErrWordless says that a fake has no words for trouble.
var ErrWordless = errors.New("the fake words no trouble")

// Word has the service say what is wrong.
func (s *Stage) Render(t fakes.Problem) (fakes.Reply, error) {
	d, ok := s.Service.Fake.(fakes.Dialect)
	if !ok {
		return fakes.Reply{}, fmt.Errorf("%w: %+v", ErrWordless, t)
	}
	return d.Render(t), nil
}

// Later is a call that nobody makes.
func (s *Stage) Later(now time.Time) *fakes.Call {
	return &fakes.Call{Contract: s.Service.Contract, Tx: s.World.Begin(), Now: now, NewID: s.mint, IdentityOf: s.identityOf}
}

// Advance moves the clock on and lets the service do what comes due.
func (s *Stage) Advance(d time.Duration) error {
	until := s.Now.Add(d)
	for {
		timer, ok := kit.Due(s.World, until)
		if !ok {
			break
		}
		call := s.Later(timer.Due)
		if err := kit.Cancel(call.Tx, timer.Service, timer.Kind, timer.Subject); err != nil {
			return err
		}
		timed, ok := s.Service.Fake.(fakes.Timed)
		if !ok {
			return fmt.Errorf("a timer %s is due, and %s knows no time", timer.Kind, s.Service.Name)
		}
		call.Bounded(func() { timed.Fire(call, timer) })
		if s.Fired != nil {
			s.Fired(call)
		}
		s.World = call.Tx.Commit()
	}
	s.Now = until
	return nil
}
