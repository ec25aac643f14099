package metrics

import "github.com/prometheus/client_golang/prometheus"

// ofPolicy are those of what agents may do.
type ofPolicy struct {
	decisions, notices, upstream *prometheus.CounterVec
	contained                    prometheus.Gauge
}

// vectors are the metrics themselves; the names are a promise to dashboards.
type vectors struct {
	exchanges *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	strikes   *prometheus.CounterVec
	refusals  *prometheus.CounterVec
	shedding  *prometheus.CounterVec
	unkept    *prometheus.CounterVec
	ofPolicy
	panicked *prometheus.CounterVec
	tunnels  prometheus.Counter
	open     prometheus.Gauge
	held     prometheus.Gauge
	runs     prometheus.Gauge
	reloadOK prometheus.Gauge
	reloadAt prometheus.Gauge

	divergences *prometheus.GaugeVec
}

// buckets, in seconds, are dense where an exchange of ours is: from 100 µs.
func buckets() []float64 {
	return []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
}

func newVectors() vectors {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	return vectors{
		exchanges: counter("parity_exchanges_total", "Exchanges by what became of them and how the answer came about.",
			"service", "operation", "outcome", "fidelity"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "parity_exchange_seconds", Help: "Time of exchanges without injected waits.", Buckets: buckets(),
		}, []string{"service"}),
		strikes: counter("parity_faults_total", "Rules that exchanges met, that fired, and that another rule outranked, by kind of fault.",
			"fault", "result"),
		refusals: counter("parity_requests_refused_total", "Requests turned away, by why.", "reason"),
		shedding: counter("parity_shed_total", "What was turned away, or ended, because there was too much of it.", "what"),
		unkept:   counter("parity_unrecorded_calls_total", "Calls of runs whose record is full: answered without being recorded, since they change nothing, or refused.", "result"),
		ofPolicy: ofPolicy{
			decisions: counter("parity_policy_decisions_total", "What policy said of calls; what it refused or held is among parity_requests_refused_total by its code.", "decision"),
			notices:   counter("parity_notifications_total", "Messages to whoever is asked for an approval, by what came of them.", "outcome"),
			upstream:  counter("parity_upstream_requests_total", "Calls that left for real services, by what sort of act they are.", "class"),
			contained: gauge("parity_contained", "Whether the agent that this gateway serves was found to have no way around it, when it began."),
		},
		panicked: counter("parity_panics_total", "Exchanges lost to a defect of Parity, by the step it was in.", "step"),
		tunnels: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "parity_tunnels_total", Help: "Connections passed through unread.",
		}),
		open:     gauge("parity_requests_open", "Requests whose wire has not ended."),
		held:     gauge("parity_requests_held", "Requests that wait for somebody's word."),
		runs:     gauge("parity_runs_live", "Runs that are live."),
		reloadOK: gauge("parity_profile_last_reload_successful", "Whether the last reload of the profile succeeded."),
		divergences: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "parity_divergences", Help: "Open cases in which a rehearsal passed and production failed, by the month of the latter.",
		}, []string{"month"}),
		reloadAt: gauge("parity_profile_last_reload_success_timestamp_seconds", "When a reload of the profile last succeeded, in seconds since 1970."),
	}
}

func (v *vectors) register(r prometheus.Registerer) {
	r.MustRegister(v.exchanges, v.seconds, v.strikes, v.refusals, v.shedding, v.unkept, v.decisions, v.notices, v.upstream, v.contained, v.panicked, v.tunnels, v.open, v.held, v.runs, v.reloadOK, v.reloadAt, v.divergences)
}
