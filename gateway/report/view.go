package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs/words"
)

// view is what page/*.html shows; every text in it is masked and plain.
type view struct {
	Style          template.CSS
	Script         template.JS
	Policy         string
	Title          string
	Tone           string // bad, warn or calm
	Headline, Lead string
	Facts          []string
	Tallies        []tally
	Missing        [][]piece // of the record, or what may be
	Reasons        [][]piece // why there may have been no traffic
	Cards, Idle    []card
	Defects        [][]piece
	Proved         string
	Unproved       []unprovedItem
	Order, State   []card // expectations
	Struck, Unmet  []faultRow
	Differences    []trail.Difference
	Untouched      []string
	Surfaces       []surface
	Outside        []trail.HostCount
	Denied         [][]piece
	NotPlayed      [][]piece
	Idles          []string // services of which nothing was used
	Tunnel         []string // what may be reached unread
	Authority      authorityView
	Shadow         shadowView
	Notes          [][]piece // what else there is to know
	Commands       [][2]string
	Version        string
	Total, Cut     int // events of the run, and those of them that are not listed
}

// piece is a bit of text; with a frame it leads there.
type piece struct {
	Text  string
	Frame uint64
	Code  bool
}

type tally struct {
	Label, Class string
	Count        int
}

// unprovedItem is one thing that is not proved; So is what nothing here shows,
// where a known difference is why.
type unprovedItem struct {
	Said []piece
	So   string
}

// card is a verdict, or several that rest on the same.
type card struct {
	ID, Label, Class string
	Headline         string // what happened, where it is known in a few words
	Subjects         []string
	By               []string // its subjects, with their places
	Kind             string
	Stories          [][][]piece // a line of the verdict each, cut into its steps
	Why              string
	Remedies         []string
	Settle           string // how to find out what is open
	Because          []string
	At               string
	Weakened         []string
	Basis            []string
	Evidence         []shot
	More             int // evidence that is not shown
}

// shot is one frame, in a line.
type shot struct {
	Frame               uint64
	At, What, Happened  string
	Status, StatusClass string
}

type faultRow struct {
	Rule, Fault string
	Met         []string
	Cards       []card
}

// surface is what an agent used of a service, beside what it was allowed.
type surface struct {
	Service    string
	Shares     []share // by effect
	Operations []trail.Touched
	Calls      int
	Committed  int
}

type share struct {
	Used, Allowed int
	Grave         bool // something was used that cannot be undone
}

const mostShots = 12 // frames that a card shows

// Listed is how many events the page lists.
func (v *view) Listed() int { return v.Total - v.Cut }

// view words a report for a page.
func (p *packer) view(r *Report, o HTMLOptions) *view {
	v := &view{
		Title: "Parity report of run " + p.plain(r.Run), Facts: p.facts(r), Version: o.Version, Total: p.total, Cut: p.cut,
		Proved: p.sentence(proved(r)), Commands: p.commands(r),
	}
	p.cards(v, r)
	p.headline(v, r)
	for _, s := range unshown(r) {
		v.Unproved = append(v.Unproved, unprovedItem{Said: p.linked(s)})
	}
	for _, s := range weakened(r) {
		property, so, _ := strings.Cut(s, ": ")
		v.Unproved = append(v.Unproved, unprovedItem{Said: p.linked(property), So: p.sentence(so)})
	}
	for i, d := range r.Defects {
		if i == mostShots {
			v.Defects = append(v.Defects, []piece{{Text: fmt.Sprintf("and %d more", len(r.Defects)-i)}})
			break
		}
		v.Defects = append(v.Defects, p.linked(fmt.Sprintf("#%d %s", d.Seq, d.Note)))
	}
	for _, d := range r.Differences {
		v.Differences = append(v.Differences, p.difference(d))
		if text := lapse(&d); text != "" {
			v.Notes = append(v.Notes, p.linked("Acceptance of "+text))
		}
	}
	for _, name := range r.Untouched {
		v.Untouched = append(v.Untouched, p.plain(name))
	}
	p.surfaces(v, r)
	p.authority(v, r)
	p.shadow(v, r)
	p.notes(v, r)
	return v
}

func (p *packer) difference(d trail.Difference) trail.Difference {
	d.Name, d.Production, d.Here, d.So = p.plain(d.Name), p.sentence(d.Production), p.sentence(d.Here), p.sentence(d.So)
	if d.Accepted != nil {
		a := *d.Accepted
		a.By, a.Until = p.plain(a.By), p.plain(a.Until)
		d.Accepted = &a
	}
	return d
}

// headline says the one thing to know, and never that a run simply passed.
func (p *packer) headline(v *view, r *Report) {
	wrong := 0
	for _, c := range v.Cards {
		if c.Class == "bad" {
			wrong++
		}
	}
	v.Tone = "bad"
	switch {
	case len(r.Missing) > 0:
		v.Headline, v.Lead = "Part of the record is missing, or may be", "What follows holds as far as the record goes, and is evidence of nothing."
		for _, what := range r.Missing {
			v.Missing = append(v.Missing, p.linked(upper(what)))
		}
	case r.NoTraffic():
		v.Headline, v.Lead = "No traffic: this run shows nothing", "Nothing that "+p.plain(r.agent())+" did reached a service of this gateway."
		for _, reason := range likely(r) {
			v.Reasons = append(v.Reasons, p.linked(reason))
		}
	case len(r.Defects) > 0:
		v.Headline = "Parity itself broke " + words.Count(len(r.Defects), "call")
		v.Lead = "Nothing about this run can be trusted. Please report it, with these frames."
	case wrong > 0:
		v.Headline, v.Lead = wronged(v.Cards, wrong), "What it did, the frames that show it and what to do instead are below."
	case !r.Valid:
		v.Tone, v.Headline, v.Lead = "warn", "This run is invalid", "A fault that it had to meet never struck, so it proves nothing."
	case slices.ContainsFunc(v.Cards, func(c card) bool { return c.Class == "warn" }):
		v.Tone, v.Headline, v.Lead = "warn", "Nothing was found wrong, and some is undecided", "What could not be judged is first. What is not proved stands beside it."
	default:
		v.Tone, v.Headline, v.Lead = "calm", "Nothing was found wrong in what was tried", "That is as far as it goes: what is not proved stands beside it."
	}
}

