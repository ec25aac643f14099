package faults

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/world"
	"parity/specs"
)

// strike builds a fault and lets it write into a plan.
func strike(t *testing.T, fault string, with map[string]any, m CallContext) *Plan {
	t.Helper()
	injection := built(t, fault, with)
	p := &Plan{owner: "it"}
	if m.Draw == nil {
		m.Draw = half
	}
	injection.Apply(p, m)
	return p
}

func half(string) float64 { return 0.5 }

// stripeContract is read once: it is not written to.
var stripeContract = sync.OnceValues(func() (*specs.Contract, error) { return specs.Builtin("stripe") })

func stripeOperation(t *testing.T, id string) *specs.Operation {
	t.Helper()
	contract, err := stripeContract()
	if err != nil {
		t.Fatal(err)
	}
	op, ok := contract.Operation(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	return op
}

// amended lets a plan alter an answer.
func amended(t *testing.T, p *Plan, op *specs.Operation, body string) (*Answer, Done) {
	t.Helper()
	a := &Answer{
		Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body),
		Call: Request{Operation: op}, Now: time.Unix(1_800_000_000, 0), Draw: half, Steady: half,
	}
	var done Done
	for _, w := range p.Works(OnReply) {
		done = w.Amend(a)
	}
	return a, done
}

// A change is refused where the contract has nothing that it could be made to.
func TestWhatDoesNotFitIsSaid(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault string
		with  map[string]any
		call  string
		says  string
	}{
		"no such field":         {"schema-drift", map[string]any{"field": "nowhere"}, "GetCustomersCustomer", "has no field nowhere"},
		"a text has no units":   {"schema-drift", map[string]any{"field": "name", "change": "units"}, "GetCustomersCustomer", "is nothing for change: units"},
		"a field":               {"schema-drift", map[string]any{"field": "balance", "change": "units"}, "GetCustomersCustomer", ""},
		"of items":              {"schema-drift", map[string]any{"field": "data.*.balance"}, "GetCustomers", ""},
		"no such value":         {"wrong-value", map[string]any{"field": "nowhere"}, "GetCustomersCustomer", "has no field nowhere"},
		"an object is no value": {"wrong-value", map[string]any{"field": "address"}, "GetCustomersCustomer", "single value"},
		"reads do nothing":      {"silent-no-op", nil, "GetCustomers", "nothing to leave undone"},
		"no such parameter":     {"silent-no-op", map[string]any{"fields": []any{"nowhere"}}, "PostCustomers", "takes no field nowhere"},
		"reads make nothing":    {"duplicate-effect", nil, "GetCustomers", "nothing to double"},
		"deletes make nothing":  {"duplicate-effect", nil, "DeleteCustomersCustomer", "makes no record"},
		"none to blame":         {"misleading-refusal", map[string]any{"field": "nowhere"}, "PostCustomers", "takes no field nowhere"},
		"one to blame":          {"misleading-refusal", map[string]any{"field": "email"}, "PostCustomers", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fitted, ok := built(t, test.fault, test.with).(Requirer)
			if !ok {
				t.Fatal("it fits everything")
			}
			got := fitted.Misfit(stripeOperation(t, test.call), nil)
			if test.says == "" && got != "" || !strings.Contains(got, test.says) {
				t.Errorf("%q; want %q", got, test.says)
			}
		})
	}
}

// Parameters that go ill together are refused by the name of one.
func TestParametersThatGoIllTogether(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault string
		with  map[string]any
		key   string
	}{
		"envelope of a field":  {"schema-drift", map[string]any{"change": "envelope", "field": "id"}, "field"},
		"a form for no date":   {"schema-drift", map[string]any{"to": "unix"}, "to"},
		"a value of no field":  {"wrong-value", map[string]any{"value": "x"}, "value"},
		"ignored and applied":  {"silent-no-op", map[string]any{"fields": "a", "keeps": "b"}, "keeps"},
		"neither age nor date": {"deprecation", map[string]any{"at": "soon"}, "at"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, _ := Lookup(test.fault)
			_, err := f.Build(test.with)
			var wrong *ArgError
			if !errors.As(err, &wrong) || wrong.Key != test.key {
				t.Errorf("%v; want one about %s", err, test.key)
			}
		})
	}
}

