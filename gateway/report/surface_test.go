package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"parity/faults/trail"
)

func TestSurface(t *testing.T) {
	t.Parallel()
	called := []trail.Touched{
		{Operation: "stripe GET /v1/charges", Effect: "read", Exchanges: 12},
		{Operation: "stripe POST /v1/customers", Effect: "reversible", Exchanges: 1, Committed: 1, First: 3},
		{Operation: "stripe POST /v1/refunds", Effect: "irreversible", Exchanges: 6, Committed: 2, First: 14},
	}
	stripe := ServiceSurface{Service: "stripe", Allows: ByEffect{67, 34, 37}, Called: called, Missing: 2}
	for _, c := range called {
		stripe.Used.Add(c.Effect)
	}
	s := Surface{
		Services: []ServiceSurface{{Service: "hubspot", Allows: ByEffect{90, 94, 6}, Called: []trail.Touched{}}, stripe},
		Tunnel:   []string{"model-apis", "pricing.internal:50051"},
		Outside:  []trail.HostCount{{Host: "api.anthropic.com", Calls: 14, By: "model-apis"}},
		Denied:   []trail.HostCount{{Host: "api.example.com\x1b[31m", Calls: 1}, {Calls: 1}},
	}
	var out bytes.Buffer
	if err := Surfaces(&out, s, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "surface.txt", out.Bytes())
	out.Reset()
	if err := Surfaces(&out, s, true); err != nil {
		t.Fatal(err)
	}
	var again Surface
	if err := json.Unmarshal(out.Bytes(), &again); err != nil || again.Services[1].Used != (ByEffect{1, 1, 1}) {
		t.Errorf("%v, used %+v", err, again.Services)
	}
}
