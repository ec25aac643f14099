package contain

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// outsideSockets are the sockets of files that programs outside are bound to, in
// whatever network namespace of this user's: a read-only mount stops nobody who
// connects, and neither does a network. proc is the machine's.
func outsideSockets(proc string) (paths []string) {
	read := map[string]bool{} // network namespaces
	processes, _ := filepath.Glob(filepath.Join(proc, "[0-9]*"))
	for _, process := range processes {
		network, err := os.Readlink(process + "/ns/net")
		if err != nil && filepath.Base(process) != "1" || err == nil && read[network] {
			continue // another user's, and mostly the machine's
		}
		read[network] = true
		list, err := os.ReadFile(process + "/net/unix")
		if err != nil {
			continue // ended since
		}
		absolute, relative := boundNames(string(list))
		paths = append(paths, absolute...)
		paths = append(paths, placed(processes, relative)...)
	}
	for i, path := range paths {
		paths[i] = filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path))
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || info.Mode().Type() != os.ModeSocket
	})
	slices.Sort(paths)
	return slices.Compact(paths)
}

// unixNames gives the sockets of a list as of /proc/net/unix (proc_pid_net(5)) that have a
// name: the inode, and the name as it is, with its spaces. That of an abstract one
// begins with @.
func unixNames(list string) iter.Seq2[string, string] {
	return func(yield func(inode, name string) bool) {
		for line := range strings.Lines(list) {
			// Num RefCount Protocol Flags Type St Inode Path
			fields := strings.Fields(line)
			if len(fields) < 8 || fields[0] == "Num" {
				continue
			}
			name := line
			for range 7 {
				_, name, _ = strings.Cut(strings.TrimLeft(name, " "), " ")
			}
			if !yield(fields[6], strings.TrimSuffix(name, "\n")) {
				return
			}
		}
	}
}

// boundNames are the names in such a list that are paths, and by inode those that
// are relative to where the program was.
func boundNames(list string) (absolute []string, relative map[string]string) {
	relative = map[string]string{}
	for inode, name := range unixNames(list) {
		switch {
		case strings.HasPrefix(name, "@"):
		case filepath.IsAbs(name):
			absolute = append(absolute, filepath.Clean(name))
		default:
			relative[inode] = name
		}
	}
	return absolute, relative
}

// socketAt is the inode of the socket that an entry of /proc/PID/fd is.
func socketAt(fd string) (inode string, ok bool) {
	to, err := os.Readlink(fd)
	if err != nil {
		return "", false
	}
	to, ok = strings.CutPrefix(to, "socket:[")
	return strings.TrimSuffix(to, "]"), ok
}

// placed are the paths of relative names, by who has the socket open now and where
// that is: what is known of it.
func placed(processes []string, relative map[string]string) (paths []string) {
	if len(relative) == 0 {
		return nil
	}
	for _, process := range processes {
		open, _ := filepath.Glob(process + "/fd/*")
		for _, fd := range open {
			inode, is := socketAt(fd)
			name, ok := relative[inode]
			if !is || !ok {
				continue
			}
			if at, err := os.Readlink(process + "/cwd"); err == nil {
				paths = append(paths, filepath.Join(at, name))
			}
		}
	}
	return paths
}

// lookedAt is how many entries of folders are looked at for sockets, nearest first:
// a few thousandths of a second.
const lookedAt = 5000

// passedBy are folders of many files, none of which any program listens at.
var passedBy = []string{"node_modules", ".git", "__pycache__", ".venv"}

// socketsBelow are the sockets in folders that somebody listens at, of whatever
// namespace: those of containers that share the folder are in no list that is read
// here. What a program has left behind is nobody's, and stays.
func socketsBelow(folders []string) (paths []string) {
	left, far := lookedAt, farMounts(readSelf("mountinfo"))
	for len(folders) > 0 && left > 0 {
		folder, err := os.Open(folders[0])
		at := folders[0]
		folders = folders[1:]
		if err != nil {
			continue
		}
		entries, _ := folder.ReadDir(left) //nolint:errcheck // what could be read
		left -= len(entries)
		for _, entry := range entries {
			path := filepath.Join(at, entry.Name())
			switch {
			case entry.IsDir() && !slices.Contains(passedBy, entry.Name()) && !slices.Contains(far, path):
				folders = append(folders, path)
			case entry.Type() == os.ModeSocket && listened(folder, entry.Name()):
				paths = append(paths, path)
			}
		}
		_ = folder.Close() // it was read alone
	}
	return paths
}

// farMounts are where file systems of other machines and of programs are mounted:
// one that does not answer would hold everything up.
func farMounts(mountinfo string) (places []string) {
	for _, m := range mounts(mountinfo) {
		for _, kind := range []string{"fuse", "nfs", "cifs", "smb", "9p", "ceph", "afs", "autofs"} {
			if strings.HasPrefix(m.kind, kind) {
				places = append(places, m.place)
			}
		}
	}
	return places
}

// listened says whether a socket has somebody who listens, without reaching it: a
// datagram socket is told of another kind's that it is of another kind, and by one
// of its own kind nothing is noticed.
func listened(folder *os.File, name string) bool {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return true
	}
	defer unix.Close(fd)                                          //nolint:errcheck // nothing was sent
	path := fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), name) // an address has room for 108 bytes
	err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
	return err == nil || errors.Is(err, unix.EPROTOTYPE)
}
