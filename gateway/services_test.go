package gateway_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
)

// ownProfile is a profile with a service of its own.
const ownProfile = `
profile: own
seed: 7
services:
  stripe: {}
  crm: {contract: crm/crm.yaml, hosts: [crm.test]}
clock: {mode: stepped}
`

// crmOf is a contract of things that can be made and listed, by name.
func crmOf(things ...string) string {
	var b strings.Builder
	b.WriteString("openapi: 3.0.3\ninfo: {title: CRM, version: \"1\"}\npaths:\n")
	for _, name := range things {
		fmt.Fprintf(&b, `  /%[1]s:
    get:
      operationId: list-%[1]s
      x-parity-collection: %[1]s
      responses: {"200": {description: All, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {$ref: "more.yaml#/Thing"}}}}}}}}
    post:
      operationId: make-%[1]s
      x-parity-collection: %[1]s
      requestBody: {content: {application/json: {schema: {$ref: "more.yaml#/Thing"}}}}
      responses: {"201": {description: Made, content: {application/json: {schema: {$ref: "more.yaml#/Thing"}}}}}
  /%[1]s/{id}:
    get:
      operationId: get-%[1]s
      x-parity-collection: %[1]s
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: One, content: {application/json: {schema: {$ref: "more.yaml#/Thing"}}}}}
`, name)
	}
	return b.String()
}

// thing is what each of them looks like.
const thing = `Thing:
  type: object
  required: [id]
  properties: {id: {type: string, readOnly: true}, n: {type: integer}}
`

