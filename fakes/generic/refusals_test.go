package generic_test

import (
	"strings"
	"testing"
)

// asking is a contract of one thing, whose refusals are as they are told.
func asking(refusals, schemas string) string {
	return `
paths:
  /tasks:
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}, tags: {type: array, items: {type: string}}}}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, ` + refusals + `}
  /tasks/{task_id}:
    get:
      parameters: [{name: task_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Task'}}}}, '404': {description: Not found}}
components:
  schemas:
    Task: {type: object, required: [id, title], properties: {id: {type: string, readOnly: true}, title: {type: string}}}
    ` + schemas
}

func TestARefusalWithoutADescribedBodySaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	r := play(t, asking(`'400': {description: Bad request}`, ""))
	for _, got := range []got{r.post("/tasks", `{"tags": []}`), r.get("/tasks/none")} {
		if got.at("message") == nil || got.at("code") == nil {
			t.Errorf("a refusal says %q", got.raw)
		}
	}
	r = play(t, asking(`'400': {description: Bad request, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}`,
		`Error: {type: object, required: [reason], properties: {reason: {type: string}}}`))
	if got := r.get("/tasks/none"); got.status != 404 || !strings.Contains(got.text("reason"), "none") || got.at("code") == nil {
		t.Errorf("beside described ones a refusal says %q", got.raw)
	}
}

// The shape is that of FastAPI's HTTPValidationError.
const (
	validated  = `'422': {description: Validation Error, content: {application/json: {schema: {$ref: '#/components/schemas/HTTPValidationError'}}}}`
	validating = `HTTPValidationError: {type: object, properties: {detail: {type: array, items: {type: object, required: [loc, msg, type], properties: {loc: {type: array, items: {anyOf: [{type: string}, {type: integer}]}}, msg: {type: string}, type: {type: string}}}}}}`
)

func TestAValidationErrorIsTheContractsOwnAndSaysWhere(t *testing.T) {
	t.Parallel()
	for name, refusals := range map[string]string{"alone": validated, "beside a 400": validated + `, '400': {description: Bad request}`} {
		r := play(t, asking(refusals, validating))
		got := r.post("/tasks", `{"title": 5}`)
		if got.status != 422 || got.text("detail.0.loc.0") != "body" || got.text("detail.0.loc.1") != "title" || !strings.Contains(got.text("detail.0.msg"), "title") {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
		if got := r.post("/tasks/", `{"title": 5}`); got.status != 422 {
			t.Errorf("%s: with a slash too many it is a %d", name, got.status)
		}
		if got := r.post("/tasks", `{"title": `); name != "alone" && got.status != 400 {
			t.Errorf("%s: what cannot be read is a %d", name, got.status)
		}
	}
	if got := play(t, asking(`'400': {description: Validation failed}, '422': {description: Invalid state}`, validating)).post("/tasks", `{}`); got.status != 400 {
		t.Errorf("where the 400 is for that, it is a %d", got.status)
	}
}
