package contain

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// The names of what is made in the private folders' file system.
const (
	nothing = "nothing" // an empty file
	empty   = "empty"   // an empty folder
	texts   = "texts"   // of files that are laid over the machine's
)

// privateFolders mounts one file system for all private folders, so that together
// they take no more than its size: it is memory. Where the root is ours they are
// put in their places.
func (s *scene) privateFolders(at string) error {
	if err := os.MkdirAll(at, 0o700); err != nil {
		return err
	}
	options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0755", s.room, max(s.room>>13, 4096))
	if err := unix.Mount("tmpfs", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return err
	}
	folders := []struct {
		name, place string
		mode        os.FileMode
	}{
		{"tmp", "/tmp", 0o777 | os.ModeSticky},
		{"vartmp", "/var/tmp", 0o777 | os.ModeSticky},
		{"shm", "/dev/shm", 0o777 | os.ModeSticky},
		{"run", "/run", 0o755},
		{empty, "", 0o555},
		{texts, "", 0o755},
	}
	for _, f := range folders {
		path := filepath.Join(at, f.name)
		if err := os.Mkdir(path, f.mode); err != nil {
			return err
		}
		if err := os.Chmod(path, f.mode); err != nil { // past the umask
			return err
		}
		if at == private && f.place != "" {
			if err := bindAt(path, f.place, unix.MS_NOSUID|unix.MS_NODEV); err != nil {
				return err
			}
		}
	}
	if err := os.Mkdir(filepath.Join(at, "run/lock"), 0o755); err != nil { //nolint:gosec // as the machine's
		return err
	}
	if at == private {
		for link, to := range map[string]string{"/var/run": "/run", "/var/lock": "/run/lock"} {
			if err := os.Symlink(to, link); err != nil {
				return err
			}
		}
	}
	// Whoever connects to a covered socket is to be told that nobody listens, and is
	// asked for the right to write first. What it is seen by is read-only.
	file := filepath.Join(at, nothing)
	return errors.Join(os.WriteFile(file, nil, 0o666), os.Chmod(file, 0o666)) //nolint:gosec // as said
}

// covers puts nothing over paths. It cannot be taken off inside: mounts are locked
// for namespaces that are made there.
func (s *scene) covers(from string, paths []cover) error {
	for _, c := range paths {
		with := filepath.Join(from, nothing)
		if c.folder {
			with = filepath.Join(from, empty)
		}
		if info, err := os.Lstat(c.path); err != nil || info.IsDir() != c.folder {
			continue // not seen inside, or gone since
		}
		if err := bindAt(with, c.path, unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC); err != nil {
			return err
		}
	}
	return nil
}

// laid puts files over places that are there, or that a symbolic link there leads
// to. Which place a system has differs: the others are left.
func (s *scene) laid(from, outside string) error {
	files := map[string]string{"/etc/resolv.conf": ""}
	own := map[string]string{"/etc/resolv.conf": "nameserver 127.0.0.1\n"}
	if from == private {
		files["/etc/hosts"] = ""
		host, _ := os.Hostname() //nolint:errcheck // one without a name has none here either
		own["/etc/hosts"] = "127.0.0.1\tlocalhost " + host + "\n::1\tlocalhost ip6-localhost ip6-loopback\n"
	}
	for place, file := range s.lay {
		files[place] = outside + file
		delete(own, place)
	}
	for place, text := range own {
		file := filepath.Join(from, texts, filepath.Base(place))
		if err := os.WriteFile(file, []byte(text), 0o444); err != nil { //nolint:gosec // to be read
			return err
		}
		files[place] = file
	}
	for _, place := range slices.Sorted(maps.Keys(files)) {
		if _, err := os.Lstat(place); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := bindAt(files[place], resolvedInside(place), unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC); err != nil {
			return err
		}
	}
	return nil
}

// resolvedInside is resolved for a link that may lead to what is not there any
// more, such as /etc/resolv.conf into /run.
func resolvedInside(place string) string {
	for range 8 {
		to, err := os.Readlink(place)
		if err != nil {
			return resolved(place)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(place), to)
		}
		place = to
	}
	return place
}

// devices makes a /dev of what every program may want.
func devices() error {
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		from := filepath.Join(outside, "dev", name)
		if _, err := os.Stat(from); err != nil && name != "null" {
			continue
		}
		if err := bindAt(from, "/dev/"+name, unix.MS_NOSUID|unix.MS_NOEXEC); err != nil {
			return err
		}
	}
	links := map[string]string{
		"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2",
		"core": "/proc/kcore",
	}
	if err := os.MkdirAll("/dev/pts", 0o755); err != nil { //nolint:gosec // as the machine's
		return err
	}
	// Terminals of one's own are a convenience: script(1), tmux, node-pty.
	if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"); err == nil {
		links["ptmx"] = "pts/ptmx"
	}
	for name, to := range links {
		if err := os.Symlink(to, "/dev/"+name); err != nil {
			return err
		}
	}
	return nil
}

// processes mounts a /proc of these processes alone. What of it is the machine's is
// read-only or covered, as in containers: for root outside, whom no capability is
// asked there. It also keeps a namespace made inside from mounting one without.
func processes(from string) error {
	if err := makePlace("/proc", true); err != nil {
		return err
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	for _, name := range []string{"sys", "bus", "fs", "irq", "sysrq-trigger", "dynamic_debug", "mtrr", "driver", "pressure"} {
		if path := "/proc/" + name; there(path) {
			if err := bindAt(path, path, flags|unix.MS_RDONLY); err != nil {
				return err
			}
		}
	}
	var hidden []cover
	for _, name := range []string{
		"acpi", "asound", "kcore", "keys", "key-users", "kmsg", "kallsyms", "kpagecount", "kpageflags", "kpagecgroup",
		"latency_stats", "sched_debug", "scsi", "slabinfo", "timer_list", "timer_stats", "vmallocinfo", "config.gz",
	} {
		if info, err := os.Lstat("/proc/" + name); err == nil {
			hidden = append(hidden, cover{"/proc/" + name, info.IsDir()})
		}
	}
	return (&scene{}).covers(from, hidden)
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// kernel shows what runtimes read of the machine: how many processors there are,
// and what the agent's group may take.
func kernel() error {
	for _, path := range []string{
		"/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage", "/sys/fs/cgroup",
	} {
		if !there(outside + path) {
			continue
		}
		if err := bindAt(outside+path, path, unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC); err != nil {
			return err
		}
	}
	return nil
}
