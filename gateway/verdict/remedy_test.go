package verdict

import (
	"strings"
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

// An answer with parts left out, beside next_page: null, was to be mended by reading
// on, where there is nothing to read on to.
func TestThereIsNothingToReadOnToInAnAnswerWithPartsLeftOut(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{"partial-result": "ask for what is missing once more", "partial-page": "read on as long as a page says"} {
		played := newTape()
		played.list("").replies(`{"data":[{"id":"cus_00000001"}]}`).strike(it, fault).did("left out 1 of 2 items, and says partial").put()
		played.tells("customers: 1 in all").put()
		if v := played.verdict(t, it); v.Reaction != trail.Mishandled || !strings.HasPrefix(v.Mend, want) || strings.Contains(v.Lines[0], "read on") != (fault == "partial-page") {
			t.Errorf("%s: %s %v: %s", fault, v.Reaction, v.Lines, v.Mend)
		}
	}
}
