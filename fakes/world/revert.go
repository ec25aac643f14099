package world

import (
	"bytes"
	"fmt"
)

// Revert writes what undoes a delta of this world's past: a record that it
// created is deleted, one that it updated gets back the value from before, as
// another version. A record that has changed since, or is gone, is left alone.
//
//	delta      create key_1 ── update ch_1
//	since                         update ch_1
//	Revert     delete key_1       (nothing)
//
// A delta that deleted a record that was there before it cannot be undone, since
// an order is never given twice: that is an error, and nothing is written.
func (t *Tx) Revert(changes []Change) error {
	written := make([]*net, 0, len(changes))
	known := map[[2]string]*net{}
	for _, c := range changes {
		at := [2]string{c.Collection, c.ID}
		if n := known[at]; n != nil && n.last.Op != Delete {
			n.last = c
			continue
		}
		known[at] = &net{c, c}
		written = append(written, known[at])
	}
	for _, n := range written {
		if n.last.Op == Delete && n.first.Op != Create {
			return fmt.Errorf("%s %q was deleted, which cannot be undone: its order is never given again", n.last.Collection, n.last.ID)
		}
	}
	for i := len(written) - 1; i >= 0; i-- {
		if err := t.revert(written[i]); err != nil {
			return err
		}
	}
	return nil
}

// A net is what a delta did to one record, from its creation to its end where
// they are within the delta.
type net struct{ first, last Change }

func (t *Tx) revert(n *net) error {
	now, ok := t.Get(n.last.Collection, n.last.ID)
	if !ok || now.Order != n.last.Order || now.Version != n.last.Version || !bytes.Equal(now.JSON(), n.last.After) {
		return nil
	}
	if n.first.Op == Create {
		return t.Delete(n.last.Collection, n.last.ID)
	}
	before, err := Decode(n.first.Before)
	if err != nil {
		return fmt.Errorf("%s %q as it was before: %w", n.first.Collection, n.first.ID, err)
	}
	_, err = t.Update(n.last.Collection, n.last.ID, before)
	return err
}
