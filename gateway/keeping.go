package gateway

import (
	"context"
	"errors"
	"net/http"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/gateway/journal"
	"parity/profiles"
)

// keep has the journal keep a profile revision and, before it, what its own
// services were read from and where its rules are written. What is there already
// is not kept again.
func (l *tenant) keep(p *profiles.Profile) error {
	once := func(name string, content []byte) error {
		if _, there := l.kept.Load(name); there {
			return nil
		}
		err := l.writer.Revision(name, content)
		if err == nil {
			l.kept.Store(name, true)
		}
		return err
	}
	if len(p.Sources) > 0 {
		list, contents := p.Sources.Pack()
		for hash, content := range contents {
			if err := once(fileKey+hash, content); err != nil {
				return err
			}
		}
		if err := once(servicesKey+p.Revision, list); err != nil {
			return err
		}
	}
	if len(p.Places) > 0 {
		places := p.Places.Pack()
		if err := once(placesKey+p.Revision+"-"+chance.Hash(string(places))[:8], places); err != nil {
			return err
		}
	}
	return l.writer.Revision(p.Revision, p.Content)
}

// sources are what the services of a revision were read from.
func (k *Kept) sources(revision string) (profiles.Sources, error) {
	list, ok := k.contents[servicesKey+revision]
	if !ok {
		return profiles.Sources{}, nil
	}
	return profiles.Unpack(list, func(hash string) ([]byte, bool) {
		content, ok := k.contents[fileKey+hash]
		return content, ok
	})
}

// Service gives a service as it was under a revision.
func (k *Kept) Service(revision, name string) (fakes.Service, bool) {
	p, err := k.under(revision)
	if err != nil {
		return fakes.Service{}, false
	}
	return p.Catalogue.Service(name)
}

// collections tells which collections of all revisions are bookkeeping, and
// which services write by themselves.
func (k *Kept) collections() (hidden, ledgers map[string]bool) {
	hidden, ledgers = map[string]bool{}, map[string]bool{}
	note := func(catalogue *fakes.Catalogue) {
		hide(hidden, catalogue)
		for _, c := range catalogue.Collections() {
			ledgers[c.Name] = ledgers[c.Name] || c.Ledger
		}
	}
	note(k.ships.catalogue)
	for _, r := range k.Revisions {
		if _, own := k.contents[servicesKey+r.Hash]; !own {
			continue
		}
		if p, err := k.under(r.Hash); err == nil {
			note(p.Catalogue)
		}
	}
	return hidden, ledgers
}

// revise notes that a revision is in force for the run, whose world gains the
// collections that it lacks.
func (l *tenant) revise(rev *revision) error {
	err := l.Revise(rev.profile.Revision, rev.catalogue.Collections()...)
	if err == nil {
		l.furnished.Store(rev.catalogue)
		l.noted.Store(rev)
	}
	return err
}

// lacks tells whether a revision has collections that the run's world lacks.
func (l *tenant) lacks(rev *revision) bool {
	return len(l.World().Lacks(rev.catalogue.Collections()...)) > 0
}

// furnish sees to it that the run's world has the collections of a revision
// before a call is answered under it: a call may come in between its coming into
// force and its being noted, and a run may be made in between.
func (l *tenant) furnish(rev *revision) error {
	if l.furnished.Load() == rev.catalogue {
		return nil
	}
	l.furnishing.Lock()
	defer l.furnishing.Unlock()
	if l.lacks(rev) { // still: calls come in at once
		return l.revise(rev)
	}
	l.furnished.Store(rev.catalogue)
	return nil
}

// forgetful is a record that, once it is full, keeps no more and says nothing of
// it: what is answered without state needs no record.
type forgetful struct {
	record
	full bool // once it is, for good: events follow each other without a gap
}

func (f *forgetful) Append(seq uint64, data []byte) error {
	if f.full {
		return nil
	}
	err := f.record.Append(seq, data)
	if f.full = errors.Is(err, journal.ErrFull); f.full {
		return nil
	}
	return err
}

// certain waits until it is known what becomes of an event of the run: that the
// store's promise holds for it, however long its disk cannot be written, or that
// it is lost.
func (l *tenant) certain(ctx context.Context, seq uint64) error {
	if l.forgets {
		return nil
	}
	return l.writer.Certain(ctx, seq)
}

// known waits until it is known what becomes of what a control call did to a run.
func (s *Server) known(l *tenant) error {
	seq := l.Seq()
	return s.becomes(
		func(ctx context.Context) error { return l.certain(ctx, seq) },
		func(ctx context.Context) error { return l.covered(ctx, seq) })
}

// becomes is known for what a control call did to the store: an answer says that
// it failed only where nothing was done, as those to agents do. Where nobody
// knows, since the gateway ends before its disk could be written again, there is
// no answer.
func (s *Server) becomes(certain, now func(context.Context) error) error {
	err := certain(s.lifetime)
	if s.lifetime.Err() == nil {
		return err
	}
	if now(context.WithoutCancel(s.lifetime)) != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// covered waits until the store's promise holds for an event of the run.
func (l *tenant) covered(ctx context.Context, seq uint64) error {
	if l.forgets {
		return nil
	}
	return l.writer.Covered(ctx, seq)
}
