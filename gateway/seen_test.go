package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parity/faults"
	"parity/faults/trail"
)

// sight is one line of the table: a fault, the call it strikes at, and what is
// seen of it.
type sight struct {
	fault string
	with  string // parameters, as YAML; "": none
	at    string // the call: create, read, update, remove or list; "" for all
	rule  string // more keys of the rule, each on a line
	more  string // more rules, each on a line
	only  string // the name of the one kind that has what it takes, and why the others have not: "stripe: sends webhooks"
	// play makes the calls and says what is not as documented; "" is all right.
	play func(*probe) string
	// commits tells whether the exchange that was struck changed the world.
	commits bool
}

// kind is a service to play with: one that is built in, and one of a contract
// alone.
type kindOf struct {
	name, host, prefix, collection string
	calls                          map[string]string
	form                           bool
	field                          string // of text, that anybody may change
	made                           int    // the status of what was made
}

func kinds() []kindOf {
	return []kindOf{
		{"stripe", "api.stripe.com", "", "stripe.customers", map[string]string{
			"create": "stripe POST /v1/customers", "read": "stripe GET /v1/customers/{customer}", "update": "stripe POST /v1/customers/{customer}",
			"remove": "stripe DELETE /v1/customers/{customer}", "list": "stripe GET /v1/customers", "": "stripe *",
		}, true, "description", 200},
		{"acme-crm", "crm.acme.example", "/v1", "acme-crm.contacts", map[string]string{
			"create": "acme-crm POST /contacts", "read": "acme-crm GET /contacts/{contact_id}", "update": "acme-crm PATCH /contacts/{contact_id}",
			"remove": "acme-crm DELETE /contacts/{contact_id}", "list": "acme-crm GET /contacts", "": "acme-crm *",
		}, false, "last_name", 201},
		{"feed", "feed.example", "", "", map[string]string{"stream": "feed GET /stream"}, false, "", 0},
	}
}

// probe is a client of one kind, on one way in.
type probe struct {
	*harness
	kind   kindOf
	way    way
	client *http.Client
	base   string
	key    string
	n      int
}

// got is what came back.
type got struct {
	status int
	header http.Header
	body   []byte
	json   map[string]any
	err    error
}

