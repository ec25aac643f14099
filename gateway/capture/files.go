package capture

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	_ "embed" // the compiler asks for it beside go:embed
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"software.sslmate.com/src/go-pkcs12"
)

//go:embed preload.cjs
var preload []byte

//go:embed sitecustomize.py
var customize []byte

// Names of the files, and of the folder that Python looks into.
const (
	preloadName   = "preload.cjs"
	customizeName = "sitecustomize.py"
	pythonFolder  = "python"
	trustName     = "trust.p12"
)

// WritePreload puts the preload for Node into a folder, which has to exist, and
// gives its absolute path for Settings.PreloadPath.
func WritePreload(folder string) (string, error) {
	return write(folder, preloadName, preload)
}

// WritePython puts what Python imports as it starts into a folder of its own,
// below one that has to exist, and gives its absolute path for
// Settings.PythonPath.
func WritePython(folder string) (string, error) {
	folder = filepath.Join(folder, pythonFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("folder for Python: %w", err)
	}
	path, err := write(folder, customizeName, customize)
	return filepath.Dir(path), err
}

// writeTrust puts the certificates of the bundle into a trust store for Java: one
// that was made of them before, where it was kept.
func (f Files) writeTrust(folder string) error {
	sum := sha256.Sum256(append([]byte("passwordless\n"), f.Bundle...))
	name := keptTrust(hex.EncodeToString(sum[:8]))
	if f.Kept != "" {
		if store, err := os.ReadFile(filepath.Join(f.Kept, name)); err == nil && whole(store) {
			_, err = write(folder, trustName, store)
			return err
		}
	}
	store, err := trustStore(f.Bundle)
	if err == nil {
		_, err = write(folder, trustName, store)
	}
	if err != nil || f.Kept == "" {
		return err
	}
	others, _ := filepath.Glob(filepath.Join(f.Kept, keptTrust("*")))
	for _, other := range others {
		_ = os.Remove(other) // of roots that the system had before
	}
	_, _ = write(f.Kept, name, store) // where it cannot be kept it is made anew
	return nil
}

func keptTrust(digest string) string { return "trust-" + digest + ".p12" }

// whole tells whether DER ends where it says: a machine that went down may have
// left a part of a file.
func whole(der []byte) bool {
	var value asn1.RawValue
	rest, err := asn1.Unmarshal(der, &value)
	return err == nil && len(rest) == 0 && value.IsCompound
}

// trustStore makes a trust store for Java of the certificates of a bundle, in PEM. It
// has no password, since it may lie in the place of the store that a JVM opens by
// itself, without one.
func trustStore(bundle []byte) ([]byte, error) {
	var certificates []*x509.Certificate
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		if c, err := x509.ParseCertificate(block.Bytes); err == nil { // of a system's roots, one may be too odd for Go
			certificates = append(certificates, c)
		}
	}
	store, err := pkcs12.Passwordless.WithRand(rand.Reader).EncodeTrustStore(certificates, "")
	if err != nil {
		return nil, fmt.Errorf("trust store for Java: %w", err)
	}
	return store, nil
}

// write replaces a file in one step, since agents of earlier runs may be
// reading it, and gives its absolute path.
func write(folder, name string, content []byte) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("folder for %s: %w", name, err)
	}
	file, err := os.CreateTemp(folder, ".new-*")
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	path := filepath.Join(folder, name)
	_, err = file.Write(content)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return path, nil
}
