package kept

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/gateway/report"
	"parity/specs/secret"
	"parity/specs/words"
)

// Playback is a record that answers in the place of fakes: each call gets what
// the like call got there, in the same order. It refuses what the record does
// not have.
type Playback struct {
	run  string
	lost *Misses
	mu   sync.Mutex
	like map[string][]*line // by what the call means, whoever made it
	all  []*line
}

// Misses are the calls that a gateway's record did not have.
type Misses struct {
	mu    sync.Mutex
	n     int
	first string
}

func (m *Misses) note(message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n++; m.n == 1 {
		m.first = message
	}
}

// Told is nil where there was none.
func (m *Misses) Told() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.n == 0 {
		return nil
	}
	return &MissedError{m.n, m.first}
}

// A MissedError says that a client asked for what the record that answers does
// not have.
type MissedError struct {
	Calls int
	First string // what was said of the first
}

func (e *MissedError) Error() string {
	return fmt.Sprintf("%s not in the record: %s", words.Count(e.Calls, "call"), e.First)
}

// line is one exchange of a record.
type line struct {
	seq   uint64
	was   *trail.Exchange
	spent bool
}

// NewPlayback reads the exchanges of a kept run that a service answered.
func NewPlayback(k *Run, lost *Misses) (*Playback, error) {
	s := &Playback{run: k.ID, lost: lost, like: map[string][]*line{}}
	for i := range k.Events {
		was := k.Events[i].Exchange
		if was == nil || k.Events[i].Kind != trail.Exchanged || was.Operation == "" || was.Outcome != trail.Answered || was.Within > 0 {
			continue
		}
		p, err := k.under(k.Events[i].Revision)
		if err != nil {
			continue
		}
		service, ok := p.Catalogue.Service(was.Service)
		if !ok {
			continue
		}
		bare := *was // its secrets are the run's own marks
		bare.Path, bare.Query, bare.Body = secret.Plain(was.Path), secret.Plain(was.Query), []byte(secret.Plain(string(was.Body)))
		m := service.Contract.Recall(was.Operation, was.Method, bare.Path)
		if m.Operation == nil {
			continue
		}
		in, err := exchange.Recorded(m, &bare)
		if err != nil {
			return nil, fmt.Errorf("event %d: %w", k.Events[i].Seq, err)
		}
		l := &line{seq: k.Events[i].Seq, was: was}
		key := exchange.Meaning(p.Secrets, m.Operation, in)
		s.like[key], s.all = append(s.like[key], l), append(s.all, l)
	}
	return s, nil
}

// Next gives the next unspent exchange of a meaning.
func (s *Playback) Next(meaning string) (was *trail.Exchange, note string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.like[meaning] {
		if !l.spent {
			l.spent = true
			return l.was, fmt.Sprintf("as event %d of run %s", l.seq, s.run)
		}
	}
	return nil, ""
}

// Miss says that the record does not have a call, and what it has that comes
// nearest.
func (s *Playback) Miss(asked *trail.Exchange) string {
	message := s.miss(asked)
	s.lost.note(message)
	return message
}

func (s *Playback) miss(asked *trail.Exchange) string {
	said := fmt.Sprintf("Run %s has no such call left: %s %s %s.", s.run, asked.Service, asked.Method, asked.Path)
	type near struct {
		l      *line
		fields []report.Difference
	}
	var best []near
	call := &trail.Event{Exchange: &trail.Exchange{Path: asked.Path, Query: asked.Query, Body: asked.Body}}
	for _, l := range s.all {
		if l.was.Service != asked.Service || l.was.Operation != asked.Operation {
			continue
		}
		fields, err := report.EventDifferences(&trail.Event{Exchange: &trail.Exchange{Path: l.was.Path, Query: l.was.Query, Body: l.was.Body}}, call)
		if err == nil {
			best = append(best, near{l, fields})
		}
	}
	if len(best) == 0 {
		return said + " It never called that operation; `parity trace " + s.run + "` lists what it called."
	}
	sort.SliceStable(best, func(i, j int) bool { return len(best[i].fields) < len(best[j].fields) })
	nearest := best[0]
	if len(nearest.fields) == 0 {
		return said + fmt.Sprintf(" It made this call %d times, the last at #%d, and each was answered.", len(best), nearest.l.seq)
	}
	var where []string
	for _, d := range nearest.fields {
		where = append(where, strings.TrimPrefix(d.Pointer, "/exchange"))
	}
	return said + fmt.Sprintf(" The nearest is #%d, which differs in %s.", nearest.l.seq, strings.Join(where, ", "))
}
