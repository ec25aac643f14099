package gateway

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			r := Rehearsal{
				Settings: Settings{Root: root, CA: filepath.Join(root, "ca"), Profile: file, Getenv: func(string) string { return "" }},
				Command:  []string{"sh", "-c", c.agent}, Exit: "agent", Environ: []string{"PATH=" + os.Getenv("PATH")}, Stdout: &stdout, Stderr: &stderr,
			}
			if _, err := Rehearse(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			alone, err := Read(root, "last")
			if err != nil {
				t.Fatal(err)
			}
			if c.agent == agent && (stdout.String() != "key sk_test_4eC39HqLyjWDarjtT1zdp7dc\n" || !strings.HasPrefix(stderr.String(), "gave up\n")) {
				t.Errorf("shown: %q, %q", stdout.String(), stderr.String())
			}
			r.Stdout, r.Stderr = nil, t.Output()
			s, err := OpenSeries(t.Context(), SeriesOptions{Kind: "test", Parallel: 1, Rehearsal: r})
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
			for _, k := range []*Kept{alone, among} {
				in, _ := k.input()
				if said := in.Ending.Said; len(said) > mostRead || !strings.HasSuffix(said, c.want) || c.want == "" && said+k.Outcome.Said != "" {
					t.Errorf("%d bytes are read: %.100q, kept %.100q", len(said), said, k.Outcome.Said)
				}
				if len(in.Says.Done) != 1 || in.Says.Stopped != nil || !in.Says.Done[0].MatchString("All well.") {
					t.Errorf("%+v", in.Says)
				}
			}
		})
	}
}

// A secret that an agent wrote in two pieces, or that stood where what is kept
// begins, was kept in part.
func TestASecretThatIsCutIsNotKept(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2hunter2"
	for name, write := range map[string]func(t *tail){
		"in two writes": func(t *tail) {
			_, _ = t.Write([]byte("DB_PASSWORD=" + secret[:9]))
			_, _ = t.Write([]byte(secret[9:] + "\n"))
		},
		"where what is kept begins": func(t *tail) {
			_, _ = t.Write([]byte("password=" + secret + secret + "\n"))
			_, _ = t.Write(bytes.Repeat([]byte("x"), mostSaid-len(secret)-1))
		},
		"after much": func(t *tail) {
			for range 5 {
				_, _ = t.Write(bytes.Repeat([]byte("some words\n"), mostSaid/11))
			}
			_, _ = t.Write([]byte("password=" + secret + secret + "\n"))
			_, _ = t.Write(bytes.Repeat([]byte("x"), mostSaid-len(secret)-1))
		},
	} {
		var said tail
		write(&said)
		if kept := said.masked(); strings.Contains(kept, secret[len(secret)-8:]) || len(kept) < 10 || len(kept) > mostSaid+100 {
			t.Errorf("%s: %d bytes are kept: %.80q", name, len(kept), kept)
		}
	}
}
