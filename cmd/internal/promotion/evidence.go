// Package promotion keeps runs as evidence, and takes agents a step up where
// there is enough of it.
//
//	a run that has ended ─▶ Keep ─▶ entry 1 ◀─ entry 2 ◀─ entry 3     gateway/evidence: a chain of digests
//	                                  │          │
//	        what a profile asks for ──┴──────────┴─▶ Promote ─▶ entry 4: the agent goes up, resting on 1 and 2
//	                                                    └─────▶ or what is missing
//
// Verify says where a byte of what is kept, or of a journal that it was kept from,
// is another than it was.
package promotion

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"parity/cmd/internal/secrets"
	"parity/fakes/clock"
	"parity/gateway/evidence"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/specs/words"
)

// Evidence says where runs are kept as evidence, and what for.
type Evidence struct {
	Root   string // where runs are
	Folder string // of the evidence; "": evidence, in Root
	Step   string // of the profile's promotion
	Agent  string // NAME@VERSION

	Getenv  func(string) string // has the values that are looked for in what is to be kept; nil: none are
	Control string              // the control token, which is too
}

func (e Evidence) store() evidence.Store {
	if e.Folder != "" {
		return evidence.Store{Dir: e.Folder}
	}
	return kept.EvidenceIn(e.Root)
}

// named refuses an agent without a version: evidence for one is none for the
// next.
func (e Evidence) named() error {
	name, version, ok := strings.Cut(e.Agent, "@")
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-"
	if !ok || name == "" || version == "" || strings.Trim(name, allowed) != "" || strings.Trim(version, allowed) != "" {
		return fmt.Errorf("--agent %q: write NAME@VERSION, such as support-bot@1.4.2, of letters, digits and ._/+-", e.Agent)
	}
	return nil
}

