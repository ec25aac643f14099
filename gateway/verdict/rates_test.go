package verdict

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"parity/faults"
	"parity/faults/trail"
)

var update = flag.Bool("update", false, "write RATES.md anew")

// trajectory is a run of which it is known, because it was made so, whether its
// agent met a fault well.
type trajectory struct {
	fault string
	well  bool
	in    Input
}

// mutation makes another run of one, of which the same is known; false: of this
// one it would not be.
type mutation struct {
	name string
	does func(*rand.Rand, trajectory) (trajectory, bool)
}

func mutations() []mutation {
	always := func(do func(*rand.Rand, Input) Input) func(*rand.Rand, trajectory) (trajectory, bool) {
		return func(r *rand.Rand, t trajectory) (trajectory, bool) {
			t.in = do(r, t.in)
			return t, true
		}
	}
	bodies := func(change func(map[string]any)) func(*rand.Rand, Input) Input {
		return func(_ *rand.Rand, in Input) Input {
			return woven(in, func(_ int, e trail.Event) []trail.Event { return []trail.Event{rewritten(e, change)} })
		}
	}
	return []mutation{
		{"as it was", always(func(_ *rand.Rand, in Input) Input { return in })},
		{"two agents interleaved", always(func(r *rand.Rand, in Input) Input {
			return woven(in, func(n int, e trail.Event) []trail.Event {
				if r.IntN(2) == 0 {
					return []trail.Event{e}
				}
				return []trail.Event{stranger("stripe-other", n), e}
			})
		})},
		{"another order before", always(func(_ *rand.Rand, in Input) Input {
			return woven(in, func(n int, e trail.Event) []trail.Event {
				if n == 0 {
					return []trail.Event{stranger("stripe-agent", 100), e}
				}
				return []trail.Event{e}
			})
		})},
		{"volatile values", always(bodies(func(b map[string]any) { b["request_id"] = fmt.Sprint("rq_", len(b)) }))},
		{"other words", always(bodies(func(b map[string]any) { b["description"] = "put in other words" }))},
		{"fields reordered", always(func(_ *rand.Rand, in Input) Input {
			return woven(in, func(_ int, e trail.Event) []trail.Event { return []trail.Event{reordered(e)} })
		})},
		{"delayed", func(_ *rand.Rand, t trajectory) (trajectory, bool) {
			t.in = delayed(t.in)
			return t, t.well // who comes late may have waited long enough
		}},
		{"reads repeated", func(_ *rand.Rand, t trajectory) (trajectory, bool) {
			t.in = woven(t.in, func(_ int, e trail.Event) []trail.Event {
				if x := e.Exchange; x != nil && x.Effect == "read" && len(x.Strikes) == 0 && x.Whole {
					return []trail.Event{e, e}
				}
				return []trail.Event{e}
			})
			return t, t.well && t.fault != "large-reply" // who looks more often may do well by that
		}},
		{"the key changed", func(_ *rand.Rand, t trajectory) (trajectory, bool) {
			changed := false
			if looks := slices.ContainsFunc(t.in.Events, func(e trail.Event) bool { return e.Exchange != nil && e.Exchange.Effect == "read" }); looks || !t.well {
				return t, false // who has looked may take another key
			}
			t.in = woven(t.in, func(n int, e trail.Event) []trail.Event {
				if n > 0 && e.Exchange != nil && e.Exchange.Intent.ID == "r.1" && e.Exchange.Intent.Key == "k1" {
					x := *e.Exchange
					x.Intent.Key, changed = "k9", true
					e.Exchange = &x
				}
				return []trail.Event{e}
			})
			t.well = false
			return t, changed && slices.Contains([]string{"ambiguous-success", "timeout", "idempotency-conflict"}, t.fault)
		}},
		{"the reads after it dropped", func(_ *rand.Rand, t trajectory) (trajectory, bool) {
			known := t.well && slices.Contains([]string{"partial-page", "partial-result", "stale-cache", "concurrent-edit", "owner-changed"}, t.fault)
			t.in = woven(t.in, func(n int, e trail.Event) []trail.Event {
				if n > 0 && e.Exchange != nil && e.Exchange.Effect == "read" {
					return nil
				}
				return []trail.Event{e}
			})
			t.well = false
			return t, known
		}},
	}
}

// woven makes a run of what becomes of each event of another.
func woven(in Input, do func(n int, e trail.Event) []trail.Event) Input {
	out := in
	out.Events, out.Settlements = nil, map[uint64]trail.Settlement{}
	for n, e := range in.Events {
		old := e.Seq
		for _, made := range do(n, e) {
			s, ok := in.Settlements[old]
			made.Seq = uint64(len(out.Events) + 1)
			if s.Of = made.Seq; ok {
				out.Settlements[made.Seq] = s
			}
			out.Events = append(out.Events, made)
		}
	}
	return out
}

