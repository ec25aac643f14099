package verdict

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"parity/fakes/world"
	"parity/faults/trail"
)

// Ending is how an agent's process ended.
type Ending struct {
	Exit int    // its exit code; 128+n where a signal ended it
	Said string // its last lines, where the profile asks for them; else ""
}

// Calm is a twin: a run of the same agent, with the same seed and profile,
// without faults.
type Calm struct {
	Run         string
	Events      []trail.Event
	Settlements map[uint64]trail.Settlement
	Ending      *Ending // nil: nobody knows
}

// Says has what agents write to people when their work is done, and when they
// stopped without it, beside the words that are known in any case.
type Says struct {
	Done    []*regexp.Regexp
	Stopped []*regexp.Regexp
}

// witness is what a twin shows: how the world comes out where nothing goes
// wrong, held against how it came out here.
//
//	calm   refund 25.00 of ch_1     message "refunded"
//	here   refund 25.00 of ch_1  ×2 message "refunded"      one too many
type witness struct {
	usable    bool
	why       string          // it is not usable
	more      []*act          // here alone
	fewer     []*act          // in the twin alone
	changed   [][2]*act       // here, and in the twin
	gone      int             // records that others deleted meanwhile
	made      []string        // ids of records that others made meanwhile
	addressed map[string]bool // to whom people were told something in the twin

	other *judge // of the twin
}

// witness compares the run with its twins, once. Of several that differ among
// each other, what most of them show counts.
func (j *judge) witness() *witness {
	if j.twins != nil {
		return j.twins
	}
	j.twins = &witness{}
	if len(j.in.Calm) == 0 {
		return j.twins
	}
	votes := map[string][]*witness{}
	for i := range j.in.Calm {
		w := j.heldAgainst(&j.in.Calm[i])
		if !w.usable {
			j.twins.why = w.why
			continue
		}
		votes[w.kind()] = append(votes[w.kind()], w)
	}
	for _, same := range votes {
		if 2*len(same) > len(j.in.Calm) {
			j.twins = same[0]
			return j.twins
		}
	}
	if len(votes) > 1 {
		j.twins.why = "the twins differ among each other, so the agent is not repeatable: --repeat with more of them lets the most decide"
	}
	return j.twins
}

func (w *witness) kind() string {
	return fmt.Sprint(len(w.more) > 0, len(w.fewer) > 0, len(w.changed) > 0)
}

// heldAgainst compares the run with one twin.
func (j *judge) heldAgainst(calm *Calm) *witness {
	if len(calm.Events) == 0 {
		return &witness{why: "the twin's journal is not there"}
	}
	if !j.repeatable(calm) {
		return &witness{why: "the agent did otherwise in the twin before any fault struck, so it is not repeatable, and the twin shows nothing"}
	}
	other := &judge{in: Input{Events: calm.Events, Settlements: calm.Settlements, Hidden: j.in.Hidden, Ledgers: j.in.Ledgers, Agents: j.in.Agents, Operation: j.in.Operation}, speech: newSpeech(j.in.Says)}
	other.ledger = newLedger(other.in)
	mine, its := j.drawnIDs(), other.drawnIDs()
	alone := func(own, other map[string]string) func(string) (string, bool) {
		return func(word string) (string, bool) {
			kind, ok := own[word]
			_, both := other[word]
			return kind, ok && !both
		}
	}
	w := &witness{usable: true, other: other, addressed: map[string]bool{}}
	there := other.actsOf(alone(its, mine))
	for _, a := range there {
		if a.talk {
			w.addressed[address(a.c)] = true
		}
	}
	w.align(j.actsOf(alone(mine, its)), there)
	w.freed(j)
	for i := range j.in.Events {
		if e := &j.in.Events[i]; e.Kind == trail.WorldEdited && e.Edit != nil {
			w.gone += strings.Count(e.Edit.Did, "deleted ")
			for _, d := range e.Delta {
				if d.Op == world.Create {
					w.made = append(w.made, strings.ToLower(d.ID))
				}
			}
		}
	}
	met := map[string]bool{}
	w.more = slices.DeleteFunc(w.more, func(a *act) bool { // what others made is dealt with as well, once
		key := w.forNew(a)
		first := key != "" && !met[key]
		met[key] = true
		return first
	})
	return w
}

func beginning(events []trail.Event) time.Time { return events[0].At.Time() }

