package exchange

import (
	"strings"
	"sync/atomic"

	"parity/faults"
	"parity/faults/trail"
	"parity/specs"
	"parity/specs/body"
	"parity/specs/secret"
)

// Remembered is how many exchanges a new revision is held against.
const Remembered = 50

// Source is where runs have their revision from: a good save of its profile comes
// into force for all of them at once.
type Source struct {
	revision atomic.Pointer[Revision]
	next     atomic.Uint64
	ring     [Remembered]atomic.Pointer[Met]
}

// Revision is the one in force.
func (s *Source) Revision() *Revision { return s.revision.Load() }

// Put puts a revision in force: for each exchange admitted from now on, and for
// none before.
func (s *Source) Put(rev *Revision) { s.revision.Store(rev) }

// Met is an exchange, and the run that it is of.
type Met struct {
	Run   string
	Event *trail.Event
}

// add remembers an exchange. Whoever answers one does so without waiting for
// others.
func (s *Source) add(run string, e *trail.Event) {
	if e.Exchange == nil || e.Exchange.Operation == "" {
		return
	}
	n := s.next.Add(1) - 1
	s.ring[n%Remembered].Store(&Met{run, e})
}

// Recent are the newest exchanges of the runs under it, oldest first.
func (s *Source) Recent() []Met {
	var all []Met
	n := s.next.Load()
	for i := range uint64(Remembered) {
		if m := s.ring[(n+i)%Remembered].Load(); m != nil {
			all = append(all, *m)
		}
	}
	return all
}

// Holds tells whether a rule's condition held for an exchange, as its record has
// it. Where the record does not say, as for what was in the world, the rule
// counts by its call alone: then known is false.
func (m Met) Holds(r *faults.Rule, match specs.Match) (yes, known bool) {
	x := m.Event.Exchange
	switch {
	case r.When == nil:
		return true, true
	case r.When.Needs("world"), secret.Marked(string(x.Body) + x.Query + x.Path + string(x.ReplyBody)):
		return true, false
	}
	vars, err := recalledVars(m, match)
	if err == nil {
		yes, err = r.When.Bool(vars)
	}
	return yes || err != nil, err == nil
}

// recalledVars are what a condition may name, as far as a record has it.
func recalledVars(m Met, match specs.Match) (map[string]any, error) {
	x := m.Event.Exchange
	input, err := Recorded(match, x)
	if err != nil {
		return nil, err
	}
	header, path := map[string]any{}, map[string]any{}
	for _, f := range x.Header {
		header[strings.ToLower(f.Name)] = f.Value
	}
	for name, value := range input.Path {
		path[name] = value
	}
	vars := map[string]any{
		"request": map[string]any{
			"method": x.Method, "path": path, "query": orEmpty(input.Query), "body": orEmpty(input.Body), "header": header,
			"host": x.Host, "attempt": int64(x.Intent.Attempt), "identity": m.Event.Identity,
		},
		"run":   map[string]any{"id": m.Run, "exchanges": int64(m.Event.Seq) - 1}, //nolint:gosec // small
		"clock": map[string]any{"now": m.Event.At.Time().Unix()},
	}
	said := x.FakeBody // what a fault has put something else in the place of
	if len(said) == 0 && x.Fidelity != trail.Injected {
		said = x.ReplyBody
	}
	if value, wrong := body.DecodeJSON(said); wrong == nil && len(said) > 0 {
		vars["result"] = value
	}
	return vars, nil
}
