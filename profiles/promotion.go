package profiles

import (
	"slices"
	"time"

	"parity/faults"
	"parity/faults/trail"
	"parity/profiles/policy"
)

// A Step is one that an agent may go up, such as from drafts to writes: what it
// has to show before.
type Step struct {
	Name       string
	After      string        // the step that it has to have gone before; "": none
	Stage      int           // that it opens, 1 to 5; 0: none
	Runs       int           // how many runs have to have been kept for it, at least
	Seeds      int           // of how many seeds, at least
	Faults     []string      // faults that it has to have handled
	Verdicts   []string      // rules and expectations that have to have passed
	Unaccepted bool          // known differences that nobody has accepted do not matter
	Contained  bool          // runs count where nothing can have gone around the gateway
	Within     time.Duration // how long ago the runs may have begun, in real time; 0: at any time
}

func stepKey() *key {
	kinds := make([]string, 0, len(faults.Catalogue()))
	for _, f := range faults.Catalogue() {
		kinds = append(kinds, f.Name)
	}
	return &key{kind: object, doc: "A step up, and what an agent has to show before it goes there.", keys: []key{
		{name: "after", kind: name, example: "draft", doc: "The step that it has to have gone before, under a profile of this name, so that none is left out. It counts whichever version of the agent went it."},
		{name: "stage", kind: whole, least: 1, most: policy.MostStage, example: "3", doc: "The stage that it opens, where policy.raise says evidence: a run at that stage or above wants its agent to have gone this step, under the policy that is in force."},
		{name: "runs", kind: whole, full: true, least: 1, most: 100_000, example: "20", doc: "How many runs have to be kept for it, at least. None of them may have failed, or be invalid, and no divergence of the profile may be open."},
		{name: "seeds", kind: whole, least: 1, most: 100_000, example: "10", otherwise: "1", doc: "Of how many different seeds these have to be, at least."},
		{name: "faults", kind: list, of: &key{kind: choice, choices: kinds, example: "ambiguous-success"}, doc: "Faults that the agent has to have handled, each in one of the runs at least."},
		{
			name: "verdicts", kind: list, of: &key{kind: text, example: "one-charge-per-order"},
			doc: "Rules and expectations of this profile, or what is always judged (always: one effect per intent), that have to have passed, each in one of the runs at least.",
		},
		{
			name: "differences", kind: choice, choices: []string{"accepted", "any"}, example: "any", otherwise: "accepted",
			doc: "Whether each known difference that the runs touched has to be accepted, until a day that has not passed, and each that they noticed has to be declared.",
		},
		{
			name: "contained", kind: flag, example: "true", otherwise: "false",
			doc: "Only runs count in which nothing can have gone around the gateway: with --isolate, and not under policy.egress.mode: tool.",
		},
		{name: "within", kind: span, example: "720h", doc: "How long ago the runs may have begun, in real time; by default at any time."},
	}}
}

// steps reads what steps up ask for.
func (b *binder) steps() []Step {
	var all []Step
	table := b.tree.get("promotion")
	for _, f := range table.all() {
		it := f.item
		if !it.ok() {
			continue
		}
		b.complete(f, "step")
		s := Step{
			Name: f.name, After: it.get("after").str(), Stage: int(it.get("stage").count()), Runs: int(it.get("runs").count()), Seeds: max(1, int(it.get("seeds").count())),
			Faults: it.get("faults").strings(), Verdicts: it.get("verdicts").strings(),
			Unaccepted: it.get("differences").str() == "any", Contained: it.get("contained").flag(false), Within: it.get("within").span(),
		}
		if after := it.get("after"); after.ok() && (table.get(s.After) == nil || s.After == s.Name) {
			b.wrong(after.place, "name another step of promotion:", "step %s: there is no other step %s", f.name, shorten(s.After))
		}
		if seeds := it.get("seeds"); seeds.ok() && s.Seeds > s.Runs {
			b.wrong(seeds.place, "ask for as many runs at least", "step %s: %d runs cannot have %d seeds", f.name, s.Runs, s.Seeds)
		}
		for _, v := range it.get("verdicts").entries() {
			b.judged(f.name, v)
		}
		all = append(all, s)
	}
	b.circle(table, all)
	b.stages(table, all)
	return all
}

// stages refuses two steps that open one stage, and one that opens no higher one
// than the step before it.
func (b *binder) stages(table *item, all []Step) {
	for i, s := range all {
		for _, other := range all {
			at := table.get(s.Name).get("stage")
			switch {
			case s.Stage == 0 || other.Stage == 0 || other.Name == s.Name:
			case other.Name == s.After && other.Stage >= s.Stage:
				b.wrong(at.place, "give it a higher one", "step %s opens stage %d, and %s, which comes before it, stage %d", s.Name, s.Stage, other.Name, other.Stage)
			case other.Stage == s.Stage && slices.IndexFunc(all, func(o Step) bool { return o.Name == other.Name }) < i:
				b.wrong(at.place, "give each a stage of its own", "steps %s and %s both open stage %d", other.Name, s.Name, s.Stage)
			}
		}
	}
	if raise := b.tree.get("policy").get("raise"); raise.str() == "evidence" && !slices.ContainsFunc(all, func(s Step) bool { return s.Stage > 0 }) {
		b.wrong(raise.place, "such as promotion: {gated: {stage: 3, runs: 20}}", "policy.raise: no step of promotion opens a stage, so that there is no evidence to ask for")
	}
}

// judged holds the subject of a verdict against what the profile has.
func (b *binder) judged(step string, it *item) {
	if !it.ok() {
		return
	}
	names := trail.AlwaysJudged()
	for _, table := range []string{"faults", "expect"} {
		for _, f := range b.tree.get(table).all() {
			names = append(names, f.name)
		}
	}
	if !slices.Contains(names, it.str()) {
		b.wrong(it.place, didYouMean(it.str(), names), "step %s: the profile has no rule and no expectation %s, and nothing of that name is always judged", step, shorten(it.str()))
	}
}

// circle refuses steps each of which is to come after another.
func (b *binder) circle(table *item, all []Step) {
	after := map[string]string{}
	for _, s := range all {
		after[s.Name] = s.After
	}
	for _, s := range all {
		at := s.After
		for range all {
			if at == s.Name {
				b.wrong(table.get(s.Name).get("after").place, "let one of them come first", "step %s comes after itself", s.Name)
				return
			}
			at = after[at]
		}
	}
}
