package stripe_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

// A change is one in the middle of a period. Each row begins on 1 May, with a
// month of 31 days, and changes when half of it is over.
type change struct {
	name  string
	begin string   // items[0][price] and so on; 10000 stands for a price
	acts  []string // a form, or the query of a DELETE
	waits string   // the pending items that come of it, oldest first
	bills string   // the total of the invoice that is made at once; "": none
	next  string   // the total of the invoice on 1 June; "": not looked at
	owed  int      // the customer's balance after the act
}

// prorations are worked out by hand where Stripe's documentation has no figure.
func prorations() []change {
	const one, year = "items[0][price]=m10000", "items[0][id]=ITEM&items[0][price]=y25000"
	return []change{
		// docs.stripe.com/api/subscriptions/update: 100 on 1 May, 200 from the middle on, 250 on 1 June.
		{name: "price up", begin: one, acts: []string{"items[0][id]=ITEM&items[0][price]=m20000"}, waits: "-5000 10000", next: "25000"},
		{name: "price up, billed", begin: one, acts: []string{"items[0][id]=ITEM&items[0][price]=m20000&proration_behavior=always_invoice"}, bills: "5000", next: "20000"},
		// The same place: 100 on 1 May and 200 on 1 June.
		{name: "price up, none", begin: one, acts: []string{"items[0][id]=ITEM&items[0][price]=m20000&proration_behavior=none"}, next: "20000"},
		{name: "price up, unchanged", begin: one, acts: []string{"items[0][id]=ITEM&items[0][price]=m20000&billing_cycle_anchor=unchanged"}, waits: "-5000 10000", next: "25000"},
		// A quarter is over: three quarters of each.
		{name: "price up as of a date", begin: one, acts: []string{"items[0][id]=ITEM&items[0][price]=m20000&proration_date=QUARTER"}, waits: "-7500 15000", next: "27500"},
		{name: "price down", begin: "items[0][price]=m20000", acts: []string{"items[0][id]=ITEM&items[0][price]=m10000"}, waits: "-10000 5000", next: "5000"},
		{name: "price down, billed", begin: "items[0][price]=m20000", acts: []string{"items[0][id]=ITEM&items[0][price]=m10000&proration_behavior=always_invoice"}, bills: "-5000", next: "10000", owed: -5000},
		{name: "quantity up", begin: "items[0][price]=m1000", acts: []string{"items[0][id]=ITEM&items[0][quantity]=3"}, waits: "-500 1500", next: "4000"},
		{name: "quantity down", begin: "items[0][price]=m1000&items[0][quantity]=3", acts: []string{"items[0][id]=ITEM&items[0][quantity]=1"}, waits: "-1500 500", next: "0"},
		{name: "quantity down, none", begin: "items[0][price]=m1000&items[0][quantity]=3", acts: []string{"items[0][id]=ITEM&items[0][quantity]=1&proration_behavior=none"}, next: "1000"},
		{name: "nothing changes", begin: one, acts: []string{"description=same&proration_behavior=always_invoice"}, next: "10000"},
		// Half of the month's 5000 comes back, and the year is asked for once.
		{name: "month to year", begin: "items[0][price]=m5000", acts: []string{year}, bills: "22500"},
		{name: "month to year, billed", begin: "items[0][price]=m5000", acts: []string{year + "&proration_behavior=always_invoice"}, bills: "22500"},
		{name: "month to year, none", begin: "items[0][price]=m5000", acts: []string{year + "&proration_behavior=none"}, bills: "25000"},
		// The other item's 1000 for half a month comes back too, as its 2000 are billed anew.
		{name: "month to year beside another", begin: "items[0][price]=m5000&items[1][price]=m2000", acts: []string{year}, bills: "23500"},
		// 349.5 of 365 days of 36500 come back.
		{name: "year to month", begin: "items[0][price]=y36500", acts: []string{"items[0][id]=ITEM&items[0][price]=m5000"}, bills: "-29950", owed: -29950},
		{name: "anchor now", begin: one, acts: []string{"billing_cycle_anchor=now"}, bills: "5000"},
		{name: "anchor now, none", begin: one, acts: []string{"billing_cycle_anchor=now&proration_behavior=none"}, bills: "10000"},
		{name: "item added", begin: one, acts: []string{"items[0][price]=m2000"}, waits: "1000", next: "13000"},
		{name: "item added, none", begin: one, acts: []string{"items[0][price]=m2000&proration_behavior=none"}, next: "12000"},
		{name: "item removed", begin: "items[0][price]=m2000&items[1][price]=m10000", acts: []string{"items[0][id]=ITEM&items[0][deleted]=true"}, waits: "-1000", next: "9000"},
		{name: "free to paid", begin: "items[0][price]=m0", acts: []string{"items[0][id]=ITEM&items[0][price]=m10000"}, bills: "10000"},
		{name: "in a trial", begin: one + "&trial_end=JUNE", acts: []string{"items[0][id]=ITEM&items[0][price]=m20000"}, next: "20000"},
		{name: "month to year in a trial", begin: one + "&trial_end=JUNE", acts: []string{year}, next: "25000"},
		{name: "trial ends", begin: one + "&trial_end=JUNE", acts: []string{"trial_end=now"}, bills: "10000"},
		{name: "trial begins", begin: one, acts: []string{"trial_end=LATER"}, bills: "-5000", owed: -5000},
		{name: "trial begins, none", begin: one, acts: []string{"trial_end=LATER&proration_behavior=none"}, bills: "0"},
		// docs.stripe.com/billing/subscriptions/billing-mode/compare: flexible gives back what was asked for, classic what it costs now.
		{name: "up without, down with", begin: "items[0][price]=m1000", acts: []string{"items[0][id]=ITEM&items[0][quantity]=3&proration_behavior=none", "items[0][id]=ITEM&items[0][quantity]=1"}, waits: "-500 500", next: "1000"},
		{name: "up without, down with, classic", begin: "items[0][price]=m1000&billing_mode[type]=classic", acts: []string{"items[0][id]=ITEM&items[0][quantity]=3&proration_behavior=none", "items[0][id]=ITEM&items[0][quantity]=1"}, waits: "-1500 500", next: "0"},
		{name: "twice", begin: "items[0][price]=m1000", acts: []string{"items[0][id]=ITEM&items[0][quantity]=3", "items[0][id]=ITEM&items[0][quantity]=2"}, waits: "-500 1500 -1500 1000", next: "2500"},
		// Half off: prorations have the discount in them, and are not discounted again.
		{name: "price up at half the price", begin: one + "&discounts[0][coupon]=HALF", acts: []string{"items[0][id]=ITEM&items[0][price]=m20000"}, waits: "-2500 5000", next: "12500"},
		{name: "month to year at half the price", begin: "items[0][price]=m5000&discounts[0][coupon]=HALF", acts: []string{year}, bills: "11250"},
		// The quarter after its end comes back.
		{name: "ends early", begin: one, acts: []string{"cancel_at=THREE"}, waits: "-2500"},
		{name: "ends early, none", begin: one, acts: []string{"cancel_at=THREE&proration_behavior=none"}},
		{name: "canceled", begin: one, acts: []string{"DELETE"}},
		{name: "canceled, prorated", begin: one, acts: []string{"DELETE?prorate=true"}, waits: "-5000"},
		{name: "canceled, prorated, billed", begin: one, acts: []string{"DELETE?prorate=true&invoice_now=true"}, bills: "-5000", owed: -5000},
		{name: "canceled, nothing to bill", begin: one, acts: []string{"DELETE?invoice_now=true"}},
	}
}

