package generic_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/generic"
	"parity/specs"
)

// A script of calls that meets most of what the fake does.
func script(r *rig) []string {
	var seen []string
	note := func(g got) got { seen = append(seen, g.raw+g.header.Get("Etag")); return g }
	company := note(r.post("/v1/companies", `{"name":"Acme"}`)).text("id")
	contact := note(r.post("/v1/contacts", `{"email":"a@acme.example","company_id":"`+company+`"}`)).text("id")
	note(r.post("/v1/contacts/"+contact+"/notes", `{"body":"hi"}`))
	note(r.patch("/v1/contacts/"+contact, `{"last_name":"A"}`))
	note(r.get("/v1/contacts?sort=-created_at"))
	note(r.get("/v1/contacts/" + contact + "/notes"))
	note(r.get("/v1/events"))
	note(r.get("/v1/status"))
	note(r.get("/v1/contacts/con_none"))
	note(r.delete("/v1/companies/" + company))
	return seen
}

func TestTheSameCallsMakeTheSameWorld(t *testing.T) {
	t.Parallel()
	one, two := crm(t, ""), crm(t, "")
	if a, b := script(one), script(two); strings.Join(a, "\n") != strings.Join(b, "\n") {
		t.Errorf("answers differ:\n%s\n%s", a, b)
	}
	if one.world.Hash() != two.world.Hash() {
		t.Error("worlds differ")
	}
}

func TestAForkGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	script(r)
	before, hash, minted := r.world, r.world.Hash(), r.minted
	first := r.must(201, r.post("/v1/contacts", `{"email":"b@acme.example"}`)).raw
	after := r.world.Hash()
	if before.Hash() != hash {
		t.Error("the world before has changed")
	}
	r.world, r.minted = before, minted
	if again := r.must(201, r.post("/v1/contacts", `{"email":"b@acme.example"}`)).raw; again != first || r.world.Hash() != after {
		t.Errorf("the fork went another way: %s, %s", first, again)
	}
}

func TestReadsLeaveTheWorldAlone(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	before := r.world
	first := r.must(200, r.get("/v1/events"))
	for _, path := range []string{"/v1/status", "/v1/contacts", "/v1/companies/none"} {
		r.get(path)
	}
	if r.world != before {
		t.Error("a read has written")
	}
	if again := r.must(200, r.get("/v1/events")); again.raw != first.raw {
		t.Errorf("what is there from the start differs: %s, %s", first.raw, again.raw)
	}
}

const account = `
paths:
  /countries:
    get:
      responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Country'}}}}}}
  /countries/{code}:
    parameters: [{name: code, in: path, required: true, schema: {type: string}}]
    get:
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Country'}}}}, '404': {description: none}}
    patch:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Country'}}}}}
    delete:
      responses: {'204': {description: gone}}
  /me:
    get:
      responses: {'200': {description: me, content: {application/json: {schema: {$ref: '#/components/schemas/Me'}, example: {name: Ada, theme: dark}}}}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Me'}}}}
      responses: {'200': {description: me, content: {application/json: {schema: {$ref: '#/components/schemas/Me'}}}}}
components:
  schemas:
    Country: {type: object, required: [code, name], properties: {code: {type: string}, name: {type: string}}}
    Me: {type: object, required: [name], properties: {name: {type: string}, theme: {type: string}}}
`

func TestWhatNobodyCreatesIsThereFromTheStart(t *testing.T) {
	t.Parallel()
	r := play(t, account)
	list := r.must(200, r.get("/countries"))
	code := list.text("0.code")
	one := r.must(200, r.get("/countries/"+code))
	if asJSON(one.body) != asJSON(list.at("0")) {
		t.Errorf("listed as %s, read as %s", asJSON(list.at("0")), one.raw)
	}
	changed := r.must(200, r.patch("/countries/"+code, `{"name":"Freedonia"}`))
	want(t, changed, map[string]any{"code": code, "name": "Freedonia"})
	after := r.must(200, r.get("/countries"))
	if after.text("0.name") != "Freedonia" || after.text("1.code") != list.text("1.code") {
		t.Errorf("the list is %s, was %s", after.raw, list.raw)
	}
	r.must(204, r.delete("/countries/"+code))
	r.must(404, r.get("/countries/"+code))
	if got := r.get("/countries").column("", "code"); got != list.text("1.code")+" "+list.text("2.code") {
		t.Errorf("left are %s of %s", got, list.raw)
	}
}

