package gateway_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Records of what was done for a connected account did not say for which, and a
// replay did it for the platform.
func TestACallForAnAccountReplays(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: shop\nseed: 7\nservices: {stripe: {}}\nclock: {mode: stepped}\n")
	b := &bench{h, h.proxied(false)}
	key := []string{"Authorization", "Bearer sk_test_parityparity", "Content-Type", "application/x-www-form-urlencoded"}
	var made struct{ ID string }
	if _, text := b.does(ask{"POST", "https://api.stripe.com/v1/accounts", "type=standard"}, key...); json.Unmarshal([]byte(text), &made) != nil {
		t.Fatal(text)
	}
	if reply, text := b.does(ask{"POST", "https://api.stripe.com/v1/customers", "name=Ada"}, append(key, "Stripe-Account", made.ID)...); reply.StatusCode != 200 {
		t.Fatal(text)
	}
	b.replays()
}

// Nor did records say of what age the client's copy was, and by which version it
// asked.
func TestACallByItsHeadersReplays(t *testing.T) {
	t.Parallel()
	h := open(t, "profile: repo\nseed: 7\nservices: {github: {}}\nclock: {mode: stepped}\n")
	b := &bench{h, h.proxied(false)}
	for status, header := range map[int][]string{304: {"If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"}, 200: {"X-GitHub-Api-Version", "2026-03-10"}} {
		if reply, text := b.does(ask{"GET", "https://api.github.com/user", ""}, append(header, "Authorization", "Bearer ghp_rehearsal", "User-Agent", "x")...); reply.StatusCode != status {
			t.Errorf("%v: %d %s", header, reply.StatusCode, text)
		}
	}
	b.replays()
}

// What was approved for one connected account was done for another.
func TestAnApprovalIsOfOneAccount(t *testing.T) {
	t.Parallel()
	h := open(t, strings.Replace(deskWhere("answer: refuse", "decides: approve, after: 1s"), "may: irreversible", "may: admin", 1))
	b := &bench{h, h.proxied(false)}
	var accounts []string
	for range 2 {
		var made struct{ ID string }
		if _, text := b.does(ask{"POST", "https://api.stripe.com/v1/accounts", "type=standard"}, "Authorization", "Bearer sk_test_parityparity", "Content-Type", "application/x-www-form-urlencoded"); json.Unmarshal([]byte(text), &made) != nil {
			t.Fatal(text)
		}
		accounts = append(accounts, made.ID)
	}
	one, other := []string{"Stripe-Account", accounts[0]}, []string{"Stripe-Account", accounts[1]}
	asked := asks(t, h, "Ada", one...)
	if got := asks(t, h, "Ada", other...); got.Code != "approval-required" || got.id == asked.id {
		t.Errorf("for the other account: %+v, after %+v", got, asked)
	}
	if got := asks(t, h, "Ada"); got.Code != "approval-required" || got.id == asked.id {
		t.Errorf("for its own: %+v, after %+v", got, asked)
	}
	if got := asks(t, h, "Ada", one...); got.Status != 200 || got.id != asked.id {
		t.Errorf("for the one: %+v, after %+v", got, asked)
	}
	if record, ok := h.Run.World().Get("parity.approvals", asked.id); !ok || !strings.Contains(string(record.JSON()), `"account":"`+accounts[0]+`"`) {
		t.Errorf("the account is not shown: %v", record)
	}
	b.replays()
}
