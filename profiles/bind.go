package profiles

import (
	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/clock"
	"parity/fakes/fixture"
	"parity/faults"
	"parity/specs"
)

// maxRules bounds how many rules each exchange may have to be asked about.
const maxRules = 10_000

// binder turns a merged document into a Profile.
type binder struct {
	*finder
	o     Options
	named []string // the files that were named, whose rules are required
	tree  *item
	files map[*item]fixture.File // that fixtures: names
	shown map[string]string      // how problems name those, by their own names
	made  map[string]*made       // services of the profile's own
	paths map[*item]string       // files that items name, from the named file's folder

	folders map[string]string // of contracts, as problems name them, by service
	matched map[string]bool   // patterns that match an operation of the profile
	placed  Places            // where parts of it are
	settled bool              // what is read was found right before: calls are not looked up again

	bound     map[string]bool  // services that the profile binds
	failed    map[string]bool  // those that it wants to bind and cannot
	catalogue *fakes.Catalogue // what there is with the profile's own
	sources   Sources
	effects   map[*specs.Operation]specs.Effect
	ops       []*specs.Operation
	index     *faults.Index       // of ops
	promised  map[promise][2]bool // what the contract says of fields: named, always there
}

// bind gives the profile. It is of use only if nothing fatal was found.
func (b *binder) bind() *Profile {
	b.placed = Places{}
	p := &Profile{Places: b.placed}
	if b.tree == nil || b.tree.bad {
		return p
	}
	p.Name, p.Summary = b.tree.get("profile").str(), b.tree.get("summary").str()
	if seed := b.tree.get("seed"); seed.ok() {
		n := seed.count()
		p.Seed = &n
	}
	p.Services = b.services()
	p.Catalogue, p.Sources, p.effects = b.catalogue, b.sources, b.effects
	p.undeclared, p.Beside = map[string]string{}, map[string]string{}
	for _, f := range b.tree.get("services").all() {
		p.undeclared[f.name] = f.item.get("undeclared").str()
		b.beside(p, f)
	}
	p.Clock = b.clock(b.tree.get("clock"))
	written := make(chan resolution, 1)
	go func() { written <- b.resolved() }() // beside what follows: it takes as long
	b.egress(p)
	p.Isolation = b.isolation()
	b.modes(p)
	p.Issuers = b.issuers()
	b.rules(p)
	p.meanings, p.Acceptable = b.intents(), b.shadow()
	p.Says = b.says()
	p.Secrets = b.secrets()
	p.Expectations = b.expectations()
	p.Orders = b.orders(p.Expectations)
	p.Steps = b.steps()
	p.Identities = b.identities()
	p.Authority = b.authority()
	p.People = b.people()
	p.Rules = append(p.Rules, b.sessions(p.Identities, p.Services)...)
	p.Differences = b.differences(p.Clock)
	p.Silent = b.silent(p.Differences)
	b.ofModes(p)
	p.Divergences = b.divergences()
	b.begin(p)
	if b.errors > 0 {
		return p
	}
	content := <-written
	if content.err != nil {
		// Every node was made here from values that were read: there is none that
		// cannot be written, and a profile without content is not in force.
		b.wrong(b.tree.place, "report this as a fault of Parity", "the profile cannot be written down: %v", content.err)
		return p
	}
	p.Content = content.text
	parts := []string{string(p.Content), p.Start.Hash()}
	if sources := p.Sources.Hash(); sources != "" {
		parts = append(parts, sources)
	}
	p.Revision = chance.Hash(parts...)[:8]
	return p
}

func (b *binder) clock(it *item) clock.Options {
	if !it.ok() {
		return clock.Options{}
	}
	o := clock.Options{Mode: clock.Mode(it.get("mode").str()), Start: it.get("start").time(), Step: it.get("step").span()}
	o.Speed = scalar[float64](it.get("speed"))
	step, speed, start := it.get("step"), it.get("speed"), it.get("start")
	if start.ok() && o.Start.IsZero() { // which stands for none
		b.wrong(start.place, "such as start: 2026-03-02T13:00:00Z", "clock.start: say an instant from 1970 to 2261")
	}
	switch {
	case step.ok() && o.Mode != clock.Stepped:
		b.wrong(step.place, "add mode: stepped, or remove the step", "clock.step: only a stepped clock has a step")
	case step.ok() && o.Step == 0:
		b.wrong(step.place, "such as step: 1s", "clock.step: a clock that is moved by nothing stands still")
	}
	switch {
	case speed.ok() && o.Mode == clock.Stepped:
		b.wrong(speed.place, "remove the speed, or the mode", "clock.speed: only a live clock has a speed")
	case speed.ok() && (o.Speed <= 0 || o.Speed > 10_000):
		b.wrong(speed.place, "such as speed: 60", "clock.speed: %v is not above 0 and up to 10000", o.Speed)
	}
	return o
}
