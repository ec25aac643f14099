package exchange

import (
	"bytes"
	"context"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"parity/fakes/world"
	"parity/faults/run"
	"parity/faults/trail"
	"parity/gateway/live"
	"parity/gateway/socket"
	"parity/specs/secret"
)

// Terms are what a run's agent may do, besides its profile.
type Terms struct {
	Stage    int                         // how far it may go, 1 to 5; 0: no stage is in force
	Standing []trail.StandingApproval    // calls that kept evidence lets pass a gate
	Asked    func(id string)             // told of each approval that is asked for; nil: nobody is
	Recorder Recorder                    // where what real services answered is kept; nil: nowhere
	OnDisk   func(context.Context) error // has all that was recorded so far on disk; nil: nothing can be sure to be
	Out      *live.Count                 // what has left for real services; nil: nothing leaves, as of forks, replays and series
}

// Run is a run as its exchanges need it, with what they share. Whoever owns it
// fills in the exported fields before the first exchange.
type Run struct {
	*run.Run
	Source   *Source
	Pinned   *Revision       // it keeps this one, whatever is saved; nil: it follows its source
	Playback Playback        // it answers as a record does; nil: its fakes answer
	Met      *secret.Met     // secrets that came from outside; nil: it decides a record again
	Journal  Journal         // where its events go
	Room     Room            // that its journal has
	Lifetime context.Context // calls that wait to do their work wait no longer than this
	Sockets  *socket.Hub     // the websockets that its clients have open; nil: it serves nobody
	Terms

	identities identities
	armed      armedRules
	handed
	underWay
	apart atomic.Bool
}

// handed is what a run's world and its clients were given.
type handed struct {
	furnished furnished
	behind
}

// underWay counts the calls of a run that are under way.
type underWay struct {
	calls     atomic.Int64
	nearCalls Nearing
}

// Begins takes over what the run's first event says of what its agent may do.
func (r *Run) Begins(first *trail.Event) {
	if first != nil && first.Start != nil {
		r.Stage, r.Standing = first.Start.Stage, first.Start.Standing
	}
}

// Journal is where the events of a run go, as its exchanges need it.
type Journal interface {
	// Certain waits until it is known what becomes of an event: that the store's
	// promise holds for it, or that it is lost.
	Certain(ctx context.Context, seq uint64) error
	// Covered waits until the store's promise holds for an event.
	Covered(ctx context.Context, seq uint64) error
	// Settle attaches to an event what went out on the wire.
	Settle(seq uint64, data []byte)
}

// Room is told whether a run's journal takes events, and warns of what it is
// told.
type Room interface {
	NoteKept(*slog.Logger)
	NoteRefused(*slog.Logger, error)
	// Full gives what counts the calls that are not recorded any more; nil: they
	// are.
	Full() *Unrecorded
}

// Revision is the profile revision that the next exchange is under.
func (r *Run) Revision() *Revision {
	if r.Pinned != nil {
		return r.Pinned
	}
	return r.Source.Revision()
}

// Calls is how many calls are under way.
func (r *Run) Calls() int64 { return r.calls.Load() }

// Apart makes a run under a revision that no gateway has: calls are decided in
// it, and none is answered.
func Apart(rev *Revision) *Run {
	r := &Run{Source: &Source{}, Room: boundless{}}
	r.Source.Put(rev)
	return r
}

// boundless is the room of a run that is not kept.
type boundless struct{}

func (boundless) NoteKept(*slog.Logger)           {}
func (boundless) NoteRefused(*slog.Logger, error) {}
func (boundless) Full() *Unrecorded               { return nil }

// Apart tells whether the run goes on from more than its record has: a record, or
// what calls are told apart by, has a secret that came from outside, of which the
// journal has a mark. What is rebuilt from the journal would go on otherwise.
func (r *Run) Apart() bool { return r.apart.Load() }

// parted tells whether what a state is folded from was masked.
func parted(e, masked *trail.Event) bool {
	if e.Identity != masked.Identity || !slices.EqualFunc(e.Delta, masked.Delta, func(a, b trail.Change) bool {
		return a.ID == b.ID && bytes.Equal(a.Before, b.Before) && bytes.Equal(a.After, b.After)
	}) {
		return true
	}
	if e.Arming != nil && !reflect.DeepEqual(e.Arming, masked.Arming) {
		return true
	}
	a, b := e.Exchange, masked.Exchange
	return a != nil && (!reflect.DeepEqual(a.Intent, b.Intent) || !reflect.DeepEqual(a.Strikes, b.Strikes))
}

// Mask gives an event as it is written: without secrets that came from outside.
// What services issue themselves is kept, or no run could go on from its record.
// It runs under the run's lock.
func (r *Run) Mask(e *trail.Event, data []byte) *trail.Event {
	if !r.Met.In(data) {
		return nil
	}
	defer r.Met.Done()
	r.Met.Settle(func(text string) bool {
		return slices.ContainsFunc(e.Delta, func(c trail.Change) bool {
			return bytes.Contains(c.Before, []byte(text)) || c.Op != world.Create && strings.Contains(c.ID, text)
		})
	}, func(text string) bool {
		return slices.ContainsFunc(e.Delta, func(c trail.Change) bool {
			return bytes.Contains(c.After, []byte(text)) || strings.Contains(c.ID, text)
		})
	})
	delta := e.Delta
	bare := *e
	bare.Delta = nil
	masked := secret.Within(bare, func(text string) string { return r.Met.Hide(text, false) })
	masked.Delta = secret.Within(delta, func(text string) string { return r.Met.Hide(text, true) })
	for i := range masked.Delta {
		c := &masked.Delta[i]
		if id := delta[i].ID; c.ID != id && !r.Met.Renamed(c.Collection+" "+id, c.Op == world.Create) {
			c.ID = id
		}
	}
	if !r.apart.Load() && parted(e, &masked) {
		r.apart.Store(true)
	}
	return &masked
}
