package faults

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// wrongValue has a reply tell something that is not so.
//
//	world   amount 900, status paid
//	reply   {"amount":963,"status":"paid"}
func wrongValue() *Fault {
	return &Fault{
		Name:     "wrong-value",
		Phase:    InReply,
		Live:     LiveReply,
		Summary:  "A success of the right shape in which one value is not what the world has: another amount, another state, another record's id.",
		Reaction: "An irreversible act that rests on it has a second source.",
		Judging:  Judging{Class: Untrue, Lessens: true, Legible: always},
		Forms:    []Form{{Rank: 190, First: true, Fits: fitsReads}},
		Example: `balance-that-is-off:
  call: stripe.GetCustomersCustomer
  inject: wrong-value
  with: {field: balance}
  trigger: {nth: 1}`,
		Params: []Param{
			{Name: "field", Kind: Text, Doc: "the field, by its path with * for items, or by the end of that, also one that the contract leaves open, such as properties.amount; by default drawn once in a run from amounts, numbers, states and ids of other records", Example: "amount"},
			{Name: "value", Kind: Value, Doc: "what it says instead, in the type that the field has; by default a number up to a tenth off, another state that the contract lists, or the id of another record; of a text that is named, the same with a word more", Example: "12.50"},
		},
		build: func(a Args) (Injection, error) {
			w := liar{field: a.text("field")}
			if value, ok := a.value("value"); ok {
				w.value, w.given = fmt.Sprint(value), true
			}
			if w.given && w.field == "" {
				return nil, &ArgError{Key: "value", Message: "say which field is to have it"}
			}
			return w, nil
		},
	}
}

type liar struct {
	field, value string
	given        bool
}

// Misfit wants a field that can be wrong without breaking the contract.
func (w liar) Misfit(op *specs.Operation, _ fakes.Fake) string {
	named, free := replyFields(op)
	if len(w.fit(named)) > 0 || w.field != "" && slices.ContainsFunc(free, w.mayBe) {
		return ""
	}
	if w.field != "" {
		return fmt.Sprintf("a success of %s has no field %s with a single value", op.Name(), w.field)
	}
	return fmt.Sprintf("a success of %s has no amount, number, state or id that could be wrong", op.Name())
}

// fit lists the fields that may be wrong. Where none is named they are those
// that acts rest on: ids of the record itself are not, since the reply would be
// about another one.
func (w liar) fit(named []field) []field {
	var fit []field
	for _, f := range named {
		switch {
		case !f.plain(), w.field != "" && !f.is(w.field):
		case w.field != "", f.number() && !f.dated(), len(f.enum) > 1, referring(f.name()):
			fit = append(fit, f)
		}
	}
	return fit
}

// mayBe tells whether the field that is named may be one of those, or inside one
// of those, that a contract does not name.
func (w liar) mayBe(f field) bool {
	return f.is(w.field) || f.holds(w.field)
}

// unnamed lists what a reply has of a free field: what is named, be it further
// down than the contract looks; else what acts rest on.
func (w liar) unnamed(f field, reply any) []field {
	var found []field
	for _, one := range f.within(reply) {
		switch {
		case !one.plain():
		case w.field == "" && one.name() == "hs_object_id": // the record's own
		case w.field == "" && (monetary(one.name()) || referring(one.name())), f.is(w.field), one.is(w.field):
			found = append(found, one)
		}
	}
	if w.field != "" && len(found) == 0 && f.holds(w.field) {
		found = f.inside(w.field)
	}
	return found
}

func referring(name string) bool {
	return strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") || name == "customer" || name == "assignee" || name == "owner"
}

func (w liar) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(w.amend)
	return Mark{}
}

func (w liar) amend(a *Answer) Done {
	if _, ok := a.JSON(); !ok || !a.Succeeded() {
		return Nothing("the reply is no success in JSON")
	}
	was := len(a.Call.Operation.CheckReply(a.Status, a.Header.Get("Content-Type"), a.Body))
	tried := 0
	for _, f := range w.order(a) {
		value, _ := a.JSON()
		spots := f.spots(value)
		if len(spots) == 0 {
			continue
		}
		s := spots[int(a.Draw("item")*float64(len(spots)))]
		before := s.value()
		next, ok := w.instead(f, before, a)
		if !ok || fmt.Sprint(next) == fmt.Sprint(before) {
			continue
		}
		s.in[s.name] = next
		if tried++; tried > mostTried {
			break
		}
		if a.breaks(value) > was {
			continue // the contract would give it away
		}
		a.Put(value)
		return Done{Did: fmt.Sprintf("said %s %v, where it is %v", s.name, next, before), Planted: []string{fmt.Sprint(next)}}
	}
	return Nothing("the reply has no value that could be another within the contract")
}

