// Package words says in English what names and numbers mean, and how near one
// name is to another.
//
//	Count(2, "reply") ─▶ 2 replies     Singular("entries") ─▶ entry     Edits("amuont", "amount") ─▶ 2
package words

import (
	"strconv"
	"strings"
	"unicode"
)

// Singular is the word for one of a collection: charges has charge, entries has
// entry.
func Singular(collection string) string {
	if stem, ok := strings.CutSuffix(collection, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(collection, "s")
}

// Bare gives a name in any way of writing as one: templateID, template_id.
func Bare(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// Split takes a name apart into words, in lower case: getHTTPUsers is get http
// users.
func Split(name string) []string {
	var found []string
	runes := []rune(name)
	begin := 0
	end := func(i int) {
		if i > begin {
			found = append(found, strings.ToLower(string(runes[begin:i])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end(i)
			begin = i + 1
		case i > begin && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end(i)
			begin = i
		}
	}
	end(len(runes))
	return found
}

// A puts the article before a noun: a charge, an issue, a user.
func A(noun string) string {
	if noun != "" && strings.ContainsRune("aeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// Count words a number of things: 1 call, 2 replies, 3 ways of thinking.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if head, tail, ok := strings.Cut(noun, " of "); ok {
		return strconv.Itoa(n) + " " + head + "s of " + tail
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Or lists what there is to choose from: text, json or yaml.
func Or(choices []string) string { return joined(choices, " or ") }

// And lists what is meant together: limits, timing and auth.
func And(names []string) string { return joined(names, " and ") }

func joined(names []string, by string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + by + names[last]
}

// Apart leaves of two texts what shows in which they differ, where that stands
// behind the first most characters: at most as many, around the first difference.
//
//	…on Monday 30 November at 09:00 UTC; you'll get…   …on Monday 30 November at 09:30 UTC; you'll get…
func Apart(a, b string, most int) (string, string) {
	x, y := []rune(a), []rune(b)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	if same == len(x) && same == len(y) || same < most-most/6 {
		return a, b
	}
	begin := same - most/2
	for at := begin; at < same; at++ { // at the beginning of a word, if one begins there
		if x[at] == ' ' {
			begin = at + 1
			break
		}
	}
	around := func(text []rune) string {
		end := min(len(text), begin+most-2)
		if end < len(text) {
			return "…" + string(text[begin:end]) + "…"
		}
		return "…" + string(text[begin:])
	}
	return around(x), around(y)
}

// Edits counts the bytes that are put in, taken out or changed on the way from a
// to b.
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			row[j+1] = min(above, row[j]) + 1
			if a[i] == b[j] {
				row[j+1] = min(row[j+1], diagonal)
			} else {
				row[j+1] = min(row[j+1], diagonal+1)
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
