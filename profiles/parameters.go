package profiles

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"parity/faults"
)

// parameters hands a fault what its rule gives it, and puts what the fault
// finds wrong with that where it stands.
func (b *binder) parameters(fault *faults.Fault, rule *item) map[string]any {
	with, at := rule.get("with"), rule.get("inject").place
	if with == nil {
		with = &item{place: at, key: rule.key.find("with")}
	}
	if with.bad {
		return nil
	}
	var known []string
	for _, p := range fault.Params {
		known = append(known, p.Name)
	}
	given := map[string]any{}
	for _, w := range with.fields {
		switch {
		case !slices.Contains(known, w.name):
			b.wrong(w.place, didYouMean(w.name, known), "%s has no parameter %s", fault.Name, shorten(w.name))
		case w.item.sound():
			b.called(fault, w)
			given[w.name] = w.item.value
		}
	}
	if _, err := fault.Build(given); err != nil {
		b.misfit(fault, with, err)
	}
	return given
}

// misfit reports what a fault says about its parameters.
func (b *binder) misfit(fault *faults.Fault, with *item, err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok { //nolint:errorlint // a list of errors is taken apart here
		for _, one := range many.Unwrap() {
			b.misfit(fault, with, one)
		}
		return
	}
	var arg *faults.ArgError
	if !errors.As(err, &arg) {
		b.wrong(with.place, "", "%v", err)
		return
	}
	given := with.get(arg.Key)
	if given != nil && !given.sound() {
		return // said already
	}
	name := arg.Key
	for _, at := range arg.Inside {
		if part := given.part(at); part != nil {
			given = part
		}
		if index, err := strconv.Atoi(at); err == nil {
			at = "[" + strconv.Itoa(index) + "]"
		} else {
			at = "." + at
		}
		name += at
	}
	b.wrong(given.where(with.place), parameterHint(fault, arg, given), "%s.%s: %s", fault.Name, name, arg.Message)
}

// called looks up the operations that a parameter names.
func (b *binder) called(fault *faults.Fault, w field) {
	i := slices.IndexFunc(fault.Params, func(p faults.Param) bool { return p.Name == w.name })
	if fault.Params[i].Kind != faults.Call {
		return
	}
	named := w.item.list
	if !w.item.isList() {
		named = []*item{w.item}
	}
	as := operations
	if fault.Params[i].Written {
		as = calls
	}
	for _, c := range named {
		if p, err := faults.ParsePattern(c.str()); err == nil {
			b.known(c, p, as)
		}
	}
}

// part gives what a list or a map has there.
func (i *item) part(at string) *item {
	if index, err := strconv.Atoi(at); err == nil && i != nil && index >= 0 && index < len(i.list) {
		return i.list[index]
	}
	return i.get(at)
}

func parameterHint(fault *faults.Fault, arg *faults.ArgError, given *item) string {
	i := slices.IndexFunc(fault.Params, func(p faults.Param) bool { return p.Name == arg.Key })
	if i < 0 {
		return ""
	}
	p := fault.Params[i]
	if given != nil && p.Kind == faults.Choice {
		if word, ok := nearest(given.source, p.Choices); ok {
			return "did you mean " + word
		}
		return ""
	}
	if p.Example == "" || strings.Contains(arg.Message, p.Example) {
		return ""
	}
	return "such as " + p.Name + ": " + p.Example
}
