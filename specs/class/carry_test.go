package class_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parity/specs"
	"parity/specs/class"
)

// office is a service that has everything a request may be hidden in.
const office = `
openapi: 3.0.3
info: {title: Office, version: '1'}
servers: [{url: 'https://office.example/v1'}]
paths:
  /events:
    get: {operationId: list, responses: {}}
    post: {operationId: insert, responses: {}}
  /events/{id}:
    get: {operationId: get, responses: {}}
    delete: {operationId: delete, responses: {}}
  /webhooks: {post: {operationId: hook, responses: {}}}
  /graphql: {post: {operationId: graph, responses: {}}, get: {operationId: graphGet, responses: {}}}
  /batch: {post: {operationId: batch, x-parity-class: read, responses: {}}}
  /find: {post: {operationId: find, x-parity-effect: read, responses: {}}}
`

type told struct{ class, by, code string }

// sent is a request to an operation, by its id.
type sent struct {
	operation, query, body string
	header                 []string // names and values
}

func judge(contract *specs.Contract) class.Judge {
	return class.Judge{Match: func(method, path string) (*specs.Operation, bool) {
		m := contract.MatchCall(&specs.Call{Method: method, Path: path})
		return m.Operation, m.Operation != nil
	}}
}

func (s sent) request(contract *specs.Contract) (*specs.Operation, class.Request) {
	op, ok := contract.Operation(s.operation)
	if !ok {
		panic(s.operation)
	}
	header := http.Header{}
	for i := 0; i+1 < len(s.header); i += 2 {
		header.Add(s.header[i], s.header[i+1])
	}
	r := class.Request{Method: op.Method, Query: s.query, Header: header, Body: []byte(s.body)}
	r.Input, _ = op.Read(specs.Request{Query: s.query, Header: header, Body: r.Body})
	return op, r
}

func (s sent) carried(contract *specs.Contract, j class.Judge) told {
	op, r := s.request(contract)
	c := j.Carry(op, r)
	return told{string(c.Class), c.By, c.Code}
}

