// Package intake makes a world of what a real service showed: of a mirror, or of
// what was recorded while it was read.
//
//	conversation ─▶ reads that went well, what holds others first ─▶ Importer
//	                                  │                                  │
//	            lists, page by page ──┴─▶ the order that they show ──▶ world
//
// It takes in replies, not calls: a charge, a repository or a user is there though
// no call makes one.
package intake

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/recording"
	"parity/fakes/stage"
	"parity/fakes/world"
)

// seed is what is drawn from that replies do not say: the same conversation makes
// the same world in runs of any seed.
const seed = 0

// Taken is a world with what a conversation shows.
type Taken struct {
	World *world.World
	Fresh map[string][]string // by collection, the ids of the records that it brought, oldest first
	Rises map[string]bool     // collections of which a list begins with the oldest
	Reads int                 // that were taken in
	Left  int                 // exchanges that were not: writes, refusals, and calls that the contract does not have
}

// Take makes a world of what a conversation shows of a service, beside what is there
// already. at is when that was: what replies do not date is as of then.
func Take(w *world.World, service fakes.Service, c recording.Conversation, at time.Time) (Taken, error) {
	t := &taking{base: w, stage: stage.New(service, w, seed), taken: Taken{Fresh: map[string][]string{}, Rises: map[string]bool{}}}
	t.stage.Now = at
	introduce(t.stage)
	c = c.Plain()
	t.choose(c)
	for _, r := range t.inOrder() {
		t.face(r.exchange)
		call, err := t.stage.Take(r.exchange)
		if err != nil {
			return Taken{}, err
		}
		if call != nil {
			t.taken.Reads++
		}
	}
	t.taken.Left = len(c.Exchanges) - t.taken.Reads
	t.settle()
	t.taken.World = t.stage.World
	return t.taken, nil
}

// introduce shows a credential of the service's form.
func introduce(s *stage.Stage) {
	s.Header.Set("User-Agent", "parity") // some services want one
	if i, ok := s.Service.Fake.(fakes.Introducer); ok {
		s.Header.Set("Authorization", i.Introduction())
	}
}

// taking is a conversation that is being taken in.
type taking struct {
	base  *world.World
	stage *stage.Stage
	reads []read
	taken Taken
}

// read is a read that went well.
type read struct {
	exchange recording.Exchange
	call     *fakes.Call
	number   int
	depth    int // how many segments the path of what it is of has
	asked    int // parameters
	list     bool
}

// choose picks the reads that went well, without what the conversation's own writes
// made.
func (t *taking) choose(c recording.Conversation) {
	var made map[string]bool
	if slices.ContainsFunc(c.Exchanges, func(e recording.Exchange) bool { return !t.stage.Reads(e) }) {
		made = c.Made(t.stage.Reads)
	}
	for i, e := range c.Exchanges {
		if !e.Response.Good() || !t.stage.Reads(e) {
			continue
		}
		if len(made) > 0 {
			if e.Response.Body = recording.Without(e.Response.Body, made); e.Response.Body == "" {
				continue
			}
		}
		t.face(e)
		call := t.stage.Seen(e)
		if call == nil {
			continue
		}
		r := read{exchange: e, call: call, number: i, list: call.Operation.Anatomy.List, asked: len(call.Input.Query) + len(call.Input.Body)}
		if u, err := url.Parse(e.Request.URL); err == nil {
			r.depth = len(strings.Split(strings.Trim(u.EscapedPath(), "/"), "/"))
		}
		if !r.list && call.Operation.Anatomy.Member != "" {
			r.depth--
		}
		t.reads = append(t.reads, r)
	}
}

// inOrder gives the reads as they are taken in, where what is there already stays:
// what holds others before what it holds, single records before lists, which may
// show a part of each, what is asked for plainly before what is asked for in part,
// and of two the newer first.
func (t *taking) inOrder() []read {
	return slices.SortedStableFunc(slices.Values(t.reads), func(x, y read) int {
		return cmp.Or(cmp.Compare(x.depth, y.depth), cmp.Compare(late(x), late(y)), x.asked-y.asked, y.number-x.number)
	})
}

// late puts lists after single records, and last what tells of records as they were.
func late(r read) int {
	switch {
	case r.call.Operation.Anatomy.Collection == "events":
		return 2
	case r.list:
		return 1
	}
	return 0
}

// face has the stage stand at the address that was called.
func (t *taking) face(e recording.Exchange) {
	if u, err := url.Parse(e.Request.URL); err == nil && u.Host != "" {
		t.stage.Base = u.Scheme + "://" + u.Host
	}
}

// fresh gives the records of a collection that the conversation brought, oldest
// first.
func (t *taking) fresh(collection string) (all []*world.Record) {
	for r := range t.stage.World.Oldest(collection, 0) {
		if was, there := t.base.Get(collection, r.ID); !there || was.Order != r.Order {
			all = append(all, r)
		}
	}
	return all
}

// collections are those of the service that records were brought of.
func (t *taking) collections() []string {
	names := map[string]bool{}
	for _, c := range t.stage.Service.Collections {
		if t.stage.World.Len(c.Name) > 0 {
			names[c.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
