// Package profiles reads parity profiles: one YAML document that says how far
// a rehearsal stands from production, and in which directions it is pushed.
//
//	rough.yaml ──┐ read        ┌ merge, by key ┐ bind
//	  extends:   ├────▶ items ─┤               ├──────▶ Profile ─▶ one pointer swaps
//	baseline ────┘ strict      └ nearest wins  ┘ every problem at once
//	      ▲
//	      └── Watch: folders, a quiet moment, content compared
//
// One table of keys (keys.go) is what the reader checks a document against and
// what the JSON Schema is made from, so that the two cannot disagree. Loading is
// all or nothing: a Profile has been parsed, linted and compiled, or there is
// none and the Problems say why, with file, line and column.
package profiles

import (
	"time"

	"parity/fakes"
	"parity/fakes/clock"
	"parity/fakes/fixture"
	"parity/faults"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/secret"
)

// Profile is one revision of a profile: resolved, linted and compiled. It is
// read by many exchanges at once and never changes.
type Profile struct {
	Name        string
	Summary     string
	Path        string  // as it was named; "" when it came as content
	Seed        *uint64 // nil: the run draws one
	Services    []string
	Clock       clock.Options     // zero fields take the clock's own defaults
	Start       fixture.Spec      // what the world begins with
	Friendly    map[string]string // of that, names of fixtures by service that are there since the profile names none
	Tunnel      []string          // hosts passed through unread: host, host:port, *.suffix, or the list model-apis
	Egress      policy.EgressMode // what becomes of hosts that neither it names nor a service answers for; "": Agent
	Isolation   *Isolation        // what the agent has of the machine while it is contained; nil: the profile says nothing of it
	Issuers     []string          // of web tokens that count as real credentials: calls that show one are refused
	Rules       []*faults.Rule
	Disabled    []string // names of rules that are switched off
	Differences []Difference
	Divergences []Divergence
	Identities  []Identity
	Authority   *policy.Authority // what agents may do; nil: the profile says nothing of it
	People      []Person          // who stands in for people that services wait for, in file order
	Says        Says
	Acceptable  []string     // fields of writes that may differ from what people say there
	Secrets     *secret.List // what looks like a secret, by this profile too

	Expectations []Expectation
	Orders       []Order // those of them that are enforced
	Steps        []Step  // of promotion
	// Beside names, for a built-in service, the one that answers what it does
	// not model.
	Beside    map[string]string
	Catalogue *fakes.Catalogue // the services that there are: those that ship, and the profile's own
	Sources   Sources          // what its own were read from
	// Upstreams are the real services that something may be read from, by name.
	Upstreams map[string]*Upstream

	// Revision is a short hash of Content, and of all that it names: it is the
	// same after an edit that changes comments of the profile alone.
	Revision string
	// Content is the profile resolved: one document, extending none, that
	// Parse reads back to the same revision and the same rule hashes.
	Content  []byte
	Files    []string // all that it was read from, the named one first
	Places   Places
	Warnings Problems
	// Silent is what lint warns of besides, and a run does not: services that no
	// known difference is declared for. Its report shows that itself.
	Silent Problems
	// Kept says that this is a last good revision, in force because the
	// profile itself has problems.
	Kept bool

	effects    map[*specs.Operation]specs.Effect // where they differ from the contract's
	meanings   map[*specs.Operation]*faults.Meaning
	undeclared map[string]string // by service
	modes      map[*specs.Operation]policy.Mode
	folder     string // that its paths are from
}

// What becomes of names that a contract does not declare.
const (
	Ignored = "ignore"
	Flagged = "flag"
	Refused = "refuse"
)

// Undeclared tells what becomes of a call to a service that has query parameters
// or fields of the body that the contract does not name: Ignored, Flagged or
// Refused.
func (p *Profile) Undeclared(service string) string {
	if mode := p.undeclared[service]; mode != "" {
		return mode
	}
	return Ignored
}

// Stands tells whether a service stands in for another one.
func (p *Profile) Stands(service string) bool {
	for _, beside := range p.Beside {
		if beside == service {
			return true
		}
	}
	return false
}

// Effect is what an operation does to the world, as the profile has it.
func (p *Profile) Effect(op *specs.Operation) specs.Effect {
	if e, ok := p.effects[op]; ok {
		return e
	}
	return op.Effect
}

// Difference is a known difference from production.
type Difference struct {
	Name       string
	Covers     []faults.Pattern
	Production string // what the real service does
	Here       string // what happens in a rehearsal
	So         string // what a rehearsal therefore does not show
	Weakens    []string
	Accepted   *Accepted
}

// Accepted says who took a difference into account, and until when.
type Accepted struct {
	By    string
	Until time.Time
}

// Aspects is the closed list of what a difference can weaken.
func Aspects() []string {
	return []string{"settlement", "effects", "delivery", "timing", "volume", "limits", "auth", "freshness", "content"}
}

// ModelAPIs is the name, in policy.egress.tunnel, of the shipped list of hosts
// that serve language models.
const ModelAPIs = "model-apis"
