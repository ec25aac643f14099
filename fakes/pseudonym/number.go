package pseudonym

import (
	"math/big"
	"strconv"
	"strings"

	"parity/specs/personal"
)

// number gives another number of as many digits: each of them stands for one.
func (b *Book) number(digits string) string {
	if len(digits) < 2 {
		if digits == "" {
			return ""
		}
		return string('0' + (digits[0]-'0'+byte(b.draw("digit")%9)+1)%10)
	}
	return b.mixed(digits)
}

// mixed is a permutation of the numbers of some digits: a Feistel network with the
// halves of the number, as NIST SP 800-38G has it for texts in any alphabet.
func (b *Book) mixed(digits string) string {
	const rounds = 10
	u := len(digits) / 2
	left, right := digits[:u], digits[u:]
	for i := range rounds {
		sum := b.sum("digits", strconv.Itoa(len(digits)), strconv.Itoa(i), right)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(left))), nil)
		n, _ := new(big.Int).SetString("0"+left, 10)
		n.Add(n, new(big.Int).SetBytes(sum[:])).Mod(n, ten)
		text := n.String()
		if len(left) == 0 {
			text = ""
		}
		left, right = right, strings.Repeat("0", max(0, len(left)-len(text)))+text
	}
	return left + right
}

// within goes on with a permutation until it is at a number of the same class, which
// makes it one of the numbers of that class.
func (b *Book) within(digits string, class func(string) bool) string {
	is := class(digits)
	out := b.mixed(digits)
	for range 10_000 {
		if class(out) == is {
			break
		}
		out = b.mixed(out)
	}
	return out
}

// subscriber tells seven digits that a line in North America may have: they begin
// with neither 0 nor 1, and not with 211 to 911.
func subscriber(digits string) bool { return digits[0] >= '2' && digits[1:3] != "11" }

// phone gives the pseudonym of a phone number in the form that it is written in: its
// last seven digits are others, so that it is the same one with the country's code
// and without. One of less than four digits reaches nobody's own line.
func (b *Book) phone(text string) string {
	const line, shortest = 7, 4
	main := text
	if at := strings.IndexAny(text, "xX;#,eE"); at >= 0 { // an extension
		main = text[:at]
	}
	digits := digitsOf(main)
	switch {
	case len(digits) < shortest:
		return text
	case len(digits) < line:
		digits = b.mixed(digits)
	default:
		at := len(digits) - line
		digits = digits[:at] + b.within(digits[at:], subscriber)
	}
	return laid(digits, main) + eachWord(text[len(main):], same, b.number)
}

// line is a phone number, or any other, as one that is told apart whatever stands
// before it: its last digits.
func line(text string) string {
	const least = 10
	digits := digitsOf(text)
	return digits[max(0, len(digits)-max(least, len(digits)*3/4)):]
}

// digitsOf are the digits of a text.
func digitsOf(text string) string {
	return strings.Map(func(c rune) rune {
		if digit(c) {
			return c
		}
		return -1
	}, text)
}

// laid writes digits where a text has its own.
func laid(digits, over string) string {
	out := []byte(over)
	for i, n := 0, 0; i < len(out); i++ {
		if out[i] >= '0' && out[i] <= '9' && n < len(digits) {
			out[i] = digits[n]
			n++
		}
	}
	return string(out)
}

// card gives the pseudonym of a card's number: of the same length and network, with
// the check digit that it has to have (ISO/IEC 7812-1), and with zeros for the rest
// of its issuer's number.
func (b *Book) card(text string) string {
	const network, shortest = 6, 12
	digits := digitsOf(text)
	if len(digits) < shortest {
		return laid(b.number(digits), text)
	}
	begins := digits[:1] + strings.Repeat("0", network-1)
	if digits[0] == '3' || digits[0] == '5' {
		begins = digits[:2] + strings.Repeat("0", network-2)
	}
	// What is told apart is all but the check digit, which follows from the rest.
	out := begins + b.mixed(digits[:len(digits)-1])[network:]
	return laid(out+check(out), text)
}

// check is the digit that Luhn's formula asks for after some others.
func check(digits string) string {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return strconv.Itoa((10 - sum%10) % 10)
}

// account gives the pseudonym of a number of an account or a document: of the same
// form, and with the check of an IBAN where it is one.
func (b *Book) account(text string) string {
	if !personal.IBAN(text) {
		return eachWord(text, b.letters, b.number)
	}
	plain := strings.ReplaceAll(text, " ", "")
	rest := eachWord(plain[4:], b.letters, b.number)
	sum := 98 - personal.Modulo97(plain[:2]+"00"+rest)
	is := plain[:2] + strconv.Itoa(sum/10) + strconv.Itoa(sum%10) + rest
	var out strings.Builder
	for i, n := 0, 0; i < len(text); i++ {
		if text[i] == ' ' {
			out.WriteByte(' ')
			continue
		}
		out.WriteByte(is[n])
		n++
	}
	return out.String()
}

// letters puts another letter in the place of each.
func (b *Book) letters(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return rune(b.singles[c-'a'])
		case c >= 'A' && c <= 'Z':
			return rune(b.singles[c-'A']) - 'a' + 'A'
		}
		return c
	}, text)
}
