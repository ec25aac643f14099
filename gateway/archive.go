package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/fixture"
	"parity/faults/trail"
	"parity/gateway/journal"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs"
	"parity/specs/secret"
)

// Kept is a run as its store has it, ended or going on.
type Kept struct {
	ID          string
	Info        journal.Info
	Events      []trail.Event // of the runs that it was forked from, too
	Settlements map[uint64]trail.Settlement
	Meta        map[string]string
	Profile     *profiles.Profile // the newest revision that was in force; nil: there is none, or see Unread
	Unread      error             // why this Parity cannot read that, such as for a fault that it has no more
	Damage      error             // what the journal has lost, or what this Parity cannot read of it; or nil
	Gaps        []journal.Gap     // where it may have lost something, though what there is reads as whole
	Unchecked   bool              // an older Parity kept it: whether Meta and profiles are as they were written cannot be told
	Outcome     Outcome
	Revisions   []report.Revision
	Forks       []uint64 // the events at which the line went on in another run

	ships    shelves
	contents map[string][]byte                // of profiles, by revision, and of what goes with them
	places   profiles.Places                  // of rules and expectations, as the newest revision that has them says
	profiles map[string]*profiles.Profile     // those that were read, by revision
	others   func(name string) (*Kept, error) // reads other runs of the same store or root; see beside
}

// Outcome is what is known of a run besides its events: how the agent was
// started and how it ended.
type Outcome struct {
	Profile string        `json:"profile,omitempty"` // as the command line named it
	Command []string      `json:"command,omitempty"`
	Flags   []string      `json:"flags,omitempty"`
	Exit    string        `json:"exit,omitempty"` // who decides the exit code
	Agent   *report.Agent `json:"agent,omitempty"`
	Twin    *report.Twin  `json:"twin,omitempty"`
	Calm    []string      `json:"calm,omitempty"` // runs of the same agent, seed and profile without faults, besides the twin
	Said    string        `json:"said,omitempty"` // the agent's last lines, where the profile asks for them
	Cut     string        `json:"cut,omitempty"`  // why Parity ended the agent; "": it ended by itself
}

// shelves are what profiles are read with: the services that ship, and what was
// made of contracts before.
type shelves struct {
	catalogue *fakes.Catalogue
	shelf     *profiles.Shelf
}

// fixturesKey begins the name under which a journal keeps what a run's world
// began with, among the profiles that it was under.
const fixturesKey = "fixtures-"

// servicesKey begins the name, by revision, under which it keeps what a
// profile's own services were read from; fileKey that of each file, by content.
const (
	servicesKey = "services-"
	fileKey     = "file-"
)

// placesKey begins the name, by revision and content, under which it keeps where
// a profile's rules are written: what it keeps of the profile is one document
// that extends none.
const placesKey = "places-"

// outcomeKey is where a run's meta has its outcome.
const outcomeKey = "outcome"

// Find gives the folder of the store that keeps a run, and the run's name: by
// its id, or "last". That may be the name of a series, whose runs are in that
// folder.
func Find(root, name string) (dir, id string, err error) {
	s := Settings{Root: root}.WithDefaults()
	if name == "last" {
		if name, err = journal.Last(s.RunsFolder()); err != nil {
			return "", "", &UsageError{err}
		}
	}
	if !journal.ValidName(name) {
		return "", "", &UsageError{fmt.Errorf("%q is no name of a run: `parity runs list` has them", name)}
	}
	stores := []string{name}
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		stores = append(stores, name[:i]) // of a series, whose runs are numbered
	}
	for _, store := range stores {
		dir = filepath.Join(s.RunsFolder(), store)
		if _, err := os.Stat(filepath.Join(dir, journal.FileName)); err == nil {
			return dir, name, nil
		}
	}
	return s.SharedFolder(), name, nil
}

// OutputFile names the file that has what the agent of a run wrote, where that is
// kept: beside the store, in the folder that Find gives.
func OutputFile(dir, run string) string { return filepath.Join(dir, run+".out") }

