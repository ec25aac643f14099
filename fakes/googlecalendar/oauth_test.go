package googlecalendar_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"parity/fakes"
	"parity/fakes/faketest"
	"parity/specs"
)

// oauth holds an error of a token endpoint against what it should be.
func oauth(t testing.TB, g faketest.Got, kind, description string) {
	t.Helper()
	if g.Status != 400 || g.Text("error") != kind || g.Text("error_description") != description {
		t.Errorf("answered %d %s, want 400 %s %q", g.Status, g.Raw, kind, description)
	}
}

func signed(t testing.TB, claims object) string {
	t.Helper()
	part := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(data)
	}
	return part(object{"alg": "RS256", "typ": "JWT"}) + "." + part(claims) + ".bm90IGNoZWNrZWQ"
}

func TestAccessTokensLastAnHour(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Header.Del("Authorization")
	g := r.Must(200, r.Form("POST", "/token", "grant_type=refresh_token&refresh_token=1//abc&client_id=me&client_secret=s"))
	faketest.Want(t, g, object{"expires_in": 3599, "token_type": "Bearer", "scope": "https://www.googleapis.com/auth/calendar", "refresh_token": nil})
	token := g.Text("access_token")
	if !strings.HasPrefix(token, "ya29.a0") {
		t.Errorf("the token is %s", token)
	}
	r.Must(200, r.Send("GET", evs, "", "Authorization", "Bearer "+token))
	r.Must(200, r.Send("GET", evs+"?access_token="+token, ""))
	faketest.Want(t, r.Must(200, r.Send("GET", "/tokeninfo?access_token="+token, "")), object{"expires_in": "3600", "scope": "https://www.googleapis.com/auth/calendar"})
	r.Wait(time.Hour)
	over := r.Send("GET", evs, "", "Authorization", "Bearer "+token)
	faketest.Want(t, over, object{
		"error.code": 401, "error.status": "UNAUTHENTICATED", "error.errors.0.reason": "authError", "error.errors.0.message": "Invalid Credentials",
		"error.errors.0.location": "Authorization", "error.errors.0.locationType": "header",
	})
	if over.Status != 401 || over.Header.Get("Www-Authenticate") != `Bearer realm="https://accounts.google.com/", error="invalid_token"` {
		t.Errorf("an expired token is answered %d %v", over.Status, over.Header)
	}
	oauth(t, r.Send("GET", "/tokeninfo?access_token="+token, ""), "invalid_token", "Invalid Value")
}

func TestServiceAccountsAndCodes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Header.Del("Authorization")
	const jwt = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
	claims := object{"iss": "bot@project.iam.gserviceaccount.com", "scope": "https://www.googleapis.com/auth/calendar", "aud": "https://oauth2.googleapis.com/token", "iat": 1, "exp": 3601}
	g := r.Must(200, r.Form("POST", "/token", "grant_type="+jwt+"&assertion="+signed(t, claims)))
	faketest.Want(t, g, object{"expires_in": 3599, "scope": nil})
	r.Must(200, r.Send("GET", evs, "", "Authorization", "Bearer "+g.Text("access_token")))
	claims["scope"] = "https://www.googleapis.com/auth/calendar.readonly"
	reader := r.Must(200, r.Form("POST", "/token", "grant_type="+jwt+"&assertion="+signed(t, claims))).Text("access_token")
	r.Must(200, r.Send("GET", evs, "", "Authorization", "Bearer "+reader))
	if g := r.JSON("POST", evs, meeting("x", "2026-03-05"), "Authorization", "Bearer "+reader); g.Status != 403 || reason(g) != "insufficientPermissions" {
		t.Errorf("a reader writes: %d %s", g.Status, g.Raw)
	}
	delete(claims, "iss")
	oauth(t, r.Form("POST", "/token", "grant_type="+jwt+"&assertion="+signed(t, claims)), "invalid_grant", "Invalid grant: account not found")
	if g := r.Form("POST", "/token", "grant_type="+jwt+"&assertion=nonsense"); g.Status != 400 || g.Text("error") != "invalid_grant" {
		t.Errorf("nonsense is answered %d %s", g.Status, g.Raw)
	}

	code := r.Must(200, r.Form("POST", "/token", "grant_type=authorization_code&code=4/xyz&client_id=me&client_secret=s&redirect_uri=http%3A%2F%2Flocalhost"))
	refresh := code.Text("refresh_token")
	if !strings.HasPrefix(refresh, "1//0") {
		t.Errorf("the refresh token is %q", refresh)
	}
	oauth(t, r.Form("POST", "/token", "grant_type=authorization_code&code=4/xyz&client_id=me"), "invalid_grant", "Bad Request")
	oauth(t, r.Form("POST", "/token", "grant_type=authorization_code&code=xyz"), "invalid_grant", "Malformed auth code.")
	again := r.Must(200, r.Form("POST", "/token", "grant_type=refresh_token&refresh_token="+escape(refresh)))
	r.Must(200, r.Form("POST", "/revoke", "token="+escape(refresh)))
	oauth(t, r.Form("POST", "/token", "grant_type=refresh_token&refresh_token="+escape(refresh)), "invalid_grant", "Token has been expired or revoked.")
	for _, token := range []string{code.Text("access_token"), again.Text("access_token"), refresh} {
		if g := r.Send("GET", evs, "", "Authorization", "Bearer "+token); g.Status != 401 {
			t.Errorf("a token of a revoked grant is answered %d", g.Status)
		}
	}
	oauth(t, r.Form("POST", "/revoke", "token="+escape(refresh)), "invalid_token", "Token expired or revoked")
	r.Must(200, r.Send("POST", "/revoke?token=ya29.mine", ""))
	if g := r.Send("GET", evs, "", "Authorization", "Bearer ya29.mine"); g.Status != 401 {
		t.Errorf("a revoked token is answered %d", g.Status)
	}
	oauth(t, r.Form("POST", "/token", "grant_type=password"), "unsupported_grant_type", "Invalid grant_type: password")
	oauth(t, r.Form("POST", "/token", ""), "invalid_request", "Missing required parameter: grant_type")
	oauth(t, r.Form("POST", "/token", "grant_type=refresh_token"), "invalid_request", "Missing required parameter: refresh_token")
	r.Must(200, r.Send("GET", "/oauth2/v3/certs", ""))
}

