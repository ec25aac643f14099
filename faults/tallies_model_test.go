package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"parity/faults/trail"
	"parity/specs"
)

// A model is tallies that forget nothing: plain maps, written in place.
type model struct {
	intents map[string]*modelIntents // by fingerprint
	keys    map[string]keyed
	rules   map[ruleKey]*modelRule
	last    map[string]modelCall
}

type modelIntents struct {
	attempts []int // of each occurrence
	whole    bool  // the latest got its complete success
}

type modelRule struct {
	met, fired uint64
	intents    map[string]modelSighting
	until      trail.Instant
	uses       []trail.Instant
}

type modelSighting struct {
	index, attempts uint64
	hit             bool
}

type modelCall struct {
	op  *specs.Operation
	seq uint64
}

func newModel() *model {
	return &model{map[string]*modelIntents{}, map[string]keyed{}, map[ruleKey]*modelRule{}, map[string]modelCall{}}
}

func (m *model) intend(identity, fingerprint, operation, key string, header http.Header, open func(string) bool) trail.Intent {
	in := trail.Intent{Fingerprint: fingerprint, Occurrence: 1, Attempt: 1, Key: key, SDKRetry: sdkRetry(header)}
	if known := m.intents[fingerprint]; known != nil {
		in.Occurrence = len(known.attempts)
		if k, ok := m.keys[keyOf(identity, operation, key)]; ok && key != "" && k.fingerprint == fingerprint {
			in.Occurrence = k.occurrence
		} else if known.whole && in.SDKRetry == 0 && !open(intentID(fingerprint, in.Occurrence)) {
			in.Occurrence++
		}
		if in.Occurrence <= len(known.attempts) {
			in.Attempt = known.attempts[in.Occurrence-1] + 1
		}
	}
	in.ID = intentID(fingerprint, in.Occurrence)
	return in
}

func (m *model) fold(e *trail.Event) {
	x := e.Exchange
	if x == nil || x.Operation == "" {
		return
	}
	in := x.Intent
	known := m.intents[in.Fingerprint]
	if x.Reserved == 0 {
		if known == nil {
			known = &modelIntents{}
			m.intents[in.Fingerprint] = known
		}
		if in.Occurrence > len(known.attempts) {
			known.attempts, known.whole = append(known.attempts, 0), false
		}
		known.attempts[in.Occurrence-1] = max(known.attempts[in.Occurrence-1], in.Attempt)
		if in.Key != "" {
			m.keys[keyOf(e.Identity, x.Service+" "+x.Operation, in.Key)] = keyed{in.Fingerprint, in.Occurrence}
		}
		for _, s := range x.Strikes {
			m.strike(s, in.ID, e.At)
		}
	}
	if e.Kind == trail.Exchanged {
		if len(known.attempts) == in.Occurrence {
			known.whole = known.whole || x.Whole
		}
		method, path, _ := strings.Cut(x.Operation, " ")
		m.last[x.Operation] = modelCall{&specs.Operation{Service: x.Service, ID: x.OperationID, Method: method, Path: path}, e.Seq}
	}
}

func (m *model) strike(s trail.Strike, intent string, at trail.Instant) {
	if s.Index == 0 {
		return
	}
	name := ruleKey{s.Rule, s.Hash, s.Per}
	if m.rules[name] == nil {
		m.rules[name] = &modelRule{intents: map[string]modelSighting{}}
	}
	rule, saw := m.rules[name], m.rules[name].intents[intent]
	if saw.index == 0 {
		rule.met++
		saw.index = s.Index
	}
	saw.attempts++
	if s.Fired && !saw.hit {
		saw.hit = true
		rule.fired++
	}
	rule.intents[intent] = saw
	rule.until = max(rule.until, s.Until)
	if s.Use {
		rule.uses = append(rule.uses, at)
	}
}

func (m *model) lastOf(p Pattern) uint64 {
	var latest uint64
	for _, call := range m.last {
		if p.Match(call.op) {
			latest = max(latest, call.seq)
		}
	}
	return latest
}

// differs says what tallies know otherwise than the model does, of all that
// the model has counted and of the last hundred instants.
func (m *model) differs(t *Tallies, now trail.Instant) string {
	for name, want := range m.rules {
		got := t.count(name)
		if got.met != want.met || got.fired != want.fired || got.until != want.until {
			return fmt.Sprintf("%v: got %+v, want %+v", name, got, want)
		}
		for _, ago := range []trail.Instant{0, 1, 5, 20, 100} {
			from := now - ago
			n := 0
			for _, at := range want.uses {
				if at > from {
					n++
				}
			}
			// Beyond the limit it does not matter how many.
			if got := got.uses.since(from.Time()); got != min(n, limitOf(name)) {
				return fmt.Sprintf("%v: %d uses since %d, want %d", name, got, from, n)
			}
		}
	}
	for fingerprint, known := range m.intents {
		in, _ := t.intent(fingerprint, len(known.attempts))
		if in == nil || in.attempts != known.attempts[len(known.attempts)-1] || in.whole != known.whole {
			return fmt.Sprintf("%s: got %+v, want %+v", fingerprint, in, known)
		}
		for name, rule := range m.rules {
			want := rule.intents[intentID(fingerprint, in.occurrence)]
			if got := in.sight(name); (modelSighting{got.index, got.attempts, got.hit}) != want {
				return fmt.Sprintf("%s by %v: got %+v, want %+v", fingerprint, name, got, want)
			}
		}
	}
	for key, k := range m.keys {
		in, _ := t.intent(k.fingerprint, k.occurrence)
		if got := t.keys.get(key); got == nil || *got != k {
			return fmt.Sprintf("key %q: got %v, want %v", key, got, k)
		}
		if want := m.intents[k.fingerprint].attempts[k.occurrence-1]; in == nil || in.attempts != want {
			return fmt.Sprintf("key %q: its intent is %+v, want %d attempts", key, in, want)
		}
	}
	return ""
}

// limitOf is the limit of a rule of these tests: none of the first one's calls
// count.
func limitOf(name ruleKey) int { return slices.Index(modelRules, name.name) * 2 }

var modelRules = []string{"never", "two", "four"}
