package gateway_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway/kept"
)

const (
	batches = "https://www.googleapis.com/batch/calendar/v3"
	inserts = "POST /calendar/v3/calendars/primary/events HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
)

// insertOf is a part that makes an event.
func insertOf(name string) string {
	return inserts + `{"summary": "` + name + `", "start": {"date": "2026-03-05"}, "end": {"date": "2026-03-06"}}`
}

func calendarDesk(t *testing.T, faults string) *bench {
	t.Helper()
	h := open(t, "profile: batch\nseed: 7\nservices: {googlecalendar: {}}\nclock: {mode: stepped}\n"+faults)
	return &bench{h, h.proxied(false)}
}

// A limit of one let three inserts of a batch pass.
func TestALimitCountsThePartsOfABatch(t *testing.T) {
	t.Parallel()
	b := calendarDesk(t, "faults:\n  one: {call: googlecalendar.calendar.events.insert, inject: rate-limit, with: {limit: 1, window: 1h}}\n")
	reply, text := b.does(ask{"POST", batches, partsOf(insertOf("A"), insertOf("B"), insertOf("C"))}, "Content-Type", "multipart/mixed; boundary=b", "Authorization", "Bearer ya29.sdk")
	if reply.StatusCode != 200 || strings.Count(text, "HTTP/1.1 200") != 1 || strings.Count(text, "HTTP/1.1 403")+strings.Count(text, "HTTP/1.1 429") != 2 {
		t.Fatalf("%d %s", reply.StatusCode, text)
	}
	var made, refused int
	for _, x := range exchanges(b.harness) {
		switch {
		case x.Within == 0:
		case x.Status == 200 && x.Committed && x.OperationID == "calendar.events.insert":
			made++
		case !x.Committed && x.Strikes[0].Fired:
			refused++
		}
	}
	if made != 1 || refused != 2 {
		t.Errorf("%d made, %d refused, in the record: %+v", made, refused, exchanges(b.harness))
	}
	b.replays()
}

