package expression_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/fakes/expression"

	"github.com/google/go-cmp/cmp"
)

// shop resolves charge and customer ids, as a contract and a world would.
func shop(collection, field, id string) (string, map[string]any, bool) {
	targets := map[string]string{
		"stripe.refunds charge":        "stripe.charges",
		"stripe.refunds source.charge": "stripe.charges",
		"stripe.charges customer":      "stripe.customers",
		"stripe.customers account":     "crm.accounts",
	}
	records := map[string]object{
		"stripe.charges ch_1":    {"id": "ch_1", "customer": "cus_1", "amount": int64(5)},
		"stripe.customers cus_1": {"id": "cus_1", "email": "a@example.com", "account": int64(42)},
		"crm.accounts 42":        {"name": "Acme"},
	}
	target, ok := targets[collection+" "+field]
	record, found := records[target+" "+id]
	return target, record, ok && found
}

func ExamplePath() {
	per, err := expression.CompilePath("result.charge.customer", expression.Env{"request", "result"})
	if err != nil {
		fmt.Println(err)
		return
	}
	refund := object{"charge": "ch_1"}
	fmt.Println(per.Value(object{"result": refund}, "stripe.refunds", shop))
	// Output: cus_1 <nil>
}

func TestPathValue(t *testing.T) {
	t.Parallel()
	refund := object{
		"id": "re_1", "charge": "ch_1", "source": object{"charge": "ch_1"}, "metadata": object{"order-id": "6735"},
		"lines": []any{object{"price": int64(3)}}, "gone": "ch_9", "empty": nil,
	}
	for _, test := range []struct {
		path   string
		record bool // the path begins at the record itself
		want   any
		says   string
	}{
		{path: "result.charge", want: "ch_1"},
		{path: "result.charge.customer", want: "cus_1"},
		{path: "result.charge.amount", want: int64(5)},
		{path: "result.charge.customer.email", want: "a@example.com"},
		{path: "result.charge.customer.account.name", want: "Acme"},
		{path: "result.source.charge.customer", want: "cus_1"},
		{path: "result.metadata.order-id", want: "6735"},
		{path: "result.lines.0.price", want: int64(3)},
		{path: "result.empty", want: nil},
		{path: "metadata.order-id", record: true, want: "6735"},
		{path: "charge.customer", record: true, want: "cus_1"},
		{path: "source.charge.customer", record: true, want: "cus_1"},
		{path: "id", record: true, want: "re_1"},
		{path: "result.amuont", says: "column 8: result.amuont: there is no such field"},
		{path: "result.gone.customer", says: "column 8: result.gone: no record is found for ch_9"},
		{path: "result.id.customer", says: "column 8: result.id: no record is found for re_1"},
		{path: "result.charge.customer.phone", says: "column 24: result.charge.customer.phone: there is no such field"},
		{path: "result.lines.7.price", says: "column 14: result.lines.7: there is no such item among 1"},
		{path: "result.lines.price", says: "a list has items by number"},
		{path: "result.empty.x", says: "column 14: result.empty.x: what it is read from is not there"},
		{path: "request.body", says: "column 1: request: there is no such field"},
	} {
		names, vars := env(), object{"result": refund}
		if test.record {
			names, vars = nil, refund
		}
		p, err := expression.CompilePath(test.path, names)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		got, err := p.Value(vars, "stripe.refunds", shop)
		if test.says != "" {
			complains(t, test.path, err, test.says)
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", test.path, err, diff)
		}
	}
}

func TestPathWithoutResolve(t *testing.T) {
	t.Parallel()
	p, err := expression.CompilePath("charge.customer", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Value(object{"charge": "ch_1"}, "", nil)
	complains(t, p.String(), err, "column 8: charge.customer: what it is read from is neither an object nor a list")
	if p.Needs("result") || !p.Needs("charge") {
		t.Error("the path does not know where it begins")
	}
}

func TestCompilePathRefuses(t *testing.T) {
	t.Parallel()
	for source, says := range map[string]string{
		"":                                  "column 1: a path is names joined by dots",
		"result.":                           "column 8: a path is names",
		".charge":                           "column 1: a path is names",
		"result..charge":                    "column 8: a path is names",
		"result.chärge x":                   "column 14: a path is names",
		"result.list[0]":                    "column 12: a path is names",
		"resul.charge":                      "column 1: unknown name resul; did you mean result?",
		"result" + strings.Repeat(".a", 30): "31 steps; 16 is the most",
	} {
		_, err := expression.CompilePath(source, env())
		complains(t, source, err, says)
	}
}
