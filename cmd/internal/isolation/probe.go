package isolation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parity/faults/run"
	"parity/gateway"
	"parity/gateway/contain"
)

// Probe tries every way out from where the agent will be, and records in its run
// what came of that. It is called before the agent is started.
func (in *Inside) Probe(ctx context.Context, srv *gateway.Server, r *run.Run, o Options) error {
	env := in.Environ()
	var given []string // what Parity has put there, and what is named
	for _, entry := range env {
		if name, _, _ := strings.Cut(entry, "="); !slices.Contains(in.parent, entry) || slices.Contains(o.Env, name) {
			given = append(given, name)
		}
	}
	found, err := in.box.Probe(ctx, contain.Command{Env: env}, contain.Outside(in.options, r.Token, given))
	if err != nil {
		return fmt.Errorf("trying the ways out of the containment: %w", err)
	}
	return srv.Contain(r, string(o.Level), found)
}

// Given is the part of an environment that an agent inside gets, with what is named.
func Given(parent, named []string) ([]string, error) { return allowed(parent, named) }
