package faults

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/specs"
)

// emptyPage shows nothing of a page, and a way on to all of it: what drop: 100%
// of partial-page does.
//
//	asked for  1 2 3 ┊ 4 …   ─▶   ■ next: 1 2 3 ─▶ next: 4 …
//
// The way on is the cursor that the page was asked for with. A first page has
// none, so that it gets one of the rule's own, which is taken out of the call
// before the service sees it. The page that follows an empty one is whole,
// whatever the trigger says: else nobody would get on.
type emptyPage struct{ miscounts bool }

// Misfit wants a list whose pages lead on by what they say.
func (e emptyPage) Misfit(op *specs.Operation, _ fakes.Fake) string {
	switch a := &op.Anatomy; {
	case !a.List:
		return op.Name() + " gives no list"
	case len(a.Next) == 0 && !a.Link:
		return op.Name() + " is gone on in by what a page shows, so that an empty one has no way on (drop less of it, or marker: hidden)"
	case e.miscounts && a.Total == "":
		return op.Name() + " tells no total"
	}
	return ""
}

// Mind knows the cursor of its own, and which page was left empty.
func (e emptyPage) Mind(p *Plan, m CallContext) Gate {
	op, in := m.Call.Operation, m.Call.Input
	if name, value := carried(op, in); value != "" && slices.Contains(starts(m.Steady), value) {
		in = asking(op, in, name, nil)
		p.Ask.For = &in
	}
	place := placeOf(m, in)
	if m.Noted(place)["empty"] == true {
		p.Note(place, map[string]any{"empty": false})
		return Gate{Why: "it follows an empty page, which had what this one shows left out"}
	}
	return Gate{Open: true}
}

// placeOf names a page of one caller's list.
func placeOf(m CallContext, in specs.Input) string {
	op := m.Call.Operation
	_, value := carried(op, in)
	for _, name := range append(op.Anatomy.Cursors[:len(op.Anatomy.Cursors):len(op.Anatomy.Cursors)], op.Anatomy.Page, op.Anatomy.Offset) {
		if _, there := asked(in, name); there && name != "" {
			in = asking(op, in, name, nil)
		}
	}
	return "empty/" + chance.Hash(op.Name(), m.Call.Identity, value, fmt.Sprint(in.Path), fmt.Sprint(in.Query), fmt.Sprint(in.Body))[:16]
}

func (e emptyPage) Apply(p *Plan, m CallContext) Mark {
	in := m.Call.Input
	if p.Ask.For != nil {
		in = *p.Ask.For
	}
	p.Note(placeOf(m, in), map[string]any{"empty": true})
	p.Amend(e.amend)
	return Mark{}
}

func (e emptyPage) amend(a *Answer) Done {
	whole := a.page()
	if whole == nil {
		return Nothing("there is no list in the reply")
	}
	all := len(whole.items)
	if all == 0 {
		return Nothing("the page has no items that could be left out")
	}
	op := a.Call.Operation
	more, to := wayOn(a, whole)
	if more == nil {
		return Nothing("the service gives no page with a way on here")
	}
	left := whole.without(&page{})
	whole.value = putAt(whole.value, op.Anatomy.Items, []any{})
	if _, hasTotal := specs.ValueAt(whole.value, op.Anatomy.Total); hasTotal && e.miscounts {
		whole.value = putAt(whole.value, op.Anatomy.Total, int64(0))
	}
	whole.leadTo(a, more, to)
	return Done{Did: "left out " + ofItems(all, all) + "; the next page begins with them", Left: left}
}

// wayOn gives a page that says that there are more, and what has to be put there
// for it to lead to the page that was asked for. Where that is the last one, how
// the service says it is seen from the first, or from one that is cut short.
func wayOn(a *Answer, whole *page) (*page, aim) {
	op, in := a.Call.Operation, a.Call.Input
	var to aim
	to.name, to.value = carried(op, in)
	more := whole
	if !more.more() && to.value != "" {
		more = a.pageFor(asking(op, in, to.name, nil))
	}
	if more == nil || !more.more() {
		to.size = limiter(&op.Anatomy, in)
		if most, there := asked(in, to.size); there {
			to.most = idText(most)
		}
		if to.value != "" {
			in = asking(op, in, to.name, nil)
		}
		more = a.pageFor(asking(op, in, to.size, int64(1)))
	}
	if more == nil || !more.more() {
		return nil, aim{}
	}
	if to.value == "" {
		name, value := more.leadsBy()
		if name == "" {
			return nil, aim{}
		}
		to.name, to.value = name, start(op, name, value, a.Steady)
	}
	return more, to
}

// pageFor is the page that the service gives for another request.
func (a *Answer) pageFor(in specs.Input) *page {
	reply := a.Ask(in)
	return pageAsked(a.Call.Operation, in, reply.Status, reply.Header, reply.Body)
}

// start is what leads to a first page: the first number, or a cursor of the
// rule's own, in the writing of those that the service gives.
func start(op *specs.Operation, name, like string, steady func(string) float64) string {
	switch name {
	case op.Anatomy.Page:
		return fmt.Sprint(op.Anatomy.First)
	case op.Anatomy.Offset:
		return "0"
	}
	own := starts(steady)
	switch {
	case uuids().MatchString(like):
		return own[0]
	case strings.Trim(like, "0123456789") == "":
		return own[1]
	}
	return own[2]
}

var uuids = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

// starts are the rule's own cursors to a first page: a UUID, a number, and text.
// They are the same for all of a run, so that nothing has to be kept of them.
func starts(steady func(string) float64) []string {
	draw := func(what, from string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteByte(from[int(steady(fmt.Sprint("start/", what, i))*float64(len(from)))])
		}
		return b.String()
	}
	const digits, letters = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	hex := draw("uuid", digits+"abcdef", 30)
	return []string{
		hex[:8] + "-" + hex[8:12] + "-4" + hex[12:15] + "-a" + hex[15:18] + "-" + hex[18:],
		draw("first", digits[1:], 1) + draw("number", digits, 14),
		draw("text", letters+digits, 24),
	}
}

var (
	_ Requirer = emptyPage{}
	_ Mindful  = emptyPage{}
)