func (p *probe) do(method, path string, fields map[string]string, header ...string) got {
	var body io.Reader
	typ := "application/json"
	if fields != nil && p.kind.form {
		var form []string
		for k, v := range fields {
			form = append(form, k+"="+v)
		}
		slices.Sort(form)
		body, typ = strings.NewReader(strings.Join(form, "&")), "application/x-www-form-urlencoded"
	} else if fields != nil {
		text, _ := json.Marshal(fields)
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, body)
	if err != nil {
		return got{err: err}
	}
	r.Header.Set("Authorization", "Bearer "+p.key)
	if fields != nil {
		r.Header.Set("Content-Type", typ)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	client := *p.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	reply, err := client.Do(r)
	if err != nil {
		return got{err: err}
	}
	defer reply.Body.Close()
	g := got{status: reply.StatusCode, header: reply.Header}
	g.body, g.err = io.ReadAll(reply.Body)
	_ = json.Unmarshal(g.body, &g.json) // what is no object has none
	return g
}

func (p *probe) path(id string) string {
	path := "/v1/customers"
	if p.kind.name != "stripe" {
		path = p.kind.prefix + "/contacts"
	}
	if id != "" {
		path += "/" + id
	}
	return path
}

// create makes another record, unlike all before it.
func (p *probe) create(header ...string) got {
	p.n++
	fields := map[string]string{"name": fmt.Sprint("Ada ", p.n), "email": fmt.Sprintf("ada%d-%s@example.com", p.n, p.way.name)}
	if p.kind.name != "stripe" {
		fields = map[string]string{"first_name": "Ada", "last_name": fmt.Sprint("L", p.n), "email": fields["email"]}
	}
	return p.do("POST", p.path(""), fields, header...)
}

func (p *probe) read(id string, header ...string) got { return p.do("GET", p.path(id), nil, header...) }
func (p *probe) list(query string) got                { return p.do("GET", p.path("")+query, nil) }

func (p *probe) change(id string, header ...string) got {
	if p.kind.name == "stripe" {
		return p.do("POST", p.path(id), map[string]string{"description": "changed"}, header...)
	}
	return p.do("PATCH", p.path(id), map[string]string{"last_name": "Changed"}, header...)
}

// made is the id of another record, made past the rule.
func (p *probe) made() string { return p.id(p.create()) }

func (p *probe) id(g got) string {
	id, _ := g.json["id"].(string)
	if id == "" {
		p.t.Fatalf("%s %s: nothing made: %d %s %v", p.kind.name, p.way.name, g.status, g.body, g.err)
	}
	return id
}

func (p *probe) count() int { return p.Run.World().Len(p.kind.collection) }

// reset tells whether the connection was reset: RST, or RST_STREAM.
func (p *probe) reset(g got) string {
	if p.way.major == 2 {
		return unless(g.err != nil && strings.Contains(g.err.Error(), "INTERNAL_ERROR"), "no RST_STREAM: %v", g.err)
	}
	return unless(errors.Is(g.err, syscall.ECONNRESET), "no RST: %v", g.err)
}

// closed tells whether the connection ended before the reply did.
func (p *probe) closed(g got) string {
	if p.way.major == 2 {
		return unless(g.err != nil && strings.Contains(g.err.Error(), "INTERNAL_ERROR"), "no RST_STREAM: %v", g.err)
	}
	return unless(errors.Is(g.err, io.EOF) || errors.Is(g.err, io.ErrUnexpectedEOF), "not closed early: %v", g.err)
}

func unless(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// all gives the first complaint.
func all(complaints ...string) string {
	for _, c := range complaints {
		if c != "" {
			return c
		}
	}
	return ""
}

// TestEachFaultOnEachWayIn makes the table of faults/SEEN.md: each fault, on
// each way in, over both versions of HTTP, on a service that is built in and on
// one of a contract alone, is seen by its client as documented, leaves the world
// as it should, and is in the journal.
func TestEachFaultOnEachWayIn(t *testing.T) {
	t.Parallel()
	lines := sights()
	for _, f := range faults.Catalogue() {
		if f.Phase == faults.Policy {
			continue // its client sees a decision of policy, and nothing of its own
		}
		if !slices.ContainsFunc(lines, func(s sight) bool { return s.fault == f.Name }) {
			t.Errorf("no line of the table is about %s", f.Name)
		}
	}
	if testing.Short() {
		t.Log("each line on one kind of service; on all of them without -short")
	}
	cells := make([][]string, len(lines))
	t.Run("faults", func(t *testing.T) {
		for i, s := range lines {
			cells[i] = make([]string, len(kinds()))
			for j, k := range kinds() {
				if testing.Short() && s.only == "" && j != i%2 {
					continue
				}
				t.Run(s.fault+"/"+s.with+"/"+k.name, func(t *testing.T) {
					t.Parallel()
					cells[i][j] = s.seen(t, k, sampled(t, ways(), i))
				})
			}
		}
	})
	if t.Failed() || testing.Short() {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Faults as they were seen\n\nMade by `go test -run %s ./gateway -update`. Each cell is a client on each of the ways in (%s): the rule fired, the client saw what the catalogue says, the world changed or did not, and the journal has it.\n\n", t.Name(), wayNames())
	b.WriteString("| fault | with |")
	for _, k := range kinds() {
		b.WriteString(" " + k.name + " |")
	}
	b.WriteString("\n| --- | --- | --- | --- | --- |\n")
	for i, s := range lines {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.fault, strings.ReplaceAll("`"+s.with+"`", "``", ""), strings.Join(cells[i], " | "))
	}
	hold(t, filepath.Join("..", "faults", "SEEN.md"), b.String())
}

func wayNames() string {
	var names []string
	for _, w := range ways() {
		names = append(names, w.name)
	}
	return strings.Join(names, ", ")
}

var update = flag.Bool("update", false, "write what is made of tests anew")

// hold compares a file with what it should be, or writes it.
func hold(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	is, err := os.ReadFile(name)
	if err != nil || string(is) != want {
		t.Errorf("%s is not as it is made (%v): run go test -run %s ./gateway -update", name, err, t.Name())
	}
}

// seen plays one line on some ways in to one kind of service.
func (s sight) seen(t *testing.T, k kindOf, on []way) string {
	if k.name == "feed" && s.only == "" {
		return "–"
	}
	if name, why, some := strings.Cut(s.only, ": "); some && name != k.name {
		return "– (" + why + ")"
	}
	h := openKind(t, k, s)
	played := 0
	for i, w := range on {
		p := &probe{harness: h, kind: k, way: w, client: w.client(h), key: fmt.Sprint("sk_test_way", i, "4eC39HqLyjWDarjtT1zdp7dc")}
		p.base = strings.NewReplacer("api.stripe.com", k.host, "/stripe", "/"+k.name).Replace(w.base(h))
		before := h.Run.Seq()
		if wrong := s.play(p); wrong != "" {
			t.Errorf("%s: %s", w.name, wrong)
			continue
		}
		if wrong := s.journalled(h.eventsOf(h.Run.ID)[before:]); wrong != "" {
			t.Errorf("%s: %s", w.name, wrong)
		}
		played++
	}
	return fmt.Sprintf("%d of %d", played, len(on))
}

// journalled looks for the strike.
func (s sight) journalled(events []trail.Event) string {
	said := "the rule was not met"
	for _, e := range events {
		if e.Exchange == nil {
			continue
		}
		for _, strike := range e.Exchange.Strikes {
			switch {
			case strike.Rule != "it":
			case !strike.Fired:
				said = "it did not fire: " + strike.Why
			case e.Kind == trail.Exchanged && e.Exchange.Committed != s.commits:
				return fmt.Sprintf("#%d: committed %v, want %v", e.Seq, e.Exchange.Committed, s.commits)
			default:
				return ""
			}
		}
	}
	return said
}

// openKind opens a gateway whose profile has the rule.
func openKind(t *testing.T, k kindOf, s sight) *harness {
	t.Helper()
	rule := fmt.Sprintf("\nfaults:\n  it:\n    call: %s\n    inject: %s\n", k.calls[s.at], s.fault)
	if strings.HasSuffix(k.calls[s.at], "*") {
		rule = strings.Replace(rule, k.calls[s.at], `"`+k.calls[s.at]+`"`, 1)
	}
	if s.with != "" {
		rule += "    with: " + strings.NewReplacer("READ", k.calls["read"], "FIELD", k.field).Replace(s.with) + "\n"
	}
	if s.rule != "" {
		rule += "    " + strings.ReplaceAll(s.rule, "\n", "\n    ") + "\n"
	}
	if s.more != "" {
		rule += "  " + strings.ReplaceAll(s.more, "READ", k.calls["read"]) + "\n"
	}
	if k.name == "feed" {
		return openFeed(t, strings.TrimPrefix(rule, "\nfaults:\n")).contain()
	}
	if k.name == "stripe" {
		return open(t, quiet+rule).contain()
	}
	contract, err := os.ReadFile("../specs/acme-crm/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	behaviour, err := os.ReadFile("../specs/acme-crm/behaviour.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"openapi.yaml": contract, "behaviour.yaml": behaviour} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	profile := strings.Replace(quiet, "stripe: {}", "acme-crm: {contract: openapi.yaml, behaviour: behaviour.yaml}", 1) + rule
	return openIn(t, dir, profile).contain()
}
