package series

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parity/cmd/internal/rehearsal"
	"parity/gateway"
	"parity/gateway/kept"
)

// What an agent printed of how it ended was shown, and read by nobody.
func TestTheLastLinesOfAnAgentAreReadWhereAsked(t *testing.T) {
	t.Parallel()
	const agent = `echo key sk_test_4eC39HqLyjWDarjtT1zdp7dc; sleep 0.1; echo gave up >&2`
	for _, c := range []struct {
		name, says, agent, want string
	}{
		{"not asked", "{done: 'all (well|good)'}", agent, ""},
		{"asked", "{done: 'all (well|good)', output: true}", agent, "key sk_test_***\ngave up\n"},
		{"a lot", "{done: 'all (well|good)', output: true}", "seq 10000", "9999\n10000\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			file := filepath.Join(root, "p.yaml")
			if err := os.WriteFile(file, []byte("profile: p\nextends: [baseline]\nsays: "+c.says+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			r := rehearsal.Plan{
				Settings: gateway.Settings{Root: root, CA: filepath.Join(root, "ca"), Profile: file, Getenv: func(string) string { return "" }},
				Command:  []string{"sh", "-c", c.agent}, Exit: "agent", Environ: []string{"PATH=" + os.Getenv("PATH")}, Stdout: &stdout, Stderr: &stderr,
			}
			if _, err := rehearsal.Run(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			alone, err := kept.Read(root, "last")
			if err != nil {
				t.Fatal(err)
			}
			if c.agent == agent && (stdout.String() != "key sk_test_4eC39HqLyjWDarjtT1zdp7dc\n" || !strings.HasPrefix(stderr.String(), "gave up\n")) {
				t.Errorf("shown: %q, %q", stdout.String(), stderr.String())
			}
			r.Stdout, r.Stderr = nil, t.Output()
			s, err := Open(t.Context(), Options{Kind: "test", Parallel: 1, Plan: r})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			done, err := s.Run(t.Context(), []Job{{}})
			if err != nil {
				t.Fatal(err)
			}
			among, err := s.srv.Kept(done[0].Run)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []*kept.Run{alone, among} {
				if said := k.Outcome.Said; len(said) > 4<<10 || !strings.HasSuffix(said, c.want) || c.want == "" && said != "" {
					t.Errorf("%d bytes are kept: %.100q", len(said), said)
				}
				if says := k.Profile.Says; len(says.Done) != 1 || says.Stopped != nil || !says.Done[0].MatchString("All well.") {
					t.Errorf("%+v", says)
				}
			}
		})
	}
}
