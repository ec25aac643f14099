package verdict

import (
	"strings"

	"parity/faults"
)

// tellsOf tells whether a read can show that a value was wrong: it is of the same
// record or list, or has the right value. Another item of a list shows nothing of
// the one in which it was wrong.
func tellsOf(f firing, n *call) bool {
	switch {
	case f.class() != faults.Untrue:
		return true
	case single(f.c) || single(n):
		return single(f.c) && sharesPath(n, f.c) || saysTruth(f, string(n.x.ReplyBody))
	}
	return n.x.Path == f.c.x.Path || lastNoun(n) == lastNoun(f.c)
}

// sharesPath tells two calls about one record, or a record and a list of its kind.
func sharesPath(n, c *call) bool {
	return n.x.Path == c.x.Path || strings.HasPrefix(n.x.Path, c.x.Path+"/") || !single(n) && lastNoun(n) == lastNoun(c) && showsAny(n, segments(c.x.Path)[len(segments(c.x.Path))-1:])
}

// goesByTruth tells an act that has in it what the bad answer should have said.
func goesByTruth(n *call, f firing) bool { return saysTruth(f, string(n.x.Body)) }

// saysTruth tells a text that has what the bad answer should have said.
func saysTruth(f firing, text string) bool {
	truth, ok := faults.Truth(f.s.Did)
	truth = strings.TrimPrefix(truth, "-")
	return ok && len(truth) > 1 && strings.Contains(text, truth)
}

// holeIn names what in a body stands for nothing: a field that is null, or the
// word that a language has for it.
func holeIn(body []byte) string {
	text := string(body)
	for _, word := range []string{"undefined", "[object Object]", "NaN", "nan", "None", "null", "nil", "\ufffd"} {
		i := strings.Index(text, word)
		if i < 0 {
			continue
		}
		before, after := byte(' '), byte(' ')
		if i > 0 {
			before = text[i-1]
		}
		if end := i + len(word); end < len(text) {
			after = text[end]
		}
		if word != "\ufffd" && (inWord(before) && before != '.' || inWord(after) && after != '.') {
			continue
		}
		if word == "None" && opens(text[:i]) && after == ' ' {
			continue // "None is missing."
		}
		return word
	}
	return ""
}

// opens tells whether a sentence begins after a text.
func opens(text string) bool {
	text = strings.TrimRight(text, " ")
	return text == "" || strings.ContainsRune(".!?\"'\n(", rune(text[len(text)-1]))
}
