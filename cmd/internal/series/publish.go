package series

import (
	"context"
	"fmt"
	"io"

	"parity/cmd/internal/reports"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// check refuses what cannot be done before any agent is started.
func (o *Options) check() error {
	for _, to := range o.Reports {
		if to.Format.WriteSeries == nil {
			return fmt.Errorf("--report %s: many runs have no report as %s: say %s; `parity report RUN -o %s` writes that of one of them", to, to.Format.Name, report.SeriesFormatNames(), to.Format.Name)
		}
	}
	return o.Plan.Check()
}

// publish keeps what came of the series, and writes the reports that were asked
// for. What cannot be is said, and changes nothing about the runs.
func (s *Series) publish(ctx context.Context, of report.Series) {
	if s.kept > 0 {
		if err := kept.KeepSeries(s.srv.Dir(), of); err != nil {
			fmt.Fprintf(s.o.Stderr, "parity: what came of the series %s is not kept: %v; its runs are\n", s.Name, err)
		}
	}
	reports.WriteAll(context.WithoutCancel(ctx), s.o.Stderr, s.o.Reports, "", func(w io.Writer, f report.Format) error {
		return f.WriteSeries(w, of, report.Options{})
	})
}

// asPage says how what came of the series is had as a page, unless a report of it
// was asked for.
func (s *Series) asPage(w io.Writer) error {
	if s.kept == 0 || len(s.o.Reports) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "As a page   parity report %s --report series.html\n", s.Name)
	return err
}
