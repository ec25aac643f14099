package generic

import (
	"regexp"
	"slices"
	"sync"

	"parity/specs/sample"
	"parity/specs/schema"
)

// failing matches fields that say of something that it went wrong.
var failing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(last_?)?(err(or)?s?|error_?(code|message|description|details?|reason|type|info)|fail(ure|ed)?_?(code|reason|message|details?|at)?|rejection_?reason|warnings?)$`)
})

// ended matches states in which work is done, and begun those in which it is
// not.
var (
	ended = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(completed?|succeeded|success(ful)?|done|finished|processed|published|ready|ok)$`)
	})
	failed    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(fail(ed|ure|s)?|error(ed)?)$`) })
	faultless = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(none|no_?error|ok|success|unspecified)$`) })
	begun     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(pending|queued?|enqueued|validating|preparing|initiali[sz]ing|provisioning|progress|processing|running|waiting|not_?published|started|scheduled|submitted)`)
	})
)

// succeeded gives a value that was drawn without what only a failure says; work
// in it is done, so that whoever asks again and again comes to an end.
func (f *form) succeeded(drawn map[string]any) map[string]any {
	out := f.unfailing(drawn)
	for name, held := range out {
		s := f.fields[name]
		if s == nil {
			continue
		}
		if inner, ok := held.(map[string]any); ok && typed(s).Is("object") { // such as {"job": {…}}
			held = formOf(s).succeeded(inner)
		} else if state, ok := finished(s); ok {
			held = state
		} else {
			continue
		}
		out = path{name}.set(out, held)
	}
	return out
}

// unfailing gives a value without what only a failure says: left out where that
// may be, else null, or the least that its field may say. What was given stays.
func (f *form) unfailing(value map[string]any, given ...map[string]any) map[string]any {
	for name, held := range value {
		s := f.fields[name]
		if s == nil || held == nil || !failing().MatchString(name) || slices.ContainsFunc(given, func(sent map[string]any) bool { return sent[name] != nil }) {
			continue
		}
		if !f.required[name] {
			value = path{name}.drop(value)
			continue
		}
		for _, nothing := range nothings(s) {
			if fits(s, nothing, 0) && (&sample.Library{}).Fits(s, nothing, sample.Reply) {
				value = path{name}.set(value, nothing)
				break
			}
		}
	}
	return value
}

// nothings are the values of a field that may say that nothing went wrong.
func nothings(s *schema.Schema) []any {
	all := []any{nil, []any{}, "", map[string]any{}, int64(0), false}
	choices := typed(s).Enum
	for i := range choices.Len() {
		if faultless().MatchString(choices.At(i).Text()) {
			all = append(all, choices.At(i).Value())
		}
	}
	return all
}

// finished gives the state of an enum in which work is done, where the enum is
// one of work.
func finished(s *schema.Schema) (state any, ok bool) {
	choices := typed(s).Enum
	works := false
	for i := range choices.Len() {
		words := choices.At(i).Text()
		works = works || begun().MatchString(words) || failed().MatchString(words)
		if state == nil && ended().MatchString(words) {
			state = choices.At(i).Value()
		}
	}
	return state, works && state != nil
}
