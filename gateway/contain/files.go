package contain

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Check says what of the options cannot be, all of it at once; nil for none.
func (o Options) Check() (found []error) {
	if o.Level != "" && o.Level != Network && o.Level != Whole {
		found = append(found, fmt.Errorf("isolation: %q is no level: say %s or %s", o.Level, Network, Whole))
	}
	if err := checkPorts(o); err != nil {
		found = append(found, err)
	}
	found = append(found, o.Files.problems(o.Level)...)
	return append(found, o.Limits.problems()...)
}

// problems are what cannot be of the files at a level.
func (f Files) problems(level Level) (found []error) {
	say := func(key, path, format string, args ...any) {
		found = append(found, fmt.Errorf("files: %s: %s: %s", key, path, fmt.Sprintf(format, args...)))
	}
	covered := map[string]string{} // a covered path, and why
	if level != Network {
		for _, path := range secrets(homes()) {
			covered[path] = "is known to hold secrets and is always covered"
		}
	}
	for _, path := range f.Hide {
		if why := unknown(path); why != "" {
			say("hide", path, "%s", why)
			continue
		}
		covered[resolved(path)] = "is in hide too"
	}
	for _, list := range []struct {
		key   string
		paths []string
	}{{"write", f.Write}, {"show", f.Show}} {
		for _, path := range list.paths {
			if why := unknown(path); why != "" {
				say(list.key, path, "%s", why)
				continue
			}
			if above := aboveOf(resolved(path), []string{"/proc", "/sys", "/dev"}); above != "" || path == "/" {
				say(list.key, path, "the machine's own is not handed in: name a folder")
			}
			if above := aboveOf(resolved(path), slices.Sorted(maps.Keys(covered))); above != "" {
				say(list.key, path, "%s %s: name what is needed somewhere else", above, covered[above])
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(f.Lay)) {
		if !filepath.IsAbs(place) || filepath.Clean(place) != place {
			say("lay", place, "is not an absolute, clean path")
		}
		if info, err := os.Stat(f.Lay[place]); err != nil || !info.Mode().IsRegular() {
			say("lay", f.Lay[place], "is no file")
		}
	}
	return found
}

// unknown says why a path cannot be meant, "" for one that can.
func unknown(path string) string {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return "is not an absolute, clean path"
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return "is not there: correct it, or make it first"
	} else if err != nil {
		return "cannot be looked at: " + errors.Unwrap(err).Error()
	}
	return ""
}

// resolved is the path without symbolic links, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if path == "/" {
		return path
	}
	return filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path))
}

// aboveOf is the folder of the list that the path is, or is in; "" for none.
func aboveOf(path string, folders []string) string {
	for _, folder := range folders {
		if path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/") {
			return folder
		}
	}
	return ""
}

// homes are the home folders of whoever runs this: what the environment says, and
// what the machine's list of users says.
func homes() (found []string) {
	said, _ := os.UserHomeDir() //nolint:errcheck // none said is none
	for _, path := range []string{said, listedHome("/etc/passwd", os.Getuid())} {
		if !filepath.IsAbs(path) || filepath.Clean(path) == "/" {
			continue
		}
		same := func(other string) bool { return resolved(other) == resolved(path) }
		if info, err := os.Stat(path); err == nil && info.IsDir() && !slices.ContainsFunc(found, same) {
			found = append(found, filepath.Clean(path))
		}
	}
	return found
}

// listedHome is the home folder that a file as of passwd(5) gives a user.
func listedHome(file string, uid int) string {
	users, err := os.ReadFile(file) //nolint:gosec // the machine's own
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(users)) {
		fields := strings.Split(line, ":")
		if len(fields) >= 7 && fields[2] == fmt.Sprint(uid) {
			return fields[5]
		}
	}
	return ""
}
