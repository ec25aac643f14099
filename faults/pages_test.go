package faults

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"parity/specs"
)

func contractOf(t *testing.T, service string) *specs.Contract {
	t.Helper()
	c, _, err := specs.Load(os.DirFS("../specs/"+service), "openapi.yaml", service)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Faults of lists are refused where there is no list, or not enough of one.
func TestWhatPageFaultsNeedOfAnOperation(t *testing.T) {
	t.Parallel()
	contracts := map[string]*specs.Contract{"stripe": contractOf(t, "stripe"), "github": contractOf(t, "github"), "hubspot": contractOf(t, "hubspot")}
	for _, c := range []struct {
		fault string
		with  map[string]any
		op    string
		lacks string // "": it fits
	}{
		{"partial-page", nil, "stripe GET /v1/customers", ""},
		{"partial-page", nil, "stripe GET /v1/customers/{customer}", "gives no list"},
		{"partial-page", nil, "stripe POST /v1/customers", "gives no list"},
		{"partial-page", nil, "github GET /repos/{owner}/{repo}/issues", ""},
		{"partial-page", nil, "hubspot GET /crm/v3/pipelines/{objectType}", "gives a list whole"},
		{"partial-page", map[string]any{"marker": "hidden"}, "hubspot GET /crm/v3/pipelines/{objectType}", ""},
		{"partial-page", map[string]any{"total": "wrong"}, "stripe GET /v1/customers", "tells no total"},
		{"partial-page", map[string]any{"total": "wrong"}, "hubspot POST /crm/v3/objects/{objectType}/search", ""},
		{"partial-page", map[string]any{"drop": "100%"}, "stripe GET /v1/customers", "gone on in by what a page shows"},
		{"partial-page", map[string]any{"drop": "100%", "marker": "hidden"}, "stripe GET /v1/customers", ""},
		{"partial-page", map[string]any{"drop": "100%"}, "github GET /repos/{owner}/{repo}/issues", ""},
		{"partial-page", map[string]any{"drop": "100%"}, "hubspot GET /crm/v3/pipelines/{objectType}", "gone on in"},
		{"cursor-expired", nil, "stripe GET /v1/customers", ""},
		{"cursor-expired", nil, "stripe GET /v1/customers/{customer}", "gives no list"},
		{"cursor-expired", nil, "github GET /repos/{owner}/{repo}/issues", "paged by numbers"},
		{"cursor-expired", map[string]any{"how": "empty"}, "github GET /repos/{owner}/{repo}/issues", ""},
		{"cursor-expired", nil, "hubspot GET /crm/v3/pipelines/{objectType}", "takes no cursor"},
		{"moving-page", nil, "stripe GET /v1/customers", ""},
		{"moving-page", nil, "hubspot GET /crm/v3/pipelines/{objectType}", "no pages"},
		{"moving-page", nil, "stripe GET /v1/customers/{customer}", "gives no list"},
		{"stale-read", nil, "stripe POST /v1/customers", "is no read"},
		{"stale-read", nil, "hubspot POST /crm/v3/objects/{objectType}/search", ""},
		{"stale-read", map[string]any{"on": "get"}, "stripe GET /v1/customers", "gives a list"},
		{"stale-read", map[string]any{"on": "list"}, "stripe GET /v1/customers/{customer}", "gives no list"},
		{"stale-cache", nil, "hubspot POST /crm/v3/objects/{objectType}/search", "no cache answers it"},
		{"stale-cache", nil, "stripe GET /v1/customers/{customer}", ""},
		{"partial-result", nil, "stripe POST /v1/customers", "is no read"},
		{"partial-result", nil, "stripe GET /v1/customers/{customer}", ""},
	} {
		service, _, _ := strings.Cut(c.op, " ")
		ops := contracts[service].Operations
		at := slices.IndexFunc(ops, func(o *specs.Operation) bool { return o.Name() == c.op })
		if at < 0 {
			t.Fatalf("there is no %s", c.op)
		}
		got := built(t, c.fault, c.with).(Requirer).Misfit(ops[at], nil)
		if (got == "") != (c.lacks == "") || !strings.Contains(got, c.lacks) {
			t.Errorf("%s %v on %s: %q, want %q", c.fault, c.with, c.op, got, c.lacks)
		}
	}
}

func TestParametersOfPageFaultsAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault string
		with  map[string]any
		wrong string
	}{
		{"partial-page", map[string]any{"drop": "0%"}, "nothing"},
		{"partial-page", map[string]any{"drop": 0}, "drop"},
		{"partial-page", map[string]any{"drop": "half"}, "neither a share"},
		{"partial-page", map[string]any{"drop": "130%"}, "between"},
		{"moving-page", map[string]any{"insert": 0, "remove": 0}, "above 0"},
		{"large-reply", map[string]any{"size": "63KB"}, "64KB"},
		{"large-reply", map[string]any{"size": "17MB"}, "16MB"},
		{"large-reply", map[string]any{"depth": 10_001}, "out of bounds"},
		{"stale-cache", map[string]any{"age": "10ms"}, "out of bounds"},
	} {
		f, _ := Lookup(c.fault)
		if _, err := f.Build(c.with); err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s %v: %v, want %q", c.fault, c.with, err, c.wrong)
		}
	}
}