func TestDeclaredTokensAndScopes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Fill(`
googlecalendar.tokens:
  - {id: "1//revoked", revoked: true}
  - {id: "1//readonly", scopes: ["https://www.googleapis.com/auth/calendar.readonly"]}
  - {id: ya29.readonly, scopes: [calendar.events.readonly]}
  - {id: ya29.old, expires: "2026-02-01T00:00:00Z"}
`)
	r.Header.Del("Authorization")
	oauth(t, r.Form("POST", "/token", "grant_type=refresh_token&refresh_token=1//revoked"), "invalid_grant", "Token has been expired or revoked.")
	token := r.Must(200, r.Form("POST", "/token", "grant_type=refresh_token&refresh_token=1//readonly")).Text("access_token")
	for _, reader := range []string{token, "ya29.readonly"} {
		r.Must(200, r.Send("GET", evs, "", "Authorization", "Bearer "+reader))
		g := r.JSON("POST", evs, meeting("x", "2026-03-05"), "Authorization", "Bearer "+reader)
		faketest.Want(t, g, object{
			"error.code": 403, "error.status": "PERMISSION_DENIED", "error.errors.0.reason": "insufficientPermissions", "error.errors.0.message": "Insufficient Permission",
			"error.message": "Request had insufficient authentication scopes.", "error.details.0.metadata.method": "calendar.v3.Events.Insert",
		})
	}
	if g := r.Send("GET", evs, "", "Authorization", "Bearer ya29.old"); g.Status != 401 {
		t.Errorf("an old token is answered %d", g.Status)
	}
	none := r.Send("GET", evs, "")
	faketest.Want(t, none, object{"error.code": 401, "error.errors.0.reason": "required", "error.errors.0.message": "Login Required."})
	for _, wrong := range []string{"Bearer wrong", "Basic eDp5", "Bearer", "Bearer ya29.", "Bearer ya29.a b"} {
		if g := r.Send("GET", evs, "", "Authorization", wrong); g.Status != 401 || reason(g) != "authError" {
			t.Errorf("%s is answered %d %s", wrong, g.Status, g.Raw)
		}
	}
}

func TestBatchesAnswerEachCall(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := made(r, meeting("A", "2026-03-05"))
	body := strings.ReplaceAll(`--b
Content-Type: application/http
Content-ID: <x+1>

GET /calendar/v3/calendars/primary/events/`+id+`?alt=json&fields=id HTTP/1.1
Accept: application/json

--b
Content-Type: application/http
Content-ID: <x+2>

POST /calendar/v3/calendars/primary/events HTTP/1.1
Content-Type: application/json

{"summary": "B", "start": {"date": "2026-03-05"}, "end": {"date": "2026-03-06"}}
--b
Content-Type: application/http

DELETE /calendar/v3/calendars/primary/events/nosuch

--b
Content-Type: application/http

POST /batch HTTP/1.1

--b--
`, "\n", "\r\n")
	g := r.Must(200, r.Send("POST", "/batch/calendar/v3", body, "Content-Type", "multipart/mixed; boundary=b"))
	if !strings.HasPrefix(g.Header.Get("Content-Type"), "multipart/mixed; boundary=batch_") {
		t.Errorf("the answer is %s", g.Header.Get("Content-Type"))
	}
	for _, part := range []string{
		"Content-ID: <response-x+1>\r\n\r\nHTTP/1.1 200 OK\r\n", "\"id\": \"" + id + "\"\n}", "Content-ID: <response-x+2>", `"summary": "B"`, "HTTP/1.1 404 Not Found",
	} {
		if !strings.Contains(g.Raw, part) {
			t.Errorf("no %q in %s", part, g.Raw)
		}
	}
	if n := strings.Count(g.Raw, "HTTP/1.1 404"); n != 2 {
		t.Errorf("%d calls were not found, want the one and the batch in the batch", n)
	}
	if n := r.Must(200, r.Send("GET", evs, "")).Len("items"); n != 2 {
		t.Errorf("%d events", n)
	}
	for _, wrong := range []string{"", "nothing", "--b\r\nContent-Type: application/http\r\n\r\nGET\r\n\r\n--b--"} {
		if g := r.Send("POST", "/batch/calendar/v3", wrong, "Content-Type", "multipart/mixed; boundary=b"); g.Status != 400 {
			t.Errorf("%q is answered %d", wrong, g.Status)
		}
	}
}