// putContract writes the contract beside the profile.
func putContract(t *testing.T, profile string, things ...string) {
	t.Helper()
	dir := filepath.Join(filepath.Dir(profile), "crm")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"more.yaml": thing, "crm.yaml": crmOf(things...)} {
		draft := filepath.Join(dir, name+".new")
		if err := os.WriteFile(draft, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(draft, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// withContract puts a contract beside the profile before it is read.
func withContract(t *testing.T, things ...string) func(*gateway.Settings) {
	return func(s *gateway.Settings) { putContract(t, s.Profile, things...) }
}

// makeThing makes one thing of a kind, and gives the status.
func makeThing(t *testing.T, c *http.Client, at, kind string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/"+kind, strings.NewReader(`{"n": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	reply, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	return reply.StatusCode
}

func mustMake(t *testing.T, c *http.Client, at, kind string) {
	t.Helper()
	if status := makeThing(t, c, at, kind); status != http.StatusCreated {
		t.Fatalf("making one of %s: %d", kind, status)
	}
}

// reloaded waits until a save is in force for a run.
func (h *harness) reloaded(run string, things ...string) {
	h.t.Helper()
	was, err := h.control().Run(h.t.Context(), run)
	if err != nil {
		h.t.Fatal(err)
	}
	putContract(h.t, h.file, things...)
	waitFor(h.t, "the new revision", func() bool {
		is, err := h.control().Run(h.t.Context(), run)
		return err == nil && is.Revision != was.Revision
	})
}

// Whatever becomes of a run, its world has the collections of the revision that
// is in force, and its record folds to that world.
func TestCollectionsThatARevisionBringsAreThere(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, shared, withContract(t, "contacts"))
	k, ctx, c := h.control(), t.Context(), h.single()
	crm := func(r client.Run) string { return r.URLs.Base + "/crm" }
	one := h.make(client.NewRun{Names: []string{"one"}})[0]
	mustMake(t, c, crm(one), "contacts")
	if _, err := k.TakeSnapshot(ctx, "one", "early"); err != nil {
		t.Fatal(err)
	}
	before, err := k.Run(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	h.reloaded("one", "contacts", "notes")
	mustMake(t, c, crm(one), "notes")
	// from before the revision
	forks, err := k.Fork(ctx, "one", client.Fork{Names: []string{"fork"}, At: before.Events})
	if err != nil {
		t.Fatal(err)
	}
	mustMake(t, c, crm(forks[0]), "notes")
	if _, err := k.RollBack(ctx, "one", "early"); err != nil {
		t.Fatal(err)
	}
	mustMake(t, c, crm(one), "notes")
	// while the gateway was down
	h.close()
	putContract(t, h.file, "contacts", "notes", "deals")
	h = h.reopen()
	k = h.control()
	c = h.single()
	for _, name := range []string{"one", "fork"} {
		r, err := k.Run(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		mustMake(t, c, crm(r), "deals")
		// one that goes away does no harm
	}
	h.reloaded("one", "notes")
	one, err = k.Run(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	mustMake(t, c, crm(one), "notes")
	if status := makeThing(t, c, crm(one), "deals"); status != http.StatusNotFound {
		t.Errorf("what is not in the contract any more is answered %d", status)
	}
	if !strings.Contains(h.dump("one", 0), "crm.deals") {
		t.Error("records of a collection that went away are gone")
	}
	for _, name := range []string{"one", "fork"} {
		kept, err := h.Kept(name)
		if err != nil {
			t.Fatal(err)
		}
		state, err := kept.At(0)
		if err != nil || state.World.Hash() != mustHash(t, k, name).World {
			t.Errorf("the record of %s folds to another world: %v", name, err)
		}
		if _, err := kept.At(2); err != nil {
			t.Errorf("%s has no past: %v", name, err)
		}
	}
	h.close()
	for _, name := range []string{"one", "fork"} {
		var said bytes.Buffer
		if code, err := replayRun(ctx, &said, h.root, name, ""); code != 0 || err != nil {
			t.Errorf("replay of %s: %d, %v\n%s", name, code, err, said.String())
		}
	}
}

// Calls that come in while a revision comes into force are answered by one or
// by the other; none is lost, in no run.
func TestNoCallIsLostWhileCollectionsCome(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, shared, withContract(t, "contacts", "k0"))
	runs := h.make(client.NewRun{Names: []string{"a", "b", "c", "d"}})
	stop := make(chan struct{})
	var all sync.WaitGroup
	for _, r := range runs {
		all.Go(func() {
			c := h.single()
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				for n := range 5 { // what is there by now, and what is not yet
					if status := makeThing(t, c, r.URLs.Base+"/crm", fmt.Sprintf("k%d", n)); status != http.StatusCreated && status != http.StatusNotFound {
						t.Errorf("run %s: %d", r.ID, status)
						return
					}
				}
			}
		})
	}
	kinds := []string{"contacts", "k0"}
	for n := 1; n < 5; n++ {
		kinds = append(kinds, fmt.Sprintf("k%d", n))
		h.reloaded("a", kinds...)
		h.make(client.NewRun{Names: []string{fmt.Sprintf("late-%d", n)}})
	}
	close(stop)
	all.Wait()
	for _, r := range runs {
		mustMake(t, h.single(), r.URLs.Base+"/crm", "k4")
	}
	for _, e := range h.eventsOf("a") {
		if e.Exchange != nil && e.Exchange.Outcome == trail.Panicked {
			t.Fatalf("event %d: %s", e.Seq, e.Exchange.Note)
		}
	}
}

// A contract is kept once, however many revisions there are and runs of them.
func TestTheRecordKeepsAContractOnce(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, shared, withContract(t, "contacts"))
	h.make(client.NewRun{Names: []string{"one"}})
	profile, err := os.ReadFile(h.file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		was, err := h.control().Run(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(profile), "services:", fmt.Sprintf("differences: {d%d: {covers: crm *, production: a, here: b, so: c, weakens: [volume]}}\nservices:", n), 1)
		if err := os.WriteFile(h.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the new revision", func() bool {
			is, err := h.control().Run(t.Context(), "one")
			return err == nil && is.Revision != was.Revision
		})
	}
	kept, err := h.Kept("one")
	if err != nil {
		t.Fatal(err)
	}
	if len(kept.Revisions) != 4 {
		t.Errorf("%d revisions: %v", len(kept.Revisions), kept.Revisions)
	}
	if got := kept.Profile.Sources["crm"].Files["crm.yaml"]; string(got) != crmOf("contacts") {
		t.Errorf("kept as %q", got)
	}
}

// A record can be decided again under another profile, which plays other
// services.
func TestReplayUnderAnotherProfileWithOtherCollections(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, shared, withContract(t, "contacts"))
	one := h.make(client.NewRun{Names: []string{"one"}})[0]
	mustMake(t, h.single(), one.URLs.Base+"/crm", "contacts")
	h.close()
	putContract(t, h.file, "contacts", "notes")
	var said bytes.Buffer
	code, err := replayRun(t.Context(), &said, h.root, "one", h.file)
	if err != nil || code != 3 || !strings.Contains(said.String(), "contracts") {
		t.Errorf("%d, %v\n%s", code, err, said.String())
	}
	if !strings.Contains(said.String(), "all as the record has them") {
		t.Errorf("it departs:\n%s", said.String())
	}
}

