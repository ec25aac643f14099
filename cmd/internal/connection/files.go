package connection

import (
	"bytes"
	"errors"
	"path/filepath"

	"parity/faults/run"
	"parity/gateway"
	"parity/gateway/capture"
	"parity/gateway/ingress"
	"parity/specs/file"
)

// WriteFiles writes the files that an agent's environment points to into a folder
// of dir that all runs with the same certificates share, and gives the settings.
// Kept is the folder of a CA of one's own, which nobody else can get at, or "".
func WriteFiles(dir string, cert []byte, s gateway.Settings, kept string) (capture.Settings, error) {
	var bundle bytes.Buffer
	err := ingress.Bundle(&bundle, cert, s.Getenv)
	if errors.Is(err, ingress.ErrNoSystemRoots) {
		s.Log.Warn("certificate bundle", "error", err)
		err = nil
	}
	if err != nil {
		return capture.Settings{}, err
	}
	files := capture.Files{Bundle: bundle.Bytes(), Extra: extraCerts(cert, s), Kept: kept}
	given, err := files.Write(FilesFolder(dir))
	given.Names = capture.ThisMachine()
	return given, err
}

// FilesFolder is where, in a folder, the files are that agents' environments point
// to, in a folder each.
func FilesFolder(dir string) string { return filepath.Join(dir, "environment") }

// FoldersInUse names the folders of files that the gateways which say that they
// are up have given to agents.
func FoldersInUse(s gateway.Settings) map[string]bool {
	used := map[string]bool{}
	ups, _ := filepath.Glob(filepath.Join(s.RunsFolder(), "*", announced))
	for _, file := range append(ups, filepath.Join(s.Root, announced)) {
		if found, err := upIn(filepath.Dir(file)); err == nil {
			used[filepath.Base(filepath.Dir(found.Settings.BundlePath))] = true
		}
	}
	return used
}

// InRun completes the environment of an agent in a run of a gateway of this
// process, which answers at a data port.
func InRun(files capture.Settings, srv *gateway.Server, r *run.Run, data string) capture.Settings {
	_, control := srv.Nearby()
	files.ProxyURL = "http://" + r.ID + ":" + r.Token + "@" + data
	files.TLSAddr, files.PlainAddr, files.ControlURL = data, data, "http://"+control
	files.Run, files.Token, files.Minted = r.ID, r.Token, srv.Minted(r.ID)
	return files
}

// InFirstRun is the whole environment of an agent in the run of clients that name
// none.
func InFirstRun(srv *gateway.Server) (capture.Settings, error) {
	s := srv.Settings()
	files, err := WriteFiles(s.Root, srv.CA.CertPEM(), s, s.CA)
	data, _ := srv.Nearby()
	return InRun(files, srv, srv.Run, data), err
}

// extraCerts is what Node is to trust besides its own roots: the gateway's
// certificate, and what it was told to trust already.
func extraCerts(cert []byte, s gateway.Settings) []byte {
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
