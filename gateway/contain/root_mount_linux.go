package contain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// bindAt makes a path seen at a place, with all that is mounted below it, under
// flags besides those that each mount has. The place is made where it can be.
func bindAt(path, place string, flags uint64) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if err := makePlace(place, info.IsDir()); err != nil {
		return err
	}
	if err := unix.Mount(path, place, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return &os.PathError{Op: "bind", Path: place, Err: err}
	}
	return restrict(place, flags)
}

// makePlace makes what something can be mounted on, where nothing is.
func makePlace(place string, folder bool) error {
	if _, err := os.Lstat(place); err == nil {
		return nil
	}
	if folder {
		return os.MkdirAll(place, 0o755) //nolint:gosec // as the machine's
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil { //nolint:gosec // as the machine's
		return err
	}
	file, err := os.OpenFile(place, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o444) //nolint:gosec // a place of our own
	if err != nil {
		return err
	}
	return file.Close()
}

// restrict adds flags to a mount and to all below it. They can be added only: those
// that were there are locked by the namespace that they come from.
func restrict(place string, flags uint64) error {
	err := unix.MountSetattr(unix.AT_FDCWD, place, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: flags})
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		// Before Linux 5.12, or under a container's filter older than that.
		return restrictEach(place, flags)
	}
	return err
}

// restrictEach is restrict one mount at a time, saying the flags again that each
// has. One that cannot be looked at from here is none of the agent's either.
func restrictEach(place string, flags uint64) error {
	list, err := os.ReadFile("/proc/self/mountinfo")
	if errors.Is(err, os.ErrNotExist) {
		list, err = os.ReadFile(outside + "/proc/self/mountinfo")
	}
	if err != nil {
		return err
	}
	for _, m := range mounts(string(list)) {
		if aboveOf(m.place, []string{place}) == "" {
			continue
		}
		err := unix.Mount("", m.place, "", uintptr(unix.MS_REMOUNT|unix.MS_BIND|m.flags|flags), "")
		if err != nil && (m.place == place || !errors.Is(err, unix.EACCES)) {
			return &os.PathError{Op: "remount", Path: m.place, Err: err}
		}
	}
	return nil
}

// A mounted is one line of /proc/self/mountinfo.
type mounted struct {
	root, place string
	flags       uint64
	kind        string // of file system
	options     string // of the file system
}

// flagsOfMounts are the options of a mount that have to be said again.
var flagsOfMounts = map[string]uint64{
	"ro": unix.MS_RDONLY, "nosuid": unix.MS_NOSUID, "nodev": unix.MS_NODEV, "noexec": unix.MS_NOEXEC,
	"noatime": unix.MS_NOATIME, "nodiratime": unix.MS_NODIRATIME, "relatime": unix.MS_RELATIME,
	"nosymfollow": unix.MS_NOSYMFOLLOW,
}

// mounts reads /proc/self/mountinfo (proc(5)).
func mounts(list string) (found []mounted) {
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(list) {
		front, back, ok := strings.Cut(line, " - ")
		fields, rest := strings.Fields(front), strings.Fields(back)
		if !ok || len(fields) < 6 || len(rest) < 3 {
			continue
		}
		m := mounted{root: unescape.Replace(fields[3]), place: unescape.Replace(fields[4]), kind: rest[0], options: rest[2]}
		for option := range strings.SplitSeq(fields[5], ",") {
			m.flags |= flagsOfMounts[option]
		}
		found = append(found, m)
	}
	return found
}
