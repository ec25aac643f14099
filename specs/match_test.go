package specs

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const paths = `
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: 'https://api.test/v1/'}, {url: '/v2'}, {url: 'https://{region}.test/v1', variables: {region: {default: eu}}}]
paths:
  /users/me: {get: {operationId: me, responses: {}}}
  /users/{id}: {get: {operationId: user, responses: {}}, delete: {operationId: drop, responses: {}}}
  /users/{name}: {post: {operationId: change, responses: {}}}
  /users/{id}/notes: {get: {operationId: notes, responses: {}}}
  /compare/{base}...{head}: {get: {operationId: compare, responses: {}}}
  /compare/{one}: {get: {operationId: compareOne, responses: {}}}
  /v{n}/thing: {get: {operationId: versioned, responses: {}}}
  /files/{name}.json: {get: {operationId: file, responses: {}}}
  /files/{name}.{ext}: {get: {operationId: anyFile, responses: {}}}
  /jobs/{id}:cancel: {post: {operationId: cancel, responses: {}}}
  /contents/{path}: {put: {operationId: put, responses: {}}}
  /with space/{x}: {get: {operationId: space, responses: {}}}
  /: {get: {operationId: root, responses: {}}}
  /elsewhere: {servers: [{url: 'https://other.test/base'}], get: {operationId: elsewhere, responses: {}}}
  /head: {get: {operationId: getHead, responses: {}}, head: {operationId: ownHead, responses: {}}}
`

