package report

import (
	"fmt"
	"strings"
	"time"

	"parity/fakes/world"
	"parity/faults/trail"
)

// busy is a run of n exchanges: charges that are made and read again, some
// replies lost, some calls refused, with edits by others, webhooks and moves of
// the clock between them, and a report on it.
func busy(n int) (Report, []trail.Event, map[uint64]trail.Settlement) {
	b := &builder{at: time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC), settled: map[uint64]trail.Settlement{}}
	b.add(trail.Event{Kind: trail.Started, Start: &trail.Start{Seed: 7, Profile: "rough-afternoon", Mode: "stepped", Step: time.Second}})
	r := sample()
	for i := range n {
		switch {
		case i%5 == 1:
			b.charge(i)
		case i%5 == 3:
			b.balance(i)
		default:
			b.list(i)
		}
		if i%100 == 50 {
			b.around(i)
		}
	}
	failing(&r)
	r.Exchanges = n
	r.Verdicts[0].Evidence, r.Verdicts[2].Evidence = b.lost[:min(2, len(b.lost))], b.lost[:min(2, len(b.lost))]
	if len(b.lost) > 1 {
		line := fmt.Sprintf("#%d charged, reply lost   #%d sent again with a new key: 2 charges, 240.00 USD", b.lost[0], b.lost[1])
		r.Verdicts[0].Lines, r.Verdicts[2].Lines = []string{line}, []string{line}
	}
	return r, b.events, b.settled
}

type builder struct {
	events   []trail.Event
	settled  map[uint64]trail.Settlement
	at       time.Time
	lost     []uint64
	balances int
}

func (b *builder) add(e trail.Event) {
	b.at = b.at.Add(1237 * time.Millisecond)
	e.Seq, e.At, e.Revision = uint64(len(b.events)+1), trail.At(b.at), "c3d4e5f6a7b8"
	b.events = append(b.events, e)
	if e.Exchange != nil {
		b.settled[e.Seq] = trail.Settlement{Of: e.Seq, Sent: int64(e.Exchange.Wire.Showed(len(e.Exchange.ReplyBody))), Took: 3 * time.Millisecond, Proto: "HTTP/2.0"}
	}
}

func (b *builder) exchange(i int, method, path, effect string) *trail.Exchange {
	return &trail.Exchange{
		Way: "connect", Service: "stripe", Operation: method + " " + path, Effect: effect, Method: method, Host: "api.stripe.com", Path: path,
		Header:  []trail.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "User-Agent", Value: "agent/1.0"}},
		Intent:  trail.Intent{ID: fmt.Sprintf("f%d.1", i), Attempt: 1},
		Outcome: trail.Answered, Fidelity: trail.Modelled, Status: 200, Whole: true,
		ReplyHeader: []trail.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Request-Id", Value: fmt.Sprintf("req_%d", i)}},
	}
}

func (b *builder) charge(i int) {
	const lostEvery = 500
	attempts := 1
	if i%lostEvery == 1 {
		attempts = 2
	}
	for attempt := 1; attempt <= attempts; attempt++ {
		id := fmt.Sprintf("ch_%d_%d", i, attempt)
		x := b.exchange(i, "POST", "/v1/charges", "irreversible")
		x.Intent.Attempt, x.Intent.Key, x.Committed = attempt, fmt.Sprintf("key-%d-%d", i, attempt), true
		x.Body = fmt.Appendf(nil, `{"amount":%d,"currency":"usd","source":"tok_visa","metadata":{"order":"%d"}}`, 1000+i, i)
		x.ReplyBody = chargeJSON(id, i)
		if i%50 == 1 {
			x.ReplyBody = append(x.ReplyBody[:len(x.ReplyBody)-1], `,"client_secret":"pi_1_secret_hush0hush0"}`...)
		}
		if attempt < attempts {
			x.Wire = trail.Wire{NoHead: true, End: trail.Reset}
			x.Whole = false
			x.Strikes = []trail.Strike{{Rule: "lose-a-big-refund", Fault: "ambiguous-success", Phase: "after", Index: 1, Fired: true, Required: true}}
		}
		if attempts > 1 {
			b.lost = append(b.lost, uint64(len(b.events)+1))
		}
		b.add(trail.Event{Kind: trail.Exchanged, Identity: "stripe-a", Exchange: x, Delta: []trail.Change{{Op: world.Create, Collection: "stripe.charges", ID: id, Version: 1, After: x.ReplyBody}}})
	}
}

func chargeJSON(id string, i int) []byte {
	return fmt.Appendf(nil, `{"id":%q,"object":"charge","amount":%d,"currency":"usd","paid":true,"captured":true,"balance_transaction":"txn_%d","description":"Order %d","billing_details":{"address":{"city":null,"country":null},"email":"ada%d@example.com"},"metadata":{"order":"%d"}}`, id, 1000+i, i*7919%100003, i, i, i)
}

func (b *builder) balance(i int) {
	x := b.exchange(i, "POST", "/v1/customers/cus_1", "reversible")
	was, is := fmt.Appendf(nil, `{"id":"cus_1","balance":%d}`, b.balances), fmt.Appendf(nil, `{"id":"cus_1","balance":%d}`, b.balances+1)
	b.balances++
	x.Body, x.ReplyBody, x.Committed = []byte(`{"balance":1}`), is, true
	b.add(trail.Event{Kind: trail.Exchanged, Identity: "stripe-a", Exchange: x, Delta: []trail.Change{{Op: world.Update, Collection: "stripe.customers", ID: "cus_1", Before: was, After: is}}})
}

func (b *builder) list(i int) {
	x := b.exchange(i, "GET", "/v1/charges", "read")
	x.Query = fmt.Sprintf("limit=10&starting_after=ch_%d", i)
	long := 1
	if i%100 == 0 {
		long = 30
	}
	var all []string
	for k := range long {
		all = append(all, string(chargeJSON(fmt.Sprintf("ch_%d_1", i+k), i+k)))
	}
	x.ReplyBody = []byte(`{"object":"list","has_more":false,"data":[` + strings.Join(all, ",") + `]}`)
	if i%70 == 0 {
		x.Status, x.Whole, x.FakeStatus, x.FakeBody = 503, false, 200, x.ReplyBody
		x.ReplyBody = []byte(`{"error":{"type":"api_error","message":"An error occurred"}}`)
		x.Strikes = []trail.Strike{{Rule: "slow-everything", Fault: "outage", Phase: "instead", Index: 1, Fired: true}}
	}
	b.add(trail.Event{Kind: trail.Exchanged, Identity: "stripe-a", Exchange: x})
}

// around adds what is not the agent's doing.
func (b *builder) around(i int) {
	was, is := []byte(`{"id":"cus_2","email":"old@example.com"}`), []byte(`{"id":"cus_2","email":"new@example.com"}`)
	b.add(trail.Event{Kind: trail.WorldEdited, Edit: &trail.Edit{Service: "stripe", Rule: "colleague", Did: "changed a customer"}, Delta: []trail.Change{{Op: world.Update, Collection: "stripe.customers", ID: "cus_2", Before: was, After: is}}})
	b.add(trail.Event{Kind: trail.Delivered, Delivery: &trail.Delivery{Service: "stripe", ID: "evt", Method: "POST", URL: "http://127.0.0.1:9/hooks", Attempt: 1, Status: 200, Body: []byte(`{"type":"charge.succeeded"}`)}})
	b.add(trail.Event{Kind: trail.ClockMoved, Clock: &trail.Clock{To: trail.At(b.at.Add(time.Hour)), Mode: "stepped", Step: time.Second}})
}
