// Package credential is the standing of what identities present: whether a
// credential is in force, and since when it is not. It is a record of the run's
// world, in a hidden collection, so that it forks, replays and is set back with
// everything else. No record is one that is in force.
//
//	           ┌─▶ revoked
//	in force ──┼─▶ expired
//	           └─▶ rotated: the next is in force at once, the one before for a while yet
//
// What a credential is worth is asked in the turn of each call that shows it;
// what becomes of it is said by whoever runs the rehearsal.
package credential

import (
	"errors"
	"time"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
	"parity/fakes/world"
)

// The states of a credential.
const (
	InForce = "in force"
	Rotated = "rotated" // the newest is in force, and the one before may be yet
	Revoked = "revoked"
	Expired = "expired"
)

// Newest stands for the newest generation of a credential.
const Newest = -1

// ErrAlready tells that a credential is no more in force.
var ErrAlready = errors.New("it is not in force any more")

// Standing is how a credential stands.
type Standing struct {
	State      string
	Generation int       // of the newest: how often it was rotated
	Until      time.Time // how long the one before is good; zero: not at all
}

func id(identity, service string) string { return "credential/" + identity + "/" + service }

// Of tells how the credential of an identity at a service stands.
func Of(r world.Reader, identity, service string) Standing {
	record, ok := r.Get(fakes.GrantsCollection, id(identity, service))
	if !ok {
		return Standing{State: InForce}
	}
	value := record.Value()
	s := Standing{State: cast.Text(value["state"]), Generation: int(cast.Int(value["generation"]))}
	if until := cast.Int(value["until"]); until != 0 {
		s.Until = time.Unix(0, until).UTC()
	}
	return s
}

// Code tells why a generation of the credential is not taken, as a closed set of
// codes has it: revoked or expired; "": it is in force.
func (s Standing) Code(now time.Time, generation int) string {
	switch {
	case generation == Newest || generation >= s.Generation:
		if s.State == Revoked || s.State == Expired {
			return s.State
		}
		return ""
	case s.Until.IsZero():
		return Revoked
	case s.State == Rotated && generation == s.Generation-1 && now.Before(s.Until):
		return ""
	}
	return Expired
}

// End has the credential be in force no more: Revoked or Expired says how. What was
// revoked is not said to have expired.
func End(tx *world.Tx, identity, service, how string) (Standing, error) {
	s := Of(tx, identity, service)
	if s.State == how || s.State == Revoked {
		return s, ErrAlready
	}
	if s.State = how; how == Revoked {
		s.Until = time.Time{} // and what came before is not said to have expired either
	}
	s.keep(tx, identity, service)
	return s, nil
}

// Rotate puts the next generation in the place of the credential, which is good for
// a while yet if it was in force.
func Rotate(tx *world.Tx, now time.Time, identity, service string, grace time.Duration) Standing {
	s := Of(tx, identity, service)
	s.Until = now.Add(grace)
	if s.Code(now, Newest) != "" {
		s.Until = time.Time{}
	}
	s.State, s.Generation = Rotated, s.Generation+1
	s.keep(tx, identity, service)
	return s
}

func (s Standing) keep(tx *world.Tx, identity, service string) {
	value := map[string]any{"state": s.State, "generation": int64(s.Generation)}
	if !s.Until.IsZero() {
		value["until"] = s.Until.UnixNano()
	}
	kit.Keep(tx, fakes.GrantsCollection, id(identity, service), value)
}
