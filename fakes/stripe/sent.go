package stripe

import (
	"fmt"

	"parity/fakes"
	"parity/fakes/cast"
	"parity/fakes/kit"
)

// send puts money that moves into the outbox: a charge that is taken, a refund,
// a payout. A hold is none, until it is captured.
func (c *call) send(event string, object map[string]any) {
	kind, what := "charge", "Charge"
	switch event {
	case "charge.succeeded":
		if object["captured"] != true {
			return
		}
	case "charge.captured":
	case "refund.created":
		kind, what = "refund", "Refund"
	case "payout.created":
		kind, what = "payout", "Payout"
	default:
		return
	}
	if c.Identity == fakes.Fixture {
		return
	}
	to := []string{}
	for _, field := range []string{"customer", "charge", "destination"} {
		if id := cast.Text(object[field]); id != "" {
			to = append(to, id)
			break
		}
	}
	amount := object["amount"]
	if event == "charge.captured" {
		amount = object["amount_captured"]
	}
	id := cast.Text(object["id"])
	err := kit.Send(c.Tx, fakes.Sent{
		Service: name, Kind: kind, ID: id, To: to, At: c.present(), Content: object,
		Summary: fmt.Sprintf("%s of %s", what, money(whole(amount), cast.Text(object["currency"]))),
	})
	kit.Must(name, err)
}
