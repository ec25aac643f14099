package author

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"parity/fakes/builtin"
	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/words"
)

// Divergence is a case in which a rehearsal passed and production failed, as
// somebody tells of it.
type Divergence struct {
	Root    string // where runs are kept
	Profile string // a file: the profile that should have caught it
	Date    string // 2026-11-12; "": today
	profiles.Divergence
}

// Add writes the case into the profile. A run that is kept has to have passed; of
// one that is not, the teller is believed.
func (d Divergence) Add(w io.Writer) error {
	day := clock.System{}.Now().UTC().Truncate(24 * time.Hour)
	if d.Date != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, d.Date); err != nil {
			return fmt.Errorf("--date %q: say a day, such as 2026-11-12", d.Date)
		}
	}
	d.Divergence.Date = day
	if err := d.rehearsed(w); err != nil {
		return err
	}
	p, err := loadProfile(d.Profile)
	if err != nil {
		return err
	}
	if p.Path == "" || !slices.Contains(p.Files, p.Path) {
		return fmt.Errorf("%s is no file: a profile of the library cannot be written to; extend it in one of your own", d.Profile)
	}
	d.Name = unused(p, d.Name, day)
	return d.written(w, func(o profiles.Options) (*profiles.Profile, error) {
		return profiles.SaveDivergence(d.Profile, d.Divergence, o)
	}, "has divergence "+d.Name)
}

// Close writes into the profile that it has come to show the case.
func (d Divergence) Close(w io.Writer) error {
	today := clock.System{}.Now().UTC()
	return d.written(w, func(o profiles.Options) (*profiles.Profile, error) {
		return profiles.CloseDivergence(d.Profile, d.Name, today, o)
	}, "has divergence "+d.Name+" closed")
}

func (d Divergence) written(w io.Writer, how func(profiles.Options) (*profiles.Profile, error), done string) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	p, err := how(profiles.Options{Catalogue: catalogue})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s %s: revision %s, %s open\n", d.Profile, done, p.Revision, words.Count(open(p), "case"))
	return err
}

func open(p *profiles.Profile) (n int) {
	for i := range p.Divergences {
		if p.Divergences[i].Open() {
			n++
		}
	}
	return n
}

// rehearsed looks at the run, and says what came of it.
func (d *Divergence) rehearsed(w io.Writer) error {
	k, err := kept.Read(d.Root, d.Run)
	var usage *gateway.UsageError
	switch {
	case errors.As(err, &usage) && d.Run != "last":
		_, err = fmt.Fprintf(w, "%s is not kept here: that it passed is taken on trust\n", d.Run)
		return err
	case err != nil:
		return err
	}
	rep := k.Report()
	if i := slices.IndexFunc(rep.Verdicts, func(v trail.Verdict) bool { return v.Result == trail.Failed }); i >= 0 {
		return fmt.Errorf("%s failed on %s: it did show that something is wrong, so there is no divergence; parity report %s", k.ID, rep.Verdicts[i].Subject, k.ID)
	}
	d.Run = k.ID
	if d.Rehearsal == "" {
		d.Rehearsal = fmt.Sprintf("No verdict failed; %s.", words.Count(rep.Exchanges, "exchange"))
	}
	return nil
}

// unused gives a name that the profile does not have: the one that is wanted, or
// one of the day.
func unused(p *profiles.Profile, name string, day time.Time) string {
	if name != "" {
		return name
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(p.Divergences, func(d profiles.Divergence) bool { return d.Name == name })
	}
	name = day.Format(time.DateOnly)
	for n := 2; taken(name); n++ {
		name = day.Format(time.DateOnly) + "-" + strconv.Itoa(n)
	}
	return name
}

// ListDivergences prints the cases of a profile, the open ones first.
func ListDivergences(w io.Writer, profile string) error {
	p, err := loadProfile(profile)
	if err != nil {
		return err
	}
	if len(p.Divergences) == 0 {
		_, err = fmt.Fprintf(w, "%s has no divergence\n", p.Name)
		return err
	}
	all := slices.Clone(p.Divergences)
	slices.SortStableFunc(all, func(a, b profiles.Divergence) int { return a.Closed.Compare(b.Closed) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tDATE\tSTANDS\tRUN\tPRODUCTION")
	for _, d := range all {
		stands := "open"
		if !d.Open() {
			stands = "closed " + d.Closed.Format(time.DateOnly)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", d.Name, d.Date.Format(time.DateOnly), stands, d.Run, report.Masked(brief(d.Production)))
	}
	return t.Flush()
}