// A mid is a row under way.
type mid struct {
	change
	customer, path, item, first string
}

func TestProrations(t *testing.T) {
	t.Parallel()
	s := newShop(t, "")
	s.Now = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	month := 31 * day
	words := []string{
		"QUARTER", fmt.Sprint(s.Now.Add(month / 4).Unix()), "THREE", fmt.Sprint(s.Now.Add(3 * month / 4).Unix()), "JUNE", fmt.Sprint(s.Now.Add(month).Unix()),
		"LATER", fmt.Sprint(s.Now.Add(50 * day).Unix()), "HALF", s.make("/v1/coupons", "percent_off=50&duration=forever"),
	}
	for _, amount := range []int{0, 1000, 2000, 5000, 10000, 20000} {
		words = append(words, fmt.Sprintf("=m%d&", amount), "="+s.make("/v1/prices", fmt.Sprintf("product=%s&currency=usd&unit_amount=%d&recurring[interval]=month", s.product, amount))+"&")
	}
	for _, amount := range []int{25000, 36500} {
		words = append(words, fmt.Sprintf("=y%d&", amount), "="+s.make("/v1/prices", fmt.Sprintf("product=%s&currency=usd&unit_amount=%d&recurring[interval]=year", s.product, amount))+"&")
	}
	says := func(form, item string) string {
		return strings.NewReplacer(append([]string{"ITEM", item}, words...)...).Replace(form + "&")
	}
	var all []mid
	for _, row := range prorations() {
		m := mid{change: row, customer: s.make("/v1/customers", "email=ann@example.com")}
		card := s.make("/v1/payment_methods/pm_card_visa/attach", "customer="+m.customer)
		sub := s.post("/v1/subscriptions", says(row.begin+"&customer="+m.customer+"&default_payment_method="+card, ""))
		m.path, m.item, m.first = "/v1/subscriptions/"+sub.Text("id"), sub.Text("items.data.0.id"), sub.Text("latest_invoice")
		all = append(all, m)
	}
	s.Wait(month / 2)
	for _, m := range all {
		m.act(t, s, says)
	}
	s.Wait(month/2 + 2*time.Hour)
	for _, m := range all {
		if m.next == "" {
			continue
		}
		invoice := s.get(m.path + "?expand[]=latest_invoice")
		if got := invoice.At("latest_invoice.total"); fmt.Sprint(got) != m.next {
			t.Errorf("%s: the next invoice asks for %v, want %s", m.name, got, m.next)
		}
	}
}

