package sendgrid_test

import (
	"testing"

	"parity/fakes/faketest"
)

// How the account is set.
func TestSettings(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for place, change := range map[string]m{
		"/v3/mail_settings/footer": {"enabled": true, "html_content": "<p>F</p>"}, "/v3/mail_settings/forward_bounce": {"enabled": true, "email": "b@example.com"},
		"/v3/mail_settings/address_whitelist": {"enabled": true, "list": []any{"example.com"}}, "/v3/tracking_settings/google_analytics": {"enabled": true, "utm_source": "mail"},
		"/v3/tracking_settings/subscription": {"enabled": true, "replace": "[unsubscribe]"}, "/v3/partner_settings/new_relic": {"enabled": true, "license_key": "k"},
		"/v3/user/settings/enforced_tls": {"require_tls": true}, "/v3/user/profile": {"city": "Paris"},
	} {
		r.Must(200, r.Send("GET", place, ""))
		changed := r.Must(200, r.JSON("PATCH", place, change))
		faketest.Want(t, changed, change)
		faketest.Want(t, r.Must(200, r.Send("GET", place, "")), change)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/mail_settings", "")), m{"result.2.name": "footer", "result.2.enabled": true, "result.1.enabled": false})
	if g := r.Must(200, r.Send("GET", "/v3/mail_settings?limit=2&offset=1", "")); g.Len("result") != 2 {
		t.Errorf("%s", g.Raw)
	}
	r.Must(400, r.JSON("PATCH", "/v3/mail_settings/forward_spam", m{"enabled": true, "email": "none"}))
	faketest.Want(t, r.Must(200, r.JSON("PUT", "/v3/user/email", m{"email": "new@example.com"})), m{"email": "new@example.com"})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/user/account", "")), m{"type": "paid"})
}

// Records with nothing else to them.
func TestResources(t *testing.T) {
	t.Parallel()
	for place, one := range map[string]struct {
		make, change m
		key, within  string
		verb         string
		made         int
	}{
		"/v3/alerts":                       {m{"type": "usage_limit", "email_to": "a@example.com", "percentage": 90}, m{"percentage": 80}, "id", "", "PATCH", 201},
		"/v3/designs":                      {m{"name": "D", "html_content": "<p>D</p>"}, m{"name": "E"}, "id", "result", "PATCH", 201},
		"/v3/ips/pools":                    {m{"name": "marketing"}, m{"name": "bulk"}, "name", "", "PUT", 200},
		"/v3/senders":                      {m{"nickname": "N", "from": m{"email": "a@example.com"}, "address": "1 Way", "city": "C", "country": "FR"}, m{"nickname": "O"}, "id", "result", "PATCH", 201},
		"/v3/user/webhooks/parse/settings": {m{"hostname": "in.example.com", "url": "https://agent.example/in"}, m{"spam_check": true}, "hostname", "result", "PATCH", 201},
		"/v3/whitelabel/links":             {m{"domain": "example.com", "default": true}, m{"default": false}, "id", "", "PATCH", 201},
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.Must(400, r.JSON("POST", place, m{}))
			made := r.Must(one.made, r.JSON("POST", place, one.make))
			faketest.Want(t, made, one.make)
			at := place + "/" + made.Text(one.key)
			r.Must(200, r.Send("GET", at, ""))
			if g := r.Must(200, r.Send("GET", place, "")); g.Len(one.within) != 1 {
				t.Errorf("%s", g.Raw)
			}
			changed := r.Must(200, r.JSON(one.verb, at, one.change))
			faketest.Want(t, changed, one.change)
			at = place + "/" + changed.Text(one.key)
			r.Must(204, r.Send("DELETE", at, ""))
			r.Must(404, r.Send("GET", at, ""))
			r.Must(404, r.Send("DELETE", at, ""))
		})
	}
}

func TestSubusers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(400, r.JSON("POST", "/v3/subusers", m{"username": "shop"}))
	body := m{"username": "shop", "email": "shop@example.com", "password": "hunter22", "ips": []any{"198.51.100.1"}}
	faketest.Want(t, r.Must(200, r.JSON("POST", "/v3/subusers", body)), m{"username": "shop", "email": "shop@example.com"})
	r.Must(400, r.JSON("POST", "/v3/subusers", body))
	r.Must(204, r.JSON("PATCH", "/v3/subusers/shop", m{"disabled": true}))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/subusers", "")), m{"0.username": "shop", "0.disabled": true})
	if g := r.Must(200, r.Send("GET", "/v3/subusers?username=other", "")); g.Len("") != 0 {
		t.Errorf("%s", g.Raw)
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/subusers/reputations?usernames=shop", "")), m{"0.username": "shop", "0.reputation": 100})
	r.Must(204, r.Send("DELETE", "/v3/subusers/shop", ""))
	r.Must(404, r.Send("DELETE", "/v3/subusers/shop", ""))
	token := r.Must(201, r.JSON("POST", "/v3/teammates", m{"email": "mate@example.com", "scopes": []any{"mail.send"}, "is_admin": false})).Text("token")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/teammates/pending", "")), m{"result.0.email": "mate@example.com"})
	r.Must(204, r.Send("DELETE", "/v3/teammates/pending/"+token, ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/teammates", "")), m{"result.0.user_type": "owner"})
	domain := r.Must(200, r.Send("GET", "/v3/whitelabel/domains", "")).Text("0.id")
	faketest.Want(t, r.Must(200, r.JSON("PATCH", "/v3/whitelabel/domains/"+domain, m{"default": true})), m{"default": true})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/whitelabel/domains/default", "")), m{"domain": "example.com"})
}