// Keep keeps runs as evidence for a step up, and refuses those that are none.
func (e Evidence) Keep(w io.Writer, runs []string) error {
	if err := e.named(); err != nil {
		return err
	}
	for i, name := range runs {
		entry, err := e.keep(name)
		if err != nil && i > 0 {
			return errors.Join(err, e.tellNewest(w)) // of those that were kept
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s is entry %d of the evidence in %s, for %s of %s\n", entry.Run, entry.Number, e.store().Dir, entry.Step, entry.Agent)
	}
	return e.tellNewest(w)
}

// tellNewest prints the digest that holds the newest entry, which none follows.
func (e Evidence) tellNewest(w io.Writer) error {
	chain, err := e.store().Verify()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Newest digest: %s\nKeep that where nobody can change it, such as in a commit: `parity audit verify --head` looks for it.\n", chain.Head)
	return err
}

func (e Evidence) keep(name string) (evidence.Entry, error) {
	k, err := kept.Read(e.Root, name)
	if err != nil {
		return evidence.Entry{}, err
	}
	if err := k.Whole(); err != nil {
		return evidence.Entry{}, fmt.Errorf("run %s cannot be kept as evidence: %w", k.ID, err)
	}
	if _, err := stepOf(k.Profile, e.Step); err != nil {
		return evidence.Entry{}, err
	}
	rep := k.Report()
	if err := alone(k, &rep); err != nil {
		return evidence.Entry{}, fmt.Errorf("run %s is no evidence for its profile: %w", k.ID, err)
	}
	files := map[string][]byte{evidence.ProfileFile: k.Profile.Content}
	var out bytes.Buffer
	if err := report.JSON(&out, rep); err != nil {
		return evidence.Entry{}, err
	}
	files[evidence.ReportFile] = slices.Clone(out.Bytes())
	out.Reset()
	if err := report.Lines(&out, k.Events, k.Settlements); err != nil {
		return evidence.Entry{}, err
	}
	files[evidence.EventsFile] = out.Bytes()
	look := secrets.Search{Root: e.Root, Getenv: e.Getenv, Control: e.Control}
	if look.Getenv == nil {
		look.Getenv = func(string) string { return "" }
	}
	if err := look.Refuse(k.ID, files); err != nil {
		return evidence.Entry{}, err
	}
	digest, err := journalDigest(e.Root, k.ID)
	if err != nil {
		return evidence.Entry{}, err
	}
	if err := e.unkept(k.ID, digest); err != nil {
		return evidence.Entry{}, err
	}
	return e.store().Append(evidence.Entry{
		Kind: evidence.Run, At: clock.System{}.Now(), Step: e.Step, Agent: e.Agent,
		Profile: k.Profile.Name, Revision: k.Profile.Revision, Policy: k.Stamp().Policy, Run: k.ID, Journal: digest,
	}, files)
}

// alone refuses a run that shows something else than one revision of its
// profile, as a whole, does.
func alone(k *kept.Run, rep *report.Report) error {
	switch {
	case k.Meta["only"] != "":
		return errors.New("it was made with --only, or as one of a sweep or as a twin: rules of its profile were off")
	case len(rep.Armed) > 0:
		return fmt.Errorf("rule %s was armed beside it (parity inject)", rep.Armed[0].Name)
	case k.Info.Base != "":
		return fmt.Errorf("it is a fork, and its first %s are those of %s, which would count twice: keep runs that began by themselves", words.Count(int(k.Info.BaseSeq), "event"), k.Info.Base)
	case len(k.Revisions) > 1:
		return fmt.Errorf("that changed while it ran, from revision %s to %s: leave its file alone meanwhile, or hold the revision with `parity runs new --locked`", k.Revisions[0].Hash, k.Revisions[len(k.Revisions)-1].Hash)
	}
	return nil
}

// unkept refuses a run that the evidence has already: a run is evidence once,
// for one step of one version of an agent.
func (e Evidence) unkept(run, digest string) error {
	chain, err := e.store().Verify()
	if err != nil && !errors.Is(err, evidence.ErrNone) {
		return err
	}
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		if entry.Kind == evidence.Run && entry.Journal == digest {
			return fmt.Errorf("run %s is entry %d already, for %s of %s: a run counts once; make another one", run, entry.Number,
				evidence.Printable(entry.Step), evidence.Printable(entry.Agent))
		}
	}
	return nil
}

// reportOf reads what was kept of what a run showed.
func (e Evidence) reportOf(entry *evidence.Entry) (report.Report, error) {
	var rep report.Report
	text, err := e.store().File(*entry, evidence.ReportFile)
	if err != nil {
		return rep, err
	}
	if err := json.Unmarshal(text, &rep); err != nil {
		return rep, fmt.Errorf("the report of entry %d cannot be read: %w", entry.Number, err)
	}
	if rep.Run != entry.Run {
		return rep, fmt.Errorf("entry %d is of run %s, and its report of run %s", entry.Number, entry.Run, rep.Run)
	}
	if n := len(rep.Revisions); n == 0 || rep.Revisions[n-1].Hash != entry.Revision {
		return rep, fmt.Errorf("entry %d is of revision %s of its profile, and its report is not", entry.Number, entry.Revision)
	}
	return rep, nil
}

// List lists what is kept, oldest first.
func (e Evidence) List(w io.Writer) error {
	chain, err := e.store().Verify()
	if err != nil {
		return err
	}
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		what := "kept " + entry.Run
		if entry.Kind == evidence.Promotion {
			what = "promoted, resting on " + words.Count(len(entry.Rests), "run")
		}
		line := fmt.Sprintf("%4d  %s  %s to %s  %s@%s  %s", entry.Number, entry.At.Format("2006-01-02 15:04"), entry.Agent, entry.Step, entry.Profile, entry.Revision, what)
		fmt.Fprintln(w, evidence.Printable(line))
	}
	if len(chain.Broken) > 0 {
		fmt.Fprintf(w, "It is broken: `parity audit verify` says where.\n")
	}
	return nil
}
