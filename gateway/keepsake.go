package gateway

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
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
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-"
	if !ok || name == "" || version == "" || strings.Trim(name, allowed) != "" || strings.Trim(version, allowed) != "" {
		return &UsageError{fmt.Errorf("--agent %q: write NAME@VERSION, such as support-bot@1.4.2, of letters, digits and ._/+-", e.Agent)}
	}
	return nil
}

// What is kept of a run.
const (
	reportFile  = "report.json"
	eventsFile  = "events.jsonl"
	profileFile = "profile.yaml"
)

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
	k, err := Read(e.Root, name)
	if err != nil {
		return evidence.Entry{}, err
	}
	if err := k.whole(); err != nil {
		return evidence.Entry{}, &UsageError{fmt.Errorf("run %s cannot be kept as evidence: %w", k.ID, err)}
	}
	if _, err := stepOf(k.Profile, e.Step); err != nil {
		return evidence.Entry{}, err
	}
	rep := k.Report()
	if err := alone(k, &rep); err != nil {
		return evidence.Entry{}, &UsageError{fmt.Errorf("run %s is no evidence for its profile: %w", k.ID, err)}
	}
	files := map[string][]byte{profileFile: k.Profile.Content}
	var out bytes.Buffer
	if err := report.JSON(&out, rep); err != nil {
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
	if err := e.unkept(k.ID, digest); err != nil {
		return evidence.Entry{}, err
	}
	return e.store().Append(evidence.Entry{
		Kind: evidence.Run, At: clock.System{}.Now(), Step: e.Step, Agent: e.Agent,
		Profile: k.Profile.Name, Revision: k.Profile.Revision, Run: k.ID, Journal: digest,
	}, files)
}

// whole refuses a run of which not all is there to be judged.
func (k *Kept) whole() error {
	n, kinds := k.strange()
	switch {
	case k.complete() != nil:
		return fmt.Errorf("%w: make another run", k.complete())
	case !k.ended():
		return fmt.Errorf("it is still going on: keep it once it has ended (`parity runs end %s`)", k.ID)
	case k.Unread != nil:
		return fmt.Errorf("its profile cannot be read: %w", k.Unread)
	case k.Profile == nil:
		return errors.New("it has no profile in its record")
	case n > 0:
		return fmt.Errorf("%s of kinds that this Parity does not know (%s): keep it with the Parity that made it", words.Count(n, "event"), strings.Join(kinds, ", "))
	}
	return nil
}

// alone refuses a run that shows something else than one revision of its
// profile, as a whole, does.
func alone(k *Kept, rep *report.Report) error {
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
			return &UsageError{fmt.Errorf("run %s is entry %d already, for %s of %s: a run counts once; make another one", run, entry.Number,
				evidence.Printable(entry.Step), evidence.Printable(entry.Agent))}
		}
	}
	return nil
}

// reportOf reads what was kept of what a run showed.
func (e Evidence) reportOf(entry *evidence.Entry) (report.Report, error) {
	var rep report.Report
	text, err := e.store().File(*entry, reportFile)
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

// errLost says of a journal that it may have lost something.
var errLost = errors.New("something of it is missing, or may be")

// journalDigest is the digest of a run's events as its journal has them. Its
// error says where they, or what else a report rests on, are not as they were
// written.
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
	for _, err := range rec.Settlements() {
		if err != nil {
			return "", err
		}
	}
	if _, err := rec.Besides(); err != nil {
		return "", err
	}
	if gaps, err := rec.Gaps(); err != nil || len(gaps) > 0 {
		return "", cmp.Or(err, errLost)
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
	whole, held := len(chain.Broken) == 0, 0
	for i := range chain.Entries {
		entry := &chain.Entries[i]
		if entry.Kind != evidence.Run {
			continue
		}
		if _, err := e.reportOf(entry); whole && err != nil {
			broken = append(broken, err.Error())
		}
		if !journal.ValidName(entry.Run) {
			broken = append(broken, fmt.Sprintf("entry %d names no run", entry.Number))
			continue
		}
		is, err := journalDigest(e.Root, entry.Run)
		var damaged *journal.DamagedError
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.As(err, &damaged), errors.Is(err, errLost):
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
			fmt.Fprintf(w, "  - %s\n", evidence.Printable(b))
		}
		return report.Failed, nil
	}
	fmt.Fprintf(w, "%s, each byte as it was kept; %s of them still here, with the same events\n", words.Count(len(chain.Entries), "entry"), words.Count(held, "run"))
	fmt.Fprintf(w, "Newest digest: %s\n", chain.Head)
	if head != chain.Head {
		fmt.Fprintf(w, "The newest entry is held by nothing that follows it: give --head the digest that was printed when it was kept.\n")
	}
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
		line := fmt.Sprintf("%4d  %s  %s to %s  %s@%s  %s", entry.Number, entry.At.Format("2006-01-02 15:04"), entry.Agent, entry.Step, entry.Profile, entry.Revision, what)
		fmt.Fprintln(w, evidence.Printable(line))
	}
	if len(chain.Broken) > 0 {
		fmt.Fprintf(w, "It is broken: `parity audit verify` says where.\n")
	}
	return nil
}
