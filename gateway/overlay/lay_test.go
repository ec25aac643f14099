package overlay_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/gateway/overlay"
)

func crmLine(t testing.TB, contacts int) (l *line, ids []string) {
	t.Helper()
	l = newLine(t, contract(crmFiles())(t), "", "Authorization", "Bearer any")
	for i := range contacts {
		l.tick()
		g := of(l.ask(l.real, "POST", "/v1/contacts", fmt.Sprintf(`{"email":"c%d@x.example"}`, i)))
		ids = append(ids, g.named("id"))
	}
	l.direct.World = l.real.World
	return l, ids
}

// What is made below an absorbed record, or refers to one, is made as below one of
// the run's own.
func TestWritesRestOnRecordsThatWereRead(t *testing.T) {
	t.Parallel()
	l, ids := crmLine(t, 3)
	contact := "/v1/contacts/" + ids[1]
	l.same("POST", contact+"/notes", `{"body":"Called."}`)
	l.same("GET", contact+"/notes", "")
	l.same("POST", "/v1/deals", `{"title":"Big","amount":100,"contact_id":"`+ids[2]+`"}`)
	l.same("GET", "/v1/deals?contact_id="+ids[2], "")
	l.same("POST", contact+"/archive", "")
	l.same("GET", contact, "")
	l.same("POST", "/v1/contacts/con_nobody/notes", `{"body":"Called."}`)
	l.same("POST", "/v1/deals", `{"title":"Big","amount":100,"contact_id":"con_nobody"}`, "none")
	before := l.reads
	l.same("PATCH", contact, `{"tags":["x"]}`)
	if l.reads != before {
		t.Errorf("what was absorbed was read again: %v", l.asked[before:])
	}
}

func TestARecordThatMovedBelowItsChangesIsBehind(t *testing.T) {
	t.Parallel()
	l, ids := crmLine(t, 2)
	contact := "/v1/contacts/" + ids[0]
	l.send("PATCH", contact, `{"tags":["mine"]}`)
	l.send("GET", contact, "")
	if len(l.laid.Behind) > 0 || !l.laid.Overlaid {
		t.Fatalf("nothing has moved: %+v", l.laid)
	}
	l.tick()
	l.ask(l.real, "PATCH", contact, `{"email":"moved@x.example"}`)
	g, _ := l.send("GET", contact, "")
	if want := (overlay.Key{Collection: "own.contacts", ID: ids[0]}); !slices.Equal(l.laid.Behind, []overlay.Key{want}) {
		t.Errorf("behind is %v", l.laid.Behind)
	}
	if g.at("email") != "moved@x.example" || flat(g.at("tags")) != `["mine"]` {
		t.Errorf("the change is not over the record as it is now: %s", g.Body)
	}
	l.send("GET", "/v1/contacts", "")
	if len(l.laid.Behind) != 1 {
		t.Errorf("in a list, behind is %v", l.laid.Behind)
	}
	l.ask(l.real, "DELETE", contact, "")
	if g, _ = l.send("GET", contact, ""); g.Status != http.StatusNotFound || len(l.laid.Behind) != 1 {
		t.Errorf("of a record that is gone: %d, behind %v", g.Status, l.laid.Behind)
	}
}

func TestAnUnchangedRecordIsReadAnewBeforeItIsWritten(t *testing.T) {
	t.Parallel()
	l, ids := crmLine(t, 2)
	contact := "/v1/contacts/" + ids[0]
	l.send("POST", contact+"/notes", `{"body":"Called."}`) // which absorbs it
	l.tick()
	for _, world := range []*faketest.Rig{l.real, l.direct} {
		l.ask(world, "PATCH", contact, `{"email":"moved@x.example"}`)
	}
	l.same("PATCH", contact, `{"tags":["mine"]}`)
	l.same("GET", contact, "")
	if len(l.laid.Behind) > 0 {
		t.Errorf("behind: %v", l.laid.Behind)
	}
	l.same("GET", contact+"/notes", "")
}

// What a client has is not what it would get: it is not asked whether it still has it.
func TestAConditionalReadAsksForAllThatTheOverlayIsLaidOver(t *testing.T) {
	t.Parallel()
	l, ids := crmLine(t, 2)
	l.run.Header.Set("If-None-Match", `"x"`)
	call, _ := l.call(l.run, "GET", "/v1/contacts/"+ids[0], "")
	if plan := l.over.Before(call); plan.Own != nil || len(plan.Drop) > 0 {
		t.Errorf("before any write: %+v", plan)
	}
	l.send("PATCH", "/v1/contacts/"+ids[0], `{"tags":["mine"]}`)
	call, _ = l.call(l.run, "GET", "/v1/contacts/"+ids[0], "")
	if plan := l.over.Before(call); !slices.Equal(plan.Drop, []string{"If-None-Match"}) {
		t.Errorf("after one: %+v", plan)
	}
	reply := fakes.Reply{Status: 200, Header: http.Header{"Etag": {`"x"`}, "X-Total-Count": {"7"}, "Content-Length": {"9"}}, Body: []byte(`{"data":[]}`)}
	laid := l.over.Lay(call, reply)
	if !laid.Overlaid || laid.Reply.Header.Get("ETag") == `"x"` || laid.Reply.Header.Get("Content-Length") != fmt.Sprint(len(laid.Reply.Body)) {
		t.Errorf("%+v", laid.Reply.Header)
	}
	if reply.Header.Get("ETag") != `"x"` {
		t.Error("the reply that was handed in has changed")
	}
}

