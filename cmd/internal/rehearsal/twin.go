package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"parity/gateway"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// RunBeside is Run beside a twin:
//
//	the twin, without faults ─▶ the run itself, as Run shows it ─▶ its report, beside the twin
//
// The agent runs twice, one after the other, since it may write the same files.
// What the twin's agent writes is kept beside its run, and not shown.
func RunBeside(ctx context.Context, p Plan) (code int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	calm, rewind := p.asTwin()
	srv, code, err := calm.run(ctx)
	if err != nil || srv == nil {
		return code, err
	}
	if ctx.Err() != nil { // whoever ended the twin wants no other
		fmt.Fprintf(p.Stderr, "parity: run %s, the twin, was interrupted, so the run beside it was not begun\n", srv.Run.ID)
		return max(code, Interrupted), nil
	}
	k, err := kept.Read(srv.Settings().Root, srv.Run.ID)
	if err != nil {
		return 0, errors.Join(ErrDefect, err)
	}
	rep := k.Report()
	came, why := rep.Came()
	p.pair.twin = &report.Twin{Run: rep.Run, Passed: came == report.RunPassed, Why: why}
	p.Seed, p.Flags = &rep.Seed, slices.Concat([]string{TwinFlag}, p.Flags)
	fmt.Fprintln(p.Stderr, "parity: "+ofTwin(srv, p.pair.twin))
	if err := rewind(); err != nil {
		return 0, fmt.Errorf("what the twin has read cannot be read again: %w", err)
	}
	srv, code, err = p.run(ctx)
	if err != nil || srv == nil {
		return code, err
	}
	return conclude(context.WithoutCancel(ctx), srv, p)
}

// Interrupted is what shells give for what was ended by Ctrl-C.
const Interrupted = 130

// asTwin is the rehearsal without any rule, and what lets the one beside it read
// what its agent has read. A file can be read twice; of a pipe or a terminal the
// twin gets nothing, so that the run beside it gets all.
func (p Plan) asTwin() (calm Plan, rewind func() error) {
	calm = p
	calm.pair.calm, calm.Only, calm.Arm, calm.Reports, calm.Flags = true, []string{kept.NoRules}, nil, nil, WithoutRules(p.Flags)
	calm.Unreal = true
	f, ok := p.Stdin.(*os.File)
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
func ofTwin(srv *gateway.Server, t *report.Twin) string {
	line := "the twin, run " + t.Run + ", went without faults, and "
	if t.Passed {
		line += "nothing failed"
	} else {
		line += "did not pass: " + t.Why
	}
	if file := kept.OutputFile(srv.Dir(), t.Run); exists(file) {
		line += "; what it wrote is in " + file
	}
	return line + ". Now the run itself"
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// TwinFlag is the flag of a run that has a twin.
const TwinFlag = "--twin"

// WithoutRules gives the flags of a run without any rule in the place of those of
// another: what they say of rules is left out.
func WithoutRules(flags []string) []string {
	left := []string{"--only", kept.NoRules}
	for i := 0; i < len(flags); i++ {
		if flags[i] == "--only" || flags[i] == "--cell" {
			i++
			continue
		}
		left = append(left, flags[i])
	}
	return left
}