// Two inserts of a batch whose reply was lost, sent again, leave four events: each
// is an intent of its own.
func TestABatchSentAgainIsEachOfItsPartsAgain(t *testing.T) {
	t.Parallel()
	b := calendarDesk(t, "faults:\n  lost: {call: googlecalendar.calendar.batch, inject: ambiguous-success, with: {reply: '500'}, trigger: {nth: 1}}\n")
	for range 2 {
		b.does(ask{"POST", batches, partsOf(insertOf("A"), insertOf("B"))}, "Content-Type", "multipart/mixed; boundary=b", "Authorization", "Bearer ya29.sdk")
	}
	seen := map[string]int{}
	for _, x := range exchanges(b.harness) {
		if x.Within > 0 {
			seen[x.Intent.ID] = max(seen[x.Intent.ID], x.Intent.Attempt)
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d intents, want two: %v", len(seen), seen)
	}
	for id, attempts := range seen {
		if attempts != 2 {
			t.Errorf("%s was tried %d times", id, attempts)
		}
	}
	b.replays()
	record, err := kept.Read(b.root, b.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range record.Report().Verdicts {
		if v.Subject == "one effect per intent" && v.Result != trail.Failed {
			t.Errorf("one effect per intent: %+v", v)
		}
		if v.Subject == "lost" && v.Reaction != trail.Mishandled {
			t.Errorf("the lost reply: %+v", v)
		}
	}
}

// batching is a contract with the ways in which services take several calls in one.
const batching = `
openapi: 3.1.0
info: {title: Desk, version: "1"}
servers: [{url: "https://desk.example/v1"}]
paths:
  /$batch:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {requests: {type: array, items: {type: object}}}}}}}
      responses: {"200": {description: Replies., content: {application/json: {schema: {type: object, properties: {responses: {type: array, items: {$ref: '#/components/schemas/one'}}}}}}}}
  /notes:
    get:
      responses: {"200": {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/note'}}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/note'}}}}
      responses: {"201": {description: Made., content: {application/json: {schema: {$ref: '#/components/schemas/note'}}}}}
  /notes/bulk:
    post:
      requestBody: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/note'}}}}}
      responses: {"201": {description: Made., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/note'}}}}}}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses: {"200": {description: One., content: {application/json: {schema: {$ref: '#/components/schemas/note'}}}}, "404": {description: None.}}
    delete:
      responses: {"204": {description: Gone.}, "404": {description: None.}}
  /rpc:
    post:
      requestBody: {content: {application/json: {schema: {}}}}
      responses: {"200": {description: Done., content: {application/json: {schema: {type: object, properties: {jsonrpc: {type: string}, id: {type: integer}, result: {type: object}}}}}}}
components:
  schemas:
    note: {type: object, required: [text], properties: {id: {type: string, readOnly: true}, text: {type: string}}}
    one: {type: object, properties: {id: {type: string}, status: {type: integer}, headers: {type: object}, body: {}}}
`

// A contract's own batches were answered with an example, and nothing of them was
// done.
func TestEachFormOfABatchIsItsCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		call, path, body string
		done             string // in the reply
		kept             int    // notes, at the end
		refused          int    // parts
	}{
		"calls in a list":         {"desk POST /v1/notes", "/$batch", `{"requests":[{"id":"1","method":"POST","url":"/notes","body":{"text":"a"}},{"id":"2","method":"POST","url":"/notes","body":{"text":"b"}},{"id":"3","method":"GET","url":"/notes/nosuch"}]}`, `"status":201`, 1, 1},
		"records in a list":       {"desk POST /v1/notes", "/notes/bulk", `[{"text":"a"},{"text":"b"}]`, "", 0, 1},
		"a list of JSON-RPC":      {"desk POST /v1/rpc", "/rpc", `[{"jsonrpc":"2.0","id":1,"method":"add"},{"jsonrpc":"2.0","id":2,"method":"add"}]`, `"id":1`, 0, 1},
		"more than one may carry": {"desk POST /v1/notes", "/notes/bulk", "[" + strings.Repeat(`{"text":"a"},`, 1000) + `{"text":"a"}]`, "1000", 0, 0},
		"a batch of a wrong op":   {"desk POST /v1/notes", "/$batch", `{"requests":[{"id":"1","method":"POST","url":"/nothing","body":{"text":"a"}}]}`, `404`, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t, "profile: batch\nseed: 7\nservices: {desk: {contract: desk.yaml}}\nclock: {mode: stepped}\nfaults:\n  one: {call: \""+c.call+"\", inject: rate-limit, with: {limit: 1, window: 1h}}\n", beside(t, "desk.yaml", batching))
			b := &bench{h, h.proxied(false)}
			_, text := b.does(ask{"POST", "https://desk.example/v1" + c.path, c.body}, "Content-Type", "application/json")
			if !strings.Contains(text, c.done) {
				t.Errorf("answered %s, without %s", text, c.done)
			}
			if _, list := b.does(ask{"GET", "https://desk.example/v1/notes", ""}); strings.Count(list, `"text"`) != c.kept {
				t.Errorf("%s is kept, want %d", list, c.kept)
			}
			refused := 0
			for _, x := range exchanges(b.harness) {
				if x.Within > 0 && len(x.Strikes) > 0 && x.Strikes[0].Fired {
					refused++
				}
				if x.Within > 0 && x.Committed && c.kept == 0 && strings.HasSuffix(x.Path, "/notes") {
					t.Errorf("a part is said to stand of a list that was refused: %s", x.Body)
				}
				if x.Parts > 0 && len(x.Strikes) > 0 {
					t.Errorf("the whole met %v", x.Strikes)
				}
			}
			if refused != c.refused {
				t.Errorf("%d parts were refused, want %d: %s", refused, c.refused, text)
			}
			b.replays()
		})
	}
}

