package faults

import (
	"fmt"
	"slices"
	"strings"

	"parity/fakes"
	"parity/specs"
	"parity/specs/words"
)

// schemaDrift has the service answer in another shape than its contract says.
//
//	{"id":"ch_1","amount":900} ─▶ {"id":"ch_1","amount_value":900}
func schemaDrift() *Fault {
	return &Fault{
		Name:    "schema-drift",
		Phase:   InReply,
		Live:    LiveReply,
		Summary: "A success of another shape than the contract says: a field renamed, removed, of another type, null, with a value that is not listed, in other units, as another form of date; or the whole in another envelope.",
		Reaction: "The mismatch is kept and escalated: no write with a field name that neither the contract nor the reply before it had, " +
			"nor with a null for what was required.",
		Lasts:   true,
		Judging: Judging{Class: Drifted, Lessens: true, Hollow: true, Legible: unmoved, Lacks: leftNothing},
		Forms:   []Form{{Rank: 90, With: map[string]any{"change": "rename"}, Fits: fitsReads}},
		Example: `amounts-in-dollars:
  call: stripe GET *
  inject: schema-drift
  with: {change: units, share: 30%}`,
		Params: []Param{
			{
				Name: "change", Kind: Choice, Default: "rename",
				Choices: []string{"rename", "remove", "retype", "nulled", "enum", "units", "date", "envelope"},
				Doc:     "what has become of the field: another name (rename), none (remove), text for a number or an object for text (retype), null (nulled), a value that is not listed (enum), whole units as text in place of cents (units: 2000 becomes \"20.00\"), a date in another form (date), or the whole reply in or out of data: {…} (envelope)", Example: "units",
			},
			{Name: "field", Kind: Text, Doc: "the field, by its path with * for items, or by the end of that; by default drawn once in a run from those of the contract that the change fits, required ones first; of an object whose names the contract leaves open, such as HubSpot's properties or Stripe's metadata, one that it has: properties.email, metadata.order_id", Example: "data.*.amount"},
			{Name: "share", Kind: Share, Default: 1.0, Doc: "of the items that have the field, how many are changed; one at least", Example: "30%"},
			{
				Name: "to", Kind: Choice, Choices: []string{"other", "unix", "rfc3339", "rfc2822"}, Default: "other",
				Doc: "of date: the form that dates come in; other: seconds for text, text for seconds", Example: "rfc2822",
			},
		},
		build: func(a Args) (Injection, error) {
			d := drift{change: a.text("change"), field: a.text("field"), to: a.text("to")}
			d.share = a.share("share")
			switch {
			case d.change == "envelope" && d.field != "":
				return nil, &ArgError{Key: "field", Message: "an envelope is around the whole reply: it has no field"}
			case d.to != "other" && d.change != "date":
				return nil, &ArgError{Key: "to", Message: "only dates have another form: say change: date"}
			}
			return d, nil
		},
	}
}

type drift struct {
	change, field, to string
	share             float64
}

// Misfit wants a reply with a field that can be changed so.
func (d drift) Misfit(op *specs.Operation, _ fakes.Fake) string {
	fields, free := replyFields(op)
	switch {
	case len(fields)+len(free) == 0:
		return "the contract describes no fields of a success of " + op.Name()
	case d.change == "envelope" || len(d.fit(fields)) > 0 || d.mayFit(free):
		return ""
	case d.field != "" && !slices.ContainsFunc(fields, func(f field) bool { return f.is(d.field) }) &&
		!slices.ContainsFunc(free, func(f field) bool { return f.holds(d.field) }):
		return fmt.Sprintf("a success of %s has no field %s", op.Name(), d.field)
	case d.field != "":
		return fmt.Sprintf("%s of %s is nothing for change: %s", d.field, op.Name(), d.change)
	}
	return fmt.Sprintf("no field of a success of %s is one for change: %s", op.Name(), d.change)
}

// fit gives the fields that the change can be made to.
func (d drift) fit(fields []field) []field {
	var fit []field
	for _, f := range fields {
		if (d.field == "" || f.is(d.field)) && d.fits(f) {
			fit = append(fit, f)
		}
	}
	return fit
}

// mayFit tells whether the change can be made to a field that the contract does
// not name, if a reply has it.
func (d drift) mayFit(free []field) bool {
	return slices.ContainsFunc(free, func(f field) bool {
		if d.field != "" && !f.holds(d.field) {
			return false
		}
		return f.kinds == 0 && d.change != "enum" || d.fits(f)
	})
}

