package gateway

import (
	"net/http"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/contain"
	"parity/gateway/report"
)

// probed answers a probe of whether an agent is contained: only a gateway that has
// the run can sign for it. Without a name, the run is that of clients which name
// none.
func (g *Gateway) probed(name string, r *http.Request) (answer string, ok bool) {
	nonce := r.Header.Get(contain.ProbeHeader)
	if r.URL.Path != contain.ProbePath || nonce == "" {
		return "", false
	}
	p := g.firstSlot()
	if name != "" {
		p, _ = g.slot(name)
	}
	if p == nil {
		return "", false
	}
	l, err := p.get()
	if err != nil {
		return "", false
	}
	return contain.Sign(l.Token, nonce), true
}

// Contain records what came of trying to get out from where a run's agent
// is, before it is started.
func (s *Server) Contain(r *run.Run, level string, probes []contain.Probe) error {
	c := &trail.Containment{Level: level, Probes: len(probes)}
	for _, p := range contain.Out(probes) {
		c.Out = append(c.Out, trail.Escape{Probe: p.Name, Said: report.Masked(p.Said)})
	}
	return r.Append(&trail.Event{Kind: trail.Probed, Containment: c})
}