func TestASingletonIsReadAndReplaced(t *testing.T) {
	t.Parallel()
	r := play(t, account)
	want(t, r.must(200, r.get("/me")), map[string]any{"name": "Ada", "theme": "dark"})
	r.must(200, r.put("/me", `{"name":"Bob"}`))
	want(t, r.must(200, r.get("/me")), map[string]any{"name": "Bob", "theme": nil})
}

const patched = `
paths:
  /docs:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}}
  /docs/{doc_id}:
    parameters:
      - {name: doc_id, in: path, required: true, schema: {type: string}}
      - {name: Prefer, in: header, schema: {type: string}}
    get:
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}}
    patch:
      requestBody:
        content:
          application/json-patch+json: {schema: {type: array, items: {type: object}}}
          application/merge-patch+json: {schema: {type: object}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Doc'}}}}, '409': {description: no}, '204': {description: quiet}}
components:
  schemas:
    Doc:
      type: object
      required: [id, title]
      properties:
        id: {type: string, readOnly: true}
        title: {type: string}
        rev: {type: integer, readOnly: true}
        tags: {type: array, items: {type: string}}
        meta: {type: object, additionalProperties: true}
`

func TestPatchesOfBothKinds(t *testing.T) {
	t.Parallel()
	r := play(t, patched)
	made := r.must(201, r.post("/docs", `{"title":"A","tags":["x"],"meta":{"a":1,"b":{"c":2,"d":3}}}`))
	path := "/docs/" + made.text("id")
	send := func(kind, body string) got {
		return r.send("PATCH", path, body, http.Header{"Content-Type": {"application/" + kind}})
	}
	after := r.must(200, send("merge-patch+json", `{"title":"B","meta":{"a":null,"b":{"c":9}}}`))
	want(t, after, map[string]any{"title": "B", "tags": []any{"x"}, "meta": map[string]any{"b": map[string]any{"c": 9, "d": 3}}, "id": made.at("id")})
	after = r.must(200, send("json-patch+json", `[{"op":"test","path":"/title","value":"B"},{"op":"add","path":"/tags/0","value":"w"},{"op":"add","path":"/tags/-","value":"y"},
		{"op":"copy","from":"/title","path":"/meta/was"},{"op":"replace","path":"/title","value":"C"},{"op":"remove","path":"/meta/b"}]`))
	want(t, after, map[string]any{"title": "C", "tags": []any{"w", "x", "y"}, "meta": map[string]any{"was": "B"}})
	for _, bad := range []string{
		`[{"op":"replace","path":"/title","value":"D"},{"op":"test","path":"/title","value":"B"}]`,
		`[{"op":"remove","path":"/none"}]`, `[{"op":"add","path":"/tags/9","value":"z"}]`, `[{"op":"move","from":"/meta","path":"/meta/in"}]`,
	} {
		r.must(409, send("json-patch+json", bad))
	}
	want(t, r.must(200, r.get(path)), map[string]any{"title": "C"})
	quiet := r.must(204, r.send("PATCH", path, `{"title":"E"}`, http.Header{"Content-Type": {"application/merge-patch+json"}, "Prefer": {"return=minimal"}}))
	if quiet.raw != "" || quiet.header.Get("Preference-Applied") != "return=minimal" {
		t.Errorf("a minimal answer: %s, %s", quiet.header, quiet.raw)
	}
	want(t, r.must(200, r.get(path)), map[string]any{"title": "E"})
}

func TestStatelessKeepsNothing(t *testing.T) {
	t.Parallel()
	contract, _, err := specs.Load(os.DirFS("../../specs/acme-crm"), "openapi.yaml", "acme-crm")
	if err != nil {
		t.Fatal(err)
	}
	r := rigOf(t, generic.Options{Contract: contract, Stateless: true})
	before := r.world
	r.must(201, r.post("/v1/contacts", `{"email":"a@acme.example"}`))
	r.must(200, r.get("/v1/contacts/con_any"))
	r.must(204, r.delete("/v1/contacts/con_any"))
	if got := r.must(200, r.get("/v1/status")); got.reply.Fidelity != fakes.Example {
		t.Errorf("an example has the fidelity %s", got.reply.Fidelity)
	}
	if r.world != before {
		t.Error("something was kept")
	}
}

