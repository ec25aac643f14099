package kept

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"parity/faults/trail"
	"parity/gateway/journal"
	"parity/gateway/verdict"
)

// MostCalm bounds the runs without faults that one is judged beside: each is read
// and looked through, and what ten of them do not show an eleventh hardly does.
const MostCalm = 10

// CalmRuns reads the runs without faults that this one is judged beside, its twin
// first. Of those that cannot be had it says why, in a sentence each.
func (k *Run) CalmRuns() (all []verdict.Calm, gone []string) {
	var names []string
	if t := k.Outcome.Twin; t != nil && t.Run != "" {
		names = append(names, t.Run)
	}
	for _, name := range k.Outcome.Calm {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names[:min(len(names), MostCalm)] {
		other, err := k.another(name)
		if err == nil {
			err = other.Complete()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			gone = append(gone, "Run "+name+", which went without faults, is gone: this is judged without what it shows")
		case err != nil:
			gone = append(gone, fmt.Sprintf("Run %s, which went without faults, is no measure, so this is judged without what it shows: %v", name, err))
		case other.Outcome.Cut == "": // of one that was cut short nobody knows what else it would have done
			all = append(all, verdict.Calm{Run: name, Events: other.Events, Settlements: other.Settlements, Ending: other.ending(k.Profile)})
		}
	}
	return all, gone
}

// another reads of another run what this one is judged by.
func (k *Run) another(name string) (*Run, error) {
	if k.others == nil {
		return nil, fmt.Errorf("run %s: %w", name, fs.ErrNotExist)
	}
	return k.others(name)
}

// Beside reads of a run what others are judged by: its events and how it ended.
// What they are judged under is their own profile.
func Beside(rec *journal.Record, codec *trail.Codec) (*Run, error) {
	k := &Run{ID: rec.Info().Run, Info: rec.Info(), Settlements: map[uint64]trail.Settlement{}}
	err := k.readMeta(rec)
	if err == nil {
		err = k.readEvents(rec, codec)
	}
	return k, err
}

// readMeta reads what is known of a run besides its events and profile.
func (k *Run) readMeta(rec *journal.Record) (err error) {
	if k.Meta, err = rec.Meta(); err != nil {
		return err
	}
	if text := k.Meta[outcomeKey]; text != "" {
		return json.Unmarshal([]byte(text), &k.Outcome)
	}
	return nil
}

// othersUnder reads other runs that are kept under a root.
func othersUnder(root string, codec *trail.Codec) func(name string) (*Run, error) {
	return func(name string) (*Run, error) {
		rec, closes, err := OpenRecord(root, name)
		if err != nil {
			return nil, err
		}
		defer closes()
		return Beside(rec, codec)
	}
}
