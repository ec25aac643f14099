package gateway_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// shop is the contract of a service that nobody wrote a fake for.
const shop = `
openapi: 3.0.3
info: {title: Shop, version: '1'}
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200': {description: All, content: {application/json: {schema: {type: object, required: [items], properties: {items: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}}}
    post:
      operationId: createOrder
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}
      responses:
        '201': {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
        '400': {description: Wrong, content: {application/json: {schema: {$ref: '#/components/schemas/Wrong'}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getOrder
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
    patch:
      operationId: updateOrder
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Draft'}}}}
      responses:
        '200': {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
components:
  schemas:
    Draft:
      type: object
      properties:
        amount: {type: integer, minimum: 0}
        status: {type: string, enum: [open, paid, void]}
        note: {type: string}
    Wrong: {type: object, properties: {code: {type: string}, message: {type: string}, field: {type: string}}}
    Order:
      type: object
      required: [id, amount, status, note, created_at]
      properties:
        id: {type: string, readOnly: true}
        amount: {type: integer, minimum: 0}
        status: {type: string, enum: [open, paid, void]}
        note: {type: string}
        created_at: {type: string, format: date-time, readOnly: true}
`

const order = `{"amount": 2000, "status": "open", "note": "Bücher"}`

// said is one answer.
type said struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// desk is a gateway with Stripe and the shop, and a client of both.
type desk struct {
	*harness
	c *http.Client
}

func openDesk(t *testing.T, rule string, change ...func(*gateway.Settings)) desk {
	t.Helper()
	profile := "profile: drift\nseed: 7\nservices:\n  stripe: {}\n  shop: {contract: shop.yaml}\nclock: {mode: stepped}\n"
	if rule != "" {
		profile += "faults:\n  it: {" + rule + "}\n"
	}
	h := open(t, profile, append(change, beside(t, "shop.yaml", shop))...)
	return desk{h, h.direct(false, false)}
}

// ask makes one call: of Stripe with a form, of the shop with JSON.
func (d desk) ask(method, path, body string) said {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, "http://"+d.Addr()+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc")
	switch {
	case body == "":
	case strings.HasPrefix(path, "/stripe"):
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	default:
		r.Header.Set("Content-Type", "application/json")
	}
	reply, err := d.c.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer reply.Body.Close()
	raw, err := io.ReadAll(reply.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	s := said{status: reply.StatusCode, header: reply.Header, raw: string(raw)}
	_ = json.Unmarshal(raw, &s.body) // some are not to be read
	return s
}

// customer makes a customer, and gives its path.
func (d desk) customer() string {
	d.t.Helper()
	made := d.ask("POST", "/stripe/v1/customers", "name=Ada&balance=2000&description=first")
	return "/stripe/v1/customers/" + made.body["id"].(string)
}

func (d desk) order() string {
	d.t.Helper()
	made := d.ask("POST", "/shop/orders", order)
	if made.status != http.StatusCreated {
		d.t.Fatalf("an order: %d %s", made.status, made.raw)
	}
	return "/shop/orders/" + made.body["id"].(string)
}

// struck gives the last exchange and the strike of the one rule on it.
func (d desk) struck() (*trail.Exchange, trail.Strike) {
	d.t.Helper()
	list := exchanges(d.harness)
	x := list[len(list)-1]
	if len(x.Strikes) != 1 {
		d.t.Fatalf("strikes %+v", x.Strikes)
	}
	return x, x.Strikes[0]
}

// A reply that has drifted is another than the contract says, in one way that
// the journal names, and the world is as it was.
func TestSchemaDrift(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		with  string
		shown func(raw string) bool
		did   string
		plant string
	}{
		"rename":   {"field: amount", has(`"amount_value":2000`), "renamed amount to amount_value", "amount_value"},
		"remove":   {"change: remove, field: amount", hasNot(`"amount"`), "removed amount", ""},
		"retype":   {"change: retype, field: amount", has(`"amount":"2000"`), "made amount text", ""},
		"nulled":   {"change: nulled, field: amount", has(`"amount":null`), "set amount to null", ""},
		"enum":     {"change: enum", hasNot(`"status":"open"`), "which is not listed", "*"},
		"units":    {"change: units", has(`"amount":"20.00"`), "whole units", "20.00"},
		"date":     {"change: date", hasNot(`"created_at":"`), "seconds since 1970", "*"},
		"rfc2822":  {"change: date, to: rfc2822", has(`+0000"`), "RFC 2822", "*"},
		"envelope": {"change: envelope", has(`{"data":{`), "into data", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t, "call: shop.getOrder, inject: schema-drift, with: {"+test.with+"}")
			got := d.ask("GET", d.order(), "")
			if !test.shown(got.raw) {
				t.Errorf("answered %s", got.raw)
			}
			x, s := d.struck()
			if !s.Fired || !strings.Contains(s.Did, test.did) || test.plant == "*" && len(s.Planted) != 1 ||
				test.plant != "*" && strings.Join(s.Planted, " ") != test.plant {
				t.Errorf("strike %+v", s)
			}
			if !x.Altered || !bytes.Contains(x.FakeBody, []byte(`"amount":2000`)) {
				t.Errorf("altered %v, the fake having said %s", x.Altered, x.FakeBody)
			}
		})
	}
}

