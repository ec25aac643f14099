package sweep

import (
	"slices"
	"strings"

	"parity/fakes"
	"parity/faults"
	"parity/specs"
)

// form is how a sweep tries a fault, which is the fault's to say.
type form struct {
	faults.Form
	fault *faults.Fault
}

// forms are those of all faults, those that have cost the most first.
func forms() []form {
	var all []form
	for _, f := range faults.Catalogue() {
		for _, one := range f.Forms {
			all = append(all, form{one, f})
		}
	}
	slices.SortFunc(all, func(a, b form) int { return a.Rank - b.Rank })
	return all
}

// with makes parameters of names and values in turn.
func with(pairs ...any) map[string]any {
	all := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		all[name] = pairs[i+1]
	}
	return all
}

// at gives the parameters of the fault at a call. The read of a record has the
// path of its write.
func (f *form) at(call string) map[string]any {
	if !f.AtRead {
		return f.With
	}
	return with("once_read", readOf(call))
}

// readOf names the read of what a call writes.
func readOf(call string) string {
	service, rest, _ := strings.Cut(call, " ")
	_, path, _ := strings.Cut(rest, " ")
	return service + " GET " + path
}

// strikes tells whether the fault can strike calls of an operation.
func (f *form) strikes(op *specs.Operation, fake fakes.Fake) bool {
	injection, err := f.fault.Build(f.at(op.Name()))
	if err != nil {
		return false
	}
	requirer, asks := injection.(faults.Requirer)
	return !asks || requirer.Misfit(op, fake) == ""
}
