package overlay_test

import (
	"testing"

	"parity/fakes/builtin"
)

func TestStripe(t *testing.T) {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	service, _ := catalogue.Service("stripe")
	l := newLine(t, service, "", "Authorization", "Bearer sk_test_1234")
	for _, name := range []string{"ada", "grace", "alan", "katherine", "linus"} {
		l.tick()
		l.ask(l.real, "POST", "/v1/customers", "name="+name+"&email="+name+"@x.example")
	}
	l.direct.World = l.real.World
	list := l.same("GET", "/v1/customers?limit=3", "")
	id, _ := list.at("data", "1", "id").(string)
	gone, _ := list.at("data", "2", "id").(string)
	l.same("POST", "/v1/customers", "name=new&email=new@x.example")
	l.same("POST", "/v1/customers/"+id, "description=changed&metadata[a]=b")
	l.same("DELETE", "/v1/customers/"+gone, "")
	l.same("GET", "/v1/customers?limit=100", "")
	l.same("GET", "/v1/customers/"+id, "")
	l.same("GET", "/v1/customers/"+gone, "")
	l.same("GET", "/v1/customers?email=new@x.example", "")
	l.same("POST", "/v1/payment_intents", "amount=100&currency=usd&customer="+id)
	l.same("GET", "/v1/payment_intents?customer="+id+"&expand[]=data.customer", "")
	t.Log(l.reads)
}
