package permissions_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/builtin"
	"parity/profiles"
	"parity/profiles/permissions"
)

var catalogue = sync.OnceValues(builtin.Catalogue)

func options(t testing.TB, dir string) profiles.Options {
	t.Helper()
	all, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	return profiles.Options{Catalogue: all, Dir: dir}
}

func parsed(t testing.TB, name, text string) *profiles.Profile {
	t.Helper()
	p, err := profiles.Parse(name, []byte(text), options(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const desk = `profile: desk
services:
  stripe: {}
  slack: {classes: {slack POST /api/chat.postMessage: [{class: draft, when: request.body.channel == "C0DRAFT"}, {class: irreversible}]}}
identities:
  bot:
    presents: {value: test-key-of-the-bot}
    may: {stripe: irreversible, slack: irreversible}
    never: [stripe POST /v1/payouts, stripe POST /v1/charges/ch_9/capture]
policy:
  stage: 4
  gates:
    large: {call: stripe POST /v1/refunds, when: request.body.amount > 10_000, then: refuse}
    open: {call: stripe POST /v1/refunds, when: result.amount < 10, then: allow, because: It is not worth asking.}
    refunds: {call: stripe POST /v1/refunds, then: approve, by: lead}
    names: {call: stripe POST /v1/customers, then: allow, because: A customer is easily changed.}
  approvers: {lead: {person: true, notify: {env: LEADS_URL}}}
`

// decided gives the cells of an identity, by operation.
func decided(t testing.TB, s permissions.Subject, identity string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, c := range permissions.Of(s) {
		if c.Identity == identity {
			all[c.Operation] = c.String()
		}
	}
	return all
}

func TestCells(t *testing.T) {
	t.Parallel()
	p := parsed(t, "desk.yaml", desk)
	for _, c := range []struct {
		stage           int
		identity        string
		operation, want string
	}{
		{0, "bot", "stripe GET /v1/charges", "allowed"},
		{0, "bot", "stripe POST /v1/payouts", "refused not-granted"},
		{0, "bot", "stripe POST /v1/refunds", "refused gate-refused when request.body.amount > 10_000, else held open when result.amount < 10, else held refunds"},
		{5, "bot", "stripe POST /v1/refunds", "refused gate-refused when request.body.amount > 10_000, else allowed when result.amount < 10, else held refunds"},
		{0, "bot", "stripe POST /v1/customers", "allowed"},
		{3, "bot", "stripe POST /v1/customers", "held names"},
		{3, "bot", "stripe POST /v1/charges/{charge}/capture", "held stage 3"},
		{2, "bot", "stripe POST /v1/customers", "refused over-stage"},
		{0, "bot", "slack POST /api/chat.postMessage", "held stage 4"},
		{0, permissions.Strangers, "stripe GET /v1/charges", "refused not-granted"},
	} {
		if got := decided(t, permissions.Subject{Profile: p, Stage: c.stage}, c.identity)[c.operation]; got != c.want {
			t.Errorf("stage %d, %s, %s: %s; want %s", c.stage, c.identity, c.operation, got, c.want)
		}
	}
}

func TestWithoutPolicyAllIsAllowedAsFarAsItsStageGoes(t *testing.T) {
	t.Parallel()
	p := parsed(t, "plain.yaml", "profile: plain\nservices: {stripe: {}}\n")
	for stage, want := range map[int]string{0: "allowed", 1: "refused over-stage", 3: "held stage 3"} {
		if got := decided(t, permissions.Subject{Profile: p, Stage: stage}, permissions.Strangers)["stripe POST /v1/refunds"]; got != want {
			t.Errorf("stage %d: %s; want %s", stage, got, want)
		}
	}
}

func TestTheLibraryIsNoDifferenceFromItself(t *testing.T) {
	t.Parallel()
	for _, name := range profiles.Library() {
		p, err := profiles.Load(name, options(t, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range []int{0, 3} {
			s := permissions.Subject{Profile: p, Stage: stage}
			if found := permissions.Compare(s, s); len(found) > 0 {
				t.Errorf("%s at stage %d differs from itself: %+v", name, stage, found[0])
			}
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	a := permissions.Subject{Profile: parsed(t, "desk.yaml", desk)}
	other := func(pairs ...string) permissions.Subject {
		text := strings.NewReplacer(pairs...).Replace(desk)
		if text == desk {
			t.Fatalf("%q is not there", pairs)
		}
		return permissions.Subject{Profile: parsed(t, "other.yaml", text)}
	}
	for name, c := range map[string]struct {
		b    permissions.Subject
		want string // of the bot
	}{
		"without never":                      {other("stripe POST /v1/payouts, ", ""), "narrower stripe POST /v1/payouts"},
		"another condition":                  {other("amount > 10_000", "amount > 20_000"), "other condition stripe POST /v1/refunds"},
		"another gate":                       {other("refunds: {call", "repayments: {call"), "other condition stripe POST /v1/refunds"},
		"the gate refuses without condition": {other(", when: request.body.amount > 10_000", "", "open: {call: stripe POST /v1/refunds", "open: {call: stripe POST /v1/coupons", "result.amount < 10", "result.amount_off < 10", "refunds: {call: stripe POST /v1/refunds", "refunds: {call: stripe POST /v1/products"), "broader stripe POST /v1/refunds"},
		"a gate that allows is gone":         {other("names: {call: stripe POST /v1/customers", "names: {call: stripe POST /v1/coupons"), "broader stripe POST /v1/customers"},
		"only who is asked":                  {other("{person: true, notify: {env: LEADS_URL}}", "{decides: approve, after: 5m}"), ""},
		"of a class that nobody is asked of": {other("[{class: draft, when: request.body.channel == \"C0DRAFT\"}, {class: irreversible}]", "draft"), "narrower slack POST /api/chat.postMessage"},
	} {
		var got []string
		for _, d := range permissions.Compare(a, c.b) {
			if d.Identity == "bot" {
				got = append(got, d.Kind+" "+d.Operation)
			}
		}
		if !strings.Contains(strings.Join(got, "\n")+"\n", c.want) || (c.want == "") != (len(got) == 0) {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}

func TestAServiceThatIsNotBoundIsRefused(t *testing.T) {
	t.Parallel()
	both := permissions.Subject{Profile: parsed(t, "a.yaml", "profile: a\nservices: {stripe: {}, slack: {}}\n")}
	one := permissions.Subject{Profile: parsed(t, "b.yaml", "profile: b\nservices: {slack: {}}\n")}
	found := permissions.Compare(both, one)
	if len(found) < 100 {
		t.Fatalf("%d differences", len(found))
	}
	for _, d := range found {
		if d.Kind != permissions.Broader || !strings.HasPrefix(d.Operation, "stripe ") {
			t.Fatalf("%+v", d)
		}
	}
	if got := permissions.Reason("b.yaml", found[0].B); got != "b.yaml: unknown-host (no stripe)" {
		t.Error(got)
	}
}

const matrix = `# read by ada
matrix: desk
profile: desk.yaml
stage: 5
cells:
  bot:
    stripe GET /v1/charges: allowed
    stripe POST /v1/payouts: refused not-granted
    "stripe POST /v1/refunds {charge: ch_1, amount: 500000}": refused gate-refused
    "stripe POST /v1/refunds {charge: ch_1, amount: 500}": held refunds
    "slack POST /api/chat.postMessage {channel: C0DRAFT, text: hello}": allowed
    stripe POST /v1/charges/ch_9/capture: refused not-granted
    stripe POST /v1/charges/ch_1/capture: held stage 5
  strangers:
    stripe *: refused not-granted
`

func written(t *testing.T, texts map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func bound(t *testing.T, dir string) (*profiles.Matrix, permissions.Subject) {
	t.Helper()
	o := options(t, dir)
	m, err := profiles.ReadMatrix("desk.matrix.yaml", o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profiles.Load(m.Profile, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Bind(p); err != nil {
		t.Fatal(err)
	}
	return m, permissions.Subject{Profile: p, Stage: m.Stage}
}

func TestAMatrixIsHeldAgainstItsProfile(t *testing.T) {
	t.Parallel()
	m, s := bound(t, written(t, map[string]string{"desk.yaml": desk, "desk.matrix.yaml": matrix}))
	if found := permissions.Check(m, s); len(found) > 0 {
		t.Fatalf("%+v", found)
	}
	s.Stage = 1
	var got []string
	for _, f := range permissions.Check(m, s) {
		got = append(got, f.Cell.At.Error()+f.Operation+" "+f.Is)
	}
	want := []string{
		"desk.matrix.yaml:8:5: stripe POST /v1/payouts refused over-stage",
		"desk.matrix.yaml:9:5: stripe POST /v1/refunds refused over-stage",
		"desk.matrix.yaml:10:5: stripe POST /v1/refunds refused over-stage",
		"desk.matrix.yaml:11:5: slack POST /api/chat.postMessage refused over-stage",
		"desk.matrix.yaml:12:5: stripe POST /v1/charges/{charge}/capture refused over-stage",
		"desk.matrix.yaml:13:5: stripe POST /v1/charges/{charge}/capture refused over-stage",
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Error(diff)
	}
}

func TestAMatrixThatWasWrittenHoldsAndStaysAsItIs(t *testing.T) {
	t.Parallel()
	dir := written(t, map[string]string{"desk.yaml": desk, "desk.matrix.yaml": matrix})
	m, s := bound(t, dir)
	once, err := permissions.Written(m, []byte(matrix), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "desk.matrix.yaml"), once, 0o600); err != nil {
		t.Fatal(err)
	}
	m, s = bound(t, dir)
	if found := permissions.Check(m, s); len(found) > 0 {
		t.Fatalf("%+v\n%s", found, once)
	}
	again, err := permissions.Written(m, once, s)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(once), string(again)); diff != "" {
		t.Errorf("written again it is another:\n%s", diff)
	}
	for _, want := range []string{"# read by ada\n", "amount: 500000}': refused gate-refused\n", "    slack *: refused not-granted\n", "  bot:\n"} {
		if !strings.Contains(string(once), want) {
			t.Errorf("%q is not in\n%s", want, once)
		}
	}
	if strings.Contains(string(once), "GET /v1/charges: allowed") {
		t.Error("what is simply allowed is listed")
	}
}

func TestABrokenMatrixNamesLineAndColumn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                             `desk.matrix.yaml:1:1: there is nothing in this file`,
		"matrix: a\nprofile: desk.yaml\n":              `desk.matrix.yaml:1:1: cells is missing; add it`,
		"matrix: a\nprofil: b\ncells: {}\n":            `desk.matrix.yaml:1:1: profile is missing; add it, such as profile: support-desk.yaml`,
		cells("stripe POST /v1/refunds: held"):         `desk.matrix.yaml:5:30: "held" does not say by what`,
		cells("stripe POST /v1/refunds: hold x"):       `desk.matrix.yaml:5:30: "hold x" is no decision`,
		cells("stripe POST /v1/refund: allowed"):       `desk.matrix.yaml:5:5: "stripe POST /v1/refund" matches no operation; did you mean`,
		cells("github GET /user: allowed"):             `desk.matrix.yaml:5:5: profile desk binds no service "github"`,
		cells("stripe: allowed"):                       `desk.matrix.yaml:5:5: "stripe" names no operation`,
		cells("'stripe POST /v1/refunds {a': allowed"): `desk.matrix.yaml:5:5: "{a" is no body`,
		cells("stripe POST /v1/refunds: allowed\n    stripe POST /v1/refunds: allowed"):          `desk.matrix.yaml:6:5: cells.bot.stripe POST /v1/refunds is here twice, the first time on line 5`,
		"matrix: a\nprofile: desk.yaml\nstage: 6\ncells: {}\n":                                   `desk.matrix.yaml:3:8: stage`,
		"matrix: a\nprofile: desk.yaml\ncells:\n  robot:\n    stripe GET /v1/charges: allowed\n": `desk.matrix.yaml:5:5: profile desk has no identity "robot"; there is strangers, bot`,
	} {
		dir := written(t, map[string]string{"desk.yaml": desk, "desk.matrix.yaml": text})
		o := options(t, dir)
		m, err := profiles.ReadMatrix("desk.matrix.yaml", o)
		if err == nil {
			var p *profiles.Profile
			if p, err = profiles.Load(m.Profile, o); err != nil {
				t.Fatal(err)
			}
			err = m.Bind(p)
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n%v; want %s", text, err, want)
		}
	}
}

func cells(line string) string {
	return "matrix: a\nprofile: desk.yaml\ncells:\n  bot:\n    " + line + "\n"
}