// wronged says what the agent did wrong: one thing by its name, several by their
// number.
func wronged(cards []card, n int) string {
	if i := slices.IndexFunc(cards, func(c card) bool { return c.Class == "bad" }); n == 1 && cards[i].Headline != "" {
		return "The agent " + strings.ToLower(cards[i].Headline[:1]) + cards[i].Headline[1:]
	}
	return "The agent did " + words.Count(n, "thing") + " wrong"
}

func (p *packer) facts(r *Report) []string {
	facts := []string{"run " + p.plain(r.Run)}
	if r.Profile != "" {
		name := r.Profile
		if n := len(r.Revisions); n > 0 {
			name += "@" + short(r.Revisions[n-1].Hash)
		}
		facts = append(facts, "profile "+p.plain(name))
	}
	facts = append(facts, "seed "+number(r.Seed), words.Count(r.Exchanges, "call"))
	if !r.Ended {
		facts = append(facts, "still going")
	}
	if a := r.Agent; a != nil && a.Started {
		facts = append(facts, fmt.Sprintf("%s exited %d after %s", p.plain(r.agent()), a.Exit, span(a.Took)))
	}
	return facts
}

func (p *packer) commands(r *Report) [][2]string {
	return [][2]string{
		{"Do it again", p.plain(r.again(rulesFailed(r)))},
		{"List its calls", p.plain("parity trace " + r.Run)},
		{"Decide its calls again, without the agent", p.plain("parity replay " + r.Run)},
		{"Judge it again", p.plain("parity report " + r.Run)},
	}
}

// notes gathers what else there is to know.
func (p *packer) notes(v *view, r *Report) {
	add := func(s string) { v.Notes = append(v.Notes, p.linked(s)) }
	for _, said := range r.Dead() {
		add("DEAD " + said)
	}
	if n := len(r.Revisions); n > 1 {
		parts := make([]string, n)
		for i, rev := range r.Revisions {
			parts[i] = fmt.Sprintf("%s from #%d", short(rev.Hash), rev.From)
		}
		add("The profile changed while it ran: " + strings.Join(parts, ", "))
	}
	for _, a := range r.Armed {
		text := "Armed while it ran: " + a.Name + " (" + a.Fault + " at " + strings.Join(a.Calls, ", ") + ") from #" + number(a.From)
		if a.To > 0 {
			text += " to #" + number(a.To)
		}
		add(text)
	}
	for i := range p.all {
		if e := &p.all[i]; e.Claim != nil {
			add("#" + number(e.Seq) + " " + other(e))
		}
	}
	for _, of := range r.World {
		if of.Nothing > 0 {
			add(r.emptiness(of))
		}
		if of.Refused > 0 {
			_, _, text := r.refusals(of)
			add(text)
		}
	}
	if text := r.declined(); text != "" {
		add(upper(text))
	}
	if text := r.chosen(); text != "" {
		add("The world is " + text)
	}
	if r.Policy == nil { // else what policy came to has them
		for _, row := range r.pageRows() {
			add(row.line())
		}
	}
	for _, hint := range r.Hints {
		add(upper(hint))
	}
	if doubt := r.doubt(); doubt != "" {
		add("Open: " + doubt)
	}
	if code := p.exit(r); code != "" {
		add("Exit code " + code)
	}
}

func (p *packer) surfaces(v *view, r *Report) {
	for _, of := range r.Surface.Services {
		if len(of.Called) == 0 && of.Missing == 0 {
			v.Idles = append(v.Idles, p.plain(of.Service))
			continue
		}
		s := surface{Service: p.plain(of.Service), Shares: []share{
			{of.Used.Read, of.Allows.Read, false},
			{of.Used.Reversible, of.Allows.Reversible, false},
			{of.Used.Irreversible, of.Allows.Irreversible, of.Used.Irreversible > 0},
		}}
		for _, t := range of.Called {
			t.Operation = p.plain(strings.TrimPrefix(t.Operation, of.Service+" "))
			s.Operations, s.Calls, s.Committed = append(s.Operations, t), s.Calls+t.Exchanges, s.Committed+t.Committed
		}
		v.Surfaces = append(v.Surfaces, s)
	}
	for _, name := range r.Surface.Tunnel {
		v.Tunnel = append(v.Tunnel, p.plain(name))
	}
	for _, h := range r.Outside {
		v.Outside = append(v.Outside, trail.HostCount{Host: p.plain(h.Host), Calls: h.Calls, By: p.plain(h.By)})
	}
	for _, h := range r.Denied {
		v.Denied = append(v.Denied, p.linked(refused(h)))
	}
	for _, n := range r.NotPlayed {
		v.NotPlayed = append(v.NotPlayed, p.linked(fmt.Sprintf("%s, %s, first #%d", n.Call, words.Count(n.Calls, "call"), n.First)))
	}
}
