package gateway_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
)

// everywhere is a profile that plays all services that ship.
const everywhere = `
profile: everywhere
seed: 7
services: {stripe: {}, slack: {}, github: {}, notion: {}, googlecalendar: {}, hubspot: {}, sendgrid: {}, zendesk: {}}
clock: {mode: stepped}
policy: {credentials: {issuers: ["https://login.acme.example/"]}}
`

// liveKeys have the form of real credentials, put together here: scanners read
// this file, too.
func liveKeys() map[string]string {
	part := base64.RawURLEncoding.EncodeToString
	return map[string]string{
		"a live secret key of Stripe":     "sk_" + "live_51HxQm2eZvKYlo2C8qvUDkRt",
		"a token of GitHub":               "ghp_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17",
		"a bot token of Slack":            "xoxb-" + "263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1",
		"an access key of AWS":            "AKIA" + "QYLPMN5HFIQR7XYA",
		"a private key":                   "-----BEGIN " + "PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n",
		"a token of an issuer that count": part([]byte(`{"alg":"RS256"}`)) + "." + part([]byte(`{"iss":"https://login.acme.example/"}`)) + ".c2lnbmVkMTIzNDU2",
	}
}

// A call that shows a real credential is refused as its service refuses one
// without a right, wherever the credential stands, and nothing of it is kept.
func TestRealCredentialsAreRefusedAndNotKept(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	h := open(t, everywhere, logInto(&log))
	c := h.proxied(false)
	quoted := func(text string) string { data, _ := json.Marshal(text); return strings.Trim(string(data), `"`) }
	const jsonType, form = "application/json", "application/x-www-form-urlencoded"
	for kind, key := range liveKeys() {
		for place, send := range map[string]func(target string) (int, http.Header, string, error){
			"the header X-Note": func(to string) (int, http.Header, string, error) {
				return spoken(t, c, "GET", to, "", "X-Note", "it is "+strings.ReplaceAll(key, "\n", `\n`))
			},
			"the header Authorization": func(to string) (int, http.Header, string, error) {
				return spoken(t, c, "GET", to, "", "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(key+":")))
			},
			"the query": func(to string) (int, http.Header, string, error) {
				return spoken(t, c, "GET", to+"?a="+strings.ReplaceAll(url.QueryEscape(key), "_", "%5F"), "")
			},
			"the path": func(to string) (int, http.Header, string, error) {
				return spoken(t, c, "GET", to+"/"+url.PathEscape(key), "")
			},
			"the body": func(to string) (int, http.Header, string, error) {
				return spoken(t, c, "POST", to, `{"note":{"deep":["use `+strings.ReplaceAll(quoted(key), "_", `\u005f`)+`"]}}`, "Content-Type", jsonType)
			},
			"the body, a form": func(to string) (int, http.Header, string, error) {
				return spoken(t, c, "POST", to, "description="+strings.ReplaceAll(url.QueryEscape(key), "_", "%5f"), "Content-Type", form)
			},
		} {
			target := "https://api.stripe.com/v1/customers"
			status, header, body, err := send(target)
			if err != nil {
				t.Fatal(err)
			}
			place, _, _ = strings.Cut(place, ",")
			if status != http.StatusForbidden || header.Get("X-Parity-Refused") != "live-secret" || header.Get("Retry-After") != "" || !strings.Contains(body, `"invalid_request_error"`) ||
				!strings.Contains(body, "("+kind) || !strings.Contains(body, " stands in "+place+".") {
				t.Errorf("%s in %s: %d %v %s", kind, place, status, header, body)
			}
		}
	}
	events, _ := h.events()
	calls := 0
	for _, e := range events {
		x := e.Exchange
		if x == nil {
			continue
		}
		calls++
		if x.Outcome != trail.Forbidden || len(x.Header) > 0 || len(x.Body) > 0 || x.Query != "" || e.Identity != "" || len(e.Delta) > 0 || x.Committed || !strings.HasPrefix(x.Note, "What looks like a real credential (") || x.Policy == nil || x.Policy.Code != "live-secret" ||
			x.Path != "" && x.Path != "/v1/customers" && x.Path != "/v1/customers/{customer}" {
			t.Errorf("kept of event %d: %+v", e.Seq, x)
		}
		if x.Method == http.MethodPost && x.Operation != "POST /v1/customers" {
			t.Errorf("event %d is of %q", e.Seq, x.Operation)
		}
	}
	if want := 6 * len(liveKeys()); calls != want {
		t.Errorf("%d calls are kept, of %d", calls, want)
	}
	for _, key := range liveKeys() {
		h.nowhere(strings.Split(strings.TrimPrefix(key, "-----BEGIN "+"PRIVATE KEY-----\n"), "\n")[0], &log)
	}
}

// Each service says it in its own words, and what no service has at all.
func TestRealCredentialsAreRefusedInTheWordsOfEachService(t *testing.T) {
	t.Parallel()
	h := open(t, everywhere)
	c := h.proxied(false)
	key := liveKeys()["a token of GitHub"]
	for target, want := range map[string]string{
		"https://api.stripe.com/v1/charges":                                            `403 "type":"invalid_request_error"`,
		"https://slack.com/api/conversations.list":                                     `200 "error":"missing_scope"`,
		"https://api.github.com/user":                                                  `403 "status":"403"`,
		"https://api.notion.com/v1/users":                                              `403 "code":"restricted_resource"`,
		"https://www.googleapis.com/calendar/v3/calendars/primary/events":              `403 insufficientPermissions`,
		"https://api.hubapi.com/crm/v3/objects/contacts":                               `403 "category":"MISSING_SCOPES"`,
		"https://api.sendgrid.com/v3/templates":                                        `403 "errors":[{`,
		"https://acme.zendesk.com/api/v2/tickets":                                      `403 "title":"Forbidden"`,
		"https://api.stripe.com/nothing/here":                                          `403 "type":"invalid_request_error"`,
		"http://" + h.Addr() + "/run/" + h.Run.ID + ":" + h.Run.Token + "/github/user": `403 "message":"What looks like`,
	} {
		client := c
		if strings.HasPrefix(target, "http://") {
			client = h.direct(false, false)
		}
		status, header, body, err := spoken(t, client, "GET", target, "", "Authorization", "Bearer "+key)
		code, text, _ := strings.Cut(want, " ")
		if err != nil || fmt.Sprint(status) != code || !strings.Contains(body, text) || !strings.Contains(body, "a token of GitHub") || header.Get("X-Parity-Refused") != "live-secret" {
			t.Errorf("%s: %d %v %v %s, want %s", target, status, err, header, body, want)
		}
	}
}

// What the profile itself presents is what its agent is meant to use.
func TestWhatTheProfilePresentsIsNoStrangersSecret(t *testing.T) {
	t.Parallel()
	key := liveKeys()["a bot token of Slack"]
	h := open(t, everywhere+"identities: {bot: {presents: {env: BOT_TOKEN}}}\n", func(s *gateway.Settings) {
		s.Getenv = func(name string) string { return map[string]string{"BOT_TOKEN": key}[name] }
	})
	c := h.proxied(false)
	const auth = "https://slack.com/api/auth.test"
	if status, _, body, err := spoken(t, c, "POST", auth, "", "Authorization", "Bearer "+key); err != nil || status != 200 || !strings.Contains(body, `"ok":true`) {
		t.Errorf("its own: %d %v %s", status, err, body)
	}
	other := strings.ReplaceAll(key, "FG", "GF")
	if _, header, body, err := spoken(t, c, "POST", auth, "", "Authorization", "Bearer "+key, "X-Note", key+" "+other); err != nil || header.Get("X-Parity-Refused") != "live-secret" {
		t.Errorf("another's: %v %s", err, body)
	}
}

// Keys that a fake gives out can be used in the same run.
func TestKeysThatAFakeMakesAreNotRefused(t *testing.T) {
	t.Parallel()
	h := open(t, everywhere)
	c := h.proxied(false)
	_, _, body, err := spoken(t, c, "POST", "https://api.sendgrid.com/v3/api_keys", `{"name":"mail"}`, "Content-Type", "application/json", "Authorization", "Bearer SG.a.b")
	var made struct {
		Key string `json:"api_key"`
	}
	if err != nil || json.Unmarshal([]byte(body), &made) != nil || made.Key == "" {
		t.Fatalf("%v %s", err, body)
	}
	if status, _, body, err := spoken(t, c, "GET", "https://api.sendgrid.com/v3/scopes", "", "Authorization", "Bearer "+made.Key); err != nil || status != 200 {
		t.Errorf("%d %v %s", status, err, body)
	}
}

// spoken is call, with the reply as a text.
func spoken(t *testing.T, c *http.Client, method, target, body string, header ...string) (int, http.Header, string, error) {
	t.Helper()
	status, reply, head, err := call(t, c, method, target, body, header...)
	text, _ := json.Marshal(reply)
	return status, head, string(text), err
}