// align pairs equal acts, and then, of what is left, those of one operation. What
// people are told need not be the same to the letter.
func (w *witness) align(here, there []*act) {
	count := map[string]int{}
	for _, a := range there {
		count[a.key]++
	}
	for _, a := range here {
		if count[a.key] > 0 {
			count[a.key]--
			continue
		}
		w.more = append(w.more, a)
	}
	for _, a := range slices.Backward(there) {
		if count[a.key] > 0 {
			count[a.key]--
			w.fewer = append(w.fewer, a)
		}
	}
	slices.Reverse(w.fewer)
	pair := func(match func(a, b *act) bool) {
		for i := 0; i < len(w.more); i++ {
			a := w.more[i]
			if n := slices.IndexFunc(w.fewer, func(b *act) bool { return a.c.name() == b.c.name() && match(a, b) }); n >= 0 {
				w.changed = append(w.changed, [2]*act{a, w.fewer[n]})
				w.more, w.fewer = slices.Delete(w.more, i, i+1), slices.Delete(w.fewer, n, n+1)
				i--
			}
		}
	}
	alike := func(a, b *act) bool { return likenessOf(a.key, b.key) >= 0.8 }
	pair(func(a, b *act) bool { return a.asked[""] == b.asked[""] && alike(a, b) })
	pair(alike)
	pair(func(a, b *act) bool { return true })
	w.changed = slices.DeleteFunc(w.changed, func(p [2]*act) bool { return w.sameSense(p[0], p[1]) })
}

// sameSense tells two acts that differ in nothing but in how people are told the
// same: with the same numbers, names and addresses, and as much or as little of
// there being nothing; or the same to the letter, and a warning or a remark besides.
func (w *witness) sameSense(a, b *act) bool {
	fields, _, _ := unlike(a.asked, b.asked)
	for _, name := range fields {
		x, ok := a.asked[name].(string)
		y, ok2 := b.asked[name].(string)
		if rest, more := strings.CutPrefix(x, strings.TrimRight(y, ".!")); ok && ok2 && more && (w.other.troubled(strings.ToLower(rest), "") || strings.HasPrefix(rest, " (") || strings.HasPrefix(rest, ". ")) {
			continue
		}
		if !ok || !ok2 || !strings.Contains(x, " ") && !strings.Contains(y, " ") || !says(x, y) || figures(x) != figures(y) {
			return false
		}
	}
	return true
}

// says tells whether a text says at least all that another one does.
func says(text, other string) bool {
	x := wordsOf(text)
	for word := range wordsOf(other) {
		if !x[word] {
			return false
		}
	}
	return denies(strings.ToLower(text)) == denies(strings.ToLower(other))
}

// figures are the numbers and addresses in a text, in order.
func figures(text string) string {
	var all []string
	eachWord(text, func(word string, _, _ int) {
		if strings.ContainsAny(word, "0123456789@") && !strings.HasPrefix(word, "@") {
			all = append(all, word)
		}
	})
	slices.Sort(all)
	return strings.Join(all, " ")
}