// What the change makes of values, in forms that replies have.
func TestDriftOfValues(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		with    map[string]any
		was, is string
	}{
		"negative cents":       {map[string]any{"change": "units"}, `{"balance":-5}`, `{"balance":"-0.05"}`},
		"a name that is taken": {map[string]any{"field": "name"}, `{"name":"a","name_value":"b"}`, `{"name_value":"b","name_value2":"a"}`},
		"seconds as a date":    {map[string]any{"change": "date", "field": "created"}, `{"created":1767225600}`, `{"created":"2026-01-01T00:00:00Z"}`},
		"seconds as a mail":    {map[string]any{"change": "date", "field": "created", "to": "rfc2822"}, `{"created":1767225600}`, `{"created":"Thu, 01 Jan 2026 00:00:00 +0000"}`},
		"out of an envelope":   {map[string]any{"change": "envelope"}, `{"data":[{"id":"a"}],"object":"list"}`, `[{"id":"a"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, done := amended(t, strike(t, "schema-drift", test.with, CallContext{}), stripeOperation(t, "GetCustomersCustomer"), test.was)
			if string(a.Body) != test.is || done.Not != "" {
				t.Errorf("%s, %+v; want %s", a.Body, done, test.is)
			}
		})
	}
}

// A reply that has nothing to alter is sent as it was, and the fault has not
// fired.
func TestNothingToAlter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault string
		with  map[string]any
		body  string
	}{
		"a field that is absent": {"schema-drift", map[string]any{"field": "balance"}, `{"id":"cus_1"}`},
		"no JSON":                {"schema-drift", nil, `<html>`},
		"no number":              {"malformed-body", map[string]any{"how": "nan"}, `{"id":"cus_1"}`},
		"an empty object":        {"malformed-body", map[string]any{"how": "trailing-comma"}, `{}`},
		"no value":               {"wrong-value", nil, `{"id":"cus_1"}`},
		"not of that type":       {"wrong-value", map[string]any{"field": "balance", "value": "much"}, `{"balance":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, done := amended(t, strike(t, test.fault, test.with, CallContext{}), stripeOperation(t, "GetCustomersCustomer"), test.body)
			if done.Not == "" || string(a.Body) != test.body {
				t.Errorf("%s, %+v", a.Body, done)
			}
		})
	}
}

// Whatever is spoilt, a reader that is strict gives up, and one that is not
// reads a text that was never meant.
func TestEverySpoiltBodyIsStillOneReply(t *testing.T) {
	t.Parallel()
	const body = `{"amount":900,"id":"ch_1","note":"a \"quoted\" text"}`
	for how, strict := range map[string]bool{"invalid": false, "trailing-comma": false, "bom": false, "nan": false, "duplicate-keys": true, "truncated-utf8": true} {
		a, done := amended(t, strike(t, "malformed-body", map[string]any{"how": how}, CallContext{}), stripeOperation(t, "GetCustomersCustomer"), body)
		if done.Not != "" || json.Valid(a.Body) != strict || string(a.Body) == body {
			t.Errorf("%s: %s, %+v", how, a.Body, done)
		}
	}
}

// A reply whose own object has no plain value, such as a list in data, was left
// as it is, whatever a rule said.
func TestANameStandsTwiceInsideListsToo(t *testing.T) {
	t.Parallel()
	for body, wants := range map[string]string{
		`{"data":[{"name":"Ada"}]}`:                `{"data":[{"name":"Ada","name":"Ada_`,
		`[{"tags":[],"id":7}]`:                     `[{"id":7,"id":`,
		`{"data":[{}, {"in":{"id":"a"}}],"n":1.5}`: `{"data":[{},{"in":{"id":"a","id":"a_`,
	} {
		a, done := amended(t, strike(t, "malformed-body", map[string]any{"how": "duplicate-keys"}, CallContext{}), stripeOperation(t, "GetCustomersCustomer"), body)
		if done.Not != "" || len(done.Planted) != 1 || !json.Valid(a.Body) || !strings.HasPrefix(string(a.Body), wants) {
			t.Errorf("%s: %s, %+v", body, a.Body, done)
		}
	}
}

