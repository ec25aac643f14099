package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/faults/trail"
)

// party is a client of a gateway whose clock moves a second with each call.
type party struct {
	*harness
	c    *http.Client
	base string
	key  string
}

// meanwhile opens a gateway with one rule, on a built-in service or on the CRM
// that a contract describes.
func meanwhile(t *testing.T, service, rule string) *party {
	t.Helper()
	dir, of := t.TempDir(), service+": {}"
	if service == "acme-crm" {
		of = "acme-crm: {contract: openapi.yaml, behaviour: behaviour.yaml}"
		for _, name := range []string{"openapi.yaml", "behaviour.yaml"} {
			text, err := os.ReadFile(filepath.Join("../specs/acme-crm", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	profile := strings.NewReplacer("stripe: {}", of, "{mode: stepped}", "{mode: stepped, step: 1s}").Replace(quiet) + "\nfaults:\n  it:\n" + rule
	h := openIn(t, dir, profile, shared)
	base := map[string]string{"stripe": "/stripe", "acme-crm": "/acme-crm/v1", "zendesk": "/zendesk/api/v2", "googlecalendar": "/googlecalendar"}[service]
	key := map[string]string{
		"stripe": "Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc", "acme-crm": "Bearer one",
		"zendesk": zendeskKey, "googlecalendar": "Bearer ya29.first",
	}[service]
	return &party{h, h.direct(false, false), "http://" + h.Addr() + base, key}
}

// do makes a call and tells what came of it, as decoded JSON or as text.
func (p *party) do(method, path, body string, header ...string) (int, map[string]any, http.Header) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", p.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
		if !strings.HasPrefix(body, "{") {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	c := *p.c
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	reply, err := c.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer reply.Body.Close()
	said, err := io.ReadAll(reply.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	var decoded map[string]any
	if json.Unmarshal(said, &decoded) != nil {
		decoded = map[string]any{"text": string(said)}
	}
	return reply.StatusCode, decoded, reply.Header
}

// must is do where only one status is right.
func (p *party) must(status int, method, path, body string, header ...string) map[string]any {
	p.t.Helper()
	got, decoded, _ := p.do(method, path, body, header...)
	if got != status {
		p.t.Fatalf("%s %s: %d, want %d: %v", method, path, got, status, decoded)
	}
	return decoded
}

// struck lists what the rule did, call by call: a dot where it did not fire.
func (p *party) whys() (whys []string) {
	for _, e := range p.eventsOf(p.Run.ID) {
		if e.Kind == trail.Exchanged {
			for _, s := range e.Exchange.Strikes {
				whys = append(whys, fmt.Sprint(e.Seq, s.Fired, s.Outranked, s.Why, s.Did))
			}
		}
	}
	return whys
}

func (p *party) struck() string {
	var b strings.Builder
	for _, e := range p.eventsOf(p.Run.ID) {
		if e.Kind != trail.Exchanged {
			continue
		}
		mark := "."
		for _, s := range e.Exchange.Strikes {
			if s.Fired {
				mark = "x"
			}
		}
		b.WriteString(mark)
	}
	return b.String()
}

// replays has the record decided again: it has to come out as it was.
func (p *party) replays() {
	p.t.Helper()
	p.close()
	var said strings.Builder
	code, err := replayRun(p.t.Context(), &said, p.root, p.Run.ID, "")
	if err != nil || code != 0 {
		p.t.Errorf("the record does not replay: %d %v\n%s", code, err, said.String())
	}
}

// A key whose call is in flight is refused until that call is over, and then
// gives its answer: one charge, whatever the agent waited for.
func TestKeyInFlightIsRefusedUntilItsCallIsOver(t *testing.T) {
	t.Parallel()
	for service, call := range map[string][3]string{
		"stripe":   {"stripe POST /v1/customers", "/v1/customers", "name=Ada"},
		"acme-crm": {"acme-crm POST /contacts", "/contacts", `{"email":"ada@example.com"}`},
	} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, service, "    call: "+call[0]+"\n    inject: idempotency-conflict\n    with: {for: 3s}\n    trigger: {nth: 1}\n")
			var got []int
			for range 6 {
				status, _, _ := p.do("POST", call[1], call[2], "Idempotency-Key", "k1")
				got = append(got, status/100)
			}
			p.do("POST", call[1], call[2], "Idempotency-Key", "k2")
			if s := p.struck(); !strings.HasPrefix(s, "xxx") || strings.Contains(s[3:], "x") {
				t.Errorf("struck %s, statuses %v", s, got)
			}
			if got[0] != 4 || got[3] != 2 {
				t.Errorf("statuses %v: want 4xx while it is in flight, and then 2xx", got)
			}
			p.replays()
		})
	}
}

// A key that belongs to another request is refused each time; one that was
// forgotten lets a retry act anew.
func TestKeyReusedOrForgotten(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{"reused": ".xx 4 4", "forgotten": "..x 2 2"} {
		for service, call := range map[string][4]string{
			"stripe":   {"stripe POST /v1/customers", "/v1/customers", "name=Ada", "name=Eve"},
			"acme-crm": {"acme-crm POST /contacts", "/contacts", `{"email":"ada@example.com"}`, `{"email":"eve@example.com"}`},
		} {
			t.Run(how+"/"+service, func(t *testing.T) {
				t.Parallel()
				p := meanwhile(t, service, "    call: "+call[0]+"\n    inject: idempotency-conflict\n    with: {how: "+how+"}\n    trigger: {nth: 1}\n")
				p.do("POST", call[1], call[2]) // without a key nothing is met
				got := ""
				for range 2 {
					status, _, _ := p.do("POST", call[1], call[3], "Idempotency-Key", "k1")
					got += fmt.Sprint(" ", status/100)
				}
				wanted := want
				if service == "acme-crm" && how == "forgotten" { // it acts anew, and the service minds
					wanted = "..x 2 4"
				}
				if s := p.struck() + got; s != wanted {
					t.Errorf("struck and answered %s, want %s", s, wanted)
				}
				made := map[string]int{"reused": 1, "forgotten": 3}[how]
				if n := p.Run.World().Len("stripe.customers"); service == "stripe" && n != made {
					t.Errorf("%d customers, want %d", n, made)
				}
				p.replays()
			})
		}
	}
}

// A lease that has lapsed is refused until it is taken anew, apart for each
// record; reads are never refused.
func TestLeaseLapses(t *testing.T) {
	t.Parallel()
	t.Run("acme-crm", func(t *testing.T) {
		t.Parallel()
		p := meanwhile(t, "acme-crm", "    call: acme-crm PATCH /contacts/{contact_id}\n    inject: lock-lost\n"+
			"    with: {acquire: \"acme-crm GET /contacts/{contact_id}\", ttl: 5s, by: batch-3}\n    trigger: {nth: 1}\n")
		one := p.must(201, "POST", "/contacts", `{"email":"a@example.com"}`)["id"].(string)
		two := p.must(201, "POST", "/contacts", `{"email":"b@example.com"}`)["id"].(string)
		const change = `{"last_name":"Lovelace"}`
		p.must(200, "PATCH", "/contacts/"+one, change) // nobody took a lease: nothing to lose
		p.must(200, "GET", "/contacts/"+one, "")
		p.must(200, "PATCH", "/contacts/"+one, change)
		p.advance(p.Run.ID, "10s")
		p.must(200, "GET", "/contacts/"+two, "")
		for range 2 {
			if status, body, _ := p.do("PATCH", "/contacts/"+one, change); status != 409 || !strings.Contains(at(body, "detail"), "batch-3") {
				t.Errorf("%d %v %q", status, body, p.whys())
			}
		}
		p.must(200, "PATCH", "/contacts/"+two, change)
		p.must(200, "GET", "/contacts/"+one, "")
		p.must(200, "PATCH", "/contacts/"+one, change)
		p.replays()
	})
	t.Run("stripe", func(t *testing.T) {
		t.Parallel()
		p := meanwhile(t, "stripe", "    call: [\"stripe GET /v1/customers/{customer}\", \"stripe POST /v1/customers/{customer}\"]\n    inject: lock-lost\n    with: {status: 409}\n    trigger: {nth: 1}\n")
		id := p.must(200, "POST", "/v1/customers", "name=Ada")["id"].(string)
		p.must(200, "GET", "/v1/customers/"+id, "")
		p.must(409, "POST", "/v1/customers/"+id, "name=Eve")
		p.must(409, "POST", "/v1/customers/"+id, "name=Eve")
		p.must(200, "GET", "/v1/customers/"+id, "")
		p.must(200, "POST", "/v1/customers/"+id, "name=Eve")
		p.replays()
	})
}

// A session ends by its time, for good; a new credential begins another.
func TestSessionEndsByItsTime(t *testing.T) {
	t.Parallel()
	for service, path := range map[string]string{"stripe": "/v1/customers", "acme-crm": "/contacts"} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, service, "    call: \""+service+" *\"\n    inject: session-expired\n    with: {ttl: 20m}\n")
			p.must(200, "GET", path, "")
			p.must(200, "GET", path, "")
			p.advance(p.Run.ID, "21m")
			p.must(401, "GET", path, "")
			p.must(401, "GET", path, "")
			p.key = strings.Replace(p.key, "one", "two", 1)
			p.key = strings.Replace(p.key, "4eC39", "9fD40", 1)
			p.must(200, "GET", path, "")
			if s := p.struck(); s != "..xx." {
				t.Errorf("struck %s", s)
			}
			p.replays()
		})
	}
}

