package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/gateway/journal"
	"parity/gateway/report"
	"parity/profiles"
)

// Kept is a run as its folder has it, ended or going on.
type Kept struct {
	ID          string
	Events      []trail.Event
	Settlements map[uint64]trail.Settlement
	Meta        map[string]string
	Profile     *profiles.Profile // the newest revision that was in force
	Damage      error             // what the journal has lost, or nil
	Outcome     outcome
	Revisions   []report.Revision

	catalogue *fakes.Catalogue
}

// outcome is what is known of a run besides its events: how the agent was
// started and how it ended. It is kept beside the journal.
type outcome struct {
	Profile string        `json:"profile,omitempty"` // as the command line named it
	Command []string      `json:"command,omitempty"`
	Flags   []string      `json:"flags,omitempty"`
	Exit    string        `json:"exit,omitempty"` // who decides the exit code
	Agent   *report.Agent `json:"agent,omitempty"`
}

const outcomeFile = "outcome.json"

// Find gives the folder of a run: by its id, or "last".
func Find(root, name string) (string, error) {
	runs := Settings{Root: root}.withDefaults().runs()
	if name == "last" {
		id, err := journal.Last(runs)
		if err != nil {
			return "", &UsageError{err}
		}
		name = id
	}
	if !journal.ValidName(name) {
		return "", &UsageError{fmt.Errorf("%q is no name of a run: see the folders in %s", name, runs)}
	}
	return filepath.Join(runs, name), nil
}

// Read reads a run. A damaged journal gives what is intact, and Damage.
func Read(dir string) (*Kept, error) {
	r, err := journal.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &UsageError{err}
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	k := &Kept{ID: filepath.Base(dir), Settlements: map[uint64]trail.Settlement{}}
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	if k.catalogue, err = builtin.Catalogue(); err != nil {
		return nil, err
	}
	if err := k.readEvents(r, codec); err != nil {
		return nil, err
	}
	if k.Meta, err = r.Meta(); err != nil {
		return nil, err
	}
	if err := k.readProfile(r); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, outcomeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil // it goes on, or was a gateway's that stays up
	}
	if err == nil {
		err = json.Unmarshal(text, &k.Outcome)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", outcomeFile, err)
	}
	return k, nil
}

func (k *Kept) readEvents(r *journal.Reader, codec *trail.Codec) error {
	for entry, err := range r.Entries(0) {
		if err != nil {
			k.Damage = err
			break
		}
		e, err := codec.ReadEvent(entry.Data)
		if err != nil {
			return fmt.Errorf("event %d: %w", entry.Seq, err)
		}
		k.Events = append(k.Events, e)
	}
	for kept, err := range r.Settlements() {
		if err != nil {
			k.Damage = errors.Join(k.Damage, err)
			break
		}
		s, err := codec.ReadSettlement(kept.Data)
		if err != nil {
			return fmt.Errorf("settlement of event %d: %w", kept.Of, err)
		}
		k.Settlements[s.Of] = s
	}
	return nil
}

func (k *Kept) readProfile(r *journal.Reader) error {
	revisions, err := r.Revisions()
	if err != nil || len(revisions) == 0 {
		return err
	}
	for _, rev := range revisions {
		k.Revisions = append(k.Revisions, report.Revision{Hash: rev.Hash, From: rev.AtSeq})
	}
	newest := revisions[len(revisions)-1]
	k.Profile, err = profiles.Parse(k.Meta["profile"], newest.Content, profiles.Options{Catalogue: k.catalogue})
	if err == nil {
		k.Profile, err = only(k.Profile, strings.Fields(k.Meta["only"]))
	}
	if err != nil {
		return fmt.Errorf("the profile that the run was made under: %w", err)
	}
	return nil
}

// keep writes the outcome beside the journal.
func (k *Kept) keep(dir string) error {
	text, err := json.MarshalIndent(k.Outcome, "", "  ")
	if err != nil {
		return err
	}
	return writeWhole(filepath.Join(dir, outcomeFile), append(text, '\n'))
}
