package contain

import (
	"errors"
	"os"
	"strings"
	"syscall"
)

// refused makes of the error of a step what a person is told, where the machine
// does not allow the step.
func refused(err error) error {
	step, at := "", err
	var f *failure
	var out *failed
	switch {
	case errors.As(err, &f):
		step, at = f.step, f.err
	case errors.As(err, &out):
		step = out.Step
	}
	if mend := mendOf(step, at); mend != "" {
		return &Refused{Cause: "isolation is not possible here: to " + step + ": " + text(at), Mend: mend}
	}
	return err
}

func text(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

// mendOf says what helps, "" where it is no matter of what is allowed.
func mendOf(step string, err error) string {
	denied := errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES)
	switch {
	case step == "":
		return ""
	case step == stepClone && (errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EUSERS)):
		return mendNumber
	case step == stepClone && errors.Is(err, syscall.EINVAL):
		return "This kernel has no user namespaces (CONFIG_USER_NS).\n" + mendContainers
	case step == stepClone && denied:
		return mendClone()
	case denied && strings.Contains(step, "/proc"):
		return "Parts of /proc are masked, as container runtimes do it, and the kernel mounts no other one then.\n" +
			"Start the container with --security-opt systempaths=unconfined (Docker) or --security-opt unmask=ALL (Podman).\n" + mendContainers
	case denied:
		return mendAppArmor()
	}
	return ""
}

const (
	mendNumber = "The administrator has set the number of namespaces to nothing, or they are used up: as root,\n" +
		"  sysctl -w user.max_user_namespaces=10000\n" +
		"and the same of user.max_net_namespaces, max_mnt_namespaces, max_pid_namespaces, max_ipc_namespaces and max_uts_namespaces, where one of them is 0."
	mendContainers = "Or run agent and gateway as two containers on an internal network: docker-compose.yml in Parity's repository has such a pair."
)

// mendClone is for a refusal of the namespaces themselves.
func mendClone() string {
	if is("/proc/sys/kernel/unprivileged_userns_clone", "0") {
		return "This system keeps namespaces to root: as root,\n  sysctl -w kernel.unprivileged_userns_clone=1"
	}
	return "In a container, its seccomp profile forbids it: start it with --security-opt seccomp=unconfined, or with a profile that allows clone with new namespaces.\n" + mendContainers
}

// mendAppArmor is for a refusal inside namespaces that were made.
func mendAppArmor() string {
	if !is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
		return "A security module (AppArmor, SELinux) or a container's settings forbid it inside a user namespace.\n" + mendContainers
	}
	program, err := os.Executable()
	if err != nil {
		program = "/usr/local/bin/parity"
	}
	return "AppArmor lets only programs with a profile do it (as on Ubuntu 24.04). As root, write this to /etc/apparmor.d/parity:\n\n" +
		"abi <abi/4.0>,\ninclude <tunables/global>\nprofile parity " + program + " flags=(unconfined) {\n  userns,\n}\n\n" +
		"and load it with `apparmor_parser -r /etc/apparmor.d/parity`."
}

// is tells whether a file of the kernel's has a value.
func is(file, value string) bool {
	text, err := os.ReadFile(file)
	return err == nil && strings.TrimSpace(string(text)) == value
}
