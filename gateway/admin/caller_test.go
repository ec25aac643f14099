package admin

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// openedTo says to whom each operation is open beside the operator: r is the run that
// it is about, p a person, a anybody.
var openedTo = map[string]string{
	"claimOutcome": "r", "openConsole": "rpa", "makeConsoleCode": "p",
	"listRuns": "p", "getRun": "p", "listSnapshots": "p", "getClock": "p", "listArmed": "p", "getEvents": "p", "exportRun": "p",
	"getState": "p", "getStateHash": "p", "diffState": "p", "getReport": "p",
	"listApprovals": "p", "listRunApprovals": "rp", "getApproval": "rp", "decideApproval": "p", "listDrafts": "rp", "getDraft": "rp", "overrideGate": "p", "approveRule": "p", "getPermissions": "p", "listWaits": "p", "act": "p",
	"listCredentials": "p", "changeCredentials": "p",

	"getGateway": "", "logProfile": "", "rollBackProfile": "", "makeRuns": "", "removeRun": "", "endRun": "", "forkRun": "", "resetRun": "", "takeSnapshot": "", "rollBack": "",
	"moveClock": "", "armRule": "", "disarmRule": "", "disarmAll": "",
}

// A person's token reads runs and decides what waits; it made, moved or removed
// nothing. What is not on the list above is the operator's alone.
func TestEveryOperationIsOpenToWhomItsContractSays(t *testing.T) {
	t.Parallel()
	var by Caller
	operations := map[string]Operation{}
	for id := range every(t) {
		operations[id] = func(_ context.Context, call Call) (Answer, error) {
			by = call.By
			return Answer{}, nil
		}
	}
	h := handler(t, Options{
		Address: "127.0.0.1:0", Token: token, Operations: operations,
		Run: func(token string) (string, bool) { return strings.CutPrefix(token, "run-") },
		Person: func(token string) (Caller, bool) {
			return Caller{Name: "ada", Proved: token == "ada's own"}, token == "ada's own" || token == "console"
		},
	})
	for id, op := range operationsOf(t) {
		to, listed := openedTo[id]
		if !listed {
			t.Errorf("%s is not listed here: to whom is it open?", id)
		}
		for _, c := range []struct {
			who, shows, letter string
			want               Caller
		}{
			{"nobody", "", "a", Caller{}},
			{"a stranger", "Bearer nobody's", "a", Caller{}},
			{"its run", "Bearer run-a", "r", Caller{Kind: Agent, Name: "a"}},
			{"another run", "Bearer run-b", "a", Caller{Kind: Agent, Name: "b"}},
			{"a person", "Bearer ada's own", "p", Caller{Kind: Person, Name: "ada", Proved: true}},
			{"a console", "Bearer console", "p", Caller{Kind: Person, Name: "ada"}},
			{"the operator", "Bearer " + token, "", Caller{Kind: Operator}},
		} {
			by = Caller{Name: "nobody asked"}
			r := request(t, example(op))
			r.Header.Del("Authorization")
			if c.shows != "" {
				r.Header.Set("Authorization", c.shows)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			switch let := strings.Contains(to, c.letter); {
			case let && (w.Code != http.StatusNoContent || by != c.want):
				t.Errorf("%s by %s: %d, by %+v, want %+v: %s", id, c.who, w.Code, by, c.want, w.Body)
			case !let && (w.Code != http.StatusUnauthorized && w.Code != http.StatusForbidden || by.Name != "nobody asked"):
				t.Errorf("%s by %s was let in: %d", id, c.who, w.Code)
			case !let && !strings.Contains(w.Body.String(), "PARITY_CONTROL_TOKEN"):
				t.Errorf("%s by %s does not say what it takes: %s", id, c.who, w.Body)
			}
		}
	}
	for id := range openedTo {
		if operations[id] == nil {
			t.Errorf("there is no operation %s", id)
		}
	}
}

// Neither a run's token nor a person's learns which paths there are.
func TestUnknownPathsAreToldToNobodyElse(t *testing.T) {
	t.Parallel()
	h := handler(t, Options{
		Address: "127.0.0.1:0", Token: token,
		Run: func(token string) (string, bool) { return "a", token == "run" }, Person: func(token string) (Caller, bool) { return Caller{}, token == "person" },
	})
	for shows, want := range map[string]int{"run": 403, "person": 403, "nobody": 401, token: 404} {
		for _, call := range []string{"GET /v1/secrets", "PATCH /v1/secrets", "GET /v1/console/codes/x"} {
			r := request(t, call)
			r.Header.Set("Authorization", "Bearer "+shows)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%s by %s: %d, want %d", call, shows, w.Code, want)
			}
		}
	}
}
