package mirrors_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/cmd/internal/mirrors"
	"parity/fakes/clock"
)

// contract is of a service with a list of people, and of their notes.
const contract = `
openapi: 3.0.3
info: {title: Desk, version: '1'}
servers: [{url: 'https://desk.example/v1'}]
security: [{key: []}]
paths:
  /people:
    get:
      operationId: listPeople
      parameters: [{name: limit, in: query, schema: {type: integer}}, {name: offset, in: query, schema: {type: integer}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Person'}}, total: {type: integer}}}}}}}
    post: {operationId: addPerson, responses: {'201': {description: made}}}
  /people/{person_id}:
    get:
      operationId: getPerson
      parameters: [{name: person_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Person'}}}}}
  /people/{person_id}/notes:
    get:
      operationId: listNotes
      parameters: [{name: person_id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: all, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}}}}
components:
  securitySchemes: {key: {type: http, scheme: bearer}}
  schemas:
    Person: {type: object, properties: {id: {type: string}, name: {type: string}, email: {type: string}, manager_person_id: {type: string}, pin: {type: string, format: password}}}
    Note: {type: object, properties: {id: {type: string}, text: {type: string}}}
`

const canary = "rk_desk_canaryCANARYcanary0042"

// A real is a service behind TLS that has people, and what it has seen.
type real struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []string
	people int
	busy   int // calls that it refuses for their number
	fails  int // the call from which on it fails
}

func (r *real) answer(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = append(r.seen, q.Method+" "+q.URL.RequestURI())
	w.Header().Set("Content-Type", "application/json")
	person := func(i int) map[string]any {
		return map[string]any{"id": fmt.Sprintf("per_%04d", i), "name": fmt.Sprintf("Grace Hopper%c%c", 'a'+i/26, 'a'+i%26), "email": fmt.Sprintf("grace%d@navy.example", i), "manager_person_id": fmt.Sprintf("per_%04d", i/10), "pin": "pin-1815", "key": canary}
	}
	var said any
	switch path := strings.TrimPrefix(q.URL.Path, "/v1/people"); {
	case q.Header.Get("Authorization") != "Bearer "+canary:
		w.WriteHeader(http.StatusUnauthorized)
	case r.fails > 0 && len(r.seen) >= r.fails:
		w.WriteHeader(http.StatusInternalServerError)
	case len(r.seen) > 1 && r.busy > 0:
		r.busy--
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	case path == "":
		from, _ := strconv.Atoi(q.URL.Query().Get("offset"))
		items := []any{}
		for i := from; i < min(r.people, from+10); i++ {
			items = append(items, person(i))
		}
		said = map[string]any{"data": items, "total": r.people}
	case strings.HasSuffix(path, "/notes"):
		id := strings.TrimSuffix(strings.TrimPrefix(path, "/per_"), "/notes")
		said = map[string]any{"data": []any{map[string]any{"id": "note_" + id, "text": "Grace wrote from grace" + strings.TrimLeft(id[:3], "0") + id[3:] + "@navy.example"}}}
	default:
		i, _ := strconv.Atoi(strings.TrimPrefix(path, "/per_"))
		said = person(i)
	}
	if said != nil {
		_ = json.NewEncoder(w).Encode(said)
	}
}

func (r *real) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.seen...)
}

// wall is the real time but for its waits, which it notes.
type wall struct {
	clock.System
	mu    sync.Mutex
	waits []time.Duration
}

func (w *wall) After(d time.Duration) (<-chan time.Time, func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waits = append(w.waits, d)
	over := make(chan time.Time, 1)
	over <- time.Time{}
	return over, func() {}
}

func upstream(t *testing.T, r *real) (mirrors.Import, *wall) {
	t.Helper()
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.answer))
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.StartTLS()
	t.Cleanup(r.Close)
	folder, w := t.TempDir(), &wall{}
	i := an(t, "desk")
	i.Contract, i.Roots = filepath.Join(folder, "desk.yaml"), filepath.Join(folder, "roots.pem")
	for name, data := range map[string][]byte{i.Contract: []byte(contract), i.Roots: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.Certificate().Raw})} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	i.Hosts, i.Env, i.Calls, i.Wall = []string{strings.TrimPrefix(r.URL, "https://")}, "DESK", 500, w
	i.Getenv = func(name string) string { return map[string]string{"DESK": canary}[name] }
	return i, w
}

