package contain

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parity/specs/secret"
	say "parity/specs/words"
)

// localTries are those that go over what is on the machine.
func localTries() []escape {
	return append(systemTries(),
		escape{name: "secrets-environment", do: inEnvironment},
		escape{name: "secrets-files", whole: true, do: inFiles},
		escape{name: "writes", whole: true, do: writes},
	)
}

// inEnvironment looks for secrets among the variables, by their names and by what
// they look like. What they hold is not told.
func inEnvironment(_ context.Context, p *Probing) (out bool, said string) {
	var found []string
	names := secret.NewList()
	all := os.Environ()
	for _, entry := range all {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" || strings.HasPrefix(name, "PARITY_") || slices.Contains(p.Allowed, name) || filepath.IsAbs(value) {
			continue // a path tells where something is: PWD
		}
		if _, real := secret.Real(value, 0); real || names.Holds(name, value) || names.Name(name) {
			found = append(found, name)
		}
	}
	if len(found) > 0 {
		slices.Sort(found)
		return true, "in the environment: " + few(found)
	}
	return false, "none in " + say.Count(len(all), "variable") + " of the environment"
}

// inFiles tries to read what is known to hold secrets.
func inFiles(_ context.Context, p *Probing) (out bool, said string) {
	var found []string
	for _, path := range p.Secrets {
		if holds(path) {
			found = append(found, path)
		}
	}
	if len(found) > 0 {
		return true, "can be read: " + few(found)
	}
	return false, "none in " + say.Count(len(p.Secrets), "known place")
}

// holds tells whether there is something to be read at a path.
func holds(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return false
	case info.IsDir():
		names, err := f.Readdirnames(1)
		return err == nil && len(names) > 0
	case !info.Mode().IsRegular():
		return false
	}
	var one [1]byte
	n, err := f.Read(one[:])
	return err == nil && n == 1
}

// writes tries to make a file in each folder that is not to be written to.
func writes(_ context.Context, p *Probing) (out bool, said string) {
	var found []string
	for _, folder := range p.Folders {
		if aboveOf(resolved(folder.Path), p.Writable) != "" || !beyond(folder) {
			continue
		}
		path := filepath.Join(folder.Path, ".parity-probe-"+p.Nonce)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			continue
		}
		err = errors.Join(f.Close(), os.Remove(path))
		if err != nil {
			path += " (" + failedIn(err) + ")"
		}
		found = append(found, folder.Path)
	}
	if len(found) > 0 {
		return true, "can be written to: " + few(found)
	}
	return false, "no way to write to any of " + say.Count(len(p.Folders), "folder") + " outside"
}

// few names the first of many.
func few(all []string) string {
	const most = 8
	if more := len(all) - most; more > 0 {
		return strings.Join(all[:most], ", ") + " and " + say.Count(more, "more one")
	}
	return strings.Join(all, ", ")
}

// foldersTried are folders that an agent has nothing to write to.
func foldersTried() []string {
	return append([]string{"/", "/etc", "/usr", "/usr/local", "/opt", "/var", "/var/lib", "/srv", "/boot", "/root", "/home"}, homes()...)
}
