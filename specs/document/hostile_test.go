package document_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"parity/specs/document"
)

// soon runs what once took for ever; where it does again, the test binary's own
// time limit ends it.
func soon(t *testing.T, what func()) {
	t.Helper()
	began := time.Now()
	what()
	t.Logf("it took %v", time.Since(began))
}

func TestManyReferencesDoNotEachGoThroughTheDocument(t *testing.T) {
	t.Parallel()
	const n = 100_000
	for name, c := range map[string]struct{ entry, ref string }{
		"names":   {`"S%[1]d": {}`, "#/S%d"},
		"anchors": {`"S%[1]d": {"$anchor": "a%[1]d"}`, "#a%d"},
		"ids":     {`"S%[1]d": {"$id": "https://x.test/%[1]d"}`, "https://x.test/%d"},
		"nowhere": {`"S%[1]d": {}`, "#b%d"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			text.WriteString("{")
			for i := range n {
				fmt.Fprintf(&text, c.entry+",\n", i)
			}
			d := open(t, "a.json", text.String()+`"end": {}}`)
			soon(t, func() {
				for i := range n {
					found, err := d.Resolve(d.Root(), fmt.Sprintf(c.ref, i))
					if want := "S" + strconv.Itoa(i); name != "nowhere" && (err != nil || found.Name != want) {
						t.Fatalf("%v %v; want %s", found, err, want)
					} else if name == "nowhere" && err == nil {
						t.Fatal("nothing has that name")
					}
				}
			})
		})
	}
}

func TestPlacesOfManyNodesAreFoundAtOnce(t *testing.T) {
	t.Parallel()
	d := open(t, "a.json", "["+strings.Repeat("{},\n  ", 300_000)+"{}]")
	soon(t, func() {
		for i := range d.Root().Len() {
			if _, line, column := d.Root().At(i).Place(); line != i+1 || column != 3 && i > 0 {
				t.Fatalf("item %d is at %d:%d", i, line, column)
			}
		}
	})
}

func TestAMergeOfManyKeysEnds(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("b: &b {")
	for i := range 100_000 {
		fmt.Fprintf(&text, "k%d: 1, ", i)
	}
	text.WriteString("z: 1}\nc:\n  <<: *b\n  k7: 2\n")
	soon(t, func() {
		d := open(t, "a.yaml", text.String())
		if n := d.Root().Get("c").Len(); n != 100_001 {
			t.Errorf("%d keys", n)
		}
	})
}

func TestAPipeInTheFolderIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("a: {$ref: pipe.yaml}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		d, err := document.Open(os.DirFS(dir), "a.yaml")
		if err == nil && (len(d.Problems()) != 1 || d.Problems()[0].Code != "unreadable-file") {
			err = fmt.Errorf("problems %v", d.Problems())
		}
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for whoever writes into the pipe")
	}
}
