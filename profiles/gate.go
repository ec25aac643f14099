package profiles

import (
	"slices"
	"time"

	"parity/faults"
	"parity/profiles/policy"
	"parity/specs"
	"parity/specs/class"
)

func gateKey() *key {
	thens := []string{string(policy.Allow), string(policy.Approve), string(policy.Capture), string(policy.Refuse)}
	return &key{kind: object, doc: "Which calls, and what then.", keys: []key{
		{
			name: "call", kind: oneOrMany, full: true, some: true, of: &key{kind: text, example: "stripe POST /v1/refunds"},
			doc: "The operations, as rules name them.",
		},
		{name: "when", kind: text, doc: "A condition over request, world, clock, and result: what the service is about to commit, tried and taken back. Where it cannot be evaluated nothing is let through.", example: "result.amount > 10_000"},
		{name: "then", kind: choice, full: true, choices: thens, example: string(policy.Approve), doc: "allow lets the call pass where its stage permits that, approve has somebody say yes first, draft keeps it as a draft, refuse refuses it."},
		{name: "by", kind: oneOrMany, some: true, of: &key{kind: name, example: "billing-lead"}, otherwise: "all approvers, in file order", doc: "Who is asked: the first, and on escalating the next.", example: "[desk, billing-lead]"},
		{name: "binds", kind: oneOrMany, some: true, of: &key{kind: text, example: "request.body.charge"}, doc: "Paths to ids of records that must not have moved since the reviewer saw them, besides those that the call changes.", example: "[request.body.charge]"},
		{name: "expires", kind: span, example: "30m", otherwise: "policy.approvals.expires", doc: "How long an approval is good after the decision, on the run's clock."},
		{name: "because", kind: text, example: "A refund cannot be taken back.", doc: "Why; wanted of a gate that allows."},
		{name: "live", kind: flag, example: "true", otherwise: "false", doc: "Where the mode is live: what this gate lets pass without anybody's yes may leave for the real service, from stage 4. What cannot be taken back, and acts of the class admin, never do without a person."},
		{name: "skip", kind: object, unit: true, doc: "When it does not ask.", keys: []key{
			{name: "override", kind: span, example: "15m", otherwise: "not at all", doc: "A named operator may let calls pass for so long at most, with a reason."},
			{name: "standing", kind: object, doc: "Kept evidence that opens it.", keys: []key{
				{name: "clean", kind: whole, least: 1, most: 100_000, example: "100", doc: "In so many kept runs, valid and without a failed verdict, the call was allowed and committed under this policy."},
				{name: "within", kind: span, example: "168h", otherwise: "at any time", doc: "How long ago these may have begun, in real time."},
				{name: "same", kind: list, of: &key{kind: text, example: "charge"}, doc: "Fields of the request whose values have to be the same.", example: "[charge, amount]"},
			}},
		}},
	}}
}

func approvalsKey() key {
	return key{name: "approvals", kind: object, doc: "How approvals are asked for, and how long they are good.", keys: []key{
		{name: "answer", kind: choice, choices: []string{"refuse", "wait"}, example: "wait", otherwise: "refuse", doc: "refuse answers 403 and takes the same call again once it is approved; wait holds the call until there is an answer, and then does as refuse."},
		{name: "wait", kind: span, example: "20s", otherwise: "20s", doc: "How long a call waits, in real time; 60s at most."},
		{name: "lapses", kind: span, example: "4h", otherwise: "4h", doc: "When an approval lapses that nobody has answered, on the run's clock."},
		{name: "expires", kind: span, example: "30m", otherwise: "30m", doc: "How long an approval is good after the decision, on the run's clock."},
		{name: "rejected", kind: span, example: "1h", otherwise: "1h", doc: "How long a rejection holds for the same call; after it the call asks anew."},
	}}
}

// asking reads how approvals are asked for.
func (b *binder) asking(it *item) policy.Asking {
	const longest = time.Minute // what clients wait for at most
	a := policy.DefaultAsking()
	a.Waits = it.get("answer").str() == "wait"
	for name, to := range map[string]*time.Duration{"wait": &a.Wait, "lapses": &a.Lapses, "expires": &a.Expires, "rejected": &a.Rejected} {
		if said := it.get(name); said.ok() {
			*to = said.span()
		}
	}
	if wait := it.get("wait"); wait.ok() && a.Wait > longest {
		b.wrong(wait.place, "such as wait: 20s", "policy.approvals.wait: clients give up before %s: say %s at most", a.Wait, longest)
	}
	return a
}

// gates reads the gates, once the approvers are known.
func (b *binder) gates(table *item, a *policy.Authority) []*policy.Gate {
	var all []*policy.Gate
	for _, f := range table.all() {
		if !f.item.ok() {
			continue
		}
		before := b.errors
		b.complete(f, "gate")
		b.at("policy.gates."+f.name, f.place)
		g := b.gate(f, a)
		if b.errors == before && !b.settled {
			b.gateLint(f, g, a, all)
		}
		all = append(all, g)
	}
	return all
}

