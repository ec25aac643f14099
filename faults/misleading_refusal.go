package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// misleadingRefusal refuses a call that is right, and names a field that has
// nothing to do with it.
//
//	amount=900&currency=eur ─▶ 400 "currency": must be a valid currency
func misleadingRefusal() *Fault {
	return &Fault{
		Name:     "misleading-refusal",
		Phase:    Before,
		Live:     LiveInstead,
		Decides:  true,
		Summary:  "A 400 or 422 in the service's own words that names a field which was right; nothing has happened.",
		Reaction: "No random changes: bounded tries, then stop.",
		Lasts:    true,
		Judging:  Judging{Class: Misled},
		Forms:    []Form{{Rank: 220, Fits: fitsWrites}},
		Example: `blames-the-currency:
  call: stripe.PostPaymentIntents
  inject: misleading-refusal
  with: {field: currency}
  trigger: {nth: 1}`,
		Params: []Param{
			{Name: "field", Kind: Text, Doc: "the field that is blamed, with dots; by default one of those that the call sent is drawn, or else one that it could have sent", Example: "currency"},
			{Name: "says", Kind: Text, Doc: "what is said of it, in place of the service's usual text", Example: "This value is not supported."},
			{Name: "status", Kind: Choice, Choices: []string{"400", "422"}, Doc: "HTTP status; by default the one that the service has for bad requests", Example: "422"},
		},
		build: func(a Args) (Injection, error) {
			status := map[string]int{"400": 400, "422": 422}[a.text("status")]
			return blame{field: a.text("field"), says: a.text("says"), status: status}, nil
		},
	}
}

type blame struct {
	field, says string
	status      int
}

// Misfit wants an operation that takes something to be blamed.
func (b blame) Misfit(op *specs.Operation, _ fakes.Fake) string {
	if all := blamable(op); b.field != "" && len(all) > 0 && !slices.Contains(all, b.field) && !strings.Contains(b.field, ".") {
		return fmt.Sprintf("%s takes no field %s; it takes %s", op.Name(), b.field, strings.Join(all[:min(len(all), 12)], ", "))
	} else if b.field == "" && len(all) == 0 {
		return op.Name() + " takes no fields that could be blamed"
	}
	return ""
}

// blamable lists the fields of the body, and the parameters of the query, that
// an operation declares.
func blamable(op *specs.Operation) []string {
	var all []string
	for _, f := range requestFields(op) {
		if len(f.path) == 1 {
			all = append(all, f.name())
		}
	}
	parameters, _ := op.Source().Parameters()
	for _, p := range parameters {
		if p.In == "query" && !slices.Contains(all, p.Name) {
			all = append(all, p.Name)
		}
	}
	return all
}

func (b blame) Apply(p *Plan, m CallContext) Mark {
	v := b.violation(m)
	p.Skip = true
	p.Say = &fakes.Problem{Kind: fakes.BadRequest, Status: b.status, Message: b.says, Violations: []specs.Violation{v}}
	p.Amend(func(*Answer) Done { return Done{Did: "blamed " + strings.Join(specs.PointerNames(v.Pointer), ".")} })
	return Mark{}
}

// violation is what the refusal says that was wrong.
func (b blame) violation(m CallContext) specs.Violation {
	name := b.field
	if name == "" {
		name = b.drawn(m)
	}
	names := strings.Split(name, ".")
	last := names[len(names)-1]
	v := specs.Violation{In: "body", Pointer: specs.Pointer(names...), Rule: specs.RuleFormat, Message: "must be a valid " + last}
	in := m.Call.Input
	got, sent := in.Body[names[0]]
	if !sent {
		if got, sent = in.Query[names[0]]; sent || in.Body == nil {
			v.In = "query"
		}
	}
	if sent && len(names) == 1 {
		v.Got = fmt.Sprint(got)
	}
	if !sent {
		v.Rule, v.Message = specs.RuleRequired, "is required"
	}
	if b.says != "" {
		v.Message = b.says
	}
	return v
}

// drawn picks a field that was sent, or one that could have been.
func (b blame) drawn(m CallContext) string {
	declared := blamable(m.Call.Operation)
	var sent []string
	for _, from := range []map[string]any{m.Call.Input.Body, m.Call.Input.Query} {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			if slices.Contains(declared, name) {
				sent = append(sent, name)
			}
		}
	}
	from := sent
	if len(from) == 0 {
		from = declared
	}
	return from[min(int(m.Draw("blame")*float64(len(from))), len(from)-1)]
}
