package ingress

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parity/fakes/clock"
)

func openCA(t *testing.T, dir string) *CA {
	t.Helper()
	ca, err := OpenCA(CAOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return ca
}

func TestCAIsMadeOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "ca")
	var all sync.WaitGroup
	made := make([]*CA, 10)
	for i := range made {
		all.Go(func() { made[i] = openCA(t, dir) })
	}
	all.Wait()
	for _, ca := range made {
		if !ca.Certificate().Equal(made[0].Certificate()) {
			t.Fatal("two CAs in one folder")
		}
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, keyFile: 0o600, certFile: 0o644} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("%d files are left", len(entries))
	}
	public, err := os.ReadFile(made[0].Path())
	if err != nil || !bytes.Equal(public, made[0].CertPEM()) || bytes.Contains(public, []byte("PRIVATE")) {
		t.Errorf("%s, %v", public, err)
	}
	c := made[0].Certificate()
	if !c.IsCA || c.MaxPathLen != 0 || !c.MaxPathLenZero || c.SerialNumber.BitLen() > 129 {
		t.Errorf("%+v", c)
	}
}

func TestCAIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(dir string) error
		want   string
	}{
		{"open folder", func(dir string) error { return os.Chmod(dir, 0o750) }, "chmod 700 "},
		{"open key", func(dir string) error { return os.Chmod(filepath.Join(dir, keyFile), 0o640) }, "chmod 600 "},
		{"linked key", func(dir string) error { // whose folder may be anybody's
			return errors.Join(os.Rename(filepath.Join(dir, keyFile), dir+"-key"), os.Symlink(dir+"-key", filepath.Join(dir, keyFile)))
		}, "is a link"},
		{"no key", func(dir string) error { return os.WriteFile(filepath.Join(dir, keyFile), []byte("x"), 0o600) }, "delete " + keyFile},
		{"half a file", func(dir string) error { return os.Truncate(filepath.Join(dir, keyFile), 300) }, "delete " + keyFile},
		{"mixed up", func(dir string) error {
			a, err := os.ReadFile(filepath.Join(dir, keyFile))
			if err != nil {
				return err
			}
			b, err := newCA(time.Now())
			if err != nil {
				return err
			}
			mixed := append(a[:bytes.Index(a, []byte("-----BEGIN CERT"))], b[bytes.Index(b, []byte("-----BEGIN CERT")):]...)
			return os.WriteFile(filepath.Join(dir, keyFile), mixed, 0o600)
		}, "not the key's"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "ca")
			openCA(t, dir)
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := OpenCA(CAOptions{Dir: dir}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A later wall is the system's, some years on.
type later struct {
	clock.System
	by time.Duration
}

func (w later) Now() time.Time { return w.System.Now().Add(w.by) }

func TestCAOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		owner, self int
		want        bool
	}{{1000, 1000, true}, {0, 1000, true}, {0, 0, true}, {1000, 0, false}, {1001, 1000, false}} {
		if trusted(c.owner, c.self) != c.want {
			t.Errorf("what belongs to %d is as good as one's own to %d: %v", c.owner, c.self, !c.want)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	for _, given := range []string{"", "ca-key.pem"} {
		dir := filepath.Join(t.TempDir(), "ca")
		if _, err := OpenCA(CAOptions{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(filepath.Join(dir, given), 12345, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenCA(CAOptions{Dir: dir}); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
			t.Errorf("%q of another user: %v", given, err)
		}
	}
}

func TestCAExpires(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ca")
	year := 365 * 24 * time.Hour
	openCA(t, dir)
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	ca, err := OpenCA(CAOptions{Dir: dir, Wall: later{by: 10*year - 20*24*time.Hour}, Log: logger})
	if err != nil || !strings.Contains(log.String(), "expires soon") {
		t.Fatalf("%v, %q", err, log.String())
	}
	leaf, err := ca.Leaf("x.example")
	if err != nil || leaf.Leaf.NotAfter.After(ca.Expires()) {
		t.Errorf("a leaf outlives its CA: %v", err)
	}
	if _, err := OpenCA(CAOptions{Dir: dir, Wall: later{by: 11 * year}}); err == nil || !strings.Contains(err.Error(), "expired on") {
		t.Errorf("%v", err)
	}
}

func TestLeaves(t *testing.T) {
	t.Parallel()
	ca := openCA(t, filepath.Join(t.TempDir(), "ca"))
	roots := x509.NewCertPool()
	roots.AddCert(ca.Certificate())
	serials := map[string]bool{}
	for _, host := range []string{"api.stripe.com", "127.0.0.1", "::1", "xn--bcher-kva.example", strings.Repeat("a.", 100) + "example"} {
		cert, err := ca.Leaf(host)
		if err != nil {
			t.Fatal(err)
		}
		name := host
		if strings.Contains(host, ":") {
			name = "[" + host + "]"
		}
		_, err = cert.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}})
		if err != nil {
			t.Errorf("%s: %v", host, err)
		}
		if _, ok := cert.PrivateKey.(*ecdsa.PrivateKey); !ok || len(cert.Certificate) != 2 || serials[cert.Leaf.SerialNumber.String()] {
			t.Errorf("%s: %d in the chain", host, len(cert.Certificate))
		}
		serials[cert.Leaf.SerialNumber.String()] = true
		if valid := cert.Leaf.NotAfter.Sub(cert.Leaf.NotBefore); valid >= 200*24*time.Hour {
			t.Errorf("%s: valid for %v", host, valid)
		}
	}
	one, _ := ca.Leaf("API.Stripe.com.")
	two, _ := ca.Leaf("api.stripe.com")
	if one != two {
		t.Error("two leaves for one host")
	}
	ca.wall = later{by: leafTime - time.Hour}
	if three, _ := ca.Leaf("api.stripe.com"); three == two {
		t.Error("a leaf is served to its end")
	}
	for _, host := range []string{"", "*.stripe.com", "a..b", strings.Repeat("a", 300), "a b", "0x7f.1", "a/b"} {
		if _, err := ca.Leaf(host); err == nil {
			t.Errorf("a leaf for %q", host)
		}
	}
}

// Go's own verifier is not the only one that a chain has to please.
func TestOpenSSLVerifiesALeaf(t *testing.T) {
	t.Parallel()
	openssl, err := exec.LookPath("openssl")
	if err != nil {
		t.Skip("openssl is not installed")
	}
	ca := openCA(t, filepath.Join(t.TempDir(), "ca"))
	leaf, err := ca.Leaf("api.stripe.com")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "leaf.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Certificate[0]}), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), openssl, "verify", "-x509_strict", "-purpose", "sslserver",
		"-verify_hostname", "api.stripe.com", "-CAfile", ca.Path(), file).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestLeavesAreBounded(t *testing.T) {
	t.Parallel()
	ca, err := OpenCA(CAOptions{Dir: filepath.Join(t.TempDir(), "ca"), MaxLeaves: 3})
	if err != nil {
		t.Fatal(err)
	}
	first, _ := ca.Leaf("h0.example")
	for i := range 50 {
		if _, err := ca.Leaf(fmt.Sprintf("h%d.example", i)); err != nil {
			t.Fatal(err)
		}
		if again, _ := ca.Leaf("h0.example"); again != first {
			t.Fatal("the leaf in use was dropped")
		}
	}
	if len(ca.leaves.byHost) != 3 || ca.leaves.recent.Len() != 3 {
		t.Errorf("%d leaves are kept", len(ca.leaves.byHost))
	}
}

func TestBundle(t *testing.T) {
	t.Parallel()
	ca := openCA(t, filepath.Join(t.TempDir(), "ca"))
	other := openCA(t, filepath.Join(t.TempDir(), "other"))
	dir := t.TempDir()
	file := filepath.Join(dir, "roots.pem")
	if err := os.WriteFile(file, bytes.TrimSpace(other.CertPEM()), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name, value string) func(string) string {
		return func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}
	}
	for _, getenv := range []func(string) string{env("SSL_CERT_FILE", file), env("SSL_CERT_DIR", dir)} {
		var b bytes.Buffer
		if err := ca.Bundle(&b, getenv); err != nil {
			t.Fatal(err)
		}
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(b.Bytes()) {
			t.Fatal("not PEM")
		}
		for _, c := range []*CA{ca, other} {
			if _, err := c.Certificate().Verify(x509.VerifyOptions{Roots: pool}); err != nil {
				t.Error(err)
			}
		}
	}
	if err := ca.Bundle(&bytes.Buffer{}, env("SSL_CERT_FILE", filepath.Join(dir, "none"))); err == nil || errors.Is(err, ErrNoSystemRoots) {
		t.Errorf("%v", err)
	}
	var b bytes.Buffer
	if err := ca.Bundle(&b, env("", "")); err != nil && !errors.Is(err, ErrNoSystemRoots) {
		t.Error(err)
	}
	if !bytes.Contains(b.Bytes(), ca.CertPEM()) {
		t.Error("our own CA is missing")
	}
}

