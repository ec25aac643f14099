// Package inspect is what is looked at afterwards: runs that are kept, and what
// there is to say of them.
//
//	kept runs ─▶ PrintRuns · PrintTrace, StepTrace · PrintOutbox, PrintSurface · DumpState, DiffStates
//	             PrintReport, WriteReports · ExportRun · DiffRuns · Replay
//	             RemoveRun, Tidy, RepairStore
//	profiles ──▶ PrintLog, WatchProfile · PrintWhy
package inspect

import (
	"context"
	"fmt"
	"io"
	"strings"

	"parity/cmd/internal/output"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// Replay decides a kept run again, event by event, under its own profile or
// another, and says where it first departs from its record. It gives the exit
// code.
func Replay(ctx context.Context, w io.Writer, root, name, profile string, colour bool) (code int, err error) {
	k, err := kept.Read(root, name)
	if err != nil {
		return 0, err
	}
	printMissing(w, k)
	came, err := k.Replay(ctx, profile)
	if came != nil && len(came.Conditions) > 0 {
		code = output.ExitConditions
		fmt.Fprintf(w, "%s was made under other conditions:\n  %s\n\n", k.ID, strings.Join(came.Conditions, "\n  "))
	}
	if err != nil {
		return 0, err
	}
	if came.At == 0 {
		fmt.Fprintf(w, "%d events replayed, all as the record has them%s\n", len(k.Events), carriedOver(came))
		return code, nil
	}
	if code == 0 {
		code = output.ExitDiffers
	}
	fmt.Fprintf(w, "the replay departs from the record at #%d%s\n", came.At, carriedOver(came))
	return code, report.PrintDifferences(w, "  ", came.Differences, report.Options{Color: colour})
}

func carriedOver(came *kept.Replayed) string {
	if came.Carried == 0 {
		return ""
	}
	var why []string
	for cause, n := range came.Causes {
		why = append(why, fmt.Sprintf("%d %s", n, cause))
	}
	return fmt.Sprintf(" (%d of them taken over as they are: %s)", came.Carried, strings.Join(why, ", "))
}
