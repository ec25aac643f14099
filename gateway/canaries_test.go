package gateway_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"parity/fakes/kit"
	"parity/gateway"
	"parity/gateway/exchange"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// shopsProfile plays a service of one's own beside those that ship. One of its
// fields is a secret by the profile's word alone.
const shopsProfile = `
profile: shops
seed: 7
services:
  stripe: {}
  github: {}
  hubspot: {}
  slack: {}
  notion: {}
  acme-crm: {contract: keyed.yaml, hosts: [crm.test]}
secrets: [door_code]
clock: {mode: stepped}
`

// birds are secrets by the place that they are put in.
type birds map[string]string

// put gives the canary of a place: each is a text of its own.
func (b birds) put(place string) string {
	if b[place] == "" {
		b[place] = fmt.Sprintf("canary%02dQ7xZ2mWv9", len(b))
	}
	return b[place]
}

// form gives one that nothing but its form gives away.
func (b birds) form(place string) string { return "sk_live_" + b.put(place) }

// A secret in any place that a call has is in no byte that Parity writes.
func TestCanariesAreInNoByteThatIsWritten(t *testing.T) {
	t.Parallel()
	b := birds{}
	var log strings.Builder
	type breaking struct {
		step exchange.Step
		says string
	}
	var broken atomic.Value
	broken.Store(breaking{})
	h := open(t, shopsProfile, logInto(&log), beside(t, "keyed.yaml", keyed), func(s *gateway.Settings) {
		s.Token = controlToken
		s.Before = func(step exchange.Step) {
			if now, _ := broken.Load().(breaking); now.step == step && broken.CompareAndSwap(now, breaking{}) {
				panic(now.says)
			}
		}
	})
	c := h.proxied(false)
	heard := make(chan string, 1)
	endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case heard <- r.URL.RawQuery + " " + r.Header.Get("X-Hub-Signature-256"):
		default:
		}
	}))
	defer endpoint.Close()
	send := func(method, target, body string, header ...string) string {
		t.Helper()
		_, text, _, err := call(t, c, method, target, body, header...)
		if err != nil && !strings.Contains(err.Error(), "invalid character") && !strings.Contains(err.Error(), "EOF") {
			t.Fatal(err)
		}
		return fmt.Sprint(text)
	}
	const stripe, hubspot, crm, github = "https://api.stripe.com/v1/", "https://api.hubapi.com/", "https://crm.test/things", "https://api.github.com/"
	const slack, notion = "https://slack.com/api/", "https://api.notion.com/v1/"
	asJSON := []string{"Content-Type", "application/json"}
	send("GET", stripe+"charges/"+b.form("path"), "")
	send("GET", stripe+"charges?limit=1&api_key="+b.put("query"), "")
	send("GET", stripe+"customers?email="+b.form("query by form")+"@example.com", "")
	send("GET", stripe+"charges", "", "Authorization", "Bearer sk_test_"+b.put("authorization"))
	send("GET", stripe+"charges", "", "X-Vault-Token", b.put("header"), "Cookie", "a=b; sid="+b.put("cookie"))
	send("GET", stripe+"charges", "", "Baggage", "user="+b.form("kept header"), "X-Agent-Token", b.put("agent's header"))
	send("POST", stripe+"customers", "name=Ada&metadata[api_key]="+b.put("form")+"&metadata[note]="+url.QueryEscape("key "+b.form("form by form")))
	send("POST", stripe+"customers", "name=Bea&metadata[passwd]="+b.put("passwd")+"&metadata[pwd]="+b.put("pwd")+"&metadata[dbPassword]="+b.put("camel")+"&metadata[authorization]="+b.put("field authorization")+"&metadata[door-code]="+b.put("the profile's"))
	send("GET", stripe+"customers", "")
	send("POST", hubspot+"crm/v3/properties/contacts", `{"name":"password","label":"Password","type":"string","fieldType":"text","groupName":"contactinformation"}`, asJSON...)
	contact := send("POST", hubspot+"crm/v3/objects/contacts", `{"properties":{"email":"a@b.example","password":"`+b.put("JSON field")+`","firstname":"`+b.form("JSON by form")+`"}}`, asJSON...)
	if !strings.Contains(contact, b["JSON field"]) {
		t.Errorf("the agent itself does not get back what it wrote: %s", contact)
	}
	send("GET", hubspot+"crm/v3/objects/contacts?properties=password,firstname", "")
	send("POST", hubspot+"oauth/v1/token", "grant_type=refresh_token&client_id=c&client_secret="+b.put("client secret")+"&refresh_token="+b.put("refresh token"), "Content-Type", "application/x-www-form-urlencoded")
	send("POST", crm+"?api_key=1", `{"name":"`+b.form("own contract")+`","deep":{"own":"https://me:`+b.put("userinfo")+`@db.example/x","pin":"`+b.put("format password")+`"}}`, asJSON...)
	send("GET", crm, "", "X-Agent-Key", b.put("contract's header"))
	send("GET", "https://api.stripe.com/v9/token/"+b.put("unknown path")+"?x="+b.put("unknown query"), "")
	send("GET", "https://api.stripe.com/v9/hooks.slack.com/services/"+b.put("unknown path by form"), "")
	asParts := []string{"Content-Type", "multipart/form-data; boundary=x"}
	send("POST", "https://files.stripe.com/v1/files", inParts(t, "purpose", "dispute_evidence", "file", "key="+b.form("part of what is not played")), asParts...)
	said := send("POST", slack+"chat.postMessage", inParts(t, "token", "xoxb-"+b.put("part by name"), "channel", "general", "text", "use "+b.form("part by form"), "api_key", b.put("part that is not declared")), append(asParts, "Authorization", "")...)
	if !strings.Contains(said, b["part by form"]) {
		t.Errorf("no message was posted in parts: %s", said)
	}
	asNotion := []string{"Notion-Version", "2022-06-28", "Authorization", "Bearer ntn_" + b.put("Notion's token")}
	upload := regexp.MustCompile(` id:([0-9a-f-]+)`).FindStringSubmatch(send("POST", notion+"file_uploads", `{"filename":"k.txt"}`, append(asJSON, asNotion...)...))
	if upload == nil || !strings.Contains(send("POST", notion+"file_uploads/"+upload[1]+"/send", inParts(t, "file", "password="+b.put("file")), append(asParts, asNotion...)...), "uploaded") {
		t.Errorf("no file was sent in parts: %v", upload)
	}
	asOwner := append(asJSON, "Authorization", "Bearer ghp_"+b.put("GitHub's token"))
	send("POST", github+"user/repos", `{"name":"shop"}`, asOwner...)
	user := regexp.MustCompile(`login:([^ \]]+)`).FindStringSubmatch(send("GET", github+"user", "", asOwner...))[1]
	hook := endpoint.URL + "/hook?secret=" + b.put("webhook URL")
	send("POST", github+"repos/"+user+"/shop/hooks", `{"config":{"url":"`+hook+`","content_type":"json","secret":"`+b.put("webhook secret")+`"},"events":["issues"]}`, asOwner...)
	send("POST", github+"repos/"+user+"/shop/issues", `{"title":"one","body":"-----BEGIN RSA PRIVATE KEY-----\n`+b.put("private key")+`\n-----END RSA PRIVATE KEY-----"}`, asOwner...)
	if got := <-heard; !strings.HasPrefix(got, "secret="+b["webhook URL"]+" sha256=") { // what is masked is what is written alone
		t.Errorf("the webhook was sent with %q", got)
	}
	for _, step := range []exchange.Step{exchange.Act, exchange.Enact} {
		key, note := b.put("field of a panic"), b.form("form of a panic")
		broken.Store(breaking{step, "no room for " + key + " and " + note})
		_, _, _, _ = call(t, c, "POST", stripe+"customers/"+b.form("path of a panic"), "metadata[api_key]="+key) // it gets 500, or is cut
	}
	if _, err := h.control().End(t.Context(), h.Run.ID, nil); err != nil {
		t.Fatal(err)
	}
	h.close()
	var replayed strings.Builder
	if code, err := replayRun(t.Context(), &replayed, h.root, h.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("the record cannot be replayed: %d %v %s", code, err, replayed.String())
	}
	b.isIn(t, everything(t, h.root, h.Run.ID))
	b.isIn(t, map[string]string{"the log": log.String()})
	if strings.Count(log.String(), "panic in an exchange") != 2 {
		t.Error("the log does not tell of what broke")
	}
	if len(b) < 12 {
		t.Errorf("%d canaries were sent", len(b))
	}
}