// Fields of what was not touched keep their order and their numbers as they are
// written, and so do items beside one that was.
func TestWhatStandsBesideAChangeStaysAsItIsWritten(t *testing.T) {
	t.Parallel()
	l, ids := crmLine(t, 2)
	l.send("PATCH", "/v1/contacts/"+ids[0], `{"tags":["mine"]}`)
	l.send("POST", "/v1/contacts", `{"email":"new@x.example"}`)
	call, _ := l.call(l.run, "GET", "/v1/contacts", "")
	other := `{"z": 1.50,  "id":"con_other","a":12345678901234567890}`
	body := `{"x":1,"data":[{"unknown":1e2,"id":"` + ids[0] + `","tags":[]},` + other + `],"total":41,"paging":{}}`
	laid := l.over.Lay(call, fakes.Reply{Status: 200, Header: http.Header{"X-Total-Count": {"41"}}, Body: []byte(body)})
	said := string(laid.Reply.Body)
	for _, part := range []string{`{"x":1,"data":[`, `{"unknown":1e2,"id":"` + ids[0] + `","tags":["mine"]`, other, `"total":42`, `"paging":{}}`, `new@x.example`} {
		if !strings.Contains(said, part) {
			t.Errorf("it lacks %s: %s", part, said)
		}
	}
	if n := laid.Reply.Header.Get("X-Total-Count"); n != "42" {
		t.Errorf("X-Total-Count is %s", n)
	}
}

// A reply that is not as its contract says is handed on, and breaks nothing.
func TestAnOddReplyIsHandedOn(t *testing.T) {
	t.Parallel()
	l, ids := crmLine(t, 2)
	l.send("PATCH", "/v1/contacts/"+ids[0], `{"tags":["mine"]}`)
	l.send("POST", "/v1/contacts", `{"email":"new@x.example"}`)
	for _, target := range []string{"/v1/contacts", "/v1/contacts/" + ids[0]} {
		call, _ := l.call(l.run, "GET", target, "")
		for _, body := range []string{"", "null", "[", "7", `{"data":`, `{"data":null}`, `{"data":{}}`, `{"data":[1,{"id":null},null]}`, `{"data":[],"data":[1]}`, `{"a":1}x`, "\xff"} {
			for _, status := range []int{200, 304, 404, 500} {
				laid := l.over.Lay(call, fakes.Reply{Status: status, Body: []byte(body)})
				if status != 200 && (laid.Overlaid || string(laid.Reply.Body) != body) {
					t.Errorf("%s: %d %q became %q", target, status, body, laid.Reply.Body)
				}
				if laid.Reply.Status != status {
					t.Errorf("%s: %d became %d", target, status, laid.Reply.Status)
				}
			}
		}
	}
}

func TestWhatTheOverlayCannotFollowIsSaid(t *testing.T) {
	t.Parallel()
	service := contract(crmFiles())(t)
	over := overlay.Over{Service: service}
	for _, name := range []string{"PATCH /v1/contacts/{contact_id}", "POST /v1/contacts", "GET /v1/status"} {
		op, _ := service.Contract.Operation(name)
		if why, ok := over.Known(op); !ok {
			t.Errorf("%s: %s", name, why)
		}
	}
	over.Service.Fake = silent{}
	op, _ := service.Contract.Operation("POST /v1/contacts")
	if why, ok := over.Known(op); ok || why == "" {
		t.Errorf("of a fake that takes nothing in: %v %q", ok, why)
	}
}

type silent struct{}

func (silent) Answer(*fakes.Call) fakes.Reply { return fakes.Reply{} }

func BenchmarkLayAListOf100With50Overlaid(b *testing.B) {
	for _, s := range shops()[:3] {
		b.Run(s.name, func(b *testing.B) {
			l := newLine(b, s.service(b), "", s.header...)
			var ids []string
			for range 100 {
				l.tick()
				ids = append(ids, of(l.ask(l.real, "POST", s.list, s.body(fmt.Sprint("x", l.step)))).named(s.id))
			}
			method := "PATCH"
			if s.form {
				method = "POST"
			}
			for i := range 50 {
				l.send(method, s.list+"/"+ids[i*2], s.body(fmt.Sprint("y", i)))
			}
			target := s.list + "?" + s.limit + "=100"
			reply := l.ask(l.real, "GET", target, "")
			call, _ := l.call(l.run, "GET", target, "")
			b.ResetTimer()
			for b.Loop() {
				if laid := l.over.Lay(call, reply); !laid.Overlaid {
					b.Fatal("nothing was laid")
				}
			}
		})
	}
}