func TestParseAuthority(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"api.stripe.com", "api.stripe.com:443"},
		{"API.Stripe.COM.:8443", "api.stripe.com:8443"},
		{"[::1]:80", "[::1]:80"},
		{"[2001:DB8:0::1]", "[2001:db8::1]:443"},
		{"[::ffff:10.0.0.1]", "10.0.0.1:443"},
		{"127.0.0.1", "127.0.0.1:443"},
		{"bücher.example", "xn--bcher-kva.example:443"},
		{"a_b.example", "a_b.example:443"},
	} {
		if got, err := ParseAuthority(c.in, 443); err != nil || got.String() != c.want {
			t.Errorf("%q: %v, %v", c.in, got, err)
		}
	}
	for _, in := range []string{
		"", ".", ":", ":443", "a:", "a:0", "a:65536", "a:+1", "a:1:2", "::1", "[::1", "[::1]x", "[::1]:", "[a]", "[fe80::1%25lo]",
		"fe80::1%lo", "*.x", "a..b", ".a", "-a.b", "a-.b", "a b", "a@b", "a/b", "a%2eb", "1.2.3", "1.2.3.4.5", "0x7f.1", "2130706433", "0177.0.0.1", "256.1.1.1",
		"a\x00b", strings.Repeat("a", 64), strings.Repeat("a.", 150),
	} {
		if got, err := ParseAuthority(in, 443); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func FuzzParseAuthority(f *testing.F) {
	for _, s := range []string{"a:1", "[::1]:2", "bücher.example", "0x7f.1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAuthority(s, 443)
		if err != nil {
			return
		}
		if again, err := ParseAuthority(a.String(), 1); err != nil || again != a {
			t.Errorf("%q is %v, which is %v, %v", s, a, again, err)
		}
	})
}
