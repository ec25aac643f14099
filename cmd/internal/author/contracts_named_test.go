package author_test

import (
	"fmt"
	"strings"
	"testing"

	"parity/cmd/internal/author"
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
		all, err := author.CheckContracts(c.contracts, c.hosts)
		var said []string
		for _, a := range all {
			said = append(said, fmt.Sprint(a.Service, " ", a.Contract, " ", a.Hosts))
		}
		got := strings.Join(said, ", ")
		if want, wrong := strings.CutPrefix(c.want, "!"); wrong {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q %q: %v; want %q in it", c.contracts, c.hosts, err, want)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%q %q: %s, %v; want %s", c.contracts, c.hosts, got, err, c.want)
		}
	}
}