// twiceNamed tells an object in which a name stands twice, one behind the other.
func twiceNamed(raw string) bool {
	before := ""
	for part := range strings.SplitSeq(raw, ",") {
		name, _, named := strings.Cut(strings.TrimLeft(part, "{"), ":")
		if named && name == before {
			return true
		}
		before = name
	}
	return false
}

func has(part string) func(string) bool {
	return func(raw string) bool { return strings.Contains(raw, part) }
}

func hasNot(part string) func(string) bool {
	return func(raw string) bool { return !strings.Contains(raw, part) }
}

// Of a list, a share of the items drifts, one at least; of a list of Stripe's
// the field is found by the end of its path.
func TestSchemaDriftOfAShareOfItems(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: stripe.GetCustomers, inject: schema-drift, with: {field: balance, share: 1%}")
	for range 3 {
		d.customer()
	}
	got := d.ask("GET", "/stripe/v1/customers", "")
	if n := strings.Count(got.raw, `"balance_value":2000`); n != 1 || strings.Count(got.raw, `"balance":2000`) != 2 {
		t.Errorf("%d of 3 drifted: %s", n, got.raw)
	}
	if _, s := d.struck(); s.Did != "renamed balance to balance_value in 1 item" {
		t.Errorf("did %q", s.Did)
	}
}

// The same field drifts in each reply of a run: a service that has changed does
// not change back.
func TestSchemaDriftIsTheSameForAllCalls(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: shop.createOrder, inject: schema-drift, with: {change: remove}")
	fields := map[string]bool{}
	for range 4 {
		d.ask("POST", "/shop/orders", order)
	}
	for _, x := range exchanges(d.harness) {
		fields[x.Strikes[0].Did] = true
	}
	if len(fields) != 1 {
		t.Errorf("four calls: %v", fields)
	}
}

// A wrong value is one that the contract allows and the world does not have.
func TestWrongValue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ call, with, field string }{
		"drawn amount": {"shop.getOrder", "", "amount"},
		"state":        {"shop.getOrder", "with: {field: status}", "status"},
		"given":        {"shop.getOrder", "with: {field: amount, value: 12}", "amount"},
		"stripe":       {"stripe.GetCustomersCustomer", "", "balance"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t, "call: "+test.call+", inject: wrong-value, "+test.with)
			path := map[bool]func() string{true: d.customer, false: d.order}[strings.HasPrefix(test.call, "stripe")]()
			got := d.ask("GET", path, "")
			x, s := d.struck()
			var truth map[string]any
			if err := json.Unmarshal(x.FakeBody, &truth); err != nil {
				t.Fatal(err)
			}
			if !s.Fired || got.body[test.field] == truth[test.field] || got.body[test.field] == nil || len(s.Planted) != 1 {
				t.Errorf("said %v, where it is %v: %+v", got.body[test.field], truth[test.field], s)
			}
			if name == "given" && got.body["amount"] != 12.0 {
				t.Errorf("said %v", got.body["amount"])
			}
		})
	}
}