func TestTroubleIsWordedAsTheContractSays(t *testing.T) {
	t.Parallel()
	r := crm(t, "")
	want(t, r.must(422, r.post("/v1/contacts", `{"first_name":"A"}`)), map[string]any{"code": "invalid_request", "detail": "email is required", "status": 422})
	want(t, r.must(404, r.get("/v1/nothing")), map[string]any{"code": "not_found"})
	wrong := r.must(405, r.send("DELETE", "/v1/contacts", "", nil))
	if wrong.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow is %s", wrong.header.Get("Allow"))
	}
	word := r.service.Fake.(fakes.Dialect).Render
	for _, trouble := range []fakes.Problem{
		{Kind: fakes.RateLimited}, {Kind: fakes.Broken, Status: 503}, {Kind: fakes.TooLarge}, {Kind: fakes.Unauthorised},
	} {
		reply := word(trouble)
		if reply.Header.Get("Content-Type") != "application/problem+json" || reply.Result["status"] != int64(reply.Status) || reply.Status < 400 {
			t.Errorf("%s: %d %s", trouble.Kind, reply.Status, reply.Body)
		}
	}
}

const formats = `
paths:
  /pets:
    get:
      parameters: [{name: before, in: query, schema: {type: string}}, {name: after, in: query, schema: {type: string}}, {name: limit, in: query, schema: {type: integer}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {$ref: '#/components/schemas/Pet'}}, next: {type: string}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}, '409': {description: no}}
  /pets/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: one, content: {application/xml: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '404': {description: none, content: {text/plain: {schema: {type: string}}}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {'200': {description: was there, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, '201': {description: is new, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
  /report:
    get:
      responses: {'200': {description: a file, content: {text/csv: {schema: {type: string}, example: "a,b"}}}}
components:
  schemas:
    Pet: {type: object, required: [name], xml: {name: pet}, properties: {name: {type: string}, age: {type: integer, xml: {attribute: true}}}}
`

func TestBatchesAreMadeWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	r := play(t, formats)
	made := r.must(201, r.post("/pets", `[{"name":"rex","age":3},{"name":"tom"}]`))
	if got := made.column("", "name"); got != "rex tom" {
		t.Errorf("made %s", got)
	}
	r.must(409, r.post("/pets", `[{"name":"ann"},{"name":"tom"}]`))
	if got := r.get("/pets").column("items", "name"); got != "rex tom" {
		t.Errorf("after a batch that was refused there are %s", got)
	}
}

func TestOtherContentTypes(t *testing.T) {
	t.Parallel()
	r := play(t, formats)
	r.must(201, r.put("/pets/rex", `{"name":"rex","age":3}`))
	r.must(200, r.put("/pets/rex", `{"name":"rex","age":4}`))
	one := r.must(200, r.get("/pets/rex"))
	if !strings.Contains(one.raw, `<pet age="4"><name>rex</name></pet>`) || one.header.Get("Content-Type") != "application/xml" {
		t.Errorf("%s: %s", one.header, one.raw)
	}
	none := r.must(404, r.get("/pets/none"))
	if none.raw != "No such pet: none" || none.header.Get("Content-Type") != "text/plain" {
		t.Errorf("%s: %s", none.header, none.raw)
	}
	file := r.must(200, r.get("/report"))
	if file.raw != "a,b" || file.reply.Fidelity != fakes.Example {
		t.Errorf("%s: %s", file.reply.Fidelity, file.raw)
	}
}

func TestPagesBeforeACursor(t *testing.T) {
	t.Parallel()
	r := play(t, formats)
	r.must(201, r.post("/pets", `[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"}]`))
	for query, names := range map[string]string{
		"limit=2&before=e": "c d", "limit=2&before=c": "a b", "limit=2&before=b": "a", "limit=2&before=a": "", "limit=2&after=b": "c d",
	} {
		if got := r.must(200, r.get("/pets?"+query)).column("items", "name"); got != names {
			t.Errorf("%s: %q, want %q", query, got, names)
		}
	}
}
