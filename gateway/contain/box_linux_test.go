package contain_test

import (
	"bytes"
	"errors"
	"testing"

	"parity/gateway/contain"
)

// open opens a containment, where this machine allows one.
func open(t *testing.T, o contain.Options) *contain.Box {
	t.Helper()
	b, err := contain.Open(t.Context(), o)
	var refused *contain.Refused
	if errors.As(err, &refused) {
		t.Skipf("no containment on this machine: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestX(t *testing.T) {
	b := open(t, contain.Options{})
	var out bytes.Buffer
	end, err := b.Run(t.Context(), contain.Command{Args: []string{"sh", "-c", `id; ps ax -o pid,ppid,pgid,sess,comm; ip a; ip route show table local; ip -6 route show table local; grep -i cap /proc/self/status; cat /proc/1/environ; kill -9 1; kill -SEGV 1; kill -TERM 1; echo still; exit 3`}, Env: []string{"PATH=/usr/bin:/bin:/sbin:/usr/sbin"}, Stdout: &out, Stderr: &out})
	t.Log(out.String(), end, err)
}
