package world

import (
	"bytes"
	"cmp"
	"slices"
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

// keep gives the record its JSON, in which others stand.
func (r *Record) keep(json []byte, others []splice) {
	if r.own = json; r.home.quiet() {
		r.share(others)
	}
}

// share makes what stands in a record of others be kept once. r.own is all of
// its JSON until then.
func (r *Record) share(spliced []splice) {
	last, own, from := &r.held, []byte(nil), 0
	for _, s := range spliced {
		if len(s.json) < leastShared || s.at < from {
			continue
		}
		if own == nil {
			own = make([]byte, 0, len(r.own)-len(s.json))
		}
		own = append(own, r.own[from:s.at]...)
		*last = &held{at: len(own), json: s.json}
		last, from = &(*last).next, s.at+len(s.json)
	}
	if from > 0 {
		r.own = append(own, r.own[from:]...)
	}
}

// within finds what stands of records that were met in the JSON of one that
// keeps none of it.
func (k *memo) within(d *declared, json []byte) []splice {
	var found []splice
	if !d.quiet() {
		return nil
	}
	for _, r := range k.met {
		if r == nil || r.held != nil || len(r.own) < leastShared {
			continue
		}
		if at := bytes.Index(json, r.own); at >= 0 {
			found = append(found, splice{at, r.own})
		}
	}
	slices.SortFunc(found, func(a, b splice) int { return cmp.Compare(a.at, b.at) })
	return found
}
