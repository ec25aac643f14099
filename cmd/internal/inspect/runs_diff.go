package inspect

import (
	"io"

	"parity/cmd/internal/output"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// DiffRuns says where two kept runs part: in their conditions, in what they
// called and were answered, and in what they left. It gives the exit code.
func DiffRuns(w io.Writer, root string, runs [2]string, form string, colour bool) (code int, err error) {
	if err := output.TextOrJSON(form); err != nil {
		return 0, err
	}
	var sides [2]report.Side
	for i, name := range runs {
		k, err := kept.Read(root, name)
		if err != nil {
			return 0, err
		}
		if sides[i], err = sideOf(k); err != nil {
			return 0, err
		}
	}
	d := report.Part(sides[0], sides[1])
	switch {
	case len(d.Conditions) > 0:
		code = output.ExitConditions
	case !d.Equal:
		code = output.ExitDiffers
	}
	if form == "json" {
		return code, report.PartingJSON(w, d)
	}
	return code, report.PrintParting(w, d, report.Options{Color: colour})
}

// sideOf is the run as it is compared with another.
func sideOf(k *kept.Run) (report.Side, error) {
	state, err := k.At(0)
	return report.Side{
		Run: k.ID, Profile: k.Outcome.Profile, Stamp: k.Stamp(), Seed: uint64(k.Seed()), Events: k.Events, World: state.World,
	}, err
}