// What a client sees of a session that is over is what proxies and services show.
func TestSessionEndsAsAPage(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]int{"redirect": 302, "login-page": 200, "403": 403} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, "acme-crm", "    call: acme-crm GET *\n    inject: session-expired\n    with: {how: "+how+"}\n    trigger: {nth: 2}\n")
			p.must(200, "GET", "/contacts", "")
			status, body, header := p.do("GET", "/companies", "")
			if status != want || how != "403" && !strings.Contains(at(body, "text"), "login") {
				t.Errorf("%d %v", status, body)
			}
			if how != "redirect" {
				return
			}
			p.base = ""
			if page := p.must(200, "GET", header.Get("Location"), ""); !strings.Contains(at(page, "text"), "Sign in to acme-crm") {
				t.Errorf("the page: %v", page)
			}
			p.replays()
		})
	}
}

// A renewal works, fails, or is overtaken by another worker's.
func TestSessionIsRenewed(t *testing.T) {
	t.Parallel()
	for refresh, want := range map[string]string{"works": "401 200 200 ", "fails": "401 400 401 ", "races": "401 200 401 200 200 "} {
		t.Run(refresh, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, "googlecalendar", "    call: googlecalendar GET /calendar/v3/*\n    inject: session-expired\n    with: {refresh: "+refresh+"}\n    trigger: {nth: 1}\n")
			const list, grant = "/calendar/v3/users/me/calendarList", "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=1%2F%2F0first"
			got := ""
			for range 3 {
				status, _, _ := p.do("GET", list, "")
				got += fmt.Sprint(status, " ")
				if status == 200 || strings.Contains(got, "400") {
					break
				}
				status, body, _ := p.do("POST", "/token", grant, "Authorization", "")
				got += fmt.Sprint(status, " ")
				if token, ok := body["access_token"].(string); ok {
					p.key = "Bearer " + token
				}
			}
			if got != want {
				t.Errorf("statuses %s, want %s; %q", got, want, p.whys())
			}
			p.replays()
		})
	}
}

