package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Marks are there to be quick: what they pass over has nothing to hide.
func TestMarksMissNothing(t *testing.T) {
	t.Parallel()
	m := newMasker()
	pieces := []string{
		"sk_test_", "rk_live_", "sk-", "sk-ant-", "whsec_", "pi_1_secret_", "xoxb-", "ghp_", "github_pat_", "glpat-", "SG.", "AKIA", "pat-eu1-",
		"eyJ", ".", "Authorization: ", "authorization=", "Bearer ", "BASIC ", "Basic ", "https://", "me:", "@", `"`, `\"`, "=", "&", ": ", `\n`, `\u0026`,
		"client_secret", "Password", "passwd", "api_key", "apiKey", "access_token", "REFRESH_TOKEN", "id_token", "private_key", "ſecret", "API_\u212aEY",
		"hush0hush0", "x", " ", "4242424242424242", "378282246310005", "\xff", "é", ",", `":"`, "secret",
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "long") { // long texts are looked at in pieces
			s = strings.Repeat(s+`","`, 30)
		}
		want := s
		for _, shape := range m.shapes {
			want = shape.re.ReplaceAllString(want, shape.keep)
		}
		want = m.card.ReplaceAllStringFunc(want, m.number)
		if got := m.mask(s); got != want {
			t.Fatalf("mask(%q) = %q, want %q", s, got, want)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	m := newMasker()
	text := strings.Repeat(`{"id":"ch_3OKitssNZ8vihI2JJYzQZQD6","object":"charge","amount":4900,"description":"An order of a book","paid":true},`, 40)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		m.mask(text)
	}
}
