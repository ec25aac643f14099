package gateway_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"parity/gateway"
)

// guarded has secrets where contracts seldom have them.
const guarded = `
openapi: 3.1.0
info: {title: Guarded, version: "1"}
security: [{door: []}, {}]
paths:
  /notes:
    parameters:
      - {name: X-Pin, in: header, schema: {type: string, format: password}}
      - {name: X-Many, in: header, schema: {type: array, items: {type: string, format: password}}}
      - {name: pins, in: query, schema: {type: array, items: {type: string, format: password}}}
    get:
      operationId: list
      responses: {"200": {description: All, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Note"}}}}}}
    post:
      operationId: make
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}, multipart/form-data: {schema: {$ref: "#/components/schemas/Note"}}}}
      responses: {"201": {description: Made, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
  /safes/{pin}:
    parameters: [{name: pin, in: path, required: true, schema: {type: string, format: password}}]
    get:
      operationId: open
      responses: {"200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
  /vaults/{sessionToken}/{id}:
    parameters: [{name: sessionToken, in: path, required: true, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: look
      responses: {"200": {description: One, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}}
components:
  securitySchemes:
    door: {type: apiKey, in: header, name: X-Door}
  schemas:
    Note:
      type: object
      properties:
        id: {type: string, readOnly: true}
        name: {type: string}
        count: {type: integer}
        any: {}
`