func TestAMethodOverrideByAReaderIsRefused(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	for name, c := range map[string]struct {
		sent
		refused bool
	}{
		"none":                     {sent{operation: "get"}, false},
		"a header":                 {sent{operation: "get", header: []string{"X-HTTP-Method-Override", "DELETE"}}, true},
		"another header":           {sent{operation: "get", header: []string{"X-Http-Method", "DELETE"}}, true},
		"a third":                  {sent{operation: "get", header: []string{"x-method-override", "DELETE"}}, true},
		"its own method":           {sent{operation: "get", header: []string{"X-HTTP-Method-Override", "get"}}, false},
		"its own and another":      {sent{operation: "get", header: []string{"X-Http-Method", "GET", "X-Http-Method", "PUT"}}, true},
		"a query":                  {sent{operation: "find", query: "a=b&_method=delete"}, true},
		"a query in disguise":      {sent{operation: "find", query: "a=b&%5Fm%65thod=delete"}, true},
		"a query behind semicolon": {sent{operation: "find", query: "a=b;_method=delete"}, true},
		"a query's own method":     {sent{operation: "find", query: "_method=post"}, false},
		"a form":                   {sent{operation: "find", header: form, body: "a=b&_method=delete"}, true},
		"a form that says it thus": {sent{operation: "find", header: form, body: "_method[]=delete"}, true},
		"a form of two minds":      {sent{operation: "find", header: form, body: "_method=post&_method=delete"}, true},
		"a form's own method":      {sent{operation: "find", header: form, body: "_method=POST"}, false},
		"a body":                   {sent{operation: "find", body: `{"_method":"delete"}`}, true},
		"a body of another sort":   {sent{operation: "find", body: `{"_method":["delete"]}`}, true},
		"a field like it":          {sent{operation: "find", query: "payment_method=card", body: `{"method":"delete"}`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := told{"read", "", ""}
			if c.refused {
				want.code = class.Escalation
			}
			if got := c.carried(contract, judge(contract)); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

func TestAMutationByAReaderIsToldWhereverItHides(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	const json = "application/json"
	read, lost := told{"read", "graphql query events", ""}, told{"irreversible", "graphql mutation deleteEvent", ""}
	unseen := told{"admin", "graphql without a document", ""}
	unreadable := told{"read", "", class.Contract}
	for name, c := range map[string]struct {
		sent
		want told
	}{
		"a query":                 {sent{body: `{"query":"{events{id}}"}`}, read},
		"a mutation":              {sent{body: `{"query":"mutation{deleteEvent(id:1){id}}"}`}, lost},
		"an alias":                {sent{body: `{"query":"mutation{events:deleteEvent(id:1){id}}"}`}, lost},
		"a fragment":              {sent{body: `{"query":"mutation{...a} fragment a on Mutation{...b} fragment b on Mutation{...a deleteEvent(id:1){id}}"}`}, lost},
		"an inline fragment":      {sent{body: `{"query":"mutation{...on Mutation{...{deleteEvent(id:1){id}}}}"}`}, lost},
		"a fragment of two":       {sent{body: `{"query":"query a{...f} mutation b{...f} fragment f on X{deleteEvent}"}`}, lost},
		"no fragment":             {sent{body: `{"query":"mutation{...f}"}`}, told{"irreversible", "graphql mutation", ""}},
		"a skipped field":         {sent{body: `{"query":"mutation{deleteEvent(id:1) @skip(if:true){id}}"}`}, lost},
		"a comment":               {sent{body: `{"query":"# query\nmutation{deleteEvent}"}`}, lost},
		"a second operation":      {sent{body: `{"query":"query a{events{id}} mutation b{deleteEvent}","operationName":"b"}`}, lost},
		"the first operation":     {sent{body: `{"query":"query a{events{id}} mutation b{deleteEvent}","operationName":"a"}`}, read},
		"no operation named":      {sent{body: `{"query":"query a{events{id}} mutation b{deleteEvent}"}`}, lost},
		"one that is not there":   {sent{body: `{"query":"query a{events{id}} mutation b{deleteEvent}","operationName":"c"}`}, lost},
		"a name of another sort":  {sent{body: `{"query":"query a{events{id}} mutation b{deleteEvent}","operationName":["a"]}`}, lost},
		"a subscription":          {sent{body: `{"query":"subscription{onEvent{id}}"}`}, told{"irreversible", "graphql subscription onEvent", ""}},
		"one that governs":        {sent{body: `{"query":"mutation{deleteEvent createApiKey{id}}"}`}, told{"admin", "graphql mutation createApiKey", ""}},
		"several documents":       {sent{body: `[{"query":"{events{id}}"},{"query":"mutation{deleteEvent}"}]`}, lost},
		"a query beside a query":  {sent{query: "query=mutation%7BdeleteEvent%7D", body: `{"query":"{events{id}}"}`}, lost},
		"by GET":                  {sent{operation: "graphGet", query: "query=mutation{deleteEvent}"}, lost},
		"behind two marks":        {sent{query: "?query=mutation{deleteEvent}", body: `{"query":"{events{id}}"}`}, lost},
		"by GET, behind ;":        {sent{operation: "graphGet", query: "query=query+a{events}+%23;%0Amutation+b{deleteEvent}&operationName=b"}, lost},
		"a page for people":       {sent{operation: "graphGet"}, told{"read", "", ""}},
		"plain":                   {sent{header: []string{"Content-Type", "application/graphql"}, body: "mutation{deleteEvent}"}, lost},
		"a form":                  {sent{header: []string{"Content-Type", "application/x-www-form-urlencoded"}, body: "query=mutation{deleteEvent}"}, lost},
		"JSON of no kind":         {sent{header: []string{"Content-Type", "text/plain"}, body: `{"query":"mutation{deleteEvent}"}`}, lost},
		"files beside it":         {sent{body: `{"operations":"{\"query\":\"mutation{deleteEvent}\"}","0":"file"}`}, lost},
		"files and a query":       {sent{body: `{"operations":"{\"query\":\"{events}\"}","query":"mutation{deleteEvent}"}`}, lost},
		"a digest alone":          {sent{body: `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}`}, unseen},
		"a digest and a document": {sent{body: `{"query":"{events}","extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}`}, read},
		"one that is kept":        {sent{body: `{"doc_id":"17"}`}, unseen},
		"one kept, and a query":   {sent{body: `{"query":"{events}","doc_id":"17"}`}, unseen},
		"a digest by GET":         {sent{operation: "graphGet", query: "extensions=%7B%7D"}, unseen},
		"bytes":                   {sent{header: []string{"Content-Type", "text/plain"}, body: "\x01\x02"}, unseen},
		"no document":             {sent{body: `{"query":"mutation{deleteEvent"}`}, unreadable},
		"a schema":                {sent{body: `{"query":"type Query{a:Int}"}`}, unreadable},
		"only a fragment":         {sent{body: `{"query":"fragment a on Mutation{deleteEvent}"}`}, unreadable},
		"half of JSON":            {sent{body: `{"query":"{events}"`}, unreadable},
		"the same name twice":     {sent{body: `{"query":"{events}","query":"mutation{deleteEvent}"}`}, unreadable},
		"too long":                {sent{body: `{"query":"{events}` + strings.Repeat(" ", 1<<18) + `"}`}, unreadable},
		"too many tokens":         {sent{body: `{"query":"{` + strings.Repeat("events ", 30_000) + `}"}`}, unreadable},
		"too deep":                {sent{body: `{"query":"` + strings.Repeat("{a", 5_000) + strings.Repeat("}", 5_000) + `"}`}, unreadable},
		"too many documents":      {sent{body: "[" + strings.Repeat(`{"query":"{events}"},`, 1000) + `{"query":"{events}"}]`}, unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.operation == "" {
				c.operation = "graph"
			}
			if c.header == nil && c.body != "" {
				c.header = []string{"Content-Type", json}
			}
			if got := c.carried(contract, judge(contract)); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Some services have GraphQL at a path that does not say so, such as /v2.
func TestAMutationWhereNobodyExpectsOneCounts(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	for query, want := range map[string]told{
		"mutation{deleteEvent}":                              {"irreversible", "graphql mutation deleteEvent", ""},
		"query a{events} mutation b{addTeamMember}":          {"admin", "graphql mutation addTeamMember", ""},
		"query a{mutations}":                                 {"read", "", ""},
		"mutation testing in Go":                             {"read", "", ""},
		"what is a {mutation}? none":                         {"read", "", ""},
		"name: mutation{" + strings.Repeat("a", 1<<18) + "}": {"read", "", ""},
	} {
		s := sent{operation: "find", header: []string{"Content-Type", "application/json"}, body: `{"query":"` + query + `"}`}
		if got := s.carried(contract, judge(contract)); got != want {
			t.Errorf("%.40s: %+v, want %+v", query, got, want)
		}
	}
}

func TestATableSaysWhatFieldsAre(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	j := judge(contract)
	j.Table = func(op *specs.Operation) (class.Table, bool) {
		return class.Table{Mutation: class.Irreversible, Fields: map[string]class.Class{"addNote": class.Reversible, "addKey": class.Admin}}, op.ID == "graph"
	}
	for text, want := range map[string]told{
		"{notes}":                       {"read", "graphql query notes", ""},
		"mutation{addNote}":             {"reversible", "graphql mutation addNote", ""},
		"mutation{deleteNote:addNote}":  {"reversible", "graphql mutation addNote", ""},
		"mutation{addNote:deleteNote}":  {"irreversible", "graphql mutation deleteNote", ""},
		"mutation{addNote deleteNote}":  {"irreversible", "graphql mutation deleteNote", ""},
		"mutation{addNote addKey other": {"read", "", class.Contract},
		"mutation{addNote addKey}":      {"admin", "graphql mutation addKey", ""},
		"mutation{createToken}":         {"irreversible", "graphql mutation createToken", ""}, // the table says so
	} {
		s := sent{operation: "graph", header: []string{"Content-Type", "application/graphql"}, body: text}
		if got := s.carried(contract, j); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// parted writes a batch as Google's clients do.
func parted(calls ...string) string {
	var out strings.Builder
	for _, c := range calls {
		out.WriteString("--b\r\nContent-Type: application/http\r\n\r\n" + strings.ReplaceAll(c, "\n", "\r\n") + "\r\n")
	}
	return out.String() + "--b--\r\n"
}

func TestABatchThatHidesADeleteIsWhatItHides(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	mixed := []string{"Content-Type", `multipart/mixed; boundary="b"`}
	untold := told{"admin", "a batch whose parts cannot be told apart", ""}
	lost := told{"irreversible", "part 2: DELETE /v1/events/{id}", ""}
	for name, c := range map[string]struct {
		sent
		want told
	}{
		"reads":               {sent{body: parted("GET /v1/events\n", "GET /v1/events/7 HTTP/1.1\nAccept: */*\n\n")}, told{"read", "part 1: GET /v1/events", ""}},
		"a delete":            {sent{body: parted("GET /v1/events\n", "DELETE /v1/events/7?sendUpdates=all HTTP/1.1\nIf-Match: x\n\n")}, lost},
		"with a host":         {sent{body: parted("GET /v1/events\n", "DELETE https://office.example/v1/events/7 HTTP/1.1\n\n")}, lost},
		"behind empty lines":  {sent{body: parted("GET /v1/events\n", "\n\nDELETE /v1/events/7\n")}, lost},
		"in small letters":    {sent{body: parted("GET /v1/events\n", "delete /v1/events/7\n")}, lost},
		"where no batch goes": {sent{operation: "find", body: parted("GET /v1/events\n", "DELETE /v1/events/7\n")}, lost},
		"an override":         {sent{body: parted("GET /v1/events/7\nX-HTTP-Method-Override: DELETE\n\n")}, told{"read", "part 1: GET /v1/events/{id}", class.Escalation}},
		"a mutation": {
			sent{body: parted("POST /v1/graphql\nContent-Type: application/json\n\n" + `{"query":"mutation{deleteEvent}"}`)},
			told{"irreversible", "part 1: graphql mutation deleteEvent", ""},
		},
		"a batch": {
			sent{body: parted("POST /v1/batch\nContent-Type: application/json\n\n" + `{"requests":[{"method":"DELETE","url":"/v1/events/7"}]}`)},
			told{"irreversible", "part 1: part 1: DELETE /v1/events/{id}", ""},
		},
		"a batch in a batch in a batch": {
			sent{body: parted("POST /v1/batch\nContent-Type: application/json\n\n" +
				`{"requests":[{"method":"POST","url":"/v1/batch","body":{"requests":[{"method":"GET","url":"/v1/events"}]}}]}`)},
			told{"admin", "part 1: part 1: a batch whose parts cannot be told apart", ""},
		},
		"sections":               {sent{body: "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + strings.ReplaceAll(parted("GET /v1/events\n", "DELETE /v1/events/7\n"), "--b", "--c") + "\r\n--b--\r\n"}, lost},
		"no operation":           {sent{body: parted("GET /v1/events\n", "DELETE /v1/calendars/7\n")}, told{"read", "part 1: GET /v1/events", class.NoPolicy}},
		"two calls in a part":    {sent{body: parted("POST /v1/find\nContent-Length: 2\n\n{}\nDELETE /v1/events/7\n")}, untold},
		"no call":                {sent{body: parted("hello")}, untold},
		"no call and a call":     {sent{body: "--b\r\n\r\nhello\r\n" + parted("GET /v1/events\n")}, untold},
		"no end":                 {sent{body: strings.TrimSuffix(parted("GET /v1/events\n"), "--b--\r\n")}, untold},
		"no boundary":            {sent{header: []string{"Content-Type", "multipart/mixed"}, body: parted("GET /v1/events\n")}, untold},
		"two boundaries":         {sent{header: []string{"Content-Type", "multipart/mixed; boundary=b", "Content-Type", "multipart/mixed; boundary=c"}, body: parted("GET /v1/events\n")}, untold},
		"nothing":                {sent{body: "--b--\r\n"}, untold},
		"files, and no batch":    {sent{operation: "find", body: "--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n"}, told{"read", "", ""}},
		"files where batches go": {sent{body: "--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n"}, untold},
		"a thousand":             {sent{body: parted(slices.Repeat([]string{"GET /v1/events\n"}, 1000)...)}, told{"read", "part 1: GET /v1/events", ""}},
		"more than a thousand":   {sent{body: parted(slices.Repeat([]string{"GET /v1/events\n"}, 1001)...)}, untold},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.operation == "" {
				c.operation = "batch"
			}
			if c.header == nil {
				c.header = mixed
			}
			if got := c.carried(contract, judge(contract)); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestABatchOfJSONIsWhatItHides(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	lost := told{"irreversible", "part 2: DELETE /v1/events/{id}", ""}
	untold := told{"admin", "a batch whose parts cannot be told apart", ""}
	get := `{"method":"GET","url":"/v1/events"}`
	for name, c := range map[string]struct {
		body string
		want told
	}{
		"a delete":           {`{"requests":[` + get + `,{"id":"2","method":"DELETE","url":"/v1/events/7"}]}`, lost},
		"below the batch":    {`{"requests":[` + get + `,{"id":"2","method":"DELETE","url":"/events/7"}]}`, lost},
		"without a slash":    {`{"batch":[` + get + `,{"method":"DELETE","relative_url":"events/7"}]}`, lost},
		"as SCIM has it":     {`{"Operations":[` + get + `,{"method":"DELETE","path":"/events/7"}]}`, lost},
		"a list":             {`[` + get + `,{"method":"DELETE","path":"/events/7"}]`, lost},
		"by name":            {`{"requests":{"a":` + get + `,"b":{"method":"DELETE","path":"/events/7"}}}`, lost},
		"as text":            {`{"batch":"[` + strings.ReplaceAll(get+`,{"method":"DELETE","path":"/events/7"}`, `"`, `\"`) + `]"}`, lost},
		"a hook":             {`{"requests":[{"method":"POST","url":"/webhooks","body":{"url":"https://a.example"}}]}`, told{"admin", "part 1: POST /v1/webhooks", ""}},
		"an override":        {`{"requests":[{"method":"GET","url":"/v1/events/7","headers":{"x-http-method-override":"DELETE"}}]}`, told{"read", "part 1: GET /v1/events/{id}", class.Escalation}},
		"an override's body": {`{"requests":[{"method":"POST","url":"/v1/find","body":{"_method":"DELETE"}}]}`, told{"read", "part 1: POST /v1/find", class.Escalation}},
		"a mutation":         {`{"requests":[{"method":"POST","url":"/v1/graphql","body":"{\"query\":\"mutation{deleteEvent}\"}"}]}`, told{"irreversible", "part 1: graphql mutation deleteEvent", ""}},
		"elsewhere":          {`{"requests":[{"method":"DELETE","url":"/calendars/7"}]}`, told{"read", "", class.NoPolicy}},
		"half a call":        {`{"requests":[` + get + `,{"method":"DELETE"}]}`, untold},
		"no method":          {`{"requests":[` + get + `,{"method":7,"url":"/v1/events/7"}]}`, untold},
		"no target":          {`{"requests":[{"method":"DELETE","url":"%zz"}]}`, told{"admin", "part 1 of a batch, which cannot be read", ""}},
		"too many":           {`{"requests":[` + strings.Repeat(get+",", 1000) + get + `]}`, untold},
		"other requests":     {`{"requests":[{"insertText":{"text":"a"}}]}`, told{"read", "", ""}},
		"records":            {`[{"name":"a"}]`, told{"read", "", ""}},
		"nothing":            {``, told{"read", "", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sent{operation: "batch", header: []string{"Content-Type", "application/json"}, body: c.body}
			if got := s.carried(contract, judge(contract)); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// Whatever is sent, nobody gets below what the operation is.
func TestCarryNeverLowersAClass(t *testing.T) {
	t.Parallel()
	contract := load(t, office)
	pieces := rapid.SampledFrom([]string{
		"GET /v1/events\r\n", "DELETE /v1/events/7", "--b\r\n", "--b--", "\r\n", "Content-Type: application/http\r\n", `{"requests":[`, `{"method":"GET","url":"/v1/events"}`,
		"]", "}", ",", `{"query":"{a}"}`, `{"query":"mutation{a}"}`, "query=", "mutation{deleteEvent}", "{a}", "&", "_method=GET", "fragment a on b{c}", `"operationName":"a"`,
	})
	kinds := rapid.SampledFrom([]string{"", "application/json", "application/graphql", "multipart/mixed; boundary=b", "application/x-www-form-urlencoded", "text/plain"})
	ids := rapid.SampledFrom([]string{"list", "insert", "get", "delete", "hook", "graph", "graphGet", "batch", "find"})
	rapid.Check(t, func(t *rapid.T) {
		s := sent{
			operation: ids.Draw(t, "operation"), query: strings.Join(rapid.SliceOfN(pieces, 0, 3).Draw(t, "query"), ""),
			body: strings.Join(rapid.SliceOfN(pieces, 0, 8).Draw(t, "body"), ""), header: []string{"Content-Type", kinds.Draw(t, "kind")},
		}
		op, r := s.request(contract)
		own := class.Of(op, op.Effect).Class
		c := judge(contract).Carry(op, r)
		if !own.Within(c.Class) {
			t.Fatalf("%s is %s, and with what it carries %s", op.Name(), own, c.Class)
		}
		if c.By == "" && c.Class != own {
			t.Fatalf("raised to %s, and nothing says by what", c.Class)
		}
		if (c.Code == "") != (c.Message == "") {
			t.Fatalf("code %q has the message %q", c.Code, c.Message)
		}
		for _, p := range c.Parts {
			if !p.Class.Within(c.Class) {
				t.Fatalf("a part is %s, and the whole %s", p.Class, c.Class)
			}
		}
	})
}

// Most requests carry nothing, and each of them is asked.
func TestWhatCarriesNothingCostsNoAllocation(t *testing.T) { //nolint:paralleltest // allocations are counted
	contract := load(t, office)
	j := judge(contract)
	j.Class = func(*specs.Operation) class.Class { return class.Reversible }
	op, r := sent{
		operation: "insert", query: "sendUpdates=all&maxAttendees=5", body: `{"summary":"Graz","attendees":[{"email":"ada@example.com"}]}`,
		header: []string{"Content-Type", "application/json", "Authorization", "Bearer x"},
	}.request(contract)
	if n := testing.AllocsPerRun(100, func() { j.Carry(op, r) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCarry(b *testing.B) {
	contract, _, err := specs.Load(files(office), "a.yaml", "a")
	if err != nil {
		b.Fatal(err)
	}
	j := judge(contract)
	j.Class = func(*specs.Operation) class.Class { return class.Reversible }
	for name, s := range map[string]sent{
		"nothing": {operation: "insert", query: "sendUpdates=all", body: `{"summary":"Graz"}`, header: []string{"Content-Type", "application/json"}},
		"graphql": {operation: "graph", body: `{"query":"query a{events(first:10){edges{node{id summary}}}}"}`, header: []string{"Content-Type", "application/json"}},
		"batch":   {operation: "batch", body: parted("GET /v1/events\n", "DELETE /v1/events/7\n"), header: []string{"Content-Type", "multipart/mixed; boundary=b"}},
	} {
		b.Run(name, func(b *testing.B) {
			op, r := s.request(contract)
			b.ReportAllocs()
			for b.Loop() {
				j.Carry(op, r)
			}
		})
	}
}
