package contain

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// groupName is the name of an agent's control group: of the process id of PID 1,
// as it is outside, and of what the group bounds, such as parity-71-pids-64.
func groupName(pid string, needed []string, l Limits) string {
	name := "parity-" + pid
	for _, c := range controllers {
		if slices.Contains(needed, c.name) {
			name += c.bounding(l)
		}
	}
	return name
}

// bounding is the part of a group's name that says what it bounds.
func (c controller) bounding(l Limits) string { return fmt.Sprintf("-%s-%d", c.name, c.of(l)) }

// A hierarchy is one tree of control groups, and where this process is in it.
type hierarchy struct {
	own     string // the folder
	top     string // of what is seen of the tree
	unified bool   // version 2
	holds   []string
}

// A controller is what a limit is set by, with its file in both versions of control
// groups (Linux, admin-guide/cgroup-v2 and cgroup-v1).
type controller struct {
	name, unified, single string
	of                    func(Limits) int64
}

var controllers = []controller{
	{"memory", "memory.max", "memory.limit_in_bytes", func(l Limits) int64 { return l.Memory }},
	{"pids", "pids.max", "pids.max", func(l Limits) int64 { return int64(l.Processes) }},
}

// hierarchies finds the trees that hold memory or pids, by what /proc/self/cgroup
// and /proc/self/mountinfo say.
func hierarchies(groups, mountinfo string) (found []hierarchy) {
	at := map[string]string{} // controllers as listed, "" for version 2: the path
	for line := range strings.Lines(groups) {
		if parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3); len(parts) == 3 {
			at[parts[1]] = parts[2]
		}
	}
	for _, m := range mounts(mountinfo) {
		for list, group := range at {
			h := hierarchy{top: m.place, unified: m.kind == "cgroup2", holds: strings.Split(list, ",")}
			if h.unified != (list == "") || !h.unified && (m.kind != "cgroup" || !containsAll(strings.Split(m.options, ","), h.holds)) {
				continue
			}
			below, ok := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
			if !ok {
				continue
			}
			h.own = filepath.Join(m.place, below)
			if h.unified {
				h.holds = words(filepath.Join(h.own, "cgroup.controllers"))
			}
			h.holds = slices.DeleteFunc(h.holds, func(name string) bool { return name != "memory" && name != "pids" })
			if len(h.holds) > 0 {
				found = append(found, h)
			}
		}
	}
	return found
}

func containsAll(list, of []string) bool {
	return !slices.ContainsFunc(of, func(name string) bool { return !slices.Contains(list, name) })
}

func words(file string) []string {
	text, err := os.ReadFile(file) //nolint:gosec // of control groups
	if err != nil {
		return nil
	}
	return strings.Fields(string(text))
}

// place is the folder that a group for the needed controllers can be made in, ""
// for none. Under version 2 a group with processes of its own hands nothing on: it
// is then the one above, if that was delegated with it.
func (h hierarchy) place(needed []string) string {
	for _, folder := range []string{h.own, filepath.Dir(h.own)} {
		if aboveOf(folder, []string{h.top}) == "" || unix.Access(folder, unix.W_OK) != nil || unix.Access(filepath.Join(folder, "cgroup.procs"), unix.W_OK) != nil {
			continue
		}
		if !h.unified || containsAll(words(filepath.Join(folder, "cgroup.subtree_control")), needed) {
			return folder
		}
		if folder == h.own && folder != h.top && len(words(filepath.Join(folder, "cgroup.procs"))) > 0 {
			continue
		}
		on := "+" + strings.Join(needed, " +")
		if containsAll(words(filepath.Join(folder, "cgroup.controllers")), needed) &&
			os.WriteFile(filepath.Join(folder, "cgroup.subtree_control"), []byte(on), 0o600) == nil {
			return folder
		}
	}
	return ""
}

// needs are the controllers of this tree that the limits ask for.
func (h hierarchy) needs(l Limits) (names []string) {
	for _, c := range controllers {
		if c.of(l) > 0 && slices.Contains(h.holds, c.name) {
			names = append(names, c.name)
		}
	}
	return names
}

