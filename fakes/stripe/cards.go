package stripe

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"parity/fakes/kit"
	"parity/fakes/world"
)

// A card is one of Stripe's test cards and how it behaves.
// Source: docs.stripe.com/testing.
type card struct {
	token   string // the end of pm_card_… and tok_…
	number  string
	brand   string
	funding string
	country string  // "": the United States
	decline decline // when it is charged
	attach  bool    // it can be given to a customer although it declines
	auth    bool    // it asks its holder to authenticate
	refund  string  // the status of its refunds; "" succeeds
	dispute string  // why its charges are disputed at once; "" they are not
	inquiry bool    // the dispute is an inquiry: nothing is taken yet
	settled bool    // what it pays can be used at once
}

// A decline is why an issuer, or Stripe, says no.
type decline struct {
	code    string // the error's code
	reason  string // decline_code
	message string
	param   string // the parameter that is to blame
	advice  string
	network string // network_decline_code
	blocked bool   // by Stripe, not by the issuer
}

func (d decline) happens() bool { return d.code != "" }

// deck finds cards by token, and by what a stored payment method shows.
type deck struct {
	byToken map[string]card
	byMark  map[string]card
	byPrint map[string]card // by fingerprint
	byFace  map[string]card
}

func newDeck() deck {
	d := deck{byToken: map[string]card{}, byMark: map[string]card{}, byPrint: map[string]card{}, byFace: map[string]card{}}
	for _, one := range cardsByCountry() {
		d.byToken[one.token], d.byMark[one.mark()], d.byPrint[one.fingerprint()] = one, one, one
	}
	for _, one := range testCards() { // whose last digits tell them apart
		d.byToken[one.token], d.byMark[one.mark()], d.byPrint[one.fingerprint()] = one, one, one
		d.byFace[face(one.brand, one.last4())] = one
	}
	return d
}

// token finds a card by pm_card_visa, pm_card_chargeDeclined,
// pm_card_visa_chargeDeclined, tok_visa and so on.
func (d deck) token(token string) (card, bool) {
	end, ok := strings.CutPrefix(token, "pm_card_")
	if !ok {
		if end, ok = strings.CutPrefix(token, "tok_"); !ok {
			return card{}, false
		}
	}
	if found, ok := d.byToken[end]; ok {
		return found, true
	}
	found, ok := d.byToken[strings.TrimPrefix(end, "visa_")]
	return found, ok
}

// A method that was only read by its token has an id that tells the card, so
// that it can be made when it is used.
const (
	unmadePrefix = "pm_1T"
	unmadeNonce  = 14
)

// mark stands for a card in an id.
func (k card) mark() string {
	sum := sha256.Sum256([]byte(k.token))
	return hex.EncodeToString(sum[:4])
}

// unmade finds the card of a method that was read, and is not there.
func (d deck) unmade(id string) (card, bool) {
	rest, ok := strings.CutPrefix(id, unmadePrefix)
	if !ok || len(rest) <= unmadeNonce {
		return card{}, false
	}
	found, ok := d.byMark[rest[:len(rest)-unmadeNonce]]
	return found, ok
}

// of finds the card that a payment method record shows. A card that is none of
// Stripe's test cards, such as a fixture's, simply works.
func (d deck) of(method *world.Record) card {
	if found, ok := d.byPrint[kit.Text(method.Value(), "card.fingerprint")]; ok {
		return found
	}
	brand, last4 := kit.Text(method.Value(), "card.brand"), kit.Text(method.Value(), "card.last4")
	if found, ok := d.byFace[face(brand, last4)]; ok {
		return found
	}
	return card{brand: brand, number: last4}
}

func face(brand, last4 string) string { return brand + " " + last4 }

func (k card) last4() string { return k.number[max(0, len(k.number)-4):] }

// fingerprint is the same for the same number, as at Stripe.
func (k card) fingerprint() string {
	sum := sha256.Sum256([]byte(k.number))
	return hex.EncodeToString(sum[:8])
}

