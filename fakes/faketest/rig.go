package faketest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/chance"
	"parity/fakes/fixture"
	"parity/fakes/kit"
	"parity/fakes/world"
	"parity/specs"
)

// A Rig plays one service in one world.
type Rig struct {
	T       testing.TB
	Service fakes.Service
	World   *world.World
	Now     time.Time   // the instant of the next request
	Header  http.Header // sent with every request that does not say otherwise
	Base    string      // what self links begin with
	Vendor  *specs.Contract

	catalogue *fakes.Catalogue
	seed      chance.Seed
	minted    int
}

// New makes a rig of a service, in the world that it begins with.
func New(t testing.TB, service fakes.Service) *Rig {
	t.Helper()
	catalogue, err := fakes.NewCatalogue(service)
	if err != nil {
		t.Fatal(err)
	}
	w, err := catalogue.World()
	if err != nil {
		t.Fatal(err)
	}
	base := "https://" + service.Name + ".example"
	if len(service.Hosts) > 0 {
		base = "https://" + strings.Replace(service.Hosts[0], "*", "acme", 1)
	}
	return &Rig{
		T: t, Service: service, World: w, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Header: http.Header{}, Base: base,
		catalogue: catalogue, seed: 7,
	}
}

// Fill begins the world anew from a fixture, in YAML.
func (r *Rig) Fill(content string) {
	r.T.Helper()
	base, err := r.catalogue.World()
	if err == nil {
		r.World, err = fixture.Build(base, r.catalogue, fixture.Spec{Files: []fixture.File{{Name: "fixture.yaml", Content: content}}}, r.seed, r.Now)
	}
	if err != nil {
		r.T.Fatal(err)
	}
}

// Send makes one request and gives its reply. header is pairs of name and
// value; an empty value takes the header away.
func (r *Rig) Send(method, target, body string, header ...string) Got {
	r.T.Helper()
	call, trouble := r.call(method, target, body, r.headers(header))
	if trouble != nil {
		return r.word(*trouble)
	}
	reply := r.Service.Fake.Answer(call)
	r.World = call.Tx.Commit()
	r.hold(call.Operation, reply)
	if r.Vendor != nil {
		path, query, _ := strings.Cut(target, "?")
		m := r.Vendor.MatchCall(&specs.Call{Method: method, Path: path, Query: query, Header: call.Header, Body: call.Body})
		if m.Operation == nil {
			m = r.Vendor.MatchBare(&specs.Call{Method: method, Path: path, Query: query, Header: call.Header, Body: call.Body})
		}
		if m.Operation != nil && (reply.Status < 300 || tellsOfErrors(m.Operation)) {
			if wrong := m.Operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body); len(wrong) > 0 {
				r.T.Errorf("%s %s: %d breaks the vendor's contract at %q: %s\n%s", method, target, reply.Status, wrong[0].Pointer, wrong[0].Message, kit.Clip(string(reply.Body)))
			}
		}
	}
	return r.got(reply)
}

// tellsOfErrors tells whether a contract says how an operation refuses: a
// discovery document does not.
func tellsOfErrors(op *specs.Operation) bool {
	return slices.ContainsFunc(op.Statuses(), func(status string) bool { return status >= "4" })
}

func (r *Rig) hold(operation *specs.Operation, reply fakes.Reply) {
	r.T.Helper()
	if wrong := operation.CheckReply(reply.Status, reply.Header.Get("Content-Type"), reply.Body); len(wrong) > 0 {
		r.T.Errorf("%s: %d breaks the contract at %q: %s\n%s", operation.Name(), reply.Status, wrong[0].Pointer, wrong[0].Message, reply.Body)
	}
}

// JSON sends a value as JSON; nil sends no body.
func (r *Rig) JSON(method, target string, value any, header ...string) Got {
	r.T.Helper()
	if value == nil {
		return r.Send(method, target, "", header...)
	}
	body, err := json.Marshal(value)
	if err != nil {
		r.T.Fatal(err)
	}
	return r.Send(method, target, string(body), append([]string{"Content-Type", "application/json"}, header...)...)
}

// Form sends a form, as it stands in a body.
func (r *Rig) Form(method, target, form string, header ...string) Got {
	r.T.Helper()
	return r.Send(method, target, form, append([]string{"Content-Type", "application/x-www-form-urlencoded"}, header...)...)
}

// Must ends the test unless the status is as said.
func (r *Rig) Must(status int, g Got) Got {
	r.T.Helper()
	if g.Status != status {
		r.T.Fatalf("status %d, want %d: %s", g.Status, status, g.Raw)
	}
	return g
}

func (r *Rig) headers(pairs []string) http.Header {
	header := r.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		header.Set(pairs[i], pairs[i+1])
		if pairs[i+1] == "" {
			header.Del(pairs[i])
		}
	}
	return header
}

