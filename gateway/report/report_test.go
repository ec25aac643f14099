package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parity/faults/trail"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (write it anew with -update):\n%s", path, diff)
	}
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		alter func(*Report)
		o     Options
	}{
		{"handled", func(*Report) {}, Options{Width: 100}},
		{"failed", failing, Options{Width: 100}},
		{"failed-narrow", failing, Options{Width: 60}},
		{"failed-color", failing, Options{Width: 100, Color: true}},
		{"invalid", silent, Options{Width: 100}},
		{"no-traffic", mute, Options{Width: 100}},
		{"no-faults", faultless, Options{Width: 100}},
		{"expired", lapsed, Options{Width: 100}},
		{"mixed", mixed, Options{Width: 100}},
		{"live", func(r *Report) { r.Ended, r.Agent, r.Command = false, nil, nil }, Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := sample()
			c.alter(&r)
			var out bytes.Buffer
			if err := Terminal(&out, r, c.o); err != nil {
				t.Fatal(err)
			}
			golden(t, c.name+".txt", out.Bytes())
			for line := range strings.Lines(out.String()) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); !c.o.Color && n > max(c.o.Width, 80) && !strings.Contains(line, "parity run") {
					t.Errorf("%d columns wide: %s", n, line)
				}
			}
		})
	}
}

func TestJSONComesBack(t *testing.T) {
	t.Parallel()
	r := sample()
	failing(&r)
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	var doc map[string]any
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"verdicts", "valid", "faults", "operations", "known_differences", "denied", "outside", "exit", "seed"} {
		if _, ok := doc[field]; !ok {
			t.Errorf("no field %s", field)
		}
	}
	for _, v := range doc["verdicts"].([]any) {
		if _, ok := v.(map[string]any)["scope"]; !ok {
			t.Errorf("a verdict without scope: %v", v)
		}
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	good := trail.Judgement{Valid: true, Scope: trail.Scope{Exchanges: 1}}
	bad, invalid, quiet, ours := good, good, good, good
	bad.Verdicts = []trail.Verdict{{Result: trail.Failed}}
	invalid.Valid = false
	quiet.Exchanges = 0
	ours.Defects = []trail.Defect{{Seq: 1}}
	badInvalid := bad
	badInvalid.Valid = false
	for _, c := range []struct {
		name       string
		j          trail.Judgement
		agent      int
		unstarted  bool
		by, verdic int
	}{
		{"nothing failed", good, 0, false, 0, 0},
		{"the agent stopped with an error", good, 3, false, 3, 0},
		{"a verdict failed", bad, 0, false, 1, 1},
		{"both", bad, 3, false, 3, 1},
		{"invalid", invalid, 0, false, 125, 125},
		{"invalid, and the agent failed", invalid, 3, false, 125, 125},
		{"a failure stands in an invalid run", badInvalid, 0, false, 1, 1},
		{"no traffic", quiet, 1, false, 125, 125},
		{"a fault of ours", ours, 0, false, 125, 125},
		{"interrupted", invalid, 130, false, 130, 125},
		{"not found", quiet, 127, true, 127, 127},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := ExitCode(c.j, c.agent, !c.unstarted, ByAgent); got != c.by {
				t.Errorf("by agent %d, want %d", got, c.by)
			}
			if got := ExitCode(c.j, c.agent, !c.unstarted, ByVerdict); got != c.verdic {
				t.Errorf("by verdict %d, want %d", got, c.verdic)
			}
		})
	}
}

