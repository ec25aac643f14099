package gateway

import (
	"io"

	"parity/gateway/report"
)

// DiffRuns says where two kept runs part: in their conditions, in what they
// called and were answered, and in what they left. It gives the exit code.
func DiffRuns(w io.Writer, root string, runs [2]string, output string, colour bool) (code int, err error) {
	if err := textOrJSON(output); err != nil {
		return 0, err
	}
	var sides [2]report.Side
	for i, name := range runs {
		k, err := Read(root, name)
		if err != nil {
			return 0, err
		}
		if sides[i], err = k.side(); err != nil {
			return 0, err
		}
	}
	d := report.Part(sides[0], sides[1])
	switch {
	case len(d.Conditions) > 0:
		code = ExitConditions
	case !d.Equal:
		code = ExitDiffers
	}
	if output == "json" {
		return code, report.PartingJSON(w, d)
	}
	return code, report.PrintParting(w, d, report.Options{Color: colour})
}

// side is the run as it is compared with another.
func (k *Kept) side() (report.Side, error) {
	state, err := k.At(0)
	return report.Side{
		Run: k.ID, Profile: k.Outcome.Profile, Stamp: k.stamp(), Seed: uint64(k.seed()), Events: k.Events, World: state.World,
	}, err
}
