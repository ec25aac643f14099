package hubspot_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func number(id string) float64 {
	n, err := strconv.ParseFloat(id, 64)
	if err != nil {
		return -1
	}
	return n
}

func where(filters ...object) object {
	all := make([]any, len(filters))
	for i, f := range filters {
		all[i] = f
	}
	return object{"filterGroups": []any{object{"filters": all}}}
}

func is(property, operator string, value any) object {
	f := object{"propertyName": property, "operator": operator}
	switch v := value.(type) {
	case nil:
	case []any:
		f["values"] = v
	default:
		f["value"] = v
	}
	return f
}

// An agent that searches right after it wrote does not find what it wrote, and
// makes it again.
func TestSearchLagsBehindWrites(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := add(r, "contacts", "email", "ada@example.com", "firstname", "Ada")
	byEmail := where(is("email", "EQ", "ada@example.com"))
	find := func() faketest.Got { return r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", byEmail)) }
	if got := find(); got.Len("results") != 0 {
		t.Errorf("found at once: %s", got.Raw)
	}
	r.Wait(31 * time.Second)
	faketest.Want(t, find(), object{"total": 1, "results.0.id": id, "results.0.properties.firstname": "Ada"})
	r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("firstname", "Augusta")))
	faketest.Want(t, find(), object{"results.0.properties.firstname": "Ada"})
	r.Wait(31 * time.Second)
	faketest.Want(t, find(), object{"results.0.properties.firstname": "Augusta"})
	r.Must(204, r.Send("DELETE", "/crm/v3/objects/contacts/"+id, ""))
	faketest.Want(t, find(), object{"total": 1})
	r.Wait(31 * time.Second)
	faketest.Want(t, find(), object{"total": 0})
}

func TestSearchOperators(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	company := add(r, "companies", "name", "Acme")
	var ids []string
	for i, name := range []string{"Ada Lovelace", "Bob Martin", "Zoë Nuñez"} {
		first, last, _ := strings.Cut(name, " ")
		ids = append(ids, add(r, "contacts", "firstname", first, "lastname", last, "email", strings.ToLower(last)+"@example.com", "followercount", strconv.Itoa(10*(i+1))))
		r.Wait(time.Second)
	}
	add(r, "contacts", "firstname", "Nobody")
	r.Must(200, r.Send("PUT", "/crm/v4/objects/contacts/"+ids[1]+"/associations/default/companies/"+company, ""))
	r.Wait(time.Minute)
	tests := []struct {
		filter object
		want   int
	}{
		{is("firstname", "EQ", "ADA"), 1},
		{is("firstname", "NEQ", "Ada"), 3},
		{is("followercount", "GT", "10"), 2},
		{is("followercount", "GTE", 10), 3},
		{is("followercount", "LT", "9"), 0},
		{is("followercount", "LTE", "20"), 2},
		{object{"propertyName": "followercount", "operator": "BETWEEN", "value": "15", "highValue": "30"}, 2},
		{is("firstname", "IN", []any{"ada", "bob"}), 2},
		{is("firstname", "NOT_IN", []any{"ada", "bob"}), 2},
		{is("email", "HAS_PROPERTY", nil), 3},
		{is("email", "NOT_HAS_PROPERTY", nil), 1},
		{is("email", "CONTAINS_TOKEN", "*@example.com"), 3},
		{is("email", "CONTAINS_TOKEN", "example.com"), 3},
		{is("email", "NOT_CONTAINS_TOKEN", "lovelace"), 3},
		{is("createdate", "GTE", strconv.FormatInt(time.Date(2026, 3, 1, 12, 0, 1, 0, time.UTC).UnixMilli(), 10)), 3},
		{is("associations.company", "EQ", company), 1},
	}
	for _, test := range tests {
		got := r.JSON("POST", "/crm/v3/objects/contacts/search", where(test.filter))
		r.Wait(time.Second)
		if got.Status != 200 || got.Len("results") != test.want {
			t.Errorf("%v: want %d, have %d %s", test.filter, test.want, got.Status, got.Raw)
		}
	}
	sorted := r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", object{"query": "example", "sorts": []any{object{"propertyName": "followercount", "direction": "DESCENDING"}}, "limit": 2, "properties": []any{"followercount"}}))
	faketest.Want(t, sorted, object{"total": 3, "results.0.id": ids[2], "results.1.id": ids[1], "paging.next.after": "2"})
	r.Wait(time.Second)
	rest := r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", object{"query": "example", "sorts": []any{"-followercount"}, "limit": 2, "after": "2"}))
	faketest.Want(t, rest, object{"results.0.id": ids[0], "paging": nil})
	r.Wait(time.Second)
	or := object{"filterGroups": []any{object{"filters": []any{is("firstname", "EQ", "Ada")}}, object{"filters": []any{is("firstname", "EQ", "Bob")}}}}
	faketest.Want(t, r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", or)), object{"total": 2})
}

func TestSearchesThatAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	groups := func(n int) object {
		all := make([]any, n)
		for i := range all {
			all[i] = object{"filters": []any{is("email", "HAS_PROPERTY", nil)}}
		}
		return object{"filterGroups": all}
	}
	for _, body := range []object{
		{"limit": 201},
		{"after": 9995, "limit": 10},
		{"after": "x"},
		groups(6), where(is("email", "LIKE", "x")), where(is("nosuch", "EQ", "x")),
		where(is("email", "EQ", nil)), where(is("email", "BETWEEN", "1")), where(is("email", "IN", nil)), where(object{"propertyName": "email"}),
		{"sorts": []any{"email", "firstname"}},
		{"sorts": []any{"nosuch"}},
		{"sorts": []any{object{"propertyName": "email", "direction": "UP"}}},
		{"filterGroups": object{}},
		{"query": strings.Repeat("x", 3001)},
		{"limit": "ten"},
	} {
		got := r.JSON("POST", "/crm/v3/objects/contacts/search", body)
		if r.Wait(time.Second); got.Status != 400 || got.Text("status") != "error" || got.Text("message") == "" || got.Text("correlationId") == "" {
			t.Errorf("%v: %d %s", body, got.Status, got.Raw)
		}
	}
	missing := r.JSON("POST", "/crm/v3/objects/contacts/search", where(object{"operator": "EQ", "value": "x"}))
	faketest.Want(t, missing, object{"message": "Invalid input JSON on line 1, column 2. Some required fields were not set: [propertyName]"})
}

func TestSearchHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 6 {
		got := r.JSON("POST", "/crm/v3/objects/contacts/search", object{})
		if want := map[bool]int{true: 200, false: 429}[i < 5]; got.Status != want {
			t.Errorf("search %d: %d, want %d", i+1, got.Status, want)
		}
		if got.Header.Get("X-Hubspot-Ratelimit-Max") != "" {
			t.Error("search tells of limits, and HubSpot's does not")
		}
		if i == 5 {
			faketest.Want(t, got, object{"message": "You have reached your secondly limit.", "policyName": "SECONDLY", "errorType": "RATE_LIMIT", "category": "RATE_LIMITS"})
		}
	}
	r.Wait(time.Second)
	r.Must(200, r.JSON("POST", "/crm/v3/objects/contacts/search", object{}))
}
