package sample

import (
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A writer makes a text by the tree of a pattern.
type writer struct {
	pick  func(n int) int
	more  int  // repetitions beyond the fewest, at most
	exact bool // no fewer than more, where the pattern lets
	mixed bool // any character is of any kind, for patterns that ask for several
	out   strings.Builder
}

// maxText is how long a text by a pattern gets.
const maxText = 4000

const (
	common  = "abcdefghijklmnopqrstuvwxyz0123456789"
	several = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*-_+"
)

// write makes a text of a length that matches a pattern, and is ok; pick draws.
// Lengths are sought by halving, so far as they follow from repetitions.
func (e *expression) write(pick func(try, place, n int) int, short, long int, ok func(string) bool) (string, bool) {
	if e.tree == nil {
		return "", false
	}
	tries := 32
	if !e.quick() {
		tries = 80
	}
	more, low, high := 4, 0, maxText
	for try := range tries {
		tree := e.tree
		if e.ahead != nil && try%3 > 0 {
			tree = e.ahead
		}
		text := e.once(tree, func(place, n int) int { return pick(try, place, n) }, more, low > 0 || high < maxText, try%2 == 1)
		length := utf8.RuneCountInString(text)
		switch {
		case length < short:
			low = more + 1
			more = min(more+short-length, (more+high+1)/2)
		case length > long:
			high = more - 1
			more = (low + more) / 2
		case ok(text) && e.match(text):
			return text, true
		case low == 0 && high == maxText:
			more = []int{0, 1, 8, 3, 14}[try%5]
		}
		if low > high {
			more, low, high = 4, 0, maxText
		}
	}
	return "", false
}

// once makes one text. Exact ones repeat as often as more says, others up to it.
func (e *expression) once(tree *syntax.Regexp, pick func(place, n int) int, more int, exact, mixed bool) string {
	place := 0
	w := writer{more: more, exact: exact, mixed: !e.quick() && mixed, pick: func(n int) int {
		place++
		return pick(place, n)
	}}
	w.node(tree)
	return w.out.String()
}

func (w *writer) node(n *syntax.Regexp) {
	if w.out.Len() > maxText {
		return
	}
	switch n.Op {
	case syntax.OpLiteral:
		for _, r := range n.Rune {
			w.out.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.out.WriteRune(w.class(n.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.any()
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range n.Sub {
			w.node(sub)
		}
	case syntax.OpAlternate:
		w.node(n.Sub[w.pick(len(n.Sub))])
	case syntax.OpStar:
		w.repeat(n.Sub[0], 0, -1)
	case syntax.OpPlus:
		w.repeat(n.Sub[0], 1, -1)
	case syntax.OpQuest:
		w.repeat(n.Sub[0], 0, 1)
	case syntax.OpRepeat:
		w.repeat(n.Sub[0], n.Min, n.Max)
	}
}

func (w *writer) repeat(n *syntax.Regexp, low, high int) {
	extra := w.more
	if high >= 0 {
		extra = min(extra, high-low)
	}
	times := low
	switch {
	case w.exact:
		times += extra
	case extra > 0:
		times += w.pick(extra + 1)
	}
	for range times {
		w.node(n)
	}
}

func (w *writer) any() {
	letters := common
	if w.mixed {
		letters = several
	}
	w.out.WriteByte(letters[w.pick(len(letters))])
}

// class picks one of a class of characters: of those that are usual, if it has
// any.
func (w *writer) class(ranges []rune) rune {
	letters := common
	if w.mixed {
		letters = several
	}
	var fit [len(several)]byte
	n := 0
	for i := range len(letters) {
		if inRanges(ranges, rune(letters[i])) {
			fit[n] = letters[i]
			n++
		}
	}
	if n > 0 {
		return rune(fit[w.pick(n)])
	}
	var visible, total int
	for i := 0; i+1 < len(ranges); i += 2 {
		if low := max(ranges[i], '!'); low <= ranges[i+1] && unicode.IsPrint(low) {
			visible++
		}
		total++
	}
	if visible > 0 {
		total = visible
	}
	chosen := w.pick(max(total, 1))
	for i := 0; i+1 < len(ranges); i += 2 {
		low := ranges[i]
		if visible > 0 {
			low = max(low, '!')
			if low > ranges[i+1] || !unicode.IsPrint(low) {
				continue
			}
		}
		if chosen--; chosen < 0 {
			return low + rune(w.pick(int(min(ranges[i+1]-low, 25))+1))
		}
	}
	if len(ranges) > 0 {
		return ranges[0]
	}
	return 'x'
}

func inRanges(ranges []rune, r rune) bool {
	for i := 0; i+1 < len(ranges); i += 2 {
		if r >= ranges[i] && r <= ranges[i+1] {
			return true
		}
	}
	return false
}

// Go takes counts of up to 1000, nested ones multiplied.
const maxCount = 300

func braces(low, high int) string {
	low = min(low, maxCount)
	switch {
	case high < 0:
		return "{" + strconv.Itoa(low) + ",}"
	default:
		return "{" + strconv.Itoa(low) + "," + strconv.Itoa(min(max(high, low), maxCount)) + "}"
	}
}

func digits(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
}
