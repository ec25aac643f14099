package gateway_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
	"parity/gateway/client"
)

// mints is a profile whose credentials are made for each run.
const mints = `
profile: mints
seed: 7
services: {stripe: {}, slack: {}}
clock: {mode: stepped}
identities:
  clerk: {presents: {minted: {stripe: STRIPE_API_KEY, slack: SLACK_BOT_TOKEN}}}
`

// minting is a gateway with a run and what an agent is given in it.
type minting struct {
	*harness
	k     *client.Client
	given map[string]string
}

func mint(t *testing.T, change ...func(*gateway.Settings)) *minting {
	t.Helper()
	h := open(t, mints, change...)
	k, err := client.New(client.Options{URL: "http://" + h.Control(), Token: h.DrawnToken()})
	if err != nil {
		t.Fatal(err)
	}
	return &minting{h, k, h.Minted(h.Run.ID)}
}

// codeOf is the code of a refusal of the control port's.
func codeOf(err error) string {
	var refused *client.Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// ask makes a call of an agent's at both services.
func (m *minting) ask(stripe, slack string) (status int, refused string, said [2]string) {
	m.t.Helper()
	c := m.proxied(false)
	status, body, header, err := call(m.t, c, "GET", "https://api.stripe.com/v1/charges", "", "Authorization", "Bearer "+stripe)
	if err != nil {
		m.t.Fatal(err)
	}
	if e, ok := body["error"].(map[string]any); ok {
		said[0], _ = e["message"].(string)
	}
	_, body, _, err = call(m.t, c, "POST", "https://slack.com/api/auth.test", "", "Authorization", "Bearer "+slack)
	if err != nil {
		m.t.Fatal(err)
	}
	said[1], _ = body["error"].(string)
	return status, header.Get("X-Parity-Refused"), said
}

// change changes the clerk's credentials.
func (m *minting) change(what string, how client.CredentialChange) []client.Credential {
	m.t.Helper()
	all, err := m.k.ChangeCredentials(m.t.Context(), m.Run.ID, "clerk", what, how)
	if err != nil {
		m.t.Fatalf("%s: %v", what, err)
	}
	return all
}

// What is made for a run is known as its identity in that run; one that was made
// for another is a stranger's. Nothing that is written has the values.
func TestMintedCredentialsAreKnownInTheirRunAlone(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	m := mint(t, logInto(&log))
	made, err := m.k.Make(t.Context(), client.NewRun{Names: []string{"other"}, Seed: "8"})
	if err != nil {
		t.Fatal(err)
	}
	others := m.Minted(made[0].ID)
	if len(m.given) != 2 || others["STRIPE_API_KEY"] == m.given["STRIPE_API_KEY"] {
		t.Fatalf("given %v, and the other run %v", m.given, others)
	}
	for _, given := range []map[string]string{m.given, others} {
		if status, _, said := m.ask(given["STRIPE_API_KEY"], given["SLACK_BOT_TOKEN"]); status != http.StatusOK || said != [2]string{} {
			t.Errorf("%d %q", status, said)
		}
	}
	events := m.eventsOf(m.Run.ID)
	m.close()
	var who []string
	for _, e := range events {
		if e.Kind == trail.Exchanged {
			who = append(who, e.Identity)
		}
	}
	if len(who) != 4 || who[0] != "stripe-clerk" || who[1] != "slack-bot-clerk" || strings.HasSuffix(who[2], "clerk") || strings.HasSuffix(who[3], "clerk") {
		t.Errorf("the calls are of %q", who)
	}
	err = filepath.WalkDir(m.root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, value := range m.given {
			if bytes.Contains(data, []byte(value)) {
				t.Errorf("%s has %s", path, value)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	for _, value := range m.given {
		if strings.Contains(log.String(), value) {
			t.Errorf("the log has %s", value)
		}
	}
}

// A credential that is taken back between two calls is refused in the service's
// words from the next on, whatever else is wrong with the call; a replay and a fork
// keep it.
func TestRevokedBetweenTwoCalls(t *testing.T) {
	t.Parallel()
	m := mint(t)
	stripe, slack := m.given["STRIPE_API_KEY"], m.given["SLACK_BOT_TOKEN"]
	if status, _, said := m.ask(stripe, slack); status != http.StatusOK || said != [2]string{} {
		t.Fatalf("before: %d %q", status, said)
	}
	m.change("revoke", client.CredentialChange{})
	status, code, said := m.ask(stripe, slack)
	if status != http.StatusUnauthorized || code != "revoked" || !strings.HasPrefix(said[0], "Expired API Key provided: ") || said[1] != "token_revoked" {
		t.Errorf("after: %d %s %q", status, code, said)
	}
	for _, path := range []string{"/v1/nothing", "/v1/charges?limit=lots"} {
		if status, _, header, err := call(t, m.proxied(false), "GET", "https://api.stripe.com"+path, "", "Authorization", "Bearer "+stripe); status != http.StatusUnauthorized || header.Get("X-Parity-Refused") != "revoked" || err != nil {
			t.Errorf("%s: %d %s %v", path, status, header.Get("X-Parity-Refused"), err)
		}
	}
	if status, _, said := m.ask("sk_test_stranger", "xoxb-1-stranger"); status != http.StatusOK || said != [2]string{} {
		t.Errorf("others: %d %q", status, said)
	}
	fork, err := m.k.Fork(t.Context(), m.Run.ID, client.Fork{Names: []string{"branch"}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.k.Credentials(t.Context(), fork[0].ID, true)
	if err != nil || len(all) != 2 || all[0].State != "revoked" || all[1].Value != stripe {
		t.Errorf("the fork has %+v, %v", all, err)
	}
	events := m.eventsOf(m.Run.ID)
	m.close()
	var told, refused int
	for _, e := range events {
		switch {
		case e.Kind == trail.Credential:
			if told++; e.Credential.What != "revoked" || e.Credential.Identity != "clerk" || len(e.Credential.Digest) != 16 {
				t.Errorf("%+v", e.Credential)
			}
		case e.Exchange != nil && e.Exchange.Outcome == trail.Forbidden:
			refused++
			if p := e.Exchange.Policy; p == nil || p.Decision != trail.PolicyRefused || p.Code != "revoked" || p.By != "credential 1" || e.Exchange.Committed || len(e.Exchange.Strikes) > 0 || len(e.Exchange.Violations) > 0 ||
				e.Exchange.Operation != "" && e.Exchange.Intent.ID == "" {
				t.Errorf("#%d %+v: %+v", e.Seq, e.Exchange, p)
			}
		}
	}
	if told != 2 || refused != 4 {
		t.Errorf("%d events of credentials, and %d calls refused", told, refused)
	}
	var out bytes.Buffer
	if code, err := replayRun(t.Context(), &out, m.root, m.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("%d %v: %s", code, err, &out)
	}
}

// The next one is in force at once, and the one before as long as was said on the
// run's clock; one that has expired is not said to be revoked.
func TestRotatedWithGrace(t *testing.T) {
	t.Parallel()
	m := mint(t)
	stripe, slack := m.given["STRIPE_API_KEY"], m.given["SLACK_BOT_TOKEN"]
	changed := m.change("rotate", client.CredentialChange{Service: "slack", Grace: "5m"})
	next := m.Minted(m.Run.ID)
	if len(changed) != 2 || changed[0].State != "rotated" || changed[0].Until.IsZero() || changed[1].State != "in force" || next["SLACK_BOT_TOKEN"] == slack || next["STRIPE_API_KEY"] != stripe {
		t.Fatalf("%+v, and given %v", changed, next)
	}
	for _, token := range []string{slack, next["SLACK_BOT_TOKEN"]} {
		if _, _, said := m.ask(stripe, token); said != [2]string{} {
			t.Errorf("in the grace: %q", said)
		}
	}
	if _, err := m.k.MoveClock(t.Context(), m.Run.ID, client.Move{Advance: "6m"}); err != nil {
		t.Fatal(err)
	}
	if _, _, said := m.ask(stripe, slack); said[1] != "token_expired" {
		t.Errorf("after the grace: %q", said)
	}
	if _, _, said := m.ask(stripe, next["SLACK_BOT_TOKEN"]); said != [2]string{} {
		t.Errorf("the newest: %q", said)
	}
	m.change("expire", client.CredentialChange{Service: "stripe"})
	if status, code, _ := m.ask(stripe, next["SLACK_BOT_TOKEN"]); status != http.StatusUnauthorized || code != "expired" {
		t.Errorf("expired: %d %s", status, code)
	}
	m.close()
	var out bytes.Buffer
	if code, err := replayRun(t.Context(), &out, m.root, m.Run.ID, ""); code != 0 || err != nil {
		t.Errorf("%d %v: %s", code, err, &out)
	}
}

// What cannot be changed is refused with what to do, and an agent changes nothing.
func TestCredentialsThatCannotBeChanged(t *testing.T) {
	t.Parallel()
	m := mint(t)
	m.change("revoke", client.CredentialChange{Service: "slack"})
	for _, c := range []struct {
		identity, what string
		how            client.CredentialChange
		want           string
	}{
		{"nobody", "revoke", client.CredentialChange{}, "unknown-identity"},
		{"clerk", "revoke", client.CredentialChange{Service: "github"}, "unknown-credential"},
		{"clerk", "expire", client.CredentialChange{Service: "slack"}, "credential-ended"},
		{"clerk", "revoke", client.CredentialChange{Grace: "5m"}, "refused"},
		{"clerk", "bless", client.CredentialChange{}, "contract"},
	} {
		if _, err := m.k.ChangeCredentials(t.Context(), m.Run.ID, c.identity, c.what, c.how); codeOf(err) != c.want {
			t.Errorf("%s %s %+v: %v", c.what, c.identity, c.how, err)
		}
	}
	own, err := client.New(client.Options{URL: "http://" + m.Control(), Token: m.Run.Token})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.ChangeCredentials(t.Context(), m.Run.ID, "clerk", "rotate", client.CredentialChange{}); codeOf(err) != "operator-only" {
		t.Errorf("the agent itself: %v", err)
	}
	if _, err := own.Credentials(t.Context(), m.Run.ID, true); codeOf(err) != "operator-only" {
		t.Errorf("the agent itself: %v", err)
	}
}

// A write to no operation that policy refuses has no intent: looking for one broke
// the exchange, and the client had a 500.
func TestWritesToNoOperationAreRefusedByPolicy(t *testing.T) {
	t.Parallel()
	h := open(t, quiet, func(s *gateway.Settings) { s.Stage = 1 })
	status, _, header, err := call(t, h.proxied(false), "POST", "https://api.stripe.com/v1/nothing", "a=b", "Authorization", "Bearer sk_test_1")
	if status != http.StatusForbidden || header.Get("X-Parity-Refused") != "no-policy" || err != nil {
		t.Errorf("%d %s %v", status, header.Get("X-Parity-Refused"), err)
	}
}
