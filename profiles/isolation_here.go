package profiles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Machine is where an agent is to be contained.
type Machine struct {
	Dir     string   // that relative paths begin in: the one that parity runs in
	Home    string   // that ~ stands for
	Environ []string // that variables are taken from
	Lstat   func(string) (fs.FileInfo, error)
}

// Here gives the isolation with paths that are absolute and clean, and everything
// on this machine that is not as it says, as Problems: files and folders that are
// not there, variables that are not set. Of a variable it says the name alone.
func (i *Isolation) Here(m Machine) (*Isolation, error) {
	if i == nil {
		return &Isolation{}, nil
	}
	if m.Lstat == nil {
		m.Lstat = os.Stat
	}
	all, f := *i, &finder{}
	for _, list := range []struct {
		name  string
		paths *[]string
	}{{"write", &all.Write}, {"show", &all.Show}, {"hide", &all.Hide}} {
		there := make([]string, 0, len(*list.paths))
		for _, path := range *list.paths {
			at, said := m.absolute(path), ""
			if _, err := m.Lstat(at); errors.Is(err, fs.ErrNotExist) {
				said = "is not there"
			} else if err != nil {
				said = "cannot be looked at: " + cause(err)
			}
			if said != "" {
				f.wrong(i.places[list.name+" "+path], "make it, or take it out", "isolation.files.%s: %s %s", list.name, shown(path, at), said)
			}
			there = append(there, at)
		}
		*list.paths = there
	}
	set := map[string]bool{}
	for _, entry := range m.Environ {
		name, _, _ := strings.Cut(entry, "=")
		set[name] = true
	}
	for _, name := range i.Env {
		if !set[name] {
			f.wrong(i.places["env "+name], "set it, or take it out", "isolation.env: %s is not set", name)
		}
	}
	if f.errors > 0 {
		return nil, f.sorted(nil)
	}
	return &all, nil
}

// absolute is a path as this machine has it.
func (m Machine) absolute(path string) string {
	switch rest, home := strings.CutPrefix(path, "~"); {
	case home:
		return filepath.Join(m.Home, rest)
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	}
	return filepath.Join(m.Dir, path)
}

// shown names a path as it is written, and as it was found where that is not the
// same.
func shown(path, at string) string {
	if path == at {
		return shorten(path)
	}
	return shorten(path) + " (" + at + ")"
}

// cause is an error without the path that it names.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
