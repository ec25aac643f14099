package verdict

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"parity/faults"
	"parity/faults/trail"
)

// broken judges what an agent did about answers that were not what the service
// had to say: cut, spoilt, of another shape, with another value. Nothing seen
// only in one is written anywhere, nothing rests on there being nothing in it,
// and a write whose answer could not be read is not repeated blindly.
func (j *judge) broken(firings []firing) []finding {
	var writes, reads []firing
	for _, f := range firings {
		if f.c.reads() || f.c.x.Whole || f.class() == faults.Stalled {
			reads = append(reads, f)
		} else {
			writes = append(writes, f)
		}
	}
	findings := j.lost(writes, true)
	used := j.traces()[firings[0].s.Rule]
	findings = append(findings, used...)
	tainted := map[*call]bool{}
	for _, f := range used {
		tainted[f.calls[0]] = true
	}
	for _, group := range byMatter(reads) {
		if !slices.ContainsFunc(group, func(f firing) bool { return tainted[f.c] }) {
			findings = append(findings, j.spoilt(group))
		}
	}
	return findings
}

// spoilt judges what followed the bad answers about one matter.
func (j *judge) spoilt(group []firing) finding {
	f := group[len(group)-1]
	line := tag(f.c) + badly(f)
	if n := len(group); n > 1 {
		line = fmt.Sprintf("%s and %d more: %s", strings.TrimSpace(tag(group[0].c)), n-1, badly(f))
	}
	if f := j.nulled(f); f != nil {
		return *f
	}
	if n := j.swapped(f.c); n != nil && f.class() == faults.Replaced {
		return swapping(finding{calls: []*call{f.c}, times: len(group)}, line, n)
	}
	good := func(n *call) bool {
		return readAgain(f.c)(n) && tellsOf(f, n) || missingAgain(n, f.c) || legible(f) && whole(n) && showsAny(n, f.s.Planted) && !asksBy(n, f.s.Planted)
	}
	if !f.c.reads() {
		good = func(n *call) bool {
			return n.name() == f.c.name() && n.x.Path == f.c.x.Path && n.arrived() && n.x.Status/100 == 2 && !faults.Struck(n.x, f.class()) || whole(n) && n.sameMatter(f.c)
		}
	}
	a := j.after(f.c, good)
	found, act := finding{calls: []*call{group[0].c}, times: len(group)}, j.builtOn(f, &a)
	switch {
	case a.repair != nil && len(a.rests) == 0:
		found.reaction, found.line, found.reread = trail.Handled, line+gap+tag(a.repair)+"read again, whole", 0
		found.calls = append(found.calls, a.repair)
		return found
	case missing(f.c) && f.class() != faults.Replaced:
		return wentByStatus(found, line, &a)
	case act != nil && f.class() == faults.Untrue:
		return j.wentBy(found, line, act)
	case act != nil:
		found.reaction, found.presumed, found.weak = trail.Mishandled, true, !slices.Contains(a.rests, act)
		found.calls = append(found.calls, act)
		found.line = line + gap + j.deed(act) + ", without having read it again"
		found.head = "went on from an answer that it could not read"
		found.remedy = "read it again, whole, before anything is done that rests on it; what cannot be read is not empty"
		return found
	}
	found.reaction, found.open = trail.Unjudged, true
	if f.class() == faults.Untrue {
		found.inert = trail.SettleField
	}
	found.line = line
	switch {
	case a.repair != nil:
		found.reaction, found.open = trail.Handled, false
		found.line += gap + tag(a.repair) + "read again, whole"
		found.calls = append(found.calls, a.repair)
	case len(a.vain) > 0:
		found.line += gap + tag(a.vain[len(a.vain)-1]) + "read again, in vain"
		found.calls = append(found.calls, a.vain[len(a.vain)-1])
		fallthrough
	default:
		found.why = "nothing that followed shows what it made of that answer"
	}
	return found
}

// wentByStatus is the finding about a spoilt answer whose status had said all: what
// was asked for is not there.
func wentByStatus(found finding, line string, a *aftermath) finding {
	line += ", and its status had said that there is none"
	for _, n := range a.rests {
		if makes(n) {
			found.reaction, found.line, found.calls = trail.Handled, line+gap+tag(n)+"made one", append(found.calls, n)
			return found
		}
	}
	found.reaction, found.open, found.line = trail.Unjudged, true, line
	found.why = "nothing that followed shows what it made of that answer"
	return found
}