// testCards is the table of docs.stripe.com/testing, as far as cards go.
func testCards() []card {
	const visa, credit = "visa", "credit"
	good := []card{
		{token: "visa", number: "4242424242424242", brand: visa, funding: credit},
		{token: "visa_debit", number: "4000056655665556", brand: visa, funding: "debit"},
		{token: "mastercard", number: "5555555555554444", brand: "mastercard", funding: credit},
		{token: "mastercard_debit", number: "5200828282828210", brand: "mastercard", funding: "debit"},
		{token: "mastercard_prepaid", number: "5105105105105100", brand: "mastercard", funding: "prepaid"},
		{token: "amex", number: "378282246310005", brand: "amex", funding: credit},
		{token: "discover", number: "6011111111111117", brand: "discover", funding: credit},
		{token: "diners", number: "3056930009020004", brand: "diners", funding: credit},
		{token: "jcb", number: "3566002020360505", brand: "jcb", funding: credit},
		{token: "unionpay", number: "6200000000000005", brand: "unionpay", funding: credit},
		{token: "bypassPending", number: "4000000000000077", brand: visa, funding: credit, settled: true},
		{token: "threeDSecureOptional", number: "4000000000003055", brand: visa, funding: credit},
		{token: "authenticationRequired", number: "4000002760003184", brand: visa, funding: credit, country: "DE", auth: true},
		{token: "authenticationRequiredOnSetup", number: "4000002500003155", brand: visa, funding: credit, auth: true},
		{token: "authenticationRequiredSetupForOffSession", number: "4000003800000446", brand: visa, funding: credit},
		{token: "threeDSecureRequired", number: "4000000000003063", brand: visa, funding: credit, auth: true},
		{token: "threeDSecure2Required", number: "4000000000003220", brand: visa, funding: credit, auth: true},
		{token: "createDispute", number: "4000000000000259", brand: visa, funding: credit, dispute: "fraudulent"},
		{token: "createDisputeProductNotReceived", number: "4000000000002685", brand: visa, funding: credit, dispute: "product_not_received"},
		{token: "createDisputeInquiry", number: "4000000000001976", brand: visa, funding: credit, dispute: "fraudulent", inquiry: true},
		{token: "pendingRefund", number: "4000000000007726", brand: visa, funding: credit, refund: "pending"},
		{token: "refundFail", number: "4000000000005126", brand: visa, funding: credit, refund: "failed"},
	}
	return append(good, decliningCards()...)
}

func decliningCards() []card {
	generic := func(reason string) decline {
		return decline{code: "card_declined", reason: reason, message: "Your card was declined.", advice: "try_again_later", network: "01"}
	}
	funds := decline{code: "card_declined", reason: "insufficient_funds", message: "Your card has insufficient funds.", advice: "try_again_later", network: "51"}
	lost, stolen, velocity := generic("lost_card"), generic("stolen_card"), generic("card_velocity_exceeded")
	lost.advice, lost.network = "do_not_try_again", "41"
	stolen.advice, stolen.network = "do_not_try_again", "43"
	velocity.message, velocity.network = "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.", "61"
	fraud := decline{code: "card_declined", reason: "fraudulent", message: "Your card was declined.", advice: "do_not_try_again", blocked: true}
	const expired, cvc, processing = "expired_card", "incorrect_cvc", "processing_error"
	cards := []card{
		{token: "chargeDeclined", number: "4000000000000002", decline: generic("generic_decline")},
		{token: "chargeDeclinedInsufficientFunds", number: "4000000000009995", decline: funds},
		{token: "chargeDeclinedLostCard", number: "4000000000009987", decline: lost},
		{token: "chargeDeclinedStolenCard", number: "4000000000009979", decline: stolen},
		{token: "chargeDeclinedVelocityLimitExceeded", number: "4000000000006975", decline: velocity},
		{token: "chargeDeclinedFraudulent", number: "4100000000000019", decline: fraud, attach: true},
		{token: "radarBlock", number: "4100000000000019", decline: fraud, attach: true},
		{token: "riskLevelHighest", number: "4000000000004954", decline: fraud, attach: true},
		{token: "chargeDeclinedExpiredCard", number: "4000000000000069", decline: decline{code: expired, reason: expired, message: "Your card has expired.", param: "exp_month", advice: "do_not_try_again", network: "54"}},
		{token: "chargeDeclinedIncorrectCvc", number: "4000000000000127", decline: decline{code: cvc, reason: cvc, message: "Your card's security code is incorrect.", param: "cvc", advice: "confirm_card_data", network: "82"}},
		{token: "chargeDeclinedProcessingError", number: "4000000000000119", decline: decline{code: processing, reason: processing, message: "An error occurred while processing your card. Try again in a little bit.", advice: "try_again_later", network: "96"}},
		{token: "chargeCustomerFail", number: "4000000000000341", decline: generic("generic_decline"), attach: true},
		{token: "authenticationRequiredChargeDeclinedInsufficientFunds", number: "4000008260003178", decline: funds, auth: true, attach: true},
	}
	for i := range cards {
		cards[i].brand, cards[i].funding = "visa", "credit"
	}
	return cards
}