// Work that is accepted is done when its time has come, and not before: once,
// twice, or never.
func TestAcceptedWorkIsDoneLater(t *testing.T) {
	t.Parallel()
	for service, call := range map[string][4]string{
		"stripe":   {"stripe POST /v1/customers", "/v1/customers", "name=Ada", "stripe.customers"},
		"acme-crm": {"acme-crm POST /contacts", "/contacts", `{"email":"ada@example.com"}`, "acme-crm.contacts"},
	} {
		for ends, want := range map[string]string{"succeeds": "succeeded 1", "fails": "failed 0", "stays": "pending 0", "twice": "succeeded 2"} {
			if ends == "twice" && service == "acme-crm" {
				want = "succeeded 1" // an address is there once
			}
			t.Run(service+"/"+ends, func(t *testing.T) {
				t.Parallel()
				p := meanwhile(t, service, "    call: "+call[0]+"\n    inject: async-accept\n    with: {wait: 1m, retry_after: 10s, ends: "+ends+"}\n    trigger: {nth: 1}\n")
				status, body, header := p.do("POST", call[1], call[2])
				place, ok := strings.CutPrefix(header.Get("Location"), p.base[:strings.Index(p.base, service)+len(service)])
				if status != 202 || at(body, "status") != "pending" || !ok || header.Get("Retry-After") != "10" {
					t.Fatalf("%d %v %v", status, body, header)
				}
				p.base = strings.TrimSuffix(p.base, "/v1")
				if now := p.must(200, "GET", place, ""); at(now, "status") != "pending" || p.Run.World().Len(call[3]) != 0 {
					t.Errorf("at once: %v, %d records", now, p.Run.World().Len(call[3]))
				}
				p.advance(p.Run.ID, "2m")
				now := p.must(200, "GET", place, "")
				if got := fmt.Sprint(at(now, "status"), " ", p.Run.World().Len(call[3])); got != want {
					t.Errorf("after two minutes %s, want %s: %v", got, want, now)
				}
				p.replays()
			})
		}
	}
}

