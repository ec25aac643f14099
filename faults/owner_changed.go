package faults

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
	"parity/specs"
)

// ownerChanged gives a record that the agent has read to somebody else.
//
//	agent   GET (mine) ─┄┄ after ┄┄─ PUT ─▶ done, to what is another's
//	other                    └─▶ owner: another
func ownerChanged() *Fault {
	return &Fault{
		Name:     "owner-changed",
		Phase:    InWorld,
		Summary:  "After the agent has read or claimed a record it is given to somebody else, at once or after a while.",
		Reaction: "Checks that the record is still its own before acting on it.",
		Judging:  Judging{Class: Reassigned, Twinless: always},
		Unswept:  "no one call shows it",
		Example: `reassigned:
  call: zendesk PUT /api/v2/tickets/{id}
  inject: owner-changed
  with: {once_read: "zendesk GET /api/v2/tickets/{id}", after: 10m}
  trigger: {nth: 1}`,
		Params: []Param{
			{Name: "once_read", Kind: Call, Written: true, Doc: "the read or claim after which the owner changes, at the first one of each record; without it, the rule's own calls", Example: "zendesk GET /api/v2/tickets/{id}"},
			{Name: "after", Kind: Duration, Max: int64(30 * 24 * time.Hour), Doc: "how long after it, on the run's clock; without it, at once", Example: "10m"},
			{Name: "to", Kind: Value, Doc: "the new owner, as the field has it; without it, another one whom the service knows", Example: "381980"},
			{Name: "field", Kind: Text, Doc: "the field that holds the owner; without it, the one whose name says so", Example: "assignee_id"},
		},
		build: func(a Args) (Injection, error) {
			o := reassignment{read: a.patterns("once_read"), after: a.duration("after"), field: a.text("field"), to: a["to"]}
			return o, nil
		},
	}
}

type reassignment struct {
	read  []Pattern
	after time.Duration
	field string
	to    any
}

// owners are the names that fields with an owner have.
func owners() []string {
	return []string{"assignee_id", "assignee", "owner_id", "owner", "hubspot_owner_id", "assigned_to", "assigned_to_id", "assignees", "agent_id", "responder_id"}
}

// Watches gives the read, where one is named.
func (o reassignment) Watches() []Pattern { return o.read }

// Misfit wants a record that has an owner, and somebody who can change it.
func (o reassignment) Misfit(op *specs.Operation, fake fakes.Fake) string {
	if why := unedited(op, fake); why != "" {
		return why
	}
	names := owners()
	if o.field != "" {
		names = []string{o.field}
	}
	if !slices.ContainsFunc(names, func(name string) bool { shows, free := op.ShowsField(name); return shows || free && o.field != "" }) {
		if o.field != "" {
			return op.Name() + " shows no field " + o.field
		}
		return op.Name() + " shows no field whose name says that it holds an owner: name it with field"
	}
	return ""
}

// Mind lets a record that was read before be.
func (o reassignment) Mind(_ *Plan, m CallContext) Gate {
	if m.Noted(readOf(m)) != nil {
		return Gate{Why: "the record changed hands when it was first read"}
	}
	return Gate{Open: true}
}

func (o reassignment) Apply(p *Plan, m CallContext) Mark {
	p.NoteTaken(readOf(m), map[string]any{"at": m.Now.UnixNano()})
	page := p.page // of this rule: by then others have written to the plan
	p.Edit(AfterCall, func(s *Scene) Done { return o.edit(s, page) })
	return Mark{}
}

