package profiles

import (
	"errors"
	"strings"

	"parity/fakes/expression"
)

// names are what a condition can speak of.
func names() []string { return []string{"request", "result", "run", "world", "clock"} }

func (b *binder) condition(it *item) *expression.Program {
	if !it.ok() {
		return nil
	}
	program, err := expression.Compile(it.str(), expression.Bool, names())
	if err != nil {
		b.expression(it, "when", err)
		return nil
	}
	b.misread(it, "when", program)
	if why := program.Contradiction(); why != "" {
		b.wrong(it.place, "say or in between, or take one of them out", "when: a condition that can never hold: %s", why)
	}
	return program
}

// misread refuses a condition that compares with one value what holds several by
// their names: it could never be evaluated.
func (b *binder) misread(it *item, key string, program *expression.Program) {
	err := program.Misread("request", "request.path", "request.query", "request.header", "run", "clock", "world",
		"earlier.path", "earlier.query", "later.path", "later.query", "calls#.path", "calls#.query")
	located, ok := asLocated(err)
	if !ok {
		return
	}
	hint := ""
	if strings.Contains(located.Message, "path") {
		hint = "it has the parameters that the path of an operation names in { }; what the path itself is, call says, and url of each of calls"
	}
	b.wrong(it.at(located.Column), hint, "%s: %s", key, located.Message)
}

func (b *binder) path(it *item) *expression.Path {
	if !it.ok() {
		return nil
	}
	path, err := expression.CompilePath(it.str(), names())
	if err != nil {
		b.expression(it, "per", err)
		return nil
	}
	return path
}

// expression puts a column within an expression where it is in the file.
func (b *binder) expression(it *item, key string, err error) {
	at, message := it.place, err.Error()
	var located *expression.Error
	if errors.As(err, &located) && located.Line <= 1 {
		at, message = it.at(located.Column), located.Message
	}
	hint := ""
	for name := range b.bound {
		if strings.Contains(name, "-") && strings.Contains(it.str(), "world."+name) {
			hint = `write world["` + name + `"]: a - is a minus here`
		}
	}
	b.wrong(at, hint, "%s: %s", key, message)
}
