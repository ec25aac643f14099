package verdict

import (
	"strings"

	"parity/fakes/world"
)

// Two effects may be for one order though nothing on the wire says that one is a
// retry of the other: another worker, another credential, another key, an older
// operation. Labels tell: what names the order is equal. Where nothing names it,
// and the calls are equal, that is asked.
//
//	#1 charge 84.00, order 7781, key k1     worker one
//	#2 charge 84.00, order 7781, key k2     worker two      one order, two charges

// repeat is an effect that was had once more, by a call that is an intent of its
// own; label is what says that they are for one order, "" where nothing does.
type repeat struct {
	lost, c *call
	label   string
}

// orders finds the effects that are for an order which had one already.
func (j *judge) orders() []repeat {
	var found []repeat
	labelled, plain := map[string]*call{}, map[string]*call{}
	for _, c := range j.calls {
		if !c.changedThings() || j.meant(c) {
			continue
		}
		e, ok := j.effect(c)
		if !ok || strings.HasPrefix(e.noun, "change of") {
			continue
		}
		if label := orderOf(c); label != "" && (movesMoney(e.noun) || priced(fieldsOf(c))) {
			key := string(rune(c.line)) + c.x.Service + " " + e.noun + " " + e.sum.String() + " " + label + " " + tagsOf(c)
			if !movesMoney(e.noun) {
				key += c.name() + likeness(c)
			}
			if was := labelled[key]; was != nil && was.intent() != c.intent() && !j.takenBack(was, nil) && !j.takenBack(c, nil) {
				found = append(found, repeat{was, c, label})
				continue
			}
			labelled[key] = c
		}
		if c.x.Effect != "irreversible" && !priced(fieldsOf(c)) && !bears(fieldsOf(c)) || renewing(c) {
			continue // a lease, a note: two of them are not one order
		}
		key := string(rune(c.line)) + c.verbatim()
		if was := plain[key]; was != nil && len(c.x.Body) > 2 && was.intent() != c.intent() && !ownID(j, c) && !j.takenBack(was, nil) && !j.takenBack(c, nil) {
			found = append(found, repeat{lost: was, c: c})
			continue
		}
		plain[key] = c
	}
	return found
}

// orderOf is what names the order that a call is for, in words; "": nothing does.
func orderOf(c *call) string {
	all := labels(fieldsOf(c))
	var parts []string
	for _, name := range sortedText(all) {
		parts = append(parts, strings.TrimPrefix(name, "metadata.")+" "+all[name])
	}
	return strings.Join(parts, ", ")
}

// tagsOf are the other labels that a client has put on an order: a month, a part
// of it. Two orders may have one name, and differ in these.
func tagsOf(c *call) string {
	metadata, _ := fieldsOf(c)["metadata"].(map[string]any)
	meant := map[string]any{}
	for name, value := range metadata {
		if !wordy(name) && !ofTheTry(name) && !hasWord(name, "worker", "agent", "source", "bot", "by") {
			meant[name] = value
		}
	}
	return string(world.Encode(meant))
}

func sortedText(m map[string]string) []string {
	names := map[string]any{}
	for name := range m {
		names[name] = nil
	}
	return sorted(names)
}

// priced tells a body that has an amount of money.
func priced(fields map[string]any) bool {
	for name, value := range fields {
		if n, ok := value.(int64); ok && n > 0 && hasWord(name, "amount", "cents", "total", "price", "sum", "gross", "net", "fee", "value") {
			return true
		}
	}
	return false
}

// takenBack tells whether the agent had undone one call before it made another, or
// by the end where that is nil: deleted, cancelled or refunded what that made.
func (j *judge) takenBack(was, c *call) bool {
	ids := map[string]bool{}
	for _, d := range was.delta {
		if d.Op == world.Create {
			ids[strings.ToLower(d.ID)] = true
		}
	}
	all := j.undoings()
	begin := after(all, was.open)
	for _, n := range all[begin:min(len(all), begin+mostUndoings)] {
		if c != nil && n.open >= c.open {
			return false
		}
		if n.who == was.who && meet(n.read().marks, ids) {
			return true
		}
	}
	return false
}

// bears tells a body that has a field by which people tell two records apart.
func bears(fields map[string]any) bool {
	for name, value := range flat(fields) {
		if s, ok := value.(string); ok && s != "" && naming(lastPart(name)) {
			return true
		}
	}
	return false
}

// mostUndoings bounds how many calls that undo something are looked at for one.
const mostUndoings = 16

// undoings are the calls that take something back, in their order.
func (j *judge) undoings() []*call {
	if j.takings == nil {
		j.takings = []*call{}
		for _, n := range j.calls {
			path := strings.ToLower(n.x.Path)
			undoes := n.x.Method == "DELETE" || strings.Contains(path, "cancel") || strings.Contains(path, "refund") || strings.Contains(path, "void") || strings.Contains(path, "delete")
			if undoes && n.x.Committed {
				j.takings = append(j.takings, n)
			}
		}
	}
	return j.takings
}
