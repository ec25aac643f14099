package pseudonym

import (
	"strings"
	"unicode/utf8"

	"parity/specs/personal"
)

// An index finds many texts in one, whatever their case, by how they begin.
type index struct {
	begins map[string][]entry
}

type entry struct {
	text, is string // text in lower case
	kind     personal.Kind
}

// head is by how much of a text it is found.
const head = 3

func (x *index) add(text, is string, kind personal.Kind) {
	text = fold(text)
	if len(text) < head {
		return
	}
	if x.begins == nil {
		x.begins = map[string][]entry{}
	}
	x.begins[text[:head]] = append(x.begins[text[:head]], entry{text, is, kind})
}

// in finds those that stand in a text and are not part of a longer word. Of two at
// one place it is the longer.
func (x *index) in(text string) (found []span) {
	if len(x.begins) == 0 {
		return nil
	}
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // letters that are longer in lower case: their places would be others
		lower = text
	}
	for at := 0; at+head <= len(text); at++ {
		best := entry{}
		for _, e := range x.begins[lower[at:at+head]] {
			if len(e.text) > len(best.text) && strings.HasPrefix(lower[at:], e.text) && apart(lower, at, at+len(e.text)) {
				best = e
			}
		}
		if best.text != "" {
			found = append(found, span{at, at + len(best.text), best.is})
			at += len(best.text) - 1
		}
	}
	return found
}

// apart tells whether a part of a text is a word, or words, of its own.
func apart(text string, from, to int) bool {
	in := func(c rune) bool { return letter(c) || digit(c) }
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	first, _ := utf8.DecodeRuneInString(text[from:])
	after, _ := utf8.DecodeRuneInString(text[to:])
	last, _ := utf8.DecodeLastRuneInString(text[:to])
	return !(from > 0 && in(before) && in(first)) && !(to < len(text) && in(after) && in(last))
}