// make makes a group for PID 1 with its limits, and puts this process in it.
func (h hierarchy) make(pid string, l Limits) error {
	needed := h.needs(l)
	folder := h.place(needed)
	if len(needed) == 0 || folder == "" {
		return nil
	}
	group := filepath.Join(folder, groupName(pid, needed, l))
	if err := os.Mkdir(group, 0o755); err != nil { //nolint:gosec // as its neighbours
		return err
	}
	for _, c := range controllers {
		if !slices.Contains(needed, c.name) {
			continue
		}
		file := c.single
		if h.unified {
			file = c.unified
		}
		if err := os.WriteFile(filepath.Join(group, file), fmt.Append(nil, c.of(l)), 0o600); err != nil {
			return errors.Join(err, os.Remove(group))
		}
	}
	if slices.Contains(needed, "memory") && h.unified {
		_ = os.WriteFile(filepath.Join(group, "memory.swap.max"), []byte("0"), 0o600) // absent where swap is not counted
	}
	if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte("0"), 0o600); err != nil {
		return errors.Join(err, os.Remove(group))
	}
	return nil
}

// joinGroups puts PID 1, and so all that it starts, into groups of its own for the limits
// that are set by such, where it can.
func joinGroups(l Limits) error {
	self, err := os.Readlink("/proc/self") // as it is outside: so is /proc still
	if err != nil || l.Memory <= 0 && l.Processes <= 0 {
		return nil
	}
	for _, h := range ownHierarchies() {
		if err := h.make(self, l); err != nil && l.Processes > 0 && uncounted() != "" {
			return err // nothing else holds this limit
		}
	}
	return nil
}

// groupsOf are the groups of a PID 1, by whoever started it.
func groupsOf(pid int, in []hierarchy) (folders []string) {
	for _, h := range in {
		for _, folder := range []string{h.own, filepath.Dir(h.own)} {
			made, _ := filepath.Glob(filepath.Join(folder, fmt.Sprintf("parity-%d-*", pid))) //nolint:errcheck // the pattern is one
			folders = append(folders, made...)
		}
	}
	return folders
}

func ownHierarchies() []hierarchy { return hierarchies(readSelf("cgroup"), readSelf("mountinfo")) }

// removeGroups removes the groups of a PID 1 that has ended.
func removeGroups(pid int) {
	for _, group := range groupsOf(pid, ownHierarchies()) {
		_ = os.Remove(group) // another's, if there are processes in it
	}
}

// outOfMemory says whether the kernel has ended a process in the groups of a PID 1
// for want of memory.
func outOfMemory(pid int) bool { return killed(groupsOf(pid, ownHierarchies())) }

func killed(groups []string) bool {
	for _, group := range groups {
		for _, file := range []string{"memory.events", "memory.oom_control"} { // of version 2, of version 1
			said := words(filepath.Join(group, file))
			if i := slices.Index(said, "oom_kill"); i >= 0 && i+1 < len(said) && said[i+1] != "0" {
				return true
			}
		}
	}
	return false
}

// groupable says which limits a group can hold here, before anything is started.
func groupable(l Limits) (memory, processes bool) {
	for _, h := range ownHierarchies() {
		needed := h.needs(l)
		if len(needed) == 0 || h.place(needed) == "" {
			continue
		}
		memory = memory || slices.Contains(needed, "memory")
		processes = processes || slices.Contains(needed, "pids")
	}
	return memory, processes
}

// joined says which limits a group holds already, by /proc/self/cgroup.
func joined(groups string, l Limits) (memory, processes bool) {
	for line := range strings.Lines(groups) {
		name := path.Base(strings.TrimSuffix(line, "\n"))
		if !strings.HasPrefix(name, "parity-") {
			continue
		}
		memory = memory || strings.Contains(name+"-", controllers[0].bounding(l)+"-")
		processes = processes || strings.Contains(name+"-", controllers[1].bounding(l)+"-")
	}
	return memory, processes
}
