package expression_test

import (
	"testing"

	"parity/fakes/expression"
)

func TestEquates(t *testing.T) {
	t.Parallel()
	for source, want := range map[string][2]string{
		"earlier.path.charge == later.body.charge":                                {"earlier.path.charge", "later.body.charge"},
		"later.body.charge == earlier.path.charge":                                {"earlier.path.charge", "later.body.charge"},
		"earlier.identity != later.identity and earlier.query.a == later.query.b": {"earlier.query.a", "later.query.b"},
		"earlier.path.a == later.path.a or earlier.path.b == later.path.b":        {},
		"earlier.path.a == 'x'":                                                   {},
		"not (earlier.path.a == later.path.a)":                                    {},
	} {
		p, err := expression.Compile(source, expression.Bool, expression.Env{"earlier", "later"})
		if err != nil {
			t.Fatal(err)
		}
		got := [2]string{}
		if e := p.Equates("earlier", "later"); e != nil {
			got = [2]string{e.Left.String(), e.Right.String()}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", source, got, want)
		}
	}
}

func TestCompared(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"sum(world.stripe.refunds, .amount) <= 20_000": "sum(world.stripe.refunds, .amount)",
		"20_000 > len(world.stripe.refunds)":           "20000",
		"any(world.stripe.refunds, .amount > 1)":       "",
		"1 < len(world.stripe.refunds) < 5":            "",
	} {
		p, err := expression.Compile(source, expression.Bool, expression.Env{"world"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if side := p.Compared(); side != nil {
			got = side.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
