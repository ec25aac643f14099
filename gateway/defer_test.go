package gateway_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
)

// factory is a service that has work done later, in forms of its own.
const factory = `
openapi: 3.0.3
info: {title: Factory, version: '1'}
servers: [{url: 'https://factory.example/v2'}]
paths:
  /parts:
    post:
      operationId: makePart
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}}
        '202': {description: taken, content: {application/json: {schema: {type: object, required: [job_id, state], properties: {job_id: {type: string}, state: {type: string, enum: [QUEUED, DONE, JAMMED]}, status_url: {type: string}}}}}}
  /parts/{part}:
    parameters: [{name: part, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readPart
      responses: {'200': {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}}, '404': {description: none}}
  /jobs/{job_id}:
    parameters: [{name: job_id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readJob
      responses: {'200': {description: how far, content: {application/json: {schema: {type: object, required: [id, state], properties: {
        id: {type: string}, state: {type: string, enum: [QUEUED, DONE, JAMMED]}, result: {type: object}, message: {type: string}}}}}}, '404': {description: none}}
  /reports:
    post:
      operationId: makeReport
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}}
      responses: {'202': {description: taken, content: {application/json: {schema: {$ref: '#/components/schemas/Report'}}}}}
  /reports/{report}:
    parameters: [{name: report, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readReport
      responses: {'200': {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Report'}}}}, '404': {description: none}}
  /tools:
    post:
      operationId: makeTool
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}}}
  /tools/{tool}:
    parameters: [{name: tool, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readTool
      responses: {'200': {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}}, '404': {description: none}}
components:
  schemas:
    Part: {type: object, properties: {id: {type: string, readOnly: true}, name: {type: string}}}
    Report: {type: object, required: [id, status], properties: {id: {type: integer, readOnly: true}, title: {type: string}, status: {type: string, enum: [pending, complete, failed], readOnly: true}}}
`

// deferred is a call whose work is accepted, and how its service tells of it.
type deferred struct {
	services, call string
	makes          ask
	header         []string
	status         int
	pending        string            // in the answer, with what may follow it
	place          string            // where to look; ID is the value at id
	id             string            // dotted, in the answer; "" for Location
	says           string            // dotted, in what the place answers
	ends           map[string]string // by how it ends, what the place says at once and then; a number is a status
	collection     string            // that has one more record when it is done
}

func deferrals() map[string]deferred {
	return map[string]deferred{
		"zendesk": {
			"zendesk: {fixtures: [zendesk-messy]}", "zendesk POST /api/v2/tickets",
			ask{"POST", "https://acme.zendesk.com/api/v2/tickets", `{"ticket":{"subject":"Lost","comment":{"body":"Where is it?"}}}`},
			[]string{"Authorization", zendeskKey},
			202, `"job_status":{"id":"V3-`, "https://acme.zendesk.com/api/v2/job_statuses/ID", "job_status.id", "job_status.status",
			map[string]string{"succeeds": "queued completed", "fails": "queued failed", "stays": "queued queued", "twice": "queued completed"},
			"zendesk.tickets",
		},
		"zendesk many": {
			"zendesk: {fixtures: [zendesk-messy]}", "zendesk POST /api/v2/tickets/create_many",
			ask{"POST", "https://acme.zendesk.com/api/v2/tickets/create_many", `{"tickets":[{"subject":"Lost","comment":{"body":"Where is it?"}}]}`},
			[]string{"Authorization", zendeskKey},
			200, `"status":"queued"`, "https://acme.zendesk.com/api/v2/job_statuses/ID", "job_status.id", "job_status.status",
			map[string]string{"succeeds": "queued completed", "fails": "queued failed", "stays": "queued queued"},
			"zendesk.tickets",
		},
		"sendgrid": {
			"sendgrid: {}", "sendgrid PUT /v3/marketing/contacts",
			ask{"PUT", "https://api.sendgrid.com/v3/marketing/contacts", `{"contacts":[{"email":"ada@example.com"}]}`},
			[]string{"Authorization", mailKey},
			202, `"job_id":`, "https://api.sendgrid.com/v3/marketing/contacts/imports/ID", "job_id", "status",
			map[string]string{"succeeds": "pending completed", "fails": "pending failed", "stays": "pending pending"},
			"sendgrid.contacts",
		},
		"github": {
			"github: {fixtures: [github-messy]}", "github POST /repos/{owner}/{repo}/forks",
			ask{"POST", "https://api.github.com/repos/Acme/shop/forks", `{"name":"fork-of-shop"}`},
			[]string{"Authorization", developer},
			202, `"fork":true`, "https://api.github.com/repos/ID", "full_name", "full_name",
			map[string]string{"succeeds": "404 FULL", "fails": "404 404", "stays": "404 404"},
			"github.repositories",
		},
		"a contract's 202": {
			"factory: {contract: factory.yaml}", "factory.makePart",
			ask{"POST", "https://factory.example/v2/parts", `{"name":"a"}`},
			nil,
			202, `"state":"QUEUED","status_url":"https://factory.example/v2/jobs/op_`, "LOCATION", "job_id", "state",
			map[string]string{"succeeds": "QUEUED DONE", "fails": "QUEUED JAMMED", "stays": "QUEUED QUEUED", "twice": "QUEUED DONE"},
			"factory.parts",
		},
		"a contract's job": {
			"factory: {contract: factory.yaml}", "factory.makeReport",
			ask{"POST", "https://factory.example/v2/reports", `{"title":"a"}`},
			nil,
			202, `"status":"pending","title":"a"`, "LOCATION", "id", "status",
			map[string]string{"succeeds": "pending complete", "fails": "pending failed", "stays": "pending pending"},
			"factory.reports",
		},
		"in the general form": {
			"factory: {contract: factory.yaml}", "factory.makeTool",
			ask{"POST", "https://factory.example/v2/tools", `{"name":"a"}`},
			nil,
			202, `"status":"pending"`, "LOCATION", "id", "status",
			map[string]string{"succeeds": "pending succeeded", "fails": "pending failed"},
			"factory.tools",
		},
	}
}

