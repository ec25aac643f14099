package report

import (
	"io"
	"strconv"
	"strings"
	"time"
)

// SeriesJUnit writes a series as the results of tests: a suite for each call, or
// each profile, and a case for each cell, or each run. What shows nothing is
// skipped, and never passed. A series of which nothing counts is an error.
func SeriesJUnit(w io.Writer, s Series) error {
	o := overviewOf(newMasker(), &s)
	all := junitSuites{Name: "Parity"}
	var took time.Duration
	for _, c := range o.Columns {
		suite := junitSuite{Name: c.Name, Properties: o.junitProperties()}
		var its time.Duration
		for _, e := range o.entries {
			if e.Column == c.Name {
				suite.Cases, its = append(suite.Cases, o.junitEntry(e)), its+e.took
			}
		}
		suite.Time, took = seconds(its), took+its
		all.Suites = append(all.Suites, suite)
	}
	if c := o.junitWhole(&s); c != nil {
		all.Suites = append(all.Suites, junitSuite{Name: o.Name, Properties: o.junitProperties(), Cases: []junitCase{*c}, junitCounts: junitCounts{Time: "0.000"}})
	}
	for i := range all.Suites {
		suite := &all.Suites[i]
		suite.ID = strconv.Itoa(i)
		if !o.Began.IsZero() {
			suite.Timestamp = o.Began.UTC().Format("2006-01-02T15:04:05")
		}
		suite.count()
		all.Tests, all.Failures, all.Errors = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Errors+suite.Errors
	}
	all.Time = seconds(took)
	return writeJUnit(w, all)
}

// junitWhole is the case of what no cell shows: the run without faults that fails
// already, or a series of which nothing counts; nil: there is none.
func (o *overview) junitWhole(s *Series) *junitCase {
	c := &junitCase{Name: "the series shows something", ClassName: o.Name, Time: "0"}
	switch {
	case s.Sweep != nil && len(s.Sweep.Cells) > 0 && s.Sweep.Calm.Exit != Nothing:
		c.Name = "without faults"
		text := []string{"See: parity report " + o.plain(s.Sweep.Calm.Run)}
		c.Failure = &junitNote{Type: "failed", Message: o.Result, Text: strings.Join(append(o.Notes, text...), "\n")}
		if _, why := s.Sweep.Calm.Came(); why != "" {
			c.Failure.Message = "without any fault: " + o.plain(why)
		}
	case s.Sweep != nil && len(s.Sweep.Cells) == 0, s.Numbers != nil && s.Numbers.Counted == 0:
		c.Error = &junitNote{Type: "nothing", Message: o.Result, Text: o.Lead}
	default:
		return nil
	}
	return c
}

func (o *overview) junitProperties() []junitProperty {
	all := []junitProperty{{"parity.series", o.Name}, {"parity.version", o.Version}, {"parity.result", o.Result}, {"parity.exit", strconv.Itoa(o.Exit)}}
	if o.Seed != "" {
		all = append(all, junitProperty{"parity.seed", o.Seed})
	}
	for _, what := range o.Unproved {
		all = append(all, junitProperty{"parity.not-proved", what})
	}
	return all
}

func (o *overview) junitEntry(e *entry) junitCase {
	c := junitCase{Name: e.Name, ClassName: e.Column, Time: seconds(e.took)}
	var lines []string
	add := func(label, text string) {
		if text != "" {
			lines = append(lines, label+text)
		}
	}
	for i := range e.failed {
		v := &e.failed[i]
		for _, line := range v.Lines {
			add("", o.plain(line))
		}
		add("", upper(o.plain(v.Why)))
		add("Mend: ", o.plain(v.Mend))
		add("Because: ", o.plain(v.Because))
	}
	add("See: ", e.See)
	add("Again: ", e.Again)
	text := e.Label
	if e.Said != "" {
		text += ": " + e.Said
	}
	problem := &junitNote{Type: e.Label, Message: text, Text: strings.Join(lines, "\n")}
	switch e.result {
	case "passed":
		c.Out = strings.Join(append([]string{upper(text)}, lines...), "\n")
	case "failed":
		if c.Failure = problem; e.Said != "" {
			problem.Message = e.Said
		}
	case "error":
		c.Error = problem
	default:
		c.Skipped = problem
	}
	return c
}
