package verdict

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes"
	"parity/fakes/world"
	"parity/faults/trail"
)

// stands adds to a call what it, or somebody, made of an approval.
func stands(op world.Op, id, fields string) []trail.Change {
	return []trail.Change{{Op: op, Collection: fakes.ApprovalsCollection, ID: id, Version: 1, After: []byte(`{"id":"` + id + `","gate":"refunds","operation":"stripe POST /v1/refunds","identity":"stripe-agent"` + fields + `}`)}}
}

func TestAuthorityIsWhatPolicyCameTo(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.kept(trail.Event{Kind: trail.Started, Start: &trail.Start{Stage: 3}})
	s := tape.held("apr_1", "pending")
	s.e.Delta = stands(world.Create, "apr_1", `,"state":"pending","asked":1000000000`)
	s.put()
	tape.kept(trail.Event{Kind: trail.Fired, Timer: &trail.Timer{Kind: "approval", Subject: "apr_1"}, Delta: stands(world.Update, "apr_1",
		`,"state":"approved","asked":1000000000,"decided":91000000000,"by":{"name":"desk","kind":"rehearsed"},"note":"fine"`)})
	s = tape.approved("apr_1")
	s.e.Delta = append(s.e.Delta, stands(world.Update, "apr_1", `,"state":"used","asked":1000000000,"decided":91000000000,"by":{"name":"desk","kind":"rehearsed"}`)...)
	s.put()
	s = tape.held("apr_2", "pending").body(`{"charge":"ch_2"}`)
	s.e.Delta = stands(world.Create, "apr_2", `,"state":"pending","asked":1`)
	s.put()
	tape.payout("p.1").put()
	tape.payout("p.1").put()
	s = tape.call("", "").path("/v1/odd").refused("no-policy")
	s.x.Policy.Class = ""
	s.put()
	s = tape.call(updates, "w.1").path(customer).policy("reversible", trail.PolicyCaptured, "over-stage")
	s.e.Delta = []trail.Change{{Op: world.Create, Collection: fakes.DraftsCollection, ID: "drf_1", Version: 1, After: []byte(
		`{"id":"drf_1","operation":"stripe POST /v1/customers/{customer}","identity":"stripe-agent","predicted":{"status":200,"webhooks":1,"diff":[` +
			`{"op":"create","record":"stripe.notes/(new)","after":{"text":"hi"}},{"op":"update","record":"stripe.customers/cus_1","fields":{"balance":[0,500]}}]}}`)}}
	s.put()
	s = tape.smaller("ch_3")
	s.x.Policy.Skipped, s.x.Policy.SkipBy = "override", "ada: fire"
	s.put()
	got := Judge(tape.in).Policy
	want := &trail.Authority{
		Stage:   3,
		Blocked: []trail.Blocked{{Call: "stripe POST /v1/payouts", Code: "not-granted", Calls: 2, Events: []uint64{6, 7}}, {Call: "stripe  /v1/odd", Code: "no-policy", Calls: 1, Events: []uint64{8}}},
		Asked: []trail.Asked{
			{
				ID: "apr_1", Gate: "refunds", Call: "stripe POST /v1/refunds", Identity: "stripe-agent", Said: "approved", State: "used",
				By: &trail.Speaker{Name: "desk", Kind: "rehearsed"}, Note: "fine", Wait: 90 * time.Second, Events: []uint64{2, 3, 4},
			},
			{ID: "apr_2", Gate: "refunds", Call: "stripe POST /v1/refunds", Identity: "stripe-agent", Said: "pending", State: "pending", Events: []uint64{5}},
		},
		Drafts: []trail.Draft{{
			ID: "drf_1", Event: 9, Call: "stripe POST /v1/customers/{customer}", Identity: "stripe-agent",
			Diff: []string{`create stripe.notes/(new): text "hi"`, "update stripe.customers/cus_1: balance 0 → 500", "webhooks: 1"},
		}},
		Skipped: []trail.Skipped{{How: "override", By: "ada: fire", Calls: 1, Events: []uint64{10}}},
		Classes: []trail.ClassUse{{Service: "stripe", Class: "irreversible", Calls: 6, Stopped: 4}, {Service: "stripe", Class: "reversible", Calls: 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoAuthorityWithoutPolicy(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.read().put()
	if got := Judge(tape.in).Policy; got != nil {
		t.Errorf("%+v", got)
	}
}

// What a rollback undid was asked for by nobody.
func TestAuthorityLeavesOutWhatWasUndone(t *testing.T) {
	t.Parallel()
	tape := newTape()
	tape.payout("p.1").put()
	s := tape.held("apr_1", "pending")
	s.e.Delta = stands(world.Create, "apr_1", `,"state":"pending"`)
	s.put()
	tape.reset()
	s = tape.call(refunds, "r.9").refund("re_9").policy("irreversible", trail.PolicyAllowed, "")
	s.put()
	got := Judge(tape.in).Policy
	if got == nil || len(got.Blocked)+len(got.Asked) > 0 || len(got.Classes) != 1 || strings.Contains(got.Classes[0].Class, "read") {
		t.Errorf("%+v", got)
	}
}
