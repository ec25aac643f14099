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
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"parity/fakes/clock"
	"parity/specs/file"
)

// Names of the CA's files in its folder.
const (
	keyFile  = "ca-key.pem" // key and certificate, never served
	certFile = "ca.pem"     // the certificate alone, for clients to trust
)

// How long a CA is valid, and how long before its end it is warned of. A CA of
// ten years outlives the machine that it was made on; one that ends in the
// middle of somebody's work costs them a day.
const (
	caYears   = 10
	caWarning = 30 * 24 * time.Hour
	backdated = 24 * time.Hour // for clients whose clock is behind
)

// CAOptions say where a CA is kept. Dir is required.
type CAOptions struct {
	Dir  string       // made if missing, mode 0700
	Wall clock.Wall   // default: clock.System
	Log  *slog.Logger // default: discard; warns 30 days before the CA ends
	// MaxLeaves bounds the cached leaf certificates; default 1024.
	MaxLeaves int
}

// A CA signs the leaf certificates of intercepted hosts.
type CA struct {
	dir    string
	wall   clock.Wall
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	leaves leaves
	// spare are the leaves of hosts that are refused. They are kept apart:
	// whoever asks for ever new names delays, and drops, no other's.
	spare leaves
}

// OpenCA loads the CA that is kept in a folder, or makes it there on first
// use; of several processes that make one at once, one wins and all use it. It
// refuses a folder or key that others can read, and a CA that has expired; the
// error says what to do.
func OpenCA(opt CAOptions) (*CA, error) {
	if opt.Wall == nil {
		opt.Wall = clock.System{}
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the CA's folder: %w", err)
	}
	folder, err := os.Stat(opt.Dir)
	if err == nil {
		err = private(opt.Dir, folder, "700")
	}
	if err != nil {
		return nil, fmt.Errorf("the CA: %w", err)
	}
	path := filepath.Join(opt.Dir, keyFile)
	now := opt.Wall.Now()
	content, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeCA(path, now); err == nil {
			content, err = readKey(path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the CA: %w", err)
	}
	ca, err := parseCA(content)
	if err != nil {
		return nil, fmt.Errorf("the CA in %s: %w: delete %s and %s there, start again, and trust the new one", opt.Dir, err, keyFile, certFile)
	}
	ca.dir, ca.wall = opt.Dir, opt.Wall
	ca.leaves, ca.spare = newLeaves(opt.MaxLeaves), newLeaves(spareLeaves)
	switch left := ca.cert.NotAfter.Sub(now); {
	case left <= 0:
		return nil, fmt.Errorf("the CA in %s expired on %s: delete %s and %s there, start again, and trust the new one",
			opt.Dir, ca.cert.NotAfter.Format(time.DateOnly), keyFile, certFile)
	case left < caWarning:
		opt.Log.Warn("the CA expires soon: delete its files, start again, and trust the new one", "dir", opt.Dir, "expires", ca.cert.NotAfter)
	}
	if err := ca.publish(); err != nil {
		return nil, fmt.Errorf("writing the CA's certificate: %w", err)
	}
	return ca, nil
}

// CertPEM is the certificate for clients to trust.
func (ca *CA) CertPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca.cert.Raw})
}

// Path is the file that holds CertPEM.
func (ca *CA) Path() string { return filepath.Join(ca.dir, certFile) }

// Expires is when the CA ends.
func (ca *CA) Expires() time.Time { return ca.cert.NotAfter }

// Certificate is the CA's own certificate; it may not be changed.
func (ca *CA) Certificate() *x509.Certificate { return ca.cert }

// publish writes the certificate beside the key, unless it is there.
func (ca *CA) publish() error {
	want := ca.CertPEM()
	if have, err := file.Read(ca.Path(), file.Most); err == nil && bytes.Equal(have, want) {
		return nil
	}
	temp, err := writeTemp(ca.dir, want, 0o644)
	if err != nil {
		return err
	}
	return os.Rename(temp, ca.Path())
}

// trusted tells whether what belongs to owner is as good as one's own: root could
// do anything anyway.
func trusted(owner, self int) bool { return owner == self || owner == 0 }

// private refuses a path that others can get at.
func private(path string, info fs.FileInfo, mode string) error {
	if runtime.GOOS == "windows" { // there it is access lists that say
		return nil
	}
	if owner, known := ownerOf(info); known && !trusted(owner, os.Geteuid()) {
		return fmt.Errorf("%s belongs to user %d, who can get at the CA's key or put one of their own there: chown it to user %d, or set PARITY_HOME to a folder of your own", path, owner, os.Geteuid())
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 {
		return fmt.Errorf("%s has mode %#o, so others can get at the CA's key: chmod %s %s", path, perm, mode, path)
	}
	return nil
}

// readKey reads the CA's key. What is looked at is the file that is read, and no
// link: what that leads to can be changed in between, and its folder be anybody's.
func readKey(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() == fs.ModeSymlink {
		return nil, fmt.Errorf("%s is a link: put the key itself there, or set PARITY_HOME to the folder that has it", path)
	}
	root, err := os.OpenRoot(filepath.Dir(path)) // which a link put there meanwhile cannot lead out of
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := file.OpenIn(root, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil {
		err = private(path, info, "600")
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, file.Most))
}

// makeCA writes a new CA to path, unless another process was first. Key and certificate share one file: two could be mixed
// up between two processes, or lose one to a crash.
func makeCA(path string, now time.Time) error {
	content, err := newCA(now)
	if err != nil {
		return err
	}
	temp, err := writeTemp(filepath.Dir(path), content, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp) }()
	if err := os.Link(temp, path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func writeTemp(dir string, content []byte, mode fs.FileMode) (string, error) {
	f, err := os.CreateTemp(dir, ".ca-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

func newCA(now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := serialNumber()
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // tells two installs apart in a trust store
	name := pkix.Name{CommonName: "Parity CA " + serial.Text(16)[:8], Organization: []string{"Parity"}}
	if host != "" && len(host) <= 64 {
		name.OrganizationalUnit = []string{host}
	}
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               name,
		NotBefore:             now.Add(-backdated),
		NotAfter:              now.AddDate(caYears, 0, 0),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...), nil
}

func parseCA(content []byte) (*CA, error) {
	keyBlock, rest := pem.Decode(content)
	certBlock, _ := pem.Decode(rest)
	if keyBlock == nil || certBlock == nil || keyBlock.Type != "PRIVATE KEY" || certBlock.Type != "CERTIFICATE" {
		return nil, errors.New("the file does not hold a key and a certificate")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(keyBlock.Bytes)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(certBlock.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	switch {
	case !ok || key.Curve != elliptic.P256():
		return nil, errors.New("the key is not ECDSA P-256")
	case !key.PublicKey.Equal(cert.PublicKey):
		return nil, errors.New("the certificate is not the key's")
	case !cert.IsCA || !cert.MaxPathLenZero:
		return nil, errors.New("the certificate is not that of a CA with path length 0")
	}
	return &CA{cert: cert, key: key}, nil
}

// serialNumber is 128 random bits, never zero.
func serialNumber() (*big.Int, error) {
	limit := new(big.Int).Lsh(big.NewInt(1), 128)
	n, err := rand.Int(rand.Reader, limit.Sub(limit, big.NewInt(1)))
	if err != nil {
		return nil, err
	}
	return n.Add(n, big.NewInt(1)), nil
}
