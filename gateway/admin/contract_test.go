package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parity/gateway/client"
	"parity/specs"
)

// request is one call of a table, "METHOD PATH BODY".
func request(t *testing.T, call string) *http.Request {
	t.Helper()
	method, rest, _ := strings.Cut(call, " ")
	path, body, _ := strings.Cut(rest, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// Each operation gets what its contract has, decoded; what breaks the contract
// reaches none, and is told with where it is wrong.
func TestOperationsGetWhatTheContractHas(t *testing.T) {
	t.Parallel()
	rest := operationsOf(t)
	var got string // the operation that was reached, and what it got
	operations := map[string]Operation{}
	for id := range rest {
		operations[id] = func(_ context.Context, call Call) (Answer, error) {
			what, err := asked(call)
			got = id + " " + what
			return Answer{}, err
		}
	}
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token, Operations: operations})
	do := func(call string) *httptest.ResponseRecorder {
		got = ""
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(t, call))
		checkSecured(t, w)
		return w
	}
	for id, c := range map[string]struct {
		good map[string]string // call -> what the operation gets
		bad  map[string]string // call -> IN POINTER of the violations
	}{
		"getGateway": {
			map[string]string{"GET /v1/gateway": `{}`},
			map[string]string{"GET /v1/gateway?verbose=1": "query /verbose", `GET /v1/gateway {"a":1}`: "body "},
		},
		"listRuns": {
			map[string]string{"GET /v1/runs": `{}`, "GET /v1/runs?state=ended&limit=3": `{"query":{"limit":3,"state":"ended"}}`},
			map[string]string{
				"GET /v1/runs?state=dead": "query /state", "GET /v1/runs?limit=0": "query /limit", "GET /v1/runs?limit=1.5": "query /limit",
				"GET /v1/runs?colour=red": "query /colour", "GET /v1/runs?limit=x&state=": "query /limit, query /state",
			},
		},
		"makeRuns": {
			map[string]string{
				"POST /v1/runs": `{}`, "POST /v1/runs {}": `{"body":{}}`,
				`POST /v1/runs {"names":["a","shard-2"],"profile":"lost-replies","seed":"18446744073709551615","ttl":"1h","idle":"20m","port":true}`: `{"body":{"idle":"20m","names":["a","shard-2"],"port":true,"profile":"lost-replies","seed":"18446744073709551615","ttl":"1h"}}`,
				`POST /v1/runs {"seed":7,"clock":{"mode":"stepped","start":"2026-03-02T13:00:00Z","step":"1s","frozen":true}}`:                       `{"body":{"clock":{"frozen":true,"mode":"stepped","start":"2026-03-02T13:00:00Z","step":"1s"},"seed":7}}`,
			},
			map[string]string{
				`POST /v1/runs {"names":["A b"]}`: "body /names/0", `POST /v1/runs {"names":["a",""]}`: "body /names/1", `POST /v1/runs {"names":"a"}`: "body /names",
				`POST /v1/runs {"names":["../etc"]}`: "body /names/0", `POST /v1/runs {"names":["a\u0000"]}`: "body /names/0",
				`POST /v1/runs {"names":["` + strings.Repeat("a", 65) + `"]}`: "body /names/0",
				`POST /v1/runs {"seed":-1}`:                                   "body /seed", `POST /v1/runs {"seed":9007199254740993}`: "body /seed", `POST /v1/runs {"seed":1e19}`: "body /seed",
				`POST /v1/runs {"seed":1.5}`: "body /seed", `POST /v1/runs {"seed":"0x7"}`: "body /seed", `POST /v1/runs {"seed":""}`: "body /seed",
				`POST /v1/runs {"ttl":3600}`: "body /ttl", `POST /v1/runs {"idle":null}`: "body /idle", `POST /v1/runs {"port":"yes"}`: "body /port",
				`POST /v1/runs {"clock":{"speed":0}}`: "body /clock/speed", `POST /v1/runs {"clock":{"mode":"fast","at":1}}`: "body /clock/at, body /clock/mode",
				`POST /v1/runs {"clock":{"start":"noon"}}`: "body /clock/start",
				`POST /v1/runs {"colour":"red"}`:           "body /colour", `POST /v1/runs {"names":`: "body ", `POST /v1/runs []`: "body ", `POST /v1/runs null`: "body ",
				`POST /v1/runs {} {}`: "body ", `POST /v1/runs {"port":true,"port":false}`: "body /port",
			},
		},
		"getRun": {
			map[string]string{"GET /v1/runs/shard-1": `{"path":{"run":"shard-1"}}`},
			map[string]string{"GET /v1/runs/Shard%201": "path /run", "GET /v1/runs/..": "path /run", "GET /v1/runs/" + strings.Repeat("a", 65): "path /run", "GET /v1/runs/a%00": "path /run"},
		},
		"removeRun": {
			map[string]string{"DELETE /v1/runs/a": `{"path":{"run":"a"}}`},
			map[string]string{"DELETE /v1/runs/A": "path /run", "DELETE /v1/runs/a?force=1": "query /force", `DELETE /v1/runs/a {"force":true}`: "body "},
		},
		"endRun": {
			map[string]string{
				"POST /v1/runs/a/end": `{"path":{"run":"a"}}`,
				`POST /v1/runs/a/end {"exit":1,"command":["python","agent.py"],"flags":[],"decides":"verdict","took":"2s"}`: `{"path":{"run":"a"},"body":{"command":["python","agent.py"],"decides":"verdict","exit":1,"flags":[],"took":"2s"}}`,
			},
			map[string]string{`POST /v1/runs/a/end {}`: "body /exit", `POST /v1/runs/a/end {"exit":"1"}`: "body /exit", `POST /v1/runs/a/end {"exit":0,"decides":"me"}`: "body /decides"},
		},
		"forkRun": {
			map[string]string{"POST /v1/runs/a/fork": `{"path":{"run":"a"}}`, `POST /v1/runs/a/fork {"at":17,"names":["sun"]}`: `{"path":{"run":"a"},"body":{"at":17,"names":["sun"]}}`},
			map[string]string{`POST /v1/runs/a/fork {"at":0}`: "body /at", `POST /v1/runs/a/fork {"at":-3}`: "body /at", `POST /v1/runs/a/fork {"at":"17"}`: "body /at", `POST /v1/runs/a/fork {"at":1e300}`: "body /at", `POST /v1/runs/a/fork {"seed":1}`: "body /seed"},
		},
		"resetRun": {
			map[string]string{"POST /v1/runs/a/reset": `{"path":{"run":"a"}}`, "POST /v1/runs/a/reset {}": `{"path":{"run":"a"}}`},
			map[string]string{`POST /v1/runs/a/reset {"to":1}`: "body ", "POST /v1/runs/a/reset?to=1": "query /to"},
		},
		"listSnapshots": {
			map[string]string{"GET /v1/runs/a/snapshots": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/a/snapshots?limit=1": "query /limit"},
		},
		"takeSnapshot": {
			map[string]string{`POST /v1/runs/a/snapshots {"name":"paid"}`: `{"path":{"run":"a"},"body":{"name":"paid"}}`},
			map[string]string{"POST /v1/runs/a/snapshots": "body ", "POST /v1/runs/a/snapshots {}": "body /name", `POST /v1/runs/a/snapshots {"name":"Paid!"}`: "body /name"},
		},
		"rollBack": {
			map[string]string{`POST /v1/runs/a/rollback {"snapshot":"paid"}`: `{"path":{"run":"a"},"body":{"snapshot":"paid"}}`},
			map[string]string{"POST /v1/runs/a/rollback": "body ", `POST /v1/runs/a/rollback {"name":"paid"}`: "body /name, body /snapshot"},
		},
		"getClock": {
			map[string]string{"GET /v1/runs/a/clock": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/a/clock?at=1": "query /at"},
		},
		"moveClock": {
			map[string]string{
				`POST /v1/runs/a/clock {"freeze":true}`: `{"path":{"run":"a"},"body":{"freeze":true}}`, `POST /v1/runs/a/clock {"advance":"2h"}`: `{"path":{"run":"a"},"body":{"advance":"2h"}}`,
				`POST /v1/runs/a/clock {"set":"2026-03-02T13:00:00+01:00"}`: `{"path":{"run":"a"},"body":{"set":"2026-03-02T13:00:00+01:00"}}`,
				`POST /v1/runs/a/clock {"speed":60}`:                        `{"path":{"run":"a"},"body":{"speed":60}}`, `POST /v1/runs/a/clock {"step":"1s"}`: `{"path":{"run":"a"},"body":{"step":"1s"}}`,
			},
			map[string]string{
				"POST /v1/runs/a/clock": "body ", "POST /v1/runs/a/clock {}": "body ", `POST /v1/runs/a/clock {"advance":"2h","freeze":true}`: "body ",
				`POST /v1/runs/a/clock {"freeze":false}`: "body /freeze", `POST /v1/runs/a/clock {"set":"tomorrow"}`: "body /set", `POST /v1/runs/a/clock {"speed":0}`: "body /speed",
				`POST /v1/runs/a/clock {"speed":-1}`: "body /speed", `POST /v1/runs/a/clock {"speed":1e9}`: "body /speed", `POST /v1/runs/a/clock {"step":1}`: "body /step", `POST /v1/runs/a/clock {"back":"1h"}`: "body /back",
			},
		},
		"getEvents": {
			map[string]string{"GET /v1/runs/a/events": `{"path":{"run":"a"}}`, "GET /v1/runs/a/events?from=3&limit=2&live=false": `{"path":{"run":"a"},"query":{"from":3,"limit":2,"live":false}}`},
			map[string]string{"GET /v1/runs/a/events?from=-1": "query /from", "GET /v1/runs/a/events?from=99999999999999999999": "query /from", "GET /v1/runs/a/events?limit=0&live=maybe": "query /limit, query /live"},
		},
		"exportRun": {
			map[string]string{"GET /v1/runs/a/export": `{"path":{"run":"a"}}`, "GET /v1/runs/a/export?format=har": `{"path":{"run":"a"},"query":{"format":"har"}}`},
			map[string]string{"GET /v1/runs/a/export?format=csv": "query /format"},
		},
		"getState": {
			map[string]string{"GET /v1/runs/a/state?at=3": `{"path":{"run":"a"},"query":{"at":3}}`},
			map[string]string{"GET /v1/runs/a/state?at=0": "query /at", "GET /v1/runs/a/state?at=last": "query /at"},
		},
		"getStateHash": {
			map[string]string{"GET /v1/runs/a/state/hash": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/a/state/hash?at=-1": "query /at"},
		},
		"diffState": {
			map[string]string{"GET /v1/runs/a/state/diff?at=3&with=b&with_at=4": `{"path":{"run":"a"},"query":{"at":3,"with":"b","with_at":4}}`},
			map[string]string{"GET /v1/runs/a/state/diff": "query /with", "GET /v1/runs/a/state/diff?with=B": "query /with", "GET /v1/runs/a/state/diff?with=b&with_at=0": "query /with_at"},
		},
		"getReport": {
			map[string]string{"GET /v1/runs/a/report?format=text": `{"path":{"run":"a"},"query":{"format":"text"}}`},
			map[string]string{"GET /v1/runs/a/report?format=pdf": "query /format"},
		},
		"listArmed": {
			map[string]string{"GET /v1/runs/a/armed": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/A/armed": "path /run", "GET /v1/runs/a/armed?all=1": "query /all"},
		},
		"armRule": {
			map[string]string{
				`POST /v1/runs/a/armed {"call":"stripe *","inject":"timeout"}`:                                                               `{"path":{"run":"a"},"body":{"call":"stripe *","inject":"timeout"}}`,
				`POST /v1/runs/a/armed {"call":["x"],"inject":"error","with":{"status":503,"html":true},"trigger":{"window":{"from":"1m"}}}`: `{"path":{"run":"a"},"body":{"call":["x"],"inject":"error","trigger":{"window":{"from":"1m"}},"with":{"html":true,"status":503}}}`,
			},
			map[string]string{
				"POST /v1/runs/a/armed": "body ", `POST /v1/runs/a/armed {}`: "body /call, body /inject", `POST /v1/runs/a/armed {"call":[],"inject":"timeout"}`: "body /call",
				`POST /v1/runs/a/armed {"call":"x","inject":"timeout","name":"A b"}`: "body /name", `POST /v1/runs/a/armed {"call":"x","inject":"timeout","with":["a"]}`: "body /with",
				`POST /v1/runs/a/armed {"call":"x","inject":"timeout","ttl":600}`: "body /ttl", `POST /v1/runs/a/armed {"call":"x","inject":"timeout","enabled":false}`: "body /enabled",
				`POST /v1/runs/a/armed {"call":"x","inject":"timeout","when":"` + strings.Repeat("(", 10001) + `"}`: "body /when",
			},
		},
		"disarmRule": {
			map[string]string{"DELETE /v1/runs/a/armed/injected-1": `{"path":{"rule":"injected-1","run":"a"}}`},
			map[string]string{"DELETE /v1/runs/a/armed/Injected": "path /rule", "DELETE /v1/runs/a/armed/x?all=1": "query /all"},
		},
		"disarmAll": {
			map[string]string{"DELETE /v1/armed": `{}`},
			map[string]string{"DELETE /v1/armed?run=a": "query /run"},
		},
		"logProfile": {
			map[string]string{"GET /v1/profiles/log": `{}`, "GET /v1/profiles/log?profile=storm.yaml": `{"query":{"profile":"storm.yaml"}}`},
			map[string]string{"GET /v1/profiles/log?limit=1": "query /limit"},
		},
		"rollBackProfile": {
			map[string]string{"POST /v1/profiles/rollback": `{}`, `POST /v1/profiles/rollback {"profile":"storm.yaml","revision":"5be0"}`: `{"body":{"profile":"storm.yaml","revision":"5be0"}}`},
			map[string]string{`POST /v1/profiles/rollback {"revision":"../x"}`: "body /revision", `POST /v1/profiles/rollback {"to":"5be0"}`: "body /to"},
		},
		"listApprovals": {
			map[string]string{"GET /v1/approvals": `{}`, "GET /v1/approvals?state=pending&run=a": `{"query":{"run":"a","state":"pending"}}`},
			map[string]string{"GET /v1/approvals?state=open": "query /state", "GET /v1/approvals?run=A": "query /run"},
		},
		"listRunApprovals": {
			map[string]string{"GET /v1/runs/a/approvals?state=used": `{"path":{"run":"a"},"query":{"state":"used"}}`},
			map[string]string{"GET /v1/runs/a/approvals?run=b": "query /run"},
		},
		"getApproval": {
			map[string]string{"GET /v1/runs/a/approvals/apr_7f3kq2": `{"path":{"id":"apr_7f3kq2","run":"a"}}`},
			map[string]string{"GET /v1/runs/a/approvals/apr%2F1": "path /id", "GET /v1/runs/a/approvals/%3Cimg%3E": "path /id"},
		},
		"decideApproval": {
			map[string]string{
				`POST /v1/runs/a/approvals/apr_1/decision {"decision":"approve","by":"ada","digest":"9f2c"}`:     `{"path":{"id":"apr_1","run":"a"},"body":{"by":"ada","decision":"approve","digest":"9f2c"}}`,
				`POST /v1/runs/a/approvals/apr_1/decision {"decision":"change","set":{"amount":500},"note":"n"}`: `{"path":{"id":"apr_1","run":"a"},"body":{"decision":"change","note":"n","set":{"amount":500}}}`,
			},
			map[string]string{
				"POST /v1/runs/a/approvals/apr_1/decision": "body ", `POST /v1/runs/a/approvals/apr_1/decision {"decision":"yes"}`: "body /decision",
				`POST /v1/runs/a/approvals/apr_1/decision {"decision":"change","set":[]}`: "body /set", `POST /v1/runs/a/approvals/apr_1/decision {"decision":"approve","by":""}`: "body /by",
				`POST /v1/runs/a/approvals/apr_1/decision {"decision":"approve","force":true}`: "body /force",
			},
		},
		"makeConsoleCode": {
			map[string]string{`POST /v1/console/codes {"by":"ada"}`: `{"body":{"by":"ada"}}`, "POST /v1/console/codes": `{}`},
			map[string]string{`POST /v1/console/codes {"by":""}`: "body /by", `POST /v1/console/codes {"for":"1h"}`: "body /for"},
		},
		"openConsole": {
			map[string]string{`POST /v1/console/tokens {"code":"K3"}`: `{"body":{"code":"K3"}}`},
			map[string]string{"POST /v1/console/tokens": "body ", `POST /v1/console/tokens {"code":7}`: "body /code"},
		},
		"listWaits": {
			map[string]string{"GET /v1/runs/a/acts": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/%3Cimg%3E/acts": "path /run"},
		},
		"act": {
			map[string]string{`POST /v1/runs/a/acts {"id":"cs_1","act":"complete","by":"ada","with":{"card":"pm_card_visa"}}`: `{"path":{"run":"a"},"body":{"act":"complete","by":"ada","id":"cs_1","with":{"card":"pm_card_visa"}}}`},
			map[string]string{
				"POST /v1/runs/a/acts": "body ", `POST /v1/runs/a/acts {"id":"cs_1"}`: "body /act", `POST /v1/runs/a/acts {"id":"cs_1","act":"complete","with":[]}`: "body /with",
				`POST /v1/runs/a/acts {"id":"cs_1","act":"complete","force":true}`: "body /force",
			},
		},
		"listDrafts": {
			map[string]string{"GET /v1/runs/a/drafts": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/a/drafts?state=open": "query /state"},
		},
		"getDraft": {
			map[string]string{"GET /v1/runs/a/drafts/drf_2k9": `{"path":{"id":"drf_2k9","run":"a"}}`},
			map[string]string{"GET /v1/runs/a/drafts/..": "path /id"},
		},
		"approveRule": {
			map[string]string{`POST /v1/runs/a/approved-rules {"rule":"slow","by":"ada","because":"agreed"}`: `{"path":{"run":"a"},"body":{"because":"agreed","by":"ada","rule":"slow"}}`},
			map[string]string{`POST /v1/runs/a/approved-rules {"by":"ada"}`: "body /rule", `POST /v1/runs/a/approved-rules {"rule":""}`: "body /rule"},
		},
		"overrideGate": {
			map[string]string{`POST /v1/runs/a/overrides {"gate":"g","by":"ada","because":"fire","for":"15m","max":3}`: `{"path":{"run":"a"},"body":{"because":"fire","by":"ada","for":"15m","gate":"g","max":3}}`},
			map[string]string{`POST /v1/runs/a/overrides {"gate":"g"}`: "body /because", `POST /v1/runs/a/overrides {"gate":"g","because":"fire","max":0}`: "body /max"},
		},
		"getPermissions": {
			map[string]string{"GET /v1/runs/a/permissions": `{"path":{"run":"a"}}`},
			map[string]string{"GET /v1/runs/a/permissions?stage=9": "query /stage"},
		},
		"listCredentials": {
			map[string]string{"GET /v1/runs/a/credentials": `{"path":{"run":"a"}}`, "GET /v1/runs/a/credentials?values=true": `{"path":{"run":"a"},"query":{"values":true}}`},
			map[string]string{"GET /v1/runs/a/credentials?values=maybe": "query /values"},
		},
		"changeCredentials": {
			map[string]string{
				"POST /v1/runs/a/credentials/bot/revoke":                                  `{"path":{"identity":"bot","run":"a","what":"revoke"}}`,
				`POST /v1/runs/a/credentials/bot/rotate {"service":"slack","grace":"5m"}`: `{"path":{"identity":"bot","run":"a","what":"rotate"},"body":{"grace":"5m","service":"slack"}}`,
			},
			map[string]string{"POST /v1/runs/a/credentials/bot/bless": "path /what", `POST /v1/runs/a/credentials/bot/rotate {"grace":5}`: "body /grace"},
		},
		"claimOutcome": {
			map[string]string{`POST /v1/runs/a/outcome {"status":"stopped","note":"asked","claims":[{"text":"refunded","subject":"ch_1"}]}`: `{"path":{"run":"a"},"body":{"claims":[{"subject":"ch_1","text":"refunded"}],"note":"asked","status":"stopped"}}`},
			map[string]string{
				"POST /v1/runs/a/outcome": "body ", `POST /v1/runs/a/outcome {"status":"fine"}`: "body /status",
				`POST /v1/runs/a/outcome {"status":"success","claims":["x"]}`: "body /claims/0", `POST /v1/runs/a/outcome {"status":"success","claims":[{"text":"x"},{"subject":"y"}]}`: "body /claims/1/text",
			},
		},
	} {
		op := rest[id]
		if delete(rest, id); op == nil || len(c.good) == 0 || len(c.bad) == 0 {
			t.Errorf("%s: is it in the contract, what is good, and what is bad?", id)
			continue
		}
		for call, want := range c.good {
			w := do(call)
			if want = id + " " + want; got != want {
				t.Errorf("%s: got %s, want %s: %d %s", call, got, want, w.Code, w.Body)
			}
		}
		for call, want := range c.bad {
			w := do(call)
			if got != "" || w.Code != http.StatusBadRequest {
				t.Errorf("%s: %d, got %s: %s", call, w.Code, got, w.Body)
			}
			if places := violated(t, w); places != want {
				t.Errorf("%s: violations at %q, want %q: %s", call, places, want, w.Body)
			}
			checkReply(t, op, w)
		}
	}
	for id := range rest {
		t.Errorf("nothing shows what %s takes", id)
	}
}

// asked is what a call asks, as JSON.
func asked(call Call) (string, error) {
	data, err := json.Marshal(struct {
		Path  map[string]string `json:"path,omitempty"`
		Query map[string]any    `json:"query,omitempty"`
		Body  any               `json:"body,omitempty"`
	}{call.Path, call.Query, bodyOf(call)})
	return string(data), err
}

// bodyOf keeps an empty body apart from none.
func bodyOf(call Call) any {
	if call.Body == nil {
		return nil
	}
	return call.Body
}

func violated(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var told problem
	if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil {
		t.Errorf("%v: %s", err, w.Body)
	}
	var places []string
	for _, v := range told.Violations {
		places = append(places, v.In+" "+v.Pointer)
		if v.Message == "" || v.Rule == "" {
			t.Errorf("violation without a word: %s", w.Body)
		}
	}
	return strings.Join(places, ", ")
}

// checkReply holds an answer against the contract.
func checkReply(t *testing.T, op *specs.Operation, w *httptest.ResponseRecorder) {
	t.Helper()
	for _, v := range op.CheckReply(w.Code, w.Header().Get("Content-Type"), w.Body.Bytes()) {
		t.Errorf("%s: %d: %s %s: %s: %s", op.ID, w.Code, v.In, v.Pointer, v.Message, w.Body)
	}
}

// operationsOf are the contract's, by operationId.
func operationsOf(t *testing.T) map[string]*specs.Operation {
	t.Helper()
	contract, err := specs.Builtin("parity")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*specs.Operation{}
	for _, op := range contract.Operations {
		all[op.ID] = op
	}
	return all
}

// What operations give in the types of gateway/client is what the contract says,
// with all of their fields and with none.
func TestEveryOperationAnswersByTheContract(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 3, 2, 13, 0, 0, 0, time.UTC)
	clock := client.Clock{Mode: "live", Now: made, Frozen: true, Speed: 2.5}
	full := client.Run{
		ID: "a", Token: "t", State: client.Live, Profile: "p", Revision: "r", Seed: "18446744073709551615", Events: 1 << 40, Made: made, Ends: made, Idle: "20m0s",
		Base: &client.Base{Run: "b", Event: 17}, Clock: &clock, URLs: &client.URLs{Proxy: "http://a:t@h:1", Base: "http://h:1/run/a:t", Port: "h:2"},
		Stamp: client.Stamp{Profile: "p", Contracts: "c", Fixtures: "f", Parity: "0"}, Trouble: "none",
	}
	bare := client.Run{ID: "a", State: client.Ended}
	list := client.Runs{Runs: []client.Run{full, bare}}
	armed := client.Armed{Name: "r", Event: 3, Inject: "timeout", Call: []string{"stripe *"}, Text: "t", Until: made, Warnings: []string{"w"}}
	inForce := client.State{
		Profile: "p", Name: "n", Revision: "r", Since: made, RolledBack: true, Said: "s", Trouble: "t",
		Foresight: client.Foresight{Of: 2, Met: []client.Met{{Run: "a", Event: 1, Rules: []string{"r"}}}, ByCall: 1, Rules: map[string]int{"r": 1}},
	}
	call := client.AskedCall{
		Identity: "bot", Operation: "stripe POST /v1/refunds", Class: "irreversible", Intent: "f3c1.1", Event: 3,
		Request: client.AskedRequest{Path: map[string]any{"id": "ch_1"}, Query: map[string]any{}, Body: []any{1, nil}}, Before: []client.Earlier{{Event: 1, Call: "stripe GET /v1/charges", Status: 200}},
	}
	bareCall := client.AskedCall{Class: "read", Request: client.AskedRequest{Path: map[string]any{}, Query: map[string]any{}}, Before: []client.Earlier{}}
	predicted := client.Prediction{
		Status: 200, Body: "x", Touches: map[string]int{"c": 1}, Webhooks: 1, Outbox: 2, Fidelity: "modelled", Differences: []string{"d"}, Signals: []client.Signal{{Kind: "schema", Text: "t"}},
		Diff: []client.Change{
			{Record: "c/(new)", Op: "create", After: map[string]any{"a": 1}},
			{Record: "c/2", Op: "delete", Before: map[string]any{"a": 1}},
			{Record: "c/1", Op: "update", Fields: map[string][2]any{"a": {nil, []any{}}}},
		},
	}
	none := client.Prediction{Diff: []client.Change{}, Touches: map[string]int{}, Differences: []string{}, Signals: []client.Signal{}}
	approval := client.Approval{
		ID: "apr_1", Run: "a", Gate: "g", State: client.Changed, Because: "b", Asked: made, Lapses: made, AskedCall: call, Digest: "d", Bound: []client.Bound{{Record: "c/1", Version: 3}}, Predicted: &predicted,
		Answer: client.Answer{Approver: "lead", By: &client.By{Name: "ada", Kind: client.ByRehearsed}, Decided: made, Expires: made, Note: "n", Set: map[string]any{"amount": 1}},
	}
	bareApproval := client.Approval{State: client.Pending, AskedCall: bareCall, Bound: []client.Bound{}}
	draft := client.Draft{ID: "drf_1", Run: "a", By: "stage 2", At: made, AskedCall: call, Predicted: predicted}
	write := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	rest := operationsOf(t)
	var answer Answer
	operations := map[string]Operation{}
	for id := range rest {
		operations[id] = func(context.Context, Call) (Answer, error) { return answer, nil }
	}
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token, Operations: operations})
	for id, answers := range map[string][]Answer{
		"getGateway":       {{JSON: client.Gateway{Version: "0", Data: "h:1", Control: "h:2", CA: "pem", FirstRun: "a", Profiles: []string{"p"}, InForce: []client.State{inForce}, Trouble: "t"}}, {JSON: client.Gateway{Profiles: []string{}, InForce: []client.State{}}}},
		"listRuns":         {{JSON: list}, {JSON: client.Runs{Runs: []client.Run{}}}},
		"makeRuns":         {{Status: 201, JSON: list}},
		"getRun":           {{JSON: full}, {JSON: bare}},
		"removeRun":        {{Status: 204}},
		"endRun":           {{JSON: bare}},
		"forkRun":          {{Status: 201, JSON: list}},
		"resetRun":         {{JSON: full}},
		"listSnapshots":    {{JSON: client.Snapshots{Snapshots: []client.Snapshot{{Name: "s", Event: 1}}}}},
		"takeSnapshot":     {{Status: 201, JSON: client.Snapshot{Name: "s", Event: 1}}},
		"rollBack":         {{JSON: full}},
		"getClock":         {{JSON: clock}, {JSON: client.Clock{Mode: "stepped", Now: made, Step: "1s"}}},
		"moveClock":        {{JSON: clock}},
		"getEvents":        {{ContentType: "application/jsonl", Stream: write("{\"seq\":1}\n")}, {Events: func(yield func(Event, error) bool) { yield(Event{ID: "1", Name: "started", JSON: 1}, nil) }}},
		"exportRun":        {{ContentType: "application/jsonl", Stream: write("{}\n")}, {ContentType: "application/json", Stream: write(`{"log":{"version":"1.2","creator":{},"entries":[]}}`)}},
		"getState":         {{ContentType: "application/json", Stream: write(`{"stripe.charges":[{"id":"ch_1"}]}`)}},
		"getStateHash":     {{JSON: client.Hash{Event: 1, World: "w", Tallies: "t"}}},
		"diffState":        {{JSON: client.Diff{Equal: true, Changes: []client.DiffRecord{}}}, {JSON: client.Diff{Changes: []client.DiffRecord{{Collection: "c", ID: "i", In: "both", Fields: []client.DiffField{{Pointer: "/a", Was: 1}}}}}}},
		"getReport":        {{ContentType: "text/plain; charset=utf-8", Stream: write("fine\n")}, {ContentType: "application/json", Stream: write(`{"run":"a","seed":18446744073709551615,"revisions":[],"ended":true,"exit":0,"verdicts":[]}`)}},
		"claimOutcome":     {{Status: 204}},
		"listApprovals":    {{JSON: client.Approvals{Approvals: []client.Approval{approval, bareApproval}}}, {Events: func(yield func(Event, error) bool) { yield(Event{ID: "0", Name: "listed", JSON: 1}, nil) }}},
		"makeConsoleCode":  {{Status: 201, JSON: client.ConsoleCode{Code: "k", Until: made}}},
		"openConsole":      {{Status: 201, JSON: client.ConsoleToken{Token: "t", Until: made, Name: "ada", Proved: true}}, {Status: 201, JSON: client.ConsoleToken{Token: "t", Until: made}}},
		"listRunApprovals": {{JSON: client.Approvals{Approvals: []client.Approval{}}}}, "getApproval": {{JSON: approval}, {JSON: bareApproval}}, "decideApproval": {{JSON: approval}},
		"listDrafts": {{JSON: client.Drafts{Drafts: []client.Draft{draft}}}}, "getDraft": {{JSON: draft}, {JSON: client.Draft{AskedCall: bareCall, Predicted: none}}},
		"listWaits":         {{JSON: client.Waits{Waits: []client.Wait{{Run: "a", Service: "stripe", Kind: "checkout", Collection: "stripe.checkout_sessions", ID: "cs_1", Since: made, Says: "s", URL: "u", Acts: []client.PossibleAct{{Name: "complete", Does: "pays", With: []string{"card"}}}}}}}, {JSON: client.Waits{Waits: []client.Wait{}}}},
		"act":               {{JSON: client.Acted{Run: "a", Service: "stripe", Collection: "stripe.checkout_sessions", ID: "cs_1", Act: "complete", By: client.By{Name: "ada", Kind: client.ByClaimed}, Did: "paid", Event: 4}}},
		"approveRule":       {{Status: 201, JSON: client.RuleApproval{Run: "a", Rule: "r", Revision: "c", By: client.By{Name: "ada", Kind: client.ByClaimed}, Because: "b", Event: 4}}},
		"overrideGate":      {{Status: 201, JSON: client.Override{Run: "a", Gate: "g", By: client.By{Name: "ada", Kind: client.ByClaimed}, Because: "b", Until: made, Max: 3, Event: 4}}},
		"listCredentials":   {{JSON: client.Credentials{Credentials: []client.Credential{{Identity: "bot", Service: "slack", Variable: "TOKEN", State: "rotated", Until: made, Value: "xoxb"}}}}},
		"changeCredentials": {{JSON: client.Credentials{Credentials: []client.Credential{{Identity: "bot", Service: "slack", State: "in force"}}}}},
		"getPermissions":    {{JSON: client.Permissions{Run: "a", Profile: "p", Stage: 3, Cells: []client.Permission{{Identity: "bot", Operation: "stripe *", Class: "admin", Decision: "refused", Code: "not-granted", By: "never"}}}}},
		"listArmed":         {{JSON: client.ArmedRules{Armed: []client.Armed{armed}}}, {JSON: client.ArmedRules{Armed: []client.Armed{}}}},
		"armRule":           {{Status: 201, JSON: armed}, {Status: 201, JSON: client.Armed{Call: []string{}}}},
		"disarmRule":        {{Status: 204}},
		"disarmAll":         {{JSON: client.Disarmed{Runs: map[string][]string{"a": {"r"}}}}},
		"logProfile": {{JSON: client.Records{Records: []client.Record{
			{At: made, File: "f", Name: "n", How: "saved", Revision: "r", Said: "s"}, {At: made, File: "f", How: "refused", Problems: []string{"p"}},
		}}}},
		"rollBackProfile": {{JSON: inForce}, {JSON: client.State{}}},
	} {
		op := rest[id]
		if delete(rest, id); op == nil {
			t.Errorf("the contract has no operation %s", id)
			continue
		}
		for i := range answers {
			answer = answers[i]
			w := httptest.NewRecorder()
			h.ServeHTTP(w, request(t, example(op)))
			if w.Code/100 != 2 {
				t.Errorf("%s, answer %d: %d %s", id, i, w.Code, w.Body)
			}
			checkReply(t, op, w)
		}
	}
	for id := range rest {
		t.Errorf("nothing shows what %s gives", id)
	}
}

// example is a good call of an operation.
func example(op *specs.Operation) string {
	call := op.Method + " " + strings.NewReplacer("{run}", "a", "{rule}", "r", "{id}", "apr_1", "{identity}", "bot", "{what}", "rotate").Replace(op.Path)
	switch op.ID {
	case "armRule":
		return call + ` {"call":"stripe *","inject":"timeout"}`
	case "takeSnapshot":
		return call + ` {"name":"s"}`
	case "rollBack":
		return call + ` {"snapshot":"s"}`
	case "moveClock":
		return call + ` {"freeze":true}`
	case "claimOutcome":
		return call + ` {"status":"success"}`
	case "decideApproval":
		return call + ` {"decision":"approve"}`
	case "act":
		return call + ` {"id":"cs_1","act":"complete"}`
	case "openConsole":
		return call + ` {"code":"k"}`
	case "approveRule":
		return call + ` {"rule":"r"}`
	case "overrideGate":
		return call + ` {"gate":"g","because":"b"}`
	case "diffState":
		return call + "?with=b"
	}
	return call
}

// A body is JSON, as it is and within bounds, or there is none.
func TestBodies(t *testing.T) {
	t.Parallel()
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token})
	for _, c := range []struct {
		kind, encoding, body string
		status               int
		code                 string
	}{
		{"application/json", "", `{}`, 200, ""},
		{"application/json; charset=utf-8", "", `{}`, 200, ""},
		{"Application/JSON", "", `{}`, 200, ""},
		{"", "", "", 200, ""},
		{"text/plain", "", "", 200, ""},
		{"", "", `{}`, 415, "content-type"},
		{"text/plain", "", `{}`, 415, "content-type"},
		{"text/plain; application/json", "", `{}`, 415, "content-type"},
		{"application/x-www-form-urlencoded", "", `names=a`, 415, "content-type"},
		{"multipart/form-data; boundary=x", "", `--x--`, 415, "content-type"},
		{"application/merge-patch+json", "", `{}`, 415, "content-type"},
		{"application/json", "gzip", "\x1f\x8b", 415, "content-encoding"},
		{"application/json", "", `{"profile":"` + strings.Repeat("a", mostBody) + `"}`, 413, "body-too-large"},
		{"application/json", "", "{\"profile\":\"\xff\"}", 400, "contract"},
		{"application/json", "", strings.Repeat("[", 100000), 400, "contract"},
	} {
		r := request(t, "POST /v1/runs "+c.body)
		r.Header.Del("Content-Type")
		for name, value := range map[string]string{"Content-Type": c.kind, "Content-Encoding": c.encoding} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var told problem
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil || w.Code != c.status || told.Code != c.code {
			t.Errorf("%q %q %.40q: %d %s, want %d %q", c.kind, c.encoding, c.body, w.Code, w.Body, c.status, c.code)
		}
		checkSecured(t, w)
	}
	cut := request(t, "POST /v1/runs {}")
	cut.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"names":`), failing{}))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, cut)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "body-broken-off") {
		t.Errorf("a body that breaks off: %d %s", w.Code, w.Body)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// What is wrong is told in words, and not without bound.
func TestManyViolationsAreToldInFewWords(t *testing.T) {
	t.Parallel()
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request(t, `POST /v1/runs {"names":["A","B","C","D","E"]}`))
	var told problem
	if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"body /names/0: ", "; body /names/1: ", "; body /names/2: ", "; and 2 more"} {
		if !strings.Contains(told.Detail, want) {
			t.Errorf("%q does not say %q", told.Detail, want)
		}
	}
	if len(told.Violations) != 5 {
		t.Errorf("%d violations, want 5", len(told.Violations))
	}
}

func TestWrongMethodsAreToldTheRightOnes(t *testing.T) {
	t.Parallel()
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token})
	for call, want := range map[string]string{
		"PATCH /v1/runs/a": "DELETE, GET, HEAD", "GET /v1/runs/a/fork": "POST", "HEAD /v1/runs/a/reset": "POST", "DELETE /v1/runs": "GET, HEAD, POST",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(t, call))
		if got := w.Header().Get("Allow"); w.Code != http.StatusMethodNotAllowed || got != want {
			t.Errorf("%s: %d, Allow %q, want %q", call, w.Code, got, want)
		}
	}
}

// The operations are those of the contract, all of them and no others.
func TestOperationsAreTheContracts(t *testing.T) {
	t.Parallel()
	fewer, more := every(t), every(t)
	delete(fewer, "forkRun")
	more["cloneRun"] = more["forkRun"]
	for want, operations := range map[string]map[string]Operation{"forkRun": fewer, "cloneRun": more} {
		if _, err := New(Options{Address: "127.0.0.1:0", Token: token, Operations: operations}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want something about %s", err, want)
		}
	}
}

// What an operation refuses is told as it says; what breaks is told as the
// gateway's own, and costs that call alone.
func TestOperationsThatFail(t *testing.T) {
	t.Parallel()
	op, operations := operationsOf(t)["getRun"], every(t)
	var do Operation
	operations["getRun"] = func(ctx context.Context, call Call) (Answer, error) { return do(ctx, call) }
	h := handler(t, Options{Address: "127.0.0.1:0", Token: token, Operations: operations})
	for name, c := range map[string]struct {
		do   Operation
		want problem
	}{
		"refused":          {fails(&Problem{Status: 404, Code: "unknown-run", Detail: "there is no run x"}), problem{404, "Not Found", "unknown-run", "there is no run x", nil}},
		"refused, wrapped": {fails(fmt.Errorf("asked: %w", &Problem{Status: 409, Code: "taken", Detail: "take another"})), problem{409, "Conflict", "taken", "take another", nil}},
		"broken":           {fails(errors.New("disk on fire")), defect("disk on fire")},
		"broken twice":     {fails(errors.Join(errors.New("disk on fire"), errors.New("roof too"))), defect("disk on fire; roof too")},
		"status of none":   {fails(&Problem{Status: 0, Detail: "what"}), defect("what")},
		"panicked":         {func(context.Context, Call) (Answer, error) { panic("oh") }, defect("it panicked: oh")},
		"not JSON":         {gives(Answer{JSON: make(chan int)}), defect("answer: json: unsupported type: chan int")},
		"stream, at first": {gives(Answer{Status: 201, ContentType: "application/jsonl", Stream: func(io.Writer) error { return errors.New("no such run") }}), defect("no such run")},
	} {
		do = c.do
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(t, "GET /v1/runs/x"))
		var told problem
		if err := json.Unmarshal(w.Body.Bytes(), &told); err != nil {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		if diff := cmp.Diff(c.want, told); diff != "" || w.Code != c.want.Status || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", name, w.Code, diff)
		}
		checkReply(t, op, w)
	}
}

func fails(err error) Operation {
	return func(context.Context, Call) (Answer, error) { return Answer{}, err }
}

func gives(a Answer) Operation { return func(context.Context, Call) (Answer, error) { return a, nil } }

func defect(what string) problem {
	return problem{500, "Internal Server Error", "gateway-defect", "the gateway could not do this: " + what + "; its log may say more", nil}
}
