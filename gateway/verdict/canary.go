package verdict

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"parity/fakes/world"
	"parity/faults/trail"
)

// A canary is a value that only a bad answer showed: planted by the fault, or
// what looks like an id in the part of a body that was left. Whoever writes one
// later, to any service, has taken it from there.
//
//	#1 GET customer     "email": "canary@example.com", planted
//	#4 POST message     "Hello canary@example.com, …"      mishandled
//	   … had #3 shown it whole, or had the agent sent it before #1: its own
//
// The run is gone through once for all rules, without decoding: what is looked
// for is found by its longest word.

// A canary that is shorter than plain, or a word such as people and addresses have
// of their own, counts only where it is a whole value; one that is as long as distinct also where another identity writes it to
// another service, since an agent may have one credential for each.
const (
	plain    = 4
	distinct = 8
)

type canary struct {
	rule  string
	value string   // as the bad answer has it
	forms []string // ways to write it
}

// tracer follows canaries through a run.
type tracer struct {
	words   map[string][]*canary // by the longest word of each form
	planted map[*call][]*canary
	near    map[sighting]*sighted // by who saw it
	far     map[sighting]*sighted // by anybody
	found   map[string][]finding
	warns   func(*call) bool
	done    func(*call) string
}

type sighting struct {
	who
	*canary
}

// sighted is where somebody has a value from.
type sighted struct {
	from *call // the bad answer; nil: the agent's own, or shown whole
}

// traces finds, for each rule whose fault spoils answers, the writes that carry
// what only these showed.
func (j *judge) traces() map[string][]finding {
	if j.traced != nil {
		return j.traced
	}
	t := &tracer{
		words: map[string][]*canary{}, planted: map[*call][]*canary{},
		near: map[sighting]*sighted{}, far: map[sighting]*sighted{}, found: map[string][]finding{}, warns: j.warns, done: j.deed,
	}
	for rule, firings := range j.firings {
		if spoils(firings[0].class()) {
			t.plant(rule, firings)
		}
	}
	if len(t.words) > 0 {
		for _, c := range j.calls {
			t.follow(c)
		}
	}
	j.traced = t.found
	return j.traced
}

// plant notes what firings of a rule showed, each value once.
func (t *tracer) plant(rule string, firings []firing) {
	all := map[string]*canary{}
	for _, f := range firings {
		shown := f.s.Planted
		if body := f.c.x.ReplyBody; f.c.x.Wire.Short {
			shown = append(values(string(body[:f.c.x.Wire.Showed(len(body))])), shown...)
		}
		for _, v := range shown {
			if v == "true" || v == "false" || len(v) < 2 {
				continue // it is said everywhere
			}
			if all[v] == nil {
				all[v] = &canary{rule, v, formsOf(v)}
				t.file(all[v])
			}
			t.planted[f.c] = append(t.planted[f.c], all[v])
			for _, part := range reckoned(v) {
				if bytes.Contains(f.c.x.FakeBody, []byte(part)) || bytes.Contains(f.c.x.FakeBody, []byte(strings.TrimSuffix(part, "00"))) && strings.HasSuffix(part, "00") {
					continue // it may be reckoned from what is true
				}
				if all[part] == nil {
					all[part] = &canary{rule, part, formsOf(part)}
					t.file(all[part])
				}
				t.planted[f.c] = append(t.planted[f.c], all[part])
			}
		}
	}
}

func (t *tracer) file(c *canary) {
	for _, form := range c.forms {
		longest := ""
		eachWord(form, func(word string, _, _ int) {
			if len(word) > len(longest) {
				longest = word
			}
		})
		if longest != "" && !slices.Contains(t.words[longest], c) {
			t.words[longest] = append(t.words[longest], c)
		}
	}
}

// reckoned are the shares and multiples of a number that are made of it: a half,
// a quarter, cents of it.
func reckoned(v string) []string {
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || n < 100 || len(v) > 12 {
		return nil
	}
	var all []string
	for _, share := range []float64{2, 3, 4, 5, 10, 20, 100} {
		for _, m := range []float64{n / share, n - n/share, n * share} {
			if m != float64(int64(m)) {
				m = float64(int64(m)) // it is rounded down, as most do
			}
			if m >= 100 && m != n {
				all = append(all, strconv.FormatFloat(m, 'f', -1, 64))
			}
		}
	}
	if cents := strconv.FormatFloat(n/100, 'f', 2, 64); len(cents) >= 5 {
		all = append(all, cents)
	}
	return all
}

// formsOf are the ways in which a value may be written, in lower case, since
// people write names and addresses either way: a number without an exponent as
// well.
func formsOf(v string) []string {
	v = strings.ToLower(v)
	forms := []string{v}
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		if f := strconv.FormatFloat(n, 'f', -1, 64); f != v {
			forms = append(forms, f)
		}
	}
	return forms
}

