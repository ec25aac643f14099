package profiles

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"parity/fakes/fixture"
	"parity/faults"
	"parity/specs/words"
)

// A Mirror is a conversation with a real service that fixtures name: a copy of a part
// of it, or what was recorded while it was read.
type Mirror struct {
	Service string
	File    string
	From    string    // where it was taken; "": not said
	At      time.Time // how the service was; zero: not said
	Sampled string    // how, such as 5%; "": it was recorded, and has what was read
}

// stale is how old a mirror may be before lint warns, where the profile says nothing.
const stale = 24 * time.Hour

func freshKey() key {
	return key{name: "fresh", kind: span, example: "24h", otherwise: "24h", doc: "How old what fixtures have of a real service (a mirror, a recording) may be before lint warns."}
}

// Mirrors are the conversations that the world is made of, in the order of the files.
func (p *Profile) Mirrors() []Mirror {
	var all []Mirror
	for _, f := range p.Start.Files {
		c, is, err := fixture.Conversation(f)
		if !is || err != nil {
			continue
		}
		m := Mirror{Service: cmp.Or(f.Service, c.Service), File: f.Name, From: c.Source}
		m.At, _ = c.At()
		if c.Mirror != nil {
			m.From, m.Sampled = c.Mirror.From, cmp.Or(c.Mirror.Sampled, "all")
		}
		all = append(all, m)
	}
	return all
}

// ShowAge writes how old something is: 90m, 26h, and in whole days from three on.
func ShowAge(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 3*day:
		d = d.Truncate(day)
	case d >= 10*time.Hour:
		d = d.Round(time.Hour)
	default:
		d = d.Round(time.Minute)
	}
	return faults.ShowDuration(d)
}

// mirrored says what comes of it that the world is made of mirrors: a difference, and
// what lint warns of.
func (b *binder) mirrored(p *Profile) {
	all := p.Mirrors()
	if len(all) == 0 {
		return
	}
	if b.o.Start == nil && len(all) == len(p.Start.Files) && len(p.Start.Shapes) == 0 && p.Start.Seed == nil {
		p.Start.Seed = new(uint64) // nothing in it is drawn from a run's own seed
		p.Start = p.Start.Seal()
	}
	if !slices.ContainsFunc(p.Differences, func(d Difference) bool { return d.Name == MirrorAge }) {
		p.Differences = append(p.Differences, ofMirrors(all))
	}
	if b.o.Start != nil {
		return // a run's own, whose report says how old they were
	}
	for _, m := range all {
		service := b.tree.get("services").get(m.Service)
		at := service.get("fixtures").where(b.tree.place)
		fresh := cmp.Or(service.get("fresh").span(), stale)
		switch age := b.o.Wall.Now().Sub(m.At); {
		case m.At.IsZero():
			p.Silent = append(p.Silent, Problem{File: at.file, Line: at.line, Column: at.col, Warning: true, Message: m.File + " does not say how old it is", Hint: "import it again: parity mirror import " + m.Service})
		case age > fresh:
			p.Silent = append(p.Silent, Problem{
				File: at.file, Line: at.line, Column: at.col, Warning: true, Hint: "import it again, or say how old it may be: fresh: " + faults.ShowDuration(age.Truncate(24*time.Hour)+48*time.Hour),
				Message: fmt.Sprintf("%s shows %s as it was %s ago, and %s are fresh", m.File, m.Service, ShowAge(age), faults.ShowDuration(fresh)),
			})
		}
		if start := p.Clock.Start; !start.IsZero() && m.At.After(start) {
			b.warn(at, "begin later, or leave clock.start out", "%s shows %s as it was at %s, and runs begin before that: its newest records are of their future", m.File, m.Service, m.At.Format(time.RFC3339))
		}
	}
}

// MirrorAge is the name of the difference that a mirror is.
const MirrorAge = "mirror-age"

// ofMirrors is the difference that a world is which is a copy of real services.
func ofMirrors(all []Mirror) Difference {
	var copies []string
	d := Difference{
		Name:       MirrorAge,
		Production: "Records are as they are now, and there are all of them.",
		So:         "Nothing here shows how the agent meets what has changed since, or records that the copy does not have.",
		Weakens:    []string{"volume"},
	}
	services := map[string]bool{}
	for _, m := range all {
		services[m.Service] = true
		copies = append(copies, m.String())
	}
	for _, name := range slices.Sorted(maps.Keys(services)) {
		if pattern, err := faults.ParsePattern(name + " *"); err == nil {
			d.Covers = append(d.Covers, pattern)
		}
	}
	d.Here = "A run begins with " + words.And(copies) + "."
	return d
}

// String says what is copied, from where, and as of when.
func (m Mirror) String() string {
	text := "a copy of " + m.Service
	if m.From != "" {
		text += " (" + m.From + ")"
	}
	if !m.At.IsZero() {
		text += " as it was at " + m.At.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	if m.Sampled != "" && m.Sampled != "all" {
		text += ", sampled: " + m.Sampled
	}
	return text
}

// conversed takes note of whose a conversation is, where a fixture file is one.
func (l *loader) conversed(service string, entry *item, f fixture.File) fixture.File {
	c, is, err := fixture.Conversation(f)
	if !is || err != nil {
		return f // what is wrong is told when the world is made
	}
	if _, ships := l.o.Catalogue.Service(c.Service); ships && c.Service != service {
		l.wrong(entry.place, "name it there", "fixtures: %s is a conversation with %s, not with %s", shorten(f.Name), c.Service, service)
	}
	f.Service = service
	return f
}

// lacking warns of what a mirror refers to and is not there.
func (b *binder) lacking(m fixture.Mirrored) {
	var all []string
	for _, collection := range slices.Sorted(maps.Keys(m.Missing)) {
		all = append(all, words.Count(m.Missing[collection], "record")+" of "+collection)
	}
	if len(all) > 0 {
		at := place{file: cmp.Or(b.shown[m.File], m.File)}
		b.warn(at, "mirror them too, or write them in a fixture file", "it refers to %s that it does not show, and that cannot be made up: who asks for them finds nothing", words.And(all))
	}
}

// Aged says how old a mirror was when the run was made.
func (p *Profile) Aged(made time.Time) string {
	var all []string
	for _, m := range p.Mirrors() {
		if !m.At.IsZero() && made.After(m.At) {
			all = append(all, m.Service+" "+ShowAge(made.Sub(m.At)))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "Its age when the run was made: " + strings.Join(all, ", ") + "."
}
