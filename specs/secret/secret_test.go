package secret_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parity/specs/secret"
)

func stars(_, _ string) string { return "***" }

func ExampleList_Value() {
	list := secret.NewList("door_code")
	fmt.Println(list.Value(map[string]any{"name": "Ada", "dbPassword": "hunter2", "doorCode": "4711", "note": "use sk_live_51HxQ"}, stars))
	// Output:
	// map[dbPassword:*** doorCode:*** name:Ada note:use sk_live_***]
}

func TestNamesOfSecretsInAnyStyle(t *testing.T) {
	t.Parallel()
	list := secret.NewList("Door-Code")
	for _, name := range []string{
		"password", "dbPassword", "DB-PASSWORD", "passwd", "pwd", "client_secret", "api_key", "X-Api-Key", "apiKey", "Authorization", "refresh_token", "GITHUB_TOKEN",
		"ſecret", "doorcode", "private_key", "cvc", "token", "passwords", "passwordHash", "smtpPass", "DB_PASS", "hmacKey", "apiKeys", "connectionString", "Proxy-Authorization", strings.Repeat("a", 100) + "_secret",
	} {
		if !list.Name(name) {
			t.Errorf("%s is no secret", name)
		}
	}
	for _, name := range []string{"", "a", "name", "next_page_token", "pageToken", "syncToken", "Idempotency-Key", "max_tokens", "key", "secret_scanning", "passed", "compass", "monkey"} {
		if list.Name(name) {
			t.Errorf("%s is a secret", name)
		}
	}
}

func TestTextHidesEachForm(t *testing.T) {
	t.Parallel()
	var list *secret.List
	for in, want := range map[string]string{
		"eyJhbGciOi.eyJzdWIi.abc": "eyJ***", "Bearer abc.def123": "Bearer ***", "a bearer bond": "a bearer bond", "basic understanding": "basic understanding",
		"postgres://me:hunter2@db/x": "postgres://me:***@db/x", "https://ghs1234567890abcdefghij@github.com/x": "https://***@github.com/x", "mailto:me@x.example": "mailto:me@x.example",
		"https://x.example/?a=1&secret=abc&b=2":                       "https://x.example/?a=1&secret=***&b=2",
		"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----": "-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----",
		"https://hooks.slack.com/services/T1/B1/abcdefgh":             "https://hooks.slack.com/services/***",
		`{"password":"a\"b\\","n":1}`:                                 `{"password":"***","n":1}`,
		`{\"password\":\"hunter2\",\"n\":1}`:                          `{\"password\":\"***\",\"n\":1}`,
		`{"token":null,"credentials":{"user":"x"}}`:                   `{"token":null,"credentials":{"user":"x"}}`,
		"API_TOKEN=X STRIPE_KEY=y agent":                              "API_TOKEN=*** STRIPE_KEY=*** agent",
		"pi_1_secret_abcdefgh1234 of pi_1":                            "pi_1_secret_*** of pi_1",
		"send Cookie: a=b; sid=hush and go on":                        "send Cookie: *** and go on",
		"Set-Cookie: sid=hush; Path=/\r\nX: y":                        "Set-Cookie: ***\r\nX: y",
		"aws_secret_access_key = hush\nregion = x":                    "aws_secret_access_key = ***\nregion = x",
		"curl -u me:hush -b 'a=hush' --user 'me:hush' x":              "curl -u me:*** -b '***' --user 'me:***' x",
		"agent --token hush --password \"it is hush\" x":              "agent --token *** --password \"***\" x",
		"mysql -u root -phush db; mysql -p hush; -p hush":             "mysql -u root -p*** db; mysql -p ***; -p ***",
		"curl -H 'Authorization: Bearer hush1' x":                     "curl -H 'Authorization: Bearer ***' x",
		"eyJhbGciOi.eyJzdWIiOiIx…":                                    "eyJ***…",
		"'--api-key=***' x":                                           "'--api-key=***' x", "tok_visa": "tok_visa", "ghp_x": "ghp_x", "risk-free": "risk-free",
	} {
		if got := list.Text(in, stars); got != want {
			t.Errorf("%s\nis  %s\nnot %s", in, got, want)
		}
	}
}

