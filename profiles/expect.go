package profiles

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parity/fakes/expression"
	"parity/faults"
	"parity/faults/trail"
)

// Expectation is one thing that is expected of the agent.
type Expectation struct {
	Name    string
	Form    string // the key that says what is expected: Never to Always
	Because string
	At      trail.Place

	Calls   []faults.Pattern // of never, counts and each
	New     []string         // collections, of never and counts
	To      []string         // of no_call_to: services and hosts
	AtMost  *uint64          // of counts; exactly is both
	AtLeast *uint64
	Per     *Route           // of counts
	Needs   []faults.Pattern // of each
	Where   *Condition       // over earlier and later; nil: anything goes
	Within  time.Duration    // on the run's clock; 0: at any time
	MaxAge  time.Duration
	Elapsed time.Duration // of each: how long such a call may take
	Enforce bool
	Only    []Changeable
	Holds   *Condition // of eventually, finally and holds
	When    *Condition
}

// The forms of expectations. Counts stands for at_most, at_least and exactly.
const (
	Never       = "never"
	NoCallTo    = "no_call_to"
	Counts      = "counts"
	Each        = "each"
	MaxAge      = "max_age"
	Elapsed     = "elapsed"
	Eventually  = "eventually"
	Finally     = "finally"
	OnlyChanges = "only_changes"
	Holds       = "holds"
	Always      = "always"
)

// Changeable is what only_changes allows: a collection, or one field of its
// records, dotted.
type Changeable struct{ Collection, Field string }

// Condition is an expression, and where the profile has it.
type Condition struct {
	*expression.Program
	At trail.Place
}

// Route is a path, and where the profile has it.
type Route struct {
	*expression.Path
	At trail.Place
}

// maxExpectations bounds how many things a run is judged by.
const maxExpectations = 1000

// expectations reads what is expected of the agent, also what is switched off.
func (b *binder) expectations() []Expectation {
	table := b.tree.get("expect")
	if table.ok() && len(table.fields) > maxExpectations {
		b.wrong(table.place, "one expectation can name many operations", "there are %d expectations, and at most %d", len(table.fields), maxExpectations)
		return nil
	}
	var all []Expectation
	for _, f := range table.all() {
		if !f.item.ok() {
			continue
		}
		if len(f.item.fields) == 1 && f.item.get("enabled").ok() {
			b.wrong(f.place, didYouMean(f.name, without(table, f.name)), "there is no expectation %s to switch on or off", shorten(f.name))
			continue
		}
		form, ok := b.form(f)
		if !ok {
			continue
		}
		if e := b.expectation(f, form); f.item.get("enabled").flag(true) {
			all = append(all, e)
		}
	}
	return all
}

func (b *binder) expectation(f field, form string) Expectation {
	it := f.item
	e := Expectation{
		Name: f.name, Form: form, Because: it.get("because").str(), At: b.at("expect."+f.name, f.place),
		Needs: b.patterns(it.get("needs"), operations), Within: it.get("within").span(), MaxAge: it.get("max_age").span(), Elapsed: it.get("elapsed").span(),
		To: it.get("no_call_to").strings(), New: b.collections(it.get("new")), Enforce: it.get("enforce").flag(false),
	}
	switch form {
	case Never:
		e.Calls, e.New = b.never(it.get("never"))
	case Counts:
		e.Calls = b.patterns(it.get("call"), operations)
		e.AtMost, e.AtLeast = limit(it, "at_most"), limit(it, "at_least")
		e.Per = b.route(f, e.Calls, e.New)
	case Each, MaxAge, Elapsed:
		e.Calls = b.patterns(it.get("each"), operations)
		e.Where = b.said(f, "where", expression.Env{"earlier", "later"}, b.ofPairs(&e), slices.Concat(e.Calls, e.Needs))
	case OnlyChanges:
		e.Only = b.changeable(it.get("only_changes"))
	case Eventually, Finally, Holds:
		e.Holds = b.said(f, form, ofTheRun(), b.ofRuns(), nil)
		b.aboutTheRun(f, form, e.Holds)
	}
	for _, to := range it.get("no_call_to").entries() {
		b.recipient(to)
	}
	switch form {
	case Always:
		return e
	case Eventually, Finally, Holds:
		e.When = b.said(f, "when", ofTheRun(), b.ofRuns(), nil)
		return e
	}
	e.When = b.said(f, "when", ofACall(len(e.New) > 0), b.ofCounted(&e), e.Calls)
	return e
}

// ofTheRun is what a condition over the run as a whole can speak of.
func ofTheRun() expression.Env { return expression.Env{"calls", "world"} }

// ofACall is what a condition over one call can speak of.
func ofACall(record bool) expression.Env {
	if record {
		return expression.Env{"request", "result", "clock", "record"}
	}
	return expression.Env{"request", "result", "clock"}
}

// said compiles the condition under a key of an expectation.
func (b *binder) said(f field, key string, env expression.Env, of roots, calls []faults.Pattern) *Condition {
	it := f.item.get(key)
	if !it.ok() {
		return nil
	}
	program, err := expression.Compile(it.str(), expression.Bool, env)
	if err != nil {
		b.expression(it, key, err)
		return nil
	}
	b.misread(it, key, program)
	b.fields(it, key, program.Reads(), of, calls)
	return &Condition{program, b.at("expect."+f.name+"."+key, it.at(1))}
}

// route compiles what a count is apart for. Of new records the path goes
// through the record.
func (b *binder) route(f field, calls []faults.Pattern, records []string) *Route {
	it := f.item.get("per")
	if !it.ok() {
		return nil
	}
	var env expression.Env
	if len(records) == 0 {
		env = expression.Env{"request", "result"}
	}
	path, err := expression.CompilePath(it.str(), env)
	if err != nil {
		b.expression(it, "per", err)
		return nil
	}
	starts := b.startsIn(records)
	if env != nil {
		starts = b.startsOf(b.opsCalled(calls), b.ofCalls)
	}
	b.way(it, "per", path, starts)
	return &Route{path, b.at("expect."+f.name+".per", it.at(1))}
}

// limit reads a bound of a count: its own, or exactly.
func limit(it *item, key string) *uint64 {
	for _, name := range []string{key, "exactly"} {
		if bound := it.get(name); bound.ok() {
			n := bound.count()
			return &n
		}
	}
	return nil
}

// never reads calls, and collections after the word new.
func (b *binder) never(it *item) (calls []faults.Pattern, records []string) {
	if !it.ok() {
		return nil, nil
	}
	plain, fresh := *it, *it
	plain.list, fresh.list = nil, nil
	for _, e := range it.list {
		if name, is := strings.CutPrefix(e.str(), "new "); is {
			one := *e
			one.value = strings.TrimSpace(name)
			fresh.list = append(fresh.list, &one)
			continue
		}
		plain.list = append(plain.list, e)
	}
	return b.patterns(&plain, operations), b.collections(&fresh)
}

// Why words an error of a condition, with the place in the profile.
func (c *Condition) Why(err error) string { return why(c.At, c.String(), err) }

// Why words an error of a path, with the place in the profile.
func (r *Route) Why(err error) string { return why(r.At, r.String(), err) }

func why(at trail.Place, source string, err error) string {
	message, column := err.Error(), at.Column
	if located, ok := asLocated(err); ok && located.Line <= 1 && !strings.Contains(source, "\n") {
		message, column = located.Message, column+located.Column-1
	}
	return fmt.Sprintf("cannot be evaluated: %s:%d:%d: %s", at.File, at.Line, column, message)
}