// order puts amounts first, then what is drawn.
func (w liar) order(a *Answer) []field {
	named, free := replyFields(a.Call.Operation)
	all := inOrder(w.fit(named), a.Steady)
	if value, ok := a.JSON(); ok {
		var found []field
		for _, f := range free {
			if w.field == "" || w.mayBe(f) {
				found = append(found, w.unnamed(f, value)...)
			}
		}
		all = append(all, inOrder(found, a.Steady)...)
	}
	slices.SortStableFunc(all, func(x, y field) int { return rank(x) - rank(y) })
	return all
}

func rank(f field) int {
	switch {
	case (f.number() || f.free) && monetary(f.name()):
		return 0
	case len(f.enum) > 1, referring(f.name()):
		return 1
	}
	return 2
}

// instead is what a field says in place of its value.
func (w liar) instead(f field, was any, a *Answer) (any, bool) {
	if w.given {
		return typed(w.value, was)
	}
	switch v := was.(type) {
	case int64:
		return v + int64(off(float64(v), a.Draw("off"), 1)), true
	case float64:
		return math.Round((v+off(v, a.Draw("off"), 0.01))*100) / 100, true
	case bool:
		return !v, true
	case string:
		if len(f.enum) > 1 {
			return another(f.enum, v, a.Draw("state"))
		}
		if id, ok := stranger(a, v); ok {
			return id, true
		}
		return w.reworded(f, v, a.Draw("off"))
	}
	return nil, false
}

// reworded is what a text of a record says otherwise that holds a number or a
// flag, as values do which a contract does not name; any other one has to be
// named.
func (w liar) reworded(f field, was string, draw float64) (any, bool) {
	if !f.free && w.field == "" {
		return nil, false
	}
	number, err := strconv.ParseFloat(was, 64)
	_, decimals, _ := strings.Cut(was, ".")
	switch {
	case err == nil && !math.IsInf(number, 0) && !math.IsNaN(number):
		return strconv.FormatFloat(number+off(number, draw, math.Pow10(-len(decimals))), 'f', len(decimals), 64), true
	case was == "true" || was == "false":
		return strconv.FormatBool(was == "false"), true
	case w.field != "" && was != "":
		return was + " (old)", true
	}
	return nil, false
}

// off is by how much a number is wrong: up to a tenth of it, up or down, and no
// less than the smallest step.
func off(of, draw, least float64) float64 {
	by := max(least, math.Ceil(math.Abs(of)*(0.02+0.08*draw)))
	if int(draw*1000)%2 == 0 && of > by {
		return -by
	}
	return by
}

func another(all []string, was string, draw float64) (any, bool) {
	var others []string
	for _, s := range all {
		if s != was {
			others = append(others, s)
		}
	}
	if len(others) == 0 {
		return nil, false
	}
	return others[int(draw*float64(len(others)))], true
}

// mostStrangers bounds how many records are looked at for another id.
const mostStrangers = 20

// stranger is the id of another record of the collection that an id is of.
func stranger(a *Answer, id string) (any, bool) {
	if a.Tx == nil || id == "" {
		return nil, false
	}
	for _, collection := range a.Tx.Collections() {
		if _, there := a.Tx.Get(collection, id); !there || !strings.HasPrefix(collection, a.Call.Operation.Service+".") {
			continue
		}
		var others []string
		for r := range a.Tx.Newest(collection, 0) {
			if r.ID != id {
				others = append(others, r.ID)
			}
			if len(others) == mostStrangers {
				break
			}
		}
		if len(others) > 0 {
			return others[int(a.Draw("stranger")*float64(len(others)))], true
		}
	}
	return nil, false
}

// typed reads text as the type that a value has.
func typed(text string, like any) (any, bool) {
	switch like.(type) {
	case int64:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	case float64:
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	case bool:
		b, err := strconv.ParseBool(text)
		return b, err == nil
	}
	return text, true
}

// Truth is what an answer should have said, by the words for what the fault did.
func Truth(did string) (truth string, ok bool) {
	_, truth, ok = strings.Cut(did, ", where it is ")
	return truth, ok
}
