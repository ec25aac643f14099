package generic_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A contract that describes no body of any reply has forgotten them: without
// them nobody would learn an id, and all that follows would be a 404.
func TestIDsAreToldWhereTheContractForgotAllBodies(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /groups:
    get: {responses: {"200": {description: All}}}
    post: {responses: {"200": {description: Made}}}
  /groups/{name}:
    get: {responses: {"200": {description: One}}}
    delete: {responses: {"200": {description: Gone}}}
`)
	made := r.must(200, r.post("/groups", ""))
	id := made.text("id")
	if id == "" || made.header.Get("Location") == "" {
		t.Fatalf("nobody learns the id: %s, Location %q", made.raw, made.header.Get("Location"))
	}
	want(t, r.must(200, r.get("/groups/"+id)), map[string]any{"id": id})
	if got := r.must(200, r.get("/groups")).raw; got == "" || got == "[]" {
		t.Errorf("the list is %q", got)
	}
	if got := r.must(200, r.delete("/groups/"+id)).raw; got != "" {
		t.Errorf("what is gone is answered with %q", got)
	}
	if status := r.get("/groups/" + id).status; status != http.StatusNotFound {
		t.Errorf("what is gone is %d", status)
	}
}

// A reply without a body stays one where the contract shows the record
// elsewhere.
func TestNoBodyIsAddedWhereTheRecordIsShownElsewhere(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /groups:
    post: {responses: {"200": {description: Made}}}
  /groups/{id}:
    get: {responses: {"200": {description: One, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
`)
	made := r.must(200, r.post("/groups", ""))
	if made.raw != "" || made.header.Get("Location") == "" {
		t.Errorf("answered with %q, Location %q", made.raw, made.header.Get("Location"))
	}
}