func (m mid) act(t *testing.T, s shop, says func(form, item string) string) {
	t.Helper()
	last := len(m.acts) - 1
	for _, form := range m.acts[:last] {
		s.post(m.path, says(form, m.item))
	}
	form := says(m.acts[last], m.item)
	shown := m.preview(s, form)
	if query, gone := strings.CutPrefix(form, "DELETE"); gone {
		s.Must(200, s.Send("DELETE", m.path+strings.TrimSuffix(query, "&"), ""))
	} else {
		s.post(m.path, form)
	}
	waits := s.get("/v1/invoiceitems?limit=100&pending=true&customer="+m.customer).Texts("data", "amount")
	for i, j := 0, len(waits)-1; i < j; i, j = i+1, j-1 {
		waits[i], waits[j] = waits[j], waits[i]
	}
	if got := strings.Join(waits, " "); got != m.waits {
		t.Errorf("%s: %q waits, want %q", m.name, got, m.waits)
	}
	bills, invoice := "", s.get(m.path+"?expand[]=latest_invoice")
	if invoice.Text("latest_invoice.id") != m.first {
		bills = fmt.Sprint(invoice.At("latest_invoice.total"))
		faketest.Want(t, invoice, map[string]any{"latest_invoice.billing_reason": "subscription_update", "latest_invoice.status": "paid"})
	}
	if bills != m.bills {
		t.Errorf("%s: %q is billed, want %q", m.name, bills, m.bills)
	}
	if balance := s.get("/v1/customers/" + m.customer).At("balance"); fmt.Sprint(balance) != strconv.Itoa(m.owed) {
		t.Errorf("%s: a balance of %v, want %d", m.name, balance, m.owed)
	}
	want := m.bills
	if want == "" {
		want = m.next
	}
	if want != "" && shown != want {
		t.Errorf("%s: the preview shows %s, want %s", m.name, shown, want)
	}
}

// preview gives the total that a preview of the change shows.
func (m mid) preview(s shop, form string) string {
	s.T.Helper()
	sent := "subscription=" + strings.TrimPrefix(m.path, "/v1/subscriptions/")
	if strings.HasPrefix(form, "DELETE") {
		form = "cancel_now=true"
		if !strings.Contains(m.acts[0], "prorate") {
			form += "&proration_behavior=none"
		}
	}
	for _, one := range strings.Split(strings.Trim(form, "&"), "&") {
		name, rest, _ := strings.Cut(one, "=")
		first, deeper, _ := strings.Cut(name, "[")
		if deeper != "" {
			deeper = "[" + deeper
		}
		if first != "description" {
			sent += "&subscription_details[" + first + "]" + deeper + "=" + rest
		}
	}
	g := s.Form("POST", "/v1/invoices/create_preview", sent)
	if g.Status != 200 {
		return g.Text("error.code")
	}
	return fmt.Sprint(g.At("total"))
}

