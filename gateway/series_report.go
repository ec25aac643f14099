package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"parity/gateway/journal"
	"parity/gateway/report"
)

// seriesFile is what is kept of a series, in the folder of its runs.
const seriesFile = "series.json"

// check refuses what cannot be done before any agent is started.
func (o *SeriesOptions) check() error {
	for _, to := range o.Reports {
		if to.format.series == nil {
			return &UsageError{fmt.Errorf("--report %s: many runs have no report as %s: say %s; `parity report RUN -o %s` writes that of one of them", to, to.format.name, SeriesFormats(), to.format.name)}
		}
	}
	return o.Rehearsal.check()
}

// publish keeps what came of the series, and writes the reports that were asked
// for. What cannot be is said, and changes nothing about the runs.
func (s *Series) publish(ctx context.Context, of report.Series) {
	if s.kept > 0 {
		if err := keepSeries(s.srv.Dir(), of); err != nil {
			fmt.Fprintf(s.o.Stderr, "parity: what came of the series %s is not kept: %v; its runs are\n", s.Name, err)
		}
	}
	writeReports(context.WithoutCancel(ctx), s.o.Stderr, s.o.Reports, "", func(w io.Writer, f format) error { return f.series(w, of, Look{}) })
}

// keepSeries keeps what came of a series in a folder: whole, or not at all.
func keepSeries(dir string, of report.Series) error {
	var out bytes.Buffer
	if err := of.Keep(&out); err != nil {
		return err
	}
	draft, err := os.CreateTemp(dir, "."+seriesFile+"-")
	if err != nil {
		return err
	}
	_, err = draft.Write(out.Bytes())
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(dir, seriesFile))
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}

// readSeries reads what is kept of the series of that name, or of the last one;
// nil: it is no series, or one that has not come to its end.
func readSeries(root, name string) (*report.Series, error) {
	dir, id, err := Find(root, name)
	if err != nil {
		return nil, err
	}
	return seriesAt(root, dir, id)
}

func seriesAt(root, dir, id string) (*report.Series, error) {
	if filepath.Base(dir) != id {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(dir, seriesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var s report.Series
	if err == nil {
		s, err = report.ReadSeries(data)
	}
	if err != nil {
		return nil, fmt.Errorf("what is kept of the series %s cannot be read: %w; its runs are %s-1 and so on, as `parity runs list` has them", id, err, id)
	}
	if one := s.One(); one != "" {
		k, err := Read(root, one)
		if err != nil {
			return nil, err
		}
		rep := k.Report()
		s.Numbers.Trials[0].Report = &rep
	}
	return &s, nil
}

// onlyRun is the run that the name of a series stands for: its only one. Of
// several somebody has to say which. Another name stands for itself.
func onlyRun(root, dir, id string) (run string, err error) {
	s, err := seriesAt(root, dir, id)
	if s == nil || err != nil {
		return id, err
	}
	if one := s.One(); one != "" {
		return one, nil
	}
	names, failed := s.Runs()
	if len(names) == 1 {
		return names[0], nil
	}
	which := "the first"
	if failed > 0 {
		which = "the first that failed"
	}
	return "", &UsageError{fmt.Errorf("%s is a series of %d runs: name one of them, such as %s, %s; `parity report %s` says what came of each", s.Name(), len(names), names[0], which, s.Name())}
}

// unended says what to name in the place of a series that nothing is kept of;
// nil: the store, of that name, is not that of a series.
func unended(r *journal.Reader, dir, id string) error {
	if r == nil || filepath.Base(dir) != id {
		return nil
	}
	if _, err := r.Read(id + "-1"); err != nil {
		return nil
	}
	return &UsageError{fmt.Errorf("%s is a series that goes on, or was ended before it said what came of it: name one of its runs, such as %s-1; `parity runs list` has them", id, id)}
}

// print writes a series in a format.
func (f format) print(w io.Writer, s *report.Series, look Look) error {
	switch {
	case s == nil:
		return nil
	case f.series == nil:
		names, _ := s.Runs()
		return &UsageError{fmt.Errorf("%s is a series, which is not written as %s: say %s, or name one of its runs, such as %s", s.Name(), f.name, SeriesFormats(), names[0])}
	}
	return f.series(w, *s, look)
}

// writeSeries writes reports of a series.
func writeSeries(ctx context.Context, s *report.Series, reports []ReportTo) error {
	if s == nil {
		return nil
	}
	for _, to := range reports {
		if err := to.format.print(io.Discard, s, Look{}); err != nil {
			return err
		}
	}
	if err := prepare(reports); err != nil {
		return err
	}
	for _, to := range reports {
		if err := to.put(ctx, "", func(w io.Writer, f format) error { return f.print(w, s, Look{}) }); err != nil {
			return fmt.Errorf("%s is not written: %w", to, err)
		}
	}
	return nil
}