// What a part of a batch shows of itself is kept no more than what a call does.
func TestCredentialsInABatchAreKeptNowhere(t *testing.T) {
	t.Parallel()
	b := calendarDesk(t, "")
	inner := strings.Replace(insertOf("A"), "\r\n\r\n", "\r\nAuthorization: Bearer ya29.canary-in-a-part\r\n\r\n", 1)
	b.does(ask{"POST", batches, partsOf(inner)}, "Content-Type", "multipart/mixed; boundary=b", "Authorization", "Bearer ya29.sdk")
	all := exchanges(b.harness)
	if len(all) != 2 || all[0].Within == 0 || all[0].Path != "/calendar/v3/calendars/primary/events" || !strings.Contains(string(all[0].Body), `"summary"`) {
		t.Errorf("the part is not in the record as it was: %+v", all)
	}
	if text, err := json.Marshal(all); err != nil || strings.Contains(string(text), "canary-in-a-part") {
		t.Errorf("it is kept: %v %s", err, text)
	}
	b.replays()
}

// A company whose making was lost was made again by a batch, and each was said to
// be made once.
func TestARecordMadeAgainByABatchIsTheSameIntent(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: batch\nseed: 7\nservices: {hubspot: {}}\nclock: {mode: stepped}\nfaults:\n  lost: {call: hubspot POST /crm/v3/objects/{objectType}, inject: ambiguous-success, with: {reply: '500'}, trigger: {nth: 1}}\n")
	b := &bench{h, h.proxied(false)}
	const companies = "https://api.hubapi.com/crm/v3/objects/companies"
	b.does(ask{"POST", companies, `{"properties":{"name":"Acme","domain":"acme.example"}}`}, "Authorization", "Bearer pat-na1-x")
	reply, text := b.does(ask{"POST", companies + "/batch/create", `{"inputs":[{"properties":{"name":"Acme","domain":"acme.example"}},{"properties":{"name":"Other"}}]}`}, "Authorization", "Bearer pat-na1-x")
	if reply.StatusCode != 201 || strings.Count(text, `"createdAt"`) != 2 {
		t.Fatalf("%d %s", reply.StatusCode, text)
	}
	if all := exchanges(b.harness); len(all) != 4 || all[1].Intent.ID != all[0].Intent.ID || all[1].Intent.Attempt != 2 || all[2].Intent.Attempt != 1 {
		t.Errorf("the record has %+v", all)
	}
	b.replays()
	record, err := kept.Read(b.root, b.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range record.Report().Verdicts {
		if v.Subject == "one effect per intent" && v.Result != trail.Failed || v.Subject == "lost" && v.Reaction != trail.Mishandled {
			t.Errorf("%+v", v)
		}
	}
}

// came lists the exchanges that came by themselves.
func came(h *harness) []*trail.Exchange {
	h.t.Helper()
	return slices.DeleteFunc(exchanges(h), func(x *trail.Exchange) bool { return x.Within > 0 })
}

// Each fault is planned for a part of a batch as for any call, and none of them
// costs the rest of it, its record, or its replay.
func TestEveryFaultStrikesAPartOfABatch(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]string{
		"ambiguous-success": "{reply: reset}", "timeout": "{for: 1ms, commits: first}", "error": "{status: 503}", "rate-limit": "{limit: 1, window: 1h}",
		"silent-no-op": "{}", "duplicate-effect": "{}", "async-accept": "{}", "concurrent-edit": "{at: before-write, set: {summary: theirs}}", "latency": "{fixed: 1ms}",
		"schema-drift": "{field: summary}", "malformed-body": "{}", "session-expired": "{}", "outage": "{}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := calendarDesk(t, "faults:\n  it: {call: googlecalendar.calendar.events.insert, inject: "+name+", with: "+with+", trigger: {nth: 2}}\n")
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, batches, strings.NewReader(partsOf(insertOf("A"), insertOf("B"), insertOf("C"))))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer ya29.sdk")
			r.Header.Set("Content-Type", "multipart/mixed; boundary=b")
			if reply, err := b.agent.Do(r); err == nil {
				_ = reply.Body.Close()
			}
			parts, committed := 0, 0
			for _, x := range exchanges(b.harness) {
				if x.Outcome == trail.Panicked {
					t.Fatalf("%+v", x)
				}
				if x.Within > 0 {
					parts++
					if x.Committed {
						committed++
					}
				}
			}
			if parts != 3 || committed < 1 {
				t.Errorf("%d parts are in the record, %d committed", parts, committed)
			}
			b.replays()
		})
	}
}
