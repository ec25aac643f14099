package gateway

import (
	"errors"
	"fmt"
	"io"

	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/words"
)

// format is one way in which the report of a run is written, and that of a series,
// where that can be. judged gives the report: judging a run takes long, and is done
// once for all formats.
type format struct {
	name  string
	ends  []string // how names of its files end
	media string
	write func(w io.Writer, k *Kept, judged func() report.Report, look Look) error

	series func(w io.Writer, s report.Series, look Look) error // nil: it is of one run
}

// Look is how a report is shown in a terminal.
type Look struct {
	Colour  bool
	Verbose bool // all that it does not prove, and what else is told in short
}

func (l Look) options() report.Options {
	return report.Options{Color: l.Colour, Verbose: l.Verbose}
}

// formats are those there are.
func formats() []format {
	return []format{
		{"text", []string{".txt"}, "text/plain; charset=utf-8", func(w io.Writer, _ *Kept, judged func() report.Report, look Look) error {
			return report.Terminal(w, judged(), look.options())
		}, func(w io.Writer, s report.Series, look Look) error {
			return report.SeriesText(w, s, look.options())
		}},
		{"markdown", []string{".md"}, "text/markdown; charset=utf-8", func(w io.Writer, _ *Kept, judged func() report.Report, _ Look) error {
			return report.Markdown(w, judged())
		}, uncoloured(report.SeriesMarkdown)},
		{"json", []string{".json"}, "application/json", func(w io.Writer, _ *Kept, judged func() report.Report, _ Look) error {
			return report.JSON(w, judged())
		}, uncoloured(report.SeriesJSON)},
		{"html", []string{".html", ".htm"}, "text/html; charset=utf-8", func(w io.Writer, k *Kept, judged func() report.Report, _ Look) error { return k.html(w, judged()) }, uncoloured(report.SeriesHTML)},
		{"junit", []string{".xml"}, "application/xml", func(w io.Writer, _ *Kept, judged func() report.Report, _ Look) error {
			return report.JUnit(w, judged())
		}, uncoloured(report.SeriesJUnit)},
		{"sarif", []string{".sarif"}, "application/sarif+json", func(w io.Writer, _ *Kept, judged func() report.Report, _ Look) error {
			return report.SARIF(w, judged())
		}, nil},
		{"otlp", []string{".otlp.json"}, "application/json", func(w io.Writer, k *Kept, judged func() report.Report, _ Look) error {
			return report.OTLP(w, judged(), k.Events, k.Settlements)
		}, nil},
		{"har", []string{".har"}, "application/json", func(w io.Writer, k *Kept, _ func() report.Report, _ Look) error { return k.har(w) }, nil},
	}
}

// uncoloured is a format of series that has no colours.
func uncoloured(write func(io.Writer, report.Series) error) func(io.Writer, report.Series, Look) error {
	return func(w io.Writer, s report.Series, _ Look) error { return write(w, s) }
}

// Formats names the formats there are, in words.
func Formats() string { return formatsThat(func(format) bool { return true }) }

// SeriesFormats names those that a series is written in too.
func SeriesFormats() string { return formatsThat(func(f format) bool { return f.series != nil }) }

func formatsThat(keep func(format) bool) string {
	var names []string
	for _, f := range formats() {
		if keep(f) {
			names = append(names, f.name)
		}
	}
	return words.Or(names)
}

func formatNamed(name string) (format, error) {
	for _, f := range formats() {
		if f.name == name {
			return f, nil
		}
	}
	return format{}, &UsageError{fmt.Errorf("a report is not written as %q: say %s", name, Formats())}
}

// PrintReport makes the report of a kept run, or of a series.
func PrintReport(w io.Writer, root, run, name string, look Look) error {
	f, err := formatNamed(name)
	if err != nil {
		return err
	}
	if s, err := readSeries(root, run); s != nil || err != nil {
		return errors.Join(err, f.print(w, s, look))
	}
	k, err := Read(root, run)
	if err != nil {
		return err
	}
	return f.write(w, k, k.Report, look)
}

// PrintSchema prints the JSON Schema of profiles, or of the report.
func PrintSchema(w io.Writer, of string) error {
	switch of {
	case "", "profile":
		schema, err := profiles.Schema()
		if err == nil {
			_, err = w.Write(schema)
		}
		return err
	case "report":
		_, err := io.WriteString(w, report.Schema())
		return err
	}
	return &UsageError{fmt.Errorf("there is no schema of %q: say profile or report", of)}
}
