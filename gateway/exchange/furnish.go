package exchange

import (
	"sync"
	"sync/atomic"

	"parity/fakes"
	"parity/faults/trail"
)

// furnished is what of its profile a run's world has.
type furnished struct {
	with  atomic.Pointer[fakes.Catalogue] // all the collections of this one
	noted atomic.Pointer[Revision]        // the newest that an event says is in force
	mu    sync.Mutex
}

// Follow notes by an event that a revision is in force for the run, whose world
// gains the collections that it lacks.
func (r *Run) Follow(rev *Revision) error { return r.FollowBy(rev, r.Revise) }

// FollowBy is Follow by what notes the revision.
func (r *Run) FollowBy(rev *Revision, revise func(revision string, collections ...trail.Collection) error) error {
	err := revise(rev.Profile.Revision, rev.Catalogue.Collections()...)
	if err == nil {
		r.furnished.with.Store(rev.Catalogue)
		r.furnished.noted.Store(rev)
	}
	return err
}

// Follows tells whether an event says that a revision is in force.
func (r *Run) Follows(rev *Revision) bool { return r.furnished.noted.Load() == rev }

// Lacks tells whether a revision has collections that the run's world lacks.
func (r *Run) Lacks(rev *Revision) bool {
	return len(r.World().Lacks(rev.Catalogue.Collections()...)) > 0
}

// Furnished notes that the run's world has all the collections of a revision.
func (r *Run) Furnished(rev *Revision) { r.furnished.with.Store(rev.Catalogue) }

// furnish sees to it that the run's world has the collections of a revision
// before a call is answered under it: a call may come in between its coming into
// force and its being noted, and a run may be made in between.
func (r *Run) furnish(rev *Revision) error {
	if r.furnished.with.Load() == rev.Catalogue {
		return nil
	}
	r.furnished.mu.Lock()
	defer r.furnished.mu.Unlock()
	if r.Lacks(rev) { // still: calls come in at once
		return r.Follow(rev)
	}
	r.Furnished(rev)
	return nil
}
