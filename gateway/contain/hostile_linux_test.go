package contain

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNothingOfTheMachineIsReached has a hostile agent try all it can, once as each
// user; what an honest one needs is tried beside.
func TestNothingOfTheMachineIsReached(t *testing.T) {
	t.Parallel()
	for name, uid := range users() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := machine(t, uid)
			told := around(t, uid, base)
			told.Options = Options{
				Level: Whole,
				Files: Files{
					Write: []string{base + "/home/project"},
					Show:  []string{base + "/alias", base + "/dotfiles"},
					Hide:  []string{base + "/home/.config/tool", base + "/home/project/.parity"},
					Lay:   map[string]string{"/etc/hosts": base + "/laid/bundle"},
				},
				Limits: Limits{Memory: 256 << 20, FileSize: 8 << 20, Processes: 64, OpenFiles: 256},
			}
			leftOut := map[string]string{}
			if _, processes := groupable(told.Options.Limits); uid == 0 && !processes {
				told.Options.Limits.Processes = 0 // Check says that it cannot be
				leftOut["fork 300 times"] = "no group can be made here for root"
			}
			if raceEnabled {
				told.Options.Limits.Memory = 0
				told.Names["left out"] = "fill the disk"
				leftOut["fill the disk"] = "without a limit, it is a quarter of the machine's memory"
			}
			for name, wrong := range wallsTry(t, uid, told, hostile()) {
				if why := leftOut[name]; why != "" {
					t.Logf("%s: not tried: %s", name, why)
					continue
				}
				t.Errorf("%s: %s", name, wrong)
			}
		})
	}
}

// TestNetworkAloneLeavesTheFiles has the files as they are, but for what leads out.
func TestNetworkAloneLeavesTheFiles(t *testing.T) {
	t.Parallel()
	for name, uid := range users() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := machine(t, uid)
			told := around(t, uid, base)
			told.Options = Options{Level: Network, Files: Files{
				Write: []string{base + "/home"},
				Show:  []string{base + "/shown", base + "/laid"},
				Hide:  []string{base + "/home/project/.parity"},
				Lay:   map[string]string{base + "/home/notes": base + "/laid/bundle"},
			}}
			for name, wrong := range wallsTry(t, uid, told, ofNetwork()) {
				t.Errorf("%s: %s", name, wrong)
			}
		})
	}
}