// Read reads the run of that name, or the last one; the name of a series stands
// for its only run. A damaged journal gives what is intact, and Damage.
func Read(root, name string) (*Kept, error) {
	dir, id, err := Find(root, name)
	if err == nil {
		id, err = onlyRun(root, dir, id)
	}
	if err != nil {
		return nil, err
	}
	r, err := journal.Open(dir)
	var rec *journal.Record
	if err == nil {
		defer r.Close()
		rec, err = r.Read(id)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err := unended(r, dir, id); err != nil {
			return nil, err
		}
		return nil, &UsageError{fmt.Errorf("there is no run %s under %s: `parity runs list` has those there are", id, Settings{Root: root}.WithDefaults().Root)}
	}
	if err != nil {
		return nil, err
	}
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return nil, err
	}
	codec, err := trail.NewCodec()
	if err != nil {
		return nil, err
	}
	k, err := readKept(rec, shelves{catalogue, profiles.NewShelf()}, codec)
	if err == nil {
		k.others = othersUnder(root, codec)
	}
	return k, err
}

// Kept reads a run of this gateway, as it is by now.
func (s *Server) Kept(name string) (*Kept, error) {
	rec, err := s.store.Read(name)
	if err != nil {
		return nil, err
	}
	k, err := readKept(rec, s.ships, s.codec)
	if err == nil {
		k.others = s.others
	}
	return k, err
}

func readKept(rec *journal.Record, ships shelves, codec *trail.Codec) (*Kept, error) {
	k, err := readHead(rec, ships)
	if err == nil {
		err = k.readEvents(rec, codec)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", rec.Info().Run, err)
	}
	return k, nil
}

// readHead reads what is known of a run besides its events.
func readHead(rec *journal.Record, ships shelves) (*Kept, error) {
	k := &Kept{
		ID: rec.Info().Run, Info: rec.Info(), Settlements: map[uint64]trail.Settlement{},
		Forks: rec.Forks(), ships: ships, contents: map[string][]byte{},
	}
	err := k.readMeta(rec)
	if err == nil {
		err = k.readProfile(rec)
	}
	return k, err
}

func (k *Kept) readEvents(r *journal.Record, codec *trail.Codec) error {
	for entry, err := range r.Entries(0) {
		if err != nil {
			k.Damage = err
			break
		}
		e, err := codec.ReadEvent(entry.Data)
		if err != nil {
			k.Damage = fmt.Errorf("event %d is not as this Parity has events, so what follows was not read: %w", entry.Seq, err)
			break
		}
		k.Events = append(k.Events, e)
	}
	k.revisions()
	for kept, err := range r.Settlements() {
		if err != nil {
			k.Damage = errors.Join(k.Damage, err)
			break
		}
		s, err := codec.ReadSettlement(kept.Data)
		if err != nil {
			k.Damage = errors.Join(k.Damage, fmt.Errorf("what went out for event %d cannot be read: %w", kept.Of, err))
			break
		}
		k.Settlements[s.Of] = s
	}
	checked, err := r.Besides()
	k.Unchecked = !checked && err == nil
	if damaged := (*journal.DamagedError)(nil); errors.As(err, &damaged) {
		k.Damage, err = errors.Join(k.Damage, err), nil
	}
	if err == nil {
		k.Gaps, err = r.Gaps()
	}
	return err
}

func (k *Kept) readProfile(r *journal.Record) error {
	revisions, err := r.Revisions()
	if err != nil || len(revisions) == 0 {
		return err
	}
	newest := ""
	for _, rev := range revisions {
		k.contents[rev.Hash] = rev.Content
		if strings.HasPrefix(rev.Hash, placesKey) {
			if k.places, err = profiles.UnpackPlaces(rev.Content); err != nil {
				return fmt.Errorf("where rules are written: %w", err)
			}
		}
		if strings.Contains(rev.Hash, "-") { // what goes with a profile
			continue
		}
		newest = rev.Hash
		k.Revisions = append(k.Revisions, report.Revision{Hash: rev.Hash, From: rev.AtSeq})
	}
	k.Profile, k.Unread = k.under(newest)
	return nil
}

