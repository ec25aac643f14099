package secret

import "strings"

// Cards hides the numbers of cards but for their last four digits: of 13 to 19
// digits, in groups or not, that pass the check of ISO/IEC 7812-1. In a text that
// is JSON only those that a quote or = is before are, which are no numbers there.
func Cards(s string, json bool) string {
	c := cutter{s: s, hide: func(_, number string) string {
		digits := strings.NewReplacer(" ", "", "-", "").Replace(number)
		return strings.Repeat("*", len(digits)-4) + digits[len(digits)-4:]
	}}
	eachCard(s, json, func(from, to int) { c.cut("", from, to) })
	return c.text()
}

// EachCard finds the numbers of cards in a text, as Cards does, in order.
func EachCard(s string, found func(from, to int)) { eachCard(s, false, found) }

func eachCard(s string, json bool, found func(from, to int)) {
	for i := 0; i < len(s); i++ {
		if s[i] < '3' || s[i] > '6' || i > 0 && (word(s[i-1]) || s[i-1] == '.' || json && s[i-1] != '"' && s[i-1] != '=') {
			continue
		}
		if to := number(s, i); to > i {
			found(i, to)
			i = to - 1
		}
	}
}

// number tells up to where the number of a card stands; at: there is none.
func number(s string, at int) (to int) {
	digits, gaps := make([]byte, 0, 19), 0
	for to = at; to < len(s); to++ {
		switch b := s[to]; {
		case b >= '0' && b <= '9':
			if digits = append(digits, b); len(digits) > 19 {
				return at
			}
			continue
		case (b == ' ' || b == '-') && len(digits)%4 == 0 && to+1 < len(s) && s[to+1] >= '0' && s[to+1] <= '9' && gaps < 4:
			gaps++
			continue
		}
		break
	}
	if to < len(s) && (word(s[to]) || s[to] == '.' && to+1 < len(s) && word(s[to+1])) || len(digits) < 13 || !luhn(digits) {
		return at
	}
	return to
}

// luhn is the check that card numbers pass (ISO/IEC 7812-1, annex B).
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
