package expression_test

import (
	"testing"

	"parity/fakes/expression"
)

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := expression.Compile("result.amount > 10_000", expression.Bool, env()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBool(b *testing.B) {
	for name, source := range map[string]string{
		"field":   "result.amount > 10_000",
		"two":     `result.metadata["order-id"] == "6735" and result.status == "ok"`,
		"absent":  "result.absent > 10_000",
		"loop":    "any(world.stripe.refunds, .amount > 20_000)",
		"default": `(result.absent ?? "none") == "none"`,
	} {
		b.Run(name, func(b *testing.B) {
			p, err := expression.Compile(source, expression.Bool, env())
			if err != nil {
				b.Fatal(err)
			}
			v := vars()
			b.ReportAllocs()
			for b.Loop() {
				_, _ = p.Bool(v)
			}
		})
	}
}

func BenchmarkPath(b *testing.B) {
	p, err := expression.CompilePath("result.metadata.order-id", env())
	if err != nil {
		b.Fatal(err)
	}
	v := vars()
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.Value(v, "", shop)
	}
}
