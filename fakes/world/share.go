package world

import (
	"bytes"
	"cmp"
	"slices"
	"unsafe"
)

// What a service writes down of others' records, and nobody asks for, is kept
// in one of two ways. What is short is kept as JSON, and of the record that it
// shows only where that stands in it. What is longer than longestShared is kept
// as its value: the long texts in it are those of the record, and of every later
// version that has them too, where its JSON would have them anew.
const longestShared = 4096

// leastShared is how long a record's JSON is at least that another shares with
// it: to keep where it stands takes half of that.
const leastShared = 128

// quiet tells whether nobody asks for the records of a collection.
func (d *declared) quiet() bool { return d.Hidden || d.Ledger }

// asValue tells whether a record of some JSON is kept as its value alone.
func (d *declared) asValue(json []byte) bool { return d.quiet() && len(json) > longestShared }

// keep has the record kept by its JSON, in which others stand. False: it is kept as
// its value.
func (r *Record) keep(d *declared, json []byte, others []splice) bool {
	k := &kept{home: d}
	if d.asValue(json) {
		r.kept.Store(k)
		return false
	}
	if d.quiet() {
		json, k.held = share(json, others)
	}
	k.text = unsafe.String(unsafe.SliceData(json), len(json)) // nobody writes to it any more
	r.kept.Store(k)
	d.fresh.warm.add(r, nil)
	return true
}

// share gives what a record has of its own in its JSON, and what of others.
func share(json []byte, others []splice) (own []byte, all *held) {
	last, from := &all, 0
	for _, s := range others {
		if s.size < leastShared || s.at < from {
			continue
		}
		if own == nil {
			own = make([]byte, 0, len(json)-s.size)
		}
		own = append(own, json[from:s.at]...)
		*last = &held{at: len(own), of: s.of}
		last, from = &(*last).next, s.at+s.size
	}
	if from == 0 {
		return json, nil
	}
	return append(own, json[from:]...), all
}

// within finds what stands of records that were met in the JSON of one that
// keeps none of it.
func (k *memo) within(d *declared, json []byte) []splice {
	var found []splice
	var buffer []byte
	if !d.quiet() {
		return nil
	}
	for _, r := range k.met {
		if r == nil || !r.apart() || r.size() < leastShared {
			continue
		}
		text := r.whole(&buffer)
		if at := bytes.Index(json, text); at >= 0 {
			found = append(found, splice{at, len(text), r})
		}
	}
	slices.SortFunc(found, func(a, b splice) int { return cmp.Compare(a.at, b.at) })
	return found
}