func TestMatch(t *testing.T) {
	t.Parallel()
	contract := load(t, paths)
	tests := []struct {
		method, path, id string
		params           map[string]string
		allowed          string
	}{
		{"GET", "/v1/users/me", "me", nil, ""},
		{"GET", "/v2/users/me", "me", nil, ""},
		{"GET", "/users/me", "", nil, ""},
		{"GET", "/v1/users/you", "user", map[string]string{"id": "you"}, ""},
		{"DELETE", "/v1/users/me", "drop", map[string]string{"id": "me"}, ""},
		{"POST", "/v1/users/7", "change", map[string]string{"name": "7"}, ""},
		{"HEAD", "/v1/users/7", "user", map[string]string{"id": "7"}, ""},
		{"HEAD", "/v1/head", "ownHead", nil, ""},
		{"PATCH", "/v1/users/7", "", nil, "DELETE GET HEAD POST"},
		{"PATCH", "/v1/users/me", "", nil, "DELETE GET HEAD POST"},
		{"GET", "/v1/users/me/notes", "notes", map[string]string{"id": "me"}, ""},
		{"GET", "/v1/users/a%2Fb", "user", map[string]string{"id": "a/b"}, ""},
		{"GET", "/v1/users/a%20b+c", "user", map[string]string{"id": "a b+c"}, ""},
		{"GET", "/v1/users/%6De", "me", nil, ""},
		{"GET", "/v1/users/", "", nil, ""},
		{"GET", "/v1/users//notes", "", nil, ""},
		{"GET", "/v1/users/7/", "", nil, ""},
		{"GET", "/v1/users/%zz", "", nil, ""},
		{"GET", "/v1/compare/main...fix", "compare", map[string]string{"base": "main", "head": "fix"}, ""},
		{"GET", "/v1/compare/a.b...c...d", "compare", map[string]string{"base": "a.b", "head": "c...d"}, ""},
		{"GET", "/v1/compare/...fix", "compareOne", map[string]string{"one": "...fix"}, ""},
		{"GET", "/v1/compare/main", "compareOne", map[string]string{"one": "main"}, ""},
		{"GET", "/v1/v12/thing", "versioned", map[string]string{"n": "12"}, ""},
		{"GET", "/v1/v/thing", "", nil, ""},
		{"GET", "/v1/files/a.b.json", "file", map[string]string{"name": "a.b"}, ""},
		{"GET", "/v1/files/a.xml", "anyFile", map[string]string{"name": "a", "ext": "xml"}, ""},
		{"POST", "/v1/jobs/7:cancel", "cancel", map[string]string{"id": "7"}, ""},
		{"POST", "/v1/jobs/7%3Acancel", "cancel", map[string]string{"id": "7"}, ""},
		{"POST", "/v1/jobs/:cancel", "", nil, ""},
		{"PUT", "/v1/contents/docs%2Fa%20b.md", "put", map[string]string{"path": "docs/a b.md"}, ""},
		{"PUT", "/v1/contents/docs/a", "", nil, ""},
		{"GET", "/v1/with%20space/1", "space", map[string]string{"x": "1"}, ""},
		{"GET", "/v1/", "root", nil, ""},
		{"GET", "/base/elsewhere", "elsewhere", nil, ""},
		{"GET", "/v1/elsewhere", "", nil, ""},
		{"GET", "", "", nil, ""},
		{"GET", "*", "", nil, ""},
		{"GET", "/v1" + strings.Repeat("/a", 1000), "", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.path[:min(len(test.path), 40)], func(t *testing.T) {
			t.Parallel()
			match := contract.Match(test.method, test.path)
			id := ""
			if match.Operation != nil {
				id = match.Operation.ID
			}
			if id != test.id || strings.Join(match.Allowed, " ") != test.allowed {
				t.Fatalf("got %q, allowed %q; want %q, allowed %q", id, match.Allowed, test.id, test.allowed)
			}
			if diff := cmp.Diff(test.params, match.Path); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Contracts that describe calls of procedures, and those that forgot that two
// paths are one.
func TestOperationsOfOnePathAreToldApart(t *testing.T) {
	t.Parallel()
	contract, _, err := tryLoad(`
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /#X-Amz-Target=Db.GetItem: {post: {operationId: getItem, responses: {}}}
  /#X-Amz-Target=Db.PutItem: {post: {operationId: putItem, responses: {}}}
  /rpc?Action=Create&Version=2: {post: {operationId: create2, responses: {}}}
  /rpc?Action=Create: {post: {operationId: create, responses: {}}}
  /rpc: {post: {operationId: rpc, responses: {}}}
  /weather?city={city}: {get: {operationId: byCity, responses: {}}}
  /weather?lat={lat}&lon={lon}: {get: {operationId: byPlace, responses: {}}}
  /files/{id}:
    get: {operationId: byID, parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {}}
  /files/{path}:
    get: {operationId: byPath, parameters: [{name: path, in: path, required: true, schema: {type: string}}], responses: {}}
  /find/{a}: {get: {operationId: strict, parameters: [{name: q, in: query, required: true, schema: {type: string}}], responses: {}}}
  /find/{b}: {get: {operationId: loose, responses: {}}}
  /pages/{name}{extension}: {get: {operationId: page, responses: {}}}
  /objects/{+key}: {get: {operationId: object, responses: {}}}
  /objects/{key}/acl: {get: {operationId: acl, responses: {}}}
  /proxy/{proxy+}: {get: {operationId: proxy, responses: {}}}
  /slash/: {get: {operationId: slash, responses: {}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=utf-8"}}
	target := func(name string) http.Header { return http.Header{"X-Amz-Target": {name}} }
	for _, test := range []struct {
		call   Call
		id     string
		params map[string]string
	}{
		{Call{Method: "POST", Path: "/", Header: target("Db.PutItem")}, "putItem", nil},
		{Call{Method: "POST", Path: "/", Header: target("Db.GetItem")}, "getItem", nil},
		{Call{Method: "POST", Path: "/", Header: target("Db.DropItem")}, "", nil},
		{Call{Method: "POST", Path: "/rpc", Query: "Action=Create"}, "create", nil},
		{Call{Method: "POST", Path: "/rpc", Header: form, Body: []byte("Version=2&Action=Create")}, "create2", nil},
		{Call{Method: "POST", Path: "/rpc", Query: "Action=Drop"}, "rpc", nil},
		{Call{Method: "GET", Path: "/weather", Query: "lat=1&lon=2"}, "byPlace", nil},
		{Call{Method: "GET", Path: "/weather", Query: "city=Graz"}, "byCity", nil},
		{Call{Method: "GET", Path: "/files/7"}, "byID", map[string]string{"id": "7"}},
		{Call{Method: "GET", Path: "/files/a.txt"}, "byPath", map[string]string{"path": "a.txt"}},
		{Call{Method: "GET", Path: "/find/x", Query: "q=1"}, "strict", map[string]string{"a": "x"}},
		{Call{Method: "GET", Path: "/find/x"}, "loose", map[string]string{"b": "x"}},
		{Call{Method: "GET", Path: "/pages/about.json"}, "page", map[string]string{"name": "about", "extension": ".json"}},
		{Call{Method: "GET", Path: "/objects/a/b%2Fc/d"}, "object", map[string]string{"key": "a/b/c/d"}},
		{Call{Method: "GET", Path: "/objects/a/acl"}, "acl", map[string]string{"key": "a"}},
		{Call{Method: "GET", Path: "/proxy/x/y/"}, "proxy", map[string]string{"proxy": "x/y/"}},
		{Call{Method: "GET", Path: "/proxy"}, "", nil},
		{Call{Method: "GET", Path: "/slash/"}, "slash", nil},
		{Call{Method: "GET", Path: "/slash"}, "", nil},
	} {
		match := contract.MatchCall(&test.call)
		id := ""
		if match.Operation != nil {
			id = match.Operation.ID
		}
		if id != test.id || !cmp.Equal(match.Path, test.params) {
			t.Errorf("%+v: %q %v; want %q %v", test.call, id, match.Path, test.id, test.params)
		}
	}
}

func TestServersWithVariables(t *testing.T) {
	t.Parallel()
	contract, _, err := tryLoad(`
openapi: 3.0.3
info: {title: t, version: '1'}
servers:
  - {url: 'https://{tenant}.acme.com:8443/{version}/api/', variables: {tenant: {default: demo}, version: {default: v2, enum: [v1, v2]}}}
  - {url: 'https://{region}.api.acme.com/x/{stage}', variables: {region: {default: eu, enum: [eu, us]}, stage: {default: live}}}
  - {url: '//plain.test'}
  - {url: 'https://{any}', variables: {any: {default: example.test}}}
  - {url: 'https://*.com/'}
  - {url: 'https://{any}.com/', variables: {any: {default: '*'}}}
paths:
  /me: {get: {operationId: me, responses: {}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"demo.acme.com", "*.acme.com", "eu.api.acme.com", "us.api.acme.com", "plain.test", "example.test"}
	if diff := cmp.Diff(want, contract.Hosts); diff != "" {
		t.Error(diff)
	}
	for path, served := range map[string]bool{
		"/v1/api/me": true, "/v2/api/me": true, "/v3/api/me": false, "/x/live/me": true, "/x/test/me": true, "/me": true,
	} {
		if got := contract.Match("GET", path).Operation != nil; got != served {
			t.Errorf("%s is served: %v", path, got)
		}
	}
	if contract.MatchBare(&Call{Method: "GET", Path: "/me"}).Operation == nil {
		t.Error("/me is not found without a base")
	}
}

func TestOperationByName(t *testing.T) {
	t.Parallel()
	contract := stripe(t)
	for _, name := range []string{"PostRefunds", "POST /v1/refunds", "stripe.PostRefunds", "stripe POST /v1/refunds"} {
		if op, ok := contract.Operation(name); !ok || op.Name() != "stripe POST /v1/refunds" {
			t.Errorf("%q names %v", name, op)
		}
	}
	for _, name := range []string{"", "stripe", "stripe.", "PostRefund", "POST /v1/refunds/"} {
		if op, ok := contract.Operation(name); ok {
			t.Errorf("%q names %s", name, op.Name())
		}
	}
}

// FuzzMatch holds Match to what it promises: it does not panic, and the path
// that the parameters make is the path that was asked for.
func FuzzMatch(f *testing.F) {
	contract, _, err := tryLoad(paths)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"/v1/users/me", "/v1/compare/a...b", "/v1/files/a.b.c", "/v1/users/%2F", "//", "/v2/v1/thing"} {
		f.Add("GET", seed)
	}
	f.Fuzz(func(t *testing.T, method, path string) {
		match := contract.Match(method, path)
		if match.Operation == nil {
			return
		}
		made := match.Operation.Path
		for name, value := range match.Path {
			if value == "" {
				t.Errorf("parameter %s is empty", name)
			}
			made = strings.Replace(made, "{"+name+"}", url.PathEscape(value), 1)
		}
		want, err := url.PathUnescape(path)
		if err != nil {
			t.Fatalf("matched %q, which is not escaped well", path)
		}
		if got, _ := url.PathUnescape(made); got != want {
			t.Errorf("%s %s makes %q of %q", http.MethodGet, match.Operation.Path, got, want)
		}
	})
}

// What a path says behind its question mark stands in the query, whatever the
// contract calls it.
func TestParametersOfAPathThatStandInItsQuery(t *testing.T) {
	t.Parallel()
	contract := load(t, `
openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /icons?term={term}&amount={amount}:
    get:
      parameters:
        - {name: term, in: path, required: true, schema: {type: string}}
        - {name: amount, in: path, required: true, schema: {type: integer}}
      responses: {}
`)
	match := contract.MatchCall(&Call{Method: "GET", Path: "/icons", Query: "term=cat&amount=2"})
	if match.Operation == nil {
		t.Fatal("nothing matches")
	}
	input, wrong := match.Operation.Read(Request{Path: match.Path, Query: "term=cat&amount=2"})
	if diff := cmp.Diff(map[string]any{"term": "cat", "amount": int64(2)}, input.Query); len(wrong) > 0 || diff != "" {
		t.Errorf("%v %s", wrong, diff)
	}
	if undeclared := match.Operation.Undeclared(input); len(undeclared) > 0 {
		t.Errorf("undeclared: %v", undeclared)
	}
	if _, wrong := match.Operation.Read(Request{Path: match.Path, Query: "term=cat"}); len(wrong) != 1 {
		t.Errorf("without an amount: %v", wrong)
	}
}
