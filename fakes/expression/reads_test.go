package expression_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/fakes/expression"

	"github.com/google/go-cmp/cmp"
)

// What a loop reads of an item is found where the item is of a filter, a map, a
// find or a variable, too, with the place of the field.
func TestEveryFieldThatAnExpressionReadsIsFound(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"result.amount > 1":                                         "result.amount@8",
		`result["amount"] > 1`:                                      "result.amount@7",
		`any(world.stripe.refunds, .status == "x")`:                 "world.stripe@11 world.stripe.refunds@18 world.stripe.refunds.#.status@28",
		`any(world.refunds, #.a.b == 1)`:                            "world.refunds@11 world.refunds.#.a@22 world.refunds.#.a.b@24",
		`all(filter(world.a, .b), .c)`:                              "world.a@18 world.a.#.b@22 world.a.#.c@27",
		`all(map(world.a, .b), .c)`:                                 "world.a@15 world.a.#.b@19 world.a.#.b.c@24",
		`find(world.a, .b).c`:                                       "world.a@12 world.a.#.b@16 world.a.#.c@19",
		`world.a[0].b == 1`:                                         "world.a@7 world.a.#.b@12",
		`(request.body?.currency ?? "usd") != "usd"`:                "request.body@10? request.body.currency@16?",
		`result?.amount > 1`:                                        "result.amount@9?",
		`let r = result; r.amount > 1`:                              "result.amount@19",
		`any(world.a, any(.b, .c == 1))`:                            "world.a@11 world.a.#.b@19 world.a.#.b.#.c@23",
		`result.status == "a" ? result.b : result.c`:                "result.status@8 result.b@31 result.c@42",
		`earlier.path.charge == later.body.charge`:                  "earlier.path@9 earlier.path.charge@14 later.body@30 later.body.charge@35",
		`result.amount > 1 and not (request.identity in ["a"])`:     "result.amount@8 request.identity@36",
		`any(world.a, request.body[.b] == 1)`:                       "world.a@11 request.body@22 world.a.#.b@28",
		`len(filter(world.a, .b)) + sum(world.a, .c) > first([]).d`: "world.a@18 world.a.#.b@22 world.a@38 world.a.#.c@42",
	} {
		p, err := expression.Compile(source, expression.Any, env())
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		var got []string
		for _, r := range p.Reads() {
			mark := ""
			if r.Guarded {
				mark = "?"
			}
			got = append(got, fmt.Sprintf("%s@%d%s", strings.Join(r.Steps, "."), r.Column, mark))
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: -want +got\n%s", source, diff)
		}
	}
}
