package gateway_test

import (
	"net/http"
	"strings"
	"testing"

	"parity/gateway"
	"parity/profiles"
)

// A gateway that keeps nothing goes on when it can remember no more.
func TestWithoutStateAFullRecordRefusesNothing(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, withContract(t, "contacts"), func(s *gateway.Settings) {
		s.Contracts = []profiles.Added{{Service: "added", Contract: s.Profile[:strings.LastIndexByte(s.Profile, '/')] + "/crm/crm.yaml"}}
		s.Profile, s.Stateless, s.Memory, s.MaxRecord = "", true, true, 16<<10
	})
	c := h.direct(false, false)
	for i := range 200 {
		if status := makeThing(t, c, "http://"+h.Addr()+"/added", "contacts"); status == http.StatusServiceUnavailable || status == http.StatusBadRequest {
			t.Fatalf("call %d: %d", i, status)
		}
	}
	if seq := h.Run.Seq(); seq != 201 {
		t.Errorf("%d events", seq)
	}
	if h.Run.World().Len("added.contacts") != 0 {
		t.Error("something is kept")
	}
}
