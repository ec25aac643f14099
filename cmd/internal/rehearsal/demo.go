package rehearsal

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"parity/gateway"
	"parity/gateway/report"
)

// Demonstration is what the demo needs of its surroundings.
type Demonstration struct {
	Agent   func(kind string) []string // the command of a demo agent
	Root    string
	Getenv  func(string) string
	Environ []string
	Stdout  io.Writer
	Log     *slog.Logger
	Colour  bool
}

// lostCharge is the profile of the demo: the first payment goes through, and its
// reply is lost.
const lostCharge = "lost-charge"

// Demo rehearses the naive and the careful agent against the same lost reply.
// Its error is a defect, unless one was caught and the other cleared.
func Demo(ctx context.Context, d Demonstration) error {
	seed := uint64(7)
	want := map[string]int{"naive": 1, "careful": 0}
	for _, kind := range []string{"naive", "careful"} {
		fmt.Fprintf(d.Stdout, "── The %s agent: a payment goes through, and its reply is lost ──\n\n", kind)
		code, err := Run(ctx, Plan{
			Settings: gateway.Settings{Root: d.Root, Getenv: d.Getenv, Profile: lostCharge, Seed: &seed, Log: d.Log},
			Command:  d.Agent(kind), Shown: []string{"parity", "demo-agent", kind}, Exit: "agent", Environ: d.Environ,
			Stdout: d.Stdout, Stderr: d.Stdout, Look: report.Options{Color: d.Colour},
		})
		if err != nil {
			return err
		}
		if code != want[kind] {
			return fmt.Errorf("%w: the %s agent was to end with %d and ended with %d", ErrDefect, kind, want[kind], code)
		}
		fmt.Fprintln(d.Stdout)
	}
	_, err := fmt.Fprintln(d.Stdout, "Now yours:  parity run --profile lost-replies -- python agent.py")
	return err
}