// Of a service that is up the lists are read page by page, then what records refer
// to and what stands beneath them. Nothing but reads leaves, the credential comes
// into no file, and a service that asks for time gets it.
func TestAnUpstreamIsReadAndNotWritten(t *testing.T) {
	t.Parallel()
	r := &real{people: 60, busy: 2}
	i, w := upstream(t, r)
	i.Share, i.Most = "50%", 12
	c, text, said := run(t, i)
	for _, call := range r.all() {
		if !strings.HasPrefix(call, "GET /v1/people") {
			t.Errorf("%s left", call)
		}
	}
	for _, value := range []string{canary, "pin-1815", "Hopper", "Grace", "navy.example"} {
		if strings.Contains(text, value) || strings.Contains(said, value) {
			t.Errorf("%s is in the mirror", value)
		}
	}
	people, notes := map[string]map[string]any{}, map[string]string{}
	for _, e := range c.Exchanges {
		var v struct {
			ID   string
			Data []map[string]any
		}
		if err := json.Unmarshal([]byte(e.Response.Body), &v); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(v.ID, "per_") {
			var one map[string]any
			_ = json.Unmarshal([]byte(e.Response.Body), &one)
			v.Data = append(v.Data, one)
		}
		for _, one := range v.Data {
			if id := fmt.Sprint(one["id"]); strings.HasPrefix(id, "per_") {
				people[id] = one
			} else {
				notes[strings.TrimPrefix(id, "note_")] = fmt.Sprint(one["text"])
			}
		}
	}
	if len(people) < 12 || len(people) > 18 || len(notes) != len(people) || len(w.waits) != 2 || w.waits[0] != 7*time.Second {
		t.Errorf("%d people, %d notes, waits %v: %s", len(people), len(notes), w.waits, said)
	}
	for id, one := range people {
		if people[fmt.Sprint(one["manager_person_id"])] == nil {
			t.Errorf("%s has nobody for a manager: %v", id, one["manager_person_id"])
		}
		if !strings.Contains(notes[strings.TrimPrefix(id, "per_")], fmt.Sprint(one["email"])) {
			t.Errorf("the note of %s is by somebody else: %s, %s", id, notes[strings.TrimPrefix(id, "per_")], one["email"])
		}
	}
	if c.Mirror.Sampled != "50% of each collection, at most 12 records, and what they refer to" || !strings.HasPrefix(c.Mirror.From, "upstream 127.0.0.1:") {
		t.Errorf("%+v", c.Mirror)
	}
}

// A service that fails midway leaves no file, unless what there is was asked for.
func TestAnUpstreamThatFailsMidway(t *testing.T) {
	t.Parallel()
	for _, partial := range []bool{false, true} {
		r := &real{people: 60, fails: 4}
		i, _ := upstream(t, r)
		i.Partial = partial
		var said bytes.Buffer
		err := i.Run(t.Context(), &said)
		_, missing := os.Stat(i.Out)
		if (err == nil) != partial || (missing == nil) != partial || partial != strings.Contains(said.String(), "PARTIAL") || len(r.all()) != 4 {
			t.Errorf("partial %t: %v, %v, %d calls: %s", partial, err, missing, len(r.all()), said.String())
		}
	}
}

// No more calls go out than may.
func TestAnUpstreamIsAskedNoMoreThanItMayBe(t *testing.T) {
	t.Parallel()
	r := &real{people: 60}
	i, _ := upstream(t, r)
	i.Calls = 9
	if _, _, said := run(t, i); len(r.all()) != 9 || !strings.Contains(said, "all calls that it may make") {
		t.Errorf("%d calls: %s", len(r.all()), said)
	}
}

// Who says nothing of a credential, or a wrong thing, is told where it goes.
func TestAnUpstreamWantsACredential(t *testing.T) {
	t.Parallel()
	r := &real{people: 1}
	i, _ := upstream(t, r)
	for env, want := range map[string]string{"": "--credential-env", "OTHER": "OTHER is not set"} {
		i.Env = env
		if err := i.Run(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if len(r.all()) > 0 {
		t.Error(r.all())
	}
}