func (b *binder) gate(f field, a *policy.Authority) *policy.Gate {
	it := f.item
	g := &policy.Gate{
		Name: f.name, Calls: b.patterns(it.get("call"), calls), When: b.condition(it.get("when")), Then: policy.Then(it.get("then").str()),
		Expires: it.get("expires").span(), Because: it.get("because").str(),
		Live: it.get("live").flag(false),
	}
	if g.Expires == 0 {
		g.Expires = a.Asking.Expires
	}
	for _, e := range it.get("by").entries() {
		if _, known := a.Approvers[e.str()]; e.ok() && !known {
			b.nobody(f, e)
		}
		g.By = append(g.By, e.str())
	}
	if len(g.By) == 0 {
		g.By = a.Order
	}
	for _, e := range it.get("binds").entries() {
		if path := b.path(e); path != nil {
			g.Binds = append(g.Binds, path)
		}
	}
	skip := it.get("skip")
	g.Skip.Override = skip.get("override").span()
	if s := skip.get("standing"); s.ok() {
		g.Skip.Standing = &policy.Standing{Clean: int(s.get("clean").count()), Within: s.get("within").span(), Same: s.get("same").strings()} //nolint:gosec // bounded
		if s.get("clean") == nil {
			b.wrong(s.place, "such as clean: 100", "gate %s: a standing approval says on how many clean runs it rests", f.name)
		}
	}
	if g.Then == policy.Allow && g.Because == "" && it.get("then").ok() {
		b.wrong(it.place, "such as because: A label comes off as easily as it goes on.", "gate %s lets calls pass, and does not say why", f.name)
	}
	if skip != nil && g.Then != policy.Approve && it.get("then").ok() {
		b.wrong(skip.place, "take it out", "gate %s asks nobody, so that there is nothing to skip", f.name)
	}
	if g.Live && (g.Then == policy.Refuse || g.Then == policy.Capture || g.Then == policy.Approve && skip == nil) {
		b.wrong(it.get("live").place, "such as then: allow, or skip: {override: 15m}", "gate %s lets no call pass without somebody's yes, so that nothing of it could leave live", f.name)
	}
	return g
}

// nobody refuses a gate that asks somebody whom there is not, and points at whoever
// is written much like it: the mistake may be there.
func (b *binder) nobody(f field, by *item) {
	table := b.tree.get("policy").get("approvers")
	b.wrong(by.place, didYouMean(by.str(), namesOf(table)), "gate %s: there is no approver %s", f.name, shorten(by.str()))
	near, ok := nearest(by.str(), namesOf(table))
	for _, a := range table.all() {
		if ok && a.name == near {
			b.warn(a.place, "write both alike", "approver %s: gate %s asks %s", near, f.name, shorten(by.str()))
		}
	}
}

func namesOf(table *item) []string {
	var all []string
	for _, f := range table.all() {
		all = append(all, f.name)
	}
	return all
}

// gateLint finds gates that decide nothing.
func (b *binder) gateLint(f field, g *policy.Gate, a *policy.Authority, before []*policy.Gate) {
	ops := b.opsCalled(g.Calls)
	if len(ops) == 0 {
		return
	}
	if g.When != nil {
		b.fields(f.item.get("when"), "when", g.When.Reads(), b.ofRules(ops), g.Calls)
	}
	for _, by := range g.By {
		b.settable(f, a.Approvers[by], ops)
	}
	if g.Then != policy.Refuse && !slices.ContainsFunc(ops, func(op *specs.Operation) bool { return b.classAtMost(op) != class.Read }) {
		b.warn(f.place, "name operations that change something", "gate %s is about reads alone, which are never held", f.name)
	}
	for _, earlier := range before {
		if earlier.When != nil || earlier.Then == policy.Allow {
			continue
		}
		if !slices.ContainsFunc(ops, func(op *specs.Operation) bool { return !named(earlier.Calls, op) }) {
			b.wrong(f.place, "put it before "+earlier.Name, "gate %s never decides: %s, before it, is about all of its calls", f.name, earlier.Name)
			return
		}
	}
}

// classAtMost is the highest class that an operation may be of, without what the
// profile says of it.
func (b *binder) classAtMost(op *specs.Operation) class.Class {
	return class.Of(op, b.effectOf(op)).Class
}

func named(list []faults.Pattern, op *specs.Operation) bool {
	return slices.ContainsFunc(list, func(p faults.Pattern) bool { return p.Match(op) })
}

// settable refuses a stand-in that changes what a call does not have.
func (b *binder) settable(f field, by policy.Approver, ops []*specs.Operation) {
	for name := range by.Set {
		if !slices.ContainsFunc(ops, func(op *specs.Operation) bool { return op.Asks(name) }) {
			at := b.tree.get("policy").get("approvers").get(by.Name).get("set")
			b.wrong(at.place, "name a field of the request", "approver %s sets %s, which no call of gate %s has", by.Name, shorten(name), f.name)
		}
	}
}