const example = `    call: zendesk PUT /api/v2/tickets/{id}
    inject: concurrent-edit
    with: {once_read: "zendesk GET /api/v2/tickets/{id}", set: {status: solved}}
    trigger: {nth: 1}
`

// A colleague solves the ticket once the agent has read it: reading again shows
// it, and a write that does not look overwrites it, which the record tells.
func TestColleagueEditsOnceTheRecordIsRead(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]string{
		"in quotes": example, "as in the format": strings.NewReplacer(`"zendesk GET /api/v2/tickets/{id}"`, "zendesk GET /api/v2/tickets/{id}").Replace(example),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, "zendesk", rule)
			id := at(p.must(201, "POST", "/tickets", `{"ticket":{"subject":"Lost","comment":{"body":"Where is it?"}}}`), "ticket.id")
			if first := p.must(200, "GET", "/tickets/"+id, ""); at(first, "ticket.status") == "solved" {
				t.Error("the edit came before the read")
			}
			for range 2 {
				if again := p.must(200, "GET", "/tickets/"+id, ""); at(again, "ticket.status") != "solved" {
					t.Errorf("read again: %v", at(again, "ticket.status"))
				}
			}
			p.must(200, "PUT", "/tickets/"+id, `{"ticket":{"status":"pending"}}`)
			if s := p.struck(); s != ".x..." {
				t.Errorf("struck %s: %q", s, p.whys())
			}
			edits := 0
			for _, e := range p.eventsOf(p.Run.ID) {
				if e.Kind == trail.WorldEdited {
					edits++
					if e.Edit.Rule != "it" || len(e.Delta) == 0 || !strings.Contains(e.Edit.Did, "status") {
						t.Errorf("the edit: %+v", e.Edit)
					}
				}
			}
			if edits != 1 {
				t.Errorf("%d edits", edits)
			}
			p.replays()
		})
	}
}

// Where the service checks versions the stale write is refused; reading again
// wins, unless the edit comes right before the write.
func TestColleagueMakesAVersionStale(t *testing.T) {
	t.Parallel()
	const call = "    call: acme-crm PATCH /contacts/{contact_id}\n    inject: concurrent-edit\n"
	for name, c := range map[string]struct{ with, change, want string }{
		"after-read":   {`{once_read: "acme-crm GET /contacts/{contact_id}", set: {last_name: Byron}}`, `{"first_name":"Ada"}`, "412 200 "},
		"before-write": {`{at: before-write, set: {last_name: Byron}}`, `{"first_name":"Ada"}`, "412 412 "},
		"some text":    {`{once_read: "acme-crm GET /contacts/{contact_id}"}`, `{"first_name":"Ada"}`, "412 200 "},
		"overlap":      {`{at: before-write, overlap: true}`, `{"first_name":"Ada"}`, "412 412 "},
		"delete":       {`{once_read: "acme-crm GET /contacts/{contact_id}", delete: true}`, `{"first_name":"Ada"}`, "404 404 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, "acme-crm", call+"    with: "+c.with+"\n")
			id := p.must(201, "POST", "/contacts", `{"email":"ada@example.com","first_name":"A"}`)["id"].(string)
			got := ""
			for range 2 {
				_, _, header := p.do("GET", "/contacts/"+id, "")
				status, _, _ := p.do("PATCH", "/contacts/"+id, c.change, "If-Match", header.Get("Etag"))
				got += fmt.Sprint(status, " ")
			}
			if got != c.want {
				t.Errorf("writes were answered %s, want %s; %q", got, c.want, p.whys())
			}
			p.replays()
		})
	}
}

