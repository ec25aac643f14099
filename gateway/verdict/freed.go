package verdict

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What is left undone leaves its time free, and who comes next is given it:
//
//	calm   ticket 1: a call at 09:00   ticket 2: a call at 09:30
//	here   ticket 1: ╳                 ticket 2: a call at 09:00   another time, and a free one

// clocked are the times of day and the dates that a text tells.
var clocked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:\d{4}-\d\d-\d\d(?:t[\d:.]+(?:z|[+-]\d\d:\d\d)?)?|\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?|\d{1,2} ?[ap]m|` +
		`(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:\d{1,2}(?:st|nd|rd|th)?\.? )?` + months + `|` + months + ` \d{1,2}(?:st|nd|rd|th)?)\b`)
})

const months = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`

// freed leaves out of what is another than in the twin what only got the time that
// something had there which was left undone here. Where a struck call took effect,
// its time is not free.
func (w *witness) freed(j *judge) {
	for _, firings := range j.firings {
		if slices.ContainsFunc(firings, func(f firing) bool { return f.c.changedThings() }) {
			return
		}
	}
	w.changed = slices.DeleteFunc(w.changed, func(p [2]*act) bool { return w.tookTime(p[0], p[1]) })
}

// tookTime tells an act that differs from the twin's in nothing but times, all of
// which the twin had given to one that was left undone.
func (w *witness) tookTime(a, b *act) bool {
	fields, _, _ := unlike(a.asked, b.asked)
	for _, name := range fields {
		x, ok := a.asked[name].(string)
		y, ok2 := b.asked[name].(string)
		if !ok || !ok2 || clocked().ReplaceAllString(x, "@") != clocked().ReplaceAllString(y, "@") {
			return false
		}
		given := func(other *act) bool {
			text, _ := other.asked[name].(string)
			return other.c.name() == a.c.name() && !slices.ContainsFunc(clocked().FindAllString(x, -1), func(t string) bool { return !strings.Contains(text, t) })
		}
		if !slices.ContainsFunc(w.fewer, given) {
			return false
		}
	}
	return len(fields) > 0
}