// Secrets that stood in what was written of a run: in headers that a contract
// calls passwords, cut short in messages, in names of files, under the names
// that lists of settings give them, and in what repeats them.
func TestCanariesOfOtherKindsAreInNoByteThatIsWritten(t *testing.T) {
	t.Parallel()
	b := birds{}
	var log strings.Builder
	profile := "profile: guarded\nseed: 7\nservices: {stripe: {}, hubspot: {}, zendesk: {}, slack: {}, notion: {}, github: {}, guarded: {contract: guarded.yaml, hosts: [guarded.test]}}\nclock: {mode: stepped}\n"
	h := open(t, profile, logInto(&log), beside(t, "guarded.yaml", guarded), func(s *gateway.Settings) { s.Token = controlToken })
	c := h.proxied(false)
	send := func(method, target, body string, header ...string) string {
		t.Helper()
		var told strings.Builder
		_, text, _, err := call(t, c, method, target, body, header...)
		for name, value := range text {
			told.WriteString(name + ":")
			if s, ok := value.(string); ok {
				told.WriteString(s)
			}
		}
		if err != nil && !strings.Contains(err.Error(), "invalid character") && !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "cannot unmarshal") {
			t.Fatal(err)
		}
		return told.String()
	}
	const notes, stripe, hubspot = "https://guarded.test/notes", "https://api.stripe.com/v1/", "https://api.hubapi.com/"
	asJSON := []string{"Content-Type", "application/json"}
	note := func(body string, header ...string) {
		t.Helper()
		send("POST", notes, body, append(asJSON, header...)...)
	}
	note(`{"name":"a"}`, "X-Pin", b.put("password header"), "X-Many", b.put("first of many")+","+b.put("second of many"))
	note(`{"name":"`+b.put("odd credential")+`"}`, "X-Door", b["odd credential"])
	note(`{"name":"`+b.put("header that is repeated")+`"}`, "Authorization", "Bearer "+b["header that is repeated"])
	note(`{"name":"`+b.put("basic password")+`"}`, "Authorization", "Basic "+base64ed("me:"+b["basic password"]))
	note(`{"name":"`+b.put("hidden header")+`"}`, "X-Whatever", "sk_live_"+b["hidden header"])
	send("GET", notes+"?pins="+b.put("password in a list"), "")
	send("GET", "https://guarded.test/safes/"+b.put("password in a path"), "")
	send("GET", "https://guarded.test/safes/"+b.put("password in a path, written")+"%20%2b", "")
	send("GET", "https://guarded.test/vaults/"+b.put("token in a path")+"/x", "")
	send("GET", "https://guarded.test/vaults/"+b.put("token in a path, written")+"%20/x", "")
	send("GET", "https://guarded.test/nowhere/"+b.put("refused body")+"/x", `{"password":"`+b["refused body"]+`"}`, asJSON...)
	send("POST", notes+"?x="+b.put("broken body"), `{"password":"`+b["broken body"]+`", broken}`, asJSON...)
	note(`{"name":"` + b.put("repeated field") + `","any":{"password":"` + b["repeated field"] + `"}}`)
	note(`{"count":"` + b.put("message") + `","any":{"password":"` + b["message"] + `"}}`)
	note(`{"count":"` + strings.Repeat("x", 70) + b.put("cut message") + `","any":{"password":"` + strings.Repeat("x", 70) + b["cut message"] + `"}}`)
	for name, text := range map[string]string{
		"pair":                 `{"name":"DB_PASSWORD","value":"%"}`,
		"pair with key":        `{"key":"DB_PASSWORD","value":"%"}`,
		"pair turned":          `{"value":"%","name":"API_KEY"}`,
		"pairs":                `[{"name":"PATH","value":"/bin"},{"name":"AWS_SECRET_ACCESS_KEY","value":"%"}]`,
		"plural secrets":       `{"secrets":{"a":"%"}}`,
		"plural tokens":        `{"tokens":["%"]}`,
		"plural passwords":     `{"passwords":{"x":{"y":"%"}}}`,
		"apiKeys":              `{"apiKeys":["%"]}`,
		"accessTokens":         `{"accessTokens":["%"]}`,
		"sessionId":            `{"sessionId":"%"}`,
		"session_id":           `{"session_id":"%"}`,
		"PHPSESSID":            `{"PHPSESSID":"%"}`,
		"cookie":               `{"cookie":"sid=%"}`,
		"set-cookie":           `{"set-cookie":["sid=%; Path=/"]}`,
		"cookies":              `{"cookies":{"sid":"%"}}`,
		"signature":            `{"signature":"%"}`,
		"credentials":          `{"credentials":{"user":"me","value":"%"}}`,
		"cookie in text":       `"then send Cookie: a=b; sid=% and go on"`,
		"set-cookie in text":   `"HTTP/1.1 200\r\nSet-Cookie: sid=%; Path=/\r\n"`,
		"AWS in text":          `"aws_secret_access_key = %\naws_access_key_id = x"`,
		"ini in text":          `"[db]\npassword = %\nuser = me"`,
		"YAML in text":         `"db:\n  password: %\n  user: me"`,
		"variable":             `"export GITHUB_TOKEN=%"`,
		"variable in quotes":   `"export DB_PASS=\"%\""`,
		"private key":          `"-----BEGIN EC PRIVATE KEY-----\nMHc%\n-----END EC PRIVATE KEY-----"`,
		"JWT":                  `"use eyJhbGciOiJIUzI1NiJ9.eyJ%.abc%def"`,
		"curl user":            `"curl -u me:% https://x.example"`,
		"curl long user":       `"curl --user me:% https://x.example"`,
		"curl header":          `"curl -H \"Authorization: Bearer %\" https://x.example"`,
		"curl key header":      `"curl -H 'X-Api-Key: %' https://x.example"`,
		"curl cookie":          `"curl -b 'sid=%' https://x.example"`,
		"flag":                 `"agent --db-pass=% --x"`,
		"flag apart":           `"agent --token % --x"`,
		"flag apart, quoted":   `"agent --password '%' --x"`,
		"mysql":                `"mysql -u root -p% db"`,
		"URL":                  `"https://user:%@host.example/x"`,
		"env list of Docker's": `{"env":["DB_PASSWORD=%"]}`,
	} {
		note(`{"name":"n","any":` + strings.ReplaceAll(text, "%", b.put(name)) + `}`)
	}
	send("GET", hubspot+"oauth/v1/access-tokens/"+b.put("HubSpot access token"), "")
	send("GET", hubspot+"oauth/v1/refresh-tokens/"+b.put("HubSpot refresh token"), "")
	send("DELETE", hubspot+"oauth/v1/refresh-tokens/"+b.put("HubSpot refresh token, ended"), "")
	send("GET", stripe+"charges", "", "Authorization", "Bearer "+b.put("wrong key")+"Hq7t")
	send("GET", stripe+"charges/"+strings.Repeat("a", 180)+b.put("cut in a path"), "", "Cookie", "sid="+strings.Repeat("a", 180)+b["cut in a path"])
	parts := "--x\r\nContent-Disposition: form-data; name=\"name\"; filename=\"sk_live_" + b.put("file name") + ".txt\"\r\nContent-Type: text/plain; key=sk_live_" + b.put("part's type") + "\r\nX-Api-Key: " + b.put("part's header") + "\r\n\r\nx\r\n--x\r\nContent-Disposition: form-data; name=\"any\"\r\n\r\n" + b["part's header"] + "\r\n--x--\r\n"
	send("POST", notes, parts, "Content-Type", "multipart/form-data; boundary=x")
	if _, err := h.control().End(t.Context(), h.Run.ID, nil); err != nil {
		t.Fatal(err)
	}
	h.close()
	all := everything(t, h.root, h.Run.ID)
	all["the log"] = log.String()
	b.isIn(t, all)
	for form, text := range all {
		for _, part := range []string{b["wrong key"][:8], "Hq7t"} {
			if strings.Contains(text, part) && form != "the log" {
				t.Errorf("part of a wrong key is in %s", form)
			}
		}
	}
}

func base64ed(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
