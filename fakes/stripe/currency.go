package stripe

import (
	"fmt"
	"strconv"
	"strings"
)

// largestAmount is the most that one payment may be, in minor units.
// Source: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
const largestAmount = 99_999_999

// supported lists the currencies of a United States account.
// Source: docs.stripe.com/currencies.
const supported = "usd, aed, afn, all, amd, ang, aoa, ars, aud, awg, azn, bam, bbd, bdt, bgn, bhd, bif, bmd, bnd, bob, brl, bsd, bwp, byn, bzd, cad, cdf, chf, clp, cny, cop, crc, cve, czk, djf, dkk, dop, dzd, egp, etb, eur, fjd, fkp, gbp, gel, gip, gmd, gnf, gtq, gyd, hkd, hnl, hrk, htg, huf, idr, ils, inr, isk, jmd, jod, jpy, kes, kgs, khr, kmf, krw, kwd, kyd, kzt, lak, lbp, lkr, lrd, lsl, mad, mdl, mga, mkd, mmk, mnt, mop, mur, mvr, mwk, mxn, myr, mzn, nad, ngn, nio, nok, npr, nzd, omr, pab, pen, pgk, php, pkr, pln, pyg, qar, ron, rsd, rub, rwf, sar, sbd, scr, sek, sgd, shp, sle, sos, srd, std, szl, thb, tjs, tnd, top, try, ttd, twd, tzs, uah, ugx, uyu, uzs, vnd, vuv, wst, xaf, xcd, xof, xpf, yer, zar, zmw"

// smallest gives the least that a payment may be, in minor units.
// Source: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts.
func smallest(currency string) int64 {
	switch currency {
	case "usd", "aud", "brl", "cad", "chf", "eur", "inr", "jpy", "nzd", "sgd":
		return 50
	case "gbp":
		return 30
	case "bgn":
		return 100
	case "aed", "myr", "pln", "ron":
		return 200
	case "dkk":
		return 250
	case "nok", "sek":
		return 300
	case "hkd":
		return 400
	case "mxn", "thb":
		return 1000
	case "czk":
		return 1500
	case "huf":
		return 17500
	}
	return 1
}

// decimals tells how many digits the minor unit has: none for currencies such
// as the yen. Source: docs.stripe.com/currencies#zero-decimal.
func decimals(currency string) int {
	switch currency {
	case "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf":
		return 0
	case "bhd", "jod", "kwd", "omr", "tnd":
		return 3
	}
	return 2
}

// money writes an amount as Stripe's errors do: $1,020.00, €0.50, ¥50.
func money(amount int64, currency string) string {
	sign, digits, fraction := "", strconv.FormatInt(amount, 10), ""
	if amount < 0 {
		sign, digits = "-", digits[1:]
	}
	if places := decimals(currency); places > 0 {
		for len(digits) <= places {
			digits = "0" + digits
		}
		fraction = "." + digits[len(digits)-places:]
		digits = digits[:len(digits)-places]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	digits += fraction
	switch currency {
	case "usd", "aud", "cad", "hkd", "nzd", "sgd", "mxn":
		return sign + "$" + digits
	case "eur":
		return sign + "€" + digits
	case "gbp":
		return sign + "£" + digits
	case "jpy", "cny":
		return sign + "¥" + digits
	case "inr":
		return sign + "₹" + digits
	}
	return sign + digits + " " + strings.ToUpper(currency)
}

// currencyOf reads a currency: any case is taken, lower case is kept.
func currencyOf(sent string) (string, *refusal) {
	currency := strings.ToLower(sent)
	if len(currency) != 3 || !strings.Contains(", "+supported+",", ", "+currency+",") {
		return "", unsaved(invalid("currency", "", "Invalid currency: %s. Stripe currently supports these currencies: %s", sent, supported))
	}
	return currency, nil
}

// payable refuses amounts that Stripe does not take.
func payable(amount int64, currency string) *refusal {
	switch {
	case amount < 0:
		return unsaved(notPositive("amount"))
	case amount == 0:
		return unsaved(invalid("amount", parameterInteger, tooLittle))
	case amount < smallest(currency):
		return invalid("amount", "amount_too_small", "Amount must be at least %s %s", money(smallest(currency), currency), currency)
	case amount > largestAmount:
		return invalid("amount", "amount_too_large", "Amount must be no more than %s", money(largestAmount, currency))
	}
	return nil
}

// tooLittle is Stripe's answer to an amount of nothing, as recorded.
const tooLittle = "The amount must be greater than or equal to the minimum charge amount allowed for your account and the currency set (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).  If you want to save a Payment Method for future use without an immediate payment, use a Setup Intent instead: https://docs.stripe.com/payments/setup-intents"

func notPositive(param string) *refusal {
	return invalid(param, parameterInteger, "Invalid positive integer")
}

// overRefund words a refund of more than is left.
func overRefund(amount, left int64, currency string) *refusal {
	return invalid("amount", "", fmt.Sprintf("Refund amount (%s) is greater than unrefunded amount on charge (%s)", money(amount, currency), money(left, currency)))
}