func TestPeriodThatLeadsUpToTheAnchor(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	s.Now = time.Date(2026, 5, 15, 0, 0, 0, 0, time.UTC)
	june := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	form := fmt.Sprintf("customer=%s&items[0][price]=%s&billing_cycle_anchor=%d&expand[]=latest_invoice", s.customer, s.monthly, june.Unix())
	// 17 of the 31 days from 1 May to 1 June.
	shown := s.post("/v1/invoices/create_preview", fmt.Sprintf("customer=%s&subscription_details[items][0][price]=%s&subscription_details[billing_cycle_anchor]=%d", s.customer, s.monthly, june.Unix()))
	faketest.Want(t, shown, map[string]any{"total": 548, "billing_reason": "upcoming"})
	paid := s.post("/v1/subscriptions", form)
	faketest.Want(t, paid, map[string]any{"latest_invoice.total": 548, "items.data.0.current_period_end": int(june.Unix())})
	free := s.post("/v1/subscriptions", form+"&proration_behavior=none")
	faketest.Want(t, free, map[string]any{"latest_invoice": nil, "status": "active"})
	s.Wait(18 * day)
	for _, sub := range []faketest.Got{paid, free} {
		faketest.Want(t, s.get("/v1/subscriptions/"+sub.Text("id")+"?expand[]=latest_invoice"), map[string]any{
			"latest_invoice.total": 1000, "items.data.0.current_period_end": int(june.AddDate(0, 1, 0).Unix()),
		})
	}
}

func TestProrationDateOutsideThePeriod(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly)
	path, item := "/v1/subscriptions/"+sub.Text("id"), sub.Text("items.data.0.id")
	before := len(s.kinds())
	for _, form := range []string{"proration_date=1", "billing_cycle_anchor=now&proration_date=" + fmt.Sprint(s.Now.Unix())} {
		s.refused(400, "", "", s.Form("POST", path, "items[0][id]="+item+"&items[0][quantity]=2&"+form))
	}
	s.refused(400, "resource_missing", "No such price: 'price_none'", s.Form("POST", "/v1/invoices/create_preview", "subscription="+sub.Text("id")+"&subscription_details[items][0][price]=price_none"))
	if after := len(s.kinds()); after != before {
		t.Errorf("%d events of what was refused", after-before)
	}
}

func TestCreditNamesWhatItGivesBack(t *testing.T) {
	t.Parallel()
	s := newShop(t, "pm_card_visa")
	sub := s.post("/v1/subscriptions", "customer="+s.customer+"&items[0][price]="+s.monthly+"&expand[]=latest_invoice")
	s.Wait(10 * day)
	path, form := "/v1/subscriptions/"+sub.Text("id"), "items[0][id]="+sub.Text("items.data.0.id")+"&items[0][quantity]="
	s.post(path, form+"2")
	s.post(path, form+"3")
	items := s.get("/v1/invoiceitems?customer=" + s.customer) // newest first: +3 -2 +2 -1
	line := map[string]any{"invoice": sub.At("latest_invoice.id"), "invoice_line_items": []any{sub.At("latest_invoice.lines.data.0.id")}}
	faketest.Want(t, items, map[string]any{
		"data.3.proration_details.credited_items": map[string]any{"type": "invoice_line_items", "invoice_line_item_details": line},
		"data.2.proration_details.credited_items": nil,
		"data.1.proration_details.credited_items": map[string]any{"type": "invoice_item", "invoice_item": items.At("data.2.id")},
	})
	s.Wait(25 * day)
	billed := s.get(path + "?expand[]=latest_invoice")
	found := 0
	for i := range billed.Len("latest_invoice.lines.data") {
		if credited := billed.At(fmt.Sprintf("latest_invoice.lines.data.%d.parent.subscription_item_details.proration_details.credited_items", i)); credited != nil {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d lines say what they credit, want the one that credits a line", found)
	}
}
