package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"parity/faults/trail"
)

// worldDoc is the world at the end of a run beside what it began with, as
// page/world.js shows it.
type worldDoc struct {
	Collections []collectionDoc `json:"collections"`
	Hidden      int             `json:"hidden,omitempty"` // records of bookkeeping that changed
}

type collectionDoc struct {
	Name    string      `json:"name"`
	Created int         `json:"created"`
	Updated int         `json:"updated"`
	Deleted int         `json:"deleted"`
	Passed  int         `json:"passed"`          // created, and deleted again
	Twins   int         `json:"twins,omitempty"` // shown records that were made once more
	Records []recordDoc `json:"records"`
	More    int         `json:"more,omitempty"` // records that are not shown
}

type recordDoc struct {
	ID     string     `json:"id"`
	Title  string     `json:"title,omitempty"` // what people would call it
	Twin   string     `json:"twin,omitempty"`  // the record that the same intent had made before
	Op     string     `json:"op"`
	By     []byDoc    `json:"by"`             // who changed it, in order
	Wrote  int        `json:"wrote"`          // how often it was changed
	Fields []fieldDoc `json:"fields"`         // of one that is at both ends
	More   int        `json:"more,omitempty"` // fields that are not shown
	Record *bodyDoc   `json:"record,omitempty"`
}

type byDoc struct {
	Event uint64 `json:"event"`
	Who   string `json:"who"`
}

const (
	mostRecords = 200 // of a collection
	mostBy      = 12  // changes of a record that are named
	mostTraced  = 100 // changes of a record that are looked into for who changed a field
)

// history is what happened to one record, on the line of events that stands.
type history struct {
	collection, id string
	steps          []step
}

type step struct {
	e *trail.Event
	c *trail.Change
}

// histories follows every record through the events that stand: what the run
// was set back from is undone.
func (p *packer) histories() (all []*history, hidden int) {
	type key struct{ collection, id string }
	found := map[key]*history{}
	for _, e := range trail.Lasting(p.all, p.forks) {
		for i := range e.Delta {
			c := &e.Delta[i]
			k := key{c.Collection, c.ID}
			h := found[k]
			if h == nil {
				h = &history{collection: c.Collection, id: c.ID}
				found[k] = h
				if p.hidden[c.Collection] {
					hidden++
				} else {
					all = append(all, h)
				}
			}
			h.steps = append(h.steps, step{e, c})
		}
	}
	slices.SortStableFunc(all, func(a, b *history) int { return cmp.Compare(a.collection, b.collection) })
	return all, hidden
}

// changes compares the world at the end with the one at the start.
func (p *packer) changes() worldDoc {
	all, hidden := p.histories()
	twins := twinned(all)
	doc := worldDoc{Hidden: hidden, Collections: []collectionDoc{}}
	for _, h := range all {
		n := len(doc.Collections)
		if n == 0 || doc.Collections[n-1].Name != p.plain(h.collection) {
			doc.Collections = append(doc.Collections, collectionDoc{Name: p.plain(h.collection)})
			n++
		}
		c := &doc.Collections[n-1]
		op := h.op()
		switch op {
		case "created":
			c.Created++
		case "updated":
			c.Updated++
		case "deleted":
			c.Deleted++
		case "came and went":
			c.Passed++
		default:
			continue // as it was
		}
		if len(c.Records) == mostRecords {
			c.More++
			continue
		}
		record := p.record(h, op)
		if record.Twin = p.plain(twins[h]); record.Twin != "" {
			c.Twins++
		}
		c.Records = append(c.Records, record)
	}
	doc.Collections = slices.DeleteFunc(doc.Collections, func(c collectionDoc) bool { return len(c.Records) == 0 })
	return doc
}

// op says in a word what became of a record between start and end; "" where it
// is again what it was.
func (h *history) op() string {
	first, last := h.steps[0].c, h.steps[len(h.steps)-1].c
	switch was, is := first.Before != nil, last.After != nil; {
	case !was && is:
		return "created"
	case was && !is:
		return "deleted"
	case !was && !is:
		return "came and went"
	case bytes.Equal(first.Before, last.After):
		return ""
	}
	return "updated"
}

func (p *packer) record(h *history, op string) recordDoc {
	first, last := h.steps[0].c, h.steps[len(h.steps)-1].c
	doc := recordDoc{ID: p.plain(h.id), Op: op, Wrote: len(h.steps), By: []byDoc{}, Fields: []fieldDoc{}}
	for i, s := range h.steps {
		if i == mostBy {
			break
		}
		doc.By = append(doc.By, byDoc{s.e.Seq, p.plain(actor(s.e))})
	}
	if doc.Title = p.title(last.After); last.After == nil {
		doc.Title = p.title(last.Before)
	}
	if doc.Title == doc.ID {
		doc.Title = ""
	}
	switch {
	case op == "updated" && len(first.Before)+len(last.After) <= mostWhole:
		by := h.writers()
		doc.Fields, doc.More = p.fieldDocs(fieldsOf(first.Before, last.After), by)
	case last.After != nil:
		doc.Record = p.body(last.After)
	default:
		doc.Record = p.body(last.Before)
	}
	return doc
}

// writers tells for a field which event changed it last.
func (h *history) writers() func(pointer string) uint64 {
	end := h.steps[len(h.steps)-1].e.Seq
	seqs := map[string]uint64{}
	for _, s := range h.steps[max(0, len(h.steps)-mostTraced):] {
		if s.c.Before == nil || s.c.After == nil {
			continue
		}
		for _, d := range fieldsOf(s.c.Before, s.c.After) {
			seqs[d.Pointer] = s.e.Seq
		}
	}
	return func(pointer string) uint64 {
		if seq, ok := seqs[pointer]; ok {
			return seq
		}
		latest := uint64(0) // of what is in it, or what it is in
		for at, seq := range seqs {
			if strings.HasPrefix(at, pointer+"/") || strings.HasPrefix(pointer, at+"/") {
				latest = max(latest, seq)
			}
		}
		return cmp.Or(latest, end)
	}
}

// actor says whose doing an event was.
func actor(e *trail.Event) string {
	switch {
	case e.Exchange != nil && e.Identity != "":
		return "the agent, as " + e.Identity
	case e.Exchange != nil:
		return "the agent"
	case e.Edit != nil && e.Edit.Rule != "":
		return "somebody else, by rule " + e.Edit.Rule
	case e.Kind == trail.WorldEdited:
		return "somebody else"
	case e.Act != nil:
		return e.Act.By.Name + ", a person"
	case e.Timer != nil:
		return e.Timer.Service + ", on its own"
	case e.Delivery != nil:
		return e.Delivery.Service + ", on its own"
	case e.Word != nil:
		return e.Word.By.Name
	}
	return kindWord(e.Kind)
}
