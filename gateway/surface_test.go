package gateway_test

import (
	"strings"
	"testing"

	"parity/gateway/kept"
	"parity/gateway/report"
)

// What was used stands beside what was allowed, with the effects that the profile
// corrects.
func TestSurfaceOfARun(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: p\nservices: {stripe: {effects: {POST /v1/customers: irreversible}}, sendgrid: {}}\npolicy: {egress: {tunnel: [pricing.internal]}}\n")
	must(t, h.proxied(false), "POST", "https://api.stripe.com/v1/customers", "email=a@example.com")
	h.close()
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	s := kept.Report().Surface
	if len(s.Services) != 2 || strings.Join(s.Tunnel, " ") != "pricing.internal" {
		t.Fatalf("%+v", s)
	}
	for _, of := range s.Services {
		want := report.ByEffect{}
		if of.Service == "stripe" {
			want.Irreversible = 1
		}
		if of.Used != want || len(of.Called) != want.Irreversible || of.Allows.Read == 0 || of.Allows.Irreversible == 0 {
			t.Errorf("%+v", of)
		}
	}
	var out strings.Builder
	if err := report.Surfaces(&out, s, false); err != nil || !strings.Contains(out.String(), "Irreversible\n  stripe POST /v1/customers   1 call, 1 took effect") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