// A record changes hands at once or when its time has come, to somebody whom the
// service knows.
func TestOwnerChanges(t *testing.T) {
	t.Parallel()
	for after, moved := range map[string]bool{"": true, "after: 10m": false} {
		t.Run("zendesk "+after, func(t *testing.T) {
			t.Parallel()
			p := meanwhile(t, "zendesk", "    call: zendesk PUT /api/v2/tickets/{id}\n    inject: owner-changed\n    with: {once_read: \"zendesk GET /api/v2/tickets/{id}\", "+after+"}\n    trigger: {nth: 1}\n")
			p.must(201, "POST", "/users", `{"user":{"name":"Bea","email":"bea@example.com","role":"agent"}}`)
			ticket := p.must(201, "POST", "/tickets", `{"ticket":{"subject":"Lost","comment":{"body":"Where is it?"}}}`)
			id := at(ticket, "ticket.id")
			was := at(p.must(200, "GET", "/tickets/"+id, ""), "ticket.assignee_id")
			if is := at(p.must(200, "GET", "/tickets/"+id, ""), "ticket.assignee_id"); (is != was) != moved {
				t.Errorf("from %s to %s at once: %q", was, is, p.whys())
			}
			p.advance(p.Run.ID, "11m")
			if is := at(p.must(200, "GET", "/tickets/"+id, ""), "ticket.assignee_id"); is == was {
				t.Errorf("still %s: %q", is, p.whys())
			}
			p.replays()
		})
	}
}

// What rules have noted is part of a run: a reset forgets it, a rollback brings
// it back, a save that leaves the rule as it was keeps it, and it folds from the
// record.
func TestNotesArePartOfTheRun(t *testing.T) {
	t.Parallel()
	p := meanwhile(t, "stripe", "    call: \"stripe *\"\n    inject: session-expired\n    with: {ttl: 10m}\n")
	k, ctx := p.control(), t.Context()
	p.must(200, "GET", "/v1/customers", "")
	p.advance(p.Run.ID, "11m")
	p.must(401, "GET", "/v1/customers", "")
	if _, err := k.TakeSnapshot(ctx, p.Run.ID, "over"); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Reset(ctx, p.Run.ID); err != nil {
		t.Fatal(err)
	}
	p.must(200, "GET", "/v1/customers", "")
	if _, err := k.RollBack(ctx, p.Run.ID, "over"); err != nil {
		t.Fatal(err)
	}
	p.must(401, "GET", "/v1/customers", "")
	text, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	before := len(p.eventsOf(p.Run.ID))
	if err := os.WriteFile(p.file, []byte(strings.Replace(string(text), "faults:", "faults:\n  other: {call: stripe.PostCustomers, inject: error}", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for revised := false; !revised; {
		for _, e := range p.eventsOf(p.Run.ID)[before:] {
			revised = revised || e.Kind == trail.Revised
		}
	}
	p.must(401, "GET", "/v1/customers", "")
	hash, err := k.Hash(ctx, p.Run.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := p.Kept(p.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if state, err := kept.At(0); err != nil || state.World.Hash() != hash.World {
		t.Errorf("the record does not fold to the run: %v", err)
	}
	p.replays()
}

// An owner that stands among a record's properties changes there.
func TestOwnerAmongPropertiesChanges(t *testing.T) {
	t.Parallel()
	p := meanwhile(t, "hubspot", "    call: hubspot PATCH /crm/v3/objects/{objectType}/{objectId}\n    inject: owner-changed\n"+
		"    with: {once_read: \"hubspot GET /crm/v3/objects/{objectType}/{objectId}\", field: hubspot_owner_id, to: \"77\"}\n")
	p.base, p.key = "http://"+p.Addr()+"/hubspot", "Bearer pat-na1-rehearsal"
	id := at(p.must(201, "POST", "/crm/v3/objects/contacts", `{"properties":{"email":"ada@example.com","hubspot_owner_id":"12"}}`), "id")
	const shows = "?properties=hubspot_owner_id"
	for _, want := range []string{"12", "77", "77"} {
		if got := at(p.must(200, "GET", "/crm/v3/objects/contacts/"+id+shows, ""), "properties.hubspot_owner_id"); got != want {
			t.Errorf("owner %s, want %s: %q", got, want, p.whys())
		}
	}
	p.replays()
}
