package hubspot_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes/faketest"
)

func TestWhoMayCall(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
hubspot.tokens:
  - {id: pat-na1-readonly, scopes: [crm.objects.contacts.read]}
  - {id: pat-na1-nothing, scopes: []}
  - {id: pat-na1-old, expires: "2026-03-01T11:00:00Z"}
  - {id: pat-na1-gone, revoked: true}
`)
	tests := []struct {
		authorization string
		status        int
		want          object
	}{
		{"", 401, object{"category": "INVALID_AUTHENTICATION", "status": "error"}},
		{"Bearer wrong", 401, object{"category": "INVALID_AUTHENTICATION"}},
		{"Basic cGF0LW5hMS14Og==", 401, object{}},
		{"Bearer pat-na1-gone", 401, object{"category": "INVALID_AUTHENTICATION"}},
		{"Bearer pat-na1-old", 401, object{"category": "EXPIRED_AUTHENTICATION", "message": "The OAuth token used to make this call expired 1 hour(s) ago.", "context.expire time.0": "2026-03-01T11:00:00Z"}},
		{"Bearer pat-na1-readonly", 200, object{}},
		{"Bearer pat-eu1-anything", 200, object{}},
		{"Bearer pat-na1-nothing", 403, object{"category": "MISSING_SCOPES", "links.scopes": "https://developers.hubspot.com/scopes", "errors.0.message": "One or more of the following scopes are required."}},
	}
	for _, test := range tests {
		got := r.Send("GET", "/crm/v3/objects/contacts", "", "Authorization", test.authorization)
		if got.Status != test.status {
			t.Errorf("%q: %d %s", test.authorization, got.Status, got.Raw)
		}
		faketest.Want(t, got, test.want)
	}
	refused := r.Must(403, r.JSON("POST", "/crm/v3/objects/contacts", props("email", "a@example.com"), "Authorization", "Bearer pat-na1-readonly"))
	faketest.Want(t, refused, object{"errors.0.context.requiredGranularScopes": []any{"crm.objects.contacts.write"}})
	schema := r.Must(403, r.Send("GET", "/crm/v3/properties/companies", "", "Authorization", "Bearer pat-na1-readonly"))
	faketest.Want(t, schema, object{"message": "You do not have permissions to view object type ObjectTypeId{legacyObjectType=COMPANY} in portal 24681357 (requires one of [companies-read])"})
	r.Must(200, r.Send("GET", "/contacts/v1/lists/all/contacts/all?hapikey=demo", "", "Authorization", ""))
	r.Must(403, r.Send("GET", "/crm/v3/owners", "", "Authorization", "Bearer pat-na1-readonly"))
}

func TestTokensAreExchangedAndExpire(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const app = "client_id=app&client_secret=secret-of-the-app"
	ask := func(form string) faketest.Got { return r.Form("POST", "/oauth/v1/token", form, "Authorization", "") }
	first := r.Must(200, ask(app+"&grant_type=authorization_code&code=the-code&redirect_uri=https://example.com/back"))
	faketest.Want(t, first, object{"token_type": "bearer", "expires_in": 1800})
	faketest.Want(t, r.Must(400, ask(app+"&grant_type=authorization_code&code=the-code&redirect_uri=https://example.com/back")), object{"status": "BAD_AUTH_CODE", "error": "invalid_grant"})
	bearer := []string{"Authorization", "Bearer " + first.Text("access_token")}
	r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", "", bearer...))
	r.Wait(31 * time.Minute)
	faketest.Want(t, r.Must(401, r.Send("GET", "/crm/v3/objects/contacts", "", bearer...)), object{"category": "EXPIRED_AUTHENTICATION", "message": "The OAuth token used to make this call expired 1 minute(s) ago."})
	again := r.Must(200, ask(app+"&grant_type=refresh_token&refresh_token="+first.Text("refresh_token")))
	if again.Text("access_token") == first.Text("access_token") || again.Text("refresh_token") != first.Text("refresh_token") {
		t.Errorf("refreshed: %s", again.Raw)
	}
	r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", "", "Authorization", "Bearer "+again.Text("access_token")))
	for _, form := range []string{"", "grant_type=refresh_token", "client_id=app&grant_type=refresh_token", app + "&grant_type=password", app + "&grant_type=refresh_token", app + "&grant_type=authorization_code&code=other"} {
		if got := ask(form); got.Status != 400 || got.Text("error") == "" || got.Text("message") == "" {
			if form != "" || got.Status != 401 {
				t.Errorf("%q: %d %s", form, got.Status, got.Raw)
			}
		}
	}
}

func TestWhatATokenStandsFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill("hubspot.tokens:\n  - {id: pat-na1-readonly, scopes: [crm.objects.contacts.read]}\n")
	faketest.Want(t, r.Must(200, r.JSON("POST", "/oauth/v2/private-apps/get/access-token-info", object{"tokenKey": "pat-na1-readonly"})), object{"scopes": []any{"crm.objects.contacts.read"}, "hubId": 24681357})
	r.Must(400, r.JSON("POST", "/oauth/v2/private-apps/get/access-token-info", object{"tokenKey": "x"}))
	r.Must(200, r.Send("GET", "/crm/v3/schemas", ""))
}

func TestLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", ""))
	for header, want := range map[string]string{"Daily": "250000", "Daily-Remaining": "249999", "Interval-Milliseconds": "10000", "Max": "100", "Remaining": "99", "Secondly": "10", "Secondly-Remaining": "9"} {
		if got := first.Header.Get("X-HubSpot-RateLimit-" + header); got != want {
			t.Errorf("%s is %q, want %q", header, got, want)
		}
	}
	for range 99 {
		r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", ""))
	}
	over := r.Must(429, r.Send("GET", "/crm/v3/objects/contacts", ""))
	faketest.Want(t, over, object{"policyName": "TEN_SECONDLY_ROLLING", "message": "You have reached your ten_secondly_rolling limit.", "errorType": "RATE_LIMIT"})
	r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", "", "Authorization", "Bearer pat-na1-another"))
	r.Wait(10 * time.Second)
	r.Must(200, r.Send("GET", "/crm/v3/objects/contacts", ""))

	r = newRig(t)
	r.Fill("hubspot.account:\n  - {id: account, portalId: '1', daily: 2}\n")
	r.Must(200, r.Send("GET", "/account-info/v3/api-usage/daily", ""))
	usage := r.Must(200, r.Send("GET", "/account-info/v3/api-usage/daily/private-apps", ""))
	faketest.Want(t, usage, object{"usageLimit": 2, "currentUsage": 2})
	faketest.Want(t, r.Must(429, r.Send("GET", "/crm/v3/objects/contacts", "")), object{"policyName": "DAILY"})
}

func TestWebhooksAreSigned(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
hubspot.webhook_subscriptions:
  - {id: "77", url: "https://agent.example/hooks", secret: app-secret, events: [contact.creation, contact.propertyChange], properties: [firstname]}
`)
	id := add(r, "contacts", "email", "ada@example.com", "firstname", "Ada")
	add(r, "companies", "name", "Acme")
	r.Must(200, r.JSON("PATCH", "/crm/v3/objects/contacts/"+id, props("firstname", "Augusta", "lastname", "King")))
	all := r.Deliveries()
	if len(all) != 2 || !strings.Contains(string(all[0].Body), `"subscriptionType":"contact.creation"`) || !strings.Contains(string(all[1].Body), `"propertyValue":"Augusta"`) {
		t.Fatalf("deliveries: %+v", all)
	}
	d, header := r.Attempt(500)
	mac := hmac.New(sha256.New, []byte("app-secret"))
	mac.Write([]byte("POST" + d.URL + string(d.Body) + header.Get("X-HubSpot-Request-Timestamp")))
	if want := base64.StdEncoding.EncodeToString(mac.Sum(nil)); header.Get("X-HubSpot-Signature-v3") != want {
		t.Errorf("signature %q, want %q", header.Get("X-HubSpot-Signature-v3"), want)
	}
	r.Attempt(http.StatusNoContent)
	left := r.Deliveries()
	if len(left) != 1 || left[0].Attempt != 2 || !left[0].Due.After(r.Now) || !strings.Contains(string(left[0].Body), `"attemptNumber":1`) {
		t.Errorf("what was not taken is sent again: %+v", left)
	}
	for range 20 {
		if len(r.Deliveries()) == 0 {
			break
		}
		r.Attempt(0)
	}
	if len(r.Deliveries()) != 0 {
		t.Error("tries have no end")
	}
}
