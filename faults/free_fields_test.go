package faults

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"parity/specs"
)

// operationOf is the one operation of a contract whose success has a schema.
func operationOf(t *testing.T, schema string) *specs.Operation {
	t.Helper()
	text := "openapi: 3.0.3\ninfo: {title: X, version: '1'}\npaths:\n  /x:\n    get:\n      operationId: getX\n" +
		"      responses: {'200': {description: x, content: {application/json: {schema: " + schema + "}}}}\n"
	c, _, err := specs.Load(fstest.MapFS{"openapi.yaml": {Data: []byte(text)}}, "openapi.yaml", "x")
	if err != nil {
		t.Fatal(err)
	}
	return c.Operations[0]
}

// Fields that a contract leaves open were no fields: a rule that named one was
// refused, and properties and metadata never drifted.
func TestDriftInObjectsWhoseNamesTheContractLeavesOpen(t *testing.T) {
	t.Parallel()
	hubspot, stripe := contractOf(t, "hubspot"), contractOf(t, "stripe")
	pick := func(c *specs.Contract, name string) *specs.Operation {
		return c.Operations[slices.IndexFunc(c.Operations, func(o *specs.Operation) bool { return o.Name() == name })]
	}
	one := pick(hubspot, "hubspot GET /crm/v3/objects/{objectType}/{objectId}")
	list := pick(hubspot, "hubspot GET /crm/v3/objects/{objectType}")
	customer := pick(stripe, "stripe GET /v1/customers/{customer}")
	users := operationOf(t, "{type: object, properties: {users: {type: object, additionalProperties: {type: object, properties: {name: {type: string}, age: {type: integer}}}}}}")
	counts := operationOf(t, "{type: object, additionalProperties: {type: integer}}")
	anything := operationOf(t, "{type: object, properties: {data: {type: object}}}")
	const contact = `{"id":"1","properties":{"amount":"12","email":"a@example.com","hs.x":"y"}}`
	for name, c := range map[string]struct {
		op      *specs.Operation
		with    map[string]any
		was, is string // is: "" where lint refuses it; what it says is was
	}{
		"renamed":              {one, map[string]any{"field": "properties.email"}, contact, `{"id":"1","properties":{"amount":"12","email_value":"a@example.com","hs.x":"y"}}`},
		"removed":              {one, map[string]any{"field": "properties.email", "change": "remove"}, contact, `{"id":"1","properties":{"amount":"12","hs.x":"y"}}`},
		"retyped":              {one, map[string]any{"field": "properties.email", "change": "retype"}, contact, `{"id":"1","properties":{"amount":"12","email":{"value":"a@example.com"},"hs.x":"y"}}`},
		"null":                 {one, map[string]any{"field": "properties.email", "change": "nulled"}, contact, `{"id":"1","properties":{"amount":"12","email":null,"hs.x":"y"}}`},
		"a name with a dot":    {one, map[string]any{"field": "properties.hs.x", "change": "remove"}, contact, `{"id":"1","properties":{"amount":"12","email":"a@example.com"}}`},
		"not there":            {one, map[string]any{"field": "properties.phone"}, contact, contact},
		"in each item":         {list, map[string]any{"field": "results.*.properties.email", "change": "remove"}, `{"results":[` + contact + `,{"id":"2","properties":{"email":"b@example.com"}}]}`, `{"results":[{"id":"1","properties":{"amount":"12","hs.x":"y"}},{"id":"2","properties":{}}]}`},
		"metadata":             {customer, map[string]any{"field": "metadata.order_id"}, `{"id":"cus_1","object":"customer","created":1,"livemode":false,"metadata":{"order_id":"7"}}`, `{"id":"cus_1","object":"customer","created":1,"livemode":false,"metadata":{"order_id_value":"7"}}`},
		"of a map's records":   {users, map[string]any{"field": "users.*.name", "change": "remove"}, `{"users":{"u1":{"name":"a"},"u2":{"age":3,"name":"b"}}}`, `{"users":{"u1":{},"u2":{"age":3}}}`},
		"a record of a map":    {users, map[string]any{"field": "users.u1", "change": "nulled"}, `{"users":{"u1":{"name":"a"},"u2":{"name":"b"}}}`, `{"users":{"u1":null,"u2":{"name":"b"}}}`},
		"a map and no more":    {counts, map[string]any{"change": "retype"}, `{"b":1}`, `{"b":"1"}`},
		"of the map alone":     {counts, map[string]any{"field": "b", "change": "units"}, `{"a":1,"b":250}`, `{"a":1,"b":"2.50"}`},
		"whatever there is":    {anything, map[string]any{"field": "data.x", "change": "retype"}, `{"data":{"x":true}}`, `{"data":{"x":"true"}}`},
		"named like a pattern": {anything, map[string]any{"field": "data.*", "change": "remove"}, `{"data":{"*":1,"x":2}}`, `{"data":{"*":1,"x":2}}`},
		"text has no units":    {one, map[string]any{"field": "properties.amount", "change": "units"}, "properties.amount of hubspot GET /crm/v3/objects/{objectType}/{objectId} is nothing for change: units", ""},
		"no such map":          {one, map[string]any{"field": "metadata.email"}, "has no field metadata.email", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lacks := built(t, "schema-drift", c.with).(Requirer).Misfit(c.op, nil)
			if c.is == "" {
				if !strings.Contains(lacks, c.was) {
					t.Errorf("lint says %q, want %q", lacks, c.was)
				}
				return
			}
			a, done := amended(t, strike(t, "schema-drift", c.with, CallContext{}), c.op, c.was)
			if string(a.Body) != c.is || lacks != "" {
				t.Errorf("%s\nwant %s; lint says %q, and it %+v", a.Body, c.is, lacks, done)
			}
		})
	}
}

