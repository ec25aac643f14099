// Package fidelity measures how close fakes come to what real services were
// recorded to answer.
//
//	recording ─▶ import: the world as it was before
//	    │
//	    ├ request ──ids of ours──▶ fake ─▶ reply ┐
//	    └ recorded reply ────────────────────────┴▶ compared, field by field
//	                                                      │
//	profile: differences, latency ─▶ declared · undeclared · stale ─▶ YAML to review
//
// Nothing is sent anywhere: fakes are asked in this process.
package fidelity

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/fakes/recording"
	"parity/fakes/stage"
	"parity/fakes/world"
	"parity/profiles"
	"parity/specs"
	"parity/specs/oracle"
	"parity/specs/secret"
	"parity/specs/words"
)

// Exchange is one that was recorded.
type Exchange struct {
	recording.Exchange
	Service   fakes.Service
	Operation *specs.Operation // nil: the contract does not have it
	Took      time.Duration    // to the first byte of the reply; 0: not known
}

// Name is the operation as profiles write it, or what was asked for.
func (e *Exchange) Name() string {
	if e.Operation != nil {
		return e.Operation.Service + " " + e.Operation.Method + " " + e.Operation.Bare()
	}
	path := e.Request.URL
	if u, err := url.Parse(path); err == nil {
		path = u.EscapedPath()
	}
	return e.Service.Name + " " + e.Request.Method + " " + path
}

// Recording is what was recorded in one go.
type Recording struct {
	Name      string
	Exchanges []Exchange
	Flattened bool // a status of 200 may have been another one
}

// Options say what recordings are held against.
type Options struct {
	Catalogue *fakes.Catalogue
	Profile   *profiles.Profile // nil: no difference is declared
	Seed      chance.Seed
	Marks     []string // that stand where a recorder took something out
}

// Score is how much of what was compared is alike.
type Score struct {
	Percent   float64 `json:"percent"`
	Exchanges int     `json:"exchanges"`
	Alike     int     `json:"alike"` // exchanges without any difference
	Compared  int     `json:"compared"`
	Missed    int     `json:"missed"`
}

func (s *Score) add(other Score) {
	s.Exchanges, s.Alike, s.Compared, s.Missed = s.Exchanges+other.Exchanges, s.Alike+other.Alike, s.Compared+other.Compared, s.Missed+other.Missed
	s.Percent = 100
	if s.Compared > 0 {
		s.Percent = 100 * float64(max(s.Compared-s.Missed, 0)) / float64(s.Compared)
	}
}

// Operation is what was measured of one operation.
type Operation struct {
	Name string `json:"name"`
	Score
	Reads       bool `json:"reads"`                  // it changes nothing
	NotModelled bool `json:"not_modelled,omitempty"` // the contract does not have it
}

// Kinds are scores of operations that change something, and of those that do not.
// The world is set up from what was read, so a read that shows it again proves
// little.
type Kinds struct {
	Reads  Score `json:"reads"`
	Writes Score `json:"writes"`
}

func (k *Kinds) add(reads bool, s Score) {
	if reads {
		k.Reads.add(s)
	} else {
		k.Writes.add(s)
	}
}

// Service is what was measured of one service.
type Service struct {
	Name string `json:"name"`
	Score
	Kinds
	Operations []Operation `json:"operations"`
}

// Result is what was measured.
type Result struct {
	Score
	Kinds
	Recordings  int          `json:"recordings"`
	Services    []Service    `json:"services"`
	Differences []Difference `json:"differences"`
	Stale       []string     `json:"stale"`  // differences that are declared, and of which the recordings show none
	Paces       []Pace       `json:"paces"`  // how fast operations answered
	Limits      []Limit      `json:"limits"` // of which the recordings tell
	Pages       []Page       `json:"pages"`  // how long lists were
	Disputes    []Dispute    `json:"disputes"`
	Proposed    string       `json:"proposed,omitempty"`
}

// Undeclared lists the differences that nobody has declared.
func (r *Result) Undeclared() []Difference {
	return slices.DeleteFunc(slices.Clone(r.Differences), func(d Difference) bool { return d.Declared != "" })
}

