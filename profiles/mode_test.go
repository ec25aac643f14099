package profiles_test

import (
	"testing"

	"parity/profiles/policy"
)

// Of two patterns the one that says more counts, whatever their order; what no
// pattern names is the fake's.
func TestModesByOperation(t *testing.T) {
	t.Parallel()
	p := parse(t, `profile: rough
services:
  stripe:
    mode: {stripe GET /v1/charges/{charge}: record, "stripe GET *": live-read, "*": fake, "stripe * /v1/refunds*": shadow}
    record: recordings
    upstream: {credential: {env: STRIPE_KEY}, account: test, keep: all, max_reply: 1MB}
  slack: {}
`)
	want := map[string]policy.Mode{
		"GET /v1/charges/{charge}": policy.Recorded, "GET /v1/charges": policy.LiveRead, "POST /v1/charges": policy.Fake,
		"POST /v1/refunds": policy.Shadow, "GET /v1/refunds/{refund}": policy.Shadow,
	}
	stripe, _ := p.Catalogue.Service("stripe")
	seen := 0
	for _, op := range stripe.Contract.Operations {
		if mode, ok := want[op.Method+" "+op.Path]; ok {
			seen++
			if got := p.Mode(op); got != mode {
				t.Errorf("%s is %s, want %s", op.Name(), got, mode)
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d of the operations are there", seen)
	}
	if len(p.Differences) != 2 || p.Differences[0].Name != "overlay" || p.Differences[1].Name != "shadow-multistep" {
		t.Errorf("differences are %v", p.Differences)
	}
	u := p.Upstreams["stripe"]
	if u == nil || len(p.Real()) != 1 || u.Env != "STRIPE_KEY" || u.MaxReply != 1<<20 || u.Hosts[0] != "api.stripe.com" {
		t.Errorf("upstream is %+v of %v", u, p.Real())
	}
	if names := p.SecretNames(); len(names) != 1 || names[0] != "STRIPE_KEY" {
		t.Errorf("secrets are %v", names)
	}
}

// A mode is part of policy: runs under another one do not compare unsaid.
func TestModesAreOfPolicy(t *testing.T) {
	t.Parallel()
	of := func(mode string) string {
		p := parse(t, "profile: rough\nservices:\n  stripe:\n    mode: "+mode+"\n    record: here\n    upstream: {credential: {env: STRIPE_KEY}}\n")
		return p.Authority.Digest
	}
	if of("live-read") == of("record") {
		t.Error("two modes have one digest of policy")
	}
}
