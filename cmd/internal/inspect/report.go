package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"

	"parity/cmd/internal/reports"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// PrintReport makes the report of a kept run, or of a series.
func PrintReport(w io.Writer, root, run, name string, look report.Options) error {
	f, err := report.FormatNamed(name)
	if err != nil {
		return err
	}
	if s, err := kept.ReadSeries(root, run); s != nil || err != nil {
		return errors.Join(err, printSeries(w, f, s, look))
	}
	k, err := kept.Read(root, run)
	if err != nil {
		return err
	}
	return f.Write(w, k.Subject(), look)
}

// WriteReports writes the reports of a kept run, or of a series.
func WriteReports(ctx context.Context, root, run string, to []reports.Destination, headers string) error {
	if s, err := kept.ReadSeries(root, run); s != nil || err != nil {
		return errors.Join(err, writeSeries(ctx, s, to))
	}
	k, err := kept.Read(root, run)
	if err == nil {
		err = reports.Prepare(to)
	}
	if err != nil {
		return err
	}
	of := k.Subject()
	for _, one := range to {
		if err := one.Put(ctx, headers, func(w io.Writer, f report.Format) error { return f.Write(w, of, report.Options{}) }); err != nil {
			return fmt.Errorf("%s is not written: %w", one, err)
		}
	}
	return nil
}

// printSeries writes a series in a format.
func printSeries(w io.Writer, f report.Format, s *report.Series, look report.Options) error {
	switch {
	case s == nil:
		return nil
	case f.WriteSeries == nil:
		names, _ := s.Runs()
		return fmt.Errorf("%s is a series, which is not written as %s: say %s, or name one of its runs, such as %s", s.Name(), f.Name, report.SeriesFormatNames(), names[0])
	}
	return f.WriteSeries(w, *s, look)
}

// writeSeries writes reports of a series.
func writeSeries(ctx context.Context, s *report.Series, to []reports.Destination) error {
	if s == nil {
		return nil
	}
	for _, one := range to {
		if err := printSeries(io.Discard, one.Format, s, report.Options{}); err != nil {
			return err
		}
	}
	if err := reports.Prepare(to); err != nil {
		return err
	}
	for _, one := range to {
		if err := one.Put(ctx, "", func(w io.Writer, f report.Format) error { return printSeries(w, f, s, report.Options{}) }); err != nil {
			return fmt.Errorf("%s is not written: %w", one, err)
		}
	}
	return nil
}
