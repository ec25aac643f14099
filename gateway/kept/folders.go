package kept

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parity/gateway/evidence"
	"parity/gateway/journal"
)

// UsageError is a mistake of whoever started Parity: nothing was started.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Folder is where everything is kept: root, or where that is "" the usual one.
func Folder(root string) string {
	if root == "" {
		return ".parity"
	}
	return root
}

// RunsFolder is where runs have stores of their own, and where the last one is named.
func RunsFolder(root string) string { return filepath.Join(Folder(root), "runs") }

// SharedFolder is the store of the gateway that stays up.
func SharedFolder(root string) string { return filepath.Join(Folder(root), "serve") }

// Find gives the folder of the store that keeps a run, and the run's name: by
// its id, or "last". That may be the name of a series, whose runs are in that
// folder.
func Find(root, name string) (dir, id string, err error) {
	if name == "last" {
		if name, err = journal.Last(RunsFolder(root)); err != nil {
			return "", "", &UsageError{err}
		}
	}
	if !journal.ValidName(name) {
		return "", "", &UsageError{fmt.Errorf("%q is no name of a run: `parity runs list` has them", name)}
	}
	stores := []string{name}
	if i := strings.LastIndexByte(name, '-'); i > 0 {
		stores = append(stores, name[:i]) // of a series, whose runs are numbered
	}
	for _, store := range stores {
		dir = filepath.Join(RunsFolder(root), store)
		if _, err := os.Stat(filepath.Join(dir, journal.FileName)); err == nil {
			return dir, name, nil
		}
	}
	return SharedFolder(root), name, nil
}

// OpenRecord gives the record of one run, whose store stays open until closes is
// called. Its error wraps fs.ErrNotExist where there is none.
func OpenRecord(root, name string) (rec *journal.Record, closes func() error, err error) {
	dir, id, err := Find(root, name)
	if err != nil {
		return nil, nil, err
	}
	r, err := journal.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	if rec, err = r.Read(id); err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return rec, r.Close, nil
}

// OutputFile names the file that has what the agent of a run wrote, where that is
// kept: beside the store, in the folder that Find gives.
func OutputFile(dir, run string) string { return filepath.Join(dir, run+".out") }

// EvidenceIn is the evidence that is kept where runs are, unless it is kept in a
// folder of its own.
func EvidenceIn(root string) evidence.Store {
	return evidence.Store{Dir: filepath.Join(Folder(root), "evidence")}
}