// isIn asks that no canary is in what was written.
func (b birds) isIn(t *testing.T, written map[string]string) {
	t.Helper()
	for place, bird := range b {
		for form, text := range written {
			if at := strings.Index(text, bird); at >= 0 {
				t.Errorf("%s is in %s: …%q…", place, form, text[max(0, at-160):min(len(text), at+40)])
			}
		}
	}
}

// everything is what is written of a run that has ended, in each form that there
// is, and all that is on disk.
func everything(t *testing.T, root, id string) map[string]string {
	t.Helper()
	all := map[string]string{}
	into := func(form string, write func(io.Writer) error) {
		var out strings.Builder
		if err := write(&out); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		all[form] = out.String()
	}
	k, err := kept.Read(root, id)
	if err != nil {
		t.Fatal(err)
	}
	state, err := k.At(0)
	if err != nil {
		t.Fatal(err)
	}
	of := k.Subject()
	for _, f := range report.Formats() {
		into("report as "+f.Name, func(w io.Writer) error { return f.Write(w, of, report.Options{}) })
	}
	for _, asJSON := range []bool{false, true} {
		into(fmt.Sprintf("trace, as JSON: %v", asJSON), func(w io.Writer) error {
			return report.Trace(w, k.Events, k.Settlements, report.TraceOptions{JSON: asJSON})
		})
		into(fmt.Sprintf("outbox, as JSON: %v", asJSON), func(w io.Writer) error {
			return report.Outbox(w, kit.Outbox(state.World), report.OutboxOptions{JSON: asJSON})
		})
	}
	into("export as lines", of.Lines)
	for _, shown := range []bool{false, true} {
		into(fmt.Sprintf("state, shown: %v", shown), func(w io.Writer) error { return report.State(w, state.World, shown) })
	}
	dir, id, err := kept.Find(root, id)
	if err != nil {
		t.Fatal(err)
	}
	store, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	record, err := store.Read(id)
	if err != nil {
		t.Fatal(err)
	}
	var pages strings.Builder
	for entry, err := range record.Entries(1) {
		if err != nil {
			t.Fatal(err)
		}
		pages.Write(entry.Data)
	}
	all["the journal's pages"] = pages.String()
	for name, text := range files(t, root) {
		all[name] = text
	}
	return all
}

// files are those under a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// inParts writes a multipart body, bounded by x; what is called file is one.
func inParts(t *testing.T, pairs ...string) string {
	t.Helper()
	var body strings.Builder
	w := multipart.NewWriter(&body)
	err := w.SetBoundary("x")
	for i := 0; i+1 < len(pairs) && err == nil; i += 2 {
		var part io.Writer
		if part, err = w.CreateFormField(pairs[i]); pairs[i] == "file" {
			part, err = w.CreateFormFile("file", "k.txt")
		}
		if err == nil {
			_, err = io.WriteString(part, pairs[i+1])
		}
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return body.String()
}
