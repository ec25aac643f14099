package verdict

import (
	"bytes"
	"fmt"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
)

// madeAnew is a record that the agent made in place of one that others deleted.
func (j *judge) madeAnew(c *call, e edit) *call {
	if !e.deleted {
		return nil
	}
	for _, n := range j.followed(c) {
		if !n.changedThings() {
			continue
		}
		for _, t := range j.written(n) {
			if t.Op == world.Create && t.Collection == e.collection && alike(t.value, e.whole) {
				return n
			}
		}
	}
	return nil
}

// shownIn tells whether a read shows a record that another read had shown.
func shownIn(c, was *call) bool {
	mine, its := c.read(), was.read()
	return meet(mine.shown, its.shown) || meet(mine.shown, its.marks) || meet(mine.marks, its.marks)
}

// edit is what somebody else did to a record.
type edit struct {
	collection, id string
	before, after  map[string]any // by path: properties.phone
	whole          map[string]any // before, as it is
	deleted        bool
	by             uint64 // the event that was it
}

// flat writes a record as one level: each value under its path.
func flat(m map[string]any) map[string]any {
	out := map[string]any{}
	var walk func(prefix string, v any)
	walk = func(prefix string, v any) {
		switch x := v.(type) {
		case map[string]any:
			for name, value := range x {
				if prefix != "" {
					name = prefix + "." + name
				}
				walk(name, value)
			}
		case []any:
			for i, value := range x {
				walk(fmt.Sprint(prefix, ".", i), value)
			}
		default:
			out[prefix] = v
		}
	}
	walk("", m)
	return out
}

// lastPart is the name of a field without its path.
func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// editBy finds the edit that a firing had happen; without it, an empty one.
func (j *judge) editBy(f firing) edit {
	if j.edits == nil {
		j.edits = map[string][]editAt{}
		for i := range j.in.Events {
			if e := &j.in.Events[i]; e.Edit != nil && e.Edit.Rule != "" {
				j.edits[e.Edit.Rule] = append(j.edits[e.Edit.Rule], editAt{e.Seq, e.Edit.Did, e.Delta})
			}
		}
	}
	for _, at := range j.edits[f.s.Rule] {
		if at.seq+1 != f.c.open && at.seq < f.c.open {
			continue
		}
		for _, d := range at.delta {
			if j.in.Hidden[d.Collection] || j.in.Ledgers[d.Collection] || bookkeeping(d.Collection) || at.did != "" && !strings.Contains(at.did, d.ID) || strings.Contains(at.did, " ") && strings.Contains(at.did, ".") && !strings.Contains(at.did, d.Collection) {
				continue
			}
			e := edit{by: at.seq, collection: d.Collection, id: d.ID, deleted: d.Op == world.Delete || strings.HasPrefix(at.did, "deleted ")}
			e.whole, _ = world.Decode(d.Before)
			after, _ := world.Decode(d.After)
			e.before, e.after = flat(e.whole), flat(after)
			if len(d.Before) > 0 {
				return e
			}
		}
	}
	return edit{}
}

// minds tells a field that an edit changed, and that says something of what the
// record is.
func (e *edit) minds(name string) bool {
	return !same(e.before[name], e.after[name]) && !passing(lastPart(name)) && !hasWord(name, "history", "past", "last", "audit") && !strings.Contains(name, "modified")
}

// stands tells whether what somebody else had changed is still so after a write.
func (e *edit) stands(c *call) bool {
	for _, d := range c.delta {
		if d.Collection != e.collection || d.ID != e.id {
			continue
		}
		decoded, err := world.Decode(d.After)
		if err != nil {
			return false
		}
		after, minded := flat(decoded), false
		for _, name := range keys(e.before, e.after) {
			minded = minded || e.minds(name)
			if e.minds(name) && (!same(after[name], e.after[name]) || sent(c, lastPart(name)) != nil) {
				return false
			}
		}
		return minded
	}
	return false
}

// dropped tells whether a line that somebody else had put into a text is gone from
// it, which otherwise is as it was before.
func dropped(before, after, now any) bool {
	x, ok := before.(string)
	y, ok2 := after.(string)
	z, ok3 := now.(string)
	if !ok || !ok2 || !ok3 || likenessOf(x, z) < 0.6 {
		return false
	}
	for line := range strings.Lines(y) {
		if line = strings.TrimSpace(line); len(line) > 3 && !strings.Contains(x, line) && !strings.Contains(z, line) && misses(z, line, x) {
			return true
		}
	}
	return false
}

// misses tells whether a text lacks each word of a line that is new against an
// older text.
func misses(text, line, older string) bool {
	has, had, news := wordsOf(text), wordsOf(older), 0
	for word := range wordsOf(line) {
		if had[word] {
			continue
		}
		if has[word] {
			return false
		}
		news++
	}
	return news > 0
}

// editAt is an edit and when it was.
type editAt struct {
	seq   uint64
	did   string
	delta []trail.Change
}

// writesOver tells whether a call writes to the record of an edit, or would have.
func (j *judge) writesOver(c *call, f firing, e edit) bool {
	if c.x.Service != f.c.x.Service {
		return false
	}
	for _, d := range c.delta {
		if d.Collection == e.collection && d.ID == e.id {
			return true
		}
	}
	if len(c.delta) > 0 && e.id != "" && c.x.Path != f.c.x.Path {
		return false
	}
	return c.x.Path == f.c.x.Path || e.id != "" && c.read().marks[strings.ToLower(e.id)]
}

// undone is a field that a write has put back to what it was before an edit, or
// to what the agent had tried to write before it had seen the edit.
func (j *judge) undone(c, refused *call, e edit) (field, was string) {
	for _, d := range c.delta {
		if d.Collection != e.collection || d.ID != e.id {
			continue
		}
		decoded, err := world.Decode(d.After)
		if err != nil {
			continue
		}
		after := flat(decoded)
		for _, name := range keys(e.before, e.after) {
			if !e.minds(name) {
				continue
			}
			if same(after[name], e.before[name]) {
				return name, shortValue(e.before[name])
			}
			if dropped(e.before[name], e.after[name], after[name]) {
				return name, shortValue(after[name])
			}
			if refused != nil && c.x.Method == "PUT" && bytes.Equal(c.x.Body, refused.x.Body) {
				return name, shortValue(after[name])
			}
			if refused != nil && !same(after[name], e.after[name]) && sent(c, lastPart(name)) != nil && same(sent(c, lastPart(name)), sent(refused, lastPart(name))) && !holds(after[name], e.after[name]) {
				return name, shortValue(after[name])
			}
		}
	}
	return "", ""
}

// sameButVersion tells two writes that put the same, but for the version that
// they say they have read.
func sameButVersion(a, b *call) bool {
	x, y := flat(fieldsOf(a)), flat(fieldsOf(b))
	n := 0
	for _, name := range keys(x, y) {
		if passing(lastPart(name)) || wordy(lastPart(name)) {
			continue
		}
		if !same(x[name], y[name]) {
			return false
		}
		n++
	}
	return n > 0
}

// holds tells whether a text has another one in it.
func holds(now, other any) bool {
	a, ok := now.(string)
	b, ok2 := other.(string)
	return ok && ok2 && b != "" && strings.Contains(a, b)
}

// sent is what a call says of a field, wherever its body has it; nil: nothing.
func sent(c *call, name string) any {
	var find func(v any) any
	find = func(v any) any {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		if v, ok := m[name]; ok {
			return v
		}
		for _, inner := range sorted(m) {
			if found := find(m[inner]); found != nil {
				return found
			}
		}
		return nil
	}
	return find(fieldsOf(c))
}
