package faults

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/faults/trail"
	"parity/specs"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func built(t *testing.T, fault string, with map[string]any) Injection {
	t.Helper()
	f, ok := Lookup(fault)
	if !ok {
		t.Fatalf("there is no fault %s", fault)
	}
	i, err := f.Build(with)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// shape writes for a row of instants after the run's start whether a fault
// strikes.
func shape(t *testing.T, i Injection, after ...time.Duration) string {
	t.Helper()
	var b strings.Builder
	first := time.Time{}
	for _, d := range after {
		now := noon.Add(d)
		g := i.(Gatekeeper).Open(CallContext{
			Now: now, Began: noon, First: first, Attempt: 1, Draw: func(string) float64 { return 0.5 }, Uses: func(time.Time) int { return 0 },
		})
		if g.Use && first.IsZero() {
			first = now
		}
		b.WriteString(map[bool]string{true: "X", false: "."}[g.Open])
		if !g.Open && g.Why == "" {
			t.Errorf("%v into the run: it does not say why it does not strike", d)
		}
	}
	return b.String()
}

func TestOutageFlapsOnTheRunsClock(t *testing.T) {
	t.Parallel()
	i := built(t, "outage", map[string]any{"down": "30s", "up": "1m"})
	var at []time.Duration
	for n := range 12 {
		at = append(at, time.Duration(n)*15*time.Second)
	}
	if got, want := shape(t, i, at...), "XX....XX...."; got != want {
		t.Errorf("it is down at %s, want %s", got, want)
	}
}

func TestOutageRampsUpFromTheFirstCall(t *testing.T) {
	t.Parallel()
	i := built(t, "outage", map[string]any{"ramp": "10m"})
	at := []time.Duration{time.Hour, time.Hour + 4*time.Minute, time.Hour + 6*time.Minute, 2 * time.Hour} // each draws 0.5
	if got, want := shape(t, i, at...), "..XX"; got != want {
		t.Errorf("it is down at %s, want %s", got, want)
	}
	m := CallContext{Now: noon.Add(6 * time.Minute), Began: noon, Opens: noon, Attempt: 1, Draw: func(string) float64 { return 0.5 }}
	if g := i.(Gatekeeper).Open(m); !g.Open || g.Use {
		t.Errorf("six minutes into a window of ten: %+v", g)
	}
}

// Of ten thousand attempts, each drawn by its own key, so many fail as was
// asked for: none, all, or within six deviations of the share.
func TestOutageShareOfManyDraws(t *testing.T) {
	t.Parallel()
	const n = 10_000
	for share, want := range map[string]float64{"0%": 0, "10%": 0.1, "50%": 0.5, "100%": 1} {
		i := built(t, "outage", map[string]any{"share": share}).(Gatekeeper)
		hits := 0
		for k := range n {
			draw := func(purpose string) float64 {
				return chance.Draw(chance.Seed(7), "down", purpose, "agent", fmt.Sprint("intent", k/2))
			}
			if i.Open(CallContext{Now: noon, Began: noon, Attempt: 1 + k%2, Draw: draw}).Open {
				hits++
			}
		}
		if off := math.Abs(float64(hits) - want*n); off > 6*math.Sqrt(n*want*(1-want)) {
			t.Errorf("%s: %d of %d fail", share, hits, n)
		}
	}
}

// A trigger's chance is drawn for each intent: all attempts share its fate.
func TestChanceOfManyDraws(t *testing.T) {
	t.Parallel()
	const n = 10_000
	p, err := ParsePattern("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0, 0.5, 1} {
		r, err := NewRule(Draft{Name: "it", Calls: []Pattern{p}, Fault: "error", Trigger: Trigger{Chance: &share, Tries: 2}})
		if err != nil {
			t.Fatal(err)
		}
		hits, tallies := 0, NewTallies()
		for i := range n {
			in := trail.Intent{ID: fmt.Sprint(i, ".1"), Fingerprint: fmt.Sprint(i), Occurrence: 1, Attempt: 1}
			e := &Evaluation{
				Operation: &specs.Operation{Service: "s"}, Seed: 7, Identity: "a", Intent: in, Now: noon, Began: noon,
				Vars: func(func(string) bool) map[string]any { return nil },
			}
			fired := r.Consider(e, tallies, &Plan{}).Fired
			if e.Intent.Attempt = 2; r.Consider(e, tallies, &Plan{}).Fired != fired {
				t.Fatalf("two attempts of intent %d meet two fates", i)
			}
			if fired {
				hits++
			}
		}
		if off := math.Abs(float64(hits) - share*n); off > 6*math.Sqrt(n*share*(1-share)) {
			t.Errorf("%.0f%%: %d of %d", share*100, hits, n)
		}
	}
}

func TestWhatLastsHitsEachAttempt(t *testing.T) {
	t.Parallel()
	p, err := ParsePattern("*")
	if err != nil {
		t.Fatal(err)
	}
	for fault, want := range map[string]uint64{"outage": math.MaxInt64, "redirect": math.MaxInt64, "error": 1} {
		r, err := NewRule(Draft{Name: "it", Calls: []Pattern{p}, Fault: fault, Trigger: Trigger{From: time.Minute}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Trigger.Attempts(); got != want {
			t.Errorf("%s in a window hits %d attempts, want %d", fault, got, want)
		}
	}
}

func TestCascadeFollowsAFailure(t *testing.T) {
	t.Parallel()
	i := built(t, "cascade", map[string]any{"from": "stripe *", "for": "1m", "status": 424})
	for _, c := range []struct {
		failed time.Time
		want   bool
	}{{time.Time{}, false}, {noon.Add(-30 * time.Second), true}, {noon.Add(-time.Minute), false}} {
		m := CallContext{Now: noon, Failing: func(Pattern) time.Time { return c.failed }}
		if g := i.(Gatekeeper).Open(m); g.Open != c.want || !g.Open && g.Why == "" {
			t.Errorf("stripe failed at %v: %+v", c.failed, g)
		}
	}
	var p Plan
	i.Apply(&p, CallContext{Now: noon})
	if !p.Skip || p.Say == nil || p.Say.Status != 424 {
		t.Errorf("the plan %+v", p)
	}
	if wrong := i.(Requirer).Misfit(&specs.Operation{Service: "stripe", Method: "GET", Path: "/v1/charges"}, nil); wrong == "" {
		t.Error("what depends on itself fits")
	}
}

// A quota turns with the calendar of its zone, on days that are set forward
// too.
func TestQuotaTurns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ now, period, zone, from, to string }{
		{"2026-03-02T12:34:56Z", "hour", "UTC", "2026-03-02T12:00:00Z", "2026-03-02T13:00:00Z"},
		{"2026-03-02T12:34:56Z", "day", "UTC", "2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z"},
		{"2026-12-31T23:59:59Z", "month", "UTC", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"2026-03-02T05:00:00Z", "day", "America/Los_Angeles", "2026-03-01T08:00:00Z", "2026-03-02T08:00:00Z"},
		{"2026-03-08T12:00:00Z", "day", "America/Los_Angeles", "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		q := built(t, "quota", map[string]any{"limit": 1, "period": c.period, "zone": c.zone}).(allowance)
		from, to := q.bounds(now)
		if got := from.UTC().Format(time.RFC3339) + " " + to.UTC().Format(time.RFC3339); got != c.from+" "+c.to {
			t.Errorf("a %s in %s at %s: %s, want %s %s", c.period, c.zone, c.now, got, c.from, c.to)
		}
		var p Plan
		mark := q.Apply(&p, CallContext{Now: now})
		if p.Say.Kind != fakes.OverQuota || p.Say.RetryAfter != to.Sub(now) || !mark.Until.Equal(to) {
			t.Errorf("it says %+v, marked %+v", p.Say, mark)
		}
	}
}

func TestRateLimitCostsPoints(t *testing.T) {
	t.Parallel()
	l := built(t, "rate-limit", map[string]any{"limit": 10, "cost": 4, "window": "1m"}).(limit)
	for uses, want := range []bool{false, false, true} { // 4 of 10, 8 of 10, and 12 would be over
		m := CallContext{Now: noon, Uses: func(time.Time) int { return uses }}
		if g := l.Open(m); g.Open != want || g.Use == want {
			t.Errorf("after %d calls: %+v", uses, g)
		}
	}
	if l.Limit() != 2 {
		t.Errorf("it asks for %d calls", l.Limit())
	}
	f, _ := Lookup("rate-limit")
	if _, err := f.Build(map[string]any{"limit": 3, "cost": 4}); err == nil {
		t.Error("a call that never passes is taken")
	}
}

// The headers of a limit are those that a service sends, with the rule's
// numbers; those of a day's limit are let be.
func TestRateLimitWritesHeaders(t *testing.T) {
	t.Parallel()
	reset := noon.Add(90 * time.Second)
	for _, c := range []struct {
		headers string
		has     map[string]string
		want    map[string]string
	}{
		{
			"service",
			map[string]string{"X-Ratelimit-Limit": "5000", "X-Ratelimit-Remaining": "4999", "X-Ratelimit-Used": "1", "X-Ratelimit-Reset": "1"},
			map[string]string{"X-Ratelimit-Limit": "10", "X-Ratelimit-Remaining": "3", "X-Ratelimit-Used": "7", "X-Ratelimit-Reset": fmt.Sprint(reset.Unix())},
		},
		{
			"service",
			map[string]string{"X-Hubspot-Ratelimit-Max": "100", "X-Hubspot-Ratelimit-Remaining": "99", "X-Hubspot-Ratelimit-Interval-Milliseconds": "1", "X-Hubspot-Ratelimit-Daily": "9"},
			map[string]string{"X-Hubspot-Ratelimit-Max": "10", "X-Hubspot-Ratelimit-Remaining": "3", "X-Hubspot-Ratelimit-Interval-Milliseconds": "60000", "X-Hubspot-Ratelimit-Daily": "9"},
		},
		{
			"service",
			map[string]string{"X-Rate-Limit": "700", "X-Rate-Limit-Remaining": "699", "Ratelimit-Reset": "1"},
			map[string]string{"X-Rate-Limit": "10", "X-Rate-Limit-Remaining": "3", "Ratelimit-Reset": "90"},
		},
		{"service", map[string]string{"Content-Type": "a"}, map[string]string{"Content-Type": "a"}},
		{"x-ratelimit", nil, map[string]string{"X-Ratelimit-Limit": "10", "X-Ratelimit-Remaining": "3", "X-Ratelimit-Reset": fmt.Sprint(reset.Unix())}},
		{"ratelimit", nil, map[string]string{"Ratelimit-Limit": "10", "Ratelimit-Remaining": "3", "Ratelimit-Reset": "90"}},
	} {
		a := &Answer{Header: http.Header{}, Now: noon}
		for name, value := range c.has {
			a.Header.Set(name, value)
		}
		limit{limit: 10, cost: 1, window: time.Minute, headers: c.headers}.count(a, 3, reset)
		if len(a.Header) != len(c.want) {
			t.Errorf("%s: %v", c.headers, a.Header)
		}
		for name, want := range c.want {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %s: %s, want %s", c.headers, name, got, want)
			}
		}
	}
}

func TestRedirectLeadsToAnotherHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ to, base, host, want string }{
		{"", "https://api.stripe.com", "api.stripe.com", "https://moved-api.stripe.com/v1/charges?limit=3"},
		{"", "http://127.0.0.1:4000/stripe", "127.0.0.1", "http://localhost:4000/stripe/v1/charges?limit=3"},
		{"", "http://localhost:4000/stripe", "localhost", "http://127.0.0.1:4000/stripe/v1/charges?limit=3"},
		{"eu.stripe.com", "https://api.stripe.com", "api.stripe.com", "https://eu.stripe.com/v1/charges?limit=3"},
		{"http://eu.stripe.com:81/x/", "https://api.stripe.com", "api.stripe.com", "http://eu.stripe.com:81/x/v1/charges?limit=3"},
		{"", "https://moved-api.stripe.com", "moved-api.stripe.com", ""},
		{"eu.stripe.com", "https://eu.stripe.com", "eu.stripe.com", ""},
	} {
		with := map[string]any{"status": 308}
		if c.to != "" {
			with["to"] = c.to
		}
		r := built(t, "redirect", with)
		m := CallContext{Call: Request{Base: c.base, Host: c.host, Target: "/v1/charges?limit=3"}}
		var p Plan
		if r.(Gatekeeper).Open(m).Open {
			r.Apply(&p, m)
		}
		got := ""
		if p.Page != nil {
			got = p.Page.Header["Location"]
		}
		if got != c.want || p.Skip == (c.want == "") {
			t.Errorf("from %s to %q: %s, want %s", c.base, c.to, got, c.want)
		}
	}
	f, _ := Lookup("redirect")
	for _, to := range []string{"https://a:b@c", "ftp://c", "/v1", "c?d=e"} {
		if _, err := f.Build(map[string]any{"to": to}); err == nil {
			t.Errorf("it takes %s", to)
		}
	}
}

