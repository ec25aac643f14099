package gateway_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"parity/gateway"
	"parity/gateway/journal"
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
	h := open(t, shopsProfile, logInto(&log), beside(t, "keyed.yaml", keyed), func(s *gateway.Settings) { s.Token = controlToken })
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
	var parts bytes.Buffer
	parts.WriteString("--x\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\ndispute_evidence\r\n--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"k.txt\"\r\n\r\nkey=" + b.form("multipart") + "\r\n--x--\r\n")
	send("POST", "https://files.stripe.com/v1/files", parts.String(), "Content-Type", "multipart/form-data; boundary=x")
	asOwner := append(asJSON, "Authorization", "Bearer ghp_"+b.put("GitHub's token"))
	send("POST", github+"user/repos", `{"name":"shop"}`, asOwner...)
	user := regexp.MustCompile(`login:([^ \]]+)`).FindStringSubmatch(send("GET", github+"user", "", asOwner...))[1]
	hook := endpoint.URL + "/hook?secret=" + b.put("webhook URL")
	send("POST", github+"repos/"+user+"/shop/hooks", `{"config":{"url":"`+hook+`","content_type":"json","secret":"`+b.put("webhook secret")+`"},"events":["issues"]}`, asOwner...)
	send("POST", github+"repos/"+user+"/shop/issues", `{"title":"one","body":"-----BEGIN RSA PRIVATE KEY-----\n`+b.put("private key")+`\n-----END RSA PRIVATE KEY-----"}`, asOwner...)
	if got := <-heard; !strings.HasPrefix(got, "secret="+b["webhook URL"]+" sha256=") { // what is masked is what is written alone
		t.Errorf("the webhook was sent with %q", got)
	}
	written := h.everything(t)
	for place, bird := range b {
		h.nowhere(bird, &log)
		for form, text := range written {
			if at := strings.Index(text, bird); at >= 0 {
				t.Errorf("%s is in %s: …%q…", place, form, text[max(0, at-160):min(len(text), at+40)])
			}
		}
	}
	var said strings.Builder
	if code, err := gateway.ReplayRun(t.Context(), &said, h.root, h.Run.ID, "", false); code != 0 || err != nil {
		t.Errorf("the record cannot be replayed: %d %v %s", code, err, said.String())
	}
	if len(b) < 12 {
		t.Errorf("%d canaries were sent", len(b))
	}
}

// everything is what is written of the run, in each form that there is.
func (h *harness) everything(t *testing.T) map[string]string {
	t.Helper()
	h.close()
	all := map[string]string{}
	into := func(form string, write func(io.Writer) error) {
		var out strings.Builder
		if err := write(&out); err != nil {
			t.Errorf("%s: %v", form, err)
		}
		all[form] = out.String()
	}
	id := h.Run.ID
	for _, format := range []string{"text", "json", "markdown", "html", "junit", "sarif", "otlp"} {
		into("report as "+format, func(w io.Writer) error { return gateway.PrintReport(w, h.root, id, format, false) })
	}
	for _, format := range []string{"text", "json"} {
		into("trace as "+format, func(w io.Writer) error { return gateway.PrintTrace(w, h.root, id, format, false) })
		into("outbox as "+format, func(w io.Writer) error { return gateway.PrintOutbox(w, h.root, id, 0, format, false) })
	}
	for _, format := range []string{"jsonl", "har"} {
		into("export as "+format, func(w io.Writer) error { return gateway.ExportRun(w, h.root, id, format) })
	}
	for _, shown := range []bool{false, true} {
		into(fmt.Sprintf("state, shown: %v", shown), func(w io.Writer) error { return gateway.DumpState(w, h.root, id, 0, shown) })
	}
	dir, id, err := gateway.Find(h.root, id)
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
	return all
}
