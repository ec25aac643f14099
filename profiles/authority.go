package profiles

import (
	"strings"

	"go.yaml.in/yaml/v4"

	"parity/fakes/chance"
	"parity/profiles/policy"
	"parity/specs/class"
)

func policyKey() key {
	return key{name: "policy", kind: object, doc: "What may happen and what may leave.", keys: []key{
		egressKey(),
		credentialsKey(),
		{name: "stage", kind: whole, least: 1, most: policy.MostStage, example: "3", otherwise: "none: nothing is held up for its stage", doc: "How far a run's agent has come, a ceiling over every grant: 1 reads, 2 drafts, 3 writes that somebody approves, 4 and 5 what stages and gates let pass. `--stage` says another for one run."},
		{name: "drafts", kind: choice, choices: []string{"refuse", "capture"}, example: "capture", otherwise: "refuse", doc: "What stage 2 does with writes: refuse them, or try each, keep what it would have done as a draft, take it back, and answer as the service would."},
		{name: "raise", kind: choice, choices: []string{"freely", "evidence"}, example: "evidence", otherwise: "freely", doc: "Whether a run may begin at a higher stage only where its agent was promoted to each step with a stage up to that, under the policy that is in force."},
		{name: "strangers", kind: choice, choices: append([]string{string(policy.Refuse)}, classWords()...), example: "read", otherwise: "admin where no identity has a grant, else refuse", doc: "The highest class that credentials of no identity may."},
		{name: "gates", kind: table, of: gateKey(), doc: "Which calls somebody has to say yes to, or nobody, in file order: the first that is about a call decides."},
		approvalsKey(),
		{name: "approvers", kind: table, of: approverKey(), doc: "Who is asked, by name: persons, or stand-ins that decide on the run's clock so that a rehearsal needs no person."},
	}}
}

func egressKey() key {
	return key{name: "egress", kind: object, doc: "What may leave.", keys: []key{
		{
			name: "mode", kind: choice, choices: policy.EgressModes(), example: "tool", otherwise: "agent",
			doc: "What becomes of hosts that tunnel does not name: under agent nothing leaves; under tool public hosts pass unread, and the report lists them as what was forgotten. Hosts of services that Parity plays, of the shipped list payment-apis and of private networks are refused under both.",
		},
		{
			name: "tunnel", kind: list, of: &key{kind: text, example: "pricing.internal:50051"},
			doc: "Hosts that are passed through unread: host, host:port, *.suffix, or the shipped list model-apis.",
		},
	}}
}

func classWords() []string {
	var all []string
	for _, c := range class.All() {
		all = append(all, string(c))
	}
	return all
}

// authority reads what agents may do; nil: the profile says nothing of it.
func (b *binder) authority() *policy.Authority {
	it := b.tree.get("policy")
	a := &policy.Authority{
		Stage: int(it.get("stage").count()), Capture: it.get("drafts").str() == "capture", Evidence: it.get("raise").str() == "evidence", //nolint:gosec // up to 5
		Strangers: class.Class(it.get("strangers").str()), Grants: b.grants(), Classes: b.classes(), Asking: b.asking(it.get("approvals")),
	}
	a.Approvers, a.Order = b.approvers(it.get("approvers")), namesOf(it.get("approvers"))
	a.Gates = b.gates(it.get("gates"), a)
	digest, said := b.policyDigest()
	if !said {
		return nil
	}
	a.Digest = digest
	a.Open = len(a.Grants) == 0 && a.Strangers == ""
	if a.Strangers == class.Class(policy.Refuse) {
		a.Strangers = ""
	}
	if all := b.tree.get("identities").all(); len(all) == 1 {
		a.Alone = all[0].name
	}
	for _, f := range b.tree.get("identities").all() {
		if _, granted := a.Grants[f.name]; !granted && len(a.Grants) > 0 {
			b.warn(f.place, "such as may: read", "identity %s has no grant, and others have: it may do nothing", f.name)
		}
	}
	b.unasked(it, a)
	return a
}

// policyDigest digests all that decides what agents may do; it tells whether there is
// anything.
func (b *binder) policyDigest() (digest string, said bool) {
	var text strings.Builder
	note := func(of string, it *item) {
		if it == nil || !it.sound() {
			return
		}
		written, err := yaml.Dump(b.node(it))
		if err != nil {
			b.wrong(it.place, "report this as a fault of Parity", "%s cannot be written down: %v", of, err)
			return
		}
		text.WriteString(of + "\n" + string(written))
	}
	for _, f := range b.tree.get("services").all() {
		note("classes of "+f.name, f.item.get("classes"))
		note("mode of "+f.name, f.item.get("mode"))
		note("upstream of "+f.name, f.item.get("upstream"))
	}
	for _, f := range b.tree.get("identities").all() {
		for _, k := range []string{"may", "also", "never"} {
			note(k+" of "+f.name, f.item.get(k))
		}
	}
	for _, k := range policyKey().keys { // however the file orders them
		if k.name != "egress" && k.name != "credentials" { // who may do what is not in these
			note(k.name, b.tree.get("policy").get(k.name))
		}
	}
	if said = text.Len() > 0; said {
		note("egress", b.tree.get("policy").get("egress"))
		note("identities", b.presented())
	}
	return chance.Hash(text.String())[:16], said
}

// presented is what shows who is who, whose variables are part of policy.
func (b *binder) presented() *item {
	all := b.tree.get("identities")
	if all == nil {
		return nil
	}
	list := &item{place: all.place, key: all.key}
	for _, f := range all.all() {
		if shows := f.item.get("presents"); shows.ok() {
			list.fields = append(list.fields, field{f.place, f.name, shows})
		}
	}
	return list
}

// unasked warns of calls that nobody can approve.
func (b *binder) unasked(it *item, a *policy.Authority) {
	if len(a.Approvers) > 0 {
		return
	}
	at, held := it.get("stage"), a.Stage == 3 || a.Stage == 4
	for _, g := range a.Gates {
		if g.Then == policy.Approve {
			at, held = it.get("gates").get(g.Name), true
			break
		}
	}
	if held && at != nil {
		b.warn(at.place, "add approvers:, such as desk: {decides: approve, after: 90s}, or {person: true}", "calls are held for an approval, and nobody is asked: it lapses unless somebody decides with parity approvals")
	}
}