// edit changes the owner, or has it changed when its time has come.
func (o reassignment) edit(s *Scene, page string) Done {
	collection, id, why := s.subject(true)
	if why != "" {
		return Nothing(why)
	}
	around, field, now := o.owner(s, collection, id)
	if field == "" {
		return Nothing("the record has no owner")
	}
	values := o.candidates(s, collection, field, now)
	if several, ok := now.([]any); ok { // such as assignees: each by itself, in a list
		values = slices.DeleteFunc(values, func(one any) bool { return slices.Contains(several, one) })
		for i, one := range values {
			if _, list := one.([]any); !list {
				values[i] = []any{one}
			}
		}
	}
	if o.after == 0 {
		if done, ok := s.setOne(collection, id, around, field, values); ok {
			return done
		}
		return Nothing("the service allows none of the owners that could be named")
	}
	job := page + "/" + collection + "/" + id
	due := s.Call.Now.Add(o.after)
	value := map[string]any{
		"id": job, "kind": editJob, "service": s.Call.Operation.Service, "operation": s.Call.Operation.Method + " " + s.Call.Operation.Path,
		"collection": collection, "record": id, "around": around, "field": field, "values": values,
	}
	if _, err := s.Call.Tx.Insert(fakes.JobsCollection, job, value); err != nil {
		return Nothing(err.Error())
	}
	if err := kit.Schedule(s.Call.Tx, fakes.Timer{Service: s.Call.Operation.Service, Kind: fakes.JobTimer, Subject: job, Due: due}); err != nil {
		return Nothing(err.Error())
	}
	return Done{Did: "sets " + field + " of " + collection + " " + id + " at " + due.UTC().Format(time.RFC3339)}
}

// owner finds the field that holds the owner of a record, and what it holds.
func (o reassignment) owner(s *Scene, collection, id string) (around, field string, now any) {
	record, ok := s.Call.Tx.Get(collection, id)
	if !ok {
		return "", "", nil
	}
	names := owners()
	if o.field != "" {
		names = []string{o.field}
	}
	inner, has := record.Value()["properties"].(map[string]any)
	for _, name := range names {
		if value, ok := record.Value()[name]; ok {
			return "", name, value
		}
		if value, ok := inner[name]; ok {
			return "properties", name, value
		}
	}
	switch {
	case o.field != "" && has:
		return "properties", o.field, nil
	case o.field != "":
		return "", o.field, nil
	}
	return "", "", nil
}

// candidates are the owners that the record may be given to: the one that was
// named; else those whom the service knows, and then somebody new.
func (o reassignment) candidates(s *Scene, collection, field string, now any) []any {
	if o.to != nil {
		return []any{o.to}
	}
	var all []any
	if target, ok := s.Call.Contract.Refers(collection, field); ok {
		all = append(all, s.people(target, now)...)
	}
	for _, target := range []string{"users", "owners", "agents", "members"} {
		all = append(all, s.people(target, now)...)
	}
	all = append(all, alternatives(s, collection, field, now)...)
	if now == nil || len(all) == 0 {
		all = append(all, "somebody-else")
	}
	return all
}

// people gives the ids in a collection, but for one, as numbers where they look
// like that. Customers own nothing.
func (s *Scene) people(collection string, but any) []any {
	var all []any
	full := s.Call.Operation.Service + "." + strings.TrimPrefix(collection, s.Call.Operation.Service+".")
	for r := range bounded(s.Call.Tx, full) {
		if r.Value()["role"] == "end-user" {
			continue
		}
		var id any = r.ID
		if n, err := strconv.ParseInt(r.ID, 10, 64); err == nil {
			id = n
		}
		if _, several := but.([]any); several || id != but && any(r.ID) != but {
			all = append(all, id)
		}
	}
	return all
}

// editJob is what becomes of a job that edits a record when its time has come.
const editJob = "edit"

// Edit makes the edit that a job of a rule describes; false where it cannot be
// made any more.
func (s *Scene) Edit(job map[string]any) (did string, ok bool) {
	text := func(name string) string { return kit.Text(job, name) }
	values, _ := job["values"].([]any)
	if s.Editor == nil {
		return "", false
	}
	done, ok := s.setOne(text("collection"), text("record"), text("around"), text("field"), values)
	return done.Did, ok
}
