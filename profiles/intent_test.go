package profiles_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/faults"
)

// The first pattern that matches an operation says what tells its intents apart,
// and what is nearer comes first.
func TestIntents(t *testing.T) {
	t.Parallel()
	p := parse(t, `profile: billing
services: {stripe: {}}
intents:
  stripe POST /v1/refunds: {by: [charge, amount]}
  stripe POST *: {ignoring: [metadata.run, description]}
`)
	stripe, ok := p.Catalogue.Service("stripe")
	if !ok {
		t.Fatal("no stripe")
	}
	for name, want := range map[string]*faults.Meaning{
		"POST /v1/refunds":   {By: []string{"charge", "amount"}},
		"POST /v1/customers": {Ignoring: []string{"metadata.run", "description"}},
		"GET /v1/refunds":    nil,
	} {
		op, ok := stripe.Contract.Operation(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		if diff := cmp.Diff(want, p.Meaning(op)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(want, parse(t, string(p.Content)).Meaning(op)); diff != "" {
			t.Errorf("%s, read again (-want +got):\n%s", name, diff)
		}
	}
}
