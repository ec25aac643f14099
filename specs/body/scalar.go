package body

import (
	"math"
	"strconv"
	"strings"
)

// scalar gives text the first type that it can have here; text that has none
// of them stays text.
func (s shape) scalar(text string) any {
	if s.kinds&(anInteger|aNumber|aBoolean) == 0 {
		return text
	}
	strict := s.takes(aString) // then 007 is no number, but a code
	if s.takes(anInteger|aNumber) && isDecimal(text) && !(strict && padded(text)) {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
		if s.takes(aNumber) {
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				return whole(n)
			}
		}
	}
	if s.takes(aBoolean) && (text == "true" || text == "false") {
		return text == "true"
	}
	return text
}

// nested is scalar for text inside a list: parts of parts, for which no style
// has a form, are JSON there.
func (s shape) nested(text string) any {
	if s.takes(anArray|anObject) && !s.takes(aString) && text != "" && (text[0] == '{' || text[0] == '[') {
		if value, wrong := DecodeJSON([]byte(text)); wrong == nil {
			return value
		}
	}
	return s.scalar(text)
}

// isDecimal keeps out what Go's parsers take and JSON does not: hexadecimal,
// underscores, inf, nan, a plus in front.
func isDecimal(text string) bool {
	if text == "" || text[0] == '+' || text[0] == '.' {
		return false
	}
	return strings.Trim(text, "0123456789.-+eE") == ""
}

// padded tells whether a number has noughts in front.
func padded(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

// whole gives an integral number as int64, if it fits.
func whole(n float64) any {
	const exact = 1 << 53
	if n == math.Trunc(n) && n >= -exact && n <= exact {
		return int64(n)
	}
	return n
}
