package report

import (
	"fmt"
	"io"
	"slices"

	"parity/faults/trail"
	"parity/specs/words"
)

// Subject is what the formats of one run are written from: its record, and the
// report on it, which takes long to make and which not every format wants.
type Subject struct {
	Missing     []string // of its record, or may be
	Events      []trail.Event
	Settlements map[uint64]trail.Settlement
	Report      func() Report
	HTML        HTMLOptions
}

// Format is one way in which the report of a run is written, and that of a
// series, where that can be.
//
//	Formats ─▶ name, endings of files, media type
//	           Write        of one run
//	           WriteSeries  of many; nil: this format is of one run
type Format struct {
	Name        string
	Ends        []string // how names of its files end
	Media       string
	Write       func(w io.Writer, s Subject, o Options) error
	WriteSeries func(w io.Writer, s Series, o Options) error
}

// Formats are those there are.
func Formats() []Format {
	return []Format{
		{"text", []string{".txt"}, "text/plain; charset=utf-8", func(w io.Writer, s Subject, o Options) error {
			return Terminal(w, s.Report(), o)
		}, SeriesText},
		{"markdown", []string{".md"}, "text/markdown; charset=utf-8", ofReport(Markdown), uncoloured(SeriesMarkdown)},
		{"json", []string{".json"}, "application/json", ofReport(JSON), uncoloured(SeriesJSON)},
		{"html", []string{".html", ".htm"}, "text/html; charset=utf-8", func(w io.Writer, s Subject, _ Options) error {
			return HTML(w, s.Report(), s.Events, s.Settlements, s.HTML)
		}, uncoloured(SeriesHTML)},
		{"junit", []string{".xml"}, "application/xml", ofReport(JUnit), uncoloured(SeriesJUnit)},
		{"sarif", []string{".sarif"}, "application/sarif+json", ofReport(SARIF), nil},
		{"otlp", []string{".otlp.json"}, "application/json", func(w io.Writer, s Subject, _ Options) error {
			return OTLP(w, s.Report(), s.Events, s.Settlements)
		}, nil},
		{"har", []string{".har"}, "application/json", func(w io.Writer, s Subject, _ Options) error { return s.HAR(w) }, nil},
	}
}

// HAR writes the run as an HTTP Archive.
func (s *Subject) HAR(w io.Writer) error {
	return HAR(w, s.HTML.Version, s.Missing, s.Events, s.Settlements)
}

// Lines writes the run's events, one a line, with what went out for them.
func (s *Subject) Lines(w io.Writer) error {
	return Lines(w, s.Events, s.Settlements)
}

// ofReport is a format of one run that the report alone is enough for.
func ofReport(write func(io.Writer, Report) error) func(io.Writer, Subject, Options) error {
	return func(w io.Writer, s Subject, _ Options) error { return write(w, s.Report()) }
}

// uncoloured is a format of series that has no colours.
func uncoloured(write func(io.Writer, Series) error) func(io.Writer, Series, Options) error {
	return func(w io.Writer, s Series, _ Options) error { return write(w, s) }
}

// FormatNames names the formats there are, in words.
func FormatNames() string { return formatsThat(func(Format) bool { return true }) }

// SeriesFormatNames names those that a series is written in too.
func SeriesFormatNames() string {
	return formatsThat(func(f Format) bool { return f.WriteSeries != nil })
}

func formatsThat(keep func(Format) bool) string {
	var names []string
	for _, f := range Formats() {
		if keep(f) {
			names = append(names, f.Name)
		}
	}
	return words.Or(names)
}

// FormatNamed gives a format by its name.
func FormatNamed(name string) (Format, error) {
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("a report is not written as %q: say %s", name, FormatNames())
	}
	return all[i], nil
}
