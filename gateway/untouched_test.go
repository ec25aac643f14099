package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/builtin"
	"parity/specs"
)

// A service that completes its fixtures when somebody first looks does so by
// itself: reads of Google Calendar were said to have changed something.
func TestALookAtFixturesIsNoEffect(t *testing.T) {
	t.Parallel()
	catalogue, err := builtin.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, "profile: look\nseed: 7\nservices: {googlecalendar: {}, stripe: {}, github: {}, hubspot: {}, zendesk: {}, notion: {}, sendgrid: {}, slack: {}}\nclock: {mode: stepped}\n")
	b := &bench{h, h.proxied(false)}
	answered := map[string]int{}
	for _, name := range catalogue.Names() {
		service, _ := catalogue.Service(name)
		shows := "Bearer sk_test_x"
		if i, ok := service.Fake.(fakes.Introducer); ok {
			shows = i.Introduction()
		}
		for _, op := range service.Contract.Operations {
			if op.Method != http.MethodGet || op.Effect != specs.Read || strings.Contains(op.Path, "{") {
				continue
			}
			host := strings.Replace(service.Hosts[0], "*", "acme", 1)
			reply, _ := b.does(ask{"GET", "https://" + host + op.Path, ""}, "Authorization", shows, "Notion-Version", "2025-09-03")
			if reply.StatusCode == http.StatusOK {
				answered[name]++
			}
		}
	}
	for _, x := range exchanges(h) {
		if x.Committed {
			t.Errorf("%s %s is said to have changed something", x.Service, x.Operation)
		}
	}
	for _, name := range catalogue.Names() {
		if answered[name] == 0 {
			t.Errorf("%s answered no read", name)
		}
	}
}