// Measure plays recordings, each in worlds of its own, and compares.
func Measure(recordings []Recording, o Options) (Result, error) {
	m := &measuring{Options: o, operations: map[string]*measured{}, oracles: map[*specs.Contract]*oracle.Document{}}
	for _, r := range recordings {
		if err := m.recording(r); err != nil {
			return Result{}, fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return m.result(len(recordings)), nil
}

// measuring collects what recordings show.
type measuring struct {
	Options
	operations map[string]*measured
	oracles    map[*specs.Contract]*oracle.Document // nil: it cannot be asked about that contract
}

// measured is what is known of one operation.
type measured struct {
	Score
	name     string
	service  string
	op       *specs.Operation
	found    map[string]*Difference
	took     []time.Duration
	answered []answered
	reads    bool
	disputes []Dispute
}

type answered struct {
	asked  string
	status int
	header func(name string) string
	body   string
}

func (m *measuring) of(e *Exchange) *measured {
	name := e.Name()
	if m.operations[name] == nil {
		m.operations[name] = &measured{name: name, service: e.Service.Name, op: e.Operation, found: map[string]*Difference{}}
	}
	return m.operations[name]
}

func (m *measuring) recording(r Recording) error {
	of := map[string][]int{}
	for i, e := range r.Exchanges {
		of[e.Service.Name] = append(of[e.Service.Name], i)
	}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		w, err := m.world(r)
		if err != nil {
			return err
		}
		m.conversation(r, of[name], w)
	}
	return nil
}

// world is what services begin with: what the profile says, or nothing.
func (m *measuring) world(r Recording) (*world.World, error) {
	base, err := m.Catalogue.World()
	if err != nil || m.Profile == nil || len(m.Profile.Friendly) > 0 {
		return base, err
	}
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range r.Exchanges {
		if at := r.Exchanges[i].Response.At(); !at.IsZero() {
			began = at
			break
		}
	}
	return fixture.Build(base, m.Catalogue, m.Profile.Start, m.Seed, began)
}

// conversation plays what a recording has of one service.
func (m *measuring) conversation(r Recording, numbers []int, w *world.World) {
	var c recording.Conversation
	for _, i := range numbers {
		c.Exchanges = append(c.Exchanges, r.Exchanges[i].Exchange)
	}
	first := &r.Exchanges[numbers[0]]
	s := stage.New(first.Service, w, m.Seed)
	s.Base = based(c.Exchanges)
	introduce(s, c.Exchanges)
	learned := recording.NewAlignment()
	s.Import(c, learned)
	for _, i := range numbers {
		e := &r.Exchanges[i]
		reply, err := s.Play(e.Exchange, learned)
		if err != nil {
			reply = fakes.Reply{Body: []byte(err.Error())}
		}
		theirs := e.Exchange
		if r.Flattened && theirs.Response.Status == 200 && reply.Status/100 == 2 {
			theirs.Response.Status = reply.Status
		}
		got := learned.Measure(theirs, reply.Status, reply.Header, reply.Body, m.Marks...)
		of, where := m.of(e), fmt.Sprintf("%s #%d", r.Name, i+1)
		of.reads = s.Reads(e.Exchange)
		of.take(e, got, where)
		m.judge(of, e, r.Flattened, reply, where)
	}
}

// take adds what an exchange shows.
func (o *measured) take(e *Exchange, got recording.Measure, where string) {
	one := Score{Exchanges: 1, Compared: got.Compared, Missed: min(len(got.Misses), got.Compared)}
	switch {
	case len(got.Misses) == 0:
		one.Alike = 1
	case got.Misses[0].What == recording.Status:
		one.Missed = got.Compared // nothing of their reply is in ours
	}
	o.add(one)
	if e.Took > 0 {
		o.took = append(o.took, e.Took)
	}
	o.answered = append(o.answered, answered{e.Request.URL, e.Response.Status, e.Response.Value, e.Response.Body})
	seen := map[string]bool{}
	for _, miss := range got.Misses {
		at := item().ReplaceAllString(miss.Where, "/*$1")
		key := miss.What + " " + at
		if miss.What == recording.Status {
			key += miss.Want + " " + miss.Have
		}
		d := o.found[key]
		if d == nil {
			there, here := words.Apart(unsecret(at, miss.Want), unsecret(at, miss.Have), mostBrief)
			d = &Difference{Operation: o.name, What: miss.What, Where: at, Property: property(miss), Production: brief(there), Here: brief(here), First: where}
			o.found[key] = d
		}
		d.Times++
		if !seen[key] {
			d.Exchanges++
		}
		seen[key] = true
	}
}

// item is the place of an item in a list.
var item = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/[0-9]+(/|$)`) })

// named are the names of secrets that are known in any case.
var named secret.List

// unsecret is a value as a difference tells it, and where its field has the name of
// a secret not at all.
func unsecret(at, text string) string {
	name := at[strings.LastIndexByte(at, '/')+1:]
	clean := named.Text(text, func(_, _ string) string { return secret.Redacted })
	if text != "" && named.Name(name) || clean != text {
		return secret.Redacted
	}
	return text
}

// mostBrief is how many characters of a value are told.
const mostBrief = 100

// brief keeps a value short.
func brief(text string) string {
	if runes := []rune(text); len(runes) > mostBrief {
		return string(runes[:mostBrief]) + "…"
	}
	return text
}

func (m *measuring) result(recordings int) Result {
	r := Result{Recordings: recordings, Differences: []Difference{}, Stale: []string{}, Paces: []Pace{}, Limits: []Limit{}, Pages: []Page{}, Disputes: []Dispute{}}
	services := map[string]*Service{}
	for _, name := range slices.Sorted(maps.Keys(m.operations)) {
		o := m.operations[name]
		m.pace(o, &r)
		o.limits(&r)
		o.pages(&r)
		if services[o.service] == nil {
			services[o.service] = &Service{Name: o.service}
		}
		of := services[o.service]
		of.Operations = append(of.Operations, Operation{Name: name, Score: o.Score, Reads: o.reads, NotModelled: o.op == nil})
		of.Score.add(o.Score)
		of.Kinds.add(o.reads, o.Score)
		r.Score.add(o.Score)
		r.Kinds.add(o.reads, o.Score)
		r.Disputes = append(r.Disputes, o.disputes...)
		for _, key := range slices.Sorted(maps.Keys(o.found)) {
			d := *o.found[key]
			d.NotModelled = o.op == nil
			d.Declared = m.declared(o, d.Property)
			r.Differences = append(r.Differences, d)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		r.Services = append(r.Services, *services[name])
	}
	slices.SortStableFunc(r.Differences, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(b.Exchanges, a.Exchanges), strings.Compare(a.Operation, b.Operation))
	})
	r.Stale = append(r.Stale, m.stale(&r)...)
	r.Proposed = m.propose(&r)
	return r
}
