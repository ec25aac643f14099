package overlay

import (
	"reflect"
	"slices"
	"strings"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// A record is what a run has to do with one record: what is kept of it in the
// world.
type record struct {
	Key
	State  State
	Base   map[string]any // its value in the run's world under the run's changes; nil of what was created
	Over   uint64         // the version there that the first change was made to
	Fields []string       // top-level fields that are changed, sorted
	Seen   map[string]any // what the real service had shown of it when it was absorbed; see mark
}

func idOf(k Key) string { return k.Collection + " " + k.ID }

// readOf gives a record of the overlay; nil where there is none.
func readOf(r world.Getter, k Key) *record {
	held, ok := r.Get(fakes.OverlayCollection, idOf(k))
	if !ok {
		return nil
	}
	return recordOf(held.Value())
}

func recordOf(v map[string]any) *record {
	r := &record{
		Key: Key{cast.Text(v["collection"]), cast.Text(v["id"])}, State: State(cast.Text(v["state"])),
		Base: cast.Object(v["base"]), Over: uint64(max(cast.Int(v["over"]), 0)), Seen: cast.Object(v["seen"]),
	}
	for _, field := range cast.List(v["fields"]) {
		r.Fields = append(r.Fields, cast.Text(field))
	}
	return r
}

func (r *record) keep(tx *world.Tx) {
	service, _, _ := strings.Cut(r.Collection, ".")
	v := map[string]any{"service": service, "collection": r.Collection, "id": r.ID, "state": string(r.State)}
	if r.Base != nil {
		v["base"], v["over"] = r.Base, int64(r.Over) //nolint:gosec // a version is small
	}
	if len(r.Fields) > 0 {
		fields := make([]any, len(r.Fields))
		for i, name := range r.Fields {
			fields[i] = name
		}
		v["fields"] = fields
	}
	if r.Seen != nil {
		v["seen"] = r.Seen
	}
	kit.Keep(tx, fakes.OverlayCollection, idOf(r.Key), v)
}

// Note folds what a run's own commit changed into its overlay: the changes of a
// transaction from the one with that number on, before it is committed. It is for
// calls of the agent that the fake decided, and for what comes of them by the
// clock; what Absorb writes is none of it.
//
//	         create ─▶ Created ─ delete ─▶ (nothing)
//	(nothing) update ─▶ Changed ─ update, back to what it was ─▶ (nothing)
//	         delete ─▶ Deleted ─ create ─▶ Changed
func Note(tx *world.Tx, from int) {
	changes := tx.Changes()
	for _, c := range changes[min(from, len(changes)):] {
		if !strings.HasPrefix(c.Collection, "parity.") {
			note(tx, c)
		}
	}
}

func note(tx *world.Tx, c world.Change) {
	k := Key{c.Collection, c.ID}
	r := readOf(tx, k)
	if r == nil {
		r = &record{Key: k, State: Absorbed}
	}
	if r.State == Absorbed && c.Op != world.Create {
		r.Base, r.Over = decoded(c.Before), c.Version
		if c.Op == world.Update {
			r.Over--
		}
	}
	switch {
	case c.Op == world.Delete && r.State == Created:
		forget(tx, k)
		return
	case c.Op == world.Delete:
		r.State, r.Fields = Deleted, nil
	case r.State == Created:
		return
	case c.Op == world.Create && r.State == Absorbed:
		r.State, r.Base = Created, nil
	default:
		r.State, r.Fields = Changed, differing(r.Base, decoded(c.After))
		if len(r.Fields) == 0 && c.Op == world.Update {
			r.State, r.Base = Absorbed, nil
		}
	}
	if r.State == Absorbed && r.Seen == nil {
		forget(tx, k)
		return
	}
	r.keep(tx)
}

func forget(tx *world.Tx, k Key) {
	if _, ok := tx.Get(fakes.OverlayCollection, idOf(k)); ok {
		kit.Must("overlay", tx.Delete(fakes.OverlayCollection, idOf(k)))
	}
}

func decoded(json []byte) map[string]any {
	v, err := world.Decode(json)
	kit.Must("overlay", err) // the world wrote it
	return v
}

// differing lists the top-level fields that two values do not share.
func differing(a, b map[string]any) (fields []string) {
	for name, v := range a {
		if other, ok := b[name]; !ok || !reflect.DeepEqual(v, other) {
			fields = append(fields, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

// changed gives what a run has changed of a service, as it came.
func changed(r world.Reader, service string) (all []*record) {
	for held := range r.Find(fakes.OverlayCollection, "service", service, 0) {
		if v := recordOf(held.Value()); v.State != Absorbed {
			all = append(all, v)
		}
	}
	slices.Reverse(all)
	return all
}

// undo takes a run's changes back. It is for a look at the world without them.
func undo(tx *world.Tx, all []*record) {
	for _, r := range slices.Backward(all) {
		_, there := tx.Get(r.Collection, r.ID)
		var err error
		switch {
		case r.State == Created && there:
			err = tx.Delete(r.Collection, r.ID)
		case r.State == Changed && there:
			_, err = tx.Update(r.Collection, r.ID, r.Base)
		case r.State == Deleted && !there:
			_, err = tx.Insert(r.Collection, r.ID, r.Base)
		}
		kit.Must("overlay", err)
	}
}
