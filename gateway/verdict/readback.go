package verdict

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// never is a sequence number that no event reaches.
const never = math.MaxUint64

// readBack is what an agent saw when it looked for the effect of a call.
type readBack struct {
	at     *call // the read that counts, or nil
	shows  bool  // it showed the effect
	astray bool  // there was an effect, and it was not where it would show
	failed *call // a read that got no answer
}

// lastReadBacks is how many reads before a retry are considered. What an agent
// knew when it sent again is what its last reads said; the bound keeps judging
// linear.
const lastReadBacks = 32

// readBack finds the reads, after c came in and before the event until, that touch
// what c was about.
func (j *judge) readBack(c *call, until uint64) readBack {
	var found readBack
	written, ids := j.written(c), wireIDs(c)
	for _, p := range j.places(c, written) {
		reads := j.reads[p]
		begin, end := after(reads, c.open), len(reads)
		if until != never {
			end = after(reads, until)
		}
		if until != never && end-begin > lastReadBacks {
			begin = end - lastReadBacks
		}
		if until == never && end-begin > lastReadBacks {
			end = begin + lastReadBacks
		}
		for _, r := range reads[begin:end] {
			if found.take(j.see(c, r, written, ids)); found.shows {
				return found
			}
		}
	}
	return found
}

// take keeps the read-back that says most: one that shows the effect, else one that
// counts, else one that went astray, else one that failed.
func (b *readBack) take(o readBack) {
	switch {
	case o.failed != nil:
		b.failed = o.failed
	case o.at == nil:
	case b.at == nil, o.shows && !b.shows, b.astray && !o.astray && !b.shows:
		b.at, b.shows, b.astray = o.at, o.shows, o.astray
	}
}

// see says what one read told about the effect of c: what it wrote, and the ids
// by which the service names that.
func (j *judge) see(c, r *call, written []touched, ids []string) readBack {
	if !r.arrived() || r.x.Status/100 != 2 && r.x.Status != 404 {
		return readBack{failed: r}
	}
	if !c.changedThings() {
		if asksForOther(r, c, written) {
			return readBack{}
		}
		return readBack{at: r}
	}
	made := slices.ContainsFunc(written, func(t touched) bool { return t.Op == world.Create })
	for _, t := range written {
		if made && t.Op != world.Create && single(r) && !tellsOfChange(r, &t) {
			continue // what was there before shows nothing of what was added to it
		}
		if shows(r.x.ReplyBody, t.ID, len(t.Before) == 0) || showsName(r.x.ReplyBody, t) {
			return readBack{at: r, shows: true}
		}
	}
	for _, id := range ids {
		if shows(r.x.ReplyBody, id, true) {
			return readBack{at: r, shows: true}
		}
	}
	if asksForOther(r, c, written) {
		return readBack{}
	}
	// Before the effect it could not show; and a fault that alters replies
	// may have hidden it, which is not the agent's doing.
	early, altered := r.open < c.seq, false
	for _, s := range r.x.Strikes {
		altered = altered || s.Fired && s.Phase == "reply" && faults.ClassOf(s.Fault) != faults.Slow
	}
	return readBack{at: r, astray: !early && !altered}
}

// tellsOfChange tells whether a reply has a field in which a record was changed,
// other than when and in which version.
func tellsOfChange(r *call, t *touched) bool {
	was, is := flat(t.before), flat(t.value)
	for _, name := range keys(was, is) {
		if last := lastPart(name); !same(was[name], is[name]) && !passing(last) && bytes.Contains(r.x.ReplyBody, []byte(`"`+last+`"`)) {
			return true
		}
	}
	return false
}

// shows tells whether a reply has a record of that id: one that was created by
// any mention of it, one that was changed only as itself, since others mention
// it whether it changed or not. An id that is a number stands without quotes in
// JSON.
func shows(body []byte, id string, created bool) bool {
	forms := []string{`"` + id + `"`}
	if _, err := strconv.ParseUint(id, 10, 64); err == nil {
		for _, end := range []string{",", "}", "]"} {
			forms = append(forms, id+end)
		}
	}
	for _, id := range forms {
		if bytes.Contains(body, []byte(`"id":`+id)) || bytes.Contains(body, []byte(`"id": `+id)) {
			return true
		}
		if created && id[0] == '"' && bytes.Contains(body, []byte(id)) {
			return true
		}
	}
	return false
}

// wireIDs are the ids by which a service itself names what a call created: in
// its answer, whether that arrived or not, on top or in the part that its path
// names, as POST /tickets has it in {"ticket": {"id": 35}}. A fake may keep the
// record under another.
func wireIDs(c *call) []string {
	if !slices.ContainsFunc(c.delta, func(d trail.Change) bool { return d.Op == world.Create }) {
		return nil
	}
	reply, err := world.Decode(c.reply())
	if err != nil {
		return nil // it is no object
	}
	if ids := idsOf(reply); len(ids) > 0 {
		return ids
	}
	path := strings.TrimSuffix(c.x.Path, ".json")
	part, _ := reply[words.Singular(path[strings.LastIndexByte(path, '/')+1:])].(map[string]any)
	return idsOf(part)
}

// idsOf are the ids of one object: its own, and the timestamp by which messages
// go.
func idsOf(object map[string]any) []string {
	var ids []string
	for _, name := range []string{"id", "ts", "sid"} {
		switch v := object[name].(type) {
		case string:
			if v != "" {
				ids = append(ids, v)
			}
		case int64:
			ids = append(ids, strconv.FormatInt(v, 10))
		}
	}
	return ids
}

// places lists where what c did would show: the records that it wrote, their
// collections, and what its own path names.
func (j *judge) places(c *call, written []touched) []place {
	var names []string
	for _, t := range written {
		names = append(names, t.ID)
	}
	for _, change := range c.delta { // a service's log of events is a place to look as well
		if !j.in.Hidden[change.Collection] {
			names = append(names, change.Collection[strings.LastIndexByte(change.Collection, '.')+1:])
		}
	}
	names = merge(nil, append(names, segments(c.x.Path)...))
	places := make([]place, len(names))
	for i, name := range names {
		places[i] = place{c.who, c.x.Service, name}
	}
	return places
}

// ownRetry tells a retry that looks like the SDK's own rather than the
// agent's: the SDK says so, or it is known to retry with the same key and
// nothing else came in between, soon but not at once, and no more often than they
// do.
func ownRetry(lost, c *call) bool {
	if c.x.Intent.SDKRetry > 0 || faults.SDKKey(c.x.Intent.Key) {
		return true
	}
	for _, f := range c.x.Header {
		if f.Name == "User-Agent" && faults.SDKRetries(f.Value) {
			return c.nth == lost.nth+1 && c.x.Intent.Attempt <= faults.SDKTries && !atOnce(lost, c)
		}
	}
	return false
}

// atOnce tells a call that came right after another had ended.
func atOnce(ended, c *call) bool {
	if ended.ended == 0 || c.began == 0 {
		return false
	}
	gap := time.Duration(c.began - ended.ended)
	return gap >= 0 && gap < faults.SDKPause
}
