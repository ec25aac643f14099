package gateway_test

import (
	"slices"
	"strings"
	"testing"

	"parity/faults/trail"
	"parity/gateway"
)

// Who calls goes by the name that the profile gives, and nothing is kept of the
// credential that shows it.
func TestIdentitiesGoByTheirNames(t *testing.T) {
	t.Parallel()
	const fromEnv, asValue, other = "sk_test_fromEnvironment00000001", "sk_test_asValue0000000000000002", "sk_test_somebodyElse000000000003"
	h := open(t, quiet+"identities:\n  support-bot: {presents: {env: BOT_KEY}}\n  billing: {presents: {value: "+asValue+"}}\n  nobody: {presents: {env: UNSET}}\n",
		func(s *gateway.Settings) {
			s.Getenv = func(name string) string { return map[string]string{"BOT_KEY": fromEnv}[name] }
		})
	c := h.proxied(false)
	for _, key := range []string{fromEnv, asValue, other} {
		must(t, c, "GET", "https://api.stripe.com/v1/charges", "", "Authorization", "Bearer "+key)
	}
	events, _ := h.events()
	var who []string
	for _, e := range events {
		if e.Kind == trail.Exchanged {
			who = append(who, e.Identity)
		}
	}
	if len(who) != 3 || who[0] != "stripe-support-bot" || who[1] != "stripe-billing" || !strings.HasPrefix(who[2], "stripe-") || len(who[2]) != len("stripe-")+8 {
		t.Errorf("identities %q", who)
	}
}

// A session ends when the profile says, for the identity that has it alone.
func TestSessionsOfIdentitiesEnd(t *testing.T) {
	t.Parallel()
	const bot, billing = "sk_test_theBot000000000000000001", "sk_test_billing00000000000000002"
	h := open(t, quiet+"identities:\n  bot: {presents: {value: "+bot+"}, session: {ttl: 1500ms}}\n  billing: {presents: {value: "+billing+"}}\n")
	c := h.proxied(false)
	var got []int
	for _, key := range []string{bot, bot, bot, billing, bot} {
		status, _, _, err := call(t, c, "GET", "https://api.stripe.com/v1/charges", "", "Authorization", "Bearer "+key)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, status)
	}
	if want := []int{200, 200, 401, 200, 401}; !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
}
