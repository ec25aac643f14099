package contain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// boundNames reads /proc/net/unix: the names that are paths, and by inode those
// that are relative to where the program was.
func boundNames(list string) (absolute []string, relative map[string]string) {
	relative = map[string]string{}
	for line := range strings.Lines(list) {
		// Num RefCount Protocol Flags Type St Inode Path
		fields := strings.SplitN(strings.Join(strings.Fields(line), " "), " ", 8)
		if len(fields) < 8 || fields[0] == "Num" || strings.HasPrefix(fields[7], "@") {
			continue
		}
		_, name, _ := strings.Cut(line, fields[6]+" ") // as it is, with its spaces
		name = strings.TrimSuffix(name, "\n")
		if filepath.IsAbs(name) {
			absolute = append(absolute, filepath.Clean(name))
		} else {
			relative[fields[6]] = name
		}
	}
	return absolute, relative
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
			to, err := os.Readlink(fd)
			if err != nil || !strings.HasPrefix(to, "socket:[") {
				continue
			}
			name, ok := relative[strings.Trim(to[len("socket:"):], "[]")]
			if !ok {
				continue
			}
			if at, err := os.Readlink(process + "/cwd"); err == nil {
				paths = append(paths, filepath.Join(at, name))
			}
		}
	}
	return paths
}
