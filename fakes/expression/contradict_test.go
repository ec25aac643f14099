package expression_test

import (
	"testing"

	"parity/fakes/expression"
)

func TestContradiction(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`request.method == "GET" and request.method == "POST"`:                           `request.method cannot be "GET" and "POST"`,
		`result.amount == 1 && (result.status == "ok" and 2 == result.amount)`:           "result.amount cannot be 1 and 2",
		`request.method == "GET" or request.method == "POST"`:                            "",
		`request.method == "GET" and request.method == "GET"`:                            "",
		`result.amount == 1 and result.rate == 2`:                                        "",
		`result.amount == 1 and not (result.amount == 2)`:                                "",
		`result.amount == request.body.amount and result.amount == 2`:                    "",
		`any(result.list, # == 1) and any(result.list, # == 2)`:                          "",
		`(result.status == "a" ? true : false) and result.status == "b"`:                 "",
		`result?.review == nil and result.review == "done"`:                              "", // written in two ways
		`result.paid == true and result.paid == false and request.body.charge == "ch_1"`: "result.paid cannot be true and false",
	} {
		p, err := expression.Compile(source, expression.Bool, env())
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Contradiction(); got != want {
			t.Errorf("%s: %q; want %q", source, got, want)
		}
	}
}
