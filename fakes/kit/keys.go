package kit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"parity/fakes/cast"
	"parity/fakes/world"
)

// Keys remembers answers by idempotency key in a hidden collection of the
// world, so that they fork and replay with everything else.
//
//	(none) ──Reserve──▶ in-progress ──Keep──▶ done ──Life passes──▶ (none)
//	   ▲────────────────Release──┘
type Keys struct {
	Collection string        // such as "stripe.idempotency"
	Life       time.Duration // of the run's clock, since the first use
}

// A Use is one call's use of a key.
type Use struct {
	Key        string
	Endpoint   string // method and path, as refusals word it
	Parameters string // a Fingerprint
	Now        time.Time
}

// KeyState is what the world knows about a key.
type KeyState int

// The states that Look tells apart.
const (
	KeyFresh           KeyState = iota // never used, released, or forgotten
	KeyRunning                         // its first call is not answered yet
	KeyDone                            // answered: replay it
	KeyOtherParameters                 // belongs to a call with other parameters
	KeyOtherEndpoint                   // belongs to a call of another endpoint
)

// Stored is the answer kept under a key.
type Stored struct {
	Endpoint string
	Status   int
	Header   http.Header
	// Body is given again to the byte, whatever becomes of the records that it
	// shows.
	Body []byte
	// Result is the value whose encoding Body is; nil when it is not JSON of
	// the world's. It is kept in the place of Body, without encoding again
	// what was written just before, and frozen from then on.
	Result map[string]any
}

const (
	stateRunning = "in-progress"
	stateDone    = "done"
)

// Look tells a key's state, with what is stored. A running key is reported as
// running whatever the call's parameters are.
func (k Keys) Look(r world.Getter, u Use) (KeyState, Stored) {
	record, ok := r.Get(k.Collection, u.Key)
	if !ok || k.expired(record, u.Now) {
		return KeyFresh, Stored{}
	}
	v := record.Value()
	stored := Stored{Endpoint: Text(v, "endpoint")}
	switch {
	case v["state"] == stateRunning:
		return KeyRunning, stored
	case stored.Endpoint != u.Endpoint:
		return KeyOtherEndpoint, stored
	case v["parameters"] != u.Parameters:
		return KeyOtherParameters, stored
	}
	if status, ok := v["status"].(int64); ok {
		stored.Status = int(status)
	}
	if result, ok := v["result"].(map[string]any); ok {
		stored.Result, stored.Body = result, world.Encode(result)
	} else {
		stored.Body = []byte(Text(v, "body"))
	}
	stored.Header = http.Header{}
	if headers, ok := v["headers"].(map[string]any); ok {
		for name, value := range headers {
			if text, ok := value.(string); ok {
				stored.Header.Set(name, text)
			}
		}
	}
	return KeyDone, stored
}

// Reserve marks a fresh key as in progress and tells whether it did: a key in
// any other state is left as it is. It creates or updates one record and deletes
// none, so that a fork, which leaves the call behind, can undo it.
func (k Keys) Reserve(tx *world.Tx, u Use) (bool, error) {
	if state, _ := k.Look(tx, u); state != KeyFresh {
		return false, nil
	}
	put := tx.Insert
	if _, forgotten := tx.Get(k.Collection, u.Key); forgotten {
		put = tx.Update
	}
	if _, err := put(k.Collection, u.Key, k.value(u, u.Now.UnixNano(), stateRunning, Stored{})); err != nil {
		return false, fmt.Errorf("idempotency key: %w", err)
	}
	return true, nil
}

// Release forgets a key that is in progress.
func (k Keys) Release(tx *world.Tx, u Use) error {
	record, ok := tx.Get(k.Collection, u.Key)
	if !ok || record.Value()["state"] != stateRunning {
		return nil
	}
	return tx.Delete(k.Collection, u.Key)
}

// Keep stores the answer to a call whose key is fresh or its own reservation.
// The oldest forgotten key goes with it, so that keys in a long run are bounded
// by those of one lifetime.
func (k Keys) Keep(tx *world.Tx, u Use, s Stored) error {
	created := u.Now.UnixNano()
	if record, ok := tx.Get(k.Collection, u.Key); ok {
		if n, ok := record.Value()["created"].(int64); ok && !k.expired(record, u.Now) {
			created = n
		}
		if err := tx.Delete(k.Collection, u.Key); err != nil {
			return fmt.Errorf("idempotency key: %w", err)
		}
	}
	for oldest := range tx.Oldest(k.Collection, 0) {
		if k.expired(oldest, u.Now) {
			if err := tx.Delete(k.Collection, oldest.ID); err != nil {
				return fmt.Errorf("forgotten idempotency key: %w", err)
			}
		}
		break
	}
	if _, err := tx.Insert(k.Collection, u.Key, k.value(u, created, stateDone, s)); err != nil {
		return fmt.Errorf("idempotency key: %w", err)
	}
	return nil
}

// value is what a key holds; created counts nanoseconds from 1970.
func (k Keys) value(u Use, created int64, state string, s Stored) map[string]any {
	headers := make(map[string]any, len(s.Header))
	for name := range s.Header {
		headers[name] = s.Header.Get(name)
	}
	value := map[string]any{
		"id": u.Key, "state": state, "created": created,
		"endpoint": u.Endpoint, "parameters": u.Parameters,
		"status": int64(s.Status), "headers": headers,
	}
	if s.Result != nil {
		value["result"] = s.Result
	} else {
		value["body"] = string(s.Body)
	}
	return value
}

func (k Keys) expired(r *world.Record, now time.Time) bool {
	return !now.Before(time.Unix(0, cast.Int(r.At("created"))).Add(k.Life))
}

// Fingerprint digests a call's decoded parameters: their order on the wire
// does not count.
func Fingerprint(parameters map[string]any) string {
	if len(parameters) == 0 {
		return ""
	}
	sum := sha256.Sum256(world.Encode(parameters))
	return hex.EncodeToString(sum[:16])
}
