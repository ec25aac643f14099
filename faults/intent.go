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
	occurrences int
	attempts    int  // of the latest
	whole       bool // the latest got its complete success
}

func (in *intents) String() string {
	return fmt.Sprint(in.occurrences, " ", in.attempts, " ", in.whole)
}

type keyed struct {
	fingerprint string
	occurrence  int
	attempts    int
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
	if k, ok := t.keys[identity+"\x00"+operation+"\x00"+key]; ok && key != "" && k.fingerprint == fingerprint {
		in.Occurrence, in.Attempt = k.occurrence, k.attempts+1
	} else if known := t.intents[fingerprint]; known != nil {
		in.Occurrence, in.Attempt = known.occurrences, known.attempts+1
		if known.whole && !open(intentID(fingerprint, known.occurrences)) && in.SDKRetry == 0 {
			in.Occurrence, in.Attempt = known.occurrences+1, 1
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
	if in.Occurrence > known.occurrences {
		known.occurrences, known.attempts, known.whole = in.Occurrence, 0, false
	}
	if in.Occurrence == known.occurrences {
		known.attempts = max(known.attempts, in.Attempt)
	}
	if in.Key != "" {
		t.keys[identity+"\x00"+x.Service+" "+x.Operation+"\x00"+in.Key] = keyed{in.Fingerprint, in.Occurrence, in.Attempt}
	}
}

func (t *Tallies) settleIntent(x *trail.Exchange) {
	if known := t.intents[x.Intent.Fingerprint]; known != nil && known.occurrences == x.Intent.Occurrence {
		known.whole = known.whole || x.Whole
	}
}

// sdkRetry reads the retry count that some SDKs declare.
func sdkRetry(header http.Header) int {
	n, err := strconv.Atoi(header.Get("X-Stainless-Retry-Count"))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
