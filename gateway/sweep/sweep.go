// Package sweep plans what a sweep tries: each call that an agent made, with each
// fault that fits it.
//
//	a calm run ─▶ calls ─┐
//	                     ├─▶ cells, the worst first ─▶ one run each
//	the catalogue ───────┘
//
// A cell is told by its name alone, `stripe POST /v1/refunds × timeout`: the same
// name is the same rule, so that it can be tried again without the calm run.
package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/faults/trail"
	"parity/specs"
)

// A Call is an operation that the agent called, and what is known of its calls.
type Call struct {
	faults.Usage
	Operation *specs.Operation
	Fake      fakes.Fake
	Intents   int // what was meant to be done: calls without their retries
}

// Lookup finds the operation of an exchange, the fake that plays it, and its
// effect; false where the exchange is about none.
type Lookup func(*trail.Exchange) (*specs.Operation, fakes.Fake, specs.Effect, bool)

// Calls gives the operations that a run has called, in the order of their first
// calls.
func Calls(events []trail.Event, find Lookup) []*Call {
	var all []*Call
	by, intents := map[string]*Call{}, map[string]bool{}
	wrote, read := map[string]bool{}, map[string]bool{} // by service, and by service and path
	for i := range events {
		x := events[i].Exchange
		if x == nil || events[i].Kind != trail.Exchanged {
			continue
		}
		op, fake, effect, ok := find(x)
		if !ok {
			continue
		}
		c := by[op.Name()]
		if c == nil {
			c = &Call{Operation: op, Fake: fake, Usage: faults.Usage{Effect: effect}}
			by[op.Name()], all = c, append(all, c)
		}
		if !intents[x.Intent.ID] {
			intents[x.Intent.ID] = true
			c.Intents++
		}
		c.Read = c.Read || effect != specs.Read && read[x.Service+x.Path]
		read[x.Service+x.Path] = read[x.Service+x.Path] || x.Method == "GET" && x.Status/100 == 2
		c.Keyed = c.Keyed || x.Intent.Key != ""
		c.Paged = c.Paged || further(op, x)
		c.AfterWrite = c.AfterWrite || effect == specs.Read && wrote[x.Service]
		wrote[x.Service] = wrote[x.Service] || x.Committed
		if effect == specs.Irreversible {
			for _, earlier := range all {
				earlier.BeforeIrreversible = earlier.BeforeIrreversible || earlier.Effect == specs.Read
			}
		}
	}
	return all
}

// further tells whether a call asked for another page than the first.
func further(op *specs.Operation, x *trail.Exchange) bool {
	for _, name := range append([]string{op.Anatomy.Offset, op.Anatomy.Page}, op.Anatomy.Cursors...) {
		if name != "" && strings.Contains(x.Query+string(x.Body), name) {
			return true
		}
	}
	return false
}

// A Cell is one call with one fault.
type Cell struct {
	Call  string // stripe POST /v1/refunds
	Nth   int    // which of the agent's intents there, from 1
	Fault string
}

// String is the cell's name.
func (c Cell) String() string { return c.Where() + " × " + c.Fault }

// Where is which of the agent's calls it is about.
func (c Cell) Where() string {
	if c.Nth > 1 {
		return c.Call + " #" + strconv.Itoa(c.Nth)
	}
	return c.Call
}

// Parse reads a cell's name. An x will do for the ×.
func Parse(name string) (Cell, error) {
	where, fault, ok := strings.Cut(name, " × ")
	if !ok {
		where, fault, ok = strings.Cut(name, " x ")
	}
	if !ok {
		return Cell{}, fmt.Errorf("%q is no cell: write CALL × FAULT, as in 'stripe POST /v1/refunds × timeout'", name)
	}
	c := Cell{Call: strings.TrimSpace(where), Nth: 1, Fault: strings.TrimSpace(fault)}
	if call, nth, counted := strings.Cut(c.Call, " #"); counted {
		n, err := strconv.Atoi(nth)
		if err != nil || n < 1 {
			return Cell{}, fmt.Errorf("%q: #2 behind a call is the second time that the agent means it, and #%s is none", name, nth)
		}
		c.Call, c.Nth = call, n
	}
	if _, err := c.form(); err != nil {
		return Cell{}, err
	}
	return c, nil
}

// form is how the cell's fault is injected.
func (c Cell) form() (form, error) {
	all := forms()
	i := slices.IndexFunc(all, func(f form) bool { return f.fault.Name == c.Fault })
	if i >= 0 {
		return all[i], nil
	}
	if _, known := faults.Lookup(c.Fault); known {
		return form{}, fmt.Errorf("%s is no fault of sweeps: put a rule with it into a profile; `parity explain %s` has an example", c.Fault, c.Fault)
	}
	return form{}, fmt.Errorf("there is no fault %q: `parity explain inject` lists those there are", c.Fault)
}

// mostRead is how many of the records that an agent reads somebody else edits.
const mostRead = 20

// Rule is the cell as a rule of a profile, by key.
func (c Cell) Rule() (map[string]any, error) {
	f, err := c.form()
	if err != nil {
		return nil, err
	}
	trigger := with("nth", int64(c.Nth))
	switch {
	case f.AtRead: // which of the records that it reads it will write, nobody knows
		trigger = with("first", int64(mostRead))
	case f.First && c.Nth == 1:
		trigger = with("max", int64(1))
	}
	if f.Tries > 0 {
		trigger["tries"] = f.Tries
	}
	rule := with("call", c.Call, "inject", c.Fault, "trigger", trigger, "required", true)
	if args := f.at(c.Call); len(args) > 0 {
		rule["with"] = args
	}
	return rule, nil
}

// Plan gives the cells of calls, those first that would cost the most: faults in
// the order of their forms, of each what cannot be undone before what can, and that
// before reads. Further calls of an operation come last, as lost replies alone.
func Plan(calls []*Call) []Cell {
	calls = slices.Clone(calls)
	rank := map[specs.Effect]int{specs.Irreversible: 0, specs.Reversible: 1, specs.Read: 2}
	slices.SortStableFunc(calls, func(a, b *Call) int { return rank[a.Effect] - rank[b.Effect] })
	var cells []Cell
	all := forms()
	for _, f := range all {
		for _, c := range calls {
			if f.Fits(c.Usage) && f.strikes(c.Operation, c.Fake) {
				cells = append(cells, Cell{Call: c.Operation.Name(), Nth: 1, Fault: f.fault.Name})
			}
		}
	}
	const further = 3
	for nth := 2; nth <= further; nth++ {
		for _, c := range calls {
			if c.Effect == specs.Irreversible && c.Intents >= nth {
				cells = append(cells, Cell{Call: c.Operation.Name(), Nth: nth, Fault: all[0].fault.Name})
			}
		}
	}
	return cells
}
