package report

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parity/fakes/chance"
	"parity/fakes/recording"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs"
)

// meanings know which values of one run stand for which of another.
type meanings struct {
	texts   [2]map[string]bool // what was said in each run, by anybody
	intents [2]map[string]bool // what was meant in each, by fingerprint
	theirs  [2]map[string]string
	spans   [2]lifetime
	agents  [2]map[string]string // names of identities that only one run knows, to what they are called in both
}

func newMeanings(a, b []trail.Event) *meanings {
	m := &meanings{}
	for side, events := range [][]trail.Event{a, b} {
		m.texts[side], m.intents[side], m.theirs[side] = map[string]bool{}, map[string]bool{}, map[string]string{}
		m.agents[side] = map[string]string{}
		m.spans[side] = lifetimeOf(events)
		for i := range events {
			x := events[i].Exchange
			if x == nil {
				continue
			}
			m.intents[side][x.Intent.Fingerprint] = true
			if name := events[i].Identity; m.agents[side][name] == "" {
				m.agents[side][name] = "agent " + strconv.Itoa(len(m.agents[side])+1) // a seed draws the names, but not the order
			}
			add := func(_, text string) { m.texts[side][text] = true }
			scalars("", asked(x), add)
			scalars("", content(x.ReplyBody), add)
		}
	}
	return m
}

// common tells a value that both runs know: it means the same in both.
func (m *meanings) common(text string) bool { return m.texts[0][text] && m.texts[1][text] }

// call is one call of a run.
type call struct {
	nth   int // from 1
	event *trail.Event
	who   string
	means string // equal for calls of either run that ask for the same
}

// agent is what an identity is called in both runs.
func (m *meanings) agent(side int, name string) string {
	if m.agents[0][name] != "" && m.agents[1][name] != "" {
		return name
	}
	return m.agents[side][name]
}

// calls gives what a run called. An id that only this run knows is told by where
// it came from: the same answer to the same call, whatever the seed has it be.
func (m *meanings) calls(side int, events []trail.Event) []call {
	var all []call
	from, times := map[string]string{}, map[string]int{}
	for i := range events {
		e := &events[i]
		x := e.Exchange
		if x == nil || e.Kind != trail.Exchanged && x.Outcome != trail.Refused {
			continue
		}
		c := call{nth: len(all) + 1, event: e, who: m.agent(side, e.Identity), means: x.Intent.Fingerprint}
		if c.means == "" || !m.intents[0][c.means] || !m.intents[1][c.means] {
			c.means = m.meant(c.who, e.Exchange, from)
		}
		all = append(all, c)
		times[c.means]++
		scalars("", asked(x), func(_, text string) {
			if _, known := from[text]; !known {
				from[text] = "" // the agent's own
			}
		})
		scalars("", content(x.ReplyBody), func(pointer, text string) {
			if _, known := from[text]; !known {
				from[text] = chance.Hash(c.means, strconv.Itoa(times[c.means]), pointer)
			}
		})
	}
	return all
}

// meant digests what a call asks for.
func (m *meanings) meant(who string, x *trail.Exchange, from map[string]string) string {
	parts := []string{who, operation(x)}
	scalars("", asked(x), func(pointer, text string) {
		if origin := from[text]; origin != "" && !m.common(text) {
			text = origin
		}
		parts = append(parts, pointer, text)
	})
	return chance.Hash(parts...)
}

func operation(x *trail.Exchange) string {
	if x.Operation != "" {
		return x.Service + " " + x.Operation
	}
	return x.Method + " " + x.Host
}

// asked is a request as JSON would have it, without what is made for each try.
func asked(x *trail.Exchange) map[string]any {
	path := strings.Split(strings.Trim(x.Path, "/"), "/")
	doc := map[string]any{"path": make([]any, len(path))}
	for i, segment := range path {
		doc["path"].([]any)[i] = segment
	}
	if query, err := url.ParseQuery(x.Query); err == nil && len(query) > 0 {
		fields := map[string]any{}
		for name, values := range query {
			if !faults.OfTheTry(name) {
				fields[name] = strings.Join(values, ", ")
			}
		}
		doc["query"] = fields
	}
	body := content(x.Body)
	if fields, ok := body.(map[string]any); ok {
		maps.DeleteFunc(fields, func(name string, _ any) bool { return faults.OfTheTry(name) })
	}
	if body != nil {
		doc["body"] = body
	}
	return doc
}

