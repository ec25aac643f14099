package doctor

import (
	"io/fs"
	"path"
	"runtime"
	"strconv"
	"strings"
)

// Fact is something about the machine that bears on containment.
type Fact struct {
	Name string `json:"name"`
	Is   string `json:"is"`
	Bad  bool   `json:"bad,omitempty"` // containment may fail for it
}

// machine says what this machine allows, by what its kernel shows of itself in
// files. landlock is the version of that, 0 for none.
func machine(root fs.FS, system string, landlock int) []Fact {
	m := files{root}
	if system != "linux" {
		return []Fact{{"system", system + ": nothing like Linux's namespaces for programs of a user", true}}
	}
	return []Fact{
		{Name: "system", Is: system + " " + m.or("proc/sys/kernel/osrelease", "of unknown version") + ", " + runtime.GOARCH},
		m.container(), m.namespaces(), m.modules(), m.masked(), m.seccomp(), m.groups(), landlocked(landlock),
	}
}

// files are what a kernel shows of itself.
type files struct{ root fs.FS }

func (m files) read(name string) (string, bool) {
	text, err := fs.ReadFile(m.root, name)
	return strings.TrimSpace(string(text)), err == nil
}

func (m files) or(name, otherwise string) string {
	if text, ok := m.read(name); ok && text != "" {
		return text
	}
	return otherwise
}

func (m files) there(name string) bool {
	_, err := fs.Stat(m.root, name)
	return err == nil
}

func (m files) container() Fact {
	is := "no sign of one"
	switch {
	case m.there(".dockerenv"):
		is = "yes, Docker's"
	case m.there("run/.containerenv"):
		is = "yes, Podman's"
	case m.there("var/run/secrets/kubernetes.io"):
		is = "yes, a Kubernetes pod's"
	}
	return Fact{Name: "container", Is: is}
}

func (m files) namespaces() Fact {
	f := Fact{Name: "user namespaces"}
	most, known := m.read("proc/sys/user/max_user_namespaces")
	clone, restricted := m.read("proc/sys/kernel/unprivileged_userns_clone")
	switch {
	case !m.there("proc/self/ns/user"):
		f.Is, f.Bad = "the kernel has none", true
	case known && most == "0":
		f.Is, f.Bad = "none may be made (user.max_user_namespaces is 0)", true
	case restricted && clone == "0":
		f.Is, f.Bad = "root's alone (kernel.unprivileged_userns_clone is 0)", true
	case known:
		f.Is = "allowed, " + most + " at most"
	default:
		f.Is = "allowed, as far as can be seen"
	}
	return f
}

func (m files) modules() Fact {
	f := Fact{Name: "security modules", Is: m.or("sys/kernel/security/lsm", "not shown")}
	if is, ok := m.read("proc/sys/kernel/apparmor_restrict_unprivileged_userns"); ok && is == "1" {
		f.Is, f.Bad = f.Is+"; AppArmor lets programs with a profile alone have user namespaces", true
	}
	return f
}

// masked tells of a /proc parts of which something was mounted over: no other one
// can be mounted beside it.
func (m files) masked() Fact {
	f := Fact{Name: "/proc", Is: "whole"}
	text, ok := m.read("proc/self/mountinfo")
	if !ok {
		f.Is = "its mounts are not shown"
	}
	var over []string
	for line := range strings.Lines(text) {
		const mountPoint = 4
		fields := strings.Fields(line)
		if len(fields) > mountPoint && strings.HasPrefix(fields[mountPoint], "/proc/") && !strings.HasPrefix(fields[mountPoint], "/proc/sys/fs/binfmt_misc") {
			over = append(over, fields[mountPoint])
		}
	}
	if len(over) > 0 {
		f.Is, f.Bad = "masked, as container runtimes do it: "+strings.Join(over[:min(len(over), 3)], ", "), true
	}
	return f
}

func (m files) seccomp() Fact {
	f := Fact{Name: "seccomp", Is: "no filter on this process"}
	status, _ := m.read("proc/self/status")
	for line := range strings.Lines(status) {
		switch name, is, _ := strings.Cut(strings.TrimSpace(line), ":"); {
		case name == "Seccomp" && strings.TrimSpace(is) == "2":
			f.Is = "this process is filtered, and may not be let make namespaces"
		case name == "Seccomp" && strings.TrimSpace(is) == "1":
			f.Is, f.Bad = "this process may do next to nothing (strict mode)", true
		}
	}
	return f
}

// groups tells whether memory can be limited for all processes of an agent
// together.
func (m files) groups() Fact {
	f := Fact{Name: "cgroup v2"}
	own, _ := m.read("proc/self/cgroup")
	_, group, v2 := strings.Cut(own, "0::")
	group, _, _ = strings.Cut(group, "\n")
	if !v2 || !m.there("sys/fs/cgroup/cgroup.controllers") {
		f.Is = "not here: memory is limited for each process by itself"
		return f
	}
	folder := path.Join("sys/fs/cgroup", group)
	info, err := fs.Stat(m.root, path.Join(folder, "cgroup.procs"))
	switch {
	case err != nil:
		f.Is = "not in sight: memory is limited for each process by itself"
	case !writable(info):
		f.Is = "not delegated to this user: memory is limited for each process by itself"
	default:
		f.Is = "delegated to this user, with " + m.or(path.Join(folder, "cgroup.controllers"), "no controllers")
	}
	return f
}

func landlocked(version int) Fact {
	if version < 1 {
		return Fact{Name: "Landlock", Is: "not here"}
	}
	return Fact{Name: "Landlock", Is: "version " + strconv.Itoa(version)}
}