// around makes what is outside of a machine: sockets, and a program that is to run
// as its owner.
func around(t *testing.T, uid int, base string) trial {
	t.Helper()
	at := func(name string) string { return filepath.Join(base, name) }
	abstract := fmt.Sprintf("@parity-walls-%s", base)
	for _, name := range []string{abstract, at("shown/s"), at("home/project/s"), at("home/s")} {
		listener, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		_ = os.Chmod(name, 0o777) // an abstract one has no mode
	}
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: at("home/project/stale"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	if err := errors.Join(left.Close(), os.Lchown(at("home/project/stale"), uid, uid)); err != nil {
		t.Fatal(err)
	}
	elsewhere(t, at("home/project/deep/s"))
	id := at("shown/id")
	if program, err := os.ReadFile("/usr/bin/id"); err == nil {
		if err := errors.Join(os.WriteFile(id, program, 0o755), os.Chmod(id, 0o755|os.ModeSetuid)); err != nil { //nolint:gosec // the point
			t.Fatal(err)
		}
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	program := at("shown/walls.test")
	if err := os.Link("/proc/self/exe", program); err != nil {
		itself, err := os.ReadFile("/proc/self/exe")
		if err := errors.Join(err, os.WriteFile(program, itself, 0o755)); err != nil { //nolint:gosec // a test's
			t.Fatal(err)
		}
	}
	return trial{Dir: at("home/project"), Names: map[string]string{
		"program": program, "host": host,
		"base": base, "home": at("home"), "abstract": abstract, "pid": fmt.Sprint(os.Getpid()), "uid": fmt.Sprint(uid),
	}}
}

// elsewhere listens at a path from another network namespace, whose list of sockets
// is not this machine's, as a container with a shared folder does.
func elsewhere(t *testing.T, path string) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and dies with the goroutine
		err := unix.Unshare(unix.CLONE_NEWUSER | unix.CLONE_NEWNET)
		if errors.Is(err, unix.EINVAL) { // a process of threads: root alone
			err = unix.Unshare(unix.CLONE_NEWNET)
		}
		if err != nil {
			done <- nil // then it is an ordinary one
			runtime.UnlockOSThread()
			return
		}
		listener, err := net.Listen("unix", path)
		if err == nil {
			t.Cleanup(func() { _ = listener.Close() })
			err = os.Chmod(path, 0o777) //nolint:gosec // for whoever is inside
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err == nil {
		return
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
}

// wallsTry is what was not as wanted of the tries.
func wallsTry(t *testing.T, uid int, told trial, tries []try) map[string]string {
	t.Helper()
	came, wrong := map[string]string{}, map[string]string{}
	if err := json.Unmarshal(wallsRun(t, uid, told, told.Names["home"]), &came); err != nil {
		t.Fatal(err)
	}
	for _, try := range tries {
		if got, tried := came[try.name]; !tried {
			wrong[try.name] = "not tried"
		} else if !try.met(got) {
			wrong[try.name] = fmt.Sprintf("came of it %q, want %q", got, try.want)
		}
	}
	return wrong
}

const (
	missing  = "no such file"
	readOnly = "read-only file system"
	denied   = "permission denied"
	barred   = "operation not permitted"
	nobody   = "connection refused"
	locked   = readOnly + "|" + denied // what is root's is denied to others first
)

// of is a try with a path below what the machine has.
func of(do func(string) error, name string) func(map[string]string) error {
	return func(names map[string]string) error { return do(filepath.Join(names["base"], name)) }
}

func on(do func(string) error, path string) func(map[string]string) error {
	return func(map[string]string) error { return do(path) }
}

func call(number uintptr, args ...uintptr) func(map[string]string) error {
	return func(map[string]string) error {
		args = append(args, 0, 0, 0, 0, 0, 0)
		if _, _, errno := unix.Syscall6(number, args[0], args[1], args[2], args[3], args[4], args[5]); errno != 0 {
			return errno
		}
		return nil
	}
}

func family(family, kind, protocol int) func(map[string]string) error {
	return func(map[string]string) error {
		fd, err := unix.Socket(family, kind, protocol)
		if err == nil {
			return unix.Close(fd)
		}
		return err
	}
}

func dial(path string) error {
	connection, err := net.Dial("unix", path)
	if err == nil {
		return connection.Close()
	}
	return err
}

func list(path string) error {
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) == 0 {
		return errors.New("nothing in it")
	}
	return err
}

func hostile() []try {
	tries := append(reading(), writing()...)
	tries = append(tries, reaching()...)
	tries = append(tries, taking()...)
	return append(tries, honest()...)
}

func reading() []try {
	return []try{
		{"read ~/.ssh", of(readAll, "home/.ssh/id_ed25519"), missing},
		{"list ~/.ssh", of(list, "home/.ssh"), "nothing in it"},
		{"read ~/.ssh by a link", of(readAll, "home/project/up/id_ed25519"), missing},
		{"read ~/.aws, which is a link", of(readAll, "home/.aws/credentials"), missing},
		{"read where ~/.aws leads", of(readAll, "dotfiles/aws/credentials"), missing},
		{"read ~/.npmrc", of(readAll, "home/.npmrc"), "nothing in it"},
		{"read ~/.config/gh", of(readAll, "home/.config/gh/hosts.yml"), missing},
		{"read what a variable leads to", of(readAll, "home/cluster"), "nothing in it"},
		{"read what was hidden", of(readAll, "home/.config/tool/key"), missing},
		{"read what was hidden where it writes", of(readAll, "home/project/.parity/ca.key"), missing},
		{"read what was not shown", of(readAll, "elsewhere/data"), missing},
		{"read by a link out of its folder", of(readAll, "home/project/out/data"), missing},
		{"read /etc/shadow", on(readAll, "/etc/shadow"), "nothing in it|" + missing},
		{"read the environment of PID 1", on(readAll, "/proc/1/environ"), denied},
		{"read the memory of PID 1", on(readAll, "/proc/1/mem"), denied},
		{"list the root of PID 1", on(list, "/proc/1/root/"), denied},
		{"list the folder of PID 1", on(list, "/proc/1/cwd/"), denied},
		{"see the files of PID 1", on(func(path string) error { _, err := os.Readlink(path); return err }, "/proc/1/fd/0"), denied},
		{"read by its own root", func(names map[string]string) error {
			return readAll("/proc/self/root" + names["home"] + "/.ssh/id_ed25519")
		}, missing},
		{"read past its root", on(list, "/../.outside"), missing},
		{"list /run", on(readAll, "/run/docker.sock"), missing},
		{"see a process outside", func(names map[string]string) error { return readAll("/proc/" + names["pid"] + "/status") }, missing},
		{"read a file past the mounts", call(unix.SYS_OPEN_BY_HANDLE_AT, 0, 0, 0), barred},
	}
}

func writing() []try {
	return []try{
		{"write /etc", on(openToWrite, "/etc/passwd"), locked},
		{"write /usr", on(openToWrite, "/usr/bin/env"), locked},
		{"write /", on(func(path string) error { return errors.Join(os.Mkdir(path, 0o700), os.Remove(path)) }, "/parity-test"), readOnly},
		{"write the laid file", on(openToWrite, "/etc/hosts"), readOnly},
		{"write home", of(writeTo, "home/x"), readOnly},
		{"write in a cover", of(writeTo, "home/.ssh/authorized_keys"), readOnly},
		{"write over a cover", of(writeTo, "home/.npmrc"), readOnly},
		{"write what was shown", of(writeTo, "shown/x"), readOnly},
		{"write by a link out of its folder", of(writeTo, "home/project/out/data"), missing},
		{"move a cover away", of(func(path string) error { return os.Rename(path, path+"2") }, "home/project/.parity"), "resource busy"},
		{"remove a cover", of(os.Remove, "home/project/.parity"), "resource busy"},
		{"write the kernel's settings", on(openToWrite, "/proc/sys/kernel/core_pattern"), locked},
		{"write the network's settings", on(openToWrite, "/proc/sys/net/ipv4/ip_forward"), locked},
		{"write /sys", on(openToWrite, "/sys/kernel/uevent_helper"), missing},
		{"make a control group", on(func(path string) error { return os.Mkdir(path, 0o700) }, "/sys/fs/cgroup/x"), readOnly},
		{"make a device", of(func(path string) error { return unix.Mknod(path, unix.S_IFBLK|0o600, 254<<8) }, "home/project/disk"), barred},
		{"unmount a cover", of(func(path string) error { return unix.Unmount(path, unix.MNT_DETACH) }, "home/.ssh"), barred},
		{"bind home to its folder", func(names map[string]string) error {
			return unix.Mount(names["home"], names["home"]+"/project", "", unix.MS_BIND, "")
		}, barred},
		{"run a program as its owner", asOwner, "it is this user"},
		{"uncover in namespaces of its own", inNamespaces, "all refused"},
	}
}

// asOwner runs a program that belongs to root and is to run as root.
func asOwner(names map[string]string) error {
	said, err := exec.Command(names["base"]+"/shown/id", "-u").Output() //nolint:gosec // the test's
	if err == nil && strings.TrimSpace(string(said)) == names["uid"] {
		return errors.New("it is this user")
	}
	return err
}

func reaching() []try {
	return []try{
		{"connect to an abstract socket outside", func(names map[string]string) error { return dial(names["abstract"]) }, nobody},
		{"connect to a socket in a shown folder", of(dial, "shown/s"), nobody},
		{"connect to a socket where it writes", of(dial, "home/project/s"), nobody},
		{"connect to a socket in home", of(dial, "home/s"), nobody},
		{"connect to a socket of another network", of(dial, "home/project/deep/s"), nobody},
		{"vsock", family(unix.AF_VSOCK, unix.SOCK_STREAM, 0), "address family not supported"},
		{"packet socket", family(unix.AF_PACKET, unix.SOCK_RAW, 0), "address family not supported"},
		{"crypto socket", family(unix.AF_ALG, unix.SOCK_SEQPACKET, 0), "address family not supported"},
		{"bluetooth socket", family(unix.AF_BLUETOOTH, unix.SOCK_RAW, 0), "address family not supported"},
		{"netfilter", family(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_NETFILTER), "protocol not supported"},
		{"io_uring", call(unix.SYS_IO_URING_SETUP, 1), "not implemented"},
		{"type into the terminal", call(unix.SYS_IOCTL, 0, unix.TIOCSTI, 0), barred},
		{"type with upper bits set", call(unix.SYS_IOCTL, 0, 1<<32|unix.TIOCSTI, 0), barred},
		{"keyring", call(unix.SYS_KEYCTL, 0, ^uintptr(2)), barred},
		{"lift its limits", call(unix.SYS_UNSHARE, unix.CLONE_NEWUSER|unix.CLONE_NEWCGROUP), barred},
		{"bpf", call(unix.SYS_BPF), barred},
		{"perf", call(unix.SYS_PERF_EVENT_OPEN), barred},
		{"userfaultfd", call(unix.SYS_USERFAULTFD), barred},
		{"load a module", call(unix.SYS_FINIT_MODULE), barred},
		{"set the clock", call(unix.SYS_CLOCK_SETTIME, 0, 0), barred},
		{"signal PID 1, with which all would end", signalFirst, ""},
		{"signal a process outside", func(names map[string]string) error {
			var pid int
			_, _ = fmt.Sscan(names["pid"], &pid)
			return unix.Kill(pid, 0)
		}, "no such process"},
		{"trace PID 1", call(unix.SYS_PTRACE, unix.PTRACE_ATTACH, 1), barred},
		{"join the namespaces of PID 1", func(map[string]string) error {
			return readAll("/proc/1/ns/net")
		}, denied},
	}
}

func taking() []try {
	return []try{
		{"a file above its size", func(names map[string]string) error {
			signal.Ignore(syscall.SIGXFSZ)
			return os.Truncate(names["base"]+"/home/project/main", 9<<20)
		}, "file too large"},
		{"fill the disk", func(names map[string]string) error {
			if names["left out"] != "" {
				return nil
			}
			for i := range 256 { // all together twice the limit of memory
				file, err := os.Create(fmt.Sprintf("/tmp/%d", i))
				if err != nil {
					return err
				}
				err = unix.Fallocate(int(file.Fd()), 0, 0, 8<<20) //nolint:gosec // a descriptor
				if err := errors.Join(err, file.Close()); err != nil {
					return errors.Join(err, os.RemoveAll("/tmp/0"))
				}
			}
			return nil
		}, "no space left"},
		{"open 300 files", func(map[string]string) error {
			var open []*os.File
			defer func() {
				for _, file := range open {
					_ = file.Close()
				}
			}()
			for range 300 {
				file, err := os.Open("/dev/null")
				if err != nil {
					return err
				}
				open = append(open, file)
			}
			return nil
		}, "too many open files"},
		{"fork 300 times", func(map[string]string) error {
			var started []*exec.Cmd
			defer func() {
				for _, command := range started {
					_ = command.Process.Kill()
					_ = command.Wait()
				}
			}()
			for range 300 {
				command := exec.Command("sleep", "20")
				if err := command.Start(); err != nil {
					return err
				}
				started = append(started, command)
			}
			return nil
		}, "resource temporarily unavailable"},
	}
}

// honest is what programs need, and get.
func honest() []try {
	return []try{
		{"read home", of(readAll, "home/notes"), ""},
		{"read what was shown", of(readAll, "shown/data"), ""},
		{"read by the path that was given", of(readAll, "alias/data"), ""},
		{"read the laid file", func(map[string]string) error {
			if text, err := os.ReadFile("/etc/hosts"); string(text) != "laid" {
				return fmt.Errorf("%q, %w", text, err)
			}
			return nil
		}, ""},
		{"ask names here", namesAsked, ""},
		{"take a name that a program left", of(func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			listener, err := net.Listen("unix", path)
			if err != nil {
				return err
			}
			return errors.Join(dial(path), listener.Close())
		}, "home/project/stale"), ""},
		{"write its folder", of(writeTo, "home/project/made"), ""},
		{"write by where it is", on(writeTo, "made-too"), ""},
		{"write /var/tmp", on(writeTo, "/var/tmp/x"), ""},
		{"write /dev/shm", on(writeTo, "/dev/shm/x"), ""},
		{"write /run", on(writeTo, "/var/run/x"), ""},
		{"write /dev/null", on(writeTo, "/dev/null"), ""},
		{"read /dev/urandom", on(readAll, "/dev/urandom"), ""},
		{"read how many processors", on(readAll, "/sys/devices/system/cpu/online"), ""},
		{"open a terminal", on(func(path string) error {
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			return errors.Join(err, file.Close())
		}, "/dev/ptmx"), ""},
		{"talk by a socket of its own", of(func(path string) error {
			listener, err := net.Listen("unix", path)
			if err != nil {
				return err
			}
			return errors.Join(dial(path), listener.Close())
		}, "home/project/own"), ""},
		{"talk by a pair", family(unix.AF_UNIX, unix.SOCK_DGRAM, 0), ""},
		{"look at interfaces", func(map[string]string) error {
			_, err := net.Interfaces()
			return err
		}, ""},
		{"run programs", func(map[string]string) error {
			return exec.Command("/bin/sh", "-c", "true | ls / >/dev/null && kill -0 $$").Run()
		}, ""},
		{"be called as outside", func(names map[string]string) error {
			if name, err := os.Hostname(); name != names["host"] {
				return fmt.Errorf("%q, %w", name, err)
			}
			return nil
		}, ""},
		{"rename the machine", func(names map[string]string) error { return unix.Sethostname([]byte(names["host"])) }, barred},
	}
}

// signalFirst sends PID 1 what ends others. Older kernels say nothing to it, and
// what is tried after it would not be told.
func signalFirst(map[string]string) error {
	for _, sig := range []unix.Signal{unix.SIGKILL, unix.SIGTERM, unix.SIGSEGV, unix.SIGQUIT} {
		if err := unix.Kill(1, sig); err != nil && !errors.Is(err, unix.EPERM) {
			return err
		}
	}
	return nil
}

func namesAsked(map[string]string) error {
	if text, err := os.ReadFile("/etc/resolv.conf"); string(text) != "nameserver 127.0.0.1\n" {
		return fmt.Errorf("%q, %w", text, err)
	}
	return nil
}

// inNamespaces makes a user and a mount namespace, where it may all.
func inNamespaces(map[string]string) error {
	command := wallsCommand("nested")
	command.Stdout = nil
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET,
	}
	for c := range uintptr(unix.CAP_LAST_CAP + 1) {
		command.SysProcAttr.AmbientCaps = append(command.SysProcAttr.AmbientCaps, c)
	}
	if os.Getuid() != 0 { // root without capabilities may not be mapped (user_namespaces(7))
		command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	said, err := command.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	came := map[string]string{}
	if err := json.Unmarshal(said, &came); err != nil {
		return err
	}
	var wrong []string
	for _, try := range nested() {
		if got := came[try.name]; !try.met(got) {
			wrong = append(wrong, fmt.Sprintf("%s: %q, want %q", try.name, got, try.want))
		}
	}
	if wrong != nil {
		return errors.New(strings.Join(wrong, "; "))
	}
	return errors.New("all refused")
}

// nested are tries of one who may mount, in namespaces made inside.
func nested() []try {
	return []try{
		{"may mount at all", on(func(path string) error { return unix.Mount("/usr", path, "", unix.MS_BIND|unix.MS_REC, "") }, "/opt"), ""},
		{"unmount a cover", of(func(path string) error { return unix.Unmount(path, unix.MNT_DETACH) }, "home/.ssh"), "invalid argument"},
		{"move a cover", of(func(path string) error { return unix.Mount(path, "/opt", "", unix.MS_MOVE, "") }, "home/.ssh"), "invalid argument"},
		{"bind home without its covers", of(func(path string) error { return unix.Mount(path, "/opt", "", unix.MS_BIND, "") }, "home"), "invalid argument"},
		{"bind home with them", func(names map[string]string) error {
			if err := unix.Mount(names["home"], "/opt", "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
				return err
			}
			defer unix.Unmount("/opt", unix.MNT_DETACH) //nolint:errcheck // a test's
			return errors.Join(readAll("/opt/.ssh/id_ed25519"), unix.Unmount("/opt/.ssh", 0))
		}, "invalid argument"},
		{"lay home under another file system, without its covers", func(names map[string]string) error {
			return unix.Mount("overlay", "/opt", "overlay", 0, "lowerdir="+names["home"]+":/usr/bin")
		}, "invalid argument|" + barred + "|no such device"},
		{"clone home without its covers", func(names map[string]string) error {
			fd, err := unix.OpenTree(unix.AT_FDCWD, names["home"], unix.OPEN_TREE_CLONE)
			if err == nil {
				return unix.Close(fd)
			}
			return err
		}, "invalid argument"},
		{"mount control groups", on(func(path string) error { return unix.Mount("cgroup2", path, "cgroup2", 0, "") }, "/opt"), barred},
		{"mount what the kernel shows", on(func(path string) error { return unix.Mount("sysfs", path, "sysfs", 0, "") }, "/opt"), barred},
		{"make home writable", of(func(path string) error {
			return unix.Mount("", path, "", unix.MS_REMOUNT|unix.MS_BIND, "")
		}, "home"), barred},
		{"unmount home", of(func(path string) error { return unix.Unmount(path, unix.MNT_DETACH) }, "home"), "invalid argument"},
		{"mount a /proc without covers", on(func(path string) error { return unix.Mount("proc", path, "proc", 0, "") }, "/opt"), barred},
		{"write the kernel's settings", on(openToWrite, "/proc/sys/kernel/core_pattern"), locked},
		{"packet socket", family(unix.AF_PACKET, unix.SOCK_RAW, 0), "address family not supported"},
		{"connect to a socket in a shown folder", of(dial, "shown/s"), nobody},
		{"connect to an abstract socket outside", func(names map[string]string) error { return dial(names["abstract"]) }, nobody},
		{"read ~/.ssh", of(readAll, "home/.ssh/id_ed25519"), missing},
		{"make its own folder read-only as before Linux 5.12", of(func(path string) error {
			if err := unix.Mount(path, "/opt", "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
				return err
			}
			if err := restrictEach("/opt", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV); err != nil {
				return err
			}
			return writeTo("/opt/main")
		}, "home/project"), readOnly},
	}
}

// ofNetwork is what is tried where the network alone is contained.
func ofNetwork() []try {
	return []try{
		{"see the machine's /tmp", of(readAll, "elsewhere/data"), missing},
		{"see the machine's /run", on(list, "/run/user"), missing},
		{"see a process outside", func(names map[string]string) error { return readAll("/proc/" + names["pid"] + "/status") }, missing},
		{"connect to an abstract socket outside", func(names map[string]string) error { return dial(names["abstract"]) }, nobody},
		{"connect to a socket in a shown folder", of(dial, "shown/s"), nobody},
		{"connect to a socket where it writes", of(dial, "home/project/s"), nobody},
		{"connect to a socket of another network", of(dial, "home/project/deep/s"), nobody},
		{"write what was shown", of(writeTo, "shown/x"), readOnly},
		{"read what was hidden", of(readAll, "home/project/.parity/ca.key"), missing},
		{"write the kernel's settings", on(openToWrite, "/proc/sys/kernel/core_pattern"), locked},
		{"vsock", family(unix.AF_VSOCK, unix.SOCK_STREAM, 0), "address family not supported"},
		{"signal PID 1, with which all would end", signalFirst, ""},
		{"read ~/.ssh", of(readAll, "home/.ssh/id_ed25519"), ""},
		{"write home", of(writeTo, "home/made"), ""},
		{"write /tmp", on(writeTo, "/tmp/made"), ""},
		{"read the laid file", of(func(path string) error {
			if text, err := os.ReadFile(path); string(text) != "laid" { //nolint:gosec // the test's
				return fmt.Errorf("%q, %w", text, err)
			}
			return nil
		}, "home/notes"), ""},
		{"read /sys", on(list, "/sys/class"), ""},
		{"ask names here", namesAsked, ""},
	}
}
