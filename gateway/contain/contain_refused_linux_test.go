package contain

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Each refusal is said with what helps, and nothing is started.
func TestAMachineThatAllowsNoContainmentSaysWhatHelps(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		step  string
		errno syscall.Errno
		want  []string
	}{
		{stepClone, syscall.ENOSPC, []string{"no space left", "sysctl -w user.max_user_namespaces"}},
		{stepClone, syscall.EPERM, []string{"operation not permitted", "seccomp", "internal network"}},
		{stepClone, syscall.EINVAL, []string{"CONFIG_USER_NS"}},
		{stepLoopback, syscall.EPERM, []string{"set up the loopback interface", "internal network"}},
		{"mount /proc", syscall.EPERM, []string{"masked", "systempaths=unconfined"}},
		{"mount /", syscall.EACCES, []string{"security module"}},
	} {
		err := refused(failedAt(of.step, of.errno))
		var is *Refused
		if !errors.As(err, &is) {
			t.Errorf("%s, %v: %v", of.step, of.errno, err)
			continue
		}
		for _, part := range of.want {
			if !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(part)) {
				t.Errorf("%s, %v: no %q in %s", of.step, of.errno, part, err)
			}
		}
	}
	if err := refused(failedAt(stepListen, syscall.EADDRINUSE)); errors.As(err, new(*Refused)) {
		t.Errorf("a port that is taken is no matter of what is allowed: %v", err)
	}
}

func TestAStepThatFailsStartsNothing(t *testing.T) {
	t.Parallel()
	for _, step := range []string{stepClone, stepLoopback, stepRoutes, stepPackets} {
		_, err := open(t.Context(), Options{Level: Network}, pretend{step, syscall.EPERM})
		var is *Refused
		if !errors.As(err, &is) || !strings.Contains(is.Cause, step) && !strings.Contains(is.Cause, stepClone) {
			t.Errorf("%s: %v", step, err)
		}
	}
}

// It is the kernel's own refusal: this one is given a namespace that may have no
// more of them.
func TestNoNamespacesAreLeft(t *testing.T) {
	t.Parallel()
	test := exec.Command("/proc/self/exe")
	test.Env = append(os.Environ(), "PARITY_TEST_ROLE=no namespaces left")
	test.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
	}
	said, err := test.CombinedOutput()
	if err != nil || strings.HasPrefix(string(said), "skip") {
		t.Skipf("no user namespace on this machine: %v %s", err, said)
	}
	if !strings.Contains(string(said), "sysctl -w user.max_user_namespaces") {
		t.Errorf("it says %s", said)
	}
}

func TestPortsThatCannotComeInAreRefused(t *testing.T) {
	t.Parallel()
	many := make([]int, 300)
	for i := range many {
		many[i] = 1000 + i
	}
	for _, ports := range [][]int{{0}, {65536}, {53}, {ProxyPort}, {ControlPort}, many} {
		if _, err := open(t.Context(), Options{Level: Network, Ports: ports}, pretend{}); err == nil || errors.As(err, new(*Refused)) {
			t.Errorf("ports %v: %v", ports, err)
		}
	}
}
