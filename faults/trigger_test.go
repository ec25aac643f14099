package faults

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"parity/specs"
)

func TestTriggerPicksIntents(t *testing.T) {
	t.Parallel()
	never, always := 0.0, 1.0
	for _, c := range []struct {
		trigger Trigger
		want    string // of ten intents
	}{
		{Trigger{}, "XXXXXXXXXX"},
		{Trigger{Nth: 2}, ".X........"},
		{Trigger{First: 3}, "XXX......."},
		{Trigger{Every: 5}, "....X....X"},
		{Trigger{Skip: 3}, "...XXXXXXX"},
		{Trigger{Skip: 3, First: 2}, "...XX....."},
		{Trigger{Skip: 1, Nth: 2}, "..X......."},
		{Trigger{Max: 4}, "XXXX......"},
		{Trigger{Every: 2, Max: 2}, ".X.X......"},
		{Trigger{Chance: &never}, ".........."},
		{Trigger{Chance: &always}, "XXXXXXXXXX"},
		{Trigger{Chance: &always, Max: 1}, "X........."},
	} {
		var got strings.Builder
		fired := uint64(0)
		for i := range uint64(10) {
			hit, why := c.trigger.pulls(occasion{index: i + 1, attempt: 1, fired: fired, draw: func() float64 { return 0.999 }})
			if hit {
				fired++
				got.WriteByte('X')
				continue
			}
			if why == "" {
				t.Errorf("%+v does not say why intent %d is spared", c.trigger, i+1)
			}
			got.WriteByte('.')
		}
		if got.String() != c.want {
			t.Errorf("%+v hits %s; want %s", c.trigger, got.String(), c.want)
		}
	}
}

func TestTriggerCountsAttemptsOfAnIntent(t *testing.T) {
	t.Parallel()
	for tries, want := range map[uint64]string{0: "X..", 1: "X..", 2: "XX.", 3: "XXX"} { // of a trigger with max
		var got strings.Builder
		for attempt := range uint64(3) {
			hit, _ := Trigger{Tries: tries, Max: 1}.pulls(occasion{index: 1, attempt: attempt + 1, fired: min(attempt, 1), hit: attempt > 0})
			got.WriteString(map[bool]string{true: "X", false: "."}[hit])
		}
		if got.String() != want {
			t.Errorf("tries %d hits %s; want %s", tries, got.String(), want)
		}
	}
}

func TestNoTriggerHitsEveryAttempt(t *testing.T) {
	t.Parallel()
	for attempt := range uint64(5) {
		if hit, why := (Trigger{}).pulls(occasion{index: 1, attempt: attempt + 1, hit: attempt > 0}); !hit {
			t.Errorf("attempt %d is spared: %s", attempt+1, why)
		}
	}
}

func TestTriggerWindow(t *testing.T) {
	t.Parallel()
	trigger := Trigger{From: 10 * time.Minute, To: 25 * time.Minute}
	for minutes, want := range map[int]bool{0: false, 9: false, 10: true, 24: true, 25: false} {
		if hit, _ := trigger.pulls(occasion{index: 1, attempt: 1, age: time.Duration(minutes) * time.Minute}); hit != want {
			t.Errorf("%d minutes into the run: %v; want %v", minutes, hit, want)
		}
	}
}

func TestTriggerBetween(t *testing.T) {
	t.Parallel()
	opens, err := ParsePattern("stripe.PostRefunds")
	if err != nil {
		t.Fatal(err)
	}
	closes, err := ParsePattern("stripe.GetCharges")
	if err != nil {
		t.Fatal(err)
	}
	refund, list := &specs.Operation{Service: "stripe", ID: "PostRefunds"}, &specs.Operation{Service: "stripe", ID: "GetCharges"}
	for _, c := range []struct {
		refund, list uint64
		want         bool
	}{{0, 0, false}, {0, 3, false}, {4, 3, true}, {4, 5, false}, {6, 5, true}} {
		lastOf := func(p Pattern) uint64 {
			switch {
			case p.Match(refund):
				return c.refund
			case p.Match(list):
				return c.list
			}
			return 0
		}
		hit, _ := Trigger{Between: []Pattern{opens, closes}}.pulls(occasion{index: 1, attempt: 1, lastOf: lastOf})
		if hit != c.want {
			t.Errorf("refund at %d, list at %d: %v; want %v", c.refund, c.list, hit, c.want)
		}
	}
}

func TestLatencyFollowsItsQuantiles(t *testing.T) {
	t.Parallel()
	const p50, p95, p99 = 120 * time.Millisecond, 900 * time.Millisecond, 4 * time.Second
	last := time.Duration(0)
	for i := range 1000 {
		u := float64(i) / 1000
		got := quantile(u, p50, p95, p99)
		if got < last {
			t.Fatalf("quantile falls at %v: %v after %v", u, got, last)
		}
		last = got
	}
	for u, want := range map[float64]time.Duration{0.50: p50, 0.95: p95, 0.99: p99} {
		if got := quantile(u, p50, p95, p99); got < want-time.Microsecond || got > want+time.Microsecond {
			t.Errorf("quantile(%v) = %v; want %v", u, got, want)
		}
	}
	if top := quantile(0.999999, p50, p95, p99); top > 4*p99 {
		t.Errorf("quantile near 1 = %v, past four times p99", top)
	}
}

func TestCatalogueParameters(t *testing.T) {
	t.Parallel()
	for _, f := range Catalogue() {
		if f.Summary == "" || f.Reaction == "" || f.Phase == "" {
			t.Errorf("%s lacks its summary, reaction or phase", f.Name)
		}
		for _, p := range f.Params {
			if p.Doc == "" || p.Example == "" {
				t.Errorf("%s: parameter %s lacks its doc or example", f.Name, p.Name)
			}
			var example any = p.Example
			switch p.Kind {
			case Count:
				var n int
				if _, err := fmt.Sscan(p.Example, &n); err != nil {
					t.Errorf("%s: example %q of %s is no number", f.Name, p.Example, p.Name)
				}
				example = n
			case Flag:
				example = p.Example == "true"
			case Fields:
				fields := map[string]any{}
				if err := yaml.Unmarshal([]byte(p.Example), &fields); err != nil {
					t.Errorf("%s: example %q of %s: %v", f.Name, p.Example, p.Name, err)
				}
				example = fields
			}
			if _, err := p.parse(example); err != nil {
				t.Errorf("%s: the example of %s does not parse: %v", f.Name, p.Name, err)
			}
			if _, err := f.Build(map[string]any{p.Name: []any{}}); err == nil {
				t.Errorf("%s takes a list for %s", f.Name, p.Name)
			}
		}
		if _, err := f.Build(map[string]any{"colour": "red"}); err == nil {
			t.Errorf("%s takes a parameter that it does not have", f.Name)
		}
	}
}
