package faketest

import (
	"slices"

	"parity/fakes"
)

// Waits lists the ids of what waits for a person, by its kind.
func (r *Rig) Waits(kind string) (ids []string) {
	r.T.Helper()
	seen := []string{}
	for _, act := range r.Service.ActsOf() {
		if act.Waits != kind || slices.Contains(seen, act.Collection) {
			continue
		}
		seen = append(seen, act.Collection)
		for record := range r.World.Oldest(act.Collection, 0) {
			if w, ok := r.Service.Fake.(fakes.Attended).Waits(r.Later(r.Now), act.Collection, record.ID); ok && w.Kind == kind {
				ids = append(ids, record.ID)
			}
		}
	}
	return ids
}

// Act has a person do something with what waits, as the gateway has them.
func (r *Rig) Act(act, collection, id string, with map[string]any) (did string, err error) {
	r.T.Helper()
	attended := r.Service.Fake.(fakes.Attended)
	call := r.Later(r.Now)
	if _, ok := attended.Waits(call, collection, id); !ok {
		r.T.Errorf("%s %s waits for nobody", collection, id)
	}
	did, err = attended.Do(call, fakes.Deed{Act: act, Collection: collection, ID: id, With: with})
	r.written(call)
	r.settle(call, err)
	return did, err
}