// With --strict a run that would have ended with 0 has failed; one that failed
// anyhow ends as it did.
func TestStrict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		strict   bool
		standing trail.Standing
		was, is  int
	}{
		{true, trail.Expired, 0, 1},
		{false, trail.Expired, 0, 0},
		{true, trail.Expiring, 0, 0},
		{true, trail.InForce, 0, 0},
		{true, trail.Expired, 3, 3},
		{true, trail.Expired, 125, 125},
	} {
		r := Report{Strict: c.strict}
		r.Differences = []trail.Difference{{Name: "bare"}, {Name: "d", Accepted: &trail.Acceptance{Standing: c.standing}}}
		if got := r.HoldStrict(c.was); got != c.is {
			t.Errorf("strict %v, %s: %d became %d, want %d", c.strict, c.standing, c.was, got, c.is)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"key sk_test_4eC39HqLyjWDarjtT1zdp7dc used", "key sk_test_*** used"},
		{`{"client_secret":"pi_3Mtw_secret_YrKJUK"}`, `{"client_secret":"***"}`},
		{`{\"client_secret\":\"pi_3Mtw_secret_YrKJUK\"}`, `{\"client_secret\":\"***\"}`},
		{`{\\\"client_secret\\\":\\\"pi_3Mtw\\\"}`, `{\\\"client_secret\\\":\\\"***\\\"}`},
		{"A: b\nX-Api-Key: hunter2 3\nC: d", "A: b\nX-Api-Key: ***\nC: d"},
		{`"A: b\nX-Api-Key: hunter2\nC: d"`, `"A: b\nX-Api-Key: ***\nC: d"`},
		{"send the same Idempotency-Key: it is kept", "send the same Idempotency-Key: it is kept"},
		{`{"name":"X-Api-Key","value":"hunter2"}`, `{"name":"X-Api-Key","value":"***"}`},
		{`{"name":"api_key","value":"hunter\"2"}`, `{"name":"api_key","value":"***"}`},
		{"pi_3MtwBwLk_secret_YrKJUKribcBjcG8", "pi_3MtwBwLk_secret_***"},
		{"client_secret=abc&amount=5", "client_secret=***&amount=5"},
		{"Authorization: Bearer abcdefghij", "Authorization: Bearer ***"},
		{"http://run:hunter2@127.0.0.1:80", "http://run:***@127.0.0.1:80"},
		{`{"number":"4242424242424242"}`, `{"number":"************4242"}`},
		{`{"number":"4242424242424243"}`, `{"number":"4242424242424243"}`},
		{`{"amount":4242424242424242}`, `{"amount":4242424242424242}`},
		{"xoxb-12345678-abcdefgh", "xoxb-***"},
		{"charge ch_1 of 120.00 USD", "charge ch_1 of 120.00 USD"},
		{"pm_card_visa", "pm_card_visa"},
	} {
		if got := newMasker().mask(c.in); got != c.want {
			t.Errorf("mask(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	got := newMasker().command([]string{"agent", "--api-key", "hunter2", "--name", "x"})
	if diff := cmp.Diff([]string{"agent", "--api-key", "***", "--name", "x"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestNothingPaintsOnTheTerminal(t *testing.T) {
	t.Parallel()
	r := sample()
	r.Denied = []trail.HostCount{{Host: "evil\x1b[2J\u202e.example", Calls: 1}}
	r.Verdicts[0].Why = "a\nFAILED  b\x07"
	var out bytes.Buffer
	if err := Terminal(&out, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07\u202e") || strings.Contains(out.String(), "\nFAILED") {
		t.Errorf("%q", out.String())
	}
}

func TestColored(t *testing.T) {
	t.Parallel()
	if Colored(&bytes.Buffer{}, func(string) string { return "" }) {
		t.Error("a buffer is no terminal")
	}
}

func TestExpectationsOfOrderAndOfStateStandApart(t *testing.T) {
	t.Parallel()
	r := sample()
	place := &trail.Place{File: "rough.yaml", Line: 12, Column: 3}
	r.Verdicts = append(r.Verdicts,
		trail.Verdict{Subject: "looks-first", Kind: "expectation", Grades: "order", Result: trail.Passed, Lines: []string{"2 calls"}, At: place},
		trail.Verdict{Subject: "one-charge", Kind: "expectation", Grades: "state", Result: trail.Failed, Lines: []string{"#2 charged"}, At: place},
	)
	var out strings.Builder
	if err := Terminal(&out, r, Options{}); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"Expected of the calls and their order: 1 of 1 held\n\nHELD  looks-first",
		"Expected of what became of the world: 0 of 1 held\n\nFAILED  one-charge\n  #2 charged\n  Expected in rough.yaml:12",
		"expectation held\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
