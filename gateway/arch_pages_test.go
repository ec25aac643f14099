package gateway_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parity/faults"
)

// adding are the pages that teach how to add something.
var adding = []string{"faults/ADDING.md", "fakes/ADDING.md", "cmd/ADDING.md", "faults/trail/ADDING.md", "gateway/report/ADDING.md"}

var (
	linked = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	quoted = regexp.MustCompile("`([^`\\s]+)`")
	fenced = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```")
	filed  = regexp.MustCompile(`^(\.\./)*[a-z0-9][a-z0-9_./-]*\.(go|md|yaml)$`)
	tested = regexp.MustCompile("`(Test[A-Z]\\w+)`")
)

// TestArchitectureOfPages holds pages to the tree: where they lead is there.
func TestArchitectureOfPages(t *testing.T) {
	t.Parallel()
	root, sources := house(t)
	pages := pagesOf(t, root)
	tests := map[string]bool{}
	for _, s := range sources {
		if s.isTest() && !s.foreign {
			for _, declaration := range s.syntax.Decls {
				declares(declaration, func(name string, _ bool) { tests[name] = true })
			}
		}
	}
	for _, name := range slices.Concat(adding, []string{"CONTRIBUTING.md", "gateway/ARCHITECTURE.md"}) {
		content, ok := pages[name]
		if !ok {
			t.Errorf("%s is not there: it teaches whoever carries on", name)
		}
		for _, file := range quotedFiles(content) {
			if strings.Contains(file, "/") && !isThere(root, name, file) {
				t.Errorf("%s names the file %s, which is not there: say where that is now", name, file)
			}
		}
		for _, m := range tested.FindAllStringSubmatch(content, -1) {
			if !tests[m[1]] {
				t.Errorf("%s names the test %s, which is not there: say which one holds that now", name, m[1])
			}
		}
	}
	for name, content := range pages {
		for _, to := range links(content) {
			if _, err := os.Stat(filepath.Join(root, path.Dir(name), to)); err != nil {
				t.Errorf("%s links %s, which is not there: say where that is now", name, to)
			}
		}
		for _, file := range quotedFiles(content) {
			if path.Ext(file) == ".go" && !isThere(root, name, file) && !isSource(sources, file) {
				t.Errorf("%s names the file %s, and no file is called that: say where that is now", name, file)
			}
		}
	}
	for _, name := range adding {
		if !slices.Contains(links(pages["CONTRIBUTING.md"]), name) {
			t.Errorf("CONTRIBUTING.md does not link %s: nobody would find it", name)
		}
	}
}

// TestArchitectureOfReadmes holds that whoever opens a room of the commands or of
// the gateway, or the run, finds what is in it.
func TestArchitectureOfReadmes(t *testing.T) {
	t.Parallel()
	root, sources := house(t)
	pages := pagesOf(t, root)
	for _, s := range sources {
		above := path.Dir(s.folder())
		if s.isTest() || above != "cmd/internal" && above != "gateway" && s.folder() != "faults/run" {
			continue
		}
		if name := s.folder() + "/README.md"; pages[name] == "" {
			t.Errorf("%s is not there: it is the reference for what lives in that folder", name)
			pages[name] = "said once"
		}
	}
}

// TestArchitectureOfLists holds what pages list to what there is.
func TestArchitectureOfLists(t *testing.T) {
	t.Parallel()
	root, sources := house(t)
	pages := pagesOf(t, root)
	for _, m := range regexp.MustCompile(`(\d+) \[faults\]`).FindAllStringSubmatch(pages["README.md"], -1) {
		if n := len(faults.Catalogue()); m[1] != fmt.Sprint(n) {
			t.Errorf("README.md says that there are %s faults; there are %d", m[1], n)
		}
	}
	for _, s := range sources {
		page := s.folder() + "/README.md"
		if !s.isTest() && (s.folder() == "gateway/exchange" || s.folder() == "gateway/kept") && !strings.Contains(pages[page], "`"+path.Base(s.path)+"`") {
			t.Errorf("%s does not name %s: it has the files in the order in which one reads them", page, path.Base(s.path))
		}
	}
	used := regexp.MustCompile(`Use:\s+"([a-z]+)`)
	for _, s := range sources {
		if s.folder() != "cmd/parity" || s.isTest() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, s.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(content), -1) {
			if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(pages["cmd/README.md"]) {
				t.Errorf("cmd/README.md does not name the command %s of %s: cmd/ADDING.md has what else one needs", m[1], s.path)
			}
		}
	}
}

// pagesOf reads the pages of the repository, but for those that tests write to
// compare with, which lead nowhere.
func pagesOf(t *testing.T, root string) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skipped(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".md":
			return nil
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		pages[name] = fenced.ReplaceAllString(string(content), "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// links are the places in the repository that a page leads to.
func links(content string) (to []string) {
	for _, m := range linked.FindAllStringSubmatch(content, -1) {
		place, _, _ := strings.Cut(m[1], "#")
		if place != "" && !strings.Contains(place, "://") && !strings.HasPrefix(place, "mailto:") {
			to = append(to, place)
		}
	}
	return to
}

// quotedFiles are the files that a page names in code. What has capitals stands
// for a name that is still to be chosen.
func quotedFiles(content string) (files []string) {
	for _, m := range quoted.FindAllStringSubmatch(content, -1) {
		if filed.MatchString(m[1]) {
			files = append(files, m[1])
		}
	}
	return files
}

// isSource tells whether a Go file is called that, with as much of its path as a
// page says.
func isSource(sources []source, name string) bool {
	return slices.ContainsFunc(sources, func(s source) bool { return strings.HasSuffix("/"+s.path, "/"+name) })
}

// isThere tells whether a page leads somewhere: from its own folder, or from the
// root.
func isThere(root, page, to string) bool {
	for _, from := range []string{path.Dir(page), "."} {
		if _, err := os.Stat(filepath.Join(root, from, to)); err == nil {
			return true
		}
	}
	return false
}

func TestArchitectureReadsPages(t *testing.T) {
	t.Parallel()
	const page = "[a](b/c.go#l1) [d](https://e.test/f.md) [g](#h) `i/j.go` `k.go` `NAME.go` `m_*.go` `go test ./n` `o.yaml`"
	if got := strings.Join(links(page), " "); got != "b/c.go" {
		t.Errorf("links %q", got)
	}
	if got := strings.Join(quotedFiles(page), " "); got != "i/j.go k.go o.yaml" {
		t.Errorf("files %q", got)
	}
}
