package faults_test

import (
	"testing"
	"time"

	"parity/faults"
	"parity/specs"
)

// A meaning says which fields make another intent of a call, whatever order they
// come in and whatever else is with them.
func TestMeaning(t *testing.T) {
	t.Parallel()
	op := &specs.Operation{Service: "stripe", ID: "PostRefunds", Method: "POST", Path: "/v1/refunds"}
	call := func(more map[string]any) specs.Input {
		in := specs.Input{Path: map[string]string{"account": "acct_1"}, Body: map[string]any{
			"charge": "ch_1", "amount": int64(100), "reason": "broken", "metadata": map[string]any{"order_id": "7", "run": "a"},
		}}
		for name, value := range more {
			in.Body[name] = value
		}
		return in
	}
	text := func(run string) map[string]any { return map[string]any{"order_id": "7", "run": run} }
	for _, c := range []struct {
		name    string
		m       *faults.Meaning
		more    map[string]any
		another bool
	}{
		{"nothing corrected, another text", nil, map[string]any{"reason": "it came broken"}, true},
		{"nothing corrected, another name of the try", nil, map[string]any{"idempotency_key": "k2"}, false},
		{"by charge and amount, another text", &faults.Meaning{By: []string{"charge", "amount"}}, map[string]any{"reason": "it came broken", "metadata": text("b"), "trace_id": "t"}, false},
		{"by charge and amount, another amount", &faults.Meaning{By: []string{"amount", "charge"}}, map[string]any{"amount": int64(101)}, true},
		{"by a field within, another one beside it", &faults.Meaning{By: []string{"metadata.order_id"}}, map[string]any{"metadata": text("b")}, false},
		{"by a field within", &faults.Meaning{By: []string{"metadata.order_id"}}, map[string]any{"metadata": map[string]any{"order_id": "8", "run": "a"}}, true},
		{"by a field that is left out otherwise", &faults.Meaning{By: []string{"nonce"}}, map[string]any{"nonce": "n2"}, true},
		{"by a field that is not there", &faults.Meaning{By: []string{"metadata.order_id.part"}}, map[string]any{"amount": int64(101)}, false},
		{"ignoring a text", &faults.Meaning{Ignoring: []string{"reason"}}, map[string]any{"reason": "it came broken"}, false},
		{"ignoring a text, another amount", &faults.Meaning{Ignoring: []string{"reason"}}, map[string]any{"amount": int64(101)}, true},
		{"ignoring a field within", &faults.Meaning{Ignoring: []string{"metadata.run"}}, map[string]any{"metadata": text("b")}, false},
		{"ignoring a field within, another beside it", &faults.Meaning{Ignoring: []string{"metadata.run"}}, map[string]any{"metadata": map[string]any{"order_id": "8", "run": "b"}}, true},
	} {
		first, second := call(nil), call(c.more)
		if got := c.m.Fingerprint("a", op, first, time.Time{}) != c.m.Fingerprint("a", op, second, time.Time{}); got != c.another {
			t.Errorf("%s: another intent %v, want %v", c.name, got, c.another)
		}
		if first.Body["metadata"].(map[string]any)["run"] != "a" {
			t.Errorf("%s: the call itself was altered", c.name)
		}
		elsewhere := call(nil)
		elsewhere.Path = map[string]string{"account": "acct_2"}
		if c.m.Fingerprint("a", op, first, time.Time{}) == c.m.Fingerprint("a", op, elsewhere, time.Time{}) || c.m.Fingerprint("a", op, first, time.Time{}) == c.m.Fingerprint("b", op, first, time.Time{}) {
			t.Errorf("%s: another record, or another agent, is the same intent", c.name)
		}
	}
}
