package sample

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// text makes a string. Where a schema asks for one that is no segment, such as an
// address, that is what it gets.
func (r *run) text(sh *shape, at place) (any, bool) {
	text, ok := r.written(sh, at)
	if ok || !r.Segment {
		return text, ok
	}
	loose := *r.Maker
	loose.Segment = false
	free := run{Maker: &loose, library: r.library}
	text, ok = free.written(sh, at)
	return text, ok && text != ""
}

// written makes a string: the first that fits of one by its format, an example,
// one that suits the name, one by its pattern, and one of the length asked for.
func (r *run) written(sh *shape, at place) (string, bool) {
	ok := func(text string) bool { return r.textOK(sh, text) }
	for _, format := range sh.formats {
		text, known := r.formatted(format, at)
		if known && ok(text) {
			return text, true
		}
		if format == "date-time" { // of another length, or by another pattern
			for _, layout := range []string{"2006-01-02T15:04:05+00:00", "2006-01-02T15:04:05.000Z", "2006-01-02T15:04:05.000000Z", "2006-01-02T15:04:05.000+00:00"} {
				if text := r.moment(at, wordsOf(at.name)).Format(layout); ok(text) {
					return text, true
				}
			}
		}
	}
	examples := sh.hinted()
	words := wordsOf(at.name)
	for _, example := range examples {
		text, is := example.(string)
		if !is {
			continue
		}
		switch {
		case slices.Contains(words, "email") && strings.Contains(text, "@"):
			text = r.email(at)
		case varies(at.name):
			text = r.alike(text, at)
		case timely(words):
			text = r.renewed(text, at, words)
		}
		if ok(text) {
			return text, true
		}
	}
	text, known := r.suiting(at)
	if known && ok(text) {
		return text, true
	}
	if found, ok := r.byPattern(sh, at); ok {
		return found, true
	}
	for _, example := range examples {
		if text, is := example.(string); is && ok(text) {
			return text, true
		}
	}
	if r.Segment {
		text = r.word(at)
	}
	if text = sized(text, sh.short, sh.long, r.Segment); ok(text) {
		return text, true
	}
	return text, false
}

// textOK tells whether a text fits, in a path too where that is asked for.
func (r *run) textOK(sh *shape, text string) bool {
	if sh.short > 0 || sh.long < maxText*4 {
		if length := utf8.RuneCountInString(text); length < sh.short || length > sh.long {
			return false
		}
	}
	for _, pattern := range sh.patterns {
		if !r.library.matches(pattern, text) {
			return false
		}
	}
	for _, format := range sh.formats {
		if !formatFits(format, text) {
			return false
		}
	}
	return !r.Segment || segment(text)
}

// segment tells whether a text may stand in a path or a header as it is.
func segment(text string) bool {
	if text == "" || strings.Trim(text, ".") == "" {
		return false
	}
	for _, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.~:@", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// byPattern writes a text by the first pattern that has a tree.
func (r *run) byPattern(sh *shape, at place) (string, bool) {
	short := sh.short
	if r.Segment {
		short = max(short, 1)
	}
	for i, pattern := range sh.patterns {
		text, ok := r.library.expressions.get(pattern).write(func(try, position, n int) int {
			return r.draw(at.key+"#pattern"+strconv.Itoa(i)+" "+strconv.Itoa(try)+" "+strconv.Itoa(position), n)
		}, short, sh.long, func(text string) bool { return r.textOK(sh, text) })
		if ok {
			return text, true
		}
	}
	return r.joined(sh, at)
}

// joined puts together a text of several patterns, of which each tells a part:
// how it begins, how it ends.
func (r *run) joined(sh *shape, at place) (string, bool) {
	if len(sh.patterns) < 2 || len(sh.patterns) > 8 {
		return "", false
	}
	for try := range maxTries {
		var begin, middle, end string
		for i, pattern := range sh.patterns {
			e := r.library.expressions.get(pattern)
			if e.tree == nil {
				return "", false
			}
			text := e.once(e.tree, func(place, n int) int {
				return r.draw(at.key+"#joined"+strconv.Itoa(i)+" "+strconv.Itoa(try)+" "+strconv.Itoa(place), n)
			}, 3, false, false)
			first, last := strings.HasPrefix(pattern, "^"), strings.HasSuffix(pattern, "$")
			switch {
			case first && !last:
				begin += text
			case last && !first:
				end += text
			default:
				middle += text
			}
		}
		for _, text := range []string{begin + middle + end, begin + end, middle} {
			if r.textOK(sh, text) {
				return text, true
			}
		}
	}
	return "", false
}

// sized cuts a text to a length, or fills it up.
func sized(text string, short, long int, dense bool) string {
	if short > maxText*16 {
		return text
	}
	runes := []rune(text)
	if len(runes) > long {
		runes = runes[:long]
		for i := len(runes) - 1; i > 0 && i >= short && unicode.IsSpace(runes[i]); i-- {
			runes = runes[:i]
		}
	}
	const filler = "lorem ipsum dolor sit amet consectetur adipiscing elit "
	for i := len(runes); i < short; i++ {
		c := rune(filler[i%len(filler)])
		if c == ' ' && (dense || i == short-1) {
			c = 'x'
		}
		runes = append(runes, c)
	}
	return string(runes)
}

// renewed is another time, written as an example is.
func (r *run) renewed(example string, at place, words []string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.000Z", time.DateTime, time.DateOnly, "2006-01-02T15:04:05"} {
		if _, err := time.Parse(layout, example); err == nil {
			return r.moment(at, words).Format(layout)
		}
	}
	return example
}

// alike draws another text of the same form as an example: what comes before
// the last _ or - near its beginning stays, and other letters and digits are
// drawn anew.
func (r *run) alike(example string, at place) string {
	if strings.ContainsAny(example, " /@:<{") || len(example) > 80 {
		return example
	}
	out := []byte(example)
	from := strings.LastIndexByte(example[:min(len(example), 12)], '_') + 1
	if from == 0 {
		from = strings.IndexByte(example, '-') + 1
		if from > 6 || strings.Count(example, "-") > 1 {
			from = 0
		}
	}
	if len(out)-from < 3 { // nothing to vary
		return example
	}
	hex := strings.Trim(example[from:], "0123456789abcdef-") == ""
	digits := "0123456789"
	for i := from; i < len(out); i++ {
		switch c := out[i]; {
		case c >= '0' && c <= '9' && i == from:
			out[i] = digits[1+r.pick(at, "alike"+strconv.Itoa(i), 9)]
		case c >= '0' && c <= '9':
			out[i] = digits[r.pick(at, "alike"+strconv.Itoa(i), 10)]
		case hex && c >= 'a' && c <= 'f':
			out[i] = "abcdef"[r.pick(at, "alike"+strconv.Itoa(i), 6)]
		case c >= 'a' && c <= 'z':
			out[i] = byte('a' + r.pick(at, "alike"+strconv.Itoa(i), 26))
		case c >= 'A' && c <= 'Z':
			out[i] = byte('A' + r.pick(at, "alike"+strconv.Itoa(i), 26))
		}
	}
	return string(out)
}
