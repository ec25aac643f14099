package profiles_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/expression"
	"parity/faults/trail"
	"parity/profiles"
)

const expecting = `profile: expecting
services: {stripe: {}, sendgrid: {}}
expect:
  one-charge-per-order: {at_most: 1, new: stripe.charges, per: metadata.order_id}
  looks-before-it-refunds:
    each: stripe POST /v1/refunds
    needs: stripe GET /v1/charges/{charge}
    where: earlier.path.charge == later.body.charge
    within: 10m
  nothing-else-changed:
    only_changes: [stripe.refunds, stripe.charges.amount_refunded]
  small-in-total:
    finally: sum(world.stripe.refunds, .amount) <= 20_000
  never-deletes: {never: [stripe DELETE *, new stripe.payouts]}
  tells-nobody: {no_call_to: [sendgrid, "*.example.com"]}
  twice: {exactly: 2, call: stripe POST /v1/refunds}
  up-to-date: {each: stripe POST /v1/refunds, max_age: 30s, because: It was a colleague's by then.}
  enforced: {each: stripe POST /v1/refunds, needs: stripe GET /v1/charges, enforce: true}
  switched-off: {holds: "none(calls, .status == 500)", enabled: false}
`

func TestExpectations(t *testing.T) {
	t.Parallel()
	p := parse(t, expecting)
	if len(p.Warnings) > 0 {
		t.Error(p.Warnings)
	}
	forms := map[string]string{}
	for _, e := range p.Expectations {
		forms[e.Name] = e.Form
	}
	if diff := cmp.Diff(map[string]string{
		"one-charge-per-order": profiles.Counts, "looks-before-it-refunds": profiles.Each, "nothing-else-changed": profiles.OnlyChanges,
		"small-in-total": profiles.Finally, "never-deletes": profiles.Never, "tells-nobody": profiles.NoCallTo, "twice": profiles.Counts,
		"up-to-date": profiles.MaxAge, "enforced": profiles.Each,
	}, forms); diff != "" {
		t.Error(diff)
	}
	if len(p.Orders) != 1 || p.Orders[0].Name != "enforced" {
		t.Errorf("enforced: %+v", p.Orders)
	}
	if e := p.Expectations[1]; e.Within != 10*time.Minute || e.Where.At != (trail.Place{File: "rough.yaml", Line: 8, Column: 12}) {
		t.Errorf("%s, %+v", e.Within, e.Where.At)
	}
	if e := p.Expectations[4]; len(e.Calls) != 1 || len(e.New) != 1 || e.New[0] != "stripe.payouts" {
		t.Errorf("%+v", e)
	}
	err := &expression.Error{Line: 1, Column: 9, Message: "earlier.path: there is no such field"}
	if said := p.Expectations[1].Where.Why(err); said != "cannot be evaluated: rough.yaml:8:20: earlier.path: there is no such field" {
		t.Error(said)
	}
	if said := p.Expectations[1].Where.Why(errors.New("no")); said != "cannot be evaluated: rough.yaml:8:12: no" {
		t.Error(said)
	}
}

// A journal keeps a profile as one document of its own; a report still points
// into the files that its author wrote.
func TestPlacesOutliveTheirFiles(t *testing.T) {
	t.Parallel()
	p := parse(t, "# a comment\n\n"+expecting)
	places, err := profiles.UnpackPlaces(p.Places.Pack())
	if err != nil {
		t.Fatal(err)
	}
	o := options(t, t.TempDir())
	o.Places = places
	again, err := profiles.Parse("kept", p.Content, o)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range again.Expectations {
		if e.At != p.Expectations[i].At || e.At.File != "rough.yaml" {
			t.Errorf("%s is at %+v, was at %+v", e.Name, e.At, p.Expectations[i].At)
		}
	}
	if _, err := profiles.UnpackPlaces([]byte("{")); err == nil {
		t.Error("half of it was taken for all")
	}
}

func TestExtendsMergesAndSwitchesOffExpectations(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"base.yaml": expecting})
	p, err := profiles.Parse("top.yaml", []byte("profile: top\nextends: [./base.yaml]\nexpect:\n  twice: {exactly: 3}\n  up-to-date: {enabled: false}\n"), options(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Expectations {
		if e.Name == "up-to-date" || e.Name == "twice" && *e.AtMost != 3 {
			t.Errorf("%+v", e)
		}
	}
}
