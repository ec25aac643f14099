package kit_test

import (
	"net/http"
	"testing"

	"parity/fakes/kit"
)

func TestAuthorization(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]struct {
		scheme, rest, user, password string
		basic                        bool
	}{
		"":                          {},
		"Bearer sk_test_1":          {scheme: "Bearer", rest: "sk_test_1"},
		"  Bearer   a b ":           {scheme: "Bearer", rest: "a b"},
		"key":                       {scheme: "key"},
		"basic YWRhOnM6MQ==":        {scheme: "basic", rest: "YWRhOnM6MQ==", user: "ada", password: "s:1", basic: true},
		"Basic YWRh":                {scheme: "Basic", rest: "YWRh", user: "ada", basic: true},
		"Basic ?":                   {scheme: "Basic", rest: "?"},
		"Bearer YWRhOnNlY3JldA==\t": {scheme: "Bearer", rest: "YWRhOnNlY3JldA=="},
	} {
		got := kit.AuthorizationOf(http.Header{"Authorization": {header}})
		user, password, basic := got.Basic()
		if got.Scheme != want.scheme || got.Rest != want.rest || user != want.user || password != want.password || basic != want.basic {
			t.Errorf("%q: %+v, user %q, password %q, basic %t", header, got, user, password, basic)
		}
	}
	if sent := (kit.Authorization{Scheme: "TOKEN"}); !sent.Is("Bearer", "token") || sent.Is("Bearer") {
		t.Error("a scheme is compared by its case, or is any")
	}
}

func TestPrefixed(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]bool{
		"ghp_aZ9": true, "gho_a-b": true, "ghp_": false, "ghp_a b": false, "ghp_ü": false, "ghx_a": false, "": false, "ghp_\xff": false,
	} {
		if kit.Prefixed(token, "-", "ghp_", "gho_") != want {
			t.Errorf("%q: not %t", token, want)
		}
	}
}
