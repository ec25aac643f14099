package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/faults/trail"
	"parity/specs/words"
)

// overview is what a series comes to, in the words that its page, its Markdown
// and its results of tests share: a table of entries, one for each run that was
// asked for. All texts in it are masked and plain.
//
//	            stripe POST /v1/refunds   stripe GET /v1/charges
//	timeout     mishandled                handled
//	outage      handled                   not reached
type overview struct {
	*masker
	Title, Name, Version string
	Tone, Result, Lead   string   // Result is the one sentence that says most
	Facts                []string // which series this was
	Tallies              []tally
	Of                   [2]string // what rows are, and columns
	Columns              []column
	Rows                 []overviewRow
	Causes               []cause
	Silent               []silence
	Unproved, Notes      []string
	Rates                []rateRow // of numbers
	Ks                   []int     // of pass^k, in Rates
	Flaky                []string  // of numbers
	Commands             [][2]string
	Began                time.Time
	Seed                 string
	Exit                 int

	entries []*entry
}

type column struct{ Name, Note string }

type overviewRow struct {
	Name  string
	Cells [][]*entry // by column; nil: there is none
}

// entry is one run of a series, or one that was not begun.
type entry struct {
	ID, Name     string
	Column       string // the call, or the profile
	Row          string // the fault, or the seed
	Label, Class string
	Said         string // what failed, or why it shows nothing
	Run, Again   string
	See          string // the command that shows it
	Twin         string

	result string // passed, failed, error or skipped, as tests have it
	took   time.Duration
	failed []trail.Verdict
}

// cause is what failed of one kind, wherever it did.
type cause struct {
	ID, Label, Title     string
	Stories              [][]string // a line of the verdict each, cut into its steps
	Why, Remedy, Because string
	Entries              []*entry
	More                 int // entries that are not shown
	Count                string

	key    string
	titles []string // what failed, each once
}

// silence is why some entries show nothing.
type silence struct {
	Label, Class, Why, Count string
	Names                    []string
	More                     int

	n int
}

type rateRow struct {
	Name, Passed string
	Shares       []string // for Ks
}

// mostNamed is how many entries are named where a cause, or a silence, has more.
const mostNamed = 12

// overviewOf words a series.
func overviewOf(m *masker, s *Series) *overview {
	o := &overview{masker: m}
	if s.Sweep != nil {
		o.ofSweep(s.Sweep)
	} else {
		o.ofNumbers(s.Numbers)
	}
	o.Title = "Parity report of series " + o.Name
	o.place()
	o.causes()
	o.silent()
	return o
}

// add takes an entry in, as plain text.
func (o *overview) add(e entry) {
	e.ID = fmt.Sprintf("c%d", len(o.entries)+1)
	for _, text := range []*string{&e.Name, &e.Column, &e.Row, &e.Label, &e.Said, &e.Run, &e.Again, &e.See, &e.Twin} {
		*text = o.plain(*text)
	}
	e.Said = strings.ReplaceAll(e.Said, gap, " → ")
	o.entries = append(o.entries, &e)
}

// place puts the entries in the table, and counts them.
func (o *overview) place() {
	rows := map[string]int{}
	for _, e := range o.entries {
		at, known := rows[e.Row]
		if !known {
			at = len(o.Rows)
			rows[e.Row], o.Rows = at, append(o.Rows, overviewRow{Name: e.Row, Cells: make([][]*entry, len(o.Columns))})
		}
		i := slices.IndexFunc(o.Columns, func(c column) bool { return c.Name == e.Column })
		o.Rows[at].Cells[i] = append(o.Rows[at].Cells[i], e)
		j := slices.IndexFunc(o.Tallies, func(t tally) bool { return t.Label == e.Label })
		if j < 0 {
			j, o.Tallies = len(o.Tallies), append(o.Tallies, tally{Label: e.Label, Class: e.Class})
		}
		o.Tallies[j].Count++
	}
	slices.SortStableFunc(o.Tallies, func(a, b tally) int { return slices.Index(tones(), a.Class) - slices.Index(tones(), b.Class) })
}

