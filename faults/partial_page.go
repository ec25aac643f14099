package faults

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// partialPage shows fewer items than there are.
//
//	asked for  1 2 3 4 5 ┊ 6 …
//	kept       1 2 3 ─▶ next: 4 5 6 …
//	hidden     1 2 3 ■              4 and 5 are never seen
//	all, kept  ■ ─▶ next: 1 2 3 …
func partialPage() *Fault {
	return &Fault{
		Name:     "partial-page",
		Phase:    InReply,
		Summary:  "A page has fewer items than it should: the way to the next page kept or hidden, the total kept or wrong.",
		Reaction: "A page with more behind it is followed before anything irreversible rests on it, or the outcome is called partial.",
		Judging:  Judging{Class: ShortList, Lessens: true},
		Forms:    []Form{{Rank: 60, First: true, With: map[string]any{"drop": "50%", "marker": "kept"}, Fits: fitsReads}},
		Example: `lists-stop-half-way:
  call: stripe GET /v1/charges
  inject: partial-page
  with: {drop: 50%, marker: hidden}
  trigger: {first: 2}
  because: List tools are known to stop at 100 items, at 50 of 133, at 164 of 276, and to say nothing.`,
		Params: []Param{
			{Name: "drop", Kind: Portion, Default: 0.5, Doc: "which of the page's items are left out: a share, or so many of the last; one at least, and with marker: kept one stays, unless it is 100%: an empty page that leads on to what it left out, which is shown whole to whoever follows", Example: "50%"},
			{
				Name: "marker", Kind: Choice, Choices: []string{"kept", "hidden"}, Default: "kept",
				Doc: "kept: the page says that there are more, and the next one begins with what was left out, as if fewer had been asked for; hidden: it says that there are no more", Example: "hidden",
			},
			{
				Name: "total", Kind: Choice, Choices: []string{"kept", "wrong"}, Default: "kept",
				Doc: "kept: as the service counts; wrong: it counts what is shown", Example: "wrong",
			},
		},
		build: func(a Args) (Injection, error) {
			if drop := a.portion("drop"); drop.all() && a.text("marker") == "kept" {
				return emptyPage{miscounts: a.text("total") == "wrong"}, nil
			}
			return shortPage{drop: a.portion("drop"), hides: a.text("marker") == "hidden", miscounts: a.text("total") == "wrong"}, nil
		},
	}
}

type shortPage struct {
	drop             portion
	hides, miscounts bool
}

// Misfit wants a list, and what the parameters speak of.
func (s shortPage) Misfit(op *specs.Operation, _ fakes.Fake) string {
	switch a := &op.Anatomy; {
	case !a.List:
		return op.Name() + " gives no list"
	case !s.hides && len(a.Limit) == 0:
		return op.Name() + " gives a list whole: nothing says how many items a page has (marker: hidden goes without)"
	case !s.hides && !goesOn(a):
		return op.Name() + " never says that there are more items (marker: hidden goes without)"
	case s.miscounts && a.Total == "":
		return op.Name() + " tells no total"
	}
	return ""
}

func (s shortPage) Apply(p *Plan, _ CallContext) Mark {
	p.Amend(s.amend)
	return Mark{}
}

func (s shortPage) amend(a *Answer) Done {
	whole := a.page()
	if whole == nil {
		return Nothing("there is no list in the reply")
	}
	all := len(whole.items)
	keep := all - s.drop.of(all)
	if !s.hides {
		keep = max(keep, 1)
	}
	if all == 0 || keep == all {
		return Nothing("the page has " + ofItems(all, all) + ": none can be left out")
	}
	did := ", and says that there are no more"
	if s.hides {
		whole.value = putAt(whole.value, whole.anatomy.Items, whole.items[:keep])
		hide(a, whole)
	} else {
		if !shorten(a, whole, keep) {
			return Nothing("the service gives no shorter page here")
		}
		did = "; the next page begins with them"
	}
	shown := a.page()
	left := all - len(shown.items)
	if s.miscounts {
		if _, hasTotal := specs.ValueAt(shown.value, shown.anatomy.Total); hasTotal {
			a.Put(putAt(shown.value, shown.anatomy.Total, int64(len(shown.items))))
			did += "; the total counts what is shown"
		}
	}
	return Done{Did: "left out " + ofItems(left, all) + did, Left: whole.without(shown)}
}

// shorten has the service answer as if at most keep items had been asked for,
// so that what it says of the next page holds. Of a page by its number it takes
// a size at which some page begins at the same item.
func shorten(a *Answer, whole *page, keep int) bool {
	op, in := a.Call.Operation, a.Call.Input
	limit := limiter(&op.Anatomy, in)
	size := int64(keep)
	if number, ok := counted(in, op.Anatomy.Page); ok && number > int64(op.Anatomy.First) {
		was, ok := counted(in, limit)
		if !ok {
			was = int64(len(whole.items))
		}
		before := (number - int64(op.Anatomy.First)) * was
		for before%size != 0 {
			size--
		}
		in = asking(op, in, op.Anatomy.Page, before/size+int64(op.Anatomy.First))
	}
	in = asking(op, in, limit, size)
	reply := a.Ask(in)
	shorter := pageAsked(op, in, reply.Status, reply.Header, reply.Body)
	if shorter == nil || len(shorter.items) == 0 || len(shorter.items) >= len(whole.items) || !shorter.more() || len(shorter.without(whole)) > 0 {
		return false
	}
	if a.Status, a.Header, a.Body = reply.Status, reply.Header.Clone(), reply.Body; a.Header == nil {
		a.Header = http.Header{}
	}
	return true
}

var _ Requirer = shortPage{}

// DeniesMore tells, by the words for what the fault did, a page that says that
// none follows it.
func DeniesMore(did string) bool { return strings.Contains(did, "no more") }
