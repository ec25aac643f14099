package approvals

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"parity/fakes/clock"
	"parity/faults/trail"
	"parity/gateway/approval"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// Log is what became of the approvals of a run.
func (d *Desk) Log(ctx context.Context, run string) ([]approval.Entry, error) {
	k, run, err := d.has(ctx, run)
	if err != nil {
		return nil, err
	}
	if k != nil {
		return remote(ctx, k, run, 1)
	}
	r, err := kept.Read(d.Root, run)
	if err != nil {
		return nil, err
	}
	return r.AskedHistory(), nil
}

// Count counts what came of each gate's asks, over all runs that are no older
// than so long, 0 being all: of the gateway that is named, or that are kept here. Problems are of runs that
// could not be read, and are left out.
func (d *Desk) Count(ctx context.Context, within time.Duration) (stats []approval.Stats, problems []error, err error) {
	var history []approval.Entry
	runs, err := d.runs(ctx)
	if err != nil {
		return nil, nil, err
	}
	now := clock.System{}.Now()
	for _, r := range runs {
		if within > 0 && now.Sub(r.Made) > within {
			continue
		}
		some, err := d.of(ctx, r)
		if err != nil {
			problems = append(problems, fmt.Errorf("run %s is left out: %w", r.ID, err))
			continue
		}
		history = append(history, some...)
	}
	return approval.Count(history), problems, nil
}

func (d *Desk) runs(ctx context.Context) ([]client.Run, error) {
	if d.Away {
		return d.Up[0].Runs(ctx, "all")
	}
	return kept.List(d.Root)
}

func (d *Desk) of(ctx context.Context, r client.Run) ([]approval.Entry, error) {
	if !d.Away {
		k, err := kept.Read(d.Root, r.ID)
		if err != nil {
			return nil, err
		}
		return k.AskedHistory(), nil
	}
	from := uint64(1)
	if r.Base != nil {
		from = r.Base.Event + 1
	}
	return remote(ctx, d.Up[0], r.ID, from)
}

// line is what is read of an event as the control port has it.
type line struct {
	Seq   uint64        `json:"seq"`
	Kind  trail.Kind    `json:"kind"`
	At    trail.Instant `json:"at"`
	Word  *trail.Word   `json:"word"`
	Delta []struct {
		Collection string          `json:"collection"`
		ID         string          `json:"id"`
		After      json.RawMessage `json:"after"`
		Before     json.RawMessage `json:"before"`
	} `json:"delta"`
}

// remote is what became of the approvals of a run of a gateway that is up.
func remote(ctx context.Context, k *client.Client, run string, from uint64) (all []approval.Entry, err error) {
	var lines bytes.Buffer
	if err = k.Lines(ctx, &lines, run, from, 0); err != nil {
		return nil, err
	}
	for text := range bytes.Lines(lines.Bytes()) {
		var l line
		if err = json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("an event of run %s cannot be read: %w", run, err)
		}
		e := trail.Event{Seq: l.Seq, Kind: l.Kind, At: l.At, Word: l.Word}
		for _, c := range l.Delta {
			e.Delta = append(e.Delta, trail.Change{Collection: c.Collection, ID: c.ID, After: c.After, Before: c.Before})
		}
		all = append(all, approval.History(run, &e)...)
	}
	return all, nil
}