// follow looks for canaries in what a call sends, then in what it was answered.
func (t *tracer) follow(c *call) {
	near := func(k *canary) sighting { return sighting{c.who, k} }
	far := func(k *canary) sighting { return sighting{who{line: c.line}, k} }
	carried := map[string]bool{} // rules of which this call has been found to carry something
	for _, k := range t.in(c.x.Path, c.x.Query, string(c.x.Body)) {
		was, elsewhere := t.near[near(k)], t.far[far(k)]
		if was == nil && elsewhere != nil && elsewhere.from != nil && elsewhere.from.x.Service != c.x.Service && len(k.value) >= distinct {
			was = elsewhere
		}
		switch {
		case was == nil:
			t.near[near(k)], t.far[far(k)] = &sighted{}, &sighted{}
		case was.from != nil && !c.reads() && !carried[k.rule] && !(c.changedThings() && t.warns(c)):
			carried[k.rule] = true
			t.found[k.rule] = append(t.found[k.rule], t.carried(was.from, c, k))
		}
	}
	if c.arrived() {
		for _, k := range t.in(string(c.x.ReplyBody)) {
			if !slices.Contains(t.planted[c], k) {
				t.near[near(k)], t.far[far(k)] = &sighted{}, &sighted{}
			}
		}
	}
	for _, k := range t.planted[c] {
		if t.near[near(k)] == nil {
			t.near[near(k)] = &sighted{c}
		}
		if t.far[far(k)] == nil {
			t.far[far(k)] = &sighted{c}
		}
	}
}

func (t *tracer) carried(from, c *call, k *canary) finding {
	return finding{
		reaction: trail.Mishandled, calls: []*call{from, c},
		line: story(step{text: tag(from) + first(seen(from), "answered otherwise than the service would")}, step{text: t.done(c) + ": it has " + k.value + " from that answer alone"}),
		head: "wrote down what only a bad answer had said", remedy: "read it again, whole, before anything is written that rests on it",
	}
}

// in finds the canaries that texts have in them, each once.
func (t *tracer) in(texts ...string) []*canary {
	var found []*canary
	for _, text := range texts {
		text = strings.ToLower(readable(text))
		eachWord(text, func(word string, begin, end int) {
			for _, k := range t.words[word] {
				if !slices.Contains(found, k) && k.stands(text, word, begin, end) {
					found = append(found, k)
				}
			}
		})
	}
	return found
}

// stands tells whether a canary is in a text that has its longest word at begin
// to end.
func (k *canary) stands(text, word string, begin, end int) bool {
	if len(k.value) < plain && !(borders(text[:begin], true) && borders(text[end:], false)) {
		return false
	}
	if common(k.value) && !apart(text, begin, end) {
		return false
	}
	return slices.ContainsFunc(k.forms, func(form string) bool {
		return form == word || strings.Contains(form, word) && strings.Contains(text, form)
	})
}

// common tells a word as a language has it, in small letters: a role, a status. In a
// longer text it is as likely the agent's own.
func common(value string) bool { return strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") == "" }

// apart tells that a word is all of a value, in JSON, in a form or by itself.
func apart(text string, begin, end int) bool {
	return (begin == 0 || strings.IndexByte("\"=\n", text[begin-1]) >= 0) && (end == len(text) || strings.IndexByte("\"&\n", text[end]) >= 0)
}

// borders tells that a value ends where the text before, or after, it does.
func borders(text string, before bool) bool {
	text = strings.Trim(text, " ")
	switch {
	case text == "":
		return true
	case before:
		return strings.IndexByte("\":=[,/&?\n", text[len(text)-1]) >= 0
	}
	return strings.IndexByte("\",]}/&:=?\n", text[0]) >= 0
}

// readable undoes what forms and JSON do to text, where they did.
func readable(text string) string {
	if strings.IndexByte(text, '\\') >= 0 {
		if value, err := world.Decode([]byte(text)); err == nil {
			return strings.Join(scalars(value, nil), "\n")
		}
	}
	return unescaped(text)
}

// eachWord cuts text into what ids, addresses, names and numbers are made of.
// What a sentence ends with is no part of its last word.
func eachWord(text string, do func(word string, begin, end int)) {
	begin := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && inWord(text[i]) {
			if begin < 0 {
				begin = i
			}
			continue
		}
		if begin >= 0 {
			end := i
			for end > begin && (text[end-1] == '.' || text[end-1] == '-') {
				end--
			}
			if end > begin {
				do(text[begin:end], begin, end)
			}
			begin = -1
		}
	}
}

func inWord(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '@' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
