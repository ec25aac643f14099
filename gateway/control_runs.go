package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/admin"
	"parity/gateway/client"
	"parity/gateway/credential"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/profiles"
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

// Minted are the credentials that an agent of a run is given, by variable, as they
// are by now; none of a run that does not go on.
func (s *Server) Minted(name string) map[string]string {
	given := map[string]string{}
	if p, ok := s.Gateway.slot(name); ok {
		if l, err := p.get(); err == nil {
			for _, c := range l.Minted() {
				given[c.Variable] = c.Value
			}
		}
	}
	return given
}

// presented are what the identities of a run present, by identity and service: all
// of a profile, or of one identity.
func presented(l *liveRun, only string, values bool) []client.Credential {
	w, list := l.World(), []client.Credential{}
	minted := map[[2]string]exchange.Credential{}
	for _, c := range l.Minted() {
		minted[[2]string{c.Identity, c.Service}] = c
	}
	p := l.Revision().Profile
	for i := range p.Identities {
		name := p.Identities[i].Name
		for _, service := range shownTo(p, &p.Identities[i]) {
			s, made := credential.Of(w, name, service), minted[[2]string{name, service}]
			c := client.Credential{Identity: name, Service: service, Variable: made.Variable, State: s.State}
			if s.State == credential.Rotated {
				c.Until = s.Until
			}
			if values {
				c.Value = made.Value
			}
			if only == "" || only == name {
				list = append(list, c)
			}
		}
	}
	return list
}

// shownTo are the services that an identity presents a credential to: those that it
// is made for, or all where it is somebody's own.
func shownTo(p *profiles.Profile, i *profiles.Identity) []string {
	if len(i.Minted) == 0 {
		if i.Env == "" && i.Digest == "" {
			return nil // nobody is known by it
		}
		return p.Services
	}
	all := make([]string, len(i.Minted))
	for n, m := range i.Minted {
		all[n] = m.Service
	}
	return all
}

func (s *Server) listCredentials(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	values, _ := call.Query["values"].(bool)
	if values && call.By.Kind != admin.Operator {
		return admin.Answer{}, &admin.Problem{Status: http.StatusForbidden, Code: "operator-only", Detail: "the credentials themselves are shown with the control token alone (PARITY_CONTROL_TOKEN); leave out values"}
	}
	return admin.Answer{JSON: client.Credentials{Credentials: presented(l, "", values)}}, nil
}

// changeCredentials has credentials of an identity be in force no more, or puts the
// next ones in their place: an event for each service.
func (s *Server) changeCredentials(_ context.Context, l *liveRun, call admin.Call) (admin.Answer, error) {
	in, err := decoded[client.CredentialChange](call.Body)
	if err != nil {
		return admin.Answer{}, err
	}
	what, identity := call.Path["what"], call.Path["identity"]
	grace, err := span("grace", in.Grace)
	if err == nil && grace > 0 && what != "rotate" {
		err = &UsageError{Err: errors.New("grace is of rotate: what is revoked or expired is good no longer")}
	}
	if err != nil {
		return admin.Answer{}, asked(err)
	}
	services, err := s.changeable(l, identity, in.Service, what)
	if err != nil {
		return admin.Answer{}, err
	}
	for _, service := range services {
		if err = s.changeCredential(l, identity, service, what, grace); errors.Is(err, credential.ErrAlready) && in.Service == "" {
			err = nil // at another it may be in force yet
		}
		if err != nil {
			break
		}
	}
	switch {
	case errors.Is(err, credential.ErrAlready):
		return admin.Answer{}, &admin.Problem{Status: http.StatusConflict, Code: "credential-ended", Detail: "the credential of " + identity + " at " + in.Service + ": " + err.Error() + "; rotate gives it another, where it was made for the run"}
	case err != nil:
		return admin.Answer{}, refused(err, http.StatusConflict, "run-ended")
	}
	return admin.Answer{JSON: client.Credentials{Credentials: presented(l, identity, false)}}, s.known(l)
}

// changeable are the services at which credentials of an identity are to be changed.
func (s *Server) changeable(l *liveRun, identity, service, what string) ([]string, error) {
	p := l.Revision().Profile
	for i := range p.Identities {
		if p.Identities[i].Name != identity {
			continue
		}
		if what == "rotate" && len(p.Identities[i].Minted) == 0 {
			return nil, asked(&UsageError{Err: fmt.Errorf("identity %s: only credentials that are made for each run can be rotated; say presents: {minted: …} in the profile", identity)})
		}
		var some []string
		for _, name := range shownTo(p, &p.Identities[i]) {
			if service == "" || service == name {
				some = append(some, name)
			}
		}
		if len(some) == 0 {
			return nil, &admin.Problem{Status: http.StatusNotFound, Code: "unknown-credential", Detail: "identity " + identity + " presents none there; GET /v1/runs/" + l.ID + "/credentials lists those there are"}
		}
		return some, nil
	}
	return nil, &admin.Problem{Status: http.StatusNotFound, Code: "unknown-identity", Detail: "the profile of run " + l.ID + " has no identity " + identity + "; GET /v1/runs/" + l.ID + "/credentials lists those there are"}
}

// digestOf stands for the newest credential of an identity; "": it is in a variable
// of the gateway's own.
func digestOf(l *liveRun, identity, service string) string {
	for _, c := range l.Minted() {
		if c.Identity == identity && c.Service == service {
			return profiles.CredentialDigest(c.Value)
		}
	}
	for _, i := range l.Revision().Profile.Identities {
		if i.Name == identity {
			return i.Digest
		}
	}
	return ""
}

// changeCredential changes one, by an event.
func (s *Server) changeCredential(l *liveRun, identity, service, what string, grace time.Duration) error {
	rev, digest := l.Revision(), digestOf(l, identity, service)
	var already error
	_, err := l.DecideAside(s.settings.Wall.Now(), func(t *run.Turn) *trail.Event {
		change := trail.CredentialChange{Identity: identity, Service: service, Digest: digest}
		switch what {
		case "rotate":
			change.What = credential.Rotated
			if s := credential.Rotate(t.Tx(), t.Now, identity, service, grace); grace > 0 && !s.Until.IsZero() {
				change.Until = trail.At(s.Until)
			}
		case "expire":
			change.What = credential.Expired
			_, already = credential.End(t.Tx(), identity, service, credential.Expired)
		default:
			change.What = credential.Revoked
			_, already = credential.End(t.Tx(), identity, service, credential.Revoked)
		}
		if already != nil {
			return nil
		}
		return &trail.Event{Kind: trail.Credential, Revision: rev.Profile.Revision, Credential: &change}
	})
	return errors.Join(already, err)
}
