package expression_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parity/fakes/expression"

	"github.com/google/go-cmp/cmp"
)

type object = map[string]any

func env() expression.Env {
	return expression.Env{"request", "result", "run", "world", "clock", "earlier", "later"}
}

func vars() object {
	return object{
		"request": object{"method": "POST", "body": object{"charge": "ch_1"}},
		"result": object{
			"amount": int64(10_001), "rate": 2.5, "status": "ok", "review": nil, "zero": int64(0),
			"list": []any{int64(1), int64(2)}, "metadata": object{"order-id": "6735"},
		},
		"earlier": object{"path": object{"charge": "ch_1"}},
		"later":   object{"body": object{"charge": "ch_1"}},
		"world": object{"stripe": object{"refunds": []any{
			object{"amount": int64(5_000), "charge": "ch_1"},
			object{"amount": int64(15_000), "charge": "ch_2"},
		}}},
	}
}

func Example() {
	condition, err := expression.Compile("result.amount > 10_000", expression.Bool, expression.Env{"request", "result"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(condition.Bool(object{"result": object{"amount": int64(12_000)}}))
	fmt.Println(condition.Bool(object{"result": object{}}))
	_, err = expression.Compile("resutl.amount > 10_000", expression.Bool, expression.Env{"request", "result"})
	fmt.Println(err)
	// Output:
	// true <nil>
	// false column 8: result.amount: there is no such field
	// column 1: unknown name resutl; did you mean result?
}

func TestValue(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]any{
		"result.amount > 10_000":                                               true,
		"earlier.path.charge == later.body.charge":                             true,
		"sum(world.stripe.refunds, .amount) <= 20_000":                         true,
		"sum(world.stripe.refunds, .amount)":                                   int64(20_000),
		`count(world.stripe.refunds, .charge == "ch_1")`:                       int64(1),
		"result.rate * 2":                                                      5.0,
		"result.rate + 1":                                                      3.5,
		"-result.amount + 1":                                                   int64(-10_000),
		"9223372036854775807 + result.amount":                                  float64(1<<63) + 10_000,
		"result.amount / 2":                                                    5000.5,
		"result.amount % 100":                                                  int64(1),
		"result.status":                                                        "ok",
		"result.review == nil":                                                 true,
		"result?.absent == nil":                                                true,
		"result?.absent?.more == nil":                                          true,
		`(result.absent.more ?? "none") == "none"`:                             true,
		`result["status"] == 'ok'`:                                             true,
		`result.metadata["order-id"] == "6735"`:                                true,
		"result.list[0] + result.list[-1]":                                     int64(3),
		"result.amount in [1, 10_001]":                                         true,
		`result.status in ["ok", "paid"]`:                                      true,
		`result.amount in ["ok"]`:                                              false,
		`"amount" in result and not ("absent" in result)`:                      true,
		`request.method == "GET" and result.absent > 1`:                        false,
		"1 < result.amount < 20_000":                                           true,
		"0 < count(result.list, # > 0) < 5 and 0 < result.amount + 1 < 20_000": true,
		`result.amount > 1 ? "big" : "small"`:                                  "big",
		`if result.amount > 1 { true } else { false }`:                         true,
		`lower("OK") matches "^o" && trim(" a ") == "a"`:                       true,
		`any(world.stripe.refunds, .charge endsWith "2")`:                      true,
		"all(result.list, # > 0) and none(result.list, # > 5)":                 true,
		"let r = first(world.stripe.refunds); any(world.stripe.refunds, .amount > r.amount)":                 true,
		"any(world.stripe.refunds, let r = #; one(world.stripe.refunds, .amount > r.amount))":                true,
		"max(map(world.stripe.refunds, .amount))":                                                            int64(15_000),
		"filter(world.stripe.refunds, .amount > 6_000)[0].charge":                                            "ch_2",
		`find(world.stripe.refunds, .charge == "none")?.amount`:                                              nil,
		"mean(result.list) == 1.5 and min(result.amount, 5) == 5 and abs(-5) == 5 and len(result.list) == 2": true,
		"round(2.6) == 3 and ceil(1.1) == 2 and floor(1.9) == 1 and int('12') == 12 and float('1.5') == 1.5": true,
		"result.\n  amount\n  > 10_000":                                                                      true,
	} {
		p, err := expression.Compile(source, expression.Any, env())
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		got, err := p.Value(vars())
		if err != nil {
			t.Errorf("%s: %v", source, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
		if p.String() != source {
			t.Errorf("%s says that it is %s", source, p)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for source, says := range map[string]string{
		"":                                "column 1: the expression is empty",
		" \n":                             "column 1: the expression is empty",
		"\xff":                            "column 1: the expression is not UTF-8",
		"resul.amount > 1":                "column 1: unknown name resul; did you mean result?",
		"a.b":                             "column 1: unknown name a; the names here are request, result",
		"any(result.list, lst > 1)":       "column 18: unknown name lst",
		"result.amount = 1":               "column 15: one = compares nothing; did you mean ==?",
		"result.amount >":                 "column 15: the expression ends too early",
		`result.status "ok"`:              `column 15: unexpected "ok"; an operator`,
		"result.a and\n  result.b == = 2": "line 2, column 15: one = compares nothing",
		"result.foo()":                    "column 8: values have no methods",
		"foo(1)":                          "column 1: unknown function foo",
		"sums(result.list)":               "column 1: unknown function sums; did you mean sum?",
		"1 + sums(result.list)":           "column 5: unknown function sums",
		"result.status matches result.a":  "column 15: matches needs its pattern written out",
		`result.status matches "("`:       "missing closing )",
		"# > 1":                           "column 1: unexpected",
		`result.a ?? "b" == "b"`:          "Wrap either by parentheses",
		"let result = 1; result":          "cannot redeclare result",
		`any(result.list, "x")`:           "predicate should return boolean",
		"99999999999999999999 > 1":        "value out of range",
		"any(world.stripe.refunds, #acc)": "column 27: #acc is not known here",
	} {
		refused(t, source, expression.Any, says)
	}
}

// What SAFETY asks for: each of these ended, hung or bloated a process, or
// could. None gets as far as being compiled.
func TestHostileSourcesAreRefused(t *testing.T) {
	t.Parallel()
	for source, says := range map[string]string{
		`reduce(1..60, #acc + #acc, "a")`:         "column 1: reduce is not allowed",
		"any(1..1000000000, true)":                "column 6: ranges are not allowed",
		`repeat("a", 1000000000)`:                 "column 1: repeat is not allowed",
		`join(result.list, "x")`:                  "column 1: join is not allowed",
		`replace(result.status, "", "aaaaaaaa")`:  "replace is not allowed",
		"concat(result.list, result.list)":        "concat is not allowed",
		"now() > 1":                               "now is not allowed",
		"toJSON(result)":                          "toJSON is not allowed",
		"groupBy(result.list, #)":                 "groupBy is not allowed",
		"map(result.list, upper(request.method))": "column 18: upper is not allowed inside map",
		"map(result.list, any(result.list, lower(request.method) == '')) ": "lower is not allowed inside map",
		"$env":                               "unknown name $env",
		"$meter":                             "unknown name $meter",
		`$field(result, "a", "a")`:           "unknown function $field",
		"{a: 1}":                             "an object in braces is not allowed",
		"result.list[0:1]":                   "a slice such as list[1:2] is not allowed",
		"true; true":                         "more than one expression",
		`b"ab" == b"ab"`:                     "a text of bytes",
		"+result.status":                     "+ before a value",
		strings.Repeat("(", 1_000_000):       "1000000 bytes long; 2000 is the most",
		strings.Repeat("!", 1990) + "true":   "nested more than 32 deep",
		"result" + strings.Repeat(".a", 40):  "nested more than 32 deep",
		"result" + strings.Repeat("[0]", 40): "nested more than 32 deep",
		strings.Repeat("[", 40) + strings.Repeat("]", 40):                                "nested more than 32 deep",
		"true" + strings.Repeat(" ? true : false", 40):                                   "nested more than 32 deep",
		"1" + strings.Repeat(" + 1", 40) + " > 1":                                        "nested more than 32 deep",
		strings.Repeat("let a = 1; ", 40) + "a":                                          "nested more than 32 deep",
		"[" + strings.Repeat("1,", 600) + "1]":                                           "more than 500 parts",
		strings.Repeat("1 < any(result.list, ", 9) + "true" + strings.Repeat(") < 1", 9): "more than 500 parts",
		strings.Repeat("any(result.list, ", 40) + "true" + strings.Repeat(")", 40):       "nested more than 32 deep",
	} {
		refused(t, source, expression.Any, says)
	}
}

func TestEvaluationFails(t *testing.T) {
	t.Parallel()
	for source, says := range map[string]string{
		"result.amuont > 1":                   "column 8: result.amuont: there is no such field",
		`result.absent != "x"`:                "column 8: result.absent: there is no such field",
		"result.metadata.absent == nil":       "column 17: result.metadata.absent: there is no such field",
		"result.a.b.c":                        "column 8: result.a: there is no such field",
		"result?.a.b":                         "result.a.b: what it is read from is not there",
		"run.id":                              "column 5: run.id: what it is read from is not there",
		"result.amount.x":                     "neither an object nor a list",
		"result.list[5]":                      "result.list[5]: there is no such item among 2",
		"result.list.amount":                  "a list has items by number",
		"result[1]":                           "a field's name is a text",
		"any(world.stripe.refunds, .foo > 1)": "column 28: #.foo: there is no such field",
		"result.status > 3":                   "column 15: invalid operation: string > int",
		"result.review > 3":                   "column 15: invalid operation: nothing > int",
		`result.status + "x"`:                 "+ adds numbers; it cannot add text and text",
		"result.list + result.list":           "+ adds numbers; it cannot add a list and a list",
		"result.amount / result.zero":         "column 15: / divides by zero",
		"result.amount / result.status":       "/ divides numbers; it cannot divide a number by text",
		"result.amount % result.zero":         "column 15: % divides by zero",
		"any(result, # > 1)":                  "a loop goes over a list, and this is none",
		"sum([result.status, result.status])": "invalid operation",
		"result.status":                       "the expression gave text, where it has to give true or false",
		"result.review":                       "the expression gave nothing, where",
		"result.list":                         "the expression gave a list",
		"result":                              "the expression gave an object",
	} {
		p, err := expression.Compile(source, expression.Bool, env())
		if err != nil {
			// Known not to be a condition: then its value must fail.
			if p, err = expression.Compile(source, expression.Any, env()); err != nil {
				t.Errorf("%s: %v", source, err)
				continue
			}
			_, err = p.Value(vars())
		} else {
			_, err = p.Bool(vars())
		}
		complains(t, source, err, says)
	}
}

func TestLoopsShareTheirTurns(t *testing.T) {
	t.Parallel()
	many := make([]any, 1200)
	big := object{"result": object{"list": many}}
	nested, err := expression.Compile("any(result.list, any(result.list, # == 1))", expression.Bool, env())
	if err != nil {
		t.Fatal(err)
	}
	_, err = nested.Bool(big)
	complains(t, "a square of a long list", err, "the loops take more than 1000000 turns")

	for range 3 { // each evaluation counts from 0
		big["result"] = object{"list": many[:900]}
		if got, err := nested.Bool(big); got || err != nil {
			t.Errorf("a square of a shorter list: %v, %v", got, err)
		}
	}
	if len(big) != 1 {
		t.Errorf("evaluation left something in its variables: %v", big)
	}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	refused(t, "1 + 1 * 2 == 3 ? 5 : 6", expression.Bool, "gives a number, where it has to give true or false, such as result.amount > 10_000")
	refused(t, "'text'", expression.Bool, "gives text, where")
	refused(t, "[1]", expression.Bool, "gives a list, where")
	refused(t, "nil", expression.Bool, "gives nothing, where")
	refused(t, "result.amount > 1", expression.Number, "gives true or false, where it has to give a number, such as result.amount")
	for source, want := range map[string]float64{"result.amount": 10_001, "result.rate": 2.5, "2 ** 3": 8, "len(result.list)": 2} {
		p, err := expression.Compile(source, expression.Number, env())
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got, err := p.Number(vars()); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", source, got, err, want)
		}
	}
	p, err := expression.Compile("result.amount ** 1000", expression.Number, env())
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Number(vars())
	complains(t, "a power", err, "too large")
}

func TestPaths(t *testing.T) {
	t.Parallel()
	p, err := expression.Compile(`let r = request; sum(world.stripe.refunds, .amount) > result["amount"] and result.amount > (result?.a?.b ?? 1) and r.method == later.list[0].x`, expression.Bool, env())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"later.list", "request", "result.a.b", "result.amount", "world.stripe.refunds"}
	if diff := cmp.Diff(want, p.Paths()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, want := range map[string]bool{"world": true, "result": true, "request": true, "run": false, "res": false} {
		if p.Needs(name) != want {
			t.Errorf("needs %s: %v", name, !want)
		}
	}
}

func refused(t *testing.T, source string, kind expression.Kind, says string) {
	t.Helper()
	_, err := expression.Compile(source, kind, env())
	complains(t, source, err, says)
}

func complains(t *testing.T, source string, err error, says string) {
	t.Helper()
	var misread *expression.Error
	if !errors.As(err, &misread) || !strings.Contains(err.Error(), says) {
		t.Errorf("%.60q: error %v, want one that says %q", source, err, says)
	}
}
