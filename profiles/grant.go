package profiles

import (
	"cmp"
	"maps"
	"slices"

	"parity/faults"
	"parity/profiles/policy"
	"parity/specs/class"
)

// grantKeys are what an identity may.
func grantKeys() []key {
	some := func(name, doc, example string) key {
		return key{name: name, kind: list, some: true, of: &key{kind: text, example: example}, doc: doc, example: "[" + example + "]"}
	}
	return []key{
		{name: "may", kind: anything, example: "{stripe: irreversible, slack: reversible, \"*\": read}", otherwise: "everything where no identity has a grant, else nothing", doc: "The highest class that it may, by service, where * stands for all others; or one class for all services."},
		some("also", "Single operations above that.", "slack POST /api/chat.postMessage"),
		some("never", "Operations that it may not, whatever else is said.", "stripe POST /v1/payouts"),
	}
}

// grants reads what identities may.
func (b *binder) grants() map[string]policy.Grant {
	all := map[string]policy.Grant{}
	for _, f := range b.tree.get("identities").all() {
		may, also, never := f.item.get("may"), f.item.get("also"), f.item.get("never")
		if may == nil && also == nil && never == nil {
			continue
		}
		g := policy.Grant{May: map[string]class.Class{}, Also: b.patterns(also, calls), Never: b.patterns(never, calls)}
		switch {
		case !may.ok():
		case may.isMap():
			for _, one := range may.fields {
				b.mayAt(f.name, one, g.May)
			}
		default:
			if c, ok := b.class(may); ok {
				g.May["*"] = c
			}
		}
		b.idle(f.name, also, never, g)
		all[f.name] = g
	}
	return all
}

func (b *binder) mayAt(identity string, one field, may map[string]class.Class) {
	if one.name != "*" && !b.bound[one.name] && !b.failed[one.name] && !b.settled {
		b.wrong(one.place, didYouMean(one.name, slices.Sorted(maps.Keys(b.bound))), "identity %s: this profile binds no service %s", identity, shorten(one.name))
		return
	}
	if c, ok := b.class(one.item); ok {
		may[one.name] = c
	}
}

// idle warns of exceptions that change nothing.
func (b *binder) idle(identity string, also, never *item, g policy.Grant) {
	if b.settled {
		return
	}
	each := func(it *item, list []faults.Pattern, inside bool, hint, what string) {
		for i, p := range list {
			if i >= len(it.list) {
				return
			}
			idle, some := true, false
			for _, op := range b.opsOf(p.Service()) {
				if p.Match(op) {
					some = true
					most := cmp.Or(g.May[op.Service], g.May["*"])
					idle = idle && class.Of(op, b.effectOf(op)).Class.Within(most) == inside
				}
			}
			if some && idle {
				b.warn(it.list[i].place, hint, "identity %s: %s", identity, what+" "+p.String())
			}
		}
	}
	each(also, g.Also, true, "take it out", "may grants already what also names:")
	each(never, g.Never, false, "take it out", "may does not grant what never names:")
}
