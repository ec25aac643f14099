package gateway_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parity/gateway"
	"parity/profiles"
)

func TestContractsOfACommandLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		contracts, hosts []string
		want             string // services and hosts, or a part of the error after "!"
	}{
		{[]string{"acme-crm.yaml"}, nil, "acme-crm acme-crm.yaml []"},
		{[]string{"Some API_v2.openapi.json"}, nil, "some-api-v2 Some API_v2.openapi.json []"},
		{[]string{"apis/petstore/openapi.yaml"}, nil, "petstore apis/petstore/openapi.yaml []"},
		{[]string{"/apis/petstore/Swagger.JSON"}, nil, "petstore /apis/petstore/Swagger.JSON []"},
		{[]string{"crm=x/openapi.yaml"}, []string{"crm.test", "*.crm.test"}, "crm x/openapi.yaml [crm.test *.crm.test]"},
		{[]string{"./a=b.yaml"}, nil, "a-b ./a=b.yaml []"},
		{[]string{"a.yaml", "b.yaml"}, []string{"b=b.test"}, "a a.yaml [], b b.yaml [b.test]"},
		{[]string{"a.yaml", "b.yaml"}, []string{"b.test"}, "!a=b.test"},
		{[]string{"a.yaml", "x/a.yaml"}, nil, "!--contract NAME=x/a.yaml"},
		{[]string{"CRM=a.yaml"}, nil, "!no name of a service"},
		{[]string{"crm="}, nil, "!names no file"},
		{[]string{""}, nil, "!names no file"},
		{nil, []string{"crm.test"}, "!goes with --contract"},
		{[]string{"a.yaml"}, []string{"b=b.test"}, "!no --contract makes a service b"},
		{[]string{"a.yaml"}, []string{"a="}, "!names no host"},
	} {
		all, err := gateway.CheckContracts(c.contracts, c.hosts)
		var said []string
		for _, a := range all {
			said = append(said, fmt.Sprint(a.Service, " ", a.Contract, " ", a.Hosts))
		}
		got := strings.Join(said, ", ")
		if want, wrong := strings.CutPrefix(c.want, "!"); wrong {
			var usage *gateway.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q %q: %v; want %q in it", c.contracts, c.hosts, err, want)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%q %q: %s, %v; want %s", c.contracts, c.hosts, got, err, c.want)
		}
	}
}

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
