package gateway

import (
	"context"
	"net/http"

	"parity/fakes/chance"
	"parity/gateway/admin"
	"parity/gateway/kept"
	"parity/profiles"
)

// keepRevision has the journal keep a profile revision and, before it, what its own
// services were read from and where its rules are written. What is there already
// is not kept again.
func (l *liveRun) keepRevision(p *profiles.Profile) error {
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
			if err := once(kept.FileKey+hash, content); err != nil {
				return err
			}
		}
		if err := once(kept.ServicesKey+p.Revision, list); err != nil {
			return err
		}
	}
	if len(p.Places) > 0 {
		places := p.Places.Pack()
		if err := once(kept.PlacesKey+p.Revision+"-"+chance.Hash(string(places))[:8], places); err != nil {
			return err
		}
	}
	return l.writer.Revision(p.Revision, p.Content)
}

// known waits until it is known what becomes of what a control call did to a run.
func (s *Server) known(l *liveRun) error {
	seq := l.Seq()
	return s.becomes(
		func(ctx context.Context) error { return l.Certain(ctx, seq) },
		func(ctx context.Context) error { return l.Covered(ctx, seq) })
}

// settled waits until what is to be shown of a run cannot be taken back: until the
// store's promise holds for the newest event that it rests on. Where the disk
// cannot be written it does not wait, and shows nothing.
func (s *Server) settled(ctx context.Context, l *liveRun, seq uint64) error {
	err := l.Covered(ctx, seq)
	if err == nil || ctx.Err() != nil {
		return err
	}
	return &admin.Problem{Status: http.StatusServiceUnavailable, Code: "journal", Detail: "what is to be shown is not kept yet: " + err.Error()}
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
