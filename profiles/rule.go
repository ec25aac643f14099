package profiles

import (
	"slices"

	"parity/faults"
)

// faultSummaries says of each what a client sees, in the same order.
func faultSummaries() []string {
	var all []string
	for _, f := range faults.Catalogue() {
		all = append(all, f.Summary)
	}
	return all
}

// rules reads all rules, those that are switched off too: a mistake in one
// does not wait to be found until it is switched on.
func (b *binder) rules(p *Profile) {
	table := b.tree.get("faults")
	if !table.ok() {
		return
	}
	if len(table.fields) > maxRules {
		b.wrong(table.place, "one rule can name many operations: call takes globs and lists", "there are %d rules, and at most %d", len(table.fields), maxRules)
		return
	}
	var checked []drafted
	for _, f := range table.fields {
		if !f.item.ok() {
			continue
		}
		if len(f.item.fields) == 1 && f.item.get("enabled").ok() {
			b.wrong(f.place, didYouMean(f.name, without(table, f.name)), "there is no rule %s to switch on or off", shorten(f.name))
			continue
		}
		rule, d := b.rule(f)
		enabled := f.item.get("enabled").flag(true)
		switch {
		case !enabled:
			p.Disabled = append(p.Disabled, f.name)
		case rule != nil:
			p.Rules = append(p.Rules, rule)
			checked = append(checked, d)
		}
	}
	if b.errors == 0 { // a rule with a mistake in it may not be what it seems
		b.lint(p, checked)
	}
}

func without(table *item, name string) []string {
	var names []string
	for _, f := range table.fields {
		if f.name != name {
			names = append(names, f.name)
		}
	}
	return names
}

// drafted is a rule on its way, with the places of its parts.
type drafted struct {
	faults.Draft
	fault *faults.Fault
	rule  *faults.Rule
	field field

	occasion string // when it fires: rules about the same calls with the same one fire together
}

// rule reads one rule; nil where something is wrong with it.
func (b *binder) rule(f field) (*faults.Rule, drafted) {
	before := b.errors
	it := f.item
	b.complete(f, "rule")
	b.at("faults."+f.name, f.place)
	d := drafted{field: f, Draft: faults.Draft{
		Name: f.name, Calls: b.patterns(it.get("call"), calls), Fault: it.get("inject").str(),
		Because: it.get("because").str(), Text: identity(it),
	}}
	d.When = b.condition(it.get("when"))
	d.Trigger, d.Per = b.trigger(it.get("trigger"))
	b.spokenOf(d)
	d.Required, d.Live = b.required(f, d.Trigger), it.get("live").flag(false)
	if !it.get("inject").ok() {
		return nil, d
	}
	d.fault, _ = faults.Lookup(d.Fault)
	d.With = b.parameters(d.fault, it)
	if d.fault != nil && d.fault.Connection {
		b.connection(d, it)
	}
	if b.errors > before || !it.sound() {
		return nil, d
	}
	rule, err := faults.NewRule(d.Draft)
	if err != nil {
		b.wrong(f.place, "", "%v", err)
		return nil, d
	}
	d.rule = rule
	return rule, d
}

// spokenOf holds what a rule's condition and path speak of against what there is.
func (b *binder) spokenOf(d drafted) {
	if d.When == nil && d.Per == nil || b.settled {
		return
	}
	ops := b.opsCalled(d.Calls)
	if len(ops) == 0 {
		return // and it was said why, or there are no contracts
	}
	if d.When != nil {
		b.fields(d.field.item.get("when"), "when", d.When.Reads(), b.ofRules(ops), d.Calls)
	}
	b.way(d.field.item.get("trigger").get("per"), "per", d.Per, b.startsOf(ops, b.ofRules))
}

// complete notes what a merged entry still lacks.
func (b *binder) complete(f field, what string) {
	for _, k := range f.item.key.keys {
		if k.full && f.item.get(k.name) == nil {
			b.wrong(f.place, "add it, such as "+k.name+": "+exampleOf(k), "%s %s has no %s", what, f.name, k.name)
		}
	}
}

func exampleOf(k key) string {
	switch {
	case k.example != "":
		return k.example
	case k.of != nil && k.of.example != "":
		return k.of.example
	case k.of != nil && len(k.of.choices) > 0:
		return "[" + k.of.choices[0] + "]"
	}
	return "..."
}

// required is what the rule says; else a rule that names an intent by number
// is, if its trigger is written in the profile that was named.
func (b *binder) required(f field, t faults.Trigger) bool {
	trigger := f.item.get("trigger")
	return f.item.get("required").flag(t.Counted() && trigger.ok() && slices.Contains(b.named, trigger.file))
}
