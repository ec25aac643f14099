package gateway

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/journal"
	"parity/gateway/kept"
)

func (s *Server) getGateway(_ context.Context, call admin.Call) (admin.Answer, error) {
	s.mu.Lock()
	paths := slices.Sorted(maps.Keys(s.sources))
	s.mu.Unlock()
	first := ""
	if p := s.Gateway.firstSlot(); p != nil {
		first = p.name
	}
	return admin.Answer{JSON: client.Gateway{
		Version: Version, Data: s.reachable(call.Host), Control: s.controlAt(call.Host), CA: string(s.CA.CertPEM()),
		FirstRun: first, Profiles: paths, InForce: s.inForce(), Trouble: s.first.trouble(),
	}}, nil
}

func (s *Server) listRuns(_ context.Context, call admin.Call) (admin.Answer, error) {
	state, _ := call.Query["state"].(string)
	limit, _ := call.Query["limit"].(int64)
	list := []client.Run{}
	for _, info := range s.store.Runs() {
		if ended := !info.Ended.IsZero(); state == "all" || ended == (state == client.Ended) {
			list = append(list, unkeyed(call, s.listed(info, call.Host)))
		}
	}
	if limit > 0 && int64(len(list)) > limit {
		list = list[int64(len(list))-limit:]
	}
	return admin.Answer{JSON: client.Runs{Runs: list}}, nil
}

// listed tells of a run without waking it.
func (s *Server) listed(info journal.Info, host string) client.Run {
	if p, ok := s.Gateway.slot(info.Run); ok {
		if l := p.live.Load(); l != nil {
			return s.shown(l, host)
		}
	}
	return kept.Listed(info)
}

// shown tells of a run that goes on, for whoever has reached the control port by a
// host.
func (s *Server) shown(l *liveRun, host string) client.Run {
	p := l.Revision().Profile
	stamp := kept.StampOf(p)
	clock, at := s.clock(l), s.reachable(host)
	r := client.Run{
		ID: l.ID, Token: l.Token, State: client.Live, Profile: l.source.path, Revision: p.Revision, Seed: strconv.FormatUint(uint64(l.Seed), 10),
		Events: l.Seq(), Made: l.terms.Made.UTC(), Ends: l.expires().UTC(), Clock: &clock, Stamp: client.Stamp(stamp), Trouble: cmp.Or(l.source.trouble(), l.fills(), l.follows()),
		URLs: &client.URLs{
			Proxy: "http://" + l.ID + ":" + l.Token + "@" + at, Base: "http://" + at + "/run/" + l.ID + ":" + l.Token,
		},
	}
	if l.Ended() {
		r.State = client.Ended
	}
	if l.terms.Idle > 0 {
		r.Idle = l.terms.Idle.String()
	}
	if info, ok := s.store.Run(l.ID); ok {
		r.Base = kept.BaseOf(info)
	}
	if l.port != nil {
		r.URLs.Port = l.port.Addr().String()
	}
	return r
}