func TestSDKsDeclareTheirRetries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		want        int
	}{
		{"X-Stainless-Retry-Count", "2", 2},
		{"X-Stainless-Retry-Count", "0", 0},
		{"X-Stainless-Retry-Count", "-1", 0},
		{"X-Retry-Count", "1", 1},
		{"Grpc-Previous-Rpc-Attempts", "3", 3},
		{"Amz-Sdk-Request", "attempt=2; max=3", 1},
		{"Amz-Sdk-Request", "ttl=20200101T000000Z; attempt=1; max=3", 0},
		{"X-Goog-Api-Client", "gl-go/1.26 gccl-invocation-id/0d gccl-attempt-count/4 gdcl/0.3", 3},
		{"X-Goog-Api-Client", "gdcl/8.0.3 gl-node/20.20.2", 0},
		{"User-Agent", "attempt=2", 0},
	} {
		if got := sdkRetry(http.Header{c.name: {c.value}}); got != c.want {
			t.Errorf("%s: %s is retry %d, want %d", c.name, c.value, got, c.want)
		}
	}
}

// disordered queues two webhooks, has them disordered, and writes down what
// waits then.
func disordered(t *testing.T, with map[string]any) (string, Done) {
	t.Helper()
	w, err := world.New(world.Collection{Name: fakes.DeliveriesCollection, Sorted: []string{"due"}, Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	tx := w.Begin()
	var queued []fakes.Delivery
	for i, id := range []string{"evt_1Ab", "evt_2Cd"} {
		d := fakes.Delivery{Service: "s", ID: id + "/we_1", URL: "http://a.test", Body: []byte(`{"id":"` + id + `"}`), Attempt: 1, Due: noon.Add(time.Duration(i)), Event: id}
		if err := kit.Deliver(tx, d); err != nil {
			t.Fatal(err)
		}
		queued = append(queued, d)
	}
	var p Plan
	p.owner = "it"
	built(t, "webhook-disorder", with).Apply(&p, CallContext{})
	done := p.Works(Queue)[0].Queue(&Post{
		Tx: tx, Queued: queued, Now: noon,
		Headers: func(fakes.Delivery) http.Header { return http.Header{"Stripe-Signature": {"t=1,v1=00"}} },
		Draw:    func(purpose string) float64 { return chance.Draw(chance.Seed(7), purpose) },
	})
	var b strings.Builder
	for d := range kit.Deliveries(tx) {
		fmt.Fprintf(&b, "%s+%v", d.Body[7:len(d.Body)-2], d.Due.Sub(noon).Truncate(time.Second))
		if d.Spoilt {
			b.WriteString("!")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String()), done
}

func TestWebhookDisorder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ how, delays, want, did string }{
		{"twice", "", "evt_1Ab+0s evt_2Cd+0s evt_1Ab+8s evt_2Cd+8s", "queued 2 webhooks once more"},
		{"twice", "1m, 1h", "evt_1Ab+0s evt_2Cd+0s evt_1Ab+1m0s evt_2Cd+1m0s evt_1Ab+1h0m0s evt_2Cd+1h0m0s", "queued 2 webhooks 2 times more"},
		{"late", "", "evt_1Ab+1h0m0s evt_2Cd+1h0m0s", "held back 2 webhooks for 1h0m0s"},
		{"out-of-order", "5s", "evt_2Cd+0s evt_1Ab+5s", "reversed 2 webhooks"},
		{"missing", "", "", "took back 2 webhooks"},
		{"badly-signed", "", "evt_1Ab+0s! evt_2Cd+0s!", "spoilt the signature of 2 webhooks"},
	} {
		with := map[string]any{"how": c.how}
		if c.delays != "" {
			var delays []any
			for one := range strings.SplitSeq(c.delays, ", ") {
				delays = append(delays, one)
			}
			with["delays"] = delays
		}
		if got, done := disordered(t, with); got != c.want || done.Did != c.did || done.Not != "" {
			t.Errorf("%s: %s; %+v\nwant %s; %s", c.how, got, done, c.want, c.did)
		}
	}
	got, done := disordered(t, map[string]any{"how": "twice-new-id"})
	again, _ := disordered(t, map[string]any{"how": "twice-new-id"})
	ids := strings.Fields(got)
	if len(ids) != 4 || got != again || !strings.HasPrefix(ids[2], "evt_") || ids[2] == "evt_1Ab+8s" || len(ids[2]) != len("evt_1Ab+8s") || done.Did != "queued 2 webhooks once more, under another id" {
		t.Errorf("twice-new-id: %s; %+v", got, done)
	}
	f, _ := Lookup("webhook-disorder")
	for _, with := range []map[string]any{{"delays": "soon"}, {"how": "late", "delays": []any{"1m", "2m"}}, {"how": "missing", "delays": "1m"}} {
		if _, err := f.Build(with); err == nil {
			t.Errorf("it takes %v", with)
		}
	}
}

// Tallies are what a limit counts by: the bucket stays shut whatever the
// trigger says, and an outage does not.
func TestOnlyLimitsShutTheirBucket(t *testing.T) {
	t.Parallel()
	for fault, with := range map[string]map[string]any{"rate-limit": {"retry_after": "1m"}, "quota": {}, "outage": {"retry_after": "1m"}} {
		p, err := ParsePattern("*")
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRule(Draft{Name: "it", Calls: []Pattern{p}, Fault: fault, With: with, Trigger: Trigger{Nth: 1}})
		if err != nil {
			t.Fatal(err)
		}
		tallies := NewTallies()
		fired := ""
		for i := range 2 {
			in := trail.Intent{ID: fmt.Sprint(i, ".1"), Fingerprint: fmt.Sprint(i), Occurrence: 1, Attempt: 1}
			s := r.Consider(&Evaluation{
				Operation: &specs.Operation{Service: "s"}, Seed: 7, Identity: "a", Intent: in, Now: noon, Began: noon,
				Vars: func(func(string) bool) map[string]any { return nil },
			}, tallies, &Plan{})
			fired += map[bool]string{true: "X", false: "."}[s.Fired]
			tallies.Fold(&trail.Event{
				Seq: uint64(i + 1), Kind: trail.Exchanged, At: trail.At(noon), Identity: "a",
				Exchange: &trail.Exchange{Service: "s", Operation: "GET /", Intent: in, Strikes: []trail.Strike{s}},
			})
		}
		if want := map[bool]string{true: "X.", false: "XX"}[fault == "outage"]; fired != want {
			t.Errorf("%s on the first intent of two: %s, want %s", fault, fired, want)
		}
	}
}

// A call that an SDK declares to be a retry, of one whose success it did not
// get, was once an intent of its own where the SDK is not of Stainless' making:
// rules counted it as the agent's next.
func TestARetryThatAnSDKDeclaresIsNoIntentOfItsOwn(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]string{
		"": "", "X-Stainless-Retry-Count": "1", "Amz-Sdk-Request": "attempt=2; max=3", "X-Goog-Api-Client": "gl-go/1.26 gccl-attempt-count/2",
	} {
		tallies, never := NewTallies(), func(string) bool { return false }
		first := tallies.Intend("a", "f", "GET /", "", nil, never)
		tallies.Fold(&trail.Event{
			Seq: 1, Kind: trail.Exchanged, Identity: "a",
			Exchange: &trail.Exchange{Service: "s", Operation: "GET /", Intent: first, Whole: true},
		})
		second := tallies.Intend("a", "f", "GET /", "", http.Header{name: {value}}, never)
		if same := second.ID == first.ID && second.Attempt == 2; same != (name != "") {
			t.Errorf("%s: %+v after %+v", name, second, first)
		}
	}
}
