package stripe_test

import (
	"testing"
	"time"

	"parity/fakes/faketest"
	"parity/fakes/stripe"
)

// A shop is a rig with a product, a monthly price and a customer who can pay.
type shop struct {
	*faketest.Rig
	product, monthly, customer string
}

func newShop(t *testing.T, card string) shop {
	t.Helper()
	service, err := stripe.New()
	if err != nil {
		t.Fatal(err)
	}
	r := faketest.New(t, service)
	r.Vendor = faketest.VendorContract(t, "stripe.json.gz")
	r.Header.Set("Authorization", "Bearer sk_test_1")
	s := shop{Rig: r}
	s.product = s.make("/v1/products", "name=Basic")
	s.monthly = s.make("/v1/prices", "product="+s.product+"&currency=usd&unit_amount=1000&recurring[interval]=month")
	s.customer = s.make("/v1/customers", "email=ann@example.com&name=Ann")
	if card != "" {
		method := s.Must(200, s.Form("POST", "/v1/payment_methods/"+card+"/attach", "customer="+s.customer)).Text("id")
		s.post("/v1/customers/"+s.customer, "invoice_settings[default_payment_method]="+method)
	}
	return s
}

func (s shop) post(path, form string) faketest.Got {
	s.T.Helper()
	return s.Must(200, s.Form("POST", path, form))
}
func (s shop) make(path, form string) string { s.T.Helper(); return s.post(path, form).Text("id") }
func (s shop) get(path string) faketest.Got {
	s.T.Helper()
	return s.Must(200, s.Send("GET", path, ""))
}

// kinds lists the types of the events, newest first.
func (s shop) kinds() []string {
	s.T.Helper()
	return s.get("/v1/events?limit=100").Texts("data", "type")
}

func (s shop) happened(kind string) bool {
	for _, one := range s.kinds() {
		if one == kind {
			return true
		}
	}
	return false
}

// refused holds a refusal.
func (s shop) refused(status int, code, message string, g faketest.Got) {
	s.T.Helper()
	s.Must(status, g)
	if g.Text("error.code") != code || message != "" && g.Text("error.message") != message {
		s.T.Errorf("%s", g.Raw)
	}
}

const day = 24 * time.Hour