// What a contract names drifts before what it leaves open, where none is named.
func TestNamedFieldsDriftFirst(t *testing.T) {
	t.Parallel()
	op := operationOf(t, "{type: object, properties: {id: {type: string}, metadata: {type: object, additionalProperties: {type: string}}}}")
	a, _ := amended(t, strike(t, "schema-drift", map[string]any{"change": "retype"}, CallContext{}), op, `{"id":"1","metadata":{"a":"b"}}`)
	if string(a.Body) != `{"id":{"value":"1"},"metadata":{"a":"b"}}` {
		t.Errorf("%s", a.Body)
	}
}

// Values of HubSpot's properties and of Notion's were out of a rule's reach: lint
// refused one that named them, and one that named none said nothing wrong.
func TestWrongValuesInObjectsWhoseNamesTheContractLeavesOpen(t *testing.T) {
	t.Parallel()
	pick := func(service, name string) *specs.Operation {
		c := contractOf(t, service)
		return c.Operations[slices.IndexFunc(c.Operations, func(o *specs.Operation) bool { return o.Name() == service+" "+name })]
	}
	deal, page := pick("hubspot", "GET /crm/v3/objects/{objectType}/{objectId}"), pick("notion", "GET /v1/pages/{page_id}")
	deals, query := pick("hubspot", "GET /crm/v3/objects/{objectType}"), pick("notion", "POST /v1/data_sources/{data_source_id}/query")
	const one = `{"id":"1","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","archived":false,"properties":{"amount":"1200.50","dealname":"Big","hs.x":"y"}}`
	const title = `"properties":{"Name":{"id":"title","type":"title","title":[{"plain_text":"Tasks"}]},"Points":{"id":"a","type":"number","number":100}}`
	for name, c := range map[string]struct {
		op      *specs.Operation
		with    map[string]any
		was, is string // is: what it holds afterwards; "" where lint refuses it, with was
	}{
		"a property":            {deal, map[string]any{"field": "properties.dealname", "value": "Small"}, one, `"dealname":"Small"`},
		"a number kept as text": {deal, map[string]any{"field": "properties.amount", "value": "7.50"}, one, `"amount":"7.50"`},
		"any of them":           {deal, map[string]any{"field": "properties.*", "value": "z"}, one, `"z"`},
		"a name with a dot":     {deal, map[string]any{"field": "properties.hs.x", "value": "z"}, one, `"hs.x":"z"`},
		"without its value":     {deal, map[string]any{"field": "properties.dealname"}, one, `"Big (old)"`},
		"in each item":          {deals, map[string]any{"field": "results.*.properties.dealname", "value": "Small"}, `{"results":[` + one + `]}`, `"dealname":"Small"`},
		"none that is named":    {deal, map[string]any{}, one, `"dealname":"Big"`},
		"not there":             {deal, map[string]any{"field": "properties.phone", "value": "1"}, one, one},
		"no such map":           {deal, map[string]any{"field": "metadata.phone", "value": "1"}, "has no field metadata.phone", ""},
		"a page's title":        {page, map[string]any{"field": "properties.Name.title.*.plain_text", "value": "Jobs"}, `{"object":"page","id":"x",` + title + `}`, `"plain_text":"Jobs"`},
		"a page's number":       {page, map[string]any{"field": "properties.Points.number", "value": "7"}, `{"object":"page","id":"x",` + title + `}`, `"number":7`},
		"of each page":          {query, map[string]any{"field": "results.*.properties.Points.number", "value": "7"}, `{"object":"list","results":[{` + title + `}],"next_cursor":null,"has_more":false,"type":"page_or_data_source"}`, `"number":7`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lacks := built(t, "wrong-value", c.with).(Requirer).Misfit(c.op, nil)
			if c.is == "" {
				if !strings.Contains(lacks, c.was) {
					t.Errorf("lint says %q, want %q", lacks, c.was)
				}
				return
			}
			a, done := amended(t, strike(t, "wrong-value", c.with, CallContext{}), c.op, c.was)
			if !strings.Contains(string(a.Body), c.is) || lacks != "" || (string(a.Body) == c.was) != (name == "not there") {
				t.Errorf("%s\nwant %s; lint says %q, and it %+v", a.Body, c.is, lacks, done)
			}
		})
	}
}
