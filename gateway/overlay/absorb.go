package overlay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// Absorb takes what the real service answered to a read into the run's world, and
// keeps of the record that the read is about what it can be known again by. read is
// the read as a call to the fake; what it writes to its transaction is nobody's
// change: the line keeps it as an edit before the write. What the run has changed
// stays as it is.
func (o Over) Absorb(read *fakes.Call, reply fakes.Reply) {
	importer, ok := o.absorbs()
	if !ok || !good(reply) {
		return
	}
	from := len(read.Tx.Changes())
	if !read.Bounded(func() { importer.Import(read, reply.Status, reply.Body) }) {
		return
	}
	stayGone(read.Tx, from)
	if read.Operation.Anatomy.List {
		list := record{Key: o.listed(read.Operation, fakes.PathTo(read.Operation, read.Input.Path)), State: Absorbed, Seen: map[string]any{}}
		list.keep(read.Tx)
	}
	k := o.subject(read)
	if k.ID == "" {
		return
	}
	known := readOf(read.Tx, k)
	if known != nil && known.State != Absorbed {
		return
	}
	said, _ := parse(reply.Body)
	r := record{Key: k, State: Absorbed, Seen: mark(shower(read), said)}
	if known != nil && !reflect.DeepEqual(known.Seen, r.Seen) {
		refresh(importer, read, reply, k)
	}
	r.keep(read.Tx)
}

// refresh has a record that was absorbed before, and that the run has not changed, be
// as the real service shows it now: as it would be absorbed for the first time.
func refresh(importer fakes.Importer, read *fakes.Call, reply fakes.Reply, k Key) {
	old, there := read.Tx.Get(k.Collection, k.ID)
	if !there {
		return
	}
	mark := read.Tx.Mark()
	kit.Must("overlay", read.Tx.Delete(k.Collection, k.ID))
	read.Work = nil
	done := read.Bounded(func() { importer.Import(read, reply.Status, reply.Body) })
	fresh, ok := read.Tx.Get(k.Collection, k.ID)
	read.Tx.Restore(mark)
	if done && ok && !bytes.Equal(old.JSON(), fresh.JSON()) {
		_, err := read.Tx.Update(k.Collection, k.ID, fresh.Value())
		kit.Must("overlay", err)
	}
}

// stayGone takes out again what the run has deleted, where a reply showed it.
func stayGone(tx *world.Tx, from int) {
	for _, c := range slices.Clone(tx.Changes()[from:]) {
		if r := readOf(tx, Key{c.Collection, c.ID}); c.Op == world.Create && r != nil && r.State == Deleted {
			kit.Must("overlay", tx.Delete(c.Collection, c.ID))
		}
	}
}

// subject is the record that a call is about.
func (o Over) subject(call *fakes.Call) Key {
	editor, ok := o.Service.Fake.(fakes.Editor)
	if !ok {
		return Key{}
	}
	mark := call.Tx.Mark()
	defer call.Tx.Restore(mark)
	collection, id := editor.Subject(call)
	return Key{collection, id}
}

// versions are names of fields that change whenever a record does.
func versions() []string {
	return []string{
		"etag", "version", "rev", "revision", "updated_at", "updatedAt", "updated", "last_edited_time", "lastModified", "last_modified", "modified",
	}
}

// mark is what a record is known by that a real service has shown: the field that
// changes with it and its value, else a digest of all of it by what showed it.
func mark(by string, said any) map[string]any {
	for _, held := range records(said) {
		for _, name := range versions() {
			if text := plain(held[name]); text != "" {
				return map[string]any{"field": name, "value": text}
			}
		}
	}
	return map[string]any{"by": by, "value": digest(said)}
}

// shower is what shows a record in a form of its own: an operation, and what it is
// asked for.
func shower(read *fakes.Call) string {
	by := read.Operation.Name() + " " + fakes.PathTo(read.Operation, read.Input.Path)
	if len(read.Input.Query) > 0 {
		by += "?" + string(encode(read.Input.Query))
	}
	return by
}

// records are a value, and what stands in it, where that is one record.
func records(said any) []map[string]any {
	whole := cast.Object(said)
	all := []map[string]any{whole}
	if len(whole) == 1 {
		for _, inner := range whole {
			all = append(all, cast.Object(inner))
		}
	}
	return all
}

func digest(v any) string {
	sum := sha256.Sum256(encode(v)) // fields in the order of their names
	return hex.EncodeToString(sum[:16])
}

// differs tells whether a record that is shown now is not as it was seen; what is
// shown by another operation, in another form, is not held against it.
func differs(seen map[string]any, by string, now any) bool {
	if name := cast.Text(seen["field"]); name != "" {
		for _, held := range records(now) {
			if text := plain(held[name]); text != "" {
				return text != cast.Text(seen["value"])
			}
		}
		return false
	}
	return by == cast.Text(seen["by"]) && digest(now) != cast.Text(seen["value"])
}
