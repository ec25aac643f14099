package capture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"parity/fakes/clock"
)

// Files are what the files hold that an agent's environment points to.
type Files struct {
	Bundle []byte // PEM: the system's roots and our CA
	Extra  []byte // PEM: our CA, and what the parent had Node trust besides its own roots
	// Kept is a folder that only this user can get at: the trust store for Java,
	// which takes as long to make as much of a start, is kept there for the next
	// folder that is to have the same; "": it is made anew.
	Kept string
}

// Write puts the files into a folder below one, made where it is not there, and
// gives the Settings that name them. Agents that are given the same share them:
// they are 640 KB, most of it the system's roots.
func (f Files) Write(folder string) (s Settings, err error) {
	if folder, err = filepath.Abs(filepath.Join(folder, f.digest())); err != nil {
		return s, fmt.Errorf("folder of the environment: %w", err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return s, fmt.Errorf("folder of the environment: %w", err)
	}
	s = Settings{
		BundlePath: filepath.Join(folder, "ca-bundle.pem"), CAPath: filepath.Join(folder, "ca-extra.pem"),
		PreloadPath: filepath.Join(folder, preloadName), PythonPath: filepath.Join(folder, pythonFolder), TrustPath: filepath.Join(folder, trustName),
	}
	if f.there(s) {
		now := clock.System{}.Now()
		_ = os.Chtimes(folder, now, now) // for whoever removes what nobody uses: it may be another's folder
		return s, nil
	}
	if _, err = write(folder, filepath.Base(s.BundlePath), f.Bundle); err == nil {
		_, err = write(folder, filepath.Base(s.CAPath), f.Extra)
	}
	if err == nil {
		_, err = WritePreload(folder)
	}
	if err == nil {
		_, err = WritePython(folder)
	}
	if err == nil { // last: where it is, the others are
		err = f.writeTrust(folder)
	}
	return s, err
}

// digest tells the files apart from others, and from those of another Parity.
func (f Files) digest() string {
	sum := sha256.New()
	for _, part := range [][]byte{f.Bundle, f.Extra, preload, customize} {
		fmt.Fprintf(sum, "%d ", len(part))
		sum.Write(part)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}

// there tells whether all files are, as they were written.
func (f Files) there(s Settings) bool {
	for path, want := range map[string][]byte{
		s.BundlePath: f.Bundle, s.CAPath: f.Extra, s.PreloadPath: preload, filepath.Join(s.PythonPath, customizeName): customize,
	} {
		if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, want) {
			return false
		}
	}
	info, err := os.Lstat(s.TrustPath)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}