// revisions gives the revisions that were in force as the events have them, each
// with the first exchange that was under it: one may have come into force more
// than once, and some while nobody called.
func (k *Kept) revisions() {
	var found []report.Revision
	called := false // under the newest
	for i := range k.Events {
		e := &k.Events[i]
		switch {
		case e.Kind == trail.Started, e.Kind == trail.Revised:
			if n := len(found); n > 0 && found[n-1].Hash == e.Revision {
				continue
			}
			found, called = append(found, report.Revision{Hash: e.Revision, From: e.Seq}), e.Kind == trail.Started
		case e.Exchange != nil && len(found) > 0 && !called && e.Revision == found[len(found)-1].Hash:
			found[len(found)-1].From, called = e.Seq, true
		}
	}
	if len(found) == 0 {
		return // its beginning is damaged
	}
	k.Revisions = found
	newest := found[len(found)-1].Hash
	if _, kept := k.contents[newest]; !kept || k.Profile != nil && k.Profile.Revision == newest {
		return
	}
	k.Profile, k.Unread = k.under(newest)
}

// under gives a revision that was in force.
func (k *Kept) under(revision string) (*profiles.Profile, error) {
	if p := k.profiles[revision]; p != nil {
		return p, nil
	}
	start, err := k.start()
	if err != nil {
		return nil, err
	}
	sources, err := k.sources(revision)
	if err != nil {
		return nil, err
	}
	p, err := profiles.Parse(k.Meta["profile"], k.contents[revision], profiles.Options{
		Catalogue: k.ships.catalogue, Shelf: k.ships.shelf, Start: &start, Sources: sources, Places: k.places,
	})
	if err == nil {
		p, err = only(p, strings.Fields(k.Meta["only"]))
	}
	if err != nil {
		return nil, fmt.Errorf("the profile that the run was made under: %w", err)
	}
	if k.profiles == nil {
		k.profiles = map[string]*profiles.Profile{}
	}
	k.profiles[revision] = p
	return p, nil
}

// start is what the run's world began with.
func (k *Kept) start() (fixture.Spec, error) {
	for name, content := range k.contents {
		if strings.HasPrefix(name, fixturesKey) {
			return fixture.Parse(content)
		}
	}
	return fixture.Spec{}, nil
}

// said is the outcome as the store keeps it, without the secrets of a command line.
func (o Outcome) said() (map[string]string, error) {
	var list *secret.List
	o.Command, o.Flags = list.Command(o.Command, secret.Stars), list.Command(o.Flags, secret.Stars)
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return map[string]string{outcomeKey: string(text)}, nil
}

// Subject is what the formats of the run's report are written from.
func (k *Kept) Subject() report.Subject {
	hidden, _ := k.collections()
	return report.Subject{
		Missing: k.Missing(), Events: k.Events, Settlements: k.Settlements, Report: sync.OnceValue(k.Report),
		HTML: report.HTMLOptions{Version: Version, Hidden: hidden, Forks: k.Forks},
	}
}

// began says under which conditions the run's line of events began.
func (k *Kept) began() trail.Stamp {
	if len(k.Events) == 0 || k.Events[0].Start == nil {
		return trail.Stamp{}
	}
	return k.Events[0].Start.Stamp
}

// Stamp says under which conditions the run came to where it is: a fork may
// have gone on under another profile than it began with.
func (k *Kept) Stamp() trail.Stamp {
	s := k.began()
	if k.Profile != nil {
		s.Profile = k.Profile.Revision
	}
	return s
}

// Operation finds what an exchange is about.
func (k *Kept) Operation(x *trail.Exchange) (*specs.Operation, fakes.Fake, specs.Effect, bool) {
	if k.Profile == nil || x.Operation == "" {
		return nil, nil, "", false
	}
	service, ok := k.Profile.Catalogue.Service(x.Service)
	if !ok {
		return nil, nil, "", false
	}
	op := service.Contract.Recall(x.Operation, x.Method, x.Path).Operation
	if op == nil {
		return nil, nil, "", false
	}
	return op, service.Fake, k.Profile.Effect(op), true
}
