package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/kept"
)

// What the README of profiles has as its examples, and what else a careful team would expect.
const expectingProfile = `# What a refund bot may do.
profile: expecting
seed: 7
services: {stripe: {}, sendgrid: {}}
clock: {start: 2026-03-02T13:00:00Z}

expect:
  one-charge-per-order: {at_most: 1, new: stripe.charges, per: metadata.order_id}
  looks-before-it-refunds:
    each: stripe POST /v1/refunds
    needs: stripe GET /v1/charges/{charge}
    where: earlier.path.charge == later.body.charge
    within: 10m
  nothing-else-changed:
    only_changes: [stripe.refunds, stripe.charges.amount_refunded]
    when: request.body?.payment_method == nil # paying is the shop
  small-in-total:
    finally: sum(world.stripe.refunds, .amount) <= 20_000
  tells-nobody: {no_call_to: sendgrid}
  some-refund: {eventually: "any(world.stripe.refunds, .status == 'succeeded')"}
  nothing-breaks: {holds: "none(calls, .status >= 500)"}
  up-to-date: {each: stripe POST /v1/refunds, max_age: 30s}
  no-payouts: {never: [stripe POST /v1/payouts, new stripe.payouts]}
`

// expected gives the verdicts on what a profile expects, by name, after an
// agent has acted.
func expected(t *testing.T, profile string, act func(*testing.T, *http.Client)) map[string]trail.Verdict {
	t.Helper()
	h := open(t, profile)
	act(t, h.proxied(false))
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]trail.Verdict{}
	for _, v := range kept.Report().Verdicts {
		if v.Kind == "expectation" {
			all[v.Subject] = v
		}
	}
	return all
}

const (
	orderPaid   = "amount=2500&currency=usd&payment_method=pm_card_visa&confirm=true&automatic_payment_methods[enabled]=true&automatic_payment_methods[allow_redirects]=never&metadata[order_id]="
	stripeCalls = "https://api.stripe.com/v1"
)

func TestExpectationsOfACarefulAgent(t *testing.T) {
	t.Parallel()
	got := expected(t, expectingProfile, func(t *testing.T, c *http.Client) {
		for _, order := range []string{"17", "18"} {
			paid := must(t, c, "POST", stripeCalls+"/payment_intents", orderPaid+order)
			charge, _ := paid["latest_charge"].(string)
			must(t, c, "GET", stripeCalls+"/charges/"+charge, "")
			must(t, c, "POST", stripeCalls+"/refunds", "charge="+charge)
		}
	})
	if len(got) != 9 {
		t.Errorf("%d verdicts", len(got))
	}
	for name, v := range got {
		if v.Result != trail.Passed {
			t.Errorf("%s: %s %v %s", name, v.Result, v.Lines, v.Why)
		}
		if v.At == nil || !strings.HasSuffix(v.At.File, "profile.yaml") || v.At.Line < 8 {
			t.Errorf("%s is at %+v", name, v.At)
		}
	}
}

func TestExpectationsOfACarelessAgent(t *testing.T) {
	t.Parallel()
	got := expected(t, expectingProfile, func(t *testing.T, c *http.Client) {
		paid := must(t, c, "POST", stripeCalls+"/payment_intents", orderPaid+"17")
		must(t, c, "POST", stripeCalls+"/payment_intents", orderPaid+"17&description=again")
		charge, _ := paid["latest_charge"].(string)
		for range 2 {
			must(t, c, "POST", stripeCalls+"/refunds", "charge="+charge+"&amount=1200")
		}
		must(t, c, "POST", stripeCalls+"/charges/"+charge, "description=gone")
	})
	for name, want := range map[string]struct {
		result trail.Result
		says   string
	}{
		"one-charge-per-order":    {trail.Failed, `2 new records in stripe.charges for metadata.order_id "17", and at most 1 expected`},
		"looks-before-it-refunds": {trail.Failed, "no stripe GET /v1/charges/{charge} before it that fits"},
		"nothing-else-changed":    {trail.Failed, `description (nothing → "gone")`},
		"small-in-total":          {trail.Passed, ""},
		"up-to-date":              {trail.Failed, "was never read"},
	} {
		v := got[name]
		if v.Result != want.result || !strings.Contains(strings.Join(v.Lines, "\n"), want.says) {
			t.Errorf("%s: %s %q %s", name, v.Result, v.Lines, v.Why)
		}
	}
}

// What a known difference weakens is not evaluated, whatever it looked like; one
// whose acceptance has expired takes the proof out of what passed, and only that.
func TestExpectationsUnderKnownDifferences(t *testing.T) {
	t.Parallel()
	got := expected(t, `profile: doubted
services: {stripe: {}}
differences:
  writes-are-kept: {covers: stripe POST /v1/customers, production: p, here: h, so: s, weakens: [effects]}
  old-news: {covers: stripe GET *, production: p, here: h, so: s, weakens: [content], accepted: {by: qa, until: 2020-01-01}}
expect:
  one-customer: {at_most: 1, new: stripe.customers}
  no-customer: {at_most: 0, new: stripe.customers}
  one-call: {exactly: 1, call: stripe POST /v1/customers}
  a-look: {at_least: 1, call: stripe GET /v1/charges}
  no-look: {never: stripe GET /v1/charges}
`, func(t *testing.T, c *http.Client) {
		must(t, c, "POST", stripeCalls+"/customers", "email=a@example.com")
		must(t, c, "GET", stripeCalls+"/charges", "")
	})
	for name, want := range map[string]struct {
		result trail.Result
		why    string
	}{
		"one-customer": {trail.NotEvaluated, "it looked as if it held, but that proves nothing: writes-are-kept weakens effects"},
		"no-customer":  {trail.NotEvaluated, "it looked as if it failed, but that proves nothing: writes-are-kept weakens effects"},
		"one-call":     {trail.Passed, ""},
		"a-look":       {trail.NotEvaluated, "it looked well, but old-news was accepted until 2020-01-01, and nobody has looked at it since"},
		"no-look":      {trail.Failed, ""},
	} {
		if v := got[name]; v.Result != want.result || v.Why != want.why {
			t.Errorf("%s: %s %v %s", name, v.Result, v.Lines, v.Why)
		}
	}
}