// A spoilt body has the length that its head says, and cannot be read, or is
// read otherwise than it was meant.
func TestMalformedBody(t *testing.T) {
	t.Parallel()
	for how, test := range map[string]struct {
		shown  func(raw string) bool
		broken bool // a reader of JSON gives up
	}{
		"invalid":        {func(raw string) bool { return !strings.HasSuffix(strings.TrimSpace(raw), "}") }, true},
		"trailing-comma": {has(",}"), true},
		"bom":            {has("\xef\xbb\xbf{"), true},
		"nan":            {has(":NaN"), true},
		"duplicate-keys": {twiceNamed, false},
		"truncated-utf8": {has("\xc3\""), false},
		"empty":          {func(raw string) bool { return raw == "" }, true},
		"html-labelled":  {has(`"id":"`), false},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t, "call: '* GET *', inject: malformed-body, with: {how: "+how+"}")
			for _, path := range []string{d.customer(), d.order()} {
				got := d.ask("GET", path, "")
				if got.status != 200 || !test.shown(got.raw) || test.broken == json.Valid([]byte(got.raw)) {
					t.Errorf("answered %d %q", got.status, got.raw)
				}
				if isHTML := strings.HasPrefix(got.header.Get("Content-Type"), "text/html"); isHTML != (how == "html-labelled") {
					t.Errorf("called %s", got.header.Get("Content-Type"))
				}
			}
			x, s := d.struck()
			if !s.Fired || s.Did == "" || x.Whole == (test.broken || how == "truncated-utf8") || how == "duplicate-keys" && len(s.Planted) != 1 {
				t.Errorf("whole %v, strike %+v", x.Whole, s)
			}
		})
	}
}

// A page for people comes in place of data, with the service asked or not.
func TestHTMLPage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		with   string
		status int
		title  string
		made   int
	}{
		"login":           {"", 200, "Sign in", 0},
		"challenge":       {"with: {page: challenge}", 503, "One moment", 0},
		"gateway":         {"with: {page: gateway}", 502, "Bad gateway", 0},
		"gateway as 200":  {"with: {page: gateway, status: 200}", 200, "Bad gateway", 0},
		"login, too late": {"with: {when: after}", 200, "Sign in", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t, "call: '* POST *', inject: html-page, "+test.with)
			for _, call := range [][3]string{{"/stripe/v1/customers", "name=Ada", "stripe.customers"}, {"/shop/orders", order, "shop.orders"}} {
				got := d.ask("POST", call[0], call[1])
				if got.status != test.status || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") || !strings.Contains(got.raw, "<title>"+test.title+"</title>") {
					t.Errorf("answered %d %s %s", got.status, got.header.Get("Content-Type"), got.raw)
				}
				if n := d.Run.World().Len(call[2]); n != test.made {
					t.Errorf("%d in %s; want %d", n, call[2], test.made)
				}
			}
			if x, s := d.struck(); x.Whole || !s.Fired || x.Fidelity != trail.Injected {
				t.Errorf("recorded as whole %v, %s, %+v", x.Whole, x.Fidelity, s)
			}
		})
	}
}

