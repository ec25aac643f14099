package contain_test

import (
	"net"
	"path/filepath"
	"slices"
	"testing"

	"parity/gateway/contain"
	"parity/gateway/resolve"
)

// answers serves a containment as a gateway would, by a run's token.
func answers(t *testing.T, b *contain.Box, token string) {
	t.Helper()
	go contain.Answer(t.Context(), b, token, resolve.New(resolve.Options{}))
}

// What gets out of a containment is told by its name, and nothing gets out.
func TestNoProbeGetsOutOfAContainment(t *testing.T) {
	abstract, err := net.Listen("unix", "@parity-probe-test-"+filepath.Base(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	file, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, level := range []contain.Level{contain.Whole, contain.Network} {
		o := contain.Options{Level: level}
		b := open(t, o)
		answers(t, b, "token")
		p := contain.Outside(o, "token", nil)
		if !slices.Contains(p.Abstract, abstract.Addr().String()[1:]) || !slices.Contains(p.Sockets, file.Addr().String()) {
			t.Errorf("%+v has not what is outside", p)
		}
		found, err := b.Probe(t.Context(), contain.Command{Env: []string{"PATH=/usr/bin"}, Dir: "/"}, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range found {
			t.Logf("%s: %v %s", one.Name, one.Out, one.Said)
			if one.Out && !(level == contain.Network && one.Name == "gateway-memory") { // this test's process does not conceal itself
				t.Errorf("%s got out of %s: %s", one.Name, level, one.Said)
			}
		}
	}
}
