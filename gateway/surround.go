package gateway

import (
	"bytes"
	"errors"
	"path/filepath"

	"parity/gateway/capture"
	"parity/gateway/ingress"
	"parity/specs/file"
)

// surround writes the files that an agent's environment points to into a folder
// of dir that all runs with the same certificates share, and gives the settings.
func surround(dir string, cert []byte, s Settings) (capture.Settings, error) {
	var bundle bytes.Buffer
	err := ingress.Bundle(&bundle, cert, s.Getenv)
	if errors.Is(err, ingress.ErrNoSystemRoots) {
		s.Log.Warn("certificate bundle", "error", err)
		err = nil
	}
	if err != nil {
		return capture.Settings{}, err
	}
	files := capture.Files{Bundle: bundle.Bytes(), Extra: extraCerts(cert, s)}
	return files.Write(filepath.Join(dir, surroundings))
}

// surroundings is the folder of what agents' environments point to.
const surroundings = "environment"

// extraCerts is what Node is to trust besides its own roots: the gateway's
// certificate, and what it was told to trust already.
func extraCerts(cert []byte, s Settings) []byte {
	name := s.Getenv("NODE_EXTRA_CA_CERTS")
	if name == "" {
		return cert
	}
	more, err := file.Read(name, file.Most)
	if err != nil {
		s.Log.Warn("NODE_EXTRA_CA_CERTS is left out", "error", err)
		return cert
	}
	return append(append(more, '\n'), cert...)
}
