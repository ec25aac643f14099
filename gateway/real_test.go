package gateway_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
	"parity/gateway/kept"
	"parity/gateway/recorder"
	"parity/gateway/report"
)

// realKey is the credential of the real service, of which the agent knows nothing
// and nothing is kept.
const realKey = "sk_test_4eC39canaryCANARYcanary007"

// A realService is a second gateway that stands for the real service, behind TLS.
// Its own journal is the witness of what came.
type realService struct {
	*harness
	front *httptest.Server
	roots string // a file
}

// realServices opens one that plays the services of a profile, and answers by
// itself first where answer tells so.
func realServices(t *testing.T, profile, service string, answer func(http.ResponseWriter, *http.Request) bool) *realService {
	t.Helper()
	r := &realService{harness: open(t, profile)}
	to, err := url.Parse("http://" + r.Addr())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0)
	r.front = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if answer == nil || !answer(w, q) {
			q.URL.Path, q.URL.RawPath = "/"+service+q.URL.Path, ""
			proxy.ServeHTTP(w, q)
		}
	}))
	r.front.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.front.StartTLS()
	t.Cleanup(r.front.Close)
	r.roots = filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(r.roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.front.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// profile is one under which an agent meets the real service in a mode.
func (r *realService) profile(mode, more string) string {
	return fmt.Sprintf(`
profile: reads-real
seed: 7
services:
  stripe:
    mode: %s
    upstream: {credential: {env: STRIPE_REAL}, hosts: ["%s"], roots: %s, account: test%s}
clock: {mode: stepped}
`, mode, strings.TrimPrefix(r.front.URL, "https://"), r.roots, more)
}

func withRealKey(s *gateway.Settings) {
	s.Getenv = func(name string) string {
		if name == "STRIPE_REAL" {
			return realKey
		}
		return ""
	}
}

// saw lists what came to the real service.
func (r *realService) saw() (calls []string) {
	for _, e := range r.eventsOf(r.Run.ID) {
		if e.Exchange != nil && e.Kind == trail.Exchanged {
			calls = append(calls, e.Exchange.Method+" "+e.Exchange.Path)
		}
	}
	return calls
}

// Reads are the real service's, with its real key; writes are the fake's; each is
// marked so in the record, which says what left and has no key.
func TestReadsAreRealAndWritesAreNot(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	c := r.direct(false, false)
	made := must(t, c, "POST", "http://"+r.Addr()+"/stripe/v1/customers", "email=ada@example.com&name=Ada")
	id, _ := made["id"].(string)
	before := len(r.saw())

	h := open(t, r.profile("live-read", ""), withRealKey)
	base := "http://" + h.Addr() + "/stripe"
	got := must(t, h.single(), "GET", base+"/v1/customers/"+id, "")
	if got["email"] != "ada@example.com" {
		t.Errorf("the real customer is %v", got)
	}
	_ = must(t, h.single(), "POST", base+"/v1/customers", "email=bob@example.com")
	status, body, header, err := call(t, h.single(), "GET", base+"/v1/customers/cus_none", "")
	if err != nil || status != 404 || header.Get("X-Parity-Refused") != "" {
		t.Errorf("what the real one does not have: %d %v %v", status, body, err)
	}
	if came := r.saw()[before:]; len(came) != 2 || came[0] != "GET /v1/customers/"+id || came[1] != "GET /v1/customers/cus_none" {
		t.Errorf("the real service saw %v", came)
	}
	events, _ := h.events()
	var live, modelled int
	for _, e := range events {
		if e.Exchange == nil || e.Kind != trail.Exchanged {
			continue
		}
		switch x := e.Exchange; x.Fidelity {
		case trail.Live:
			live++
			if up := x.Upstream; len(up) != 1 || up[0].Number != uint64(live) || up[0].Status != x.Status || up[0].Class != "read" || up[0].Digest == "" || up[0].Host != strings.TrimPrefix(r.front.URL, "https://") {
				t.Errorf("#%d: upstream is %+v", e.Seq, up)
			}
			if bytes.Contains(x.ReplyBody, []byte("ada@example.com")) || len(e.Delta) > 0 {
				t.Errorf("#%d keeps %s %v", e.Seq, x.ReplyBody, e.Delta)
			}
		case trail.Modelled:
			modelled++
		}
	}
	if live != 2 || modelled != 1 {
		t.Errorf("%d live and %d modelled", live, modelled)
	}
	nowhere(t, h.root, "canary")
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
	if n := len(r.saw()); n != before+2 {
		t.Errorf("the replay left: the real service saw %d", n)
	}
}

// nowhere looks for a text in all files of a folder.
func nowhere(t *testing.T, root, text string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(text))) {
			t.Errorf("%s is in %s", text, path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Forks reach nothing real, nor does what is worked out of a record.
func TestForksReachNothingReal(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	h := open(t, r.profile("live-read", ""), withRealKey, shared)
	one := h.make(client.NewRun{Names: []string{"one"}})[0]
	_, _, _, _ = call(t, h.single(), "GET", one.URLs.Base+"/stripe/v1/customers", "")
	if len(r.saw()) != 1 {
		t.Fatalf("the run itself: %v", r.saw())
	}
	forks, err := h.control().Fork(t.Context(), "one", client.Fork{Names: []string{"two"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = must(t, h.single(), "GET", forks[0].URLs.Base+"/stripe/v1/customers", "")
	if len(r.saw()) != 1 {
		t.Errorf("a fork left: %v", r.saw())
	}
}

// What goes wrong on the way is worded as the service would, once, and is in the
// record.
func TestUpstreamTroubleInTheServicesWords(t *testing.T) {
	t.Parallel()
	var how atomic.Value
	r := realServices(t, quiet, "stripe", func(w http.ResponseWriter, q *http.Request) bool {
		switch how.Load() {
		case "metadata":
			http.Redirect(w, q, "http://169.254.169.254/latest", http.StatusFound)
		case "large":
			_, _ = w.Write(make([]byte, 20<<20))
		case "slow":
			<-q.Context().Done()
		case "cut":
			if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_ = c.Close()
			}
		case "500":
			w.WriteHeader(500)
			_, _ = io.WriteString(w, "{}")
		}
		return true
	})
	h := open(t, r.profile("live-read", ", timeout: 300ms"), withRealKey)
	for _, c := range []struct {
		how, code string
		status    int
	}{
		{"metadata", "upstream-redirect", 502},
		{"large", "upstream-too-large", 502},
		{"slow", "upstream-timeout", 504},
		{"cut", "upstream-unreachable", 502},
		{"500", "", 500},
	} {
		how.Store(c.how)
		status, body, header, err := call(t, h.single(), "GET", "http://"+h.Addr()+"/stripe/v1/customers", "")
		if err != nil || status != c.status || header.Get("X-Parity-Refused") != c.code || c.code != "" && body["error"] == nil {
			t.Errorf("%s: %d %v %v %v", c.how, status, header, body, err)
		}
	}
	events, _ := h.events()
	for _, e := range events {
		if x := e.Exchange; x != nil && x.Reserved > 0 && (len(x.Upstream) != 1 || x.Upstream[0].Failed() != (x.Upstream[0].Error != "") || x.Upstream[0].Number == 0) {
			t.Errorf("#%d: %+v", e.Seq, x.Upstream)
		}
	}
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// In mode record writes are refused, and in shadow they are drafts: the real
// service sees reads alone.
func TestModesThatWriteNothing(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	recordings := t.TempDir()
	for mode, want := range map[string]string{"record": "mode-record", "shadow": ""} {
		h := open(t, strings.Replace(r.profile(mode, ""), "    mode:", "    record: "+recordings+"\n    mode:", 1), withRealKey)
		base := "http://" + h.Addr() + "/stripe"
		status, _, header, err := call(t, h.single(), "POST", base+"/v1/customers", "email=bob@example.com")
		draft := header.Get("Parity-Draft")
		if err != nil || header.Get("X-Parity-Refused") != want || (status == 200) != (mode == "shadow") || (draft != "") != (mode == "shadow") {
			t.Errorf("%s: %d %v %v", mode, status, header, err)
		}
		list := must(t, h.single(), "GET", base+"/v1/customers", "")
		if data, _ := list["data"].([]any); len(data) > 0 {
			t.Errorf("%s: the real list has %v", mode, data)
		}
		_, _, _, _ = call(t, h.single(), "GET", base+"/v1/customers?email=ada%40example.com", "")
		h.events()
		tape, err := recorder.Read(recordings, "stripe", h.Run.ID)
		if err != nil || len(tape.Exchanges) != 2 || tape.Exchanges[0].Response.Status != 200 || !strings.Contains(tape.Exchanges[0].Response.Body, `"object":"list"`) || strings.Contains(tape.Exchanges[1].Request.URL, "ada") {
			t.Errorf("%s: recorded %+v %v", mode, tape, err)
		}
		nowhere(t, recordings, "canary")
		var said bytes.Buffer
		if code, err := replayRun(context.Background(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
			t.Errorf("%s replayed: %d %v: %s", mode, code, err, said.String())
		}
	}
	for _, call := range r.saw() {
		if !strings.HasPrefix(call, "GET ") {
			t.Errorf("the real service saw %s", call)
		}
	}
}

// A gateway that lacks the credential does not open, and says the name alone.
func TestNoGatewayWithoutTheRealCredential(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(realKey), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(string) string{
		"STRIPE_REAL is not set": func(p string) string { return p },
		"chmod 600":              func(p string) string { return strings.Replace(p, "env: STRIPE_REAL", "file: "+file, 1) },
		"than the profile says": func(p string) string {
			return strings.Replace(strings.Replace(p, "env: STRIPE_REAL", "env: SET", 1), "account: test", "account: live", 1)
		},
	} {
		profile := filepath.Join(t.TempDir(), "p.yaml")
		if err := os.WriteFile(profile, []byte(change(r.profile("live-read", ""))), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := gateway.Open(t.Context(), gateway.Settings{Root: t.TempDir(), CA: filepath.Join(t.TempDir(), "ca"), Profile: profile, Getenv: func(name string) string {
			return map[string]string{"SET": realKey}[name]
		}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", want, err)
		}
		if s != nil {
			_ = s.Close(t.Context())
		}
	}
}

// A run finds its own writes in what it reads of the real service, which sees none
// of them: created, changed and deleted, by itself and in lists.
func TestReadYourWritesOverTheRealService(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	c := r.direct(false, false)
	var ids []string
	for _, name := range []string{"Ada", "Bob", "Cyd"} {
		made := must(t, c, "POST", "http://"+r.Addr()+"/stripe/v1/customers", "description="+name)
		id, _ := made["id"].(string)
		ids = append(ids, id)
	}
	before := len(r.saw())
	h := open(t, r.profile("live-read", ""), withRealKey)
	base := "http://" + h.Addr() + "/stripe/v1/customers"
	must(t, h.single(), "POST", base+"/"+ids[0], "description=Ada+II")
	must(t, h.single(), "DELETE", base+"/"+ids[1], "")
	own := must(t, h.single(), "POST", base, "description=Dee")
	if got := must(t, h.single(), "GET", base+"/"+ids[0], ""); got["description"] != "Ada II" {
		t.Errorf("the one that was changed is %v", got["description"])
	}
	if got := must(t, h.single(), "GET", base+"/"+fmt.Sprint(own["id"]), ""); got["description"] != "Dee" {
		t.Errorf("the one that was made is %v", got["description"])
	}
	var names []string
	list, _ := must(t, h.single(), "GET", base, "")["data"].([]any)
	for _, one := range list {
		record, _ := one.(map[string]any)
		names = append(names, fmt.Sprint(record["description"]))
	}
	if got := strings.Join(names, ","); len(names) != 3 || strings.Contains(got, "Bob") || !strings.Contains(got, "Ada II") || !strings.Contains(got, "Dee") || !strings.Contains(got, "Cyd") {
		t.Errorf("the list has %s", got)
	}
	for _, call := range r.saw()[before:] {
		if !strings.HasPrefix(call, "GET ") {
			t.Errorf("the real service saw %s", call)
		}
	}
	h.events()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	rep := k.Report()
	if p := rep.Upstream; p == nil || p.Writes != 0 || p.Passes != 0 || p.Faked != 3 || p.Reads != len(r.saw())-before || !p.Agrees || p.Unknown != 0 {
		t.Errorf("the proof is %+v, and the real service saw %d", p, len(r.saw())-before)
	}
	var page bytes.Buffer
	if err := report.Markdown(&page, rep); err != nil || !strings.Contains(page.String(), "0 writes of 3 tried (3 faked)") || !strings.Contains(page.String(), "no Pass was minted; Send refused 0; journal and Send agree") {
		t.Errorf("%v %s", err, page.String())
	}
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// A run that is set back while a read is out still has in its record that it left:
// the journal and Send agree.
func TestWhatLeftIsKnownOfARunThatWasSetBack(t *testing.T) {
	t.Parallel()
	came, goOn := make(chan struct{}), make(chan struct{})
	r := realServices(t, quiet, "stripe", func(http.ResponseWriter, *http.Request) bool {
		came <- struct{}{}
		<-goOn
		return false
	})
	h := open(t, r.profile("live-read", ""), withRealKey)
	done := make(chan int)
	go func() {
		status, _, _, _ := call(t, h.single(), "GET", "http://"+h.Addr()+"/stripe/v1/customers", "")
		done <- status
	}()
	<-came
	if err := h.Run.Reset(); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if status := <-done; status != 503 {
		t.Errorf("it was answered %d", status)
	}
	h.events()
	k, err := kept.Read(h.root, h.Run.ID)
	if err != nil {
		t.Fatal(err)
	}
	if p := k.Report().Upstream; p == nil || p.Reads != 1 || p.Unknown != 0 || !p.Agrees {
		t.Errorf("the proof is %+v", p)
	}
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}

// A write shows what a read has shown, though the fake decides on what is kept: the
// real values stand in memory alone. After a restart they are lost, and the client
// is told.
func TestAWriteShowsPeopleAsReadsDo(t *testing.T) {
	t.Parallel()
	r := realServices(t, quiet, "stripe", nil)
	made := must(t, r.direct(false, false), "POST", "http://"+r.Addr()+"/stripe/v1/customers", "email=ada@people.example&name=Ada+%22Countess%22+Lovelace&phone=%2B43+664+1234567")
	dir := t.TempDir()
	h := openIn(t, dir, r.profile("live-read", ""), withRealKey)
	path := "/stripe/v1/customers/" + fmt.Sprint(made["id"])
	same := func(way string, got map[string]any) {
		t.Helper()
		for _, field := range []string{"email", "name", "phone"} {
			if got[field] != made[field] {
				t.Errorf("%s shows %s as %v", way, field, got[field])
			}
		}
	}
	same("a read", must(t, h.single(), "GET", "http://"+h.Addr()+path, ""))
	same("a write", must(t, h.single(), "POST", "http://"+h.Addr()+path, "description=one"))
	same("a read of it", must(t, h.single(), "GET", "http://"+h.Addr()+path, ""))
	events, _ := h.events()
	for i := range events {
		if x := events[i].Exchange; x != nil && (bytes.Contains(x.ReplyBody, []byte("people.example")) || bytes.Contains(x.ReplyBody, []byte("Lovelace"))) {
			t.Errorf("#%d keeps %s", events[i].Seq, x.ReplyBody)
		}
	}
	nowhere(t, h.root, "people.example")
	var said bytes.Buffer
	if code, err := replayRun(t.Context(), &said, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("replayed: %d %v: %s", code, err, said.String())
	}
}
