package gateway

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parity/gateway/capture"
	"parity/gateway/ingress"
)

// surround writes, into a folder, the files that an agent's environment points
// to: certificates that have a gateway's own trusted, and what Node and Python load
// as they start.
func surround(dir string, cert []byte, s Settings) (capture.Settings, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return capture.Settings{}, err
	}
	e := capture.Settings{BundlePath: filepath.Join(dir, "ca-bundle.pem"), CAPath: filepath.Join(dir, "ca-extra.pem")}
	f, err := os.Create(e.BundlePath)
	if err != nil {
		return e, fmt.Errorf("certificate bundle: %w", err)
	}
	err = ingress.Bundle(f, cert, s.Getenv)
	if errors.Is(err, ingress.ErrNoSystemRoots) {
		s.Log.Warn("certificate bundle", "error", err)
		err = nil
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return e, err
	}
	if err := os.WriteFile(e.CAPath, extraCerts(cert, s), 0o600); err != nil {
		return e, fmt.Errorf("certificates for Node: %w", err)
	}
	if e.PreloadPath, err = capture.WritePreload(dir); err != nil {
		return e, err
	}
	if e.PythonPath, err = capture.WritePython(dir); err != nil {
		return e, err
	}
	bundle, err := os.ReadFile(e.BundlePath)
	if err == nil {
		e.TrustPath, err = capture.WriteTrust(dir, bundle)
	}
	return e, err
}

// extraCerts is what Node is to trust besides its own roots: the gateway's
// certificate, and what it was told to trust already.
func extraCerts(cert []byte, s Settings) []byte {
	name := s.Getenv("NODE_EXTRA_CA_CERTS")
	if name == "" {
		return cert
	}
	more, err := os.ReadFile(name)
	if err != nil {
		s.Log.Warn("NODE_EXTRA_CA_CERTS is left out", "error", err)
		return cert
	}
	return append(append(more, '\n'), cert...)
}
