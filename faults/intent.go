package faults

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parity/fakes/chance"
	"parity/fakes/trie"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
)

// An intentName says where an intent is kept: the latest of its fingerprint
// under 0, so that it is found by the fingerprint alone, and one before it,
// which only an idempotency key leads to, under its occurrence.
type intentName struct {
	fingerprint string
	occurrence  int
}

// An intent is what is known of one. It is frozen, once it is kept.
type intent struct {
	occurrence int
	attempts   int
	whole      bool       // it got its complete success
	keyed      bool       // an idempotency key refers to it
	seen       []sighting // what rules have counted of it
}

// A sighting is what one rule has counted of one intent.
type sighting struct {
	rule     *ruleKey
	index    uint64
	attempts uint64
	hit      bool
}

// mostSeen bounds the sightings of one intent, which could grow with each
// attempt where a rule's per names something that each attempt has anew. The
// oldest is forgotten first.
const mostSeen = 256

// sight gives what a rule has counted of the intent.
func (in *intent) sight(rule ruleKey) sighting {
	for i := range in.seen {
		if *in.seen[i].rule == rule {
			return in.seen[i]
		}
	}
	return sighting{}
}

// record puts a sighting in the place of that rule's before, and writes to seen.
func (in *intent) record(s sighting) {
	for i := range in.seen {
		if *in.seen[i].rule == *s.rule {
			in.seen[i] = s
			return
		}
	}
	if len(in.seen) == mostSeen {
		in.seen = slices.Delete(in.seen, 0, 1)
	}
	in.seen = append(in.seen, s)
}

type keyed struct {
	fingerprint string
	occurrence  int
}

// Fingerprint digests what an agent meant by a call: who it is, the operation,
// and the business fields of the request. Idempotency keys, ids made for each
// call and times of sending are left out, so that a retry has the fingerprint
// of its original. A time of sending is one that is about now, whatever its field is
// called; a zero now knows of none.
func Fingerprint(identity string, op *specs.Operation, in specs.Input, now time.Time) string {
	if len(in.Query) == 0 && len(in.Body) == 0 && in.Value == nil && len(in.Path) <= 1 {
		for _, value := range in.Path {
			return chance.Short(16, identity, op.Service, op.ID, value)
		}
		return chance.Short(16, identity, op.Service, op.ID)
	}
	fields := map[string]any{"query": meant(in.Query, op, now), "body": meant(in.Body, op, now)}
	path := make(map[string]any, len(in.Path))
	for name, value := range in.Path {
		path[name] = value
	}
	fields["path"] = path
	if in.Value != nil {
		fields["value"] = in.Value
	}
	return chance.Short(16, identity, op.Service, op.ID, string(world.Encode(fields)))
}

// Binding digests a call as somebody approves it: whose it is, the operation, and
// all that it says but for credentials, keys and what its contract calls
// volatile. Times of sending count, unlike in Fingerprint. Raw is a body that is
// neither a form nor JSON.
func Binding(identity string, op *specs.Operation, in specs.Input, raw []byte) string {
	path := make(map[string]any, len(in.Path))
	for name, value := range in.Path {
		path[name] = value
	}
	fields := map[string]any{"path": path, "query": lasting(op.Anonymous(in.Query), op), "body": lasting(in.Body, op)}
	if in.Value != nil {
		fields["value"] = in.Value
	}
	var parts []any
	for i := range in.Parts {
		p := &in.Parts[i]
		parts = append(parts, []any{p.Name, p.FileName, p.Type, chance.Hash(string(p.Data))})
	}
	if parts != nil {
		fields["parts"] = parts
	}
	if in.Body != nil || in.Value != nil || parts != nil { // a boundary is another with each try
		raw = nil
	}
	return chance.Hash(identity, op.Service, op.ID, op.Method, op.Path, string(world.Encode(fields)), string(raw))
}

// lasting drops the idempotency key, and what the contract calls volatile. A name
// alone, such as request_id, drops nothing: it may be what somebody approves.
func lasting(fields map[string]any, op *specs.Operation) map[string]any {
	kept := make(map[string]any, len(fields))
	for name, value := range fields {
		if name != op.Anatomy.KeyField && !slices.Contains(op.Anatomy.Volatile, name) {
			kept[name] = value
		}
	}
	return kept
}

// meant drops what a client makes anew for each try.
func meant(fields map[string]any, op *specs.Operation, now time.Time) map[string]any {
	if len(fields) == 0 {
		return nil
	}
	var kept map[string]any // made where it is another than fields
	for name, value := range fields {
		drop := volatile(name, op) || sending(value, now)
		if !drop && plain(value) {
			continue
		}
		if kept == nil {
			kept = maps.Clone(fields)
		}
		if drop {
			delete(kept, name)
		} else {
			kept[name] = meantIn(value, op, now)
		}
	}
	if kept == nil {
		return fields
	}
	return kept
}

// meantIn does so within a value.
func meantIn(value any, op *specs.Operation, now time.Time) any {
	switch x := value.(type) {
	case map[string]any:
		return meant(x, op, now)
	case []any:
		if now.IsZero() || !slices.ContainsFunc(x, func(v any) bool { _, fields := v.(map[string]any); return fields }) {
			return x
		}
		kept := make([]any, len(x))
		for i, v := range x {
			kept[i] = meantIn(v, op, now)
		}
		return kept
	}
	return value
}

