package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Series is what came of many runs of one agent: a sweep, or numbers. It has all
// that its reports say, so that they can be written long after it.
type Series struct {
	Sweep   *Sweep   `json:"sweep,omitempty"`
	Numbers *Numbers `json:"numbers,omitempty"`
}

// ReadSeries reads what Keep wrote.
func ReadSeries(data []byte) (Series, error) {
	var s Series
	err := json.Unmarshal(data, &s)
	if err == nil && (s.Sweep == nil) == (s.Numbers == nil) {
		err = fmt.Errorf("it is neither a sweep nor numbers")
	}
	return s, err
}

// Keep writes all of it, without what looks like a secret.
func (s Series) Keep(w io.Writer) error {
	m := newMasker()
	if s.Sweep != nil {
		of := *s.Sweep
		of.Calm.Command, s.Sweep = m.command(of.Calm.Command), &of
	}
	if s.Numbers != nil {
		of := *s.Numbers
		of.Command, s.Numbers = m.command(of.Command), &of
	}
	return m.document(w, s)
}

// Name is that of the series.
func (s *Series) Name() string {
	if s.Sweep != nil {
		return s.Sweep.Name
	}
	return s.Numbers.Name
}

// Runs are the names of its runs, without the twins of others; those first in
// which something failed. There is one at least.
func (s *Series) Runs() (names []string, failed int) {
	var others []string
	add := func(name string, wrong bool) {
		switch {
		case name == "":
		case wrong:
			names = append(names, name)
		default:
			others = append(others, name)
		}
	}
	if s.Sweep != nil {
		add(s.Sweep.Calm.Run, s.Sweep.Calm.Failed())
		for i := range s.Sweep.Cells {
			c := &s.Sweep.Cells[i]
			add(c.Run, len(c.Failed) > 0)
		}
	} else {
		for _, t := range s.Numbers.Trials {
			add(t.Run, t.Result == RunFailed)
		}
	}
	if len(names)+len(others) == 0 { // a twin alone, whose run beside it was not begun
		others = []string{s.Name() + "-1"}
	}
	return slices.Concat(names, others), len(names)
}

// One is the run of numbers of one run, whose report is theirs; "": there are
// more.
func (s *Series) One() string {
	if n := s.Numbers; n != nil && len(n.Trials) == 1 {
		return n.Trials[0].Run
	}
	return ""
}

// SeriesText writes a series for people to read.
func SeriesText(w io.Writer, s Series, o Options) error {
	if s.Sweep != nil {
		return SweepText(w, *s.Sweep, o)
	}
	return NumbersText(w, *s.Numbers, o)
}

// SeriesJSON writes a series for programs.
func SeriesJSON(w io.Writer, s Series) error {
	if s.Sweep != nil {
		return SweepJSON(w, *s.Sweep)
	}
	return NumbersJSON(w, *s.Numbers)
}