// causes groups what failed by how it is mended, which is by what the agent does
// wrong; or by what failed, where nobody knows how.
func (o *overview) causes() {
	for _, e := range o.entries {
		if e.result != "failed" && e.result != "error" {
			continue
		}
		if len(e.failed) == 0 {
			o.cause(e, e.Label+e.Said, cause{Title: upper(e.Said)})
		}
		for i := range e.failed {
			v := &e.failed[i]
			key := v.Mend
			if key == "" {
				key = v.Kind + "\n" + v.Subject
			}
			c := cause{Title: o.plain(strings.TrimPrefix(v.Subject, trail.Always)), Why: upper(o.plain(v.Why)), Remedy: upper(o.plain(v.Mend)), Because: o.plain(v.Because)}
			for _, line := range v.Lines {
				c.Stories = append(c.Stories, strings.Split(o.plainSteps(line), gap))
			}
			o.cause(e, key, c)
		}
	}
	for i := range o.Causes {
		c := &o.Causes[i]
		c.Title = fewOf(c.titles)
		c.ID, c.Count = fmt.Sprintf("cause-%d", i+1), words.Count(len(c.Entries), o.noun())
		c.More = max(0, len(c.Entries)-mostNamed)
		c.Entries = c.Entries[:len(c.Entries)-c.More]
	}
}

// cause adds an entry to those of its cause.
func (o *overview) cause(e *entry, key string, of cause) {
	i := slices.IndexFunc(o.Causes, func(c cause) bool { return c.key == key })
	if i < 0 {
		of.key, of.Label = key, e.Label
		i, o.Causes = len(o.Causes), append(o.Causes, of)
	}
	c := &o.Causes[i]
	if !slices.Contains(c.titles, of.Title) {
		c.titles = append(c.titles, of.Title)
	}
	if !slices.Contains(c.Entries, e) {
		c.Entries = append(c.Entries, e)
	}
}

// fewOf names the first few.
func fewOf(names []string) string {
	const few = 5
	if len(names) > few {
		return strings.Join(names[:few], ", ") + fmt.Sprintf(" and %d more", len(names)-few)
	}
	return strings.Join(names, ", ")
}

// noun is what an entry is called.
func (o *overview) noun() string {
	if o.Of[1] == "Call" {
		return "cell"
	}
	return "run"
}

// silent groups what shows nothing by why it does not.
func (o *overview) silent() {
	for _, e := range o.entries {
		if e.result != "skipped" {
			continue
		}
		i := slices.IndexFunc(o.Silent, func(s silence) bool { return s.Label == e.Label && s.Why == upper(e.Said) })
		if i < 0 {
			i, o.Silent = len(o.Silent), append(o.Silent, silence{Label: e.Label, Class: e.Class, Why: upper(e.Said)})
		}
		s := &o.Silent[i]
		if s.n++; s.n <= mostNamed {
			s.Names = append(s.Names, e.Name)
		}
	}
	for i := range o.Silent {
		s := &o.Silent[i]
		s.Count, s.More = words.Count(s.n, o.noun()), max(0, s.n-mostNamed)
	}
}

// plainSteps is plain for a line whose steps are set apart.
func (m *masker) plainSteps(line string) string {
	steps := strings.Split(m.mask(line), gap)
	for i := range steps {
		steps[i] = m.plain(steps[i])
	}
	return strings.Join(steps, gap)
}

// bounded gives at most so many rows: those first in which something is not as it
// should be, all in their order. It says how many are left out.
func (o *overview) bounded(most int) (rows []overviewRow, left int) {
	if len(o.Rows) <= most {
		return o.Rows, 0
	}
	good := func(r overviewRow) bool {
		return !slices.ContainsFunc(slices.Concat(r.Cells...), func(e *entry) bool { return e.result == "failed" || e.result == "error" })
	}
	spare := most
	for _, r := range o.Rows {
		if !good(r) {
			spare--
		}
	}
	for _, r := range o.Rows {
		switch fine := good(r); {
		case len(rows) == most, fine && spare <= 0:
			continue
		case fine:
			spare--
		}
		rows = append(rows, r)
	}
	return rows, len(o.Rows) - len(rows)
}
