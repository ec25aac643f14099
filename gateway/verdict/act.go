package verdict

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parity/fakes/world"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs/words"
)

// act is something that an agent brought about and that stands at the end of a
// run: what it asked for, in the form in which it would be in any run.
//
//	stripe POST /v1/refunds {"amount": 2500, "charge": "@stripe.charges"}
//	sendgrid POST /v3/mail/send {"subject": "Your refund", …}
//
// What a run asked for is compared, and not the records that came of it: these
// have times, numbers and digests of the service's own.
type act struct {
	c     *call
	asked map[string]any // path, query and body, normalised
	key   string         // what is equal for equal acts
	once  bool           // the same once more changes nothing
	talk  bool           // people read it
	text  string         // what they read, normalised
}

// actsOf are the acts of a run that stand, in the order of their calls.
func (j *judge) actsOf(foreign func(string) (string, bool)) []*act {
	undone := j.undoneCalls()
	var all []*act
	seen := map[string]bool{}
	for _, c := range j.calls {
		if c.line != 0 || undone[c] || !(c.changedThings() && c.x.Committed) && !j.finished(c) || renewing(c) {
			continue
		}
		n := normal{foreign: foreign, began: j.in.Events[0].At.Time()}
		a := &act{c: c, asked: map[string]any{"": n.text(c.x.Path + "?" + c.x.Query)}, talk: j.talks(c) && message(c)}
		if body, err := world.Decode(c.x.Body); err == nil {
			for name, value := range flat(asMap(n.value("", body))) {
				a.asked[name] = value
			}
		}
		_, made := j.effect(c)
		a.once = !made && !adds(c) || ownID(j, c)
		a.text = n.text(c.read().prose)
		a.key = c.name() + " " + string(world.Encode(a.asked))
		if a.once && seen[a.key] {
			continue
		}
		seen[a.key] = true
		all = append(all, a)
	}
	return all
}

// message tells a call that does nothing but tell people something.
func message(c *call) bool {
	return slices.ContainsFunc(c.read().nouns, func(n string) bool {
		return strings.Contains(n, "message") || strings.Contains(n, "mail") || n == "comment" || n == "reaction" || n == "sms" || n == "note" || strings.HasPrefix(n, "notif")
	})
}

// finished tells a call whose work was accepted for later, and was done.
func (j *judge) finished(c *call) bool {
	if c.x.Status != 202 || !faults.Struck(c.x, faults.Accepted) {
		return false
	}
	for i := range j.in.Events {
		e := &j.in.Events[i]
		if e.Kind == trail.Fired && e.Seq > c.seq && e.Timer != nil && e.Timer.Service == c.x.Service {
			return slices.ContainsFunc(e.Delta, func(d trail.Change) bool { return !bookkeeping(d.Collection) && !j.in.Hidden[d.Collection] })
		}
	}
	return false
}

// undoneCalls are the calls whose records the agent deleted again, and those
// that did that.
func (j *judge) undoneCalls() map[*call]bool {
	undone := map[*call]bool{}
	maker := map[string]*call{}
	for _, c := range j.calls {
		if !c.changedThings() {
			continue
		}
		t, made := principal(c, j.written(c))
		if made {
			maker[t.Collection+"/"+t.ID] = c
			continue
		}
		for _, d := range c.delta {
			if was := maker[d.Collection+"/"+d.ID]; was != nil && (d.Op == world.Delete || trashes(c)) {
				undone[was], undone[c] = true, true
			}
		}
	}
	return undone
}

// trashes tells a call that puts a record away.
func trashes(c *call) bool {
	return gone(c) || bytes.Contains(c.x.Body, []byte(`"archived":true`)) || bytes.Contains(c.x.Body, []byte(`"in_trash":true`)) || strings.HasSuffix(c.x.Path, "/cancel")
}

// bookkeeping tells what Parity itself keeps in a world.
func bookkeeping(collection string) bool { return strings.HasPrefix(collection, "parity.") }

// drawnIDs are the ids of what a run made, with their kind.
func (j *judge) drawnIDs() map[string]string {
	ids := map[string]string{}
	for _, c := range j.calls {
		for _, d := range c.delta {
			if d.Op == world.Create && !strings.Contains(d.ID, "@") && !c.read().marks[strings.ToLower(d.ID)] {
				ids[strings.ToLower(d.ID)] = d.Collection
			}
		}
		if !c.changedThings() {
			continue
		}
		reply, err := world.Decode(c.reply())
		if err != nil {
			continue
		}
		for _, id := range append(idsOf(reply), wireIDs(c)...) {
			if len(id) > 3 && !c.read().marks[strings.ToLower(id)] {
				ids[strings.ToLower(id)] = c.name()
			}
		}
	}
	return ids
}

