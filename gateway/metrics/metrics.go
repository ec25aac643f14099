// Package metrics counts what the gateway does, for Prometheus.
//
//	New, Declare ─► children, resolved once
//	                   │
//	exchange ─► Operation(service, operation).Exchange(...) ─► atomic adds ─► /metrics
//	                   │
//	                   └ not declared: one shared child, labelled "unknown"
//
// Labels come from closed sets: services and operations from contracts, faults
// and reasons from the catalogues, outcomes and fidelities from faults/trail.
// Nothing that a client sends can become a label, so that no client can make
// the number of series grow.
package metrics

import (
	"maps"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"parity/faults/trail"
	"parity/specs/class"
)

const (
	// unknown labels services and operations that nobody declared.
	unknown = "unknown"
	// other labels what is outside a closed set: a defect of the caller, which
	// is better seen than dropped.
	other = "other"
)

// Options are the closed sets that a gateway knows from its start.
type Options struct {
	Faults  []string       // the kinds of the catalogue
	Reasons []string       // why a request can be refused
	Sheds   []string       // what can be shed
	Notices []string       // what can come of a message to whoever is asked
	Asleep  func() int64   // live runs that sleep; nil is 0
	Backlog func() int64   // bytes that journals have not written yet; nil is 0
	Held    func() int64   // bytes held for requests under way; nil is 0
	Fullest func() float64 // share of its bounds that the fullest record has used up; nil is 0
	Store   func() int64   // bytes that all records have together; nil is 0
	Record  func() int64   // bytes of the largest record of a live run; nil is 0
	MaxHeld int64          // bytes that may be held
	MaxRuns int            // runs that may be live
	Version string         // Parity's own
	Started time.Time
}

// Metrics are the counters of one gateway, in a registry of their own. They are
// safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	vectors

	declaring  sync.Mutex
	operations atomic.Pointer[map[string]map[string]*Operation] // by service and name; replaced whole, never changed
	unknown    *Operation
	faults     map[string]*Fault
	refused    closedCounters
	panics     closedCounters
	sheds      closedCounters
	unrecorded closedCounters
	decided    closedCounters
	notified   closedCounters
	left       closedCounters
}

// New makes the metrics, all at 0.
func New(o Options) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), vectors: newVectors(), faults: map[string]*Fault{}}
	m.register(m.registry)
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		bytesOf("parity_journal_backlog_bytes", "Bytes of events that journals have taken and not yet written.", o.Backlog),
		bytesOf("parity_runs_asleep", "Live runs that sleep: they are rebuilt when somebody asks for them.", o.Asleep),
		bytesOf("parity_held_bytes", "Bytes held for requests under way and connections.", o.Held),
		bytesOf("parity_store_bytes", "Bytes that all records have together.", o.Store),
		bytesOf("parity_record_bytes", "Bytes of the largest record of a live run.", o.Record),
		constant("parity_held_limit_bytes", "Bytes that may be held at most (--max-held).", nil, float64(o.MaxHeld)),
		constant("parity_runs_limit", "Runs that may be live at once (--max-runs).", nil, float64(o.MaxRuns)),
		constant("parity_build_info", "Always 1: which version of Parity this is, and what built it.", prometheus.Labels{"version": o.Version, "goversion": runtime.Version()}, 1),
		constant("parity_start_time_seconds", "When this gateway was started, in seconds since 1970.", nil, seconds(o.Started)),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "parity_journal_fullest_ratio",
			Help: "How much of its bounds the fullest record has used up: at 1 its calls are recorded no more, and refused where they change something.",
		}, func() float64 {
			if o.Fullest == nil {
				return 0
			}
			return o.Fullest()
		}),
	)
	m.unknown = &Operation{service: unknown, name: unknown, vector: m.exchanges, seconds: m.seconds.WithLabelValues(unknown)}
	m.operations.Store(&map[string]map[string]*Operation{})
	for _, kind := range append([]string{other}, o.Faults...) {
		m.faults[kind] = newFault(m.strikes, kind)
	}
	m.refused = newClosedCounters(m.refusals, o.Reasons)
	m.sheds = newClosedCounters(m.shedding, o.Sheds)
	m.unrecorded = newClosedCounters(m.unkept, []string{"answered", "refused"})
	m.decided = newClosedCounters(m.decisions, decisions())
	m.left = newClosedCounters(m.upstream, classes())
	m.notified = newClosedCounters(m.notices, o.Notices)
	m.panics = newClosedCounters(m.panicked, Steps())
	return m
}

func bytesOf(name, help string, count func() int64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		if count == nil {
			return 0
		}
		return float64(count())
	})
}

