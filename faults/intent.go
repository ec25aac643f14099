package faults

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"parity/fakes/chance"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
)

// intents is what is known of all the intents of one fingerprint.
type intents struct {
	attempts []int // of each occurrence, in order
	whole    bool  // the latest got its complete success
}

func (in *intents) String() string { return fmt.Sprint(in.attempts, " ", in.whole) }

type keyed struct {
	fingerprint string
	occurrence  int
}

// Fingerprint digests what an agent meant by a call: who it is, the operation,
// and the business fields of the request. Idempotency keys, ids made for each
// call and times of sending are left out, so that a retry has the fingerprint
// of its original.
func Fingerprint(identity string, op *specs.Operation, in specs.Input) string {
	if len(in.Query) == 0 && len(in.Body) == 0 && len(in.Path) <= 1 {
		for _, value := range in.Path {
			return chance.Hash(identity, op.Service, op.ID, value)[:16]
		}
		return chance.Hash(identity, op.Service, op.ID)[:16]
	}
	fields := map[string]any{"query": meant(in.Query, op), "body": meant(in.Body, op)}
	path := make(map[string]any, len(in.Path))
	for name, value := range in.Path {
		path[name] = value
	}
	fields["path"] = path
	return chance.Hash(identity, op.Service, op.ID, string(world.Encode(fields)))[:16]
}

// meant drops what a client makes anew for each try.
func meant(fields map[string]any, op *specs.Operation) map[string]any {
	if len(fields) == 0 {
		return nil
	}
	kept := make(map[string]any, len(fields))
	for name, value := range fields {
		if volatile(name, op) {
			continue
		}
		if inner, ok := value.(map[string]any); ok {
			value = meant(inner, op)
		}
		kept[name] = value
	}
	return kept
}

// volatile tells a field that says nothing about what is meant: one that the
// contract names, or one whose name says that it belongs to the try.
func volatile(name string, op *specs.Operation) bool {
	for _, v := range op.Anatomy.Volatile {
		if v == name {
			return true
		}
	}
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
func (t *Tallies) Intend(identity, fingerprint, operation, key string, header http.Header, open func(id string) bool) trail.Intent {
	in := trail.Intent{Fingerprint: fingerprint, Occurrence: 1, Attempt: 1, Key: key, SDKRetry: sdkRetry(header)}
	known := t.intents[fingerprint]
	if known != nil {
		in.Occurrence = len(known.attempts)
		if k, ok := t.keys[keyOf(identity, operation, key)]; ok && key != "" && k.fingerprint == fingerprint {
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

func intentID(fingerprint string, occurrence int) string {
	return fingerprint + "." + strconv.Itoa(occurrence)
}

func (t *Tallies) openIntent(identity string, x *trail.Exchange) {
	in := x.Intent
	known := t.intents[in.Fingerprint]
	if known == nil {
		known = &intents{}
		t.intents[in.Fingerprint] = known
	}
	if in.Occurrence == len(known.attempts)+1 {
		known.attempts, known.whole = append(known.attempts, 0), false
	}
	if in.Occurrence >= 1 && in.Occurrence <= len(known.attempts) { // always, in a record of ours
		known.attempts[in.Occurrence-1] = max(known.attempts[in.Occurrence-1], in.Attempt)
	}
	if in.Key != "" {
		t.keys[keyOf(identity, x.Service+" "+x.Operation, in.Key)] = keyed{in.Fingerprint, in.Occurrence}
	}
}

func (t *Tallies) settleIntent(x *trail.Exchange) {
	if known := t.intents[x.Intent.Fingerprint]; known != nil && len(known.attempts) == x.Intent.Occurrence {
		known.whole = known.whole || x.Whole
	}
}

func keyOf(identity, operation, key string) string {
	return identity + "\x00" + operation + "\x00" + key
}

// sdkRetry reads the retry count that some SDKs declare.
func sdkRetry(header http.Header) int {
	n, err := strconv.Atoi(header.Get("X-Stainless-Retry-Count"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
