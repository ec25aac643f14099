package report

import "strings"

// authorityView is what policy came to, as a page shows it.
type authorityView struct {
	Rows   [][]piece
	Asked  []askedView
	Drafts []draftView
}

// askedView is one approval as a page shows it: its lane goes from asking to what
// came of it.
type askedView struct {
	ID, Gate, Call  string
	Said, State, By string
	Wait, Note, Who string
	Class           string  // bad, warn or calm
	Events          []piece // of its lane
}

// draftView is one draft as a page shows it.
type draftView struct {
	ID, Call, Identity string
	Event              []piece
	Diff               []string
}

// mostAsked is how many approvals, and drafts, a page shows.
const mostAsked = 200

// authority words what policy came to for a page.
func (p *packer) authority(v *view, r *Report) {
	if r.Policy == nil {
		return
	}
	a := &v.Authority
	for _, row := range r.pageRows() {
		a.Rows = append(a.Rows, p.linked(row.line()))
	}
	for i := range r.Policy.Asked[:min(len(r.Policy.Asked), mostAsked)] {
		k := &r.Policy.Asked[i]
		one := askedView{
			ID: p.plain(k.ID), Gate: p.plain(k.Gate), Call: p.plain(k.Call), Said: p.plain(k.Said), State: p.plain(k.State),
			Note: p.sentence(k.Note), Who: p.plain(k.Identity), Class: "calm",
		}
		switch k.Said {
		case "rejected":
			one.Class = "bad"
		case "pending", "lapsed", "changed":
			one.Class = "warn"
		}
		if k.By != nil {
			one.By = p.plain(k.By.Name + ", " + k.By.Kind)
		}
		if k.Wait > 0 {
			one.Wait = whole(k.Wait)
		}
		if len(k.Events) > 0 {
			one.Events = p.linked(strings.TrimSpace(listedEvents(k.Events, len(k.Events))))
		}
		a.Asked = append(a.Asked, one)
	}
	for i := range r.Policy.Drafts[:min(len(r.Policy.Drafts), mostAsked)] {
		d := &r.Policy.Drafts[i]
		one := draftView{ID: p.plain(d.ID), Call: p.plain(d.Call), Identity: p.plain(d.Identity)}
		one.Event = p.linked("#" + number(d.Event))
		for _, line := range d.Diff {
			one.Diff = append(one.Diff, p.plain(line))
		}
		a.Drafts = append(a.Drafts, one)
	}
}