// An operation says that it is deprecated, and is gone once its time has come.
func TestDeprecation(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: '* GET *', inject: deprecation, with: {at: 2d, since: 2026-01-01T00:00:00Z}", func(s *gateway.Settings) { s.Token = controlToken })
	for _, path := range []string{d.customer(), d.order()} {
		got := d.ask("GET", path, "")
		began := d.eventsOf(d.Run.ID)[0].At.Time()
		sunset, err := http.ParseTime(got.header.Get("Sunset"))
		if got.status != 200 || got.header.Get("Deprecation") != "@1767225600" || err != nil || sunset.Unix() != began.Add(48*time.Hour).Unix() || !strings.Contains(got.header.Get("Link"), `rel="deprecation"`) {
			t.Errorf("%d %v", got.status, got.header)
		}
	}
	customer, order := d.customer(), d.order()
	if _, err := d.control().MoveClock(t.Context(), d.Run.ID, client.Move{Advance: "48h"}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{customer, order} {
		if got := d.ask("GET", path, ""); got.status != http.StatusGone || !strings.Contains(got.raw, "retired") {
			t.Errorf("%s: %d %s", path, got.status, got.raw)
		}
	}
}

// A service's clock goes wrong by what the profile says, and may refuse
// requests for it.
func TestClockSkew(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: '* GET *', inject: clock-skew, with: {by: 17m, direction: behind}")
	for _, path := range []string{d.customer(), d.order()} {
		got := d.ask("GET", path, "")
		events := d.eventsOf(d.Run.ID)
		date, err := http.ParseTime(got.header.Get("Date"))
		if now := events[len(events)-1].At.Time(); got.status != 200 || err != nil || date.Unix() != now.Add(-17*time.Minute).Unix() {
			t.Errorf("dated %v at %v", date, now)
		}
	}
	if _, s := d.struck(); s.Did != "dated it 17m0s behind" {
		t.Errorf("did %q", s.Did)
	}
	d = openDesk(t, "call: '* POST *', inject: clock-skew, with: {refuse: true, status: 403}")
	for _, call := range [][2]string{{"/stripe/v1/customers", "name=Ada"}, {"/shop/orders", order}} {
		if got := d.ask("POST", call[0], call[1]); got.status != 403 || !strings.Contains(got.raw, "too large") {
			t.Errorf("%d %s", got.status, got.raw)
		}
	}
	if n := d.Run.World().Len("stripe.customers") + d.Run.World().Len("shop.orders"); n != 0 {
		t.Errorf("%d records were made", n)
	}
}

// A field that was right is blamed, in the service's own words; nothing has
// happened.
func TestMisleadingRefusal(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ with, blamed string }{
		"given":          {"with: {field: description}", "description"},
		"given and said": {"with: {field: note, says: Not in this region., status: 422}", "note"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call := [3]string{"stripe.PostCustomers", "/stripe/v1/customers", "name=Ada&description=first"}
			if test.blamed == "note" {
				call = [3]string{"shop.createOrder", "/shop/orders", order}
			}
			d := openDesk(t, "call: "+call[0]+", inject: misleading-refusal, "+test.with)
			got := d.ask("POST", call[1], call[2])
			wrong := got.body
			if inner, ok := wrong["error"].(map[string]any); ok {
				wrong = inner
			}
			if blamed := wrong["param"]; test.blamed != "note" && (got.status != 400 || blamed != test.blamed) ||
				test.blamed == "note" && (got.status != 422 || !strings.Contains(got.raw, "Not in this region.")) {
				t.Errorf("%d %s", got.status, got.raw)
			}
			x, s := d.struck()
			if x.Committed || !s.Fired || s.Did != "blamed "+test.blamed {
				t.Errorf("committed %v, strike %+v", x.Committed, s)
			}
		})
	}
}