// call decodes a request, or says what is wrong with it, as the gateway does.
func (r *Rig) call(method, target, body string, header http.Header) (*fakes.Call, *fakes.Trouble) {
	r.T.Helper()
	path, query, _ := strings.Cut(target, "?")
	trouble := fakes.Trouble{Method: method, Path: path, Header: header, RequestID: "req_" + strconv.Itoa(r.minted)}
	asked := &specs.Call{Method: method, Path: path, Query: query, Header: header, Body: []byte(body)}
	m := r.Service.Contract.MatchCall(asked)
	if m.Operation == nil {
		if values, err := url.ParseQuery(query); err == nil {
			presented := fakes.Presented{Header: header, Query: map[string]any{}}
			for name := range values {
				presented.Query[name] = values.Get(name)
			}
			if _, refused := r.identify(presented); refused != nil {
				return nil, with(trouble, refused)
			}
		}
		trouble.Kind = fakes.NoOperation
		if len(m.Allowed) > 0 {
			trouble.Kind = fakes.NoMethod
		}
		return nil, &trouble
	}
	input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Query: query, Header: header, Body: []byte(body)})
	identity, refused := r.identify(fakes.Presented{Header: header, Query: input.Query, Body: input.Body})
	if refused != nil {
		return nil, with(trouble, refused)
	}
	input.Query = m.Operation.Anonymous(input.Query)
	if len(wrong) > 0 {
		trouble.Kind, trouble.Violations = fakes.BadRequest, wrong
		return nil, &trouble
	}
	return &fakes.Call{
		Operation: m.Operation, Contract: r.Service.Contract, Input: input, Header: header, Body: []byte(body),
		Tx: r.World.Begin(), Now: r.Now, Identity: identity, Base: r.Base, Mint: r.mint, IdentityOf: r.identityOf,
	}, nil
}

// with lays what a fake says of a caller over what is known of the request.
func with(t fakes.Trouble, refused *fakes.Trouble) *fakes.Trouble {
	said := *refused
	said.Method, said.Path, said.Header, said.RequestID = t.Method, t.Path, t.Header, t.RequestID
	return &said
}

func (r *Rig) identify(p fakes.Presented) (string, *fakes.Trouble) {
	i, ok := r.Service.Fake.(fakes.Identifier)
	if !ok {
		return "", nil
	}
	credential, trouble := i.Identify(p)
	if credential == "" {
		return "", trouble
	}
	return r.identityOf(credential), trouble
}

func (r *Rig) identityOf(credential string) string {
	return fakes.IdentityPrefix(r.Service.Name, r.Service.Fake, credential) + chance.ID(r.seed.With("identity", r.Service.Name, credential), 8)
}

func (r *Rig) mint(prefix string, n int) string {
	r.minted++
	return prefix + chance.ID(r.seed, n, prefix, strconv.Itoa(r.minted))
}

func (r *Rig) word(t fakes.Trouble) Got {
	r.T.Helper()
	d, ok := r.Service.Fake.(fakes.Dialect)
	if !ok {
		r.T.Fatalf("the fake words no trouble: %+v", t)
	}
	return r.got(d.Word(t))
}

func (r *Rig) got(reply fakes.Reply) Got {
	r.T.Helper()
	g := Got{Status: reply.Status, Header: reply.Header, Raw: string(reply.Body), Reply: reply}
	if strings.Contains(reply.Header.Get("Content-Type"), "json") && len(reply.Body) > 0 {
		if err := json.Unmarshal(reply.Body, &g.Body); err != nil {
			r.T.Fatalf("%v: %s", err, reply.Body)
		}
		if reply.Result != nil {
			if a, b := asJSON(reply.Result), asJSON(g.Body); a != b {
				r.T.Errorf("Result is not the body:\n%s\n%s", a, b)
			}
		}
	}
	return g
}

// Wait moves the clock on and lets the service do what comes due.
func (r *Rig) Wait(d time.Duration) {
	r.T.Helper()
	until := r.Now.Add(d)
	for {
		timer, ok := kit.Due(r.World, until)
		if !ok {
			break
		}
		call := r.later(timer.Due)
		if err := kit.Cancel(call.Tx, timer.Service, timer.Kind, timer.Subject); err != nil {
			r.T.Fatal(err)
		}
		r.Service.Fake.(fakes.Timed).Fire(call, timer)
		r.World = call.Tx.Commit()
	}
	r.Now = until
}

// later is a call that nobody makes.
func (r *Rig) later(now time.Time) *fakes.Call {
	return &fakes.Call{Contract: r.Service.Contract, Tx: r.World.Begin(), Now: now, Mint: r.mint, IdentityOf: r.identityOf}
}

// Deliveries lists the webhooks that wait, by when they are due.
func (r *Rig) Deliveries() []fakes.Delivery {
	var all []fakes.Delivery
	for d := range kit.Deliveries(r.World) {
		all = append(all, d)
	}
	return all
}

// Attempt carries out the first delivery that waits: it gives the headers that
// would be sent, and tells the fake that the endpoint answered so; 0 is no
// answer. The clock goes to when it is due.
func (r *Rig) Attempt(status int) (fakes.Delivery, http.Header) {
	r.T.Helper()
	all := r.Deliveries()
	if len(all) == 0 {
		r.T.Fatal("nothing waits to be delivered")
	}
	if all[0].Due.After(r.Now) {
		r.Wait(all[0].Due.Sub(r.Now))
	}
	courier, ok := r.Service.Fake.(fakes.Courier)
	if !ok {
		r.T.Fatal("the fake sends no webhooks")
	}
	call := r.later(r.Now)
	header := courier.Sign(call, all[0])
	if changes := call.Tx.Changes(); len(changes) > 0 {
		r.T.Errorf("Sign wrote %+v", changes)
	}
	if err := kit.Delivered(call.Tx, all[0].Service, all[0].ID); err != nil {
		r.T.Fatal(err)
	}
	answer := fakes.Answer{Status: status}
	if status == 0 {
		answer.Error = "connection refused"
	}
	courier.Delivered(call, all[0], answer)
	r.World = call.Tx.Commit()
	return all[0], header
}

// Outbox lists what was sent.
func (r *Rig) Outbox() []fakes.Sent {
	var all []fakes.Sent
	for s := range kit.Outbox(r.World) {
		all = append(all, s)
	}
	return all
}

func asJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
