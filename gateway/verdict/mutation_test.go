package verdict

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"parity/faults/trail"
)

// structural are mutations that change what happens in a run, not only how it
// is written.
func structural() []mutation {
	return []mutation{
		{"trace headers", func(_ *rand.Rand, t trajectory) (trajectory, bool) {
			t.in = woven(t.in, func(n int, e trail.Event) []trail.Event {
				if e.Exchange != nil {
					x := *e.Exchange
					x.Header = append(slices.Clone(x.Header), trail.Field{Name: "Traceparent", Value: fmt.Sprintf("00-%032d-%016d-01", n+1, n+1)})
					e.Exchange = &x
				}
				return []trail.Event{e}
			})
			return t, true
		}},
		{"the same for four more records", repeated},
		{"an agent beside it that does the opposite", beside},
		{"two equal orders at the end", twins},
		{"a reset at the end", func(_ *rand.Rand, t trajectory) (trajectory, bool) {
			t.in = followed(t.in, trail.Event{Kind: trail.SetBack}, stranger("stripe-agent", 200))
			return t, true
		}},
		{"a reset after the fault", parted},
		{"nothing after the fault", stopped},
		{"the look moved behind what rests on it", lateLook},
	}
}

// lostReply tells the faults after which a repeated write may be a second one.
func lostReply(fault string) bool {
	return slices.Contains([]string{"ambiguous-success", "timeout", "idempotency-conflict"}, fault)
}

// repeated is a run in which the agent does likewise for other records.
func repeated(_ *rand.Rand, t trajectory) (trajectory, bool) {
	events := t.in.Events
	in := t.in
	for n := 2; n <= 5; n++ {
		in = joined(in, t.in, func(e trail.Event) trail.Event { return renamed(e, n) })
	}
	t.in = in
	return t, len(events) > 0 && t.fault != "connect-refused" // four times as many connections may be too many
}

// joined is a run and then another, changed, later.
func joined(in, more Input, change func(trail.Event) trail.Event) Input {
	out := woven(in, func(_ int, e trail.Event) []trail.Event { return []trail.Event{e} })
	last := out.Events[len(out.Events)-1].At
	shift := last - more.Events[0].At + 6e10
	for _, e := range more.Events {
		s, settled := more.Settlements[e.Seq]
		e = later(change(e), shift)
		e.Seq = uint64(len(out.Events) + 1)
		if settled {
			s.Of, s.Began, s.Wall = e.Seq, s.Began+shift, s.Wall+shift
			out.Settlements[e.Seq] = s
		}
		out.Events = append(out.Events, e)
	}
	return out
}

func later(e trail.Event, by trail.Instant) trail.Event {
	e.At += by
	if e.Exchange == nil {
		return e
	}
	x := *e.Exchange
	x.Strikes = slices.Clone(x.Strikes)
	for i := range x.Strikes {
		if x.Strikes[i].Until > 0 {
			x.Strikes[i].Until += by
		}
	}
	e.Exchange = &x
	return e
}

// renamed is an event that is about other records, and of other intents.
func renamed(e trail.Event, n int) trail.Event {
	if e.Exchange == nil {
		return e
	}
	as := strings.NewReplacer("_0000000", fmt.Sprintf("_%d000000", n), "cus_2", fmt.Sprint("cus_2", n)).Replace
	body := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		return []byte(as(string(b)))
	}
	x := *e.Exchange
	x.Path, x.Query, x.Body, x.ReplyBody = as(x.Path), as(x.Query), body(x.Body), body(x.ReplyBody)
	if x.Operation == lists {
		x.Query += fmt.Sprint("&created=", n)
	}
	for _, name := range []*string{&x.Intent.ID, &x.Intent.Key, &x.Intent.Fingerprint} {
		if *name != "" {
			*name += fmt.Sprint("-", n)
		}
	}
	if x.Policy != nil && x.Policy.Approval != "" { // it is for one call
		p := *x.Policy
		p.Approval += fmt.Sprint("-", n)
		x.Policy = &p
	}
	e.Delta = slices.Clone(e.Delta)
	for i, d := range e.Delta {
		e.Delta[i].ID, e.Delta[i].Before, e.Delta[i].After = as(d.ID), body(d.Before), body(d.After)
	}
	e.Exchange = &x
	return e
}