// Work that was accepted was told of by Parity's own addresses, whatever the
// service has: its clients, which look where they know, never saw it end.
func TestAcceptedWorkIsToldInTheServicesOwnForm(t *testing.T) {
	t.Parallel()
	for name, d := range deferrals() {
		for ends, want := range d.ends {
			t.Run(name+"/"+ends, func(t *testing.T) {
				t.Parallel()
				h := open(t, "profile: later\nseed: 7\nservices: {"+d.services+"}\nclock: {mode: stepped, step: 1s}\nfaults:\n  it: {call: \""+d.call+
					"\", inject: async-accept, with: {wait: 1m, retry_after: 7s, ends: "+ends+"}, trigger: {nth: 1}}\n", beside(t, "factory.yaml", factory), shared, func(s *gateway.Settings) { s.Checks = true })
				b := &bench{h, h.proxied(false)}
				before := h.Run.World().Len(d.collection)
				reply, text := b.does(d.makes, d.header...)
				var body map[string]any
				if err := json.Unmarshal([]byte(text), &body); err != nil || reply.StatusCode != d.status || !strings.Contains(text, d.pending) || reply.Header.Get("Retry-After") != "7" {
					t.Fatalf("%d %v %s", reply.StatusCode, reply.Header, text)
				}
				place := strings.ReplaceAll(d.place, "ID", at(body, d.id))
				if d.place == "LOCATION" {
					place = reply.Header.Get("Location")
				} else if got := reply.Header.Get("Location"); strings.Contains(got, "/operations/") {
					t.Errorf("Location %s", got)
				}
				look := func() string {
					reply, text := b.does(ask{"GET", place, ""}, d.header...)
					var body map[string]any
					if err := json.Unmarshal([]byte(text), &body); err != nil || reply.StatusCode != http.StatusOK {
						return fmt.Sprint(reply.StatusCode)
					}
					return at(body, d.says)
				}
				got := look()
				if n := h.Run.World().Len(d.collection); n != before {
					t.Errorf("at once there are %d records, and were %d", n, before)
				}
				h.advance(h.Run.ID, "2m")
				got += " " + look()
				if want = strings.ReplaceAll(want, "FULL", at(body, d.id)); got != want {
					t.Errorf("%s says %s, want %s", place, got, want)
				}
				made := map[string]int{"succeeds": 1, "twice": 2}[ends]
				if n := h.Run.World().Len(d.collection); n != before+made {
					t.Errorf("in the end there are %d records, and were %d", n, before)
				}
				b.conforms()
				b.replays()
			})
		}
	}
}

// conforms holds what was said in a service's own form against its contract.
func (b *bench) conforms() {
	b.t.Helper()
	for _, e := range b.eventsOf(b.Run.ID) {
		if e.Kind != trail.Exchanged || strings.Contains(e.Exchange.Path, "/operations/") {
			continue
		}
		for _, v := range e.Exchange.Violations {
			b.t.Errorf("#%d %s: %v", e.Seq, e.Exchange.Operation, v)
		}
	}
}