func TestACursorFarBeyondTheListIsAnEmptyPage(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /tweets:
    get:
      parameters: [{name: until_id, in: query, schema: {type: string}}, {name: since_id, in: query, schema: {type: string}}, {name: max_results, in: query, schema: {type: integer}}]
      responses: {"200": {description: All, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}
    post: {responses: {"201": {description: Made, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
`)
	r.must(201, r.post("/tweets", ""))
	for _, query := range []string{"until_id=3405838428271605049", "since_id=3405838428271605049", "until_id=0"} {
		r.must(200, r.get("/tweets?"+query))
	}
}

// /services/{s}/rooms/{r}/messages is another way to /rooms/{r}/messages: what
// comes first in its path is no room.
func TestOwnersAreKnownByAnotherWay(t *testing.T) {
	t.Parallel()
	const message = `{type: object, properties: {id: {type: string}, room_id: {type: string}, service_id: {type: string}, body: {type: string}}}`
	const room = `{type: object, properties: {id: {type: string}, service_id: {type: string}, title: {type: string}}}`
	reply := func(status, schema string) string {
		return `responses: {"` + status + `": {description: D, content: {application/json: {schema: ` + schema + `}}}}`
	}
	r := play(t, `
paths:
  /services: {post: {`+reply("201", `{type: object, properties: {id: {type: string}}}`)+`}}
  /services/{ServiceId}: {get: {`+reply("200", `{type: object, properties: {id: {type: string}}}`)+`}}
  /rooms: {post: {`+reply("201", room)+`}, get: {`+reply("200", "{type: array, items: "+room+"}")+`}}
  /rooms/{Id}: {get: {`+reply("200", room)+`}}
  /rooms/{RoomId}/messages: {post: {`+reply("201", message)+`}, get: {`+reply("200", "{type: array, items: "+message+"}")+`}}
  /rooms/{RoomId}/messages/{Id}: {get: {`+reply("200", message)+`}}
  /services/{ServiceId}/rooms: {post: {`+reply("201", room)+`}, get: {`+reply("200", "{type: array, items: "+room+"}")+`}}
  /services/{ServiceId}/rooms/{Id}: {get: {`+reply("200", room)+`}}
  /services/{ServiceId}/rooms/{RoomId}/messages: {post: {`+reply("201", message)+`}, get: {`+reply("200", "{type: array, items: "+message+"}")+`}}
  /services/{ServiceId}/rooms/{RoomId}/messages/{Id}: {get: {`+reply("200", message)+`}}
`)
	service := r.must(201, r.post("/services", "")).text("id")
	made := r.must(201, r.post("/services/"+service+"/rooms", "")).text("id")
	r.must(201, r.post("/services/"+service+"/rooms/"+made+"/messages", ""))
	r.must(404, r.post("/services/"+service+"/rooms/none/messages", ""))
}

// A list that may be left out, and may not be empty, is left out.
func TestAListThatMayNotBeEmptyIsLeftOut(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /jobs:
    get: {responses: {"200": {description: All, content: {application/json: {schema: {type: object, properties: {data: {type: array, minItems: 1, items: {type: object, properties: {id: {type: string}}}}, meta: {type: object, properties: {total: {type: integer}}}}}}}}}}
    post: {responses: {"201": {description: Made, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
  /jobs/{id}:
    get: {responses: {"200": {description: One, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}
`)
	if none := r.must(200, r.get("/jobs")); none.at("data") != nil {
		t.Errorf("no jobs are %s", none.raw)
	}
	r.must(201, r.post("/jobs", ""))
	if one := r.must(200, r.get("/jobs")); one.at("data") == nil {
		t.Errorf("one job is %s", one.raw)
	}
}

// Several records sent to a place of which there is one must not bring the
// gateway to a stop.
func TestABatchForWhatThereIsOneOf(t *testing.T) {
	t.Parallel()
	const item = `{type: object, properties: {item: {type: array, items: {type: object, properties: {name: {type: string}}}}}}`
	r := play(t, `
paths:
  /bulk:
    get: {responses: {"200": {description: It, content: {application/json: {schema: `+item+`}}}}}
    post: {requestBody: {content: {application/json: {schema: `+item+`}}}, responses: {"200": {description: Done, content: {application/json: {schema: `+item+`}}}}}
    put: {requestBody: {content: {application/json: {schema: `+item+`}}}, responses: {"200": {description: Done, content: {application/json: {schema: `+item+`}}}}}
    delete: {responses: {"204": {description: Gone}}}
`)
	r.must(200, r.post("/bulk", `{"item":[{"name":"a"},{"name":"b"}]}`))
}

// The parent may be known by a shorter way than its child.
func TestOwnersAreKnownThoughTheirOwnWayIsShorter(t *testing.T) {
	t.Parallel()
	var paths strings.Builder
	for _, collection := range []string{
		"/classes", "/classes/{class}/tasks", "/classes/{class}/tasks/{task}/answers", "/classes/{class}/tasks/{task}/answers/{answer}/marks",
		"/me/tasks", "/me/tasks/{task}/answers", "/me/tasks/{task}/answers/{answer}/marks",
	} {
		last := collection[strings.LastIndexByte(collection, '/')+1:]
		param := map[string]string{"classes": "class"}[last]
		if param == "" {
			param = strings.TrimSuffix(last, "s")
		}
		one := "{responses: {'200': {description: D, content: {application/json: {schema: {$ref: '#/components/schemas/" + last + "'}}}}}}"
		all := "{responses: {'200': {description: D, content: {application/json: {schema: {type: object, properties: {value: {type: array, items: {$ref: '#/components/schemas/" + last + "'}}}}}}}}}"
		fmt.Fprintf(&paths, "  %s: {get: %s, post: %s}\n  %s/{%s}: {get: %s, patch: %s, delete: {}}\n", collection, all, one, collection, param, one, one)
	}
	paths.WriteString("components:\n  schemas:\n")
	for _, name := range []string{"classes", "tasks", "answers", "marks"} {
		fmt.Fprintf(&paths, "    %s: {type: object, properties: {id: {type: string}, %sTitle: {type: string}, %sColour: {type: string}}}\n", name, name, name)
	}
	r := play(t, "paths:\n"+paths.String())
	at := "/classes/" + r.must(200, r.post("/classes", "")).text("id")
	for _, step := range []string{"/tasks", "/answers", "/marks"} {
		at += step
		at += "/" + r.must(200, r.post(at, "")).text("id")
		r.must(200, r.get(at))
	}
}

// Contracts of .NET services write the words of a JSON patch with capitals.
func TestAJSONPatchInAContractsOwnWords(t *testing.T) {
	t.Parallel()
	r := play(t, `
paths:
  /roles:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/role'}}}}, responses: {"201": {description: Made, content: {application/json: {schema: {$ref: '#/components/schemas/role'}}}}}}
  /roles/{id}:
    get: {responses: {"200": {description: One, content: {application/json: {schema: {$ref: '#/components/schemas/role'}}}}}}
    patch:
      requestBody: {content: {application/json-patch+json: {schema: {type: array, items: {type: object, properties: {op: {type: string, enum: [Add, Replace]}, path: {type: string}, value: {}}}}}}}
      responses: {"200": {description: Changed, content: {application/json: {schema: {$ref: '#/components/schemas/role'}}}}}
components: {schemas: {role: {type: object, properties: {id: {type: string}, name: {type: string}}}}}
`)
	id := r.must(201, r.post("/roles", `{"name":"guest"}`)).text("id")
	want(t, r.must(200, r.send("PATCH", "/roles/"+id, `[{"op":"Add","path":"/name","value":"owner"}]`, http.Header{"Content-Type": {"application/json-patch+json"}})), map[string]any{"name": "owner"})
}
