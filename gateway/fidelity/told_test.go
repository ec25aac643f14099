package fidelity

import "testing"

// A reply that a recording had under db_password came out in the differences
// that are proposed for a profile.
func TestADifferenceTellsNoSecret(t *testing.T) {
	t.Parallel()
	for at, text := range map[string]string{"/db_password": "hush", "/owner/client_secret": "hush", "/note": "use sk_live_51Hush"} {
		if got := unsecret(at, text); got == text {
			t.Errorf("%s tells %s", at, got)
		}
	}
	for at, text := range map[string]string{"/id": "cus_1", "/next_page_token": "c2", "/db_password": ""} {
		if got := unsecret(at, text); got != text {
			t.Errorf("%s tells %s, not %s", at, got, text)
		}
	}
}
