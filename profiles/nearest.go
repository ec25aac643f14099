package profiles

import (
	"fmt"
	"strings"
)

// didYouMean gives a hint that names the known word nearest to s, or, where
// none is near, all of them if they are few.
func didYouMean(s string, known []string) string {
	if word, ok := nearest(s, known); ok {
		return "did you mean " + word
	}
	if len(known) > 0 && len(known) <= 40 {
		return "there is " + strings.Join(known, ", ")
	}
	return ""
}

// nearest finds the known word that takes the fewest edits, if that is at most
// a third of its length.
func nearest(s string, known []string) (string, bool) {
	best, least := "", -1
	for _, word := range known {
		d := distance(strings.ToLower(s), strings.ToLower(word))
		if d <= max(1, max(len(s), len(word))/3) && (least < 0 || d < least) {
			best, least = word, d
		}
	}
	return best, least >= 0
}

// maxCompared bounds the work of one comparison.
const maxCompared = 200

// distance counts the edits between two words: insert, delete, replace, or
// swap two neighbours.
func distance(a, b string) int {
	if len(a) > maxCompared || len(b) > maxCompared {
		return maxCompared
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// shorten keeps a value quotable in one line of a message.
func shorten(s string) string {
	s = strings.ToValidUTF8(s, "?")
	if runes := []rune(s); len(runes) > 60 {
		s = string(runes[:57]) + "..."
	}
	return fmt.Sprintf("%q", s)
}
