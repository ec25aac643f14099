package secret_test

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parity/specs/secret"
)

// joined keeps what looks real out of this file: scanners read it, too.
func joined(parts ...string) string { return strings.Join(parts, "") }

// whole are credentials of full form that nobody was given.
func whole() map[string]string {
	return map[string]string{
		joined("sk_", "live_", "51HxQm2eZvKYlo2C8qvUDkRt"):                                                                                     "a live secret key of Stripe",
		joined("rk_", "live_", "51HxQm2eZvKYlo2C8qvUDkRt", strings.Repeat("Zy9k", 18)):                                                         "a live restricted key of Stripe",
		joined("ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"):                                                                             "a token of GitHub",
		joined("github_", "pat_", "11BQ5ZMGA0kM8sZVtq3Yw2", "_", strings.Repeat("uW3kP9qLx2", 6)[:59]):                                         "a fine-grained token of GitHub",
		joined("xoxb-", "263594206564-2343594206574-", "FGqddMF8t08v8N7Oq4i57vs1"):                                                             "a bot token of Slack",
		joined("xoxp-", "263594206564-2343594206574-2343594206575-", "3c7b1f0a9d2e4c6b8a0f1e3d5c7b9a1f"):                                       "a user token of Slack",
		joined("SG.", "ngeVfQFYQlKU0ufo8x5d1A", ".", "TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr"):                                            "an API key of SendGrid",
		joined("AKIA", "QYLPMN5HFIQR7XYA"):                                                                                                     "an access key of AWS",
		joined("AIza", "SyDk7uY2mB9qWc4Tz8LxP1vR6nJ3hGfEoAs"):                                                                                  "an API key of Google",
		joined("-----BEGIN ", "PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----"): "a private key",
		joined("-----BEGIN RSA ", `PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7vJ3ZJ9sQ0pX8mWcYt2LrKfN5gHbD4eUaT6oPiSxVqCkRzMy\n`):                      "a private key",
	}
}

func TestRealCredentialsAreToldWhereverTheyStand(t *testing.T) {
	t.Parallel()
	for key, kind := range whole() {
		for _, around := range []string{"%s", "Bearer %s", `{"note":"use %s, please"}`, "a=%s&b=2", "https://me:%s@x.example", `it is\n%s`, "%s.", "(%s)"} {
			text := fmt.Sprintf(around, key)
			found, ok := secret.Real(text, 0)
			if !ok || found.Kind != kind || !strings.HasPrefix(text[found.From:], key[:8]) {
				t.Errorf("%s: %v %v, want %s", text, found, ok, kind)
				continue
			}
			if again, ok := secret.Real([]byte(text), found.To); ok {
				t.Errorf("%s: found again at %d", text, again.From)
			}
			if !strings.HasPrefix(kind, "a private") && text[found.From:found.To] != key {
				t.Errorf("%s: found %q", text, text[found.From:found.To])
			}
		}
	}
}

// What is refused has to be masked as well, wherever it is told.
func TestWhatIsRealIsMasked(t *testing.T) {
	t.Parallel()
	var list *secret.List
	for key := range whole() {
		hidden := list.Text("use "+key+" now", stars)
		if _, ok := secret.Real(hidden, 0); ok || strings.Contains(hidden, key[len(key)/2:]) {
			t.Errorf("%s is left of %s", hidden, key)
		}
	}
}

func TestWhatIsMadeUpIsNoRealCredential(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "s", "sk_", joined("sk_", "test_51HxQm2eZvKYlo2C8qvUDkRt"), joined("sk_", "live_abc"), "sk_live_", joined("pk_", "live_51HxQm2eZvKYlo2C8qvUDkRt"), joined("risk_", "live_51HxQm2eZvKYlo2C8qvUDkRt") + "_x",
		"ghp_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18", "ghp_releasebot0000000000000000000000000000", "ghs_" + strings.Repeat("aB3", 12), "github_pat_11_x",
		"xoxb-1-fidelity", "xoxb-desk", "xoxb-263594206564-2343594206574-0", "xoxp-mei", "SG.fxReadOnly.parity", "SG.none.fidelity",
		joined("SG.", "ngeVfQFYQlKU0ufo8x5d1A", ".", "ParityiGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5"), "AKIAIOSFODNN7EXAMPLE", "AKIA", "MAKIAQYLPMN5HFIQR7XYA", "AIzaShort",
		"-----BEGIN CERTIFICATE-----\nMIIB", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----" + strings.Repeat("A", 100), "eyJ", "eyJhbGciOiJub25lIn0.e30.x",
	} {
		if found, ok := secret.Real(text, 0, "https://idp.example"); ok {
			t.Errorf("%s: %s", text, found.Kind)
		}
	}
}

func TestWebTokensOfNamedIssuersAreReal(t *testing.T) {
	t.Parallel()
	part := base64.RawURLEncoding.EncodeToString
	token := part([]byte(`{"alg":"RS256"}`)) + "." + part([]byte(`{"iss":"https://idp.example","sub":"ada"}`)) + ".c2ln"
	if found, ok := secret.Real("Bearer "+token+";", 0, "https://other.example", "https://idp.example"); !ok || found.To-found.From != len(token) {
		t.Errorf("%v %v", found, ok)
	}
	for _, issuers := range [][]string{nil, {"https://other.example"}, {""}} {
		if found, ok := secret.Real(token, 0, issuers...); ok {
			t.Errorf("%v: %s", issuers, found.Kind)
		}
	}
}

// A token of GitHub's is told by its checksum alone.
func TestTokensOfGitHubAreToldByTheirChecksum(t *testing.T) {
	t.Parallel()
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching("[0-9A-Za-z]{30}").Draw(t, "body")
		sum := crc32.ChecksumIEEE([]byte(body))
		end := make([]byte, 6)
		for i := 5; i >= 0; i-- {
			end[i] = digits[sum%62]
			sum /= 62
		}
		if _, ok := secret.Real("ghs_"+body+string(end), 0); !ok {
			t.Fatalf("%s%s is none", body, end)
		}
		end[5] = digits[(strings.IndexByte(digits, end[5])+1)%62]
		if _, ok := secret.Real("ghs_"+body+string(end), 0); ok {
			t.Fatalf("%s%s is one", body, end)
		}
	})
}

func FuzzReal(f *testing.F) {
	for key := range whole() {
		f.Add("x"+key, 1)
	}
	f.Fuzz(func(t *testing.T, text string, from int) {
		if from < 0 {
			return
		}
		if found, ok := secret.Real(text, from, "a"); ok && (found.From < from || found.To <= found.From || found.To > len(text)) {
			t.Errorf("%q from %d: %+v", text, from, found)
		}
	})
}

// ordinary is a reply as services give them.
var ordinary = strings.Repeat(`{"id":"ch_3MmlLrLkdIwHu7ix0snN0B15","object":"charge","amount":1099,"created":1679090539,"description":"Sold to Ada, who has a light xylophone","metadata":{"order_id":"6735","is_live":"no"},"receipt_url":"https://pay.example/receipts/payment/CAcaFwoV"},`, 40)

func BenchmarkRealInOrdinaryTraffic(b *testing.B) {
	body := []byte(ordinary)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := secret.Real(body, 0); ok {
			b.Fatal("found one")
		}
	}
}
