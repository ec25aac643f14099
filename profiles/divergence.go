package profiles

import (
	"fmt"
	"strconv"
	"time"
)

// A Divergence is a case in which a rehearsal passed and production failed. The
// profile that should have caught it carries it until it does.
type Divergence struct {
	Name       string
	Run        string    // the rehearsal that passed
	Date       time.Time // when production failed
	Production string    // what happened there
	Rehearsal  string    // what the rehearsal said
	Missing    string    // what the profile lacks; "": not known yet
	Closed     time.Time // when the profile came to show it; zero: it is open
}

// Open tells whether the profile does not show it yet.
func (d *Divergence) Open() bool { return d.Closed.IsZero() }

func divergenceKey() *key {
	return &key{kind: object, doc: "A case in which a rehearsal under this profile passed and production failed; parity divergence add writes one.", keys: []key{
		{name: "run", kind: text, full: true, doc: "The rehearsal that passed.", example: "20261112-091502-k3p8"},
		{name: "date", kind: day, full: true, doc: "The day on which production failed.", example: "2026-11-12"},
		{name: "production", kind: text, full: true, doc: "What happened in production.", example: "A customer was refunded twice."},
		{name: "rehearsal", kind: text, doc: "What the rehearsal said.", example: "It ended with 0; 12 exchanges, 1 fault."},
		{name: "missing", kind: text, doc: "What the profile lacks to show it.", example: "A refund that settles after the agent has asked for it."},
		{name: "closed", kind: day, doc: "The day on which the profile came to show it; until then it is open.", example: "2026-11-30"},
	}}
}

// divergences reads the cases, and reminds of those that are open.
func (b *binder) divergences() []Divergence {
	var all []Divergence
	for _, f := range b.tree.get("divergences").all() {
		it := f.item
		if !it.ok() {
			continue
		}
		b.complete(f, "divergence")
		d := Divergence{
			Name: f.name, Run: it.get("run").str(), Date: it.get("date").time(), Production: it.get("production").str(),
			Rehearsal: it.get("rehearsal").str(), Missing: it.get("missing").str(), Closed: it.get("closed").time(),
		}
		if closed := it.get("closed"); closed.ok() && d.Closed.Before(d.Date) {
			b.wrong(closed.place, "such as closed: "+b.o.Wall.Now().UTC().Format(time.DateOnly), "divergence %s is closed before it happened", f.name)
		}
		if d.Open() {
			hint := "once a rule or an expectation shows it: parity divergence close " + f.name + " --profile FILE"
			b.warn(f.place, hint, "divergence %s is open since %s: %s", f.name, d.Date.Format(time.DateOnly), shorten(d.Production))
		}
		all = append(all, d)
	}
	return all
}

// SaveDivergence writes a case into a profile's file, as SaveRule does a rule.
func SaveDivergence(file string, d Divergence, o Options) (*Profile, error) {
	text := "run: " + strconv.Quote(d.Run) + "\ndate: " + d.Date.Format(time.DateOnly) + "\nproduction: " + strconv.Quote(d.Production) + "\n"
	for _, more := range []struct{ key, said string }{{"rehearsal", d.Rehearsal}, {"missing", d.Missing}} {
		if more.said != "" {
			text += more.key + ": " + strconv.Quote(more.said) + "\n"
		}
	}
	return change(file, o, func(e *edit) error { return e.table("divergences", d.Name, text) })
}

// CloseDivergence writes the day into a profile's file on which it came to show a
// case.
func CloseDivergence(file, name string, day time.Time, o Options) (*Profile, error) {
	return change(file, o, func(e *edit) error {
		top, err := e.root()
		if err != nil {
			return err
		}
		key, value := child(top, "divergences")
		if value != nil {
			key, value = child(value, name)
		}
		if value == nil {
			return fmt.Errorf("%s has no divergence %s of its own: parity divergence list --profile %s has those there are", e.file, name, e.file)
		}
		return e.into(key, value, "closed", day.Format(time.DateOnly))
	})
}
