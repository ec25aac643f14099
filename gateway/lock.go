package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"parity/fakes/builtin"
	"parity/faults/trail"
	"parity/gateway/kept"
	"parity/gateway/report"
	"parity/profiles"
	"parity/specs/file"
)

// LockFile is where a lock is kept unless told otherwise.
const LockFile = "parity.lock"

// pins are the conditions that runs are to be made under, by profile.
type pins struct {
	Version  int                    `json:"version"`
	Profiles map[string]trail.Stamp `json:"profiles"`
}

const pinsVersion = 1

// WriteLock pins the conditions of runs of the named profiles in a file.
func WriteLock(name string, names []string) error {
	catalogue, err := builtin.Catalogue()
	if err != nil {
		return err
	}
	lock := pins{Version: pinsVersion, Profiles: map[string]trail.Stamp{}}
	for _, of := range names {
		p, err := profiles.Load(of, profiles.Options{Catalogue: catalogue})
		if err != nil {
			return &UsageError{Err: err}
		}
		lock.Profiles[of] = kept.StampOf(p)
	}
	text, err := json.MarshalIndent(lock, "", "  ")
	if err != nil {
		return err
	}
	if err := file.WriteWhole(name, append(text, '\n')); err != nil {
		return &UsageError{Err: fmt.Errorf("lock file: %w", err)}
	}
	return nil
}

// readLock reads what WriteLock wrote.
func readLock(name string) (pins, error) {
	text, err := file.Read(name, file.Most)
	if errors.Is(err, fs.ErrNotExist) {
		return pins{}, &UsageError{Err: fmt.Errorf("%s is not there: make it with `parity lock`", name)}
	}
	if err != nil {
		return pins{}, &UsageError{Err: fmt.Errorf("lock file: %w", err)}
	}
	var lock pins
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&lock); err != nil {
		return pins{}, &UsageError{Err: fmt.Errorf("%s: %w; make it again with `parity lock`", name, err)}
	}
	if lock.Version != pinsVersion {
		return pins{}, &UsageError{Err: fmt.Errorf("%s is of version %d, and this Parity reads version %d: make it again with `parity lock`", name, lock.Version, pinsVersion)}
	}
	return lock, nil
}

// locked checks the lock file that the settings name, if any: a gateway that
// is locked does not open under other conditions.
func (s Settings) locked(name string, stamp trail.Stamp) error {
	if s.Locked == "" {
		return nil
	}
	lock, err := readLock(s.Locked)
	if err != nil {
		return err
	}
	pinned, ok := lock.Profiles[name]
	if !ok {
		return &UsageError{Err: fmt.Errorf("%s does not pin profile %s: run `parity lock` with it", s.Locked, name)}
	}
	if differ := report.CompareStamps(pinned, stamp); len(differ) > 0 {
		return &UsageError{Err: fmt.Errorf("these are not the conditions that %s pins:\n  %s\nput them back, or run `parity lock` again", s.Locked, strings.Join(differ, "\n  "))}
	}
	return nil
}
