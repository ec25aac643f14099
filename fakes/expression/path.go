package expression

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// MaxSteps bounds a path.
const MaxSteps = 16

// A Path is a dotted way to one value, as `per` and `with` name them:
// result.charge.customer, metadata.order_id. Where a step arrives at an id and
// the path goes on, it goes on in the record that the id refers to:
//
//	result ──charge──▶ "ch_1" ┄resolve┄▶ {id: ch_1, customer: "cus_2"} ──customer──▶ "cus_2"
//
// It is safe for concurrent use.
type Path struct {
	source string
	steps  []string
	record int // the step at which the first record's fields begin
}

// Resolve finds the record that an id in a field refers to. Collection is the
// one that the record with the field belongs to, as given to Path.Value or by
// an earlier Resolve; field is dotted when it is nested in that record. It
// gives the collection of the record that it found, and the record's value.
type Resolve func(collection, field, id string) (target string, record map[string]any, found bool)

// CompilePath checks a path. With an Env the first step must be one of its
// names; without, the path begins at a record's own fields. Its error is an
// *Error.
func CompilePath(source string, env Env) (*Path, error) {
	steps := strings.Split(source, ".")
	if len(source) > MaxLength || len(steps) > MaxSteps {
		return nil, &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the path has %d steps; %d is the most", len(steps), MaxSteps)}
	}
	column := 1
	for _, step := range steps {
		if wrong := strings.IndexFunc(step, notInStep); step == "" || wrong >= 0 {
			return nil, &Error{
				Line: 1, Column: column + len([]rune(step[:max(wrong, 0)])),
				Message: "a path is names joined by dots, such as result.charge.customer",
			}
		}
		column += len([]rune(step)) + 1
	}
	p := &Path{source: source, steps: steps}
	if env != nil {
		if !slices.Contains(env, steps[0]) {
			return nil, &Error{Line: 1, Column: 1, Message: unknown(steps[0], env)}
		}
		p.record = 1
	}
	return p, nil
}

func notInStep(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// String is the source.
func (p *Path) String() string { return p.source }

// Needs tells whether the path begins at a name.
func (p *Path) Needs(name string) bool { return p.steps[0] == name }

// Value walks the path. Collection is the one that the path's first record
// belongs to: that of what the first name holds, or of vars itself when there
// was no Env. Without a resolve no id is followed. What is not there is an
// *Error.
func (p *Path) Value(vars map[string]any, collection string, resolve Resolve) (any, error) {
	var at any = vars
	record := p.record
	for i := range p.steps {
		if id, ok := asID(at); ok && resolve != nil && i > record {
			target, value, found := resolve(collection, strings.Join(p.steps[record:i], "."), id)
			if !found {
				return nil, p.missing(i-1, "no record is found for "+id)
			}
			collection, at, record = target, value, i
		}
		value, found, reason := step(at, key(at, p.steps[i]))
		if !found {
			return nil, p.missing(i, reason)
		}
		at = value
	}
	return at, nil
}

// key gives a name as step takes it: as a number where it goes into a list.
func key(at any, name string) any {
	if _, list := at.([]any); list {
		if n, err := strconv.Atoi(name); err == nil {
			return n
		}
	}
	return name
}

// asID gives the text of what can be an id: some services number theirs.
func asID(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	}
	return "", false
}

func (p *Path) missing(i int, reason string) error {
	before := strings.Join(p.steps[:i], ".")
	column := len([]rune(before)) + 1
	if i > 0 {
		column++
	}
	return &Error{Line: 1, Column: column, Message: strings.Join(p.steps[:i+1], ".") + ": " + reason}
}
