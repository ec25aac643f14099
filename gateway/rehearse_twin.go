package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"parity/gateway/report"
)

// RehearseBeside is Rehearse of a run beside its twin:
//
//	the twin, without faults ─▶ the run itself, as Rehearse shows it ─▶ its report, beside the twin
//
// The agent runs twice, one after the other, since it may write the same files.
// What the twin's agent writes is kept beside its run, and not shown.
func RehearseBeside(ctx context.Context, r Rehearsal) (code int, err error) {
	if err := r.check(); err != nil {
		return 0, err
	}
	calm, rewind := r.asTwin()
	srv, code, err := calm.run(ctx)
	if err != nil || srv == nil {
		return code, err
	}
	if ctx.Err() != nil { // whoever ended the twin wants no other
		fmt.Fprintf(r.Stderr, "parity: run %s, the twin, was interrupted, so the run beside it was not begun\n", srv.Run.ID)
		return max(code, interrupted), nil
	}
	kept, err := Read(srv.settings.Root, srv.Run.ID)
	if err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	rep := kept.Report()
	came, why := rep.Came()
	r.twin = &report.Twin{Run: rep.Run, Passed: came == report.RunPassed, Why: why}
	r.Seed, r.Flags = &rep.Seed, slices.Concat([]string{twinFlag}, r.Flags)
	fmt.Fprintln(r.Stderr, "parity: "+srv.ofTwin(r.twin))
	if err := rewind(); err != nil {
		return 0, &UsageError{fmt.Errorf("what the twin has read cannot be read again: %w", err)}
	}
	srv, code, err = r.run(ctx)
	if err != nil || srv == nil {
		return code, err
	}
	return conclude(context.WithoutCancel(ctx), srv, r)
}

// asTwin is the rehearsal without any rule, and what lets the one beside it read
// what its agent has read. A file can be read twice; of a pipe or a terminal the
// twin gets nothing, so that the run beside it gets all.
func (r Rehearsal) asTwin() (calm Rehearsal, rewind func() error) {
	calm = r
	calm.calm, calm.Only, calm.Arm, calm.Reports, calm.Flags = true, []string{NoRules}, nil, nil, calmly(r.Flags)
	f, ok := r.Stdin.(*os.File)
	if ok {
		info, err := f.Stat()
		ok = err == nil && info.Mode().IsRegular()
	}
	if !ok {
		calm.Stdin = nil
		return calm, func() error { return nil }
	}
	from, err := f.Seek(0, io.SeekCurrent)
	return calm, func() error {
		if err == nil {
			_, err = f.Seek(from, io.SeekStart)
		}
		return err
	}
}

// ofTwin is the line that says how a twin went.
func (s *Server) ofTwin(t *report.Twin) string {
	line := "the twin, run " + t.Run + ", went without faults, and "
	if t.Passed {
		line += "nothing failed"
	} else {
		line += "did not pass: " + t.Why
	}
	if _, err := os.Stat(s.said(t.Run)); err == nil {
		line += "; what it wrote is in " + s.said(t.Run)
	}
	return line + ". Now the run itself"
}