func TestPortionsTakeOneAtLeastAndAllAtMost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of      any
		n, want int
	}{{"50%", 5, 3}, {"1%", 5, 1}, {"100%", 5, 5}, {int64(2), 5, 2}, {int64(9), 5, 5}, {"30%", 10, 3}, {"30%", 1, 1}} {
		v, err := (Param{Kind: Portion}).portion(c.of)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Args{"p": v}).portion("p").of(c.n); got != c.want {
			t.Errorf("%v of %d is %d, want %d", c.of, c.n, got, c.want)
		}
	}
}

func TestLinkHeaders(t *testing.T) {
	t.Parallel()
	h := http.Header{"Link": {`<https://x.example/?q=a,b&page=2>; rel="next", <https://x.example/?page=9>; rel="last"`, `<https://x.example/>; rel="first"`}}
	if got := linked(h, "next"); got != "https://x.example/?q=a,b&page=2" {
		t.Errorf("next is %q", got)
	}
	if unlink(h, "next", "last"); h.Get("Link") != `<https://x.example/>; rel="first"` {
		t.Errorf("without: %q", h.Get("Link"))
	}
	if unlink(h, "first"); len(h.Values("Link")) > 0 {
		t.Errorf("without any: %v", h)
	}
}

// What a request says of its list is found in the query, in the body and in
// objects of either, and is changed without the request being written to.
func TestListParametersInQueryAndBody(t *testing.T) {
	t.Parallel()
	zendesk, notion := contractOf(t, "zendesk"), contractOf(t, "notion")
	pick := func(c *specs.Contract, name string) *specs.Operation {
		return c.Operations[slices.IndexFunc(c.Operations, func(o *specs.Operation) bool { return o.Name() == name })]
	}
	tickets, search := pick(zendesk, "zendesk GET /api/v2/tickets"), pick(notion, "notion POST /v1/search")
	for _, c := range []struct {
		op          *specs.Operation
		in          specs.Input
		by, carries string
		limit       string
	}{
		{tickets, specs.Input{Query: map[string]any{"page": map[string]any{"after": "c"}}}, "page[after]", "c", "page[size]"},
		{tickets, specs.Input{Query: map[string]any{"page": map[string]any{"size": int64(3)}}}, "", "", "page[size]"},
		{tickets, specs.Input{Query: map[string]any{"page": int64(2)}}, "page", "2", "per_page"},
		{tickets, specs.Input{Query: map[string]any{"page": int64(1)}}, "", "", "per_page"},
		{tickets, specs.Input{}, "", "", "per_page"},
		{search, specs.Input{Body: map[string]any{"start_cursor": "c"}}, "start_cursor", "c", "page_size"},
		{search, specs.Input{}, "", "", "page_size"},
	} {
		if by, value := carried(c.op, c.in); by != c.by || value != c.carries {
			t.Errorf("%s %+v goes on by %s=%s, want %s=%s", c.op.Name(), c.in, by, value, c.by, c.carries)
		}
		limit := limiter(&c.op.Anatomy, c.in)
		if limit != c.limit {
			t.Errorf("%s %+v is limited by %s, want %s", c.op.Name(), c.in, limit, c.limit)
		}
		was, had := asked(c.in, limit)
		now := asking(c.op, c.in, limit, int64(7))
		if n, _ := counted(now, limit); n != 7 {
			t.Errorf("%s: %+v does not ask for 7", c.op.Name(), now)
		}
		if after, has := asked(c.in, limit); has != had || after != was {
			t.Errorf("%s: the request itself says %v by now", c.op.Name(), after)
		}
	}
}

// Zendesk once said partial: true beside next_page: null, which it has no word for:
// nobody who reads its API could have known what that means.
func TestAPartialResultIsToldInTheServicesOwnWordOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		service, operation, marker, body, has, did string
	}{
		{"zendesk", "GET /api/v2/users", "own", `{"users":[{"id":1},{"id":2}],"next_page":null,"count":2}`, `"count":2`, "left out 1 of 2 items"},
		{"zendesk", "GET /api/v2/users", "flag", `{"users":[{"id":1},{"id":2}],"next_page":null,"count":2}`, `"partial":true`, "left out 1 of 2 items, and says partial"},
		{"github", "GET /search/issues", "own", `{"items":[{"id":1},{"id":2}],"incomplete_results":false,"total_count":2}`, `"incomplete_results":true`, "left out 1 of 2 items, and says incomplete_results"},
	} {
		op, ok := contractOf(t, c.service).Operation(c.operation)
		if !ok {
			t.Fatalf("there is no %s", c.operation)
		}
		a, done := amended(t, strike(t, "partial-result", map[string]any{"marker": c.marker, "parts": int64(1)}, CallContext{}), op, c.body)
		if body := string(a.Body); !strings.Contains(body, c.has) || c.marker == "own" && strings.Contains(body, `"partial"`) || done.Did != c.did {
			t.Errorf("%s, %s: %s, told as %q", c.service, c.marker, body, done.Did)
		}
	}
}
