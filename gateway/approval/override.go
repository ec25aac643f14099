package approval

import (
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/trail"
)

// Override lets calls pass a gate for a while.
func Override(tx *world.Tx, w trail.Word) {
	kit.Keep(tx, fakes.GrantsCollection, overrideID(w.Gate), map[string]any{
		"kind": "override", "gate": w.Gate, "by": w.By.Name, "by_kind": w.By.Kind, "because": w.Note, "until": int64(w.Until), "max": int64(w.Max), "used": int64(0),
	})
}

func overrideID(gate string) string { return "override/" + gate }

// Overridden tells whether an override lets a call pass a gate, and whose it is
// and why. One by which a call leaves for its real service has to be proved to be a
// person's.
func Overridden(tx *world.Tx, now time.Time, gate string, live bool) (by string, ok bool) {
	record, found := tx.Get(fakes.GrantsCollection, overrideID(gate))
	if !found {
		return "", false
	}
	v := record.Value()
	most := cast.Int(v["max"])
	if live && v["by_kind"] != trail.ByPerson || now.UnixNano() >= cast.Int(v["until"]) || most > 0 && cast.Int(v["used"]) >= most {
		return "", false
	}
	return cast.Text(v["by"]) + ": " + cast.Text(v["because"]), true
}

// Passed counts a call that an override has let pass.
func Passed(tx *world.Tx, gate string) {
	record, ok := tx.Get(fakes.GrantsCollection, overrideID(gate))
	if !ok {
		return
	}
	next := map[string]any{}
	for name, value := range record.Value() {
		next[name] = value
	}
	next["used"] = cast.Int(next["used"]) + 1
	kit.Keep(tx, fakes.GrantsCollection, overrideID(gate), next)
}
