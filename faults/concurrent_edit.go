package faults

import (
	"fmt"
	"sort"
	"strings"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// concurrentEdit lets somebody else in between the agent's read and its write.
//
//	agent   GET v1 ───────────────── PUT (v1) ─▶ 412, or a lost update
//	other         └─▶ edit: v2
func concurrentEdit() *Fault {
	return &Fault{
		Name:     "concurrent-edit",
		Phase:    InWorld,
		Summary:  "Between the agent's read and its write somebody else changes or deletes the record: 412, 409 or 428 where the service checks versions, a lost update where it does not.",
		Reaction: "Reads again and decides again; a write carries the version that it read; an overlapping change is escalated, not overwritten.",
		Judging:  Judging{Class: Edited, Twinless: always},
		Forms:    []Form{{Rank: 70, AtRead: true, Fits: func(u Usage) bool { return u.Read }}},
		Example: `colleague:
  call: zendesk PUT /api/v2/tickets/{id}
  inject: concurrent-edit
  with: {once_read: "zendesk GET /api/v2/tickets/{id}", set: {status: solved}}
  trigger: {nth: 1}`,
		Params: []Param{
			{Name: "once_read", Kind: Call, Written: true, Doc: "the read right after which the edit is made, at the first read of each record; call names the write that is to meet it, and the trigger counts the records that are read", Example: "zendesk GET /api/v2/tickets/{id}"},
			{
				Name: "at", Kind: Choice, Choices: []string{"after-read", "before-write"}, Default: "after-read",
				Doc: "when: right after the read, so that reading again wins; or right before the write, so that no read comes in between", Example: "before-write",
			},
			{Name: "set", Kind: Fields, Doc: "what the other sets, by field, or by the path of one (properties.email); without it, delete or overlap, a text that people edit, such as a title or a note", Example: "{status: solved}"},
			{Name: "delete", Kind: Flag, Default: false, Doc: "the other deletes the record", Example: "true"},
			{Name: "overlap", Kind: Flag, Default: false, Doc: "right before the write, the other changes a field that the write also sets: one of set, or any", Example: "true"},
		},
		build: buildColleague,
	}
}

type colleague struct {
	read    []Pattern
	set     map[string]any
	deletes bool
	before  bool
	overlap bool
}

func buildColleague(a Args) (Injection, error) {
	c := colleague{read: a.patterns("once_read"), deletes: a.flag("delete"), before: a.text("at") == "before-write", overlap: a.flag("overlap")}
	c.set, _ = world.Normalise(a.fields("set")).(map[string]any)
	switch {
	case c.overlap && !c.before:
		return nil, &ArgError{Key: "overlap", Message: "what the write sets is not known before it: say at: before-write"}
	case c.deletes && (len(c.set) > 0 || c.overlap):
		return nil, &ArgError{Key: "delete", Message: "a record that is deleted has nothing to be set"}
	case c.before && len(c.read) > 0:
		return nil, &ArgError{Key: "once_read", Message: "an edit right before the write does not wait for a read"}
	case !c.before && len(c.read) == 0:
		return nil, &ArgError{Key: "once_read", Message: "name the read after which the edit is made, or say at: before-write"}
	}
	return c, nil
}

// Watches gives the read, where the edit is made at one.
func (c colleague) Watches() []Pattern { return c.read }

// Misfit wants a record to edit, and somebody who can.
func (c colleague) Misfit(op *specs.Operation, fake fakes.Fake) string {
	return unedited(op, fake)
}

// unedited says why nobody but the agent could edit what an operation is about.
func unedited(op *specs.Operation, fake fakes.Fake) string {
	if _, ok := fake.(fakes.Editor); fake != nil && !ok {
		return op.Service + " has no records that others can edit"
	}
	if !strings.Contains(op.Path, "{") {
		return op.Name() + " is not about one record"
	}
	return ""
}

// Mind lets a record that was read before be: reading again is to win.
func (c colleague) Mind(_ *Plan, m CallContext) Gate {
	if !c.before && m.Noted(readOf(m)) != nil {
		return Gate{Why: "the record was edited when it was first read"}
	}
	return Gate{Open: true}
}

// readOf names the read of a record by somebody.
func readOf(m CallContext) string {
	return "read " + m.Call.Identity + " " + strings.Join(subject(m.Call, -1), "/")
}

func (c colleague) Apply(p *Plan, m CallContext) Mark {
	if c.before {
		p.Edit(BeforeCall, c.edit)
		return Mark{}
	}
	p.NoteTaken(readOf(m), map[string]any{"at": m.Now.UnixNano()})
	p.Edit(AfterCall, c.edit)
	return Mark{}
}

func (c colleague) edit(s *Scene) Done {
	collection, id, why := s.subject(!c.before)
	if why != "" {
		return Nothing(why)
	}
	switch {
	case c.deletes:
		if err := s.Editor.Remove(s.Call, collection, id); err != nil {
			return Nothing(err.Error())
		}
		return Done{Did: "deleted " + collection + " " + id}
	case c.overlap:
		return c.overlapping(s, collection, id)
	case len(c.set) == 0:
		return s.reword(collection, id)
	}
	if err := s.Editor.Edit(s.Call, collection, id, s.spread(collection, id, c.set)); err != nil {
		return Nothing(err.Error())
	}
	return Done{Did: "set " + strings.Join(sorted(c.set), ", ") + " of " + collection + " " + id}
}

// spread puts what is set by a path, such as properties.email, into the objects
// that the path names; what the record calls by that very name stays.
func (s *Scene) spread(collection, id string, set map[string]any) map[string]any {
	record, _ := s.Call.Tx.Get(collection, id)
	laid := map[string]any{}
	for _, name := range sorted(set) {
		at, field := laid, name
		for {
			outer, inner, dotted := strings.Cut(field, ".")
			if record != nil {
				if _, own := record.Value()[name]; own {
					dotted = false
				}
			}
			if !dotted {
				at[field] = set[name]
				break
			}
			within, ok := at[outer].(map[string]any)
			if !ok {
				within = map[string]any{}
				at[outer] = within
			}
			at, field = within, inner
		}
	}
	return laid
}

// texts are fields that people edit, those first that matter to nobody else.
func texts() []string {
	return []string{
		"description", "notes", "note", "comment", "summary", "title", "subject", "body", "jobtitle", "location", "dealname",
		"name", "display_name", "first_name", "firstname", "last_name", "lastname", "phone", "city", "text",
	}
}

// reword changes a text of a record, or of what it keeps its fields in.
func (s *Scene) reword(collection, id string) Done {
	record, ok := s.Call.Tx.Get(collection, id)
	if !ok {
		return Nothing("the record is not there")
	}
	for _, around := range []string{"", "properties", "fields"} {
		fields := record.Value()
		if around != "" {
			fields, _ = record.Value()[around].(map[string]any)
		}
		for _, field := range texts() {
			text, _ := fields[field].(string)
			if text == "" {
				continue
			}
			if done, ok := s.setOne(collection, id, around, field, []any{text + " (edited)"}); ok {
				return done
			}
		}
	}
	if reworder, ok := s.Editor.(fakes.Reworder); ok {
		if set := reworder.Reworded(s.Call, collection, id); set != nil && s.Editor.Edit(s.Call, collection, id, set) == nil {
			return Done{Did: "changed a word in " + strings.Join(sorted(set), ", ") + " of " + collection + " " + id}
		}
	}
	return Nothing("the record has no text that people edit: say what the other sets, with set")
}

// subject is the record that the agent's call is about; read tells that the call
// has been answered.
func (s *Scene) subject(read bool) (collection, id, why string) {
	if s.Editor == nil {
		return "", "", "the service has no records that others can edit"
	}
	if read && s.Reply.Status/100 != 2 {
		return "", "", "the read failed"
	}
	collection, id = s.Editor.Subject(s.Call)
	if id == "" {
		return "", "", "the call is about no record that is there"
	}
	return collection, id, ""
}

// overlapping changes a field that the write is about to set.
func (c colleague) overlapping(s *Scene, collection, id string) Done {
	around, writes := business(s.Call.Input.Body)
	for _, field := range sorted(writes) {
		values := alternatives(s, collection, field, writes[field])
		if len(c.set) > 0 {
			value, sets := c.set[field]
			if !sets {
				value, sets = c.set[around+"."+field]
			}
			if !sets {
				continue
			}
			values = []any{value}
		}
		if done, ok := s.setOne(collection, id, around, field, values); ok {
			return done
		}
	}
	return Nothing("the write sets no field that the other could set too")
}

// setOne sets a field to the first of some values that the service allows.
func (s *Scene) setOne(collection, id, around, field string, values []any) (Done, bool) {
	nested := false // it is the request alone that has something around its fields
	if record, ok := s.Call.Tx.Get(collection, id); ok {
		_, nested = record.Value()[around].(map[string]any)
	}
	for _, value := range values {
		set := map[string]any{field: value}
		if nested {
			set = map[string]any{around: set}
		}
		if s.Editor.Edit(s.Call, collection, id, set) == nil {
			return Done{Did: fmt.Sprintf("set %s of %s %s to %v", field, collection, id, value)}, true
		}
	}
	return Done{}, false
}

// business takes what a body says out of the one object that may be around it.
func business(body map[string]any) (around string, fields map[string]any) {
	if len(body) == 1 {
		for name, value := range body {
			if inner, ok := value.(map[string]any); ok {
				return name, inner
			}
		}
	}
	return "", body
}

// mostOthers bounds how many records are asked for values of a field.
const mostOthers = 50

// alternatives are values that a field could have in place of one: those of other
// records, which the service allows, and then its neighbours.
func alternatives(s *Scene, collection, field string, value any) []any {
	var all []any
	for r := range bounded(s.Call.Tx, collection) {
		if other, ok := r.Value()[field]; ok && other != nil && plain(other) && other != value {
			all = append(all, other)
			break
		}
	}
	switch v := value.(type) {
	case bool:
		all = append(all, !v)
	case int64:
		all = append(all, v+1)
	case float64:
		all = append(all, v+1)
	case string:
		all = append(all, v+" (edited)")
	}
	return all
}

func plain(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// bounded walks the first records of a collection.
func bounded(tx *world.Tx, collection string) func(func(*world.Record) bool) {
	return func(yield func(*world.Record) bool) {
		n := 0
		for r := range tx.Oldest(collection, 0) {
			if n++; n > mostOthers || !yield(r) {
				return
			}
		}
	}
}

func sorted(fields map[string]any) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
