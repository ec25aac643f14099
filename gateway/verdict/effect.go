package verdict

import (
	"bytes"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs/words"
)

// effect is what one call did that must not be done twice.
type effect struct {
	c    *call
	noun string // "refund"
	verb string // "refunded"
	sum  sum    // zero where no money is in it
}

// touched is one record that a call wrote, decoded.
type touched struct {
	trail.Change
	value, before map[string]any
}

// changedThings tells a call that may have had an effect, without looking into
// what it wrote.
func (c *call) changedThings() bool {
	return c.done && (c.x.Committed || c.x.Fidelity == trail.Example && c.x.FakeStatus == 0) && !c.x.Replayed && !c.reads() && (c.status() == 0 || c.status()/100 == 2)
}

// effect finds what a call did: the record that it created, or the money that
// it moved. Entries in a service's own log of events are not effects, nor is
// an attempt that the service itself calls failed.
func (j *judge) effect(c *call) (effect, bool) {
	if !c.changedThings() {
		return effect{}, false
	}
	if c.deed == nil {
		c.deed = noEffect
		if e, ok := j.findEffect(c); ok {
			c.deed = &e
		}
	}
	return *c.deed, c.deed != noEffect
}

// noEffect stands for the effect of a call that has none.
var noEffect = &effect{}

func (j *judge) findEffect(c *call) (effect, bool) {
	written := j.written(c)
	if t, ok := principal(c, written); ok && !(aside(nounOf(&t)) && sets(written)) {
		if t.value["status"] == "failed" {
			return effect{}, false
		}
		noun := nounOf(&t)
		return effect{c: c, noun: noun, verb: verbOf(noun), sum: moved(t.value)}, true
	}
	for _, t := range written {
		if by, ok := difference(t.before, t.value); ok {
			noun := nounOf(&t)
			return effect{c: c, noun: "change of " + words.A(noun), verb: stepOf(c, noun), sum: sum{by, text(t.value, "currency")}}, true
		}
	}
	return effect{}, false
}

// written decodes what a call wrote, without bookkeeping, once.
func (j *judge) written(c *call) []touched {
	if c.written != nil {
		return c.written
	}
	all := make([]touched, 0, len(c.delta))
	for _, change := range c.delta {
		if j.in.Hidden[change.Collection] || len(change.After) == 0 {
			continue
		}
		value, err := world.Decode(change.After)
		if err != nil || logged(value) {
			continue
		}
		t := touched{Change: change, value: value}
		if len(change.Before) > 0 {
			t.before, _ = world.Decode(change.Before) // nil: nothing to compare with
		}
		all = append(all, t)
	}
	c.written = all
	return all
}

// logged tells an entry of a service's own log: an event that carries what it
// is about.
func logged(value map[string]any) bool {
	_, carries := value["data"].(map[string]any)
	return carries && value["object"] == "event" && text(value, "type") != ""
}

// principal picks, of the records that a call created, the one that says best
// what it did: the one that moves money, else the one that it answered with,
// else one of the collection that its path names. What a service keeps besides,
// such as the first ref of a repository that is touched, says least.
func principal(c *call, written []touched) (touched, bool) {
	best, rank := touched{}, -1
	for _, t := range written {
		if t.Op != world.Create {
			continue
		}
		score := 1
		switch noun := nounOf(&t); {
		case aside(noun):
			score = 0
		case movesMoney(noun):
			score = 4
		case bytes.Contains(c.reply(), []byte(`"id":"`+t.ID+`"`)):
			score = 3
		case slices.Contains(strings.Split(c.x.Path, "/"), t.Collection[strings.LastIndexByte(t.Collection, '.')+1:]):
			score = 2
		}
		if score > rank {
			best, rank = t, score
		}
	}
	return best, rank >= 0
}

// sets tells a call that changed records and made none but what a service notes
// of each change: the same values set once more come to the same.
func sets(written []touched) bool {
	return slices.ContainsFunc(written, func(t touched) bool { return t.Op == world.Update && !aside(nounOf(&t)) })
}

// aside tells what a service keeps of a call beside what the call was for.
// A table of English, not of any one service.
func aside(noun string) bool {
	switch noun {
	case "stat", "audit", "issue event", "hook delivery", "balance transaction":
		return true
	}
	return false
}

// difference finds a field of money that a write moved, and by how much.
func difference(before, value map[string]any) (int64, bool) {
	if before == nil {
		return 0, false
	}
	found, by := "", int64(0)
	for field, now := range value {
		if !strings.HasPrefix(field, "amount") && !strings.HasPrefix(field, "balance") {
			continue
		}
		n, isNumber := now.(int64)
		was, wasNumber := before[field].(int64)
		if isNumber && wasNumber && n != was && (found == "" || field < found) {
			found, by = field, n-was
		}
	}
	return max(by, -by), found != ""
}

func text(value map[string]any, field string) string {
	s, _ := value[field].(string)
	return s
}

// effectsOf lists the effects of calls, in their order.
func (j *judge) effectsOf(calls []*call) []effect {
	var done []effect
	for _, c := range calls {
		if e, ok := j.effect(c); ok {
			done = append(done, e)
		}
	}
	return done
}
