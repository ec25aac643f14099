package contain

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// room is how much memory private files may take: half of the agent's, so that a
// full disk is told as such, and no more than a quarter of the machine's.
func room(l Limits) int64 {
	const least, most = 16 << 20, 8 << 30
	bytes := int64(most)
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) == nil {
		bytes = min(bytes, int64(uint64(info.Totalram)*uint64(info.Unit)/4)) //nolint:gosec,unconvert // bytes of memory
	}
	if l.Memory > 0 {
		bytes = min(bytes, l.Memory/2)
	}
	return max(bytes, least)
}

// bounds are the limits of the agent's process and of all that it starts. They are
// set before its first instruction. What its group bounds altogether is not
// bounded for each process too.
func bounds(o Options) (set []bound) {
	memory, processes := joined(readSelf("cgroup"), o.Limits)
	if o.Limits.Memory > 0 && !memory {
		set = append(set, bound{unix.RLIMIT_DATA, uint64(o.Limits.Memory)}) //nolint:gosec // above 0
	}
	if o.Limits.Processes > 0 && !processes {
		set = append(set, bound{unix.RLIMIT_NPROC, uint64(o.Limits.Processes)}) //nolint:gosec // above 0
	}
	if o.Limits.OpenFiles > 0 {
		set = append(set, bound{unix.RLIMIT_NOFILE, uint64(o.Limits.OpenFiles)}) //nolint:gosec // above 0
	}
	if o.Limits.FileSize > 0 {
		set = append(set, bound{unix.RLIMIT_FSIZE, uint64(o.Limits.FileSize)}) //nolint:gosec // above 0
	}
	return set
}

// beyond is what this machine does not allow of the limits.
func (l Limits) beyond() (found []error) {
	memory, processes := groupable(l)
	ask := []struct {
		key      string
		value    int64
		resource int
		skip     bool
	}{
		{"memory", l.Memory, unix.RLIMIT_DATA, memory},
		{"processes", int64(l.Processes), unix.RLIMIT_NPROC, processes},
		{"open_files", int64(l.OpenFiles), unix.RLIMIT_NOFILE, false},
		{"file_size", l.FileSize, unix.RLIMIT_FSIZE, false},
	}
	for _, a := range ask {
		var now unix.Rlimit
		if a.value <= 0 || a.skip || unix.Getrlimit(a.resource, &now) != nil {
			continue
		}
		if uint64(a.value) > now.Max {
			found = append(found, fmt.Errorf("limits: %s: %d is above what this process may set, %d: lower it, or raise the hard limit (ulimit -H)", a.key, a.value, now.Max))
		}
	}
	if l.Processes > 0 && !processes {
		if why := uncounted(); why != "" {
			found = append(found, fmt.Errorf("limits: processes: %s, and no cgroup can be made for the agent: leave it out, or run where one is delegated (systemd-run --user --scope)", why))
		}
	}
	return found
}

// uncounted says why a limit of processes would not hold, or would count others'.
func uncounted() string {
	if os.Geteuid() == 0 && rootOutside(readSelf("uid_map")) {
		return "Linux does not count the processes of root"
	}
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return ""
	}
	var major, minor int
	release := unix.ByteSliceToString(name.Release[:])
	if _, err := fmt.Sscanf(release, "%d.%d", &major, &minor); err == nil && (major < 5 || major == 5 && minor < 14) {
		return "Linux " + release + " counts this user's processes outside too"
	}
	return ""
}

// rootOutside says whether root here, by /proc/self/uid_map, is the machine's root.
func rootOutside(ids string) bool {
	fields := strings.Fields(ids)
	return len(fields) == 3 && fields[0] == "0" && fields[1] == "0" && fields[2] == "4294967295"
}

func readSelf(name string) string {
	text, _ := os.ReadFile("/proc/self/" + name) //nolint:errcheck // not there is nothing said
	return string(text)
}