// beside is a run in which another agent, hit by another rule, does the opposite
// with records of its own, call by call.
func beside(r *rand.Rand, t trajectory) (trajectory, bool) {
	known := t.opposite != nil
	// A claim, or a webhook, is of no one agent.
	for _, in := range []*Input{&t.in, t.opposite} {
		known = known && !slices.ContainsFunc(in.Events, func(e trail.Event) bool { return e.Exchange == nil })
	}
	if !known {
		return t, false
	}
	other := woven(*t.opposite, func(_ int, e trail.Event) []trail.Event {
		e = renamed(e, 9)
		e.Identity = "stripe-other"
		e.Exchange.Strikes = slices.Clone(e.Exchange.Strikes)
		for i := range e.Exchange.Strikes {
			e.Exchange.Strikes[i].Rule, e.Exchange.Strikes[i].Per = "another", e.Identity
		}
		return []trail.Event{e}
	})
	out := t.in
	out.Events, out.Settlements = nil, map[uint64]trail.Settlement{}
	out.Rules = append(slices.Clone(out.Rules), RuleInfo{Name: "another", Hash: "h", Fault: t.fault, Because: "it happened"})
	mine := t.in
	take := func(in *Input) {
		e := in.Events[0]
		s, ok := in.Settlements[e.Seq]
		in.Events = in.Events[1:]
		e.Seq = uint64(len(out.Events) + 1)
		if s.Of = e.Seq; ok {
			out.Settlements[e.Seq] = s
		}
		out.Events = append(out.Events, e)
	}
	for len(mine.Events)+len(other.Events) > 0 {
		if len(other.Events) == 0 || len(mine.Events) > 0 && (mine.Events[0].At < other.Events[0].At || mine.Events[0].At == other.Events[0].At && r.IntN(2) == 0) {
			take(&mine)
		} else {
			take(&other)
		}
	}
	t.in = out
	return t, true
}

// twins adds two orders that look alike, of which the first was answered.
func twins(_ *rand.Rand, t trajectory) (trajectory, bool) {
	tape := newTape()
	for n := range 2 {
		s := tape.call(refunds, fmt.Sprint("twin.", n)).key(fmt.Sprint("t", n)).body(`{"charge":"ch_00000007","amount":500}`).makes("refunds", fmt.Sprint("re_7000000", n), `,"amount":500`)
		s.x.Intent.Fingerprint = "twin"
		s.put()
	}
	t.in = joined(t.in, tape.in, func(e trail.Event) trail.Event { return e })
	// After a list that moved, or a webhook that came twice, two equal orders may be one.
	return t, t.fault != "moving-page" && t.fault != "webhook-disorder"
}

// followed adds events to the end of a run.
func followed(in Input, more ...trail.Event) Input {
	out := woven(in, func(_ int, e trail.Event) []trail.Event { return []trail.Event{e} })
	for _, e := range more {
		e.Seq, e.At = uint64(len(out.Events)+1), out.Events[len(out.Events)-1].At+1e9
		out.Events = append(out.Events, e)
	}
	return out
}

// parted is a run that was set back between a lost answer and the order sent
// anew: the two have nothing to do with each other, and nothing shows what the
// agent made of the first.
func parted(_ *rand.Rand, t trajectory) (trajectory, bool) {
	known := !t.well && lostReply(t.fault)
	t.in = woven(t.in, func(n int, e trail.Event) []trail.Event {
		if n == 1 {
			return []trail.Event{{Kind: trail.SetBack, At: e.At}, e}
		}
		return []trail.Event{e}
	})
	t.open = true
	return t, known
}

// stopped is a run in which nothing comes after the fault: well done, or open
// where only what is said would show it.
func stopped(_ *rand.Rand, t trajectory) (trajectory, bool) {
	if t.well {
		return t, false // its opposite begins in the same way
	}
	struck := false
	t.in = woven(t.in, func(_ int, e trail.Event) []trail.Event {
		if struck {
			return nil
		}
		struck = e.Exchange != nil && len(e.Exchange.Strikes) > 0
		return []trail.Event{e}
	})
	t.well = true
	t.open = lostReply(t.fault) || slices.Contains([]string{
		"silent-no-op", "duplicate-effect", "partial-page", "partial-result", "cursor-expired", "webhook-disorder", "deprecation", "clock-skew",
	}, t.fault)
	return t, true
}

// lateLook is a run that met the fault well by a look, which now comes last.
func lateLook(_ *rand.Rand, t trajectory) (trajectory, bool) {
	rests := slices.Contains([]string{"partial-page", "partial-result", "stale-cache", "concurrent-edit", "owner-changed"}, t.fault)
	known := t.well && (rests || lostReply(t.fault))
	var looks []trail.Event
	writes := 0
	t.in = woven(t.in, func(n int, e trail.Event) []trail.Event {
		switch x := e.Exchange; {
		case n > 0 && x != nil && x.Effect == "read" && len(x.Strikes) == 0:
			looks = append(looks, e)
			return nil
		case n > 0 && x != nil && x.Service == "stripe" && !bytes.Equal(x.Body, nil):
			writes++
		}
		return []trail.Event{e}
	})
	t.in = followed(t.in, looks...)
	t.well = false
	return t, known && len(looks) > 0 && writes > 0
}
