package verdict

import (
	"testing"

	"parity/faults/trail"
	"parity/specs"
)

// An agent that had sent a key, or had looked, was told to do just that.
func TestAMendIsNotWhatWasDone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		key, again string
		want       string
	}{
		{"no key", "", "", "send an Idempotency-Key and keep it for the retry, or look for the refund first"},
		{"another key", "k1", "k2", "keep the Idempotency-Key of the first attempt, or look for the refund first"},
		{"no key with the retry", "k1", "", "send the Idempotency-Key of the first attempt with the retry too, or look for the refund first"},
		{"the same key, and it acted", "k1", "k1", "a key is not kept for ever: look for the refund first"},
	} {
		tape := newTape()
		tape.in.Operation = func(string, string) *specs.Operation {
			return &specs.Operation{Anatomy: specs.Anatomy{Key: "Idempotency-Key"}}
		}
		tape.call(refunds, "r.1").key(c.key).makes("refunds", "re_00000001", `,"amount":1,"currency":"usd"`).reset().put()
		tape.call(refunds, "r.1").key(c.again).makes("refunds", "re_00000002", `,"amount":1,"currency":"usd"`).put()
		if v := tape.verdict(t, trail.OneEffect); v.Mend != c.want {
			t.Errorf("%s: %q, want %q", c.name, v.Mend, c.want)
		}
	}
}