// answered is what a client got, as JSON would have it, and what policy said where
// that was no yes.
func answered(x *trail.Exchange) map[string]any {
	doc := map[string]any{}
	if !x.Wire.NoHead && !x.Wire.HeadCut {
		doc["status"] = json.Number(strconv.Itoa(x.Status))
	}
	if how := ending(&x.Wire); how != "" {
		doc["arrival"] = how
	}
	if p := x.Policy; p != nil && p.Decision != trail.PolicyAllowed { // a profile without policy allows all
		doc["policy"] = strings.TrimSpace(string(p.Decision) + " " + p.Code)
	}
	if body := content(x.ReplyBody); body != nil && x.Wire.Showed(len(x.ReplyBody)) == len(x.ReplyBody) {
		doc["body"] = body
	}
	return doc
}

// content is a body: JSON, or the text that it is.
func content(body []byte) any {
	if len(body) == 0 {
		return nil
	}
	if v, err := decoded(body); err == nil {
		return v
	}
	return string(body)
}

// scalars goes through a JSON value in a fixed order.
func scalars(pointer string, v any, each func(pointer, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			scalars(pointer+specs.Pointer(name), v[name], each)
		}
	case []any:
		for i := range v {
			scalars(pointer+"/"+strconv.Itoa(i), v[i], each)
		}
	case string:
		each(pointer, v)
	case json.Number:
		each(pointer, v.String())
	case bool:
		each(pointer, strconv.FormatBool(v))
	}
}

// asks gives the fields in which two requests differ, but for values that stand
// for each other. What the agent itself makes up counts.
func (m *meanings) asks(a, b *trail.Exchange) []Parted {
	return parted(asked(a), asked(b), func(_ string, was, is any) bool {
		x, _, ok := scalar(was)
		y, _, ok2 := scalar(is)
		return ok && ok2 && m.known(x, y)
	})
}

// tells gives the fields in which two answers, or two records, differ that do not
// stand for each other. What services made up in the same field stands for each
// other from here on.
func (m *meanings) tells(a, b any) []Parted { return parted(a, b, m.stands) }

func parted(a, b any, stands func(name string, a, b any) bool) []Parted {
	var all []Parted
	for _, d := range differences("", a, b) {
		if !stands(last(d.Pointer), d.Was, d.Is) {
			all = append(all, Parted{Field: d.Pointer, A: d.Was, B: d.Is})
		}
	}
	return all
}

// last is the name of the field that a pointer leads to.
func last(pointer string) string { return pointer[strings.LastIndexByte(pointer, '/')+1:] }

// stands tells whether a value of A stands for one of B.
func (m *meanings) stands(name string, a, b any) bool {
	x, numeric, ok := scalar(a)
	y, too, ok2 := scalar(b)
	switch {
	case !ok || !ok2 || numeric != too:
		return false
	case recording.Passing(name) || m.known(x, y) || m.clocked(x, y):
		return true
	case m.common(x) || m.common(y) || m.theirs[0][x] != "" || m.theirs[1][y] != "":
		return false
	case moment(x, numeric):
		return moment(y, numeric)
	case recording.Made(name, x) && recording.Made(name, y) && !strings.Contains(x, "://"):
		m.theirs[0][x], m.theirs[1][y] = y, x
		return true
	}
	return !numeric && m.pieces(x, y)
}

func (m *meanings) known(x, y string) bool { return x == y || m.theirs[0][x] == y }

// pieces tells whether two texts, such as addresses, differ only in values in
// them that stand for each other.
func (m *meanings) pieces(x, y string) bool {
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }
	left, right := strings.FieldsFunc(x, apart), strings.FieldsFunc(y, apart)
	if len(left) < 2 || len(left) != len(right) {
		return false
	}
	for i := range left {
		if !m.known(left[i], right[i]) && !m.stands("", left[i], right[i]) {
			return false
		}
	}
	return true
}

func scalar(v any) (text string, numeric, ok bool) {
	switch v := v.(type) {
	case string:
		return v, false, true
	case json.Number:
		return v.String(), true, true
	}
	return "", false, false
}

func moment(text string, numeric bool) bool {
	if !numeric {
		return recording.Instant(text)
	}
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && recording.When(n)
}