// candidates lists the fields of a reply that the change fits, in the order in
// which they are tried: those that the contract names come first.
func (d drift) candidates(a *Answer) []field {
	named, free := replyFields(a.Call.Operation)
	value, _ := a.JSON()
	var found []field
	for _, f := range free {
		if d.field == "" || f.holds(d.field) {
			found = append(found, f.within(value)...)
		}
	}
	return append(inOrder(d.fit(named), a.Steady), inOrder(d.fit(found), a.Steady)...)
}

// fits tells whether the change can be made to a field. Where a field is named,
// its name need not look like what it holds.
func (d drift) fits(f field) bool {
	named := d.field != ""
	if !named && len(f.enum) == 1 {
		return false // a constant: nobody looks at it
	}
	switch d.change {
	case "retype":
		return f.plain()
	case "nulled":
		return !f.null || named && f.free
	case "enum":
		return f.plain() && (len(f.enum) > 1 || named && len(f.enum) > 0)
	case "units":
		return f.number() && (named || monetary(f.name()))
	case "date":
		return f.dated() || named && (f.number() || f.text())
	}
	return true
}

func (d drift) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(d.amend)
	return Mark{}
}

// mostTried bounds how many fields are tried before one that breaks the
// contract is found: each try is a judgement of the whole reply.
const mostTried = 8

// amend changes the first field, in drawn order, whose change breaks the
// contract; where none does, since the contract lets anything in, the first
// that the reply has.
func (d drift) amend(a *Answer) Done {
	value, ok := a.JSON()
	if !a.Succeeded() || !ok {
		return Nothing("the reply is no success in JSON")
	}
	if d.change == "envelope" {
		return d.wrap(a, value)
	}
	var body any
	var done Done
	tried := 0
	for _, f := range d.candidates(a) {
		changed, did, n := d.changed(a, f)
		if n == 0 {
			continue
		}
		broken := a.breaks(changed) > 0
		if tried++; tried == 1 || broken {
			body, done = changed, did
		}
		if broken || tried == mostTried {
			break
		}
	}
	if tried == 0 {
		return Nothing("the reply has no field that could be changed so")
	}
	a.Put(body)
	return done
}

// changed gives the reply with one field changed, and in how many places.
func (d drift) changed(a *Answer, f field) (any, Done, int) {
	value, _ := a.JSON()
	var spots []spot
	for _, s := range f.spots(value) {
		if d.changes(f, s) {
			spots = append(spots, s)
		}
	}
	if len(spots) == 0 {
		return nil, Done{}, 0
	}
	var done Done
	what, n := "", 0
	for _, s := range some(spots, d.share, a.Draw) {
		did, planted := d.make(f, s, a.Steady)
		what = did
		n++
		done.Planted = planted.into(done.Planted)
	}
	done.Did = fmt.Sprintf("%s in %s", what, words.Count(n, "place"))
	if slices.Contains(f.path, "*") {
		done.Did = fmt.Sprintf("%s in %s", what, words.Count(n, "item"))
	} else if n == 1 {
		done.Did = what
	}
	return value, done, n
}

// some keeps a share of spots by draws, one at least.
func some(spots []spot, share float64, draw func(string) float64) []spot {
	if share >= 1 {
		return spots
	}
	var kept []spot
	least, at := 2.0, 0
	for i, s := range spots {
		n := draw(fmt.Sprint("share/", i))
		if n < share {
			kept = append(kept, s)
		}
		if n < least {
			least, at = n, i
		}
	}
	if len(kept) == 0 {
		kept = append(kept, spots[at])
	}
	return kept
}

// wrap puts the whole reply into data, or takes it out where it is there.
func (d drift) wrap(a *Answer, value any) Done {
	if object, ok := value.(map[string]any); ok && object["data"] != nil {
		a.Put(object["data"])
		return Done{Did: "took the reply out of data"}
	}
	a.Put(map[string]any{"data": value})
	return Done{Did: "put the reply into data"}
}

// unmoved tells an answer of which the whole was not put elsewhere.
func unmoved(did string) bool { return !strings.Contains(did, "data") }

// leftNothing tells an answer in which a field is null or gone.
func leftNothing(did string) bool {
	return strings.Contains(did, " to null") || strings.HasPrefix(did, "left out") || strings.HasPrefix(did, "removed")
}