// nearNow is how far from now a time of sending may be: a client's clock is not
// the gateway's, and a call may wait on its way.
const nearNow = time.Minute

// sending tells a value that is a time about now: as text, or in seconds or
// milliseconds of Unix.
func sending(value any, now time.Time) bool {
	if now.IsZero() {
		return false
	}
	var at time.Time
	switch x := value.(type) {
	case int64:
		at = unixTime(x)
	case string:
		if len(x) < len("1700000000") || len(x) > 40 || x[0] < '0' || x[0] > '9' {
			return false
		}
		if n, err := strconv.ParseInt(x, 10, 64); err == nil {
			at = unixTime(n)
		} else if at, err = time.Parse(time.RFC3339, x); err != nil {
			return false
		}
	default:
		return false
	}
	by := at.Sub(now)
	return -nearNow < by && by < nearNow
}

func unixTime(n int64) time.Time {
	if n > 1e11 {
		return time.UnixMilli(n)
	}
	return time.Unix(n, 0)
}

// volatile tells a field that says nothing about what is meant: one that the
// contract names, or one whose name says that it belongs to the try.
func volatile(name string, op *specs.Operation) bool {
	return slices.Contains(op.Anatomy.Volatile, name) || OfTheTry(name)
}

// OfTheTry tells a name that, in any contract, is of a value that a client makes
// anew for each try.
func OfTheTry(name string) bool {
	switch strings.ToLower(strings.ReplaceAll(name, "-", "_")) {
	case "idempotency_key", "request_id", "x_request_id", "trace_id", "nonce", "attempt", "retry", "retry_count",
		"timestamp", "sent_at", "requested_at":
		return true
	}
	return false
}

// Intend says which intent and which attempt of it a call is. A call that
// carries the key of an earlier one belongs to that one; otherwise it belongs
// to the latest intent of its fingerprint, unless that got its complete
// success: then it is meant anew. open tells that the latest is still
// unanswered, or was never seen to arrive.
//
// What is forgotten (see Remembered) was never met, except that its ID is not
// given again: ids of records are drawn from it.
func (t *Tallies) Intend(identity, fingerprint, operation, key string, header http.Header, open func(id string) bool) trail.Intent {
	in := trail.Intent{Fingerprint: fingerprint, Occurrence: t.floor + 1, Attempt: 1, Key: key, SDKRetry: sdkRetry(header)}
	known := t.byKey(identity, fingerprint, operation, key)
	if known == nil {
		known = t.intents.get(intentName{fingerprint: fingerprint})
		if known != nil && known.whole && in.SDKRetry == 0 && !open(intentID(fingerprint, known.occurrence)) {
			in.Occurrence, known = known.occurrence+1, nil
		}
	}
	if known != nil {
		in.Occurrence, in.Attempt = known.occurrence, known.attempts+1
	}
	in.ID = intentID(fingerprint, in.Occurrence)
	return in
}

func intentID(fingerprint string, occurrence int) string {
	return fingerprint + "." + strconv.Itoa(occurrence)
}

// byKey gives the intent that an idempotency key leads to; nil when that is
// none, or one of another fingerprint.
func (t *Tallies) byKey(identity, fingerprint, operation, key string) *intent {
	if key == "" {
		return nil
	}
	k := t.keys.get(keyOf(identity, operation, key))
	if k == nil || k.fingerprint != fingerprint {
		return nil
	}
	in, _ := t.intent(fingerprint, k.occurrence)
	return in
}

// intent gives an intent, nil when it is not known, and where it is kept.
func (t *Tallies) intent(fingerprint string, occurrence int) (*intent, intentName) {
	newest, own := intentName{fingerprint: fingerprint}, intentName{fingerprint, occurrence}
	latest := t.intents.get(newest)
	switch {
	case latest != nil && latest.occurrence == occurrence:
		return latest, newest
	case latest != nil && latest.occurrence < occurrence:
		return nil, newest
	}
	older := t.intents.get(own)
	if older == nil && latest == nil {
		return nil, newest
	}
	return older, own
}

// keep puts an intent where intent said. One that becomes the latest of its
// fingerprint takes the place of another, which is kept on if a key may ask
// for it.
func (t *Tallies) keep(at intentName, in intent) {
	latest := t.intents.get(at)
	if latest != nil && latest.occurrence < in.occurrence && latest.keyed {
		t.write(intentName{at.fingerprint, latest.occurrence}, *latest)
	}
	t.write(at, in)
}

// write raises the floor above the intents that it makes the tallies forget.
// Where the latest of a fingerprint is remembered, those before it need none.
func (t *Tallies) write(at intentName, in intent) {
	forgotten := t.intents.set(at, in)
	if forgotten.Empty() {
		return
	}
	forgotten.Ascend(0, func(it trie.Item[*entry[intentName, intent]]) bool {
		if e := it.Value; e.key.occurrence == 0 && e.value.occurrence > t.floor && t.intents.get(e.key) == nil {
			t.floor = e.value.occurrence
		}
		return true
	})
}

func keyOf(identity, operation, key string) string {
	return identity + "\x00" + operation + "\x00" + key
}
