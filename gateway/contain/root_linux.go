package contain

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// enter builds what the agent sees of the machine's files and sockets. It runs
// once, in PID 1 inside, with every capability there and before anything of the
// agent's is; the network is up, and the listeners are open. /proc is still the
// one from outside; what is under /proc/sys can be set no more afterwards.
func enter(o Options) error {
	if err := failedAt("limits", joinGroups(o.Limits)); err != nil {
		return err
	}
	s := survey(o)
	if err := failedAt("mount /", unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")); err != nil {
		return err
	}
	if o.Level == Network {
		return s.overlay()
	}
	return s.root()
}

// A scene is what is seen from inside, as found before anything is mounted. Its
// paths have no symbolic links but those of links and lay.
type scene struct {
	room    int64             // bytes of all private folders together
	binds   []bind            // folders first
	links   map[string]string // paths as they were given, to where they are
	covered []cover
	lay     map[string]string // the place, the file
}

// A bind is a path that is seen inside at the same place.
type bind struct {
	path     string
	writable bool
	named    bool // not by Parity itself
}

// flags are those that its mount gets.
func (b bind) flags() uint64 {
	if b.writable {
		return unix.MS_NOSUID | unix.MS_NODEV
	}
	return unix.MS_NOSUID | unix.MS_NODEV | unix.MS_RDONLY
}

// A cover is a path that is seen as nothing.
type cover struct {
	path   string
	folder bool
}

// system are the folders of programs, libraries and their settings. Of /var there
// is what programs read that are in them.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/libexec", "/etc", "/opt",
	"/nix", "/gnu", "/snap", "/home/linuxbrew", "/run/current-system",
	"/var/lib/ca-certificates", "/var/cache/fontconfig",
}

// survey looks at what planned options name.
func survey(o Options) scene {
	s := scene{room: room(o.Limits), links: map[string]string{}, lay: map[string]string{}}
	for place, file := range o.Files.Lay {
		s.lay[place] = resolved(file)
	}
	if o.Level != Network {
		for _, path := range system {
			s.show(path, false, false)
		}
	}
	for _, path := range o.Files.Show {
		s.show(path, false, true)
	}
	for _, path := range o.Files.Write {
		s.show(path, true, true)
	}
	s.settle()
	for _, path := range o.Files.Hide {
		s.cover(resolved(path))
	}
	return s
}

// show adds a path that is there. What leads to it by symbolic links does so inside.
func (s *scene) show(path string, writable, named bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return
	}
	if real != path {
		s.links[path] = real
	}
	s.binds = append(s.binds, bind{real, writable, named})
}

// settle puts folders before what is in them, and leaves out what Parity shows by
// itself and somebody has named, or named something around it.
func (s *scene) settle() {
	rank := func(b bind) int {
		switch {
		case b.named && b.writable:
			return 2
		case b.named:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(s.binds, func(a, b bind) int {
		if a.path != b.path {
			return strings.Compare(a.path, b.path)
		}
		return rank(b) - rank(a)
	})
	s.binds = slices.CompactFunc(s.binds, func(a, b bind) bool { return a.path == b.path })
	var kept []string
	s.binds = slices.DeleteFunc(s.binds, func(b bind) bool {
		if !b.named && aboveOf(b.path, kept) != "" {
			return true
		}
		kept = append(kept, b.path)
		return false
	})
}

// cover adds a path, if it is there: what cannot be looked at from here, the agent
// cannot look at either.
func (s *scene) cover(path string) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	s.covered = append(s.covered, cover{path, info.IsDir()})
}

// outside is where the machine's files are while the root is built, and private
// where the private folders, the empty ones and the laid files are made.
const (
	outside = "/.outside"
	private = "/.private"
)

// root makes a root of what is seen, and lets go of the machine's.
func (s *scene) root() error {
	steps := []struct {
		name string
		do   func() error
	}{
		{"mount /", swap},
		{"mount private folders", func() error { return s.privateFolders(private) }},
		{"mount /dev", devices},
		{"mount /proc", func() error { return processes(private) }},
		{"mount /sys", kernel},
		{"mount files", s.files},
		{"mount covers", func() error { return s.covers(private, s.covered) }},
		{"mount laid files", func() error { return s.laid(private, outside) }},
		{"unmount the machine's root", func() error { return release(outside) }},
		{"unmount private folders", func() error { return release(private) }},
		{"mount /", func() error {
			return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "")
		}},
	}
	for _, step := range steps {
		if err := failedAt(step.name, step.do()); err != nil {
			return err
		}
	}
	return nil
}

