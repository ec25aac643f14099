package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parity/fakes/clock"
	"parity/gateway/evidence"
	"parity/gateway/journal"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/words"
)

// Evidence says where runs are kept as evidence, and what for.
type Evidence struct {
	Root   string // where runs are
	Folder string // of the evidence; "": evidence, in Root
	Step   string // of the profile's promotion
	Agent  string // NAME@VERSION
}

func (e Evidence) store() evidence.Store {
	if e.Folder != "" {
		return evidence.Store{Dir: e.Folder}
	}
	return evidence.Store{Dir: filepath.Join(Settings{Root: e.Root}.withDefaults().Root, "evidence")}
}

// named refuses an agent without a version: evidence for one is none for the
// next.
func (e Evidence) named() error {
	name, version, ok := strings.Cut(e.Agent, "@")
	if !ok || name == "" || version == "" {
		return &UsageError{fmt.Errorf("--agent %q: write NAME@VERSION, such as support-bot@1.4.2", e.Agent)}
	}
	return nil
}

// What is kept of a run.
const (
	reportFile  = "report.json"
	eventsFile  = "events.jsonl"
	profileFile = "profile.yaml"
)

// Keep keeps runs as evidence for a step up. One that is going on, or whose
// journal is damaged, is refused.
func (e Evidence) Keep(w io.Writer, runs []string) error {
	if err := e.named(); err != nil {
		return err
	}
	for _, name := range runs {
		entry, err := e.keep(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s is entry %d of the evidence in %s, for %s of %s\n", entry.Run, entry.Number, e.store().Dir, entry.Step, entry.Agent)
	}
	return nil
}

func (e Evidence) keep(name string) (evidence.Entry, error) {
	k, err := Read(e.Root, name)
	if err != nil {
		return evidence.Entry{}, err
	}
	switch {
	case k.Damage != nil:
		return evidence.Entry{}, &UsageError{fmt.Errorf("run %s cannot be kept: %w", k.ID, k.Damage)}
	case !k.ended():
		return evidence.Entry{}, &UsageError{fmt.Errorf("run %s is still going on: keep it once it has ended (`parity runs end %s`)", k.ID, k.ID)}
	case k.Profile == nil:
		return evidence.Entry{}, &UsageError{fmt.Errorf("run %s has no profile in its record", k.ID)}
	}
	if _, err := stepOf(k.Profile, e.Step); err != nil {
		return evidence.Entry{}, err
	}
	files := map[string][]byte{profileFile: k.Profile.Content}
	var out bytes.Buffer
	if err := report.JSON(&out, k.Report()); err != nil {
		return evidence.Entry{}, err
	}
	files[reportFile] = slices.Clone(out.Bytes())
	out.Reset()
	if err := k.lines(&out); err != nil {
		return evidence.Entry{}, err
	}
	files[eventsFile] = out.Bytes()
	digest, err := journalDigest(e.Root, k.ID)
	if err != nil {
		return evidence.Entry{}, err
	}
	return e.store().Append(evidence.Entry{
		Kind: evidence.Run, At: clock.System{}.Now(), Step: e.Step, Agent: e.Agent,
		Profile: k.Profile.Name, Revision: k.Profile.Revision, Run: k.ID, Journal: digest,
	}, files)
}

// stepOf finds a step of a profile.
func stepOf(p *profiles.Profile, name string) (profiles.Step, error) {
	var names []string
	for _, s := range p.Steps {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return profiles.Step{}, &UsageError{fmt.Errorf("profile %s has no steps: `parity explain promotion` says how one looks", p.Name)}
	}
	return profiles.Step{}, &UsageError{fmt.Errorf("profile %s has no step %q; it has %s", p.Name, name, strings.Join(names, ", "))}
}

// journalDigest is the digest of a run's events as its journal has them.
func journalDigest(root, name string) (string, error) {
	dir, id, err := Find(root, name)
	if err != nil {
		return "", err
	}
	r, err := journal.Open(dir)
	if err != nil {
		return "", err
	}
	defer r.Close()
	rec, err := r.Read(id)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for entry, err := range rec.Entries(0) {
		if err != nil {
			return "", err
		}
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(entry.Data)))) // where one ends is part of it
		h.Write(entry.Data)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// VerifyEvidence holds the evidence against its digests, and the runs that are
// still there against what was kept of them. head, where it is given, is a
// digest that was the newest once. It gives the exit code.
func (e Evidence) VerifyEvidence(w io.Writer, head string) (code int, err error) {
	chain, err := e.store().Verify()
	if err != nil {
		return 0, &UsageError{err}
	}
	broken := chain.Broken
	if head != "" && !chain.Has(head) {
		broken = append(broken, "the digest "+head+" was never the newest here: the end was cut off, or all was written anew")
	}
	held := 0
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		if entry.Kind != evidence.Run {
			continue
		}
		is, err := journalDigest(e.Root, entry.Run)
		var damaged *journal.DamagedError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.As(err, &damaged):
			broken = append(broken, fmt.Sprintf("the journal of run %s (entry %d) is damaged: %v", entry.Run, entry.Number, err))
		case err != nil:
			return 0, err
		case is != entry.Journal:
			broken = append(broken, fmt.Sprintf("the journal of run %s is not what entry %d was kept from: events were changed, or came after", entry.Run, entry.Number))
		}
		held++
	}
	if len(broken) > 0 {
		fmt.Fprintf(w, "The evidence in %s cannot be trusted:\n", e.store().Dir)
		for _, b := range broken {
			fmt.Fprintf(w, "  - %s\n", b)
		}
		return report.Failed, nil
	}
	fmt.Fprintf(w, "%s, each byte as it was kept; %s of them still here, with the same events\n", words.Count(len(chain.Entries), "entry"), words.Count(held, "run"))
	fmt.Fprintf(w, "Newest digest: %s\n", chain.Head)
	return 0, nil
}

// ListEvidence lists what is kept, oldest first.
func (e Evidence) ListEvidence(w io.Writer) error {
	chain, err := e.store().Verify()
	if err != nil {
		return &UsageError{err}
	}
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		what := "kept " + entry.Run
		if entry.Kind == evidence.Promotion {
			what = "promoted, resting on " + words.Count(len(entry.Rests), "run")
		}
		fmt.Fprintf(w, "%4d  %s  %s to %s  %s@%s  %s\n", entry.Number, entry.At.Format("2006-01-02 15:04"), entry.Agent, entry.Step, entry.Profile, entry.Revision, what)
	}
	if len(chain.Broken) > 0 {
		fmt.Fprintf(w, "It is broken: `parity audit verify` says where.\n")
	}
	return nil
}
