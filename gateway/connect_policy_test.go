package gateway

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"parity/gateway/ingress"
)

// A run that names a host of this machine opened it for those that let out to a
// pattern of hosts, which opens none of this machine's.
func TestTunnelsGoByThePolicyOfTheirOwnRun(t *testing.T) {
	t.Parallel()
	inside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	dir := t.TempDir()
	for name, tunnel := range map[string]string{"named": inside.Addr().String(), "pattern": "*.example"} {
		text := "profile: " + name + "\nservices: {stripe: {}}\npolicy: {egress: {tunnel: ['" + tunnel + "']}}\n"
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), Settings{
		Root: filepath.Join(dir, ".parity"), CA: filepath.Join(dir, "ca"), Profiles: dir, Shared: true, Memory: true, Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	for name, c := range map[string]struct {
		authority string
		reached   bool
	}{"named": {inside.Addr().String(), true}, "pattern": {"inside.example:443", false}} {
		p := plan{name: name}
		if p.source, err = s.source(name + ".yaml"); err != nil {
			t.Fatal(err)
		}
		l, err := s.create(p)
		if err != nil {
			t.Fatal(err)
		}
		authority, err := ingress.ParseAuthority(c.authority, 0)
		if err != nil {
			t.Fatal(err)
		}
		v := s.Gateway.connectPolicy(t.Context(), ingress.Approach{
			Way: ingress.Connect, Authority: authority, Credentials: ingress.Credentials{Name: name, Token: l.Token, Sent: true},
		})
		if v.Action != ingress.Tunnel {
			t.Fatalf("%s: %+v", name, v)
		}
		to, err := v.Dialer.DialContext(t.Context(), "tcp", inside.Addr().String())
		if err == nil {
			to.Close()
		}
		if (err == nil) != c.reached {
			t.Errorf("a tunnel of run %s to this machine: %v", name, err)
		}
	}
}
