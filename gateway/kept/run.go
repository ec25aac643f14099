// Package kept reads a run back from its journal, judges it, and decides it
// again. A run is read by its name, whether it has ended or goes on:
//
//	journal ─▶ Read ─▶ Run ─┬▶ Report    judged: verdict, beside the runs without faults
//	                        ├▶ Subject   what every format of its report is written from
//	                        ├▶ At        its state after an event, folded from its origin
//	                        ├▶ Replay    decided again, up to where it first departs
//	                        └▶ NewPlayback, Why   its record answers a client, or one request
//
// It stands beside the root, over the exchange: the process (gateway) reads its
// own runs by it, and it knows nothing of any process. Where runs are comes as
// the folder that has them.
package kept

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"strings"
	"sync"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/fakes/fixture"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs"
)

// Run is a run as its store has it, ended or going on.
type Run struct {
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

	ships    Shelves
	contents map[string][]byte                                                      // of profiles, by revision, and of what goes with them
	places   profiles.Places                                                        // of rules and expectations, as the newest revision that has them says
	profiles map[string]*profiles.Profile                                           // those that were read, by revision
	human    []byte                                                                 // the log of people that is kept beside it; nil: there is none
	others   func(name string) (*Run, error)                                        // reads other runs of the same store or root; see beside
	saved    func(origin *run.State, upto uint64) (s run.State, ok bool, err error) // reads a checkpoint; see from
}

// Shelves are what profiles are read with: the services that ship, and what was
// made of contracts before; and which checkpoints fit this Parity.
type Shelves struct {
	Catalogue   *fakes.Catalogue
	Shelf       *profiles.Shelf
	Checkpoints string // CheckpointVersion, as it was when the process began
}

// FixturesKey begins the name under which a journal keeps what a run's world
// began with, among the profiles that it was under.
const FixturesKey = "fixtures-"

// ServicesKey begins the name, by revision, under which it keeps what a
// profile's own services were read from; FileKey that of each file, by content.
const (
	ServicesKey = "services-"
	FileKey     = "file-"
)

// PlacesKey begins the name, by revision and content, under which it keeps where
// a profile's rules are written: what it keeps of the profile is one document
// that extends none.
const PlacesKey = "places-"

// Read reads the run of that name, or the last one; the name of a series stands
// for its only run. A damaged journal gives what is intact, and Damage.
func Read(root, name string) (*Run, error) {
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
		return nil, &UsageError{fmt.Errorf("there is no run %s under %s: `parity runs list` has those there are", id, Folder(root))}
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
	version := CheckpointVersion()
	k, err := ReadRecord(rec, Shelves{catalogue, profiles.NewShelf(), version}, codec, othersUnder(root, codec))
	if err == nil {
		k.saved = savedUnder(dir, id, version) // the record is closed by then
		k.human, err = readHuman(dir, id)
	}
	return k, err
}

// ReadRecord reads a run from its record. Others reads those that it is judged
// beside.
func ReadRecord(rec *journal.Record, ships Shelves, codec *trail.Codec, others func(name string) (*Run, error)) (*Run, error) {
	k, err := ReadHead(rec, ships)
	if err == nil {
		err = k.readEvents(rec, codec)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", rec.Info().Run, err)
	}
	k.others = others
	k.saved = func(origin *run.State, upto uint64) (run.State, bool, error) {
		return Checkpointed(rec, ships.Checkpoints, origin, upto)
	}
	return k, nil
}

// ReadHead reads what is known of a run besides its events.
func ReadHead(rec *journal.Record, ships Shelves) (*Run, error) {
	k := &Run{
		ID: rec.Info().Run, Info: rec.Info(), Settlements: map[uint64]trail.Settlement{},
		Forks: rec.Forks(), ships: ships, contents: map[string][]byte{},
	}
	err := k.readMeta(rec)
	if err == nil {
		err = k.readProfile(rec)
	}
	return k, err
}