func TestCommandLinesAreHidden(t *testing.T) {
	t.Parallel()
	var list *secret.List
	got := list.Command([]string{"env", "API_TOKEN=X Y", "sh", "-c", "cd x; DB_PASSWORD=hunter2 agent", "--api-key=it's x", "--password", "p", "--key", "k", "-u", "me:hush", "-p", "hush", "-b", "a=hush", "-H", "Authorization: Bearer hush1", "--db-pass=hush", "https://me:hush@x", "--model", "m", "x=y"}, stars)
	want := []string{"env", "API_TOKEN=***", "sh", "-c", "cd x; DB_PASSWORD=*** agent", "--api-key=***", "--password", "***", "--key", "***", "-u", "me:***", "-p", "***", "-b", "***", "-H", "Authorization: Bearer ***", "--db-pass=***", "https://me:***@x", "--model", "m", "x=y"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// pieces are what texts are made of that may go wrong.
var pieces = []string{
	"sk_test_", "sk-", "whsec_", "pi_1_secret_", "xoxb-", "ghp_", "eyJ", ".", "Authorization: ", "authorization=", "Bearer ", "Basic ", "https://", "me:", "@", `"`, `\"`, `\\`, "=", "&", ": ", `\n`,
	"client_secret", "Password", "api_key", "token", "hush0hush0", "x", " ", "4242424242424242", "\xff", "é", ",", `":"`, "{", "}", "value", "name", "-----BEGIN PRIVATE KEY-----", "'", "***", "(redacted-ab12)", "-u ", "--token ", " = ", "Cookie: a=", "mysql -p", "…",
}

// What was JSON still is, and to hide twice changes no more.
func TestWhatWasJSONStillIs(t *testing.T) {
	t.Parallel()
	if text := `{"list":["-u '",1,null],"password":""}`; (*secret.List)(nil).Text(text, stars) != text {
		t.Errorf("%s became %s", text, (*secret.List)(nil).Text(text, stars))
	}
	for text, want := range map[string]string{
		`["--token \ufffd",1]`:                 `["--token ***",1]`,
		`["--token \u00e9hush0 x"]`:            `["--token *** x"]`,
		`["--token \nnext"]`:                   `["--token \nnext"]`,
		`["Authorization: \"hush0\\\\",1,"x"]`: `["Authorization: \"***\\\\",1,"x"]`,
		`["--token \\hush0"]`:                  `["--token \\***"]`,
		`{"a":"[\"--token \\\"hush0\\\"\"]"}`:  `{"a":"[\"--token \\\"***\\\"\"]"}`,
	} {
		if hidden := (*secret.List)(nil).Text(text, stars); hidden != want {
			t.Errorf("%s became %s, not %s", text, hidden, want)
		}
	}
	var list *secret.List
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
		})
		value := map[string]any{text.Draw(t, "key"): text.Draw(t, "value"), "password": text.Draw(t, "secret"), "list": []any{text.Draw(t, "item"), 1, nil}}
		for range rapid.IntRange(0, 2).Draw(t, "depth") {
			inner, _ := json.Marshal(value)
			value = map[string]any{"inner": string(inner), "after": text.Draw(t, "after")}
		}
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		hidden := list.Text(string(data), stars)
		if !json.Valid([]byte(hidden)) {
			t.Fatalf("%s\nbecame %s", data, hidden)
		}
	})
}

// No text makes it panic, and what the name of a password is given is hidden,
// whatever stands around it.
func FuzzText(f *testing.F) {
	for _, piece := range pieces {
		f.Add(piece + "hush0hush0")
	}
	f.Fuzz(func(t *testing.T, text string) {
		var list *secret.List
		if hidden := list.Text(text, stars); strings.Contains(text, "password=hush") && strings.Contains(hidden, "password=hush") {
			t.Errorf("%q is kept", hidden)
		}
		list.Value(map[string]any{text: text}, stars)
		secret.Cards(text, false)
		list.Command([]string{text, text}, stars)
	})
}

func TestMarksTellEqualSecretsAndNothingElse(t *testing.T) {
	t.Parallel()
	hide := secret.Marks(func(text string) string { return fmt.Sprint(len(text)) })
	text := (*secret.List)(nil).Text("password=abc&token=abcd", hide)
	if text != "password=(redacted-3)&token=(redacted-4)" || !secret.Marked(text) {
		t.Error(text)
	}
	if plain := secret.Plain(text); plain != "password=(redacted)&token=(redacted)" {
		t.Error(plain)
	}
}

// What a service has in a record of its own is not hidden there: a run could not
// go on from its journal.
func TestMetTellsWhatAServiceIssued(t *testing.T) {
	t.Parallel()
	yes, no := func(string) bool { return true }, func(string) bool { return false }
	m := &secret.Met{Mark: func(_, _ string) string { return "#" }}
	event := func(name, value, written string, had, has func(string) bool) (call, record string) {
		if m.Meet(name, value); m.In([]byte(written)) {
			m.Settle(had, has)
		}
		defer m.Done()
		return m.Hide(written, false), m.Hide(written, true)
	}
	if call, record := event("", "issued-before", "x issued-before", yes, yes); call != "x #" || record != "x issued-before" {
		t.Error(call, record)
	}
	if call, record := event("", "from-outside", "x from-outside", no, yes); call != "x #" || record != "x #" {
		t.Error(call, record)
	}
	if call, _ := event("", "another-one", "later from-outside", no, no); call != "later #" {
		t.Error("what a record has is shown later:", call)
	}
	if call, _ := event("pwd", "abc", `{"pwd":"abc","name":"abc"}`, no, no); call != `{"pwd":"#","name":"abc"}` {
		t.Error(call)
	}
	if call, _ := event("", "line-of-a-key\nand-another-one", `{\"a\":\"line-of-a-key\\nand-another-one\"}`, no, no); call != `{\"a\":\"#\\n#\"}` {
		t.Error("JSON in JSON:", call)
	}
	for i := range 5000 {
		event("", fmt.Sprintf("secret number %d", i), fmt.Sprintf("secret number %d", i), no, yes)
	}
	if call, _ := event("", "", "secret number 4999", no, no); call != "#" {
		t.Error("of many the newest is shown:", call)
	}
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat(`{"id":"ch_3OKitssNZ8vihI2JJYzQZQD6","object":"charge","amount":4900,"description":"An order of a book","paid":true},`, 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		(*secret.List)(nil).Text(text, stars)
	}
}
