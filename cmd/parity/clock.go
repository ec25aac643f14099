package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"parity/cmd/internal/inspect"
	"parity/gateway"
	"parity/gateway/client"
)

func clockCommand(c console) *cobra.Command {
	var r reaching
	cmd := &cobra.Command{
		Use:   "clock RUN [freeze | advance DURATION | set INSTANT | speed N | step DURATION]",
		Short: "Show a run's clock, or move it",
		Long: `Clock moves a run's clock, by which everything in it ages: idempotency keys,
limits, authorisations that run out. What comes due on the way happens first, in
order.

freeze           every call gets the same instant; speed and step end it
advance 2h       the clock goes forward
set INSTANT      the clock shows 2026-03-02T13:00:00Z; back is allowed, and undoes nothing
speed 60         it moves with real time, 60 times as fast
step 1s          it moves a second with each call, whatever the time`,
		Example: "  parity clock shard-1 advance 24h",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) >= 1 && len(args) <= 3 {
				return nil
			}
			return misused(cmd, errors.New("name a run and what its clock is to do, as in: parity clock shard-1 advance 24h"))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			k, run, err := r.run(cmd.Context(), c, args[0])
			if err != nil {
				return err
			}
			clock, err := k.Clock(cmd.Context(), run)
			if err == nil && len(args) > 1 {
				var m client.Move
				if m, err = moveOf(args[1:]); err == nil {
					clock, err = k.MoveClock(cmd.Context(), run, m)
				}
			}
			if err != nil {
				return err
			}
			return inspect.PrintClock(c.stdout, clock)
		},
	}
	r.flags(cmd)
	return cmd
}

// moveOf reads what a clock is to do.
func moveOf(words []string) (client.Move, error) {
	wrong := func() (client.Move, error) {
		return client.Move{}, &gateway.UsageError{Err: fmt.Errorf("%q: say freeze, advance 2h, set 2026-03-02T13:00:00Z, speed 60 or step 1s", words)}
	}
	if words[0] == "freeze" {
		if len(words) > 1 {
			return wrong()
		}
		return client.Move{Freeze: true}, nil
	}
	if len(words) != 2 {
		return wrong()
	}
	switch words[0] {
	case "advance":
		return client.Move{Advance: words[1]}, nil
	case "set":
		return client.Move{Set: words[1]}, nil
	case "step":
		return client.Move{Step: words[1]}, nil
	case "speed":
		speed, err := strconv.ParseFloat(words[1], 64)
		if err != nil || speed <= 0 {
			return wrong()
		}
		return client.Move{Speed: speed}, nil
	}
	return wrong()
}