// An end that has come refuses; an earlier rule's refusal stands.
func TestDeprecationRefusesOnceItsTimeHasCome(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	with := map[string]any{"at": "2026-01-03T00:00:00Z"}
	if p := strike(t, "deprecation", with, CallContext{Began: began, Now: began.Add(47 * time.Hour)}); p.Skip || p.Say != nil {
		t.Errorf("an hour before: %+v", p)
	}
	p := strike(t, "deprecation", with, CallContext{Began: began, Now: began.Add(48 * time.Hour)})
	if !p.Skip || !p.decided || p.Say == nil || p.Say.Kind != fakes.Retired || p.Say.Status != http.StatusGone {
		t.Errorf("at its time: %+v", p)
	}
	first := &Plan{Say: &fakes.Problem{Kind: fakes.RateLimited}, decided: true}
	built(t, "deprecation", with).Apply(first, CallContext{Began: began, Now: began.Add(48 * time.Hour)})
	if first.Say.Kind != fakes.RateLimited {
		t.Errorf("it spoke over %+v", first.Say)
	}
}

// The blame falls on what was sent, where something was.
func TestBlameFallsOnWhatWasSent(t *testing.T) {
	t.Parallel()
	op := stripeOperation(t, "PostCustomers")
	for name, test := range map[string]struct {
		body map[string]any
		rule string
	}{
		"sent":    {map[string]any{"email": "a@b.example"}, specs.RuleFormat},
		"nothing": {map[string]any{}, specs.RuleRequired},
	} {
		p := strike(t, "misleading-refusal", nil, CallContext{Call: Request{Operation: op, Input: specs.Input{Body: test.body}}})
		v := p.Say.Violations[0]
		if !p.Skip || p.Say.Kind != fakes.BadRequest || v.Rule != test.rule || name == "sent" && v.Pointer != "/email" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// Fields that are ignored are taken out of a copy.
func TestIgnoredFieldsAreLeftOut(t *testing.T) {
	t.Parallel()
	body := map[string]any{"ticket": map[string]any{"status": "open", "subject": "s"}, "note": "n"}
	left, ignored := noOp{fields: []string{"ticket.status", "nowhere.at.all"}}.left(body)
	if !slices.Equal(ignored, []string{"ticket.status"}) || string(world.Encode(left)) != `{"note":"n","ticket":{"subject":"s"}}` {
		t.Errorf("ignored %v, left %s", ignored, world.Encode(left))
	}
	left, ignored = noOp{keeps: []string{"note"}}.left(body)
	if !slices.Equal(ignored, []string{"ticket"}) || string(world.Encode(left)) != `{"note":"n"}` {
		t.Errorf("ignored %v, left %s", ignored, world.Encode(left))
	}
	if body["ticket"].(map[string]any)["status"] != "open" {
		t.Error("the call's own body was written to")
	}
}

// copier copies by a name.
type copier struct{ copied string }

func (c *copier) Copy(_ *fakes.Call, collection, id string) (string, error) {
	c.copied = collection + "/" + id
	return id + "_copy", nil
}

// Where a service refuses a twin, a copy of what was made stands in for it.
func TestATwinThatIsRefusedIsCopied(t *testing.T) {
	t.Parallel()
	made := []world.Change{{Op: world.Create, Collection: "crm.contacts", ID: "c1"}}
	for name, test := range map[string]struct {
		once, again []world.Change
		copier      fakes.Copier
		did, not    string
	}{
		"made twice": {made, []world.Change{{Collection: "crm.contacts", ID: "c2"}}, nil, "made crm.contacts c2 beside c1", ""},
		"copied":     {made, nil, &copier{}, "made crm.contacts c1_copy beside c1", ""},
		"neither":    {made, nil, nil, "", "the service takes no second record like this one"},
		"nothing":    {nil, nil, &copier{}, "", "the call made no record"},
	} {
		p := strike(t, "duplicate-effect", nil, CallContext{})
		for _, w := range p.Works(Asking) {
			w.Made(test.once, test.again)
		}
		done := p.Works(AfterCall)[0].Edit(&Scene{Copier: test.copier})
		if done.Did != test.did || done.Not != test.not {
			t.Errorf("%s: %+v", name, done)
		}
	}
}

// A page is HTML, and says so, whatever its status.
func TestPagesAreHTML(t *testing.T) {
	t.Parallel()
	for page, status := range map[string]int{"login": 200, "challenge": 503, "gateway": 502} {
		p := strike(t, "html-page", map[string]any{"page": page}, CallContext{})
		if p.Page.Status != status || !strings.HasPrefix(http.DetectContentType([]byte(p.Page.Body)), "text/html") || !p.Skip {
			t.Errorf("%s: %+v", page, p.Page)
		}
	}
	if p := strike(t, "html-page", map[string]any{"when": "after"}, CallContext{}); p.Skip || p.NoCommit {
		t.Errorf("after: %+v", p)
	}
}
