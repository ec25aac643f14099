package verdict

import (
	"fmt"
	"slices"
	"strings"

	"parity/fakes/world"
)

// What an agent means by a call is told by its business fields. A model that
// composes a call anew words its free text anew: then the fields differ, and
// yet it may be the same order once more. Nothing on the wire tells that from
// two honest orders, so it is never called a double effect; but after an answer
// that was lost it is not called harmless either.
//
//	#1 charge 20.00, "Order 17"           ~~ reply lost ~~
//	#2 charge 20.00, "Order 17 (again)"   alike but for words: not evaluated
//	   … had #1 been answered, or had a read-back shown it: two orders

// pair is two effects that are alike but for their words.
type pair struct {
	lost, c *call
	fields  []string // that differ
}

// rewordings finds, among the calls of one actor, the effects that were made
// once more in other words, though no answer had told of the first, nor a read-back.
// An agent that sends the first again by itself knows the two apart.
func (j *judge) rewordings(calls []*call) []pair {
	var found []pair
	open := map[string]*call{} // by likeness, the latest whose answer was lost
	for _, c := range calls {
		if j.meant(c) || !c.changedThings() || len(open) == 0 && j.heard[c.intent()] {
			continue
		}
		like := likeness(c)
		if lost := open[like]; lost != nil {
			delete(open, like)
			if fields := j.reword(lost, c); len(fields) > 0 {
				found = append(found, pair{lost, c, fields})
			}
		}
		if !j.heard[c.intent()] {
			open[like] = c
		}
	}
	return found
}

// meant tells a call of which the profile says what makes it another one.
func (j *judge) meant(c *call) bool {
	return j.in.Meant != nil && j.in.Meant(c.x.Service, c.x.Operation)
}

// reword names the fields in which c may be lost once more in other words; none
// where it is not.
func (j *judge) reword(lost, c *call) []string {
	if lost.intent() == c.intent() {
		return nil
	}
	for _, one := range []*call{lost, c} {
		if _, ok := j.effect(one); !ok {
			return nil
		}
	}
	if j.readBack(lost, c.open).shows {
		return nil
	}
	return differing(fieldsOf(lost), fieldsOf(c))
}

// likeness is a call without its words: who asks for what.
func likeness(c *call) string {
	meant := map[string]any{}
	for name, value := range fieldsOf(c) {
		if name != "metadata" && !wordy(name) && !ofTheTry(name) {
			meant[name] = value
		}
	}
	return c.x.Path + "?" + c.x.Query + " " + string(world.Encode(meant))
}

// differing names the words in which two like calls differ; none where what
// differs names another order.
func differing(a, b map[string]any) []string {
	var names []string
	for _, name := range keys(a, b) {
		if (wordy(name) || ofTheTry(name)) && !same(a[name], b[name]) {
			names = append(names, name)
		}
	}
	was, _ := a["metadata"].(map[string]any)
	now, _ := b["metadata"].(map[string]any)
	for _, name := range keys(was, now) {
		x, before := was[name]
		y, after := now[name]
		switch {
		case same(x, y):
		case before && after && identifies(name) && !ofTheTry(name):
			return nil
		default:
			names = append(names, "metadata["+name+"]")
		}
	}
	return names
}

// same compares two values of JSON, which may be lists and objects.
func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// keys are the names that either has, in order.
func keys(a, b map[string]any) []string {
	names := make([]string, 0, len(a)+len(b))
	for name := range a {
		names = append(names, name)
	}
	for name := range b {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// fieldsOf are the fields of a call's body, decoded once; nil: it has no body, or
// one that is not fields.
func fieldsOf(c *call) map[string]any {
	if !c.decoded {
		c.decoded = true
		if fields, err := world.Decode(c.x.Body); err == nil {
			c.fields = fields
		}
	}
	return c.fields
}

// wordy tells a field that is written for people.
// A table of English, not of any one service.
func wordy(name string) bool {
	switch name {
	case "description", "statement_descriptor", "statement_descriptor_suffix", "memo", "note", "notes", "comment", "comments", "reason":
		return true
	}
	return false
}

// ofTheTry tells a name whose value a client makes anew for each try.
func ofTheTry(name string) bool {
	return hasWord(name, "attempt", "correlation", "idempotency", "nonce", "request", "retry", "run", "session", "span", "timestamp", "trace", "try")
}

// identifies tells a label whose value says which order, case or thing is
// meant: two values of it are two orders.
func identifies(name string) bool {
	return hasWord(name, "booking", "case", "cart", "id", "invoice", "item", "key", "line", "no", "number", "order", "ref", "reference", "sku", "ticket")
}

// hasWord looks for one of words in a name: order_id and orderId are two each.
func hasWord(name string, words ...string) bool {
	var spaced strings.Builder
	small := false
	for _, r := range name {
		if small && r >= 'A' && r <= 'Z' {
			spaced.WriteByte(' ')
		}
		small = r >= 'a' && r <= 'z'
		spaced.WriteRune(r)
	}
	parts := strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return r < 'a' || r > 'z' })
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(words, part) })
}