// What answers by the contract alone says so, and what is not allowed is
// refused with where it stands.
func TestAnswersFromAContractSayHowTheyCameAbout(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, shared, withContract(t, "contacts"))
	c := h.proxied(false)
	mustMake(t, c, "https://crm.test", "contacts")
	status, body, header, err := call(t, c, "POST", "http://crm.test/contacts", `{"n": "one"}`, "Content-Type", "application/json")
	if err != nil || status != http.StatusBadRequest || header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%d %v %v", status, body, err)
	}
	events, _ := h.events()
	var said []string
	for _, e := range events {
		if x := e.Exchange; x != nil {
			said = append(said, fmt.Sprint(x.Way, " ", x.Outcome, " ", x.Fidelity, " ", len(x.Violations)))
		}
	}
	if got := strings.Join(said, ", "); !strings.HasPrefix(got, "connect answered generic 0, proxy invalid ") || !strings.HasSuffix(got, " 1") {
		t.Errorf("recorded as %s", got)
	}
	if x := events[len(events)-1].Exchange; x.Violations[0].Pointer != "/n" {
		t.Errorf("violations %+v", x.Violations)
	}
	kept, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if rep := kept.Report(); len(rep.Operations) == 0 || fmt.Sprint(rep.Operations[0].Fidelity) != "[generic]" {
		t.Errorf("reported as %+v", rep.Operations)
	}
}

// A base URL that stands for a server's whole address is one for calls that are
// refused, too: they are told what is allowed, in the shape of the operation.
func TestRefusalsBelowABareBaseURL(t *testing.T) {
	t.Parallel()
	h := open(t, ownProfile, withContract(t, "contacts"), func(s *gateway.Settings) {
		based := strings.Replace(crmOf("contacts"), "paths:", "servers: [{url: https://crm.test/v1}]\npaths:", 1)
		_ = os.WriteFile(filepath.Join(filepath.Dir(s.Profile), "crm", "crm.yaml"), []byte(based), 0o600) // opening says so
	})
	for _, at := range []string{"/crm/contacts", "/crm/v1/contacts"} {
		status, _, header, err := call(t, h.single(), http.MethodDelete, "http://"+h.Addr()+at, "")
		if err != nil || status != http.StatusMethodNotAllowed || header.Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("%s: %d %v %v", at, status, header, err)
		}
	}
}

// What a built-in service does not model is answered by the one beside it, on
// its hosts, and marked as what it is.
func TestAServiceBesideAnswersWhatIsNotModelled(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(ownProfile, "hosts: [crm.test]", "beside: stripe", 1), withContract(t, "widgets"))
	c := h.proxied(false)
	mustMake(t, c, "https://api.stripe.com", "widgets")
	mustMake(t, h.single(), "http://"+h.Addr()+"/stripe", "widgets")
	if status := makeThing(t, c, "https://api.stripe.com", "gadgets"); status != http.StatusUnauthorized { // as Stripe words it, and without a key
		t.Errorf("what neither has: %d", status)
	}
	events, _ := h.events()
	var seen []string
	for _, e := range events {
		if x := e.Exchange; x != nil {
			seen = append(seen, fmt.Sprint(x.Service, " ", x.Path, " ", x.Fidelity))
		}
	}
	want := []string{"crm /widgets generic", "crm /widgets generic", "stripe /gadgets modelled"} // the refusal is
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", seen, want)
	}
}