// spans are lengths of time that a text tells: how long something took differs
// from run to run.
var spans = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b\d+(?:[.,]\d+)? ?(?:ms|s|sec|secs|seconds?|min|minutes?)\b`)
})

// normal writes values as they would be in any run.
type normal struct {
	foreign func(word string) (kind string, ok bool)
	began   time.Time
}

func (n normal) value(field string, v any) any {
	switch x := v.(type) {
	case map[string]any:
		kept := make(map[string]any, len(x))
		for name, inner := range x {
			if ofTheTry(name) || hasWord(name, "etag", "sha", "version", "stamp") {
				continue
			}
			kept[name] = n.value(name, inner)
		}
		return kept
	case []any:
		list := make([]any, len(x))
		for i, inner := range x {
			list[i] = n.value(field, inner)
		}
		return list
	case string:
		return n.text(x)
	case int64:
		if n.recent(time.Unix(x, 0)) || n.recent(time.UnixMilli(x)) || n.recent(time.Unix(0, x)) {
			return "@time"
		}
		if word := strconv.FormatInt(x, 10); len(word) > 5 {
			if _, ok := n.foreign(word); ok {
				return "@id"
			}
		}
	}
	return v
}

// text puts what is drawn anew for each run under the name of its kind.
func (n normal) text(s string) string {
	if t, err := time.Parse(time.RFC3339, s); err == nil && n.recent(t) {
		return "@time"
	}
	s = spans().ReplaceAllString(s, "@span")
	var out strings.Builder
	last := 0
	eachWord(s, func(word string, begin, end int) {
		with := ""
		if _, ok := n.foreign(strings.ToLower(word)); ok {
			with = "@id"
		} else if drawn(word) {
			with = "@drawn"
		}
		if with != "" {
			out.WriteString(s[last:begin] + with)
			last = end
		}
	})
	if last == 0 {
		return s
	}
	return out.String() + s[last:]
}

func (n normal) recent(t time.Time) bool {
	const near = 3 * 24 * time.Hour
	d := t.Sub(n.began)
	return d > -near && d < near
}

// drawn tells a word that somebody drew: a UUID, a digest, a count of
// milliseconds, an id with a prefix.
func drawn(word string) bool {
	if len(word) >= 7 && len(word) <= 40 && strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef") && strings.Trim(word, "0123456789abcdef") == "" {
		return true // a digest, or the beginning of one
	}
	plain := strings.ReplaceAll(word, "-", "")
	if len(plain) >= 16 {
		if _, err := hex.DecodeString(plain[:len(plain)/2*2]); err == nil && strings.ContainsAny(plain, "0123456789") {
			return true
		}
	}
	run, longest, upper, lower, digits, turns := 0, 0, 0, 0, 0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			if run == 0 {
				turns++
			}
			run++
			digits++
			longest = max(longest, run)
			continue
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
		run = 0
	}
	if len(word) >= 16 && digits >= 8 && upper+lower > 0 && !strings.ContainsAny(word, "@.-") {
		return true
	}
	if len(word) >= 12 && turns >= 4 && digits >= 5 && !strings.ContainsAny(word, "@.-") {
		return true
	}
	return longest >= 10 || len(word) >= 18 && !strings.Contains(word, "@") && digits > 1 && upper > 1 && lower > 1
}

// passing tells a field that says nothing about what was done: when, in which
// version, under which key.
func passing(name string) bool {
	return hasWord(name, "created", "updated", "modified", "at", "time", "timestamp", "etag", "version", "revision", "sequence", "secret", "nonce", "ts", "sha", "fingerprint", "token", "attempt", "attempts", "idempotency", "trace", "stamp")
}

// actsDiffer is the first thing in which two acts differ, as each has it: what is made
// alike for comparing them (@id) is told as it was sent.
func actsDiffer(here, calm *act) (string, string) {
	fields, a, b := unlike(here.asked, calm.asked)
	if len(fields) == 0 || !strings.Contains(a+b, "@id") && !strings.Contains(a+b, "@drawn") {
		return a, b
	}
	if fields[0] == "" {
		return here.c.x.Path, calm.c.x.Path
	}
	x, y := flat(fieldsOf(here.c))[fields[0]], flat(fieldsOf(calm.c))[fields[0]]
	return fields[0] + " " + shortValue(x), shortValue(y)
}

// unlike names the fields in which two things differ, and what the first of them
// is in each.
func unlike(a, b map[string]any) (fields []string, here, calm string) {
	for _, name := range keys(a, b) {
		if same(a[name], b[name]) {
			continue
		}
		fields = append(fields, name)
		if here == "" {
			x, y := shortValues(a[name], b[name])
			here, calm = name+" "+x, y
		}
	}
	return fields, here, calm
}

// shortValues are two values that differ, so that it shows in what.
func shortValues(a, b any) (string, string) {
	x, ok := a.(string)
	y, both := b.(string)
	if ok && both {
		x, y = words.Apart(oneLine(x), oneLine(y), mostQuoted)
		return quotedText(x), quotedText(y)
	}
	return shortValue(a), shortValue(b)
}

func shortValue(v any) string {
	switch x := v.(type) {
	case nil:
		return "nothing"
	case string:
		return quotedText(x)
	case []any:
		return quotedText(strings.Trim(string(world.Encode(map[string]any{"": x})), `{}":`))
	}
	return strings.Trim(string(world.Encode(map[string]any{"": v})), `{}":`)
}

// mostQuoted is how many characters of a text are told.
const mostQuoted = 60

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func quotedText(s string) string {
	s = oneLine(s)
	if runes := []rune(s); len(runes) > mostQuoted {
		s = strings.TrimSpace(string(runes[:mostQuoted])) + "…"
	}
	return `"` + s + `"`
}
