package stripe_test

import (
	"slices"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestInvoiceFromDraftToPaid(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	draft := s.make("/v1/invoices", "customer="+s.customer)
	half := s.make("/v1/coupons", "percent_off=50&duration=once")
	item := s.make("/v1/invoiceitems", "customer="+s.customer+"&invoice="+draft+"&amount=1900&description=Work&discounts[0][coupon]="+half)
	s.make("/v1/invoiceitems", "customer="+s.customer+"&invoice="+draft+"&amount=100&description=Stamps")
	faketest.Want(t, s.get("/v1/invoices/"+draft), map[string]any{"status": "draft", "total": 1050, "number": nil, "lines.total_count": 2})
	s.refused(400, "", "You can only pass in open invoices. This invoice isn't open.", s.Form("POST", "/v1/invoices/"+draft+"/void", ""))
	open := s.post("/v1/invoices/"+draft+"/finalize", "")
	faketest.Want(t, open, map[string]any{"status": "open", "amount_due": 1050, "amount_remaining": 1050})
	s.refused(400, "invoice_not_editable", "", s.Form("POST", "/v1/invoices/"+draft+"/finalize", ""))
	s.refused(400, "invoice_not_editable", "", s.Form("POST", "/v1/invoiceitems/"+item, "amount=1"))
	s.refused(400, "invoice_not_editable", "", s.Send("DELETE", "/v1/invoices/"+draft, ""))
	paid := s.post("/v1/invoices/"+draft+"/pay", "")
	faketest.Want(t, paid, map[string]any{"status": "paid", "amount_paid": 1050, "attempt_count": 1, "total_discount_amounts.0.amount": 950})
	s.refused(400, "", "Invoice is already paid", s.Form("POST", "/v1/invoices/"+draft+"/pay", ""))
	intent := s.get("/v1/invoice_payments?invoice=" + draft).Text("data.0.payment.payment_intent")
	faketest.Want(t, s.get("/v1/payment_intents/"+intent), map[string]any{"amount_received": 1050, "description": "Payment for Invoice"})
	want := []string{"invoice.paid", "invoice.finalized", "invoice.created", "payment_intent.succeeded", "charge.succeeded"}
	for _, kind := range want {
		if !slices.Contains(s.kinds(), kind) {
			t.Errorf("no %s", kind)
		}
	}
}

func TestInvoiceIsPaidInParts(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	draft := s.make("/v1/invoices", "customer="+s.customer+"&collection_method=send_invoice&days_until_due=30")
	s.make("/v1/invoiceitems", "customer="+s.customer+"&invoice="+draft+"&amount=3000")
	s.refused(400, "resource_missing", "No such payment_intent: 'pi_none'", s.Form("POST", "/v1/invoices/"+draft+"/attach_payment", "payment_intent=pi_none"))
	s.post("/v1/invoices/"+draft+"/send", "")
	if sent := s.Outbox(); len(sent) != 1 || sent[0].Kind != "invoice" || sent[0].To[0] != "ann@example.com" {
		t.Errorf("sent: %+v", sent)
	}
	pay := func(amount string) string {
		return s.make("/v1/payment_intents", "amount="+amount+"&currency=usd&customer="+s.customer+"&payment_method=pm_card_visa&confirm=true&payment_method_types[]=card")
	}
	part := s.post("/v1/invoices/"+draft+"/attach_payment", "payment_intent="+pay("1000"))
	faketest.Want(t, part, map[string]any{"status": "open", "amount_paid": 1000, "amount_remaining": 2000})
	rest := s.post("/v1/invoices/"+draft+"/attach_payment", "payment_intent="+pay("2000"))
	faketest.Want(t, rest, map[string]any{"status": "paid", "amount_paid": 3000, "amount_remaining": 0})
}

func TestInvoiceThatCannotBePaid(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_chargeCustomerFail")
	draft := s.make("/v1/invoices", "customer="+s.customer)
	s.make("/v1/invoiceitems", "customer="+s.customer+"&invoice="+draft+"&amount=3000")
	s.refused(402, "card_declined", "Your card was declined.", s.Form("POST", "/v1/invoices/"+draft+"/pay", ""))
	faketest.Want(t, s.get("/v1/invoices/"+draft), map[string]any{"status": "open", "attempt_count": 1, "attempted": true})
	faketest.Want(t, s.post("/v1/invoices/"+draft+"/mark_uncollectible", ""), map[string]any{"status": "uncollectible"})
	faketest.Want(t, s.post("/v1/invoices/"+draft+"/void", ""), map[string]any{"status": "void"})
	intent := s.get("/v1/invoice_payments?invoice=" + draft).Text("data.0.payment.payment_intent")
	faketest.Want(t, s.get("/v1/payment_intents/"+intent), map[string]any{"status": "canceled", "cancellation_reason": "void_invoice"})
}

func TestInvoiceAdvancesByItself(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	s.make("/v1/invoiceitems", "customer="+s.customer+"&amount=3000&currency=usd")
	draft := s.make("/v1/invoices", "customer="+s.customer+"&auto_advance=true&pending_invoice_items_behavior=include")
	s.Wait(59 * time.Minute)
	faketest.Want(t, s.get("/v1/invoices/"+draft), map[string]any{"status": "draft"})
	s.Wait(2 * time.Minute)
	faketest.Want(t, s.get("/v1/invoices/"+draft), map[string]any{"status": "paid", "amount_paid": 3000})
}

func TestCreditNotes(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	id := s.make("/v1/invoices", "customer="+s.customer)
	s.make("/v1/invoiceitems", "customer="+s.customer+"&invoice="+id+"&amount=3000")
	number := s.post("/v1/invoices/"+id+"/pay", "").Text("number")
	lines := "&lines[0][type]=custom_line_item&lines[0][description]=Sorry&lines[0][quantity]=1&lines[0][unit_amount]=500"
	note := s.post("/v1/credit_notes", "invoice="+id+"&refund_amount=500"+lines)
	faketest.Want(t, note, map[string]any{"amount": 500, "number": number + "-CN-01", "type": "post_payment", "refunds.0.amount_refunded": 500, "status": "issued"})
	faketest.Want(t, s.get("/v1/refunds/"+note.Text("refunds.0.refund")), map[string]any{"amount": 500, "status": "succeeded"})
	s.refused(400, "", "", s.Form("POST", "/v1/credit_notes", "invoice="+id+"&amount=9000&refund_amount=9000"))
	s.post("/v1/credit_notes", "invoice="+id+"&amount=100&credit_amount=100")
	faketest.Want(t, s.get("/v1/customers/"+s.customer), map[string]any{"balance": -100})
	faketest.Want(t, s.get("/v1/invoices/"+id), map[string]any{"post_payment_credit_notes_amount": 600})
}

func TestUpcomingOfOlderVersions(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	s.refused(400, "", "You must either provide a `customer` or a `subscription` to the upcoming invoice endpoint.", s.Send("GET", "/v1/invoices/upcoming", ""))
	s.refused(404, "invoice_upcoming_none", "", s.Send("GET", "/v1/invoices/upcoming?customer="+s.customer, ""))
	s.make("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	faketest.Want(t, s.get("/v1/invoices/upcoming?customer="+s.customer), map[string]any{"total": 1000, "status": "draft"})
}