func TestTroubleIsWorded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, test := range []struct {
		trouble fakes.Problem
		status  int
		why     string
	}{
		{fakes.Problem{Kind: fakes.RateLimited, RetryAfter: 1500 * time.Millisecond}, 403, "rateLimitExceeded"},
		{fakes.Problem{Kind: fakes.RateLimited, Status: 429}, 429, "rateLimitExceeded"},
		{fakes.Problem{Kind: fakes.RateLimited, Code: "userRateLimitExceeded", Message: "User Rate Limit Exceeded"}, 403, "userRateLimitExceeded"},
		{fakes.Problem{Kind: fakes.Broken}, 500, "backendError"},
		{fakes.Problem{Kind: fakes.Broken, Status: 503}, 503, "backendError"},
		{fakes.Problem{Kind: fakes.Broken, Status: 409}, 409, "duplicate"},
		{fakes.Problem{Kind: fakes.Broken, Status: 412}, 412, "conditionNotMet"},
		{fakes.Problem{Kind: fakes.TooLarge}, 413, "uploadTooLarge"},
		{fakes.Problem{Kind: fakes.NoOperation}, 404, "notFound"},
		{fakes.Problem{Kind: fakes.BadRequest}, 400, "badRequest"},
		{fakes.Problem{Kind: fakes.Unauthorised}, 401, "authError"},
	} {
		reply := r.Service.Fake.(fakes.Dialect).Render(test.trouble)
		inner, _ := reply.Result["error"].(map[string]any)
		first, _ := inner["errors"].([]any)[0].(map[string]any)
		if reply.Status != test.status || first["reason"] != test.why || inner["code"] != int64(test.status) {
			t.Errorf("%+v: %d %s", test.trouble, reply.Status, reply.Body)
		}
	}
	for body, why := range map[string]string{
		`{`: "parseError", `[]`: "invalid", `{"summary": 3}`: "invalid", `{"status": "maybe"}`: "invalid", `{"start": "noon"}`: "invalid", `{"attendees": {}}`: "invalid",
	} {
		if g := r.Send("POST", evs, body, "Content-Type", "application/json"); g.Status != 400 || reason(g) != why {
			t.Errorf("%s: %d %s", body, g.Status, g.Raw)
		}
	}
	if g := r.Send("POST", evs, "a=b", "Content-Type", "text/csv"); g.Status != 400 || reason(g) != "badContent" {
		t.Errorf("a table is answered %d %s", g.Status, g.Raw)
	}
	if g := r.Send("GET", root+"/nosuch", ""); g.Status != 404 || reason(g) != "notFound" {
		t.Errorf("an unknown path is answered %d %s", g.Status, g.Raw)
	}
}

// The calls of a batch bring tokens along, which are kept nowhere.
func TestBatchesAreNotKept(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, id := range []string{"Content-ID: <1>\r\n", ""} {
		body := "--b\r\nContent-Type: application/http\r\n" + id + "\r\nGET /calendar/v3/colors HTTP/1.1\r\nAuthorization: Bearer ya29.inner\r\n\r\n--b--\r\n"
		header := http.Header{"Content-Type": {"multipart/mixed; boundary=b"}}
		m := r.Service.Contract.MatchCall(&specs.Call{Method: "POST", Path: "/batch/calendar/v3", Header: header, Body: []byte(body)})
		input, wrong := m.Operation.Read(specs.Request{Path: m.Path, Header: header, Body: []byte(body)})
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		kept, err := json.Marshal(m.Operation.Redact(input.Content(), specs.Plainly))
		if err != nil || strings.Contains(string(kept), "inner") {
			t.Errorf("kept is %s, %v", kept, err)
		}
	}
}