func (k *Run) readEvents(r *journal.Record, codec *trail.Codec) error {
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

func (k *Run) readProfile(r *journal.Record) error {
	revisions, err := r.Revisions()
	if err != nil || len(revisions) == 0 {
		return err
	}
	newest := ""
	for _, rev := range revisions {
		k.contents[rev.Hash] = rev.Content
		if strings.HasPrefix(rev.Hash, PlacesKey) {
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
func (k *Run) revisions() {
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
func (k *Run) under(revision string) (*profiles.Profile, error) {
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
		Catalogue: k.ships.Catalogue, Shelf: k.ships.Shelf, Start: &start, Sources: sources, Places: k.places,
	})
	if err == nil {
		p, err = Only(p, strings.Fields(k.Meta["only"]))
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

// Contents are the names under which the record has revisions and what goes with
// them.
func (k *Run) Contents() iter.Seq[string] { return maps.Keys(k.contents) }

// start is what the run's world began with.
func (k *Run) start() (fixture.Spec, error) {
	for name, content := range k.contents {
		if strings.HasPrefix(name, FixturesKey) {
			return fixture.Parse(content)
		}
	}
	return fixture.Spec{}, nil
}

// Subject is what the formats of the run's report are written from.
func (k *Run) Subject() report.Subject {
	hidden, _ := k.collections()
	return report.Subject{
		Missing: k.Missing(), Events: k.Events, Settlements: k.Settlements, Report: sync.OnceValue(k.Report),
		HTML: report.HTMLOptions{Version: Version, Hidden: hidden, Forks: k.Forks},
	}
}

// began says under which conditions the run's line of events began.
func (k *Run) began() trail.Stamp {
	if len(k.Events) == 0 || k.Events[0].Start == nil {
		return trail.Stamp{}
	}
	return k.Events[0].Start.Stamp
}

// First is the run's first event; nil: nothing is left of its record.
func (k *Run) First() *trail.Event {
	if len(k.Events) == 0 {
		return nil
	}
	return &k.Events[0]
}

// Stage is how far the run's agent may go, 1 to 5; 0: no stage is in force.
func (k *Run) Stage() int {
	if first := k.First(); first != nil && first.Start != nil {
		return first.Start.Stage
	}
	return 0
}

// Stamp says under which conditions the run came to where it is: a fork may
// have gone on under another profile than it began with.
func (k *Run) Stamp() trail.Stamp {
	s := k.began()
	if k.Profile != nil {
		s.Profile = k.Profile.Revision
	}
	return s
}

// Operation finds what an exchange is about.
func (k *Run) Operation(x *trail.Exchange) (*specs.Operation, fakes.Fake, specs.Effect, bool) {
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

// sources are what the services of a revision were read from.
func (k *Run) sources(revision string) (profiles.Sources, error) {
	list, ok := k.contents[ServicesKey+revision]
	if !ok {
		return profiles.Sources{}, nil
	}
	return profiles.Unpack(list, func(hash string) ([]byte, bool) {
		content, ok := k.contents[FileKey+hash]
		return content, ok
	})
}

// Service gives a service as it was under a revision.
func (k *Run) Service(revision, name string) (fakes.Service, bool) {
	p, err := k.under(revision)
	if err != nil {
		return fakes.Service{}, false
	}
	return p.Catalogue.Service(name)
}

// collections tells which collections of all revisions are bookkeeping, and
// which services write by themselves.
func (k *Run) collections() (hidden, ledgers map[string]bool) {
	hidden, ledgers = map[string]bool{}, map[string]bool{}
	note := func(catalogue *fakes.Catalogue) {
		exchange.Hide(hidden, catalogue)
		for _, c := range catalogue.Collections() {
			ledgers[c.Name] = ledgers[c.Name] || c.Ledger
		}
	}
	note(k.ships.Catalogue)
	for _, r := range k.Revisions {
		if _, own := k.contents[ServicesKey+r.Hash]; !own {
			continue
		}
		if p, err := k.under(r.Hash); err == nil {
			note(p.Catalogue)
		}
	}
	return hidden, ledgers
}
