package inspect

import (
	"fmt"
	"io"

	"parity/cmd/internal/output"
	"parity/faults/run"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// stateAt is a kept run's state after event at; 0 is its last.
func stateAt(root, name string, at uint64) (run.State, error) {
	k, err := kept.Read(root, name)
	if err != nil {
		return run.State{}, err
	}
	return k.At(at)
}

// DumpState writes a kept run's world after event at; 0 is its last. What looks
// like a secret is masked unless it is asked for.
func DumpState(w io.Writer, root, run string, at uint64, secrets bool) error {
	state, err := stateAt(root, run, at)
	if err != nil {
		return err
	}
	return report.State(w, state.World, secrets)
}

// HashState writes the digests of a kept run's state.
func HashState(w io.Writer, root, run string, at uint64) error {
	state, err := stateAt(root, run, at)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "world    %s\ntallies  %s\nevent    %d\n", state.World.Hash(), state.Counted(), state.Seq)
	return err
}

// DiffStates compares the states of two kept runs, and gives the exit code.
func DiffStates(w io.Writer, root string, runs [2]string, at [2]uint64, form string, colour bool) (code int, err error) {
	if err := output.TextOrJSON(form); err != nil {
		return 0, err
	}
	var of [2]*kept.Run
	for i, run := range runs {
		if of[i], err = kept.Read(root, run); err != nil {
			return 0, err
		}
	}
	if form == "text" {
		if code, err = printConditions(w, of[0], of[1]); err != nil {
			return 0, err
		}
	} else if len(report.CompareStamps(of[0].Stamp(), of[1].Stamp())) > 0 {
		code = output.ExitConditions
	}
	a, err := of[0].At(at[0])
	if err != nil {
		return 0, err
	}
	b, err := of[1].At(at[1])
	if err != nil {
		return 0, err
	}
	equal, err := report.StateDiff(w, a.World, b.World, report.StateOptions{
		Options: report.Options{Color: colour}, Names: [2]string{named(of[0].ID, at[0]), named(of[1].ID, at[1])}, JSON: form == "json",
	})
	if err == nil && code == 0 && !equal {
		code = output.ExitDiffers
	}
	return code, err
}

func named(run string, at uint64) string {
	if at == 0 {
		return run
	}
	return fmt.Sprintf("%s@%d", run, at)
}

// printConditions says, where two runs were not made under the same conditions, in
// what they differ, and gives the exit code for it.
func printConditions(w io.Writer, k, other *kept.Run) (int, error) {
	differ := report.CompareStamps(k.Stamp(), other.Stamp())
	if len(differ) == 0 {
		return 0, nil
	}
	if _, err := fmt.Fprintf(w, "%s and %s were made under different conditions:\n", k.ID, other.ID); err != nil {
		return 0, err
	}
	for _, line := range differ {
		if _, err := fmt.Fprintf(w, "  %s\n", line); err != nil {
			return 0, err
		}
	}
	_, err := fmt.Fprintln(w)
	return output.ExitConditions, err
}
