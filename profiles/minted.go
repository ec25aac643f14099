package profiles

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/fakes/chance"
)

// Minted is a credential that is made for an identity in each run.
type Minted struct {
	Service  string // in whose form it is
	Variable string // of the agent's environment, that has it
}

// Mint gives the credential that an identity presents to a service in the run of a
// seed: the same in its replay and its forks, and in no run of another seed. Those
// of later generations take its place when it is rotated; "": the service has none.
func Mint(seed chance.Seed, identity string, s fakes.Service, generation int) string {
	m, ok := s.Fake.(fakes.Minter)
	if !ok {
		return ""
	}
	drawn := 0
	return m.Mint(func(n int) string {
		drawn++
		return chance.ID(seed, n, "minted", identity, s.Name, strconv.Itoa(generation), strconv.Itoa(drawn))
	})
}

// own are what variables of Parity's own begin with, which it gives to every agent.
const own = "PARITY_"

// presented counts how many ways there are to know an identity.
func presented(shows *item) int {
	n := len(shows.get("minted").all())
	if n > 0 {
		n = 1
	}
	for _, key := range []string{"env", "digest", "value"} {
		if shows.get(key).str() != "" {
			n++
		}
	}
	return n
}

// minted reads what is made for an identity, which is none of the others' either.
func (b *binder) minted(identity string, it *item, others []Identity) []Minted {
	var all []Minted
	for _, f := range it.all() {
		m := Minted{Service: f.name, Variable: f.item.str()}
		switch s, there := b.catalogue.Service(m.Service); {
		case !f.item.ok() || b.failed[m.Service]:
			continue // it was said why
		case !there:
			b.wrong(f.place, didYouMean(m.Service, b.catalogue.Names()), "identity %s: there is no service %s", identity, shorten(m.Service))
		case !b.bound[m.Service]:
			b.wrong(f.place, "add it: services: {"+m.Service+": {}}", "identity %s: this profile does not bind %s", identity, m.Service)
		case Mint(0, identity, s, 0) == "":
			b.wrong(f.place, "say env or value", "identity %s: nobody knows how credentials of %s look", identity, m.Service)
		case !variableForm().MatchString(m.Variable):
			b.wrong(f.item.place, "such as minted: {stripe: STRIPE_API_KEY}", "identity %s: %s is no name of a variable", identity, shorten(m.Variable))
		case strings.HasPrefix(strings.ToUpper(m.Variable), own):
			b.wrong(f.item.place, "such as minted: {stripe: STRIPE_API_KEY}", "identity %s: %s is a variable of Parity's own", identity, m.Variable)
		}
		if who := holder(others, m.Variable); who != "" {
			b.wrong(f.item.place, "give each a variable of its own", "identities %s and %s: %s can have one credential", who, identity, m.Variable)
		} else if slices.ContainsFunc(all, func(other Minted) bool { return other.Variable == m.Variable }) {
			b.wrong(f.item.place, "give each a variable of its own", "identity %s: %s can have one credential", identity, m.Variable)
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Minted) int { return cmp.Compare(a.Service, b.Service) })
	return all
}

// holder is the identity that has a variable already; "": none.
func holder(all []Identity, variable string) string {
	for _, i := range all {
		if slices.ContainsFunc(i.Minted, func(m Minted) bool { return m.Variable == variable }) {
			return i.Name
		}
	}
	return ""
}
