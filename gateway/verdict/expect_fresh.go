package verdict

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/fakes/world"
	"parity/faults/trail"
	"parity/profiles"
	"parity/specs/words"
)

// What a write goes by is what the agent last saw of the records that it names
// or changes. Any answer that shows a record shows how it stands: that to the
// call which made it, too.
//
//	#2 GET /v1/charges/ch_1   …4 min…   #7 POST /v1/refunds {charge: ch_1}
//	   └────────────── the age of the read behind the write ──┘

// upToDate judges max_age.
func (j *judge) upToDate(e *profiles.Expectation) ([]finding, string) {
	wants := matcher(e.Calls)
	last := map[string]*call{} // by service and id: the last answer that showed the record
	var found []finding
	held, met := finding{reaction: trail.Handled}, false
	for _, h := range j.happened() {
		if h.c == nil || h.later {
			continue
		}
		if wants(h.c) && h.c.asked() {
			is, why := j.when(e, h.c, nil)
			switch {
			case why != "":
				found = append(found, unjudged(h.c, why))
			case is:
				met = true
				j.fresh(e, h.c, last, &found, &held)
			}
		}
		if h.c.arrived() && h.c.x.Status/100 == 2 {
			for _, id := range shownIDs(h.c.x.ReplyBody) {
				last[h.c.x.Service+" "+id] = h.c
			}
		}
	}
	if held.times > 0 {
		held.line = fmt.Sprintf("%s of %s, each on what was read no more than %s before", words.Count(held.times, "call"), patterns(e), e.MaxAge)
		found = append(found, held)
	}
	if met {
		return found, "no call of " + patterns(e) + " named a record that was there before it"
	}
	return found, "there were no calls of " + patterns(e)
}

// fresh judges one write.
func (j *judge) fresh(e *profiles.Expectation, c *call, last map[string]*call, found *[]finding, held *finding) {
	named, oldest := false, (*call)(nil)
	var of string
	for _, id := range j.behind(c) {
		read := last[c.x.Service+" "+id.name]
		switch {
		case read == nil && !id.sure:
			continue // a text, and no record's id
		case read == nil:
			*found = append(*found, finding{
				reaction: trail.Mishandled, calls: []*call{c}, rests: on(freshness, c), head: "changed " + id.name + " without having read it", remedy: "read " + id.name + " before changing it",
				line: j.opening(c) + ": " + id.name + " was never read",
			})
			return
		}
		named = true
		if oldest == nil || read.at < oldest.at {
			oldest, of = read, id.name
		}
	}
	switch {
	case !named:
	case time.Duration(c.at-oldest.at) > e.MaxAge:
		*found = append(*found, finding{
			reaction: trail.Mishandled, calls: []*call{oldest, c}, rests: on(freshness, oldest),
			head: "acted on a reading that was too old", remedy: "read it again right before the write, and go by what it says then", line: story(
				step{text: tag(oldest) + "showed " + of},
				step{text: j.opening(c), sum: fmt.Sprintf("%s later, and at most %s expected", span(time.Duration(c.at-oldest.at)), e.MaxAge)},
			),
		})
	default:
		held.times++
		held.calls = append(held.calls, oldest, c)
		held.rests = append(held.rests, on(freshness, oldest)...)
	}
}

// named is an id that a call names; sure: it is that of a record.
type named struct {
	name string
	sure bool
}

// behind lists the ids that a call names, and those of the records that it
// changed and named.
func (j *judge) behind(c *call) []named {
	var texts []string
	for _, value := range j.pathOf(c) {
		texts = append(texts, fmt.Sprint(value))
	}
	texts = leaves(document(c.x.Body), texts)
	changed := map[string]bool{}
	for _, change := range c.delta {
		if change.Op != world.Create && !j.in.Hidden[change.Collection] {
			changed[change.ID] = true
		}
	}
	slices.Sort(texts)
	all := make([]named, 0, len(texts))
	for _, text := range slices.Compact(texts) {
		all = append(all, named{text, changed[text]})
	}
	return all
}

// leaves lists the texts and numbers in a value.
func leaves(value any, into []string) []string {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			into = leaves(inner, into)
		}
	case []any:
		for _, inner := range v {
			into = leaves(inner, into)
		}
	case string:
		if v != "" && len(v) <= 200 && !strings.ContainsAny(v, " \n") {
			into = append(into, v)
		}
	case int64:
		into = append(into, fmt.Sprint(v))
	}
	return into
}

// shownIDs lists the ids in an answer, without reading all of it.
func shownIDs(body []byte) []string {
	var ids []string
	for {
		_, rest, found := bytes.Cut(body, []byte(`"id":`))
		if !found {
			return ids
		}
		body = bytes.TrimLeft(rest, " \n\t")
		if len(body) > 0 && body[0] == '"' {
			if text, _, ok := bytes.Cut(body[1:], []byte(`"`)); ok {
				ids = append(ids, string(text))
			}
			continue
		}
		if end := bytes.IndexAny(body, ",}] \n"); end > 0 {
			ids = append(ids, string(body[:end]))
		}
	}
}
