package generic_test

import (
	"strings"
	"testing"

	"parity/fakes/generic"
)

// behaving plays a contract that is written in the test, with a behaviour file.
func behaving(t testing.TB, document, behaviour string) *rig {
	t.Helper()
	return rigOf(t, generic.Options{Contract: contractOf(t, document), Behaviour: []byte(behaviour), BehaviourName: "behaviour.yaml"})
}

const filing = `
paths:
  /files:
    get:
      parameters: [{name: order, in: query, schema: {type: string, enum: [asc, desc], default: desc}}, {name: limit, in: query, schema: {type: integer}}, {name: after, in: query, schema: {type: string}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/File'}}, has_more: {type: boolean}}}}}}}
    post:
      requestBody: {content: {multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, format: binary}, note: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}}
  /files/{file_id}:
    parameters: [{name: file_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}}}}
    delete: {responses: {'204': {description: gone}}}
components:
  schemas:
    File:
      type: object
      required: [id, file_name, bytes]
      properties:
        object: {type: string, readOnly: true, example: file}
        id: {type: string, readOnly: true}
        file_name: {type: string, readOnly: true}
        bytes: {type: integer, readOnly: true}
        mime_type: {type: string, readOnly: true}
        note: {type: string}
`

func upload(r *rig, name, text string) got {
	r.t.Helper()
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\nContent-Type: text/csv\r\n\r\n" + text + "\r\n--b--\r\n"
	return r.must(201, r.send("POST", "/files", body, map[string][]string{"Content-Type": {"multipart/form-data; boundary=b"}}))
}

func TestAnUploadIsKnownByItsNameAndSize(t *testing.T) {
	t.Parallel()
	r := play(t, filing)
	id := upload(r, "tea.csv", "a,b\n1,2\n").text("id")
	want(t, r.must(200, r.get("/files/"+id)), map[string]any{"file_name": "tea.csv", "bytes": 8.0, "mime_type": "text/csv"})
}

func TestARecordSaysOfWhatKindItIs(t *testing.T) {
	t.Parallel()
	r := play(t, filing)
	want(t, upload(r, "tea.csv", "a"), map[string]any{"object": "file"})
}

// The contract says that desc is the default.
func TestAListWithoutAnOrderHasTheDefaultOne(t *testing.T) {
	t.Parallel()
	r := play(t, filing)
	var ids []string
	for _, name := range []string{"a", "b", "c"} {
		ids = append(ids, upload(r, name, name).text("id"))
	}
	for query, wanted := range map[string]string{"": "c b a", "?order=asc": "a b c", "?order=desc": "c b a", "?limit=2": "c b", "?after=" + ids[2]: "b a"} {
		if got := r.get("/files"+query).column("data", "file_name"); got != wanted {
			t.Errorf("%q lists %s, not %s", query, got, wanted)
		}
	}
	r = behaving(t, filing, "resources: {files: {list: {begins: oldest}}}")
	upload(r, "a", "a")
	upload(r, "b", "b")
	if got := r.get("/files").column("data", "file_name"); got != "a b" {
		t.Errorf("begins: oldest lists %s", got)
	}
}

const tagging = `
paths:
  /tags:
    get:
      parameters: [{name: Page, in: query, schema: {type: integer}}, {name: PageSize, in: query, schema: {type: integer}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {tags: {type: array, items: {$ref: '#/components/schemas/Tag'}}, next_page_uri: {type: string, nullable: true}}}}}}}
    post:
      operationId: createTag
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, required: [TagName], properties: {TagName: {type: string}, Color: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}
  /tags/{tag_id}:
    parameters: [{name: tag_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}}
    post:
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {TagName: {type: string}}}}}}
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Tag'}}}}}
  /tags/search:
    post:
      operationId: searchTags
      requestBody: {content: {application/json: {schema: {type: object, properties: {query: {type: object}}}}}}
      responses: {'200': {description: some, content: {application/json: {schema: {type: object, properties: {tags: {type: array, items: {$ref: '#/components/schemas/Tag'}}}}}}}}
  /people:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
  /people/{person_id}:
    parameters: [{name: person_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}}
  /people/{person_id}/tags:
    parameters: [{name: person_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {tags: {type: array, items: {$ref: '#/components/schemas/PersonTag'}}}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/PersonTag'}}}}}
  /people/{person_id}/tags/{tag_id}:
    parameters: [{name: person_id, in: path, required: true, schema: {type: string}}, {name: tag_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/PersonTag'}}}}}}
components:
  schemas:
    Tag: {type: object, required: [id], properties: {id: {type: string}, tag_name: {type: string}, color: {type: string}, history: {type: array, items: {type: object}}}}
    PersonTag: {type: object, required: [id], properties: {id: {type: string}, tag_name: {type: string}, color: {type: string}, applied_by: {type: string}}}
    Person: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
`

