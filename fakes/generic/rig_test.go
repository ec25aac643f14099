package generic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"parity/fakes"
	"parity/fakes/generic"
	"parity/fakes/world"
	"parity/specs"
)

// A rig drives a fake as the gateway does, without HTTP: match, read, answer in
// a transaction, commit. Every answer is held against the contract.
type rig struct {
	t       testing.TB
	service fakes.Service
	world   *world.World
	now     time.Time
	minted  int
	held    bool
	bare    bool // send no credential
}

// crm plays the worked example, with a behaviour file or without.
func crm(t testing.TB, behaviour string) *rig {
	t.Helper()
	contract, _, err := specs.Load(os.DirFS("../../specs/acme-crm"), "openapi.yaml", "acme-crm")
	if err != nil {
		t.Fatal(err)
	}
	return rigOf(t, generic.Options{Contract: contract, Behaviour: []byte(behaviour), BehaviourName: "behaviour.yaml"})
}

// play plays a contract that is written in the test.
func play(t testing.TB, document string) *rig {
	t.Helper()
	return rigOf(t, generic.Options{Contract: contractOf(t, document)})
}

func contractOf(t testing.TB, document string) *specs.Contract {
	t.Helper()
	if !strings.Contains(document, "openapi:") {
		document = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\n" + document
	}
	contract, _, err := specs.Load(fstest.MapFS{"api.yaml": {Data: []byte(document)}}, "api.yaml", "shop")
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

func rigOf(t testing.TB, o generic.Options) *rig {
	t.Helper()
	service, problems, err := generic.New(o)
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v: %+v", err, problems)
	}
	return rigFor(t, service)
}

func rigFor(t testing.TB, service fakes.Service) *rig {
	t.Helper()
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	return &rig{t: t, service: service, world: w, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

// A got is an answer, decoded.
type got struct {
	status int
	header http.Header
	raw    string
	body   any
	reply  fakes.Reply
}

// at gives the value at a dotted path; items of lists by their number.
func (g got) at(path string) any {
	v := g.body
	for name := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			var i int
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

func (g got) text(path string) string { return fmt.Sprint(g.at(path)) }

// column gives a field of each item of a list.
func (g got) column(list, field string) string {
	items, ok := g.body.([]any)
	if list != "" {
		items, ok = g.at(list).([]any)
	}
	if !ok {
		return "no list in " + g.raw
	}
	var all []string
	for _, item := range items {
		all = append(all, got{body: item}.text(field))
	}
	return strings.Join(all, " ")
}

func (r *rig) get(path string) got        { r.t.Helper(); return r.send("GET", path, "", nil) }
func (r *rig) delete(path string) got     { r.t.Helper(); return r.send("DELETE", path, "", nil) }
func (r *rig) post(path, body string) got { r.t.Helper(); return r.send("POST", path, body, nil) }
func (r *rig) put(path, body string) got  { r.t.Helper(); return r.send("PUT", path, body, nil) }
func (r *rig) patch(path, body string) got {
	r.t.Helper()
	return r.send("PATCH", path, body, nil)
}

func (r *rig) send(method, target, body string, header http.Header) got {
	r.t.Helper()
	call, trouble := r.call(method, target, body, header)
	if trouble != nil {
		return r.check(method, target, r.service.Fake.(fakes.Dialect).Render(*trouble), nil)
	}
	reply := r.service.Fake.Answer(call)
	r.world = call.Tx.Commit()
	return r.check(method, target, reply, call.Operation)
}

// check holds an answer against the contract, and its Result against its body.
func (r *rig) check(method, target string, reply fakes.Reply, op *specs.Operation) got {
	r.t.Helper()
	if op != nil {
		for _, wrong := range op.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body) {
			if wrong.In == "status" && reply.Status >= 400 {
				continue // a refusal that the contract forgot
			}
			if wrong.Rule == "oneOf" && strings.Contains(wrong.Message, "several") {
				continue // what was sent fits several too
			}
			r.t.Errorf("%s %s: %d breaks the contract: %+v\n%s", method, target, reply.Status, wrong, reply.Body)
		}
	}
	g := got{status: reply.Status, header: reply.Header, raw: string(reply.Body), reply: reply}
	if strings.Contains(reply.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(reply.Body, &g.body); err != nil {
			r.t.Fatalf("%s %s: %v: %s", method, target, err, reply.Body)
		}
		if _, ok := g.body.(map[string]any); ok && asJSON(exactly(r.t, reply.Body)) != asJSON(reply.Result) {
			r.t.Errorf("%s %s: Result is not the body:\n%s\n%s", method, target, asJSON(reply.Result), reply.Body)
		}
	}
	return g
}

// exactly decodes JSON with the digits of its numbers.
func exactly(t testing.TB, data []byte) any {
	t.Helper()
	value, err := world.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// call decodes a request, or says what is wrong with it.
func (r *rig) call(method, target, body string, header http.Header) (*fakes.Call, *fakes.Problem) {
	r.t.Helper()
	path, query, _ := strings.Cut(target, "?")
	header = header.Clone()
	if header == nil {
		header = http.Header{}
	}
	if !r.bare {
		header.Set("Authorization", "Bearer secret")
	}
	if body != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json")
	}
	match := r.service.Contract.MatchCall(&specs.Call{Method: method, Path: path, Query: query, Header: header, Body: []byte(body)})
	if its, _ := r.service.Contract.MatchLenient(&specs.Call{Method: method, Path: path}); match.Operation == nil && its.Operation != nil {
		match = its
	}
	if match.Operation == nil {
		kind := fakes.NoOperation
		if len(match.Allowed) > 0 {
			kind = fakes.NoMethod
		}
		return nil, &fakes.Problem{Kind: kind, Method: method, Path: path, Header: header}
	}
	input, wrong := match.Operation.Read(specs.Request{Path: match.Path, Query: query, Header: header, Body: []byte(body)})
	if len(specs.Refused(wrong)) > 0 {
		return nil, &fakes.Problem{Kind: fakes.BadRequest, Method: method, Path: path, Header: header, Violations: wrong}
	}
	n := 0
	r.minted++
	call := r.minted
	return &fakes.Call{
		Operation: match.Operation, Contract: r.service.Contract, Input: input, Header: header, Body: []byte(body),
		Tx: r.world.Begin(), Now: r.now, Identity: "tester", Base: "https://api.example", Held: r.held,
		NewID: func(prefix string, length int) string {
			n++
			return fmt.Sprintf("%s%0*d", prefix, length, call*100+n)
		},
	}, nil
}

// must fails the test unless the status is as said.
func (r *rig) must(status int, g got) got {
	r.t.Helper()
	if g.status != status {
		r.t.Fatalf("status %d, want %d: %s", g.status, status, g.raw)
	}
	return g
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// want compares fields of an answer by dotted path.
func want(t testing.TB, g got, fields map[string]any) {
	t.Helper()
	for path, value := range fields {
		if have := g.at(path); asJSON(have) != asJSON(value) {
			t.Errorf("%s is %s, want %s in %s", path, asJSON(have), asJSON(value), g.raw)
		}
	}
}