// A write that says it was done, and was not, or not as a whole.
func TestSilentNoOp(t *testing.T) {
	t.Parallel()
	type row struct{ call, path, body, claims, really string }
	for name, test := range map[string]struct {
		with string
		row
	}{
		"nothing":            {"", row{"stripe.PostCustomersCustomer", "", "name=Eve&description=second", `"name":"Eve"`, `"name":"Ada"`}},
		"one field":          {"with: {fields: name}", row{"stripe.PostCustomersCustomer", "", "name=Eve&description=second", `"name":"Eve"`, `"name":"Ada"`}},
		"nothing, generic":   {"", row{"shop.updateOrder", "", `{"status":"paid","note":"x"}`, `"status":"paid"`, `"status":"open"`}},
		"one field, generic": {"with: {keeps: note}", row{"shop.updateOrder", "", `{"status":"paid","note":"x"}`, `"status":"paid"`, `"status":"open"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDesk(t, "call: "+test.call+", inject: silent-no-op, "+test.with)
			stripe := strings.HasPrefix(test.call, "stripe")
			path, method := map[bool]func() string{true: d.customer, false: d.order}[stripe](), map[bool]string{true: "POST", false: "PATCH"}[stripe]
			got := d.ask(method, path, test.body)
			if got.status != 200 || !strings.Contains(got.raw, test.claims) {
				t.Errorf("answered %d %s", got.status, got.raw)
			}
			x := d.eventsOf(d.Run.ID)
			committed := x[len(x)-1].Exchange.Committed
			read := d.ask("GET", path, "")
			if !strings.Contains(read.raw, test.really) {
				t.Errorf("really %s", read.raw)
			}
			if partly := test.with != ""; committed != partly || partly && !strings.Contains(read.raw, map[bool]string{true: `"second"`, false: `"note":"x"`}[stripe]) {
				t.Errorf("committed %v, really %s", committed, read.raw)
			}
			if s := x[len(x)-1].Exchange.Strikes[0]; !s.Fired || !strings.HasPrefix(s.Did, "said that it was done") {
				t.Errorf("strike %+v", s)
			}
		})
	}
}

// A write that would have changed nothing has nothing to leave undone.
func TestSilentNoOpOfNothingHasNotFired(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: stripe.PostCustomersCustomer, inject: silent-no-op, with: {fields: name}")
	d.ask("POST", d.customer(), "description=second")
	x, s := d.struck()
	if s.Fired || s.Why == "" || !x.Committed {
		t.Errorf("committed %v, strike %+v", x.Committed, s)
	}
}

// One call makes two records, and answers with the first.
func TestDuplicateEffect(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: '* POST *', inject: duplicate-effect")
	made := d.ask("POST", "/stripe/v1/customers", "name=Ada")
	if n := d.Run.World().Len("stripe.customers"); made.status != 200 || n != 2 {
		t.Fatalf("%d, %d customers; want 2", made.status, n)
	}
	if made := d.ask("POST", "/shop/orders", order); made.status != 201 || d.Run.World().Len("shop.orders") != 2 {
		t.Fatalf("%d, %d orders; want 2", made.status, d.Run.World().Len("shop.orders"))
	}
	if got := d.ask("POST", "/stripe/v1/customers/"+made.body["id"].(string), "name=Eve"); got.status != 200 || got.body["name"] != "Eve" {
		t.Errorf("an update: %d %s", got.status, got.raw)
	}
	x, s := d.struck()
	if s.Fired || s.Why != "the call made no record" || !x.Committed {
		t.Errorf("of an update: committed %v, strike %+v", x.Committed, s)
	}
	for _, x := range exchanges(d.harness)[:2] {
		if s := x.Strikes[0]; !s.Fired || !strings.Contains(s.Did, " beside ") {
			t.Errorf("strike %+v", s)
		}
	}
}

// Where replies are checked, one that a fault altered is nobody's defect: the
// check is of what the fake said.
func TestCheckedRepliesAreTheFakesOwn(t *testing.T) {
	t.Parallel()
	d := openDesk(t, "call: '* POST *', inject: schema-drift, with: {change: remove}", func(s *gateway.Settings) { s.Checks = true })
	d.ask("POST", "/stripe/v1/customers", "name=Ada")
	d.ask("POST", "/shop/orders", order)
	for _, x := range exchanges(d.harness) {
		if !x.Altered || len(x.Breaches) > 0 {
			t.Errorf("%s: altered %v, breaches %v", x.Operation, x.Altered, x.Breaches)
		}
	}
}

// impossible is a contract whose replies nobody can make.
const impossible = `
openapi: 3.0.3
info: {title: Impossible, version: '1'}
paths:
  /word:
    get:
      operationId: getWord
      responses:
        '200': {description: One, content: {application/json: {schema: {type: object, required: [word], properties: {word: {type: string, minLength: 5, maxLength: 2}}}}}}
`

// A reply of a fake that is not what the contract says is our own defect, where
// replies are checked; where they are not, nobody looks.
func TestCheckedRepliesThatBreakTheirContractAreDefects(t *testing.T) {
	t.Parallel()
	for _, checks := range []bool{true, false} {
		h := open(t, "profile: impossible\nseed: 7\nservices:\n  word: {contract: word.yaml}\n", beside(t, "word.yaml", impossible),
			func(s *gateway.Settings) { s.Checks = checks })
		d := desk{h, h.direct(false, false)}
		d.ask("GET", "/word/word", "")
		x := exchanges(h)[0]
		if found := len(x.Breaches) == 1 && x.Breaches[0].Pointer == "/word"; found != checks {
			t.Errorf("checked %v: breaches %+v", checks, x.Breaches)
		}
	}
}

// A name that stands twice in an object is refused by Parity, and taken by
// kin-openapi: a judgement that hangs on who judges is told as one.
func TestJudgesThatDisagreeAreTold(t *testing.T) {
	t.Parallel()
	for _, checks := range []bool{true, false} {
		d := openDesk(t, "", func(s *gateway.Settings) { s.Checks = checks })
		d.ask("POST", "/shop/orders", order)
		d.ask("POST", "/shop/orders", strings.Replace(order, "{", `{"note": "a", "note": "b", `, 1))
		all := exchanges(d.harness)
		if len(all[0].Disputes) > 0 {
			t.Errorf("checked %v: of an order that both take: %+v", checks, all[0].Disputes)
		}
		found := all[1].Disputes
		if told := len(found) == 1 && found[0].Of == "request" && found[0].Ours != "" && found[0].Other == ""; told != checks {
			t.Errorf("checked %v: disputes %+v", checks, found)
		}
	}
}
