package generic

import (
	"maps"
	"regexp"
	"sync"

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
	begun = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(pending|queued?|enqueued|progress|processing|running|waiting|not_?published|started|scheduled|submitted)`)
	})
)

// succeeded gives a value that was drawn without what only a failure says; work
// in it is done, so that whoever asks again and again comes to an end.
func (f *form) succeeded(drawn map[string]any) map[string]any {
	var out map[string]any
	own := func() map[string]any {
		if out == nil {
			out = maps.Clone(drawn)
		}
		return out
	}
	for name, held := range drawn {
		s := f.fields[name]
		switch {
		case s == nil:
		case failing().MatchString(name) && !f.required[name]:
			delete(own(), name)
		case failing().MatchString(name) && held != nil && fits(s, nil, 0):
			own()[name] = nil
		default:
			if state, ok := finished(s); ok {
				own()[name] = state
			}
		}
	}
	if out == nil {
		return drawn
	}
	return out
}

// finished gives the state of an enum in which work is done, where the enum is
// one of work.
func finished(s *schema.Schema) (state any, ok bool) {
	choices := typed(s).Enum
	works := false
	for i := range choices.Len() {
		words := choices.At(i).Text()
		works = works || begun().MatchString(words)
		if state == nil && ended().MatchString(words) {
			state = choices.At(i).Value()
		}
	}
	return state, works && state != nil
}
