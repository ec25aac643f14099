package verdict

import (
	"strings"

	"parity/specs/words"
)

// moves has the records that move money, and the word for making one.
// A table of English, not of any one service.
func moves(noun string) (string, bool) {
	switch noun {
	case "charge", "payment":
		return "charged", true
	case "refund":
		return "refunded", true
	case "payout":
		return "paid out", true
	case "transfer":
		return "transferred", true
	}
	return "", false
}

func movesMoney(noun string) bool {
	_, ok := moves(noun)
	return ok
}

// verbOf words the making of a record.
func verbOf(noun string) string {
	if verb, ok := moves(noun); ok {
		return verb
	}
	switch noun {
	case "message", "mail", "email":
		return "sent"
	}
	return "created " + words.A(noun)
}

// stepOf words a call that changed a record: by the last word of its path, if
// that is one.
func stepOf(c *call, noun string) string {
	path := c.x.Operation
	switch path[strings.LastIndexByte(path, '/')+1:] {
	case "capture":
		return "captured"
	case "cancel":
		return "cancelled"
	case "confirm":
		return "confirmed"
	case "pay":
		return "paid"
	}
	return "changed " + words.A(noun)
}

// nounOf names a record: by its own type, else by its collection.
func nounOf(t *touched) string {
	noun := text(t.value, "object")
	if noun == "" {
		noun = kindOf(t.Collection)
	}
	return strings.ReplaceAll(noun, "_", " ")
}

// kindOf is what one record of a collection is called.
func kindOf(collection string) string {
	return strings.ReplaceAll(words.Singular(collection[strings.LastIndexByte(collection, '.')+1:]), "_", " ")
}

// sum is an amount of money in minor units.
type sum struct {
	amount   int64
	currency string
}

// moved is the money of a record. What a record only promises (a status of
// requires_…) has not moved.
func moved(value map[string]any) sum {
	amount, ok := value["amount"].(int64)
	if !ok || strings.HasPrefix(text(value, "status"), "requires_") {
		return sum{}
	}
	return sum{amount, text(value, "currency")}
}

// String writes money with the digits that its currency has: 120.00 USD.
func (s sum) String() string { return words.Money(s.amount, s.currency) }

// tally adds effects up: 2 refunds, 240.00 USD.
func tally(done []effect) string {
	var nouns, currencies []string
	number, amounts := map[string]int{}, map[string]int64{}
	for _, e := range done {
		if number[e.noun] == 0 {
			nouns = append(nouns, e.noun)
		}
		number[e.noun]++
		if e.sum.currency == "" {
			continue
		}
		if _, ok := amounts[e.sum.currency]; !ok {
			currencies = append(currencies, e.sum.currency)
		}
		amounts[e.sum.currency] += e.sum.amount
	}
	parts := make([]string, len(nouns))
	for i, noun := range nouns {
		parts[i] = words.Count(number[noun], noun)
	}
	for _, currency := range currencies {
		parts = append(parts, sum{amounts[currency], currency}.String())
	}
	return strings.Join(parts, ", ")
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
