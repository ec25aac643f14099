package exchange

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/credential"
	"parity/profiles"
)

// A maker is what credentials at a service are made by: whose they are, and in
// which service's form.
type maker struct {
	identity string
	service  fakes.Service
}

// minted remembers the credentials that were made for a run. They are in memory
// alone, and made anew from the seed.
type minted struct {
	mu sync.Mutex
	of map[[2]string][]string // identity and service → of each generation
}

// all gives the credentials of an identity at a service, up to a generation.
func (m *minted) all(seed chance.Seed, by maker, newest int) []string {
	key := [2]string{by.identity, by.service.Name}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = map[[2]string][]string{}
	}
	for n := len(m.of[key]); n <= newest; n++ {
		m.of[key] = append(m.of[key], profiles.Mint(seed, by.identity, by.service, n))
	}
	return m.of[key][:newest+1]
}

// mintedFor tells whose credential one is that was made for this run, and of which
// generation; "": nobody's. One that was made for another run is a stranger's.
func (x *Exchange) mintedFor(shown string) (identity string, generation int) {
	for _, by := range x.rev.minted[x.service.Name] {
		newest := credential.Of(x.run.World(), by.identity, by.service.Name).Generation
		for n, value := range x.run.identities.minted.all(x.run.Seed, by, newest) {
			if value == shown || strings.Contains(value, ":") && base64.StdEncoding.EncodeToString([]byte(value)) == shown { // RFC 7617
				return by.identity, n
			}
		}
	}
	return "", credential.Newest
}

// voided answers, in its service's words, a call whose credential is not in force
// any more: in its turn, and before anything else that policy or the contract has
// said of it. It is a step of policy also where the profile has none, and says which
// intent the call is. It tells whether it has answered.
func (x *Exchange) voided(t *run.Turn) bool {
	if x.identity == "" || !x.served() || t.State.World.Len(fakes.GrantsCollection) == 0 {
		return false
	}
	s := credential.Of(t.State.World, x.rev.nameOf(x.identity), x.rev.asks(x.service.Name))
	code := s.Code(t.Now, x.generation)
	if code == "" {
		return false
	}
	kind, message := fakes.Revoked, "The credential was taken back. Nothing was done."
	if code == credential.Expired {
		kind, message = fakes.SessionExpired, "The credential has expired. Nothing was done."
	}
	if x.known != nil {
		x.intend(t)
	}
	x.entry.Violations, x.forbidden = nil, true
	x.entry.Policy = &trail.Policy{Stage: x.run.Stage, Decision: trail.PolicyRefused, Code: code, By: x.shownAs(s)}
	x.trouble(trail.Forbidden, fakes.Problem{Kind: kind}, http.StatusUnauthorized, code, message)
	x.entry.Outcome, x.entry.Fidelity, x.entry.Note = trail.Forbidden, trail.None, message
	x.tell("X-Parity-Refused", code)
	return true
}

// byCredential is what decides about a call whose credential is not in force: with
// it stands which one was shown, since the record has no other sign of it.
const byCredential = "credential "

func (x *Exchange) shownAs(s credential.Standing) string {
	if x.generation == credential.Newest {
		return byCredential + strconv.Itoa(s.Generation+1)
	}
	return byCredential + strconv.Itoa(x.generation+1)
}

// recalled is the generation of the credential that a recorded call showed, where
// that matters: of what passed it was the newest, or as good.
func recalled(was *trail.Exchange) int {
	if was.Policy != nil {
		if n, ok := strings.CutPrefix(was.Policy.By, byCredential); ok {
			if nth, err := strconv.Atoi(n); err == nil {
				return nth - 1
			}
		}
	}
	return credential.Newest
}

// nameOf is the name that the profile has for an identity; "": it has none.
func (r *Revision) nameOf(identity string) string {
	for i := range r.Profile.Identities {
		if name := r.Profile.Identities[i].Name; identity == name || strings.HasSuffix(identity, "-"+name) {
			return name
		}
	}
	return ""
}

// asks is the service whose credentials another takes: its own, or those of the one
// that it stands beside.
func (r *Revision) asks(service string) string {
	for name, beside := range r.beside {
		if beside.Name == service {
			return name
		}
	}
	return service
}

// mints notes what is made for identities, by the service that takes it.
func (r *Revision) mints() {
	for i := range r.Profile.Identities {
		for _, m := range r.Profile.Identities[i].Minted {
			s, _ := r.Profile.Catalogue.Service(m.Service) // lint saw to it
			by := maker{r.Profile.Identities[i].Name, s}
			r.minted[m.Service] = append(r.minted[m.Service], by)
			if other, ok := r.beside[m.Service]; ok {
				r.minted[other.Name] = append(r.minted[other.Name], by)
			}
		}
	}
}

// A Credential is one that was made for a run.
type Credential struct {
	Identity, Service, Variable, Value string
}

// Minted gives the credentials that agents of a run are given, as they are by now.
func (r *Run) Minted() []Credential {
	var all []Credential
	p, w := r.Revision().Profile, r.World()
	for i := range p.Identities {
		name := p.Identities[i].Name
		for _, m := range p.Identities[i].Minted {
			s, _ := p.Catalogue.Service(m.Service)
			value := profiles.Mint(r.Seed, name, s, credential.Of(w, name, m.Service).Generation)
			all = append(all, Credential{name, m.Service, m.Variable, value})
		}
	}
	return all
}
