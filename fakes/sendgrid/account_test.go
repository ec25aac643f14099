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

// What a subuser is given, who may call, and what is thought of an address.
func TestAssigned(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Must(200, r.JSON("POST", "/v3/subusers", m{"username": "shop", "email": "shop@example.com", "password": "hunter22", "ips": []any{}}))
	domain := r.Must(200, r.Send("GET", "/v3/whitelabel/domains", "")).Text("0.id")
	link := r.Must(201, r.JSON("POST", "/v3/whitelabel/links", m{"domain": "example.com"})).Text("id")
	for place, one := range map[string]struct {
		id     string
		status int
	}{"/v3/whitelabel/domains/": {domain, 201}, "/v3/whitelabel/links/": {link, 200}} {
		r.Must(404, r.Send("GET", place+"subuser?username=shop", ""))
		r.Must(400, r.JSON("POST", place+one.id+"/subuser", m{"username": "other"}))
		r.Must(one.status, r.JSON("POST", place+one.id+"/subuser", m{"username": "shop"}))
		faketest.Want(t, r.Must(200, r.Send("GET", place+"subuser?username=shop", "")), m{"domain": "example.com"})
		r.Must(204, r.Send("DELETE", place+"subuser?username=shop", ""))
		r.Must(404, r.Send("DELETE", place+"subuser?username=shop", ""))
	}
	ip := r.Must(200, r.Send("GET", "/v3/ips", "")).Text("0.ip")
	r.Must(200, r.JSON("POST", "/v3/ips/pools", m{"name": "bulk"}))
	faketest.Want(t, r.Must(201, r.JSON("POST", "/v3/ips/pools/bulk/ips", m{"ip": ip})), m{"ip": ip, "pools": []any{"bulk"}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/ips/pools/bulk", "")), m{"ips": []any{ip}})
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/ips/"+ip, "")), m{"pools": []any{"bulk"}})
	r.Must(204, r.Send("DELETE", "/v3/ips/pools/bulk/ips/"+ip, ""))
	r.Must(404, r.Send("DELETE", "/v3/ips/pools/bulk/ips/"+ip, ""))
	r.Must(404, r.Send("GET", "/v3/ips/192.0.2.200", ""))
	r.Must(200, r.Send("GET", "/v3/ips/assigned", ""))
	r.Must(200, r.Send("GET", "/v3/ips/remaining", ""))
	place := "/v3/access_settings/whitelist"
	faketest.Want(t, r.Must(201, r.JSON("POST", place, m{"ips": []any{m{"ip": "192.0.2.1"}, m{"ip": "192.0.2.0/24"}}})), m{"result.0.ip": "192.0.2.1/32", "result.1.id": 2})
	r.Must(400, r.JSON("POST", place, m{}))
	r.Must(204, r.JSON("DELETE", place, m{"ids": []any{1}}))
	r.Must(404, r.Send("GET", place+"/1", ""))
	r.Must(204, r.Send("DELETE", place+"/2", ""))
	for email, verdict := range map[string]string{"ada@example.net": "Valid", "ada": "Invalid", "a@b.invalid": "Invalid"} {
		faketest.Want(t, r.Must(200, r.JSON("POST", "/v3/validations/email", m{"email": email})), m{"result.verdict": verdict})
	}
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/teammates/parity", "")), m{"user_type": "owner"})
	old := r.Must(201, r.JSON("POST", "/v3/marketing/segments", m{"name": "All", "query_dsl": "email LIKE '%'"})).Text("id")
	faketest.Want(t, r.Must(200, r.Send("GET", "/v3/marketing/segments", "")), m{"results.0.id": old})
	r.Must(202, r.Send("DELETE", "/v3/marketing/segments/"+old, ""))
	design := r.Must(201, r.JSON("POST", "/v3/designs", m{"name": "D", "html_content": "<p>D</p>"})).Text("id")
	faketest.Want(t, r.Must(201, r.JSON("POST", "/v3/designs/"+design, m{})), m{"name": "Duplicate: D", "html_content": "<p>D</p>"})
}
