package profiles_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"parity/profiles"
	"parity/specs"
)

// problemsOf lints a profile of one rule, or of one expectation.
func problemsOf(t *testing.T, services, key, entry string) string {
	t.Helper()
	content := "profile: p\nservices: {" + services + "}\n" + key + ":\n  r: {" + entry + "}\n"
	_, err := profiles.Parse("p.yaml", []byte(content), options(t, t.TempDir()))
	var problems profiles.Problems
	if err != nil && !errors.As(err, &problems) {
		t.Fatal(err)
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

// Each of these was found when the run was judged, or never.
func TestATypoInAnExpressionIsSaidWhenTheProfileIsRead(t *testing.T) {
	t.Parallel()
	refund := "call: stripe POST /v1/refunds, inject: error, with: {status: 503}, "
	pair := `each: stripe POST /v1/refunds, needs: "stripe GET /v1/charges/{charge}", where: `
	for _, test := range []struct{ key, entry, want string }{
		{"faults", refund + "when: result.amuont > 1", `when: result has no "amuont"; did you mean amount`},
		{"faults", refund + "when: (result?.amuont ?? 0) > 1", `did you mean amount`},
		{"faults", refund + "when: result.destination_details.typ == 1", `result.destination_details has no "typ"; did you mean type`},
		{"faults", refund + "when: result.amount.x == 1", `result.amount has no fields`},
		{"faults", refund + "when: request.methd == 1", `did you mean method`},
		{"faults", refund + "when: request.body.amuont > 1", `did you mean amount`},
		{"faults", "call: stripe GET /v1/refunds, inject: error, with: {status: 503}, when: request.query.chrage == 1", `did you mean charge`},
		{"faults", `call: "stripe GET /v1/refunds/{refund}", inject: error, with: {status: 503}, when: request.path.refnud == 1`, `no path of these calls has {refnud}; did you mean refund`},
		{"faults", refund + `when: 'request.header["Idempotency-Key"] == "x"'`, `did you mean idempotency-key`},
		{"faults", refund + `when: 'request.header["idempotency-kye"] == "x"'`, `did you mean idempotency-key`},
		{"faults", refund + "when: run.sed == 1", `did you mean seed`},
		{"faults", refund + "when: clock.elapsd > 1", `did you mean elapsed`},
		{"faults", refund + `when: "any(world.strip.refunds, .amount > 1)"`, `did you mean stripe`},
		{"faults", refund + `when: "any(world.stripe.refnds, .amount > 1)"`, `did you mean stripe.refunds`},
		{"faults", refund + `when: "any(world.stripe.refunds, .amuont > 1)"`, `did you mean amount`},
		{"faults", refund + "trigger: {nth: 1, per: result.chrage}", `per: result has no "chrage"; did you mean charge`},
		{"faults", refund + "trigger: {nth: 1, per: result.charge.custmer}", `did you mean customer`},
		{"faults", refund + "trigger: {nth: 1, per: request.idntity}", `did you mean identity`},
		{"expect", "at_most: 1, new: stripe.charges, per: metdata.order_id", `did you mean metadata`},
		{"expect", "at_most: 1, call: stripe POST /v1/refunds, per: request.body.chrage", `did you mean charge`},
		{"expect", "at_most: 1, call: stripe POST /v1/refunds, when: result.amuont > 1", `did you mean amount`},
		{"expect", "at_most: 1, new: stripe.charges, when: record.statsu == 1", `record has no "statsu"; did you mean status`},
		{"expect", pair + "earlier.path.chrage == later.body.charge", `did you mean charge`},
		{"expect", pair + "earlier.path.charge == later.body.chrage", `did you mean charge`},
		{"expect", pair + "earlier.path.charge == later.query.chrage", `later.query has no`},
		{"expect", pair + "earlier.result.amuont == later.body.amount", `did you mean amount`},
		{"expect", `finally: "sum(world.stripe.refunds, .amuont) <= 20_000"`, `did you mean amount`},
		{"expect", `finally: "none(world.stripe.charges, .billing_details.emial == nil)"`, `did you mean email`},
		{"expect", `finally: "len(filter(world.stripe.refunds, .statsu == 'x')) <= 1"`, `did you mean status`},
		{"expect", `finally: "len(world.stripe.refunds) < 3", when: "any(world.stripe.charges, .amuont > 3)"`, `did you mean amount`},
		{"expect", `eventually: "any(world.stripe.refunds, .statsu == 'succeeded')"`, `did you mean status`},
		{"expect", `holds: "none(calls, .statsu == 429) or len(world.stripe.refunds) > 1"`, `a call has no "statsu"; did you mean status`},
		{"expect", `holds: "none(calls, .status == 429 and .atempt > 3)"`, `did you mean attempt`},
		{"expect", `holds: "none(calls, .body.amuont > 5)"`, `did you mean amount`},
		{"expect", `only_changes: [stripe.charges.amout_refunded]`, `did you mean amount_refunded`},
	} {
		got := problemsOf(t, "stripe: {}", test.key, test.entry)
		if !strings.Contains(got, test.want) || !strings.HasPrefix(got, "p.yaml:4:") || strings.HasPrefix(got, "p.yaml:4:3:") {
			t.Errorf("%s\n got %s\nwant %s", test.entry, got, test.want)
		}
	}
}

// What is free-form, refers, is a header of one's own, or is in any of the calls
// may be named.
func TestAFieldThatMayBeThereIsNoTypo(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{
		`call: stripe POST /v1/refunds, when: result.metadata.anything == "x"`,
		`call: stripe POST /v1/refunds, when: request.body.metadata.order_id == "x"`,
		`call: stripe POST /v1/refunds, when: 'request.header["x-of-mine"] == "x"'`,
		`call: [stripe POST *, slack POST *], when: result.ok and result.amount > 1`,
		`call: "*", when: '(result?.whatever ?? "x") == "x"'`,
		`call: stripe POST /v1/refunds, when: result.error.code == "x"`,
		`call: stripe POST /v1/refunds, trigger: {nth: 1, per: result.charge.customer.metadata.shop}`,
		`call: stripe GET /v1/charges, when: 'result.data[0].billing_details.email == "x"'`,
		`call: stripe POST /v1/refunds, when: "any(world.slack.messages, .message.text contains 'refund')"`,
	} {
		if got := problemsOf(t, "stripe: {}, slack: {}", "faults", entry+", inject: error, with: {status: 503}"); got != "" {
			t.Errorf("%s: %s", entry, got)
		}
	}
}

// ways gives paths to fields of a form, at random.
func ways(r *rand.Rand, f specs.Form, prefix string, n int) []string {
	var all []string
	names := f.Names()
	for range n {
		at, path := f, prefix
		for len(names) > 0 {
			name := names[r.IntN(len(names))]
			next, _ := at.Field(name)
			path += fmt.Sprintf("[%q]", name)
			if at = next; len(at.Names()) == 0 || r.IntN(3) == 0 {
				break
			}
			names = at.Names()
		}
		if names = f.Names(); path != prefix {
			all = append(all, path)
		}
	}
	return all
}

func TestFieldsOfEveryContractAreKnown(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range specs.Services() {
		service, _ := catalogue(t).Service(name)
		var content strings.Builder
		fmt.Fprintf(&content, "profile: p\nservices: {%s: {}}\nfaults:\n", name)
		n := 0
		for n < 200 {
			op := service.Contract.Operations[r.IntN(len(service.Contract.Operations))]
			for part, prefix := range map[string]string{specs.InResult: "result", specs.InBody: "request.body", specs.InQuery: "request.query"} {
				for _, way := range ways(r, op.Form(part), prefix, 2) {
					fmt.Fprintf(&content, "  r%d: {call: %q, when: '%s == \"x\"', inject: latency, with: {fixed: 1s}}\n", n, op.Name(), way)
					n++
				}
			}
		}
		if _, err := profiles.Parse("p.yaml", []byte(content.String()), options(t, t.TempDir())); err != nil {
			t.Errorf("%s: %.2000s", name, err)
		}
	}
}

// A profile of the library meets services that it was not written for.
func TestNoProfileOfTheLibraryReadsAFieldThatIsNotThere(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("library/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for i, file := range files {
		for j, service := range specs.Services() {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			content := fmt.Sprintf("profile: p\nextends: [%s]\nservices: {%s: {}}\n", strings.TrimSuffix(filepath.Base(file), ".yaml"), service)
			_, err := profiles.Parse("p.yaml", []byte(content), options(t, t.TempDir()))
			if err != nil && strings.Contains(err.Error(), " has no ") {
				t.Errorf("%s with %s: %v", file, service, err)
			}
		}
	}
}