func tag(r *rig, form string) got {
	r.t.Helper()
	return r.must(201, r.send("POST", "/tags", form, map[string][]string{"Content-Type": {"application/x-www-form-urlencoded"}}))
}

// TagName of a form is tag_name of the record.
func TestFieldsAreKeptInWhateverWayTheyAreWritten(t *testing.T) {
	t.Parallel()
	r := play(t, tagging)
	made := tag(r, "TagName=Tea&Color=green")
	want(t, made, map[string]any{"tag_name": "Tea", "color": "green"})
	path := "/tags/" + made.text("id")
	r.must(200, r.send("POST", path, "TagName=Coffee", map[string][]string{"Content-Type": {"application/x-www-form-urlencoded"}}))
	want(t, r.must(200, r.get(path)), map[string]any{"tag_name": "Coffee", "color": "green"})
}

func TestWhatHasTheIDOfAnotherSaysTheSame(t *testing.T) {
	t.Parallel()
	r := behaving(t, tagging, `
resources:
  people_tags: {id: {by: client}, refers: {id: {to: tags, must: exist}}}
`)
	id := tag(r, "TagName=Tea&Color=green").text("id")
	person := r.must(201, r.post("/people", `{"name":"Ada"}`)).text("id")
	want(t, r.must(201, r.post("/people/"+person+"/tags", `{"id":"`+id+`"}`)), map[string]any{"id": id, "tag_name": "Tea", "color": "green"})
	r.must(422, r.post("/people/"+person+"/tags", `{"id":"none"}`))
}

func TestSetPutsValuesIntoObjectsAndLists(t *testing.T) {
	t.Parallel()
	r := behaving(t, tagging, `
operations:
  createTag:
    set: {history: [{by: ada, was: request.body.Color, at: now, none: request.body.none}]}
`)
	made := tag(r, "TagName=Tea&Color=green")
	if got := asJSON(made.at("history")); got != `[{"at":"2026-03-01T12:00:00Z","by":"ada","was":"green"}]` {
		t.Errorf("history is %s", got)
	}
}

func TestAddressesOfPagesMayHaveNoHost(t *testing.T) {
	t.Parallel()
	r := behaving(t, tagging, "resources: {tags: {list: {url: path}}}")
	tag(r, "TagName=Tea")
	tag(r, "TagName=Coffee")
	next := r.get("/tags?PageSize=1").text("next_page_uri")
	if !strings.HasPrefix(next, "/tags?") {
		t.Fatalf("the next page is at %s", next)
	}
	if got := r.get(next).column("tags", "tag_name"); got != "Coffee" {
		t.Errorf("it has %s", got)
	}
}

func TestASearchTakesConditions(t *testing.T) {
	t.Parallel()
	r := behaving(t, tagging, "operations: {searchTags: {does: search, resource: tags, list: {items: /tags, query: query}}}")
	for _, form := range []string{"TagName=Tea&Color=green", "TagName=Coffee&Color=brown", "TagName=Cocoa&Color=brown"} {
		tag(r, form)
	}
	for query, wanted := range map[string]string{
		`{"field":"tag_name","operator":"=","value":"Tea"}`:             "Tea",
		`{"field":"tag_name","operator":"!=","value":"Tea"}`:            "Coffee Cocoa",
		`{"field":"tag_name","operator":"IN","value":["Tea","Cocoa"]}`:  "Tea Cocoa",
		`{"field":"tag_name","operator":"NIN","value":["Tea","Cocoa"]}`: "Coffee",
		`{"field":"tag_name","operator":"~","value":"co"}`:              "Coffee Cocoa",
		`{"field":"tag_name","operator":"!~","value":"co"}`:             "Tea",
		`{"field":"tag_name","operator":"^","value":"te"}`:              "Tea",
		`{"field":"tag_name","operator":"$","value":"oa"}`:              "Cocoa",
		`{"field":"tag_name","operator":">","value":"Cof"}`:             "Tea Coffee",
		`{"field":"none","operator":"=","value":null}`:                  "Tea Coffee Cocoa",
		`{"operator":"AND","value":[{"field":"color","operator":"=","value":"brown"},{"field":"tag_name","operator":"!=","value":"Cocoa"}]}`: "Coffee",
		`{"operator":"OR","value":[{"field":"color","operator":"=","value":"green"},{"field":"tag_name","operator":"=","value":"Cocoa"}]}`:   "Tea Cocoa",
	} {
		if got := r.must(200, r.post("/tags/search", `{"query":`+query+`}`)).column("tags", "tag_name"); got != wanted {
			t.Errorf("%s finds %s, not %s", query, got, wanted)
		}
	}
}

func TestTheCodeOfARefusalMayBeANumber(t *testing.T) {
	t.Parallel()
	r := behaving(t, tagging, "errors: {shape: {status: /status, code: /code, message: /message}, not_found: {code: 20404}}")
	want(t, r.must(404, r.get("/tags/none")), map[string]any{"code": 20404.0, "status": 404.0})
}
