package generic_test

import (
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/kit"
)

const jobs = `
paths:
  /exports:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {of: {type: string}}}}}}, responses: {'202': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/E'}}}}}}
  /exports/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/E'}}}}}}
  /exports/{id}/cancel:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/E'}}}}}}
  /renders:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {scene: {type: string}}}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/R'}}}}}}
  /renders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/R'}}}}}}
  /todos:
    post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/T'}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/T'}}}}}}
  /todos/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/T'}}}}}}
  /orders:
    post: {requestBody: {content: {application/json: {schema: {type: object, properties: {what: {type: string}}}}}}, responses: {'201': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/O'}}}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/O'}}}}}}
  /orders/{id}/complete:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/O'}}}}}}
components:
  schemas:
    E:
      type: object
      required: [id, state, error_code, failure]
      properties:
        id: {type: string, readOnly: true}
        of: {type: string}
        state: {type: string, enum: [cancelled, done, failed, queued, running]}
        error_code: {type: string}
        failure: {type: string, nullable: true}
        error: {type: object, properties: {code: {type: string}}}
        progress: {type: integer}
        finished_at: {type: string, format: date-time}
    R:
      type: object
      required: [id, status]
      properties:
        id: {type: string, readOnly: true}
        scene: {type: string}
        status: {type: string, example: pending, description: 'One of pending, rendering and completed.'}
    T: {type: object, properties: {id: {type: string, readOnly: true}, title: {type: string}, status: {type: string, enum: [pending, in_progress, done]}}}
    O: {type: object, required: [status], properties: {id: {type: string, readOnly: true}, what: {type: string}, status: {type: string, enum: [pending, completed]}}}
`

// later lets the rig's clock go on, and does what comes due.
func (r *rig) later(d time.Duration) {
	r.t.Helper()
	r.now = r.now.Add(d)
	for {
		due, ok := kit.Due(r.world, r.now)
		if !ok {
			return
		}
		call := &fakes.Call{Contract: r.service.Contract, Tx: r.world.Begin(), Now: due.Due, NewID: func(prefix string, n int) string { return prefix + "later" }}
		if err := kit.Cancel(call.Tx, due.Service, due.Kind, due.Subject); err != nil {
			r.t.Fatal(err)
		}
		r.service.Fake.(fakes.Timed).Fire(call, due)
		r.world = call.Tx.Commit()
	}
}

// Whoever made a job and asked for it again and again asked for ever.
func TestAJobThatWasMadeEndsByTheClock(t *testing.T) {
	t.Parallel()
	r := play(t, jobs)
	made := r.must(202, r.post("/exports", `{"of":"books"}`))
	want(t, made, map[string]any{"state": "queued", "error_code": "", "failure": nil, "error": nil, "finished_at": nil})
	at := "/exports/" + made.text("id")
	if soon := r.must(200, r.get(at)); soon.text("state") != "queued" || soon.header.Get("Retry-After") == "" {
		t.Errorf("at once: %s, %v", soon.raw, soon.header)
	}
	r.later(time.Minute)
	over := r.must(200, r.get(at))
	want(t, over, map[string]any{"state": "done", "of": "books", "error_code": "", "failure": nil, "error": nil, "finished_at": "2026-03-01T12:00:02Z"})
	if over.header.Get("Retry-After") != "" {
		t.Errorf("what is over is to be asked for again: %v", over.header)
	}
	made = r.must(201, r.post("/renders", `{"scene":"one"}`))
	want(t, made, map[string]any{"status": "pending"})
	r.later(time.Minute)
	want(t, r.get("/renders/"+made.text("id")), map[string]any{"status": "completed", "scene": "one"})
}

// What a client sets itself, or moves on by an operation, moves by nothing else.
func TestWhatClientsMoveOnIsNoJob(t *testing.T) {
	t.Parallel()
	r := play(t, jobs)
	todo := r.must(201, r.post("/todos", `{"title":"wash","status":"pending"}`)).text("id")
	order := r.must(201, r.post("/orders", `{"what":"tea"}`)).text("id")
	r.later(time.Hour)
	want(t, r.get("/todos/"+todo), map[string]any{"status": "pending"})
	want(t, r.get("/orders/"+order), map[string]any{"status": "pending"})
}
