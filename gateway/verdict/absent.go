package verdict

import (
	"net/http"
	"slices"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
)

// What an answer left out without a word may be taken for what does not exist.
// That shows where it is made once more, or where something is deleted because
// it belongs to it:
//
//	#1 companies 1, 2, 3 ▶ 1, 3    #2 POST company "Two GmbH"           made again
//	#1 companies 1, 2, 3 ▶ 1, 3    #2 DELETE contact, of company 2      an orphan that is none

// tookForGone is the act that rests on the absence of what an answer left out,
// which was not asked for by itself; nil: there is none.
func (j *judge) tookForGone(f firing, a *aftermath) *call {
	if a.repair != nil || len(f.s.Left) == 0 {
		return nil
	}
	left := map[string]bool{}
	for _, id := range f.s.Left {
		if len(id) > 2 {
			left[strings.ToLower(id)] = true
		}
	}
	names := namesOf(f.c, left)
	for _, n := range slices.Concat(a.rests, a.others) {
		switch {
		case !n.changedThings() || j.warns(n) || n.x.Service != f.c.x.Service:
		case n.x.Method == "DELETE" || gone(n):
			for _, d := range n.delta {
				if was, err := world.Decode(d.Before); err == nil && has(was, left) {
					return n
				}
			}
		case makes(n) && has(fieldsOf(n), names):
			return n
		}
	}
	return nil
}

// An error, too, may be taken for there being nothing:
//
//	#1 GET event order17 ╳ 503      #2 POST event order17
//
// Where there is none, that comes out right, and shows nothing.

// tookErrorForNone tells a write that makes what a read had asked for that was told
// nothing of it: neither what it is nor, with a 404, that there is none.
func tookErrorForNone(n, c *call) bool {
	said := c.x.Status/100 == 2 || c.x.Status == http.StatusNotFound || c.x.Status == http.StatusGone
	return c.reads() && (!said || c.x.Wire.NoHead) && makes(n) && n.x.Service == c.x.Service && lastNoun(n) != "" && lastNoun(n) == lastNoun(c) && mentionsName(n, askedFor(c))
}

// madeUnseen is the act of a presumption by which was made what the struck read had
// asked for; nil: it is none such.
func (j *judge) madeUnseen(struck *call, f *finding) *call {
	for _, n := range f.calls {
		if f.presumed && n != struck && tookErrorForNone(n, struck) {
			return n
		}
	}
	return nil
}

// byLuck is the finding where the world came out right after an error had been
// taken for there being nothing. An id of its own keeps the service from a second
// one, and what the agent would make of that is not seen.
func (j *judge) byLuck(f finding, act *call) finding {
	f.line += gap + "the world came out as without the fault, which no answer had shown"
	if ownID(j, act) {
		f.reaction, f.presumed, f.remedy, f.head = trail.Unjudged, false, "", ""
		f.why = "it took an error for there being none, and there was none: a run in which there is one would show what it does then"
	}
	return f
}

// makes tells a call that created a record.
func makes(n *call) bool {
	return slices.ContainsFunc(n.delta, func(d trail.Change) bool { return d.Op == world.Create && !d.Own })
}

// namesOf are, in lower case, the names that the items have which an answer should
// have had and that it left out.
func namesOf(c *call, left map[string]bool) map[string]bool {
	names := map[string]bool{}
	value, err := world.Decode(c.reply())
	if err != nil {
		return names
	}
	var walk func(v any, within bool)
	walk = func(v any, within bool) {
		switch x := v.(type) {
		case map[string]any:
			within = within || slices.ContainsFunc(idsOf(x), func(id string) bool { return left[strings.ToLower(id)] })
			for name, inner := range x {
				if text, ok := inner.(string); ok && within && len(text) > 2 && hasWord(name, "name", "title", "email", "domain", "subject", "summary", "code", "number", "sku", "phone") {
					names[strings.ToLower(text)] = true
				}
				walk(inner, within)
			}
		case []any:
			for _, inner := range x {
				walk(inner, within)
			}
		}
	}
	walk(value, false)
	return names
}

// has tells whether a value is, or has in it, one of some texts, whatever the case.
func has(v any, texts map[string]bool) bool {
	switch x := v.(type) {
	case string:
		return texts[strings.ToLower(x)]
	case map[string]any:
		for _, inner := range x {
			if has(inner, texts) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(x, func(inner any) bool { return has(inner, texts) })
	}
	return false
}
