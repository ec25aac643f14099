package words

import (
	"strconv"
	"strings"
)

// Money writes an amount in minor units with the digits that its currency has:
// 120.00 USD. Without a currency it is "".
func Money(minor int64, currency string) string {
	if currency == "" {
		return ""
	}
	sign := ""
	if minor < 0 {
		minor, sign = -minor, "-"
	}
	whole := strconv.FormatInt(minor, 10)
	if digits := decimals(strings.ToLower(currency)); digits > 0 {
		for len(whole) <= digits {
			whole = "0" + whole
		}
		whole = whole[:len(whole)-digits] + "." + whole[len(whole)-digits:]
	}
	return sign + whole + " " + strings.ToUpper(currency)
}

// decimals tells how many digits the minor unit of a currency has.
// Source: docs.stripe.com/currencies, zero-decimal and three-decimal.
func decimals(currency string) int {
	switch currency {
	case "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf":
		return 0
	case "bhd", "jod", "kwd", "omr", "tnd":
		return 3
	}
	return 2
}
