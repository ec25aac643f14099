package class_test

import (
	"testing"

	"parity/specs"
	"parity/specs/class"
)

// held holds what is true of anything that a request may carry.
func held(t *testing.T, contract *specs.Contract, s sent) {
	t.Helper()
	op, r := s.request(contract)
	c := judge(contract).Carry(op, r)
	if own := class.Of(op, op.Effect).Class; !own.Within(c.Class) {
		t.Errorf("%s is %s, and with what it carries %s", op.Name(), own, c.Class)
	}
	const longest = 1 << 10 // a name of a field or an operation, behind the numbers of a few parts
	if len(c.By) > longest {
		t.Errorf("what it carries is told in %d bytes", len(c.By))
	}
	again := judge(contract).Carry(op, r)
	if again.Class != c.Class || again.By != c.By || again.Code != c.Code {
		t.Errorf("told twice: %+v, then %+v", c, again)
	}
}

func FuzzGraphQL(f *testing.F) {
	contract, _, err := specs.Load(files(office), "a.yaml", "a")
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"{a}", "mutation{b:a(x:{y:[1]}){...c}} fragment c on D{e}", "query a{b} mutation c{d}", "subscription($a:Int!=1){a @skip(if:$a)}", `{a(b:"""c""")}`} {
		f.Add(text, "")
	}
	f.Add("", "query=mutation+a{b};operationName=a&extensions={}")
	f.Fuzz(func(t *testing.T, text, query string) {
		held(t, contract, sent{operation: "graph", query: query, body: text, header: []string{"Content-Type", "application/graphql"}})
		held(t, contract, sent{operation: "graphGet", query: "query=" + query})
	})
}

func FuzzBatch(f *testing.F) {
	contract, _, err := specs.Load(files(office), "a.yaml", "a")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(parted("GET /v1/events\n", "DELETE /v1/events/7 HTTP/1.1\nContent-Length: 0\n\n"), "multipart/mixed; boundary=b")
	f.Add("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c--\r\n--b--\r\n", "multipart/mixed; boundary=b")
	f.Add(`{"requests":[{"method":"POST","url":"/graphql","body":{"query":"{a}"},"headers":{"a":"b"}}]}`, "application/json")
	f.Add("batch=[{\"method\":\"GET\",\"relative_url\":\"events\"}]&_method=a", "application/x-www-form-urlencoded")
	f.Fuzz(func(t *testing.T, body, kind string) {
		held(t, contract, sent{operation: "batch", body: body, header: []string{"Content-Type", kind}})
		held(t, contract, sent{operation: "find", query: body, body: body, header: []string{"Content-Type", kind}})
	})
}
