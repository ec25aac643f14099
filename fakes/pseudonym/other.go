package pseudonym

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"parity/specs/personal"
	"parity/specs/secret"
)

// Days that somebody may have been born on: a pseudonym is another of them.
const days = 36_524

// firstDay is the first of them.
func firstDay() time.Time { return time.Date(1924, 1, 1, 0, 0, 0, 0, time.UTC) }

// birth gives the pseudonym of a day, in the form that it is written in; what is no
// day in a usual form has other digits.
func (b *Book) birth(text string) string {
	for _, layout := range []string{"2006-01-02", "20060102", "01/02/2006", "2006/01/02", "02.01.2006", time.RFC3339} {
		if day, err := time.Parse(layout, text); err == nil {
			return b.day(day).Format(layout)
		}
	}
	return eachWord(text, same, b.number)
}

// day gives another day: a step around the circle of days that only the key tells.
func (b *Book) day(of time.Time) time.Time {
	const hour = 24 * time.Hour
	at := int(of.Truncate(hour).Sub(firstDay()) / hour)
	step := 1 + int(b.draw("day")%(days-1)) //nolint:gosec // it is below days
	return firstDay().AddDate(0, 0, ((at+step)%days+days)%days)
}

// network gives the pseudonym of the address of a machine: one that is private, or
// kept for documentation (RFC 1918, 3849).
func (b *Book) network(text string) string {
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return eachWord(text, same, b.number)
	}
	key := "network " + ip.String()
	for try := 0; b.words[key] == ""; try++ {
		sum := b.sum(key, strconv.Itoa(try))
		is := netip.AddrFrom4([4]byte{10, sum[0], sum[1], sum[2]})
		if ip.Is6() {
			wide := [16]byte{0x20, 0x01, 0x0d, 0xb8}
			copy(wide[4:], sum[:])
			is = netip.AddrFrom16(wide)
		}
		if !b.taken[is.String()] {
			b.words[key], b.taken[is.String()] = is.String(), true
		}
	}
	return b.words[key]
}

// mark stands for a credential: the same for the same one, and no credential.
func (b *Book) mark(text string) string {
	if marked(text) {
		return text
	}
	sum := b.sum("mark", text)
	const letters = 8
	code := make([]byte, letters)
	for i := range code {
		code[i] = 'a' + sum[i]%26
	}
	return secret.Opening + "-" + string(code) + ")"
}

func marked(text string) bool { return strings.HasPrefix(text, secret.Opening) }

// born gives the pseudonym of a day that an object has as day, month and year.
func (b *Book) born(object map[string]any) bool {
	day, ok1 := object["day"].(int64)
	month, ok2 := object["month"].(int64)
	year, ok3 := object["year"].(int64)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	is := b.day(time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC))
	object["day"], object["month"], object["year"] = int64(is.Day()), int64(is.Month()), int64(is.Year())
	return true
}

// numeric tells whether what is of a kind may be a number in JSON.
func numeric(kind personal.Kind) bool {
	return kind == personal.Phone || kind == personal.Account || kind == personal.Card
}