// constant is a gauge that stays as it is.
func constant(name, help string, labels prometheus.Labels, value float64) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels})
	g.Set(value)
	return g
}

func seconds(at time.Time) float64 { return float64(at.UnixNano()) / float64(time.Second) }

// Declare adds a service and its operations to those that are counted apart. A
// service that is there already gets what is new. It is meant for the start and
// for reloads, not for each exchange.
func (m *Metrics) Declare(service string, operations ...string) {
	m.declaring.Lock()
	defer m.declaring.Unlock()
	all := maps.Clone(*m.operations.Load())
	next := make(map[string]*Operation, 1+len(operations))
	maps.Copy(next, all[service])
	made := make([]Operation, 1+len(operations)) // at once: a catalogue has a thousand
	seconds := m.seconds.WithLabelValues(service)
	for i := range made {
		name := unknown
		if i > 0 {
			name = operations[i-1]
		}
		if next[name] == nil {
			made[i].service, made[i].name, made[i].vector, made[i].seconds = service, name, m.exchanges, seconds
			next[name] = &made[i]
		}
	}
	all[service] = next
	m.operations.Store(&all)
}

// Operation gives the counters of a declared operation. Another operation of a
// declared service is counted as that service's "unknown", and another service
// as "unknown" altogether. It does not allocate.
func (m *Metrics) Operation(service, operation string) *Operation {
	of := (*m.operations.Load())[service]
	if o := of[operation]; o != nil {
		return o
	}
	if o := of[unknown]; o != nil {
		return o
	}
	return m.unknown
}

// Fault gives the counters of a kind of fault.
func (m *Metrics) Fault(kind string) *Fault {
	if f := m.faults[kind]; f != nil {
		return f
	}
	return m.faults[other]
}

// Reloaded tells how a profile's reload at the time at went. The time of the
// last success stays where a reload fails.
func (m *Metrics) Reloaded(at time.Time, ok bool) {
	if !ok {
		m.reloadOK.Set(0)
		return
	}
	m.reloadOK.Set(1)
	m.reloadAt.Set(seconds(at))
}

// RequestBegan counts a request that has come in.
func (m *Metrics) RequestBegan() { m.open.Inc() }

// RequestEnded counts a request whose wire has ended.
func (m *Metrics) RequestEnded() { m.open.Dec() }

// HoldBegan counts a request that waits for somebody's word.
func (m *Metrics) HoldBegan() { m.held.Inc() }

// HoldEnded counts a request that has got it, or was given up.
func (m *Metrics) HoldEnded() { m.held.Dec() }

// Refused counts a request that was turned away for one of Options.Reasons.
func (m *Metrics) Refused(reason string) { m.refused.get(reason).Inc() }

// Shed counts what was turned away, or ended, because there was too much of it:
// one of Options.Sheds.
func (m *Metrics) Shed(what string) { m.sheds.get(what).Inc() }

// Decided counts what policy said of a call.
func (m *Metrics) Decided(d trail.Decision) { m.decided.get(string(d)).Inc() }

func decisions() []string {
	return []string{string(trail.PolicyAllowed), string(trail.PolicyRefused), string(trail.PolicyHeld), string(trail.PolicyCaptured)}
}

// Left counts a call that left for a real service, by its class.
func (m *Metrics) Left(class string) { m.left.get(class).Inc() }

// Contained tells whether the agent was found to have no way around the gateway.
func (m *Metrics) Contained(is bool) {
	m.contained.Set(0)
	if is {
		m.contained.Set(1)
	}
}

func classes() []string {
	var all []string
	for _, c := range class.All() {
		all = append(all, string(c))
	}
	return all
}

// Notified counts what came of a message to whoever is asked for an approval: one
// of Options.Notices.
func (m *Metrics) Notified(outcome string) { m.notified.get(outcome).Inc() }

// Unrecorded counts a call of a run whose record is full, which was answered all
// the same or refused.
func (m *Metrics) Unrecorded(answered bool) {
	if answered {
		m.unrecorded.get("answered").Inc()
		return
	}
	m.unrecorded.get("refused").Inc()
}

// RunBegan counts a run that has come to life.
func (m *Metrics) RunBegan() { m.runs.Inc() }

// RunEnded counts a run that is over.
func (m *Metrics) RunEnded() { m.runs.Dec() }

// Panicked counts an exchange that was lost to a defect in one of Steps.
func (m *Metrics) Panicked(step string) { m.panics.get(step).Inc() }

// Tunnelled counts a connection that passes through unread.
func (m *Metrics) Tunnelled() { m.tunnels.Inc() }

// Handler answers a scrape.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry:            m.registry,
		MaxRequestsInFlight: 4, // a scrape walks every series
	})
}
