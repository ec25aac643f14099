package faults

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"parity/fakes"
	"parity/specs"
)

// movingPage lets records come and go while a list is read.
//
//	agent   page 1: 1 2 3 ──────────── page 2: 3 4 6
//	others        └─▶ insert 0, remove 5 ─┘  3 twice, 5 never
func movingPage() *Fault {
	return &Fault{
		Name:     "moving-page",
		Phase:    InWorld,
		Summary:  "Between two pages others make and delete records: some items show twice, others never.",
		Reaction: "Ids are deduplicated; a gap is not taken as deletion.",
		Judging:  Judging{Class: MovingList},
		Forms:    []Form{{Rank: 180, First: true, With: map[string]any{"insert": int64(2), "remove": int64(1)}, Fits: fitsPaged}},
		Example: `others-work-meanwhile:
  call: stripe GET /v1/customers
  inject: moving-page
  with: {insert: 2, remove: 1}
  trigger: {first: 3}
  because: Lists of a live account move while they are read; page numbers shift under the reader.`,
		Params: []Param{
			{Name: "insert", Kind: Count, Default: int64(1), Max: 100, Doc: "how many records others make, like those of the page, after each page that has more behind it", Example: "2"},
			{Name: "remove", Kind: Count, Default: int64(1), Max: 100, Doc: "how many of the page's records others delete; the last one, where cursors point, stays", Example: "2"},
		},
		build: func(a Args) (Injection, error) {
			c := crowd{insert: int(a.count("insert")), remove: int(a.count("remove"))}
			if c.insert+c.remove == 0 {
				return nil, &ArgError{Key: "insert", Message: "one of insert and remove is above 0"}
			}
			return c, nil
		},
	}
}

type crowd struct{ insert, remove int }

// Misfit wants a list that is paged, and somebody who can change its records.
func (c crowd) Misfit(op *specs.Operation, fake fakes.Fake) string {
	_, edits := fake.(fakes.Editor)
	_, copies := fake.(fakes.Copier)
	switch a := &op.Anatomy; {
	case !a.List:
		return op.Name() + " gives no list"
	case !goesOn(a):
		return op.Name() + " has no pages between which records could move"
	case fake != nil && c.remove > 0 && !edits:
		return op.Service + " has no records that others can delete"
	case fake != nil && c.insert > 0 && !copies:
		return op.Service + " has no records that others can make"
	}
	return ""
}

func (c crowd) Apply(p *Plan, _ CallContext) Mark {
	p.Edit(AfterCall, c.move)
	return Mark{}
}

func (c crowd) move(s *Scene) Done {
	shown := pageAsked(s.Call.Operation, s.Call.Input, s.Reply.Status, s.Reply.Header, s.Reply.Body)
	if shown == nil || !shown.more() {
		return Nothing("no page follows this one")
	}
	var ids []string
	collection := ""
	for _, item := range shown.items {
		in, id := recordOf(s, shown, item)
		if id != "" {
			collection, ids = in, append(ids, id)
		}
	}
	if len(ids) == 0 {
		return Nothing("what the page shows are no records that others can change")
	}
	var did []string
	var wrong error
	for range c.insert {
		if s.Copier == nil {
			break
		}
		id, err := s.Copier.Copy(s.Call, collection, ids[int(s.Draw("copied")*float64(len(ids)))])
		if err != nil {
			wrong = err
			break
		}
		did = append(did, "made "+id)
	}
	candidates := ids[:len(ids)-1]
	for n := range min(c.remove, len(candidates)) {
		if s.Editor == nil {
			break
		}
		at := int(s.Draw(fmt.Sprint("removed/", n)) * float64(len(candidates)))
		id := candidates[at]
		candidates = append(candidates[:at:at], candidates[at+1:]...)
		if err := s.Editor.Remove(s.Call, collection, id); err != nil {
			wrong = err
			continue
		}
		did = append(did, "deleted "+id)
	}
	if len(did) == 0 {
		if wrong != nil {
			return Nothing(wrong.Error())
		}
		return Nothing("the page has no record that could go")
	}
	return Done{Did: strings.Join(did, ", ") + " in " + collection}
}

// recordOf finds the record that an item shows: where it is kept, and its id
// there. Where that is not the id that the item has, the fake is asked whom a
// call for the item would be about.
func recordOf(s *Scene, p *page, item any) (collection, id string) {
	c := s.Call
	full := c.Operation.Service + "." + c.Operation.Anatomy.Collection
	fields, _ := item.(map[string]any)
	names := []string{p.idOf(item)}
	for _, name := range []string{"id", "number", "name", "login", "email", "key", "sha"} {
		names = append(names, idText(fields[name]))
	}
	for _, id := range names {
		if _, ok := c.Tx.Get(full, id); ok && id != "" {
			return full, id
		}
	}
	if s.Editor == nil || c.Contract == nil {
		return "", ""
	}
	for _, op := range c.Contract.Operations {
		if !about(op, c) {
			continue
		}
		for _, id := range names {
			member := *c
			member.Operation, member.Input = op, specs.Input{Path: maps.Clone(c.Input.Path)}
			if member.Input.Path == nil {
				member.Input.Path = map[string]string{}
			}
			member.Input.Path[op.Anatomy.Member] = id
			if collection, key := s.Editor.Subject(&member); key != "" && id != "" {
				return collection, key
			}
		}
	}
	return "", ""
}

// about tells whether an operation reads one member of the list that a call
// reads, which a path names with what the call has and the member's id.
func about(op *specs.Operation, c *fakes.Call) bool {
	a := &op.Anatomy
	if op.Method != http.MethodGet || a.List || a.Member == "" || a.Collection != c.Operation.Anatomy.Collection {
		return false
	}
	for part := range strings.SplitSeq(op.Path, "{") {
		name, _, found := strings.Cut(part, "}")
		if _, sent := c.Input.Path[name]; found && !sent && name != a.Member {
			return false
		}
	}
	return true
}

var _ Requirer = crowd{}
