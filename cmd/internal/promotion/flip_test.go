package promotion_test

import (
	"bytes"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/cmd/internal/gatewaytest"
	"parity/cmd/internal/promotion"
	"parity/gateway/journal"
	"parity/gateway/kept"
	"parity/gateway/report"
)

// flipped is how many bytes of what is kept are changed, and as many cuts made.
const flipped = 40

// What is kept was changed or cut, the store or the evidence: a store whose
// checksums were cut off was verified as one of an older Parity, and its report
// was another one.
func TestAChangedByteOfWhatIsKeptFailsOrMatters(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet+"promotion: {draft: {runs: 1, differences: any}}\n")
	h.Must("POST", h.Base("stripe")+"/v1/customers", "name=Ada")
	h.Must("GET", h.Base("stripe")+"/v1/customers", "")
	h.Close()
	root, run := h.Root, h.Run.ID
	kept := promotion.Evidence{Root: root, Step: "draft", Agent: "bot@1"}
	if err := kept.Keep(io.Discard, []string{run}); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(7, 8))
	head, before := "", told(run, kept, "")
	if before.code != 0 || before.err != nil || before.report == "" {
		t.Fatalf("%+v", before)
	}
	_, said, _ := strings.Cut(before.said, "Newest digest: ")
	head, _, _ = strings.Cut(said, "\n")
	failed := 0
	for _, path := range keptFiles(t, root, run) {
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
				is := told(run, kept, head)
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
	if after := told(run, kept, head); failed == 0 || after.code != 0 || after.report != before.report {
		t.Errorf("%d failed; after: %+v", failed, after)
	}
}

// A telling is what is said of what is kept.
type telling struct {
	code         int
	err, reading error
	said, report string
}

func told(run string, e promotion.Evidence, head string) (is telling) {
	var said, rep bytes.Buffer
	is.code, is.err = e.Verify(&said, head)
	var k *kept.Run
	if k, is.reading = kept.Read(e.Root, run); is.reading == nil {
		is.reading = report.JSON(&rep, k.Report())
	}
	is.said, is.report = said.String(), rep.String()
	return is
}

// keptFiles are the store's file and those of the evidence.
func keptFiles(t *testing.T, root, run string) (files []string) {
	t.Helper()
	store, _, err := kept.Find(root, run)
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

// What is kept as evidence has no secret of the calls.
func TestEvidenceHasNoSecret(t *testing.T) {
	t.Parallel()
	h := gatewaytest.Open(t, gatewaytest.Quiet+"promotion: {draft: {runs: 1, differences: any}}\n")
	h.Must("POST", h.Base("stripe")+"/v1/customers", "name=Ada&metadata[api_key]=canary1&metadata[note]=sk_live_canary2Q7xZ2mWv9", "Authorization", "Bearer sk_test_canary3Q7xZ2mWv9")
	h.Close()
	if err := (promotion.Evidence{Root: h.Root, Step: "draft", Agent: "bot@1"}).Keep(io.Discard, []string{h.Run.ID}); err != nil {
		t.Fatal(err)
	}
	for _, file := range keptFiles(t, h.Root, h.Run.ID) {
		if text, err := os.ReadFile(file); err != nil || bytes.Contains(text, []byte("canary")) {
			t.Errorf("%s: %v\n%s", file, err, text)
		}
	}
}
