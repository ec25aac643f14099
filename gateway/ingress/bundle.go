package ingress

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"parity/fakes/clock"
	"parity/specs/file"
)

// rootFiles are where systems keep their roots as one file, in the order in
// which crypto/x509 looks on Linux (root_linux.go), then macOS and the BSDs.
func rootFiles() []string {
	return []string{
		"/etc/ssl/certs/ca-certificates.crt",                // Debian, Ubuntu, Gentoo, Arch
		"/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, RHEL 6
		"/etc/ssl/ca-bundle.pem",                            // openSUSE
		"/etc/pki/tls/cacert.pem",                           // OpenELEC
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // CentOS, RHEL 7
		"/etc/ssl/cert.pem",                                 // Alpine, macOS, OpenBSD
		"/usr/local/etc/ssl/cert.pem",                       // FreeBSD
	}
}

// rootFolders are where systems keep one root a file.
func rootFolders() []string { return []string{"/etc/ssl/certs", "/etc/pki/tls/certs"} }

// ErrNoSystemRoots tells that a bundle holds our CA alone, so that hosts that
// are tunnelled will not be trusted by a client that uses it.
var ErrNoSystemRoots = errors.New("no system roots were found: set SSL_CERT_FILE to a file that has them, or install ca-certificates")

// Bundle writes the system's roots and this CA as one PEM. The roots come from
// getenv's SSL_CERT_FILE where set, else from where the system keeps them and
// from SSL_CERT_DIR, as crypto/x509 has it. Where there are none it writes the CA
// alone and returns an error that is [ErrNoSystemRoots].
func (ca *CA) Bundle(w io.Writer, getenv func(string) string) error {
	return Bundle(w, ca.CertPEM(), getenv)
}

// Bundle is CA.Bundle for the certificate of a CA that is elsewhere, in PEM; see
// [CheckAuthority].
func Bundle(w io.Writer, cert []byte, getenv func(string) string) error {
	roots, err := systemRoots(getenv)
	if err != nil && !errors.Is(err, ErrNoSystemRoots) {
		return err
	}
	if len(roots) > 0 && !bytes.HasSuffix(roots, []byte("\n")) {
		roots = append(roots, '\n')
	}
	if !bytes.Contains(roots, bytes.TrimSpace(cert)) { // a gateway started inside a gateway's run
		roots = append(append(roots, bytes.TrimSpace(cert)...), '\n')
	}
	if _, werr := w.Write(roots); werr != nil {
		return fmt.Errorf("writing the bundle: %w", werr)
	}
	return err
}

// CheckAuthority refuses what is not the certificate of one CA, in PEM, that is
// valid today. A gateway elsewhere has sent it, and an agent is about to trust
// it: nothing else may come with it, a private key least of all.
func CheckAuthority(cert []byte) error {
	return checkAuthority(cert, clock.System{}.Now())
}

func checkAuthority(cert []byte, now time.Time) error {
	const begin = "-----BEGIN CERTIFICATE-----"
	cert = bytes.TrimSpace(cert)
	if bytes.Contains(cert, []byte("PRIVATE KEY-----")) {
		return errors.New("it comes with a private key, which that gateway must keep to itself: have its CA's files removed there, and made anew")
	}
	block, rest := pem.Decode(cert)
	if !bytes.HasPrefix(cert, []byte(begin)) || block == nil || block.Type != "CERTIFICATE" || len(rest) > 0 {
		return errors.New("it is not one certificate in PEM: is this the control URL of a Parity gateway?")
	}
	parsed, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return fmt.Errorf("it cannot be read: %w: is this the control URL of a Parity gateway?", err)
	}
	switch {
	case !parsed.BasicConstraintsValid || !parsed.IsCA || parsed.KeyUsage != 0 && parsed.KeyUsage&x509.KeyUsageCertSign == 0:
		return fmt.Errorf("%s may not sign for hosts: it is no CA's certificate", parsed.Subject)
	case now.After(parsed.NotAfter):
		return fmt.Errorf("%s expired on %s: have the CA's files removed there, and made anew", parsed.Subject, parsed.NotAfter.Format(time.DateOnly))
	case now.Before(parsed.NotBefore):
		return fmt.Errorf("%s is valid from %s on: one of the two clocks is wrong", parsed.Subject, parsed.NotBefore.Format(time.RFC3339))
	}
	return nil
}

func systemRoots(getenv func(string) string) ([]byte, error) {
	name, dirs := getenv("SSL_CERT_FILE"), getenv("SSL_CERT_DIR")
	if name != "" {
		roots, err := file.Read(name, file.Most)
		if err == nil && !certificates(roots) {
			err = errors.New("it holds no certificate")
		}
		if err != nil {
			return nil, fmt.Errorf("SSL_CERT_FILE is %s: %w: unset it or name a PEM file", name, err)
		}
		return roots, nil
	}
	var roots []byte
	for _, path := range rootFiles() {
		if content, err := file.Read(path, file.Most); err == nil && certificates(content) {
			roots = content
			break
		}
	}
	folders := filepath.SplitList(dirs)
	if len(folders) == 0 && len(roots) == 0 {
		folders = rootFolders()
	}
	for _, folder := range folders {
		roots = append(roots, folderRoots(folder)...)
	}
	if len(roots) == 0 {
		return nil, ErrNoSystemRoots
	}
	return roots, nil
}

// folderRoots joins a folder's certificates. A folder made by c_rehash has each
// of them under two names.
func folderRoots(folder string) []byte {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var all []byte
	seen := map[string]bool{}
	for _, entry := range entries {
		content, err := file.Read(filepath.Join(folder, entry.Name()), file.Most)
		if err != nil {
			continue
		}
		for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
			if block.Type == "CERTIFICATE" && !seen[string(block.Bytes)] {
				seen[string(block.Bytes)] = true
				all = append(all, pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes})...)
			}
		}
	}
	return all
}

func certificates(content []byte) bool {
	return bytes.Contains(content, []byte("-----BEGIN CERTIFICATE-----"))
}
