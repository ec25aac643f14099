package gateway_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/gateway"
	"parity/gateway/client"
)

const controlToken = "control-token-of-tests"

// shared has a gateway keep many runs.
func shared(s *gateway.Settings) { s.Shared, s.Token = true, controlToken }

// control gives a client of the gateway's control plane.
func (h *harness) control() *client.Client {
	h.t.Helper()
	c, err := client.New(client.Options{URL: "http://" + h.Control(), Token: controlToken})
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// make makes runs of those names.
func (h *harness) make(n client.NewRun) []client.Run {
	h.t.Helper()
	made, err := h.control().Make(h.t.Context(), n)
	if err != nil {
		h.t.Fatal(err)
	}
	return made
}

// dump gives a run's whole world, and its digests.
func (h *harness) dump(run string, at uint64) string {
	h.t.Helper()
	var b bytes.Buffer
	if err := h.control().State(h.t.Context(), &b, run, at); err != nil {
		h.t.Fatal(err)
	}
	hash, err := h.control().Hash(h.t.Context(), run, at)
	if err != nil {
		h.t.Fatal(err)
	}
	return b.String() + hash.World + " " + hash.Tallies
}

// numbered are names of runs.
func numbered(name string, from, to int) (names []string) {
	for n := from; n <= to; n++ {
		names = append(names, fmt.Sprintf("%s-%d", name, n))
	}
	return names
}

// base is the base URL of stripe in a run.
func base(r client.Run) string { return r.URLs.Base + "/stripe" }

// A hundred agents at once make the same things under the same names in a
// hundred runs: each sees its own, and nothing of another's.
func TestRunsShareNothing(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	names := numbered("shard", 1, 100)
	runs := h.make(client.NewRun{Names: names})
	c := h.direct(false, false)
	var all sync.WaitGroup
	ids := make([]string, len(runs))
	for i, r := range runs {
		all.Go(func() {
			made := must(t, c, "POST", base(r)+"/v1/customers", "name=Ada")
			ids[i], _ = made["id"].(string)
			must(t, c, "POST", base(r)+"/v1/payment_intents", payment+"&customer="+ids[i], "Idempotency-Key", "the-same")
			must(t, c, "POST", base(r)+"/v1/customers/"+ids[i], "description="+r.ID)
		})
	}
	all.Wait()
	for i, r := range runs {
		list := must(t, c, "GET", base(r)+"/v1/customers", "")
		data, _ := list["data"].([]any)
		if len(data) != 1 {
			t.Fatalf("run %s has %d customers", r.ID, len(data))
		}
		one, _ := data[0].(map[string]any)
		if one["description"] != r.ID || one["id"] != ids[0] || ids[i] != ids[0] {
			t.Fatalf("run %s has %v, made as %s", r.ID, one, ids[i])
		}
		charges := must(t, c, "GET", base(r)+"/v1/charges", "")
		if data, _ := charges["data"].([]any); len(data) != 1 {
			t.Errorf("run %s has %d charges", r.ID, len(data))
		}
	}
}

// single makes each call on a connection of its own: net/http sends a call
// again, unasked, when the connection that it was to use again has gone.
func (h *harness) single() *http.Client { return h.with(&http.Transport{DisableKeepAlives: true}) }

// walk is a script of n calls by one agent, as fixed as calls can be.
func walk(t *testing.T, c *http.Client, at string, n int) {
	t.Helper()
	customer := ""
	for i := range n {
		customer = step(t, c, at, i, customer)
	}
}

// step is one call of walk.
func step(t *testing.T, c *http.Client, at string, i int, customer string) string {
	t.Helper()
	switch i % 8 {
	case 0:
		_, made, _, _ := call(t, c, "POST", at+"/v1/customers", fmt.Sprintf("email=a%d@example.com&metadata[n]=%d", i, i))
		if id, ok := made["id"].(string); ok {
			return id
		}
	case 1:
		_, _, _, _ = call(t, c, "GET", at+"/v1/customers/"+customer, "")
	case 2, 3:
		_, _, _, _ = call(t, c, "POST", at+"/v1/payment_intents", payment+"&customer="+customer, "Idempotency-Key", fmt.Sprint("k", i/8))
	case 4:
		_, _, _, _ = call(t, c, "POST", at+"/v1/payment_intents", "amount=1&currency=usd")
	case 5:
		must(t, c, "GET", at+"/v1/charges?limit=3", "")
	case 6:
		_, _, _, _ = call(t, c, "POST", at+"/v1/customers/"+customer, "description=seen")
	case 7:
		_, _, _, _ = call(t, c, "DELETE", at+"/v1/customers/"+customer, "")
	}
	return customer
}

// The same 200 calls give the same dump, twice and with twenty other clients
// around, each in a run of its own.
func TestSameCallsSameWorldWhateverElseGoesOn(t *testing.T) {
	t.Parallel()
	h := open(t, troubled, shared)
	alone := h.make(client.NewRun{Names: []string{"alone", "again", "among"}})
	c := h.single()
	walk(t, c, base(alone[0]), 200)
	walk(t, c, base(alone[1]), 200)
	names, calls := numbered("other", 1, 20), 100
	if testing.Short() {
		names, calls = names[:8], 60
	}
	var others sync.WaitGroup
	for _, r := range h.make(client.NewRun{Names: names}) {
		others.Go(func() { walk(t, h.single(), base(r), calls) })
	}
	walk(t, c, base(alone[2]), 200)
	others.Wait()
	want := h.dump("alone", 0)
	if !strings.Contains(want, "ch_") {
		t.Fatal("nothing was charged")
	}
	for _, name := range []string{"again", "among"} {
		if diff := cmp.Diff(want, h.dump(name, 0)); diff != "" {
			t.Errorf("%s is not as alone:\n%s", name, diff)
		}
	}
}

// Fifty agents at once in one run, each with a key of its own: what each of
// them gets is what it gets alone.
func TestOtherAgentsChangeNoDraw(t *testing.T) {
	t.Parallel()
	h := open(t, troubled, shared)
	frozen := &client.NewClock{Mode: "stepped", Start: "2026-01-05T09:00:00Z", Frozen: true}
	crowd := h.make(client.NewRun{Names: []string{"crowd"}, Clock: frozen})[0]
	agent := func(r client.Run, key string) []string {
		var got []string
		c := h.single()
		for i := range 12 {
			status, body, _, err := call(t, c, "POST", base(r)+"/v1/payment_intents", fmt.Sprintf("amount=%d&currency=usd", 1000+i), "Authorization", "Bearer sk_test_"+key)
			got = append(got, fmt.Sprint(status, body["id"], body["created"], err != nil))
		}
		return got
	}
	var all sync.WaitGroup
	together := make([][]string, 50)
	for i := range together {
		all.Go(func() { together[i] = agent(crowd, fmt.Sprint("agent", i)) })
	}
	all.Wait()
	for _, i := range []int{0, 17, 49} {
		single := h.make(client.NewRun{Names: []string{fmt.Sprint("single-", i)}, Clock: frozen})[0]
		if diff := cmp.Diff(agent(single, fmt.Sprint("agent", i)), together[i]); diff != "" {
			t.Errorf("agent %d alone and among fifty (-alone +among):\n%s", i, diff)
		}
	}
}

// A fork after any event of a long run, which goes on with the same calls, ends
// where the run itself ended.
func TestForkAfterEveryEventGoesOnAsTheRun(t *testing.T) {
	t.Parallel()
	const calls = 56
	h := open(t, troubled, shared)
	k := h.control()
	run := h.make(client.NewRun{Names: []string{"whole"}})[0]
	c := h.single()
	customers := make([]string, calls+1)
	after := make([]uint64, calls+1) // the event of each call
	after[0] = 1
	for i := range calls {
		customers[i+1] = step(t, c, base(run), i, customers[i])
		now, err := k.Run(t.Context(), "whole")
		if err != nil {
			t.Fatal(err)
		}
		after[i+1] = now.Events
	}
	want := h.dump("whole", 0)
	every := 1
	if testing.Short() {
		every = 4
		t.Logf("a fork after every %dth call; after each without -short", every)
	}
	for i := 0; i < calls; i += every {
		forks, err := k.Fork(t.Context(), "whole", client.Fork{At: after[i], Names: []string{fmt.Sprint("fork-", i)}})
		if err != nil {
			t.Fatal(err)
		}
		if forks[0].Base == nil || forks[0].Base.Event != after[i] || forks[0].Events != after[i] {
			t.Fatalf("fork at %d: %+v", after[i], forks[0])
		}
		customer := customers[i]
		for j := i; j < calls; j++ {
			customer = step(t, c, base(forks[0]), j, customer)
		}
		if diff := cmp.Diff(want, h.dump(forks[0].ID, 0)); diff != "" {
			t.Fatalf("the fork after call %d ends elsewhere:\n%s", i, diff)
		}
	}
	if got := h.dump("whole", 0); got != want {
		t.Error("the run has changed by its forks")
	}
	if h.dump("fork-20", after[7]) != h.dump("whole", after[7]) {
		t.Error("a fork's past is not the run's")
	}
}

// A run that has ended can be forked at any of its events.
func TestForkOfARunThatHasEnded(t *testing.T) {
	t.Parallel()
	h := open(t, troubled, shared)
	k, ctx := h.control(), t.Context()
	run := h.make(client.NewRun{Names: []string{"over"}})[0]
	walk(t, h.single(), base(run), 24)
	at := h.dump("over", 13)
	if _, err := k.End(ctx, "over", nil); err != nil {
		t.Fatal(err)
	}
	fork, err := k.Fork(ctx, "over", client.Fork{At: 13, Names: []string{"again"}})
	if err != nil {
		t.Fatal(err)
	}
	if h.dump("again", 0) != at {
		t.Error("the fork does not begin where the run was")
	}
	walk(t, h.single(), base(fork[0]), 5)
	if err := k.Remove(ctx, "over"); err != nil {
		t.Fatal(err)
	}
	if h.dump("again", 13) != at {
		t.Error("with the run its fork has lost its past")
	}
}

// One branch goes on in the sun and the other in a storm.
func TestForkUnderAnotherProfile(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	k := h.control()
	run := h.make(client.NewRun{Names: []string{"trunk"}})[0]
	c := h.single()
	must(t, c, "POST", base(run)+"/v1/customers", "name=Ada")
	forks := map[string]client.Run{}
	for name, profile := range map[string]string{"sun": "", "storm": "lost-charge"} {
		made, err := k.Fork(t.Context(), "trunk", client.Fork{Names: []string{name}, Profile: profile})
		if err != nil {
			t.Fatal(err)
		}
		forks[name] = made[0]
	}
	must(t, c, "POST", base(forks["sun"])+"/v1/payment_intents", payment)
	if _, _, _, err := call(t, c, "POST", base(forks["storm"])+"/v1/payment_intents", payment); err == nil {
		t.Error("no reply was lost in the storm")
	}
	for name, want := range map[string]int{"sun": 1, "storm": 1, "trunk": 0} {
		r, err := k.Run(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		list := must(t, c, "GET", base(r)+"/v1/charges", "")
		if data, _ := list["data"].([]any); len(data) != want {
			t.Errorf("%s has %d charges, want %d", name, len(data), want)
		}
	}
}

// What cannot be done is refused with what to do, and nothing changes.
func TestRunsRefuse(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, shared)
	k := h.control()
	h.make(client.NewRun{Names: []string{"a", "b"}})
	ctx := t.Context()
	for name, c := range map[string]struct {
		err    error
		status int
		says   string
	}{
		"a name that is taken":    {second(k.Make(ctx, client.NewRun{Names: []string{"c", "a"}})), 409, "choose another"},
		"a name that is none":     {second(k.Make(ctx, client.NewRun{Names: []string{"A b"}})), 400, "names"},
		"a profile that is none":  {second(k.Make(ctx, client.NewRun{Profile: "nowhere"})), 422, "nowhere"},
		"a profile outside":       {second(k.Make(ctx, client.NewRun{Profile: "../x.yaml"})), 422, "--profiles"},
		"a lifetime in no unit":   {second(k.Make(ctx, client.NewRun{TTL: "10"})), 422, "such as 1h"},
		"a seed that is none":     {second(k.Make(ctx, client.NewRun{Seed: "seven"})), 400, "/seed"},
		"an event that is not":    {second(k.Fork(ctx, "a", client.Fork{At: 99})), 422, "1 to 1"},
		"a run that is not":       {second(k.Fork(ctx, "z", client.Fork{})), 404, "/v1/runs"},
		"a snapshot that is not":  {second(k.RollBack(ctx, "a", "x")), 404, "it has none"},
		"a clock to no time":      {second(k.MoveClock(ctx, "a", client.Move{Set: "noon"})), 400, "date-time"},
		"a clock moved two ways":  {second(k.MoveClock(ctx, "a", client.Move{Freeze: true, Step: "1s"})), 400, ""},
		"an age before computers": {second(k.MoveClock(ctx, "a", client.Move{Set: "1800-01-01T00:00:00Z"})), 422, "1970"},
	} {
		var refused *client.Error
		if !errors.As(c.err, &refused) || refused.Status != c.status || !strings.Contains(refused.Detail, c.says) {
			t.Errorf("%s: %+v, want %d and %q", name, c.err, c.status, c.says)
		}
	}
	runs, err := k.Runs(ctx, client.Live)
	if err != nil || len(runs) != 3 {
		t.Errorf("%d runs afterwards, want the first, a and b: %v", len(runs), err)
	}
}

func second[T any](_ T, err error) error { return err }
