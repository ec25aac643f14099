package inspect

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"parity/cmd/internal/output"
	"parity/fakes"
	"parity/fakes/kit"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/specs"
	"parity/specs/words"
)

// PrintOutbox lists what a kept run had sent after event at that cannot be taken
// back; 0 is its last event. What its world began with, the run has not sent.
func PrintOutbox(w io.Writer, root, run string, at uint64, form string, look report.Options) error {
	if err := output.TextOrJSON(form); err != nil {
		return err
	}
	k, err := kept.Read(root, run)
	if err != nil {
		return err
	}
	state, err := k.At(at)
	if err != nil {
		return err
	}
	own, besides := acts(k, at)
	sent := kit.OutboxOf(state.World, func(id string) bool { return own[id] })
	return report.Outbox(w, sent, report.OutboxOptions{Options: look, JSON: form == "json", Besides: besides})
}

// acts are the records of what a run's own events sent, and the calls that cannot
// be undone and sent nobody anything, counted.
func acts(k *kept.Run, at uint64) (own map[string]bool, besides []string) {
	own = map[string]bool{}
	calls := map[string]int{}
	var order []string
	for i := range k.Events {
		e := &k.Events[i]
		if at > 0 && e.Seq > at {
			break
		}
		sends := false
		for _, c := range e.Delta {
			if c.Collection == fakes.OutboxCollection {
				own[c.ID], sends = true, true
			}
		}
		x := e.Exchange
		if sends || x == nil || !x.Committed || x.Effect != string(specs.Irreversible) {
			continue
		}
		name := strings.TrimSpace(x.Service + " " + x.Operation)
		if calls[name]++; !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	for _, name := range order {
		besides = append(besides, fmt.Sprintf("%s (%s)", name, words.Count(calls[name], "call")))
	}
	return own, besides
}
