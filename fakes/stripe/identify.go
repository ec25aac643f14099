package stripe

import (
	"net/http"
	"strings"

	"parity/fakes"
	"parity/fakes/kit"
)

// Texts of Stripe's 401.
const (
	noKey = "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/."

	liveKey = "This is a rehearsal (Parity plays Stripe here) and it takes test keys only, such as sk_test_123. The key sent is a live one: it was refused and not kept. Keep live keys out of rehearsals."

	publishableKey = "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys."
)

// Identify reads the secret key, from Bearer or as the user name of Basic.
func (f *Fake) Identify(p fakes.Credentials) (string, *fakes.Problem) {
	key := secretKey(p.Header)
	switch {
	case key == "":
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: noKey}
	case strings.HasPrefix(key, "sk_live_"), strings.HasPrefix(key, "rk_live_"):
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: liveKey}
	case strings.HasPrefix(key, "pk_"):
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: publishableKey, Code: "secret_key_required"}
	case !testKey(key):
		return "", &fakes.Problem{Kind: fakes.Unauthorised, Message: "Invalid API Key provided: " + masked(key)}
	}
	return key, nil
}

// secretKey takes the key out of an Authorization header; "" when there is
// none.
func secretKey(h http.Header) string {
	sent := kit.AuthorizationOf(h)
	if sent.Is("Bearer") {
		return sent.Rest
	}
	user, _, _ := sent.Basic()
	return user
}

// testKey accepts any secret or restricted key of test mode.
func testKey(key string) bool { return kit.Prefixed(key, "_", "sk_test_", "rk_test_") }

// masked shows a key as Stripe's errors do: its kind and its last four
// characters.
func masked(key string) string {
	const shown, tail = 8, 4
	key = strings.Map(printable, key)
	if len(key) <= shown+tail {
		return key[:min(len(key), tail)] + strings.Repeat("*", max(0, len(key)-tail))
	}
	return key[:shown] + strings.Repeat("*", len(key)-shown-tail) + key[len(key)-tail:]
}

// printable keeps what came in a header from reaching a JSON text as anything
// but plain characters.
func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '?'
	}
	return r
}