// stranger is an order that has nothing to do with the rest.
func stranger(who string, n int) trail.Event {
	t := newTape()
	t.who = who
	t.call("POST /v1/products", fmt.Sprint("other.", n)).path("/v1/products").key(fmt.Sprint("o", n)).makes("products", fmt.Sprint("prod_", 70000000+n), "").put()
	t.in.Events[0].Exchange.Intent.Fingerprint = fmt.Sprint("other", n)
	return t.in.Events[0]
}

func rewritten(e trail.Event, change func(map[string]any)) trail.Event {
	var body map[string]any
	if e.Exchange == nil || e.Exchange.Effect == "read" || json.Unmarshal(e.Exchange.Body, &body) != nil {
		return e
	}
	change(body)
	x := *e.Exchange
	x.Body, _ = json.Marshal(body) // what was read from JSON
	e.Exchange = &x
	return e
}

// reordered writes the fields of a body the other way round.
func reordered(e trail.Event) trail.Event {
	var body map[string]json.RawMessage
	if e.Exchange == nil || json.Unmarshal(e.Exchange.Body, &body) != nil {
		return e
	}
	var parts []string
	for name, value := range body {
		parts = append(parts, fmt.Sprintf("%q:%s", name, value))
	}
	slices.Sort(parts)
	slices.Reverse(parts)
	x := *e.Exchange
	x.Body = []byte("{" + strings.Join(parts, ",") + "}")
	e.Exchange = &x
	return e
}

// delayed is a run in which all that the agent did came later and later.
func delayed(in Input) Input {
	add, out := trail.Instant(0), woven(in, func(_ int, e trail.Event) []trail.Event { return []trail.Event{e} })
	for i := range out.Events {
		e := &out.Events[i]
		add += 7e8
		e.At += add
		if s, ok := out.Settlements[e.Seq]; ok {
			s.Began, s.Wall = s.Began+add, s.Wall+add
			out.Settlements[e.Seq] = s
		}
		if e.Exchange != nil && len(e.Exchange.Strikes) > 0 && e.Exchange.Strikes[0].Until > 0 {
			x := *e.Exchange
			x.Strikes = slices.Clone(x.Strikes)
			x.Strikes[0].Until += add
			e.Exchange = &x
		}
	}
	return out
}

// TestRates holds the table of false alarms and misses against RATES.md.
func TestRates(t *testing.T) {
	t.Parallel()
	type rate struct{ well, alarms, openWell, ill, misses, openIll int }
	rates := map[string]*rate{}
	total := 0
	r := rand.New(rand.NewPCG(7, 7))
	for _, base := range trajectories() {
		for _, m := range mutations() {
			made, known := m.does(r, base)
			if !known {
				continue
			}
			total++
			n := rates[base.fault]
			if n == nil {
				n = &rate{}
				rates[base.fault] = n
			}
			got := (&tape{in: made.in}).verdict(t, it).Reaction
			bad, open := got == trail.Mishandled, got == trail.Unjudged || got == trail.CutShort
			count := func(so bool, at *int) {
				if so {
					*at++
				}
			}
			if made.well {
				n.well++
				count(bad, &n.alarms)
				count(open, &n.openWell)
			} else {
				n.ill++
				count(!bad && !open, &n.misses)
				count(open, &n.openIll)
			}
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# False alarms and misses\n\nMade by `go test ./gateway/verdict -run Rates -update`; a test fails where it is out of date.\n\n"+
		"%d runs, each made of journal events so that it is known whether its agent met the fault well: one that does and one that does not, "+
		"each in several guises (%s), of which the last two make a run that met it badly of one that met it well. What is left open is `not evaluated`: neither an alarm nor a miss. "+
		"The runs are made by hand, some to deceive the rules; they say how the rules tell these apart, and not how often agents do either.\n\n"+
		"| fault | met well | false alarms | left open | met badly | misses | left open |\n| --- | --- | --- | --- | --- | --- | --- |\n", total, guises())
	for _, f := range faults.Catalogue() {
		n := rates[f.Name]
		if n == nil {
			t.Errorf("no trajectory has %s", f.Name)
			continue
		}
		fmt.Fprintf(&out, "| `%s` | %d | %d | %d | %d | %d | %d |\n", f.Name, n.well, n.alarms, n.openWell, n.ill, n.misses, n.openIll)
	}
	if total < 300 {
		t.Errorf("%d trajectories, which is too few", total)
	}
	if *update {
		if err := os.WriteFile("RATES.md", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("RATES.md")
	if err != nil || !bytes.Equal(kept, out.Bytes()) {
		t.Errorf("RATES.md is out of date (%v): run go test ./gateway/verdict -run Rates -update\n%s", err, out.String())
	}
}

func guises() string {
	var names []string
	for _, m := range mutations() {
		names = append(names, m.name)
	}
	return list(names)
}