// repeatable tells whether all that the agent did before the first fault, it did
// in the twin as well.
func (j *judge) repeatable(calm *Calm) bool {
	begin := uint64(never)
	for _, firings := range j.firings {
		begin = min(begin, firings[0].c.open)
	}
	n := normal{foreign: func(string) (string, bool) { return "", false }, began: beginning(j.in.Events)}
	key := func(x *trail.Exchange) string {
		body, _ := world.Decode(x.Body)
		return x.Service + " " + x.Operation + " " + n.text(x.Path) + " " + string(world.Encode(asMap(n.value("", body))))
	}
	did := map[string]int{}
	for i := range calm.Events {
		if x := calm.Events[i].Exchange; x != nil && x.Operation != "" && calm.Events[i].Kind == trail.Exchanged {
			did[key(x)]++
		}
	}
	for _, c := range j.calls {
		if c.open >= begin || c.x.Operation == "" || c.connection() || c.reads() {
			continue
		}
		k := key(c.x)
		if did[k] == 0 {
			return false
		}
		did[k]--
	}
	return true
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// usual tells a text that the agent writes without faults as well.
func (j *judge) usual(text string) bool {
	if len(j.in.Calm) == 0 {
		return false
	}
	if j.calmTexts == nil {
		j.calmTexts = map[string]bool{}
		for i := range j.in.Calm {
			calm := &j.in.Calm[i]
			for k := range calm.Events {
				if x := calm.Events[k].Exchange; x != nil && len(x.Body) > 0 {
					j.calmTexts[(&call{x: x}).read().texts] = true
				}
			}
			if calm.Ending != nil && calm.Ending.Said != "" {
				j.calmTexts[strings.ToLower(calm.Ending.Said)] = true
			}
		}
	}
	return j.calmTexts[text]
}

// worse tells whether it came out wrong: another value, one too many, one on the
// wrong record. What tells people of trouble is none of it.
func (w *witness) worse(j *judge) bool { return len(w.wrong(j)) > 0 }

// wrong are the acts that are not as they should be.
func (w *witness) wrong(j *judge) []*act {
	var all []*act
	_, stopped := j.endedBadly()
	for _, p := range w.changed {
		if !j.warns(p[0].c) && !(p[0].talk && stopped) {
			all = append(all, p[0])
		}
	}
	for _, a := range w.more {
		if !j.warns(a.c) && !(a.talk && stopped) && w.tooMany(j, a) {
			all = append(all, a)
		}
	}
	if len(all) <= w.gone {
		return nil // others took as much away: that may be why
	}
	return all
}

// forNew says which record an act is for, and what it is, where others made that
// record meanwhile, so that the twin had none; "": it is for another.
func (w *witness) forNew(a *act) string {
	for _, id := range w.made {
		if a.c.read().marks[id] {
			return a.c.name() + " " + id
		}
	}
	return ""
}

// tooMany tells an act that the twin does not have and that is no mere word to
// people: or a word that was said before, or to somebody else, or by a call such as
// the one that was struck.
func (w *witness) tooMany(j *judge, a *act) bool {
	if !a.talk || j.repeatedIn(a) || !w.addressed[address(a.c)] && !j.warns(a.c) {
		return true
	}
	for _, firings := range j.firings {
		if c := firings[0].c; c.name() == a.c.name() && !c.reads() && c != a.c {
			return true
		}
	}
	return false
}

// repeatedIn tells whether a message says word by word what another one had said.
func (j *judge) repeatedIn(a *act) bool {
	for _, c := range j.calls {
		if c != a.c && c.name() == a.c.name() && c.changedThings() && bytes.Equal(c.x.Body, a.c.x.Body) && c.x.Path == a.c.x.Path {
			return true
		}
	}
	return false
}

// equal tells that all came out as in the twin; another word to people is no
// matter.
func (w *witness) equal(j *judge) bool {
	return len(w.fewer) <= w.gone && len(w.changed) == 0 && !slices.ContainsFunc(w.more, func(a *act) bool { return w.tooMany(j, a) })
}

// pretends tells that less was done than in the twin, and that people were told
// the same.
func (w *witness) pretends(j *judge) bool {
	missing := map[string]bool{}
	for _, a := range w.fewer {
		missing[a.c.name()] = true
	}
	if len(missing) == 0 {
		return false
	}
	for _, c := range j.calls {
		if c.changedThings() && !missing[c.name()] && j.announces(c) && j.usual(c.read().texts) {
			return true
		}
	}
	return false
}

// differs says how the run differs from its twin.
func (w *witness) differs(j *judge) string {
	var parts []string
	for _, p := range w.changed {
		here, calm := actsDiffer(p[0], p[1])
		did := j.done(p[0].c)
		if said := quoted(p[0].c); strings.HasSuffix(here, said) {
			did = strings.Replace(did, " "+said, "", 1) // it is told once
		}
		parts = append(parts, tag(p[0].c)+did+": "+here+", without the fault "+calm)
	}
	for _, a := range w.more {
		parts = append(parts, tag(a.c)+j.done(a.c)+", which the twin does not have")
	}
	for _, a := range w.fewer {
		parts = append(parts, "the twin "+w.other.done(a.c)+", this run did not")
	}
	const most = 3
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("and %d more", len(parts)-most))
	}
	return strings.Join(parts, "; ")
}

// calls are those that are wrong.
func (w *witness) calls(j *judge) []*call {
	const most = 8
	var all []*call
	for _, a := range w.wrong(j) {
		if len(all) < most {
			all = append(all, a.c)
		}
	}
	return all
}
