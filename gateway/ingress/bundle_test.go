package ingress

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A bundle for a CA elsewhere is the one that its own gateway would write.
func TestBundleOfACAElsewhere(t *testing.T) {
	t.Parallel()
	ca := openCA(t, filepath.Join(t.TempDir(), "ca"))
	other := openCA(t, filepath.Join(t.TempDir(), "other"))
	roots := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots, other.CertPEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", roots} {
		getenv := func(name string) string { return map[string]string{"SSL_CERT_FILE": file}[name] }
		var own, elsewhere, again bytes.Buffer
		ownErr := ca.Bundle(&own, getenv)
		err := Bundle(&elsewhere, bytes.TrimSpace(ca.CertPEM()), getenv) // as JSON may have brought it
		if !bytes.Equal(own.Bytes(), elsewhere.Bytes()) || !errors.Is(err, ownErr) {
			t.Errorf("%d bytes and %v, not %d and %v", elsewhere.Len(), err, own.Len(), ownErr)
		}
		inner := filepath.Join(t.TempDir(), "inner.pem")
		if err := os.WriteFile(inner, own.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Bundle(&again, ca.CertPEM(), func(string) string { return inner }); err != nil || again.Len() != own.Len() {
			t.Errorf("a second time: %d bytes, not %d, %v", again.Len(), own.Len(), err)
		}
	}
}

// certificate makes one, and its key, in PEM.
func certificate(t *testing.T, change func(*x509.Certificate)) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "elsewhere"},
		NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	change(template)
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

func TestCheckAuthority(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	good, key := certificate(t, func(*x509.Certificate) {})
	another, _ := certificate(t, func(*x509.Certificate) {})
	host, _ := certificate(t, func(c *x509.Certificate) { c.IsCA, c.KeyUsage = false, x509.KeyUsageDigitalSignature })
	bare, _ := certificate(t, func(c *x509.Certificate) { c.IsCA, c.BasicConstraintsValid, c.KeyUsage = false, false, 0 })
	signsNothing, _ := certificate(t, func(c *x509.Certificate) { c.KeyUsage = x509.KeyUsageCRLSign })
	block, _ := pem.Decode([]byte(good))
	broken := *block
	broken.Bytes = broken.Bytes[:len(broken.Bytes)-1]
	for _, c := range []struct {
		name, cert string
		now        time.Time
		want       string // "": it is good
	}{
		{"good", good, now, ""},
		{"good, with space around it", "\n" + good + "\n\n", now, ""},
		{"empty", "", now, "is this the control URL"},
		{"a page", "<html>404</html>", now, "is this the control URL"},
		{"two", good + another, now, "one certificate"},
		{"text before it", "# trust me\n" + good, now, "one certificate"},
		{"text behind it", good + "and more", now, "one certificate"},
		{"a key behind it", good + key, now, "a private key"},
		{"a key before it", key + good, now, "a private key"},
		{"a key alone", key, now, "a private key"},
		{"an old kind of key", good + "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n", now, "a private key"},
		{"a request to sign", strings.ReplaceAll(good, "CERTIFICATE", "CERTIFICATE REQUEST"), now, "one certificate"},
		{"cut short", good[:len(good)/2], now, "one certificate"},
		{"broken", string(pem.EncodeToMemory(&broken)), now, "cannot be read"},
		{"a host's", host, now, "no CA's"},
		{"no constraints", bare, now, "no CA's"},
		{"may not sign", signsNothing, now, "no CA's"},
		{"expired", good, time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC), "expired on 2027-01-01"},
		{"not valid yet", good, time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC), "clocks"},
	} {
		err := checkAuthority([]byte(c.cert), c.now)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	ca := openCA(t, filepath.Join(t.TempDir(), "ca"))
	if err := CheckAuthority(ca.CertPEM()); err != nil {
		t.Errorf("our own: %v", err)
	}
}
