package metrics

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parity/faults/trail"
)

// An Operation counts the exchanges of one operation. Its counters come into
// being with their first exchange: most pairs of outcome and fidelity never
// happen, and each would be a series.
type Operation struct {
	service, name string
	vector        *prometheus.CounterVec
	seconds       prometheus.Observer
	counters      atomic.Pointer[pairs] // nil: there was no exchange
}

// pairs has the counters of one operation, by outcome and fidelity.
type pairs [outcomes][fidelities]atomic.Pointer[prometheus.Counter]

// Exchange counts one exchange that took spent, without injected waits. It does
// not allocate, but for the first of each outcome and fidelity.
func (o *Operation) Exchange(outcome trail.Outcome, fidelity trail.Fidelity, spent time.Duration) {
	i, j := outcomeIndex(outcome), fidelityIndex(fidelity)
	all := o.counters.Load()
	if all == nil {
		o.counters.CompareAndSwap(nil, new(pairs)) // or another one was first
		all = o.counters.Load()
	}
	c := all[i][j].Load()
	if c == nil {
		c = o.make(all, i, j)
	}
	(*c).Inc()
	o.seconds.Observe(spent.Seconds())
}

// make gives the counter for the pair. Two callers at once get the same one
// from the vector.
func (o *Operation) make(all *pairs, outcome, fidelity int) *prometheus.Counter {
	c := o.vector.WithLabelValues(o.service, o.name, string(outcomeSet()[outcome]), string(fidelitySet()[fidelity]))
	all[outcome][fidelity].Store(&c)
	return &c
}

// The sizes of the closed sets, "other" included.
const (
	outcomes   = 11
	fidelities = 9
)

func outcomeSet() [outcomes]trail.Outcome {
	return [...]trail.Outcome{trail.Answered, trail.Invalid, trail.Unknown, trail.Denied, trail.Oversized, trail.Unreadable, trail.Panicked, trail.Forbidden, trail.Held, trail.Captured, other}
}

func fidelitySet() [fidelities]trail.Fidelity {
	return [...]trail.Fidelity{trail.Modelled, trail.Generic, trail.Example, trail.Injected, trail.None, trail.Drafted, "recorded", "live", other}
}

func outcomeIndex(o trail.Outcome) int {
	set := outcomeSet()
	if i := slices.Index(set[:], o); i >= 0 {
		return i
	}
	return outcomes - 1
}

func fidelityIndex(f trail.Fidelity) int {
	set := fidelitySet()
	if i := slices.Index(set[:], f); i >= 0 {
		return i
	}
	return fidelities - 1
}

// Steps are the steps of one exchange.
func Steps() []string {
	return []string{"admit", "match", "permit", "plan", "act", "record", "enact", "settle"}
}

// A Fault counts what became of one kind of fault.
type Fault struct{ met, fired, outranked prometheus.Counter }

func newFault(v *prometheus.CounterVec, kind string) *Fault {
	return &Fault{v.WithLabelValues(kind, "met"), v.WithLabelValues(kind, "fired"), v.WithLabelValues(kind, "outranked")}
}

// Met counts an exchange that a rule applied to.
func (f *Fault) Met() { f.met.Inc() }

// Fired counts an exchange that a rule changed.
func (f *Fault) Fired() { f.fired.Inc() }

// Outranked counts an exchange where another rule came first.
func (f *Fault) Outranked() { f.outranked.Inc() }

// closedCounters are counters for the values of one label, each from the start,
// so that a rate over them sees their first step.
type closedCounters map[string]prometheus.Counter

func newClosedCounters(v *prometheus.CounterVec, values []string) closedCounters {
	c := closedCounters{other: v.WithLabelValues(other)}
	for _, value := range values {
		c[value] = v.WithLabelValues(value)
	}
	return c
}

func (c closedCounters) get(value string) prometheus.Counter {
	if counter := c[value]; counter != nil {
		return counter
	}
	return c[other]
}
