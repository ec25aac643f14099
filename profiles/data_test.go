package profiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parity/fakes/fixture"
	"parity/profiles"
)

const shaped = `profile: shaped
services: {stripe: {}}
data:
  stripe.customers:
    count: 4_000
    created: [2009-01-01, 2026-02-28]
    duplicates: 10%
    missing: {email: 8%, phone: 50%}
    has: [phone, metadata.order_id]
    texts: {description: [0, 200]}
    unicode: 20%
    numbers: {balance: [-50_000, 0]}
  stripe.payment_intents:
    per: stripe.customers
    each: [0, 3]
    numbers: {amount: [50, 500_000]}
    set: {currency: [usd, eur], confirm: true, payment_method: {pm_card_visa: 90%, pm_card_createDispute: 2.5%}, "payment_method_options.card.request_three_d_secure": any}
    refer: {customer: stripe.customers}
  stripe.refunds: {count: 2, refer: {charge: stripe.charges}, parts: {amount: [10%, 60%]}}
`

// What people write is what is made, and what is put aside reads back the same.
func TestDataIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	want := []fixture.Shape{
		{
			Collection: "stripe.customers", Count: 4000, Created: [2]string{"2009-01-01", "2026-02-28"}, Duplicates: 0.1, Unicode: 0.2,
			Missing: map[string]float64{"email": 0.08, "phone": 0.5}, Has: []string{"phone", "metadata.order_id"},
			Texts: map[string][2]int64{"description": {0, 200}}, Numbers: map[string][2]int64{"balance": {-50_000, 0}},
		},
		{
			Collection: "stripe.payment_intents", Per: "stripe.customers", Each: [2]int64{0, 3}, Numbers: map[string][2]int64{"amount": {50, 500_000}},
			Set: map[string][]fixture.Choice{
				"currency": {{Value: "usd"}, {Value: "eur"}}, "confirm": {{Value: "true"}},
				"payment_method": {{Value: "pm_card_visa", Share: 0.9}, {Value: "pm_card_createDispute", Share: 0.025}},
				"payment_method_options.card.request_three_d_secure": {{Value: "any"}},
			},
			Refer: map[string]string{"customer": "stripe.customers"},
		},
		{Collection: "stripe.refunds", Count: 2, Refer: map[string]string{"charge": "stripe.charges"}, Parts: map[string]fixture.Part{"amount": {0.1, 0.6}}},
	}
	p := parse(t, shaped)
	if d := cmp.Diff(want, p.Start.Shapes, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Error(d)
	}
	again := parse(t, string(p.Content))
	if again.Revision != p.Revision || again.Start.Hash() != p.Start.Hash() {
		t.Errorf("written down it is another one:\n%s", p.Content)
	}
	if other := parse(t, strings.Replace(shaped, "[0, 3]", "[0, 4]", 1)); other.Revision == p.Revision {
		t.Error("other data, and the same revision")
	}
}

const withPeople = "profile: people\nservices:\n  stripe: {fixtures: [./people.yaml]}\n"

func people(names ...string) string {
	var b strings.Builder
	b.WriteString("stripe.customers:\n")
	for _, name := range names {
		fmt.Fprintf(&b, "  - {name: %s}\n", name)
	}
	return b.String()
}

// A fixture file is watched as the profile is: each save is seen once, and
// nothing is seen where nothing was saved.
func TestWatchSeesFixtureFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"p.yaml": withPeople, "people.yaml": people("Ada")})
	w := watch(t, filepath.Join(dir, "p.yaml"))
	save(t, filepath.Join(dir, "people.yaml"), []byte(people("Ada", "Bob")))
	first := w.next()
	if first.err != nil || !strings.Contains(first.p.Start.Files[0].Content, "Bob") {
		t.Fatalf("called back with %+v", first)
	}
	save(t, filepath.Join(dir, "people.yaml"), []byte(people("{")))
	if s := w.next(); s.err == nil || !strings.Contains(s.err.Error(), "people.yaml:3:1: this is not YAML") {
		t.Fatalf("called back with %+v", s)
	}
	save(t, filepath.Join(dir, "people.yaml"), []byte(people("Ada", "Bob")))
	if s := w.next(); s.err != nil || s.p.Revision != first.p.Revision {
		t.Fatalf("called back with %+v", s)
	}
}

// What is put aside has its fixtures with it: it is good though their file is
// broken, or gone, by then.
func TestLastGoodHasItsFixtures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, o := filepath.Join(dir, "last-good"), options(t, dir)
	writeAll(t, dir, map[string]string{"sub/p.yaml": withPeople, "sub/people.yaml": people("Ada")})
	keep := func() *profiles.Profile {
		p, err := profiles.Load("sub/p.yaml", o)
		if err != nil {
			t.Fatal(err)
		}
		if err := profiles.Keep(folder, "sub/p.yaml", p, o); err != nil {
			t.Fatal(err)
		}
		return p
	}
	keep()
	save(t, filepath.Join(dir, "sub/people.yaml"), []byte(people("Ada", "Bob")))
	want := keep()
	if err := os.Remove(filepath.Join(dir, "sub/people.yaml")); err != nil {
		t.Fatal(err)
	}
	kept, err := profiles.LastGood(folder, "sub/p.yaml", o)
	if err != nil || kept.Revision != want.Revision || kept.Start.Hash() != want.Start.Hash() {
		t.Errorf("%+v, %v", kept, err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("kept as %v, %v", files, err)
	}
	writeAll(t, dir, map[string]string{"sub/p.yaml": "profile: people\nworld: empty\nservices: {stripe: {}}\n"})
	if bare := keep(); !bare.Start.Empty() {
		t.Errorf("%+v", bare.Start)
	}
	if kept, err := profiles.LastGood(folder, "sub/p.yaml", o); err != nil || !kept.Start.Empty() {
		t.Errorf("%+v, %v", kept, err)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("kept as %v, %v", files, err)
	}
}

// A fixture file may be larger than a profile, and is read to its end.
func TestLargeFixturesAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := people("Ada") + "# " + strings.Repeat("x", 2<<20) + "\n  - {name: Last, colour: red}\n"
	writeAll(t, dir, map[string]string{"p.yaml": withPeople, "people.yaml": long})
	_, err := profiles.Load("p.yaml", options(t, dir))
	if err == nil || !strings.Contains(err.Error(), "people.yaml:4:18: /stripe.customers/1/colour") {
		t.Errorf("it says %v", err)
	}
	writeAll(t, dir, map[string]string{"people.yaml": strings.Repeat("#\n", fixture.MostBytes)})
	if _, err := profiles.Load("p.yaml", options(t, dir)); err == nil || !strings.Contains(err.Error(), "at most 16777216 are read") {
		t.Errorf("it says %v", err)
	}
}

// Fixtures hold from an instant that the profile says, not from now.
func TestFixturesAreJudgedAtTheRunsStart(t *testing.T) {
	t.Parallel()
	const held = "profile: p\nclock: {start: 2015-01-01T00:00:00Z}\nservices: {stripe: {}}\ndata:\n  stripe.customers: {count: 2}\n  stripe.payment_intents: {count: 2, refer: {customer: stripe.customers}, numbers: {amount: [100, 200]}, set: {currency: usd}}\n"
	if p := parse(t, held); len(p.Warnings) > 0 {
		t.Errorf("%v", p.Warnings)
	}
}