// swap puts an empty file system under everything; the machine's is outside.
func swap() error {
	anchor := ""
	for _, path := range []string{"/tmp", "/run", "/var", "/usr", "/etc"} {
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			anchor = path
			break
		}
	}
	if anchor == "" {
		return errors.New("no folder to begin at")
	}
	if err := unix.Mount("tmpfs", anchor, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,nr_inodes=4096,mode=0755"); err != nil {
		return err
	}
	if err := os.Mkdir(anchor+outside, 0o700); err != nil {
		return err
	}
	if err := unix.PivotRoot(anchor, anchor+outside); err != nil {
		return err
	}
	return unix.Chdir("/")
}

// release takes a mount away; what was bound from it stays.
func release(path string) error {
	if err := unix.Unmount(path, unix.MNT_DETACH); err != nil {
		return err
	}
	return os.Remove(path)
}

// files binds what is seen. A link whose place is not there yet is made, so that
// paths hold as they were given.
func (s *scene) files() error {
	for _, b := range s.binds {
		if err := bindAt(outside+b.path, b.path, b.flags()); err != nil {
			return err
		}
	}
	for path, to := range s.links {
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // as the machine's
			return err
		}
		if err := os.Symlink(to, path); err != nil {
			return err
		}
	}
	return nil
}

// overlay leaves the files as they are, but for what leads out of the network:
// /run and /tmp are private, sockets covered, names asked here.
func (s *scene) overlay() error {
	kept := map[string]int{} // what is seen of the private folders
	for _, b := range s.binds {
		if aboveOf(b.path, []string{"/run", "/tmp"}) == "" {
			continue
		}
		fd, err := unix.Open(b.path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			return failedAt("open "+b.path, err)
		}
		defer unix.Close(fd) //nolint:errcheck // opened as a path alone
		kept[b.path] = fd
	}
	at := resolved("/tmp")
	if !there(at) { // it is not made: the root is the machine's
		return failedAt("mount private folders", &os.PathError{Op: "find", Path: at, Err: unix.ENOENT})
	}
	if err := failedAt("mount private folders", s.privateFolders(at)); err != nil {
		return err
	}
	fd, err := unix.Open(at, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return failedAt("open "+at, err)
	}
	defer unix.Close(fd) //nolint:errcheck // opened as a path alone
	within := "/proc/self/fd/" + strconv.Itoa(fd)
	if err := failedAt("mount /proc", processes(within)); err != nil {
		return err
	}
	for _, place := range []string{"run", "tmp"} {
		if !there("/" + place) {
			continue
		}
		if err := failedAt("mount private folders", bindAt(within+"/"+place, resolved("/"+place), unix.MS_NOSUID|unix.MS_NODEV)); err != nil {
			return err
		}
	}
	for _, b := range s.binds {
		fd, ok := kept[b.path]
		if !ok {
			continue
		}
		if err := failedAt("mount files", bindAt("/proc/self/fd/"+strconv.Itoa(fd), b.path, b.flags())); err != nil {
			return err
		}
	}
	if err := failedAt("mount covers", s.covers(within, s.covered)); err != nil {
		return err
	}
	return failedAt("mount laid files", s.laid(within, ""))
}
