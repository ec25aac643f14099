package gateway_test

import (
	"bytes"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/gateway"
	"parity/gateway/journal"
)

// flipped is how many bytes of what is kept are changed, and as many cuts made.
const flipped = 40

// What is kept was changed or cut, the store or the evidence: a store whose
// checksums were cut off was verified as one of an older Parity, and its report
// was another one.
func TestAChangedByteOfWhatIsKeptFailsOrMatters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, profile := filepath.Join(dir, ".parity"), filepath.Join(dir, "p.yaml")
	text := quiet + "promotion: {draft: {runs: 1, differences: any}}\n"
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := gateway.Rehearse(t.Context(), gateway.Rehearsal{
		Settings: gateway.Settings{
			Root: root, CA: filepath.Join(dir, "ca"), Profile: profile, Getenv: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler),
		},
		Command: []string{os.Args[0]}, Exit: "agent", Environ: append(os.Environ(), agentKind+"=careful"), Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	kept := gateway.Evidence{Root: root, Step: "draft", Agent: "bot@1"}
	if err := kept.Keep(io.Discard, []string{"last"}); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(7, 8))
	head, before := "", told(root, kept, "")
	if before.code != 0 || before.err != nil || before.report == "" {
		t.Fatalf("%+v", before)
	}
	_, said, _ := strings.Cut(before.said, "Newest digest: ")
	head, _, _ = strings.Cut(said, "\n")
	failed := 0
	for _, path := range keptFiles(t, root) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range min(flipped, len(content)) {
			at := chance.IntN(len(content))
			hurt := bytes.Clone(content)
			hurt[at] ^= 1 << chance.IntN(8)
			for how, changed := range map[string][]byte{"changed": hurt, "cut": content[:at]} {
				if err := os.WriteFile(path, changed, 0o600); err != nil {
					t.Fatal(err)
				}
				is := told(root, kept, head)
				if is.code == 0 && is.err == nil && is.report != before.report {
					t.Errorf("%s, byte %d of %d %s: it is verified, and the report is another one: %v\n%s", path, at, len(content), how, is.reading, cmp.Diff(before.report, is.report))
				}
				if is.code != 0 || is.err != nil {
					failed++
				}
			}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d failed", failed)
	if after := told(root, kept, head); failed == 0 || after.code != 0 || after.report != before.report {
		t.Errorf("%d failed; after: %+v", failed, after)
	}
}

// A telling is what is said of what is kept.
type telling struct {
	code         int
	err, reading error
	said, report string
}

func told(root string, kept gateway.Evidence, head string) (is telling) {
	var said, rep bytes.Buffer
	is.code, is.err = kept.VerifyEvidence(&said, head)
	is.reading = gateway.PrintReport(&rep, root, "last", "json", gateway.Look{})
	is.said, is.report = said.String(), rep.String()
	return is
}

// keptFiles are the store's file and those of the evidence.
func keptFiles(t *testing.T, root string) (files []string) {
	t.Helper()
	store, _, err := gateway.Find(root, "last")
	if err == nil {
		err = filepath.WalkDir(filepath.Join(root, "evidence"), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				files = append(files, path)
			}
			return err
		})
	}
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	return append(files, filepath.Join(store, journal.FileName))
}
