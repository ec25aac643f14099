package generic_test

import (
	"net/http"
	"testing"
)

const probed = `
paths:
  /files:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/F'}}}}}}
    get: {parameters: [{name: limit, in: query, schema: {type: integer}}], responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/F'}}}}}}}
    head: {responses: {'200': {description: ok}}}
  /files/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'304': {description: the same}, '200': {description: ok, headers: {ETag: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/F'}}}}, '404': {description: no}}}
    head: {responses: {'200': {description: ok}, '304': {description: the same}, '404': {description: no}}}
  /countries/{code}:
    parameters: [{name: code, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {code: {type: string}, name: {type: string}}}}}}}}
    head: {responses: {'204': {description: there is one, headers: {X-Seen: {required: true, schema: {type: string, example: yes}}}}}}
  /status:
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {up: {type: boolean}}}}}}}}
components: {schemas: {F: {type: object, properties: {id: {type: string, readOnly: true}, name: {type: string}}}}}
`

// A HEAD that a contract describes was answered with a status and nothing else:
// no length, no kind, no ETag.
func TestAHeadSaysWhatTheGetWould(t *testing.T) {
	t.Parallel()
	r := play(t, probed)
	id := r.must(201, r.post("/files", `{"name":"a"}`)).text("id")
	r.must(201, r.post("/files", `{"name":"b"}`))
	for _, target := range []string{"/files/" + id, "/files/nobody", "/files", "/files?limit=1", "/status"} {
		get, head := r.get(target), r.send("HEAD", target, "", nil)
		if head.status != get.status || len(head.raw) != len(get.raw) {
			t.Errorf("%s: HEAD %d and %d bytes, GET %d and %d bytes", target, head.status, len(head.raw), get.status, len(get.raw))
		}
		for _, name := range []string{"Content-Type", "Etag", "Link"} {
			if head.header.Get(name) != get.header.Get(name) {
				t.Errorf("%s: %s is %q for HEAD, %q for GET", target, name, head.header.Get(name), get.header.Get(name))
			}
		}
	}
	tag := r.get("/files/" + id).header.Get("Etag")
	if again := r.send("HEAD", "/files/"+id, "", http.Header{"If-None-Match": {tag}}); tag == "" || again.status != r.send("GET", "/files/"+id, "", http.Header{"If-None-Match": {tag}}).status {
		t.Errorf("with the ETag %s: HEAD %d", tag, again.status)
	}
	if there := r.must(204, r.send("HEAD", "/countries/fr", "", nil)); there.raw != "" || there.header.Get("X-Seen") != "yes" {
		t.Errorf("a HEAD with a status of its own: %q, %v", there.raw, there.header)
	}
}
