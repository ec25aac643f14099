package expression_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"parity/fakes/expression"
)

// Whatever the source, compiling and evaluating end, without a panic, and say
// where it is wrong; what evaluates does so the same way again.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		"result.amount > 10_000", "earlier.path.charge == later.body.charge", "sum(world.stripe.refunds, .amount) <= 20_000",
		`(result?.a?.b ?? "x") matches "^ch_" and not (result.list[0] in [1, 2])`, `let r = first(result.list); any(result.list, # != r ? true : false)`,
		`reduce(1..60, #acc + #acc, "a")`, "1 < result.amount < 5", "result.list | filter(# > 1) | len()", "if true { 1 } else { 2 }",
		"{a: [1][0:1]}; b\"x\"", "result.\n amount % 0", "((((", "any(result.list, any(result.list, map(result.list, #)[0] ** 2 > 1))",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := expression.Compile(source, expression.Any, env())
		if err != nil {
			check(t, source, err)
			return
		}
		first, err := p.Value(vars())
		if err != nil {
			check(t, source, err)
		}
		if _, again := p.Value(vars()); (again == nil) != (err == nil) {
			t.Fatalf("%q: %v, then %v", source, err, again)
		}
		if text, ok := first.(string); ok && len(text) > 10*expression.MaxLength {
			t.Fatalf("%q grew a text of %d bytes", source, len(text))
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{"result.charge.customer", "metadata.order_id", "result.list.0", "a..b", "é.ü"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := expression.CompilePath(source, nil)
		if err != nil {
			check(t, source, err)
			return
		}
		if _, err := p.Value(vars(), "", shop); err != nil {
			check(t, source, err)
		}
	})
}

func check(t *testing.T, source string, err error) {
	t.Helper()
	var e *expression.Error
	if !errors.As(err, &e) {
		t.Fatalf("%q: %v is no *Error", source, err)
	}
	if e.Line < 1 || e.Column < 1 || e.Column > utf8.RuneCountInString(source)+1 || e.Message == "" {
		t.Fatalf("%q: %+v", source, e)
	}
}