// wentBy is the finding about an act that may go by a value that was wrong: it
// does not have it, and is about the same record.
func (j *judge) wentBy(found finding, line string, act *call) finding {
	found.reaction, found.open = trail.Unjudged, true
	found.calls, found.line = append(found.calls, act), line+gap+j.deed(act)+", without having read it again"
	found.head = "went by a value that was wrong"
	found.remedy = "read it again, or from a second source, before anything that cannot be undone rests on it"
	found.why = "nothing shows whether that went by the value that was wrong: it does not have it"
	return found.unmet(trail.SettleField)
}

// did words what a fault did, with whom it is to be laid to: read without it, it
// is taken for an act of the agent's.
func did(f firing, whose, otherwise string) string {
	if f.s.Did == "" {
		return otherwise
	}
	return whose + " " + f.s.Did
}

// badly says what was wrong with an answer.
func badly(f firing) string {
	if f.class() == faults.Replaced && f.c.arrived() {
		return fmt.Sprintf("answered %d, with a page for people in place of data", f.c.x.Status)
	}
	return did(f, "the fault", first(seen(f.c), "answered otherwise than the service would"))
}

// builtOn is the act that can only rest on a bad answer; nil: there is none. On one
// that could not be read rests whatever is about it; on one in which something was
// wrong, what cannot be undone, or what says that there is nothing.
func (j *judge) builtOn(f firing, a *aftermath) *call {
	for _, n := range a.rests {
		if !legible(f) || j.restsOnIt(f, n) {
			return n
		}
	}
	if !legible(f) {
		return j.toldAfter(a, f.c)
	}
	return nil
}

// restsOnIt tells an act that rests on what was wrong in an answer that could be
// read.
func (j *judge) restsOnIt(f firing, n *call) bool {
	switch f.class() {
	case faults.Untrue:
		return n.x.Effect == "irreversible" && sharesRecord(n, f.c) && !j.ownValue(f) && !goesByTruth(n, f)
	case faults.Drifted:
		return j.movesMoney(n) && sharesRecord(n, f.c) && priceWord(f.s.Did) || denies(n.read().prose)
	case faults.Malformed:
		return faults.NotANumber(f.s.Did) && single(f.c) && sharesRecord(n, f.c)
	}
	return false
}

// toldAfter is the first thing that people were told while there was no good
// answer, though nothing of that was said, and that may rest on it.
func (j *judge) toldAfter(a *aftermath, c *call) *call {
	for _, all := range [][]*call{a.rests, a.others} {
		for _, n := range all {
			if j.talks(n) && !j.speech.unfinished.MatchString(n.read().prose) && n.name() != c.name() && !j.forAnother(n, c) {
				return n
			}
		}
	}
	return nil
}

// asksBy tells a read that asks for what only the bad answer had named.
func asksBy(n *call, planted []string) bool {
	return slices.ContainsFunc(planted, func(v string) bool { return v != "" && strings.Contains(n.x.Path+"?"+n.x.Query, v) })
}

// priceWord tells a drift of an amount.
func priceWord(did string) bool {
	return hasWord(did, "amount", "price", "total", "cents", "sum", "balance", "fee")
}

// ownValue tells whether the agent itself had sent the value that it was shown.
func (j *judge) ownValue(f firing) bool {
	for _, c := range j.before(f.c) {
		for _, v := range f.s.Planted {
			if v != "" && strings.Contains(string(c.x.Body), v) {
				return true
			}
		}
	}
	return false
}

// sharesRecord tells whether a call names a record that another was about.
func sharesRecord(n, c *call) bool {
	return single(c) && n.x.Path == c.x.Path || meet(n.read().marks, c.read().marks) || meet(n.read().marks, c.read().shown)
}

// legible tells an answer that can be read, and in which something is wrong;
// others leave nothing that can.
func legible(f firing) bool {
	tells := f.judging().Legible
	return tells != nil && tells(f.s.Did)
}

// denies tells a text that says that there is nothing.
func denies(text string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '\'' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		switch word {
		case "no", "none", "nothing", "0", "zero", "empty", "nobody", "never", "quiet", "clear":
			return true
		}
	}
	return false
}

