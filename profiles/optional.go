package profiles

import (
	"strings"

	"parity/specs"
)

// optional warns of a condition that asks for a field which the contract does
// not promise: where it is not there, the condition cannot be evaluated and the
// rule does not fire.
func (b *binder) optional(d drafted) {
	if d.When == nil {
		return
	}
	when := d.field.item.get("when")
	for _, path := range d.When.Paths() {
		part, field, ok := partOf(path)
		if !ok || !bare(d.When.String(), path) {
			continue
		}
		if op := b.unpromised(d, part, field); op != nil {
			b.warn(when.where(d.field.place), "say what holds without it, such as "+strings.Replace(path, "."+field, "?."+field, 1)+" ?? 0",
				"rule %s: %s need not be there in %s of %s, and then the rule does not fire", d.Name, field, spoken(part), op.Name())
		}
	}
}

// partOf splits request.body.amount into the part of the exchange and the
// field.
func partOf(path string) (part, field string, ok bool) {
	for prefix, part := range map[string]string{"request.body.": specs.InBody, "request.query.": specs.InQuery, "result.": specs.InResult} {
		if rest, cut := strings.CutPrefix(path, prefix); cut {
			field, _, _ = strings.Cut(rest, ".")
			return part, field, field != ""
		}
	}
	return "", "", false
}

func spoken(part string) string {
	switch part {
	case specs.InBody:
		return "the body"
	case specs.InQuery:
		return "the query"
	}
	return "the answer"
}

// bare tells whether a condition has a path as it is, with nothing said for
// where it ends early.
func bare(source, path string) bool {
	_, rest, found := strings.Cut(source, path)
	return found && !strings.HasPrefix(strings.TrimSpace(rest), "??")
}

// unpromised is an operation of the rule that names the field and does not
// promise it; nil where one promises it, or none names it.
func (b *binder) unpromised(d drafted, part, field string) *specs.Operation {
	var found *specs.Operation
	for _, i := range b.index.Find(d.Calls) {
		op := b.ops[i]
		named, always := b.promises(op, part, field)
		if always {
			return nil
		}
		if named && found == nil {
			found = op
		}
	}
	return found
}

// promise is a field in a part of an operation's exchanges.
type promise struct {
	op          *specs.Operation
	part, field string
}

// promises asks the contract once for each field.
func (b *binder) promises(op *specs.Operation, part, field string) (named, always bool) {
	p := promise{op, part, field}
	said, known := b.promised[p]
	if !known {
		said[0], said[1] = op.Promises(part, field)
		b.promised[p] = said
	}
	return said[0], said[1]
}