// nulled is the finding where something was written as nothing that an answer
// should have given: null, undefined, None, NaN.
func (j *judge) nulled(f firing) *finding {
	if !f.judging().Hollow {
		return nil
	}
	for _, n := range j.followed(f.c) {
		if n.reads() || n.intent() == f.c.intent() {
			continue
		}
		if whole(n) && n.sameMatter(f.c) {
			return nil
		}
		if zero := zeroed(f, n); zero != "" && j.elsewhereSet(n, zero) && n.x.Status/100 == 2 && !j.warns(n) {
			return &finding{
				reaction: trail.Mishandled, presumed: true, calls: []*call{f.c, n},
				line: tag(f.c) + badly(f) + gap + tag(n) + "put " + zero + clause(seen(n)),
				head: "wrote down what an answer lacked", remedy: "take what an answer lacks for a mismatch, and say so: nothing is written in its place",
			}
		}
		if hole := holeIn(n.x.Body); hole != "" && n.changedThings() && !j.warns(n) && !j.holed(n) {
			return &finding{
				reaction: trail.Mishandled, calls: []*call{f.c, n},
				line: tag(f.c) + badly(f) + gap + tag(n) + "wrote " + hole + clause(seen(n)),
				head: "wrote down what an answer lacked", remedy: "take what an answer lacks for a mismatch, and say so: nothing is written in its place",
			}
		}
	}
	return nil
}

// zeroed names the field for which a write has nothing, zero or an empty text,
// where an answer lacked it.
func zeroed(f firing, n *call) string {
	if lacks := f.judging().Lacks; lacks == nil || !lacks(f.s.Did) || !n.about(f.c) {
		return ""
	}
	var found string
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, inner := range sorted(x) {
				walk(inner, x[inner])
			}
		case []any:
			for _, inner := range x {
				walk(name, inner)
			}
		default:
			empty := x == int64(0) || x == float64(0) || x == ""
			if empty && found == "" {
				found = name + " " + shortValue(x)
			}
		}
	}
	walk("", fieldsOf(n))
	return found
}

// elsewhereSet tells whether other calls of the operation had something in a field
// that one leaves at nothing.
func (j *judge) elsewhereSet(n *call, zero string) bool {
	name, _, _ := strings.Cut(zero, " ")
	for _, c := range append(j.before(n), j.since(n)...) {
		if v := sent(c, name); c != n && c.name() == n.name() && v != nil && v != int64(0) && v != float64(0) && v != "" {
			return true
		}
	}
	return false
}

// holed tells whether the agent had written such a thing before, of its own.
func (j *judge) holed(n *call) bool {
	hole := holeIn(n.x.Body)
	for _, c := range j.before(n) {
		if c == n || c.name() != n.name() {
			continue
		}
		if holeIn(c.x.Body) == hole {
			return true
		}
	}
	return false
}

// scalars are the values that something decoded has, and the names of its
// fields.
func scalars(value any, out []string) []string {
	switch x := value.(type) {
	case map[string]any:
		for name, inner := range x {
			out = scalars(inner, append(out, name))
		}
	case []any:
		for _, inner := range x {
			out = scalars(inner, out)
		}
	case nil:
	default:
		out = append(out, fmt.Sprint(x))
	}
	return out
}

// unescaped undoes what forms and paths do to text, where they did.
func unescaped(text string) string {
	if strings.IndexByte(text, '%') >= 0 {
		if plain, err := url.QueryUnescape(text); err == nil {
			return plain
		}
	}
	return text
}

// values are the words of a text that look like ids: whether it is JSON, a form
// or a path.
func values(text string) []string {
	var out []string
	eachWord(unescaped(text), func(word string, _, _ int) {
		if len(word) >= distinct && strings.ContainsAny(word, "0123456789") {
			out = append(out, word)
		}
	})
	return out
}

// blank is the finding where, after a fault of whichever kind, something was
// written with the word that a language has for what is not there.
func (j *judge) blank(firings []firing) *finding {
	const most = 16
	for _, f := range firings[:min(len(firings), most)] {
		for _, n := range j.followed(f.c) {
			if n.reads() || !n.changedThings() || n.intent() == f.c.intent() {
				continue
			}
			hole := holeIn(n.x.Body)
			if hole == "undefined" || hole == "[object Object]" || hole == "NaN" {
				if !j.holed(n) && !j.warns(n) {
					return &finding{
						reaction: trail.Mishandled, calls: []*call{f.c, n}, line: tag(f.c) + badly(f) + gap + j.deed(n),
						head: "wrote down what an answer lacked", remedy: "take what an answer lacks for a mismatch, and say so: nothing is written in its place",
					}
				}
			}
		}
	}
	return nil
}
