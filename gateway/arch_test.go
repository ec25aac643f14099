// Package gateway_test holds the house to its rules: the failures say why there
// is such a rule. ARCHITECTURE.md beside it and CONTRIBUTING.md say them in words;
// these are what is enforced.
package gateway_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// topLevel is the whole of it; .parity and .git are nobody's to list.
var topLevel = []string{
	"cmd", "gateway", "fakes", "faults", "specs", "profiles",
	".ci", ".git", ".github", ".parity",
}

func TestArchitecture(t *testing.T) {
	t.Parallel()
	_, sources := house(t)
	rules := []struct {
		name  string
		tests bool // holds for test files too
		check func(source) []complaint
	}{
		{"imports", false, checkImports},
		{"floors of the gateway", false, checkFloors},
		{"fields", false, checkFields},
		{"blank imports", false, checkBlankImports},
		{"time and chance", false, checkTimeAndChance},
		{"functions", false, checkFunctions},
		{"expressions", false, checkExpressions},
		{"interfaces", false, checkInterfaces},
		{"names", true, checkName},
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			t.Parallel()
			for _, s := range sources {
				if s.foreign || s.isTest() && !rule.tests {
					continue
				}
				for _, found := range rule.check(s) {
					t.Error(found)
				}
			}
		})
	}
	t.Run("sizes", func(t *testing.T) {
		t.Parallel()
		for _, s := range sources {
			for _, found := range checkLines(s) {
				t.Error(found)
			}
		}
		for name := range longFiles {
			if !slices.ContainsFunc(sources, func(s source) bool { return s.path == name }) {
				t.Errorf("longFiles lists %s, which is not there any more", name)
			}
		}
	})
}

func TestArchitectureOfPackageDocs(t *testing.T) {
	t.Parallel()
	_, sources := house(t)
	documented := map[string]bool{}
	for _, s := range sources {
		if s.foreign || s.isTest() {
			continue
		}
		documented[s.folder()] = documented[s.folder()] || isPackageDoc(s.syntax)
	}
	for folder, done := range documented {
		if !done {
			t.Errorf("%s has no package comment: say what it is for, with the picture that explains it, in a comment right above its package clause that begins with Package (or Command)", folder)
		}
	}
}

func isPackageDoc(file *ast.File) bool {
	text := file.Doc.Text()
	return strings.HasPrefix(text, "Package "+file.Name.Name+" ") ||
		file.Name.Name == "main" && (strings.HasPrefix(text, "Command ") || strings.HasPrefix(text, "Package main "))
}

func TestArchitectureOfFolders(t *testing.T) {
	t.Parallel()
	root, sources := house(t)
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() && !slices.Contains(topLevel, entry.Name()) {
			t.Errorf("%s: the top level is fixed, so that a newcomer can keep it in mind; put it in one of %s", entry.Name(), strings.Join(rooms, ", "))
		}
	}
	for _, room := range rooms {
		if _, err := os.Stat(filepath.Join(root, room, "README.md")); err != nil {
			t.Errorf("%s has no README.md: it is the reference for what lives in that folder", room)
		}
	}
	for _, s := range sources {
		if first, _, nested := strings.Cut(s.path, "/"); !nested || !slices.Contains(rooms, first) {
			t.Errorf("%s: Go code lives in the rooms %s", s.path, strings.Join(rooms, ", "))
		}
	}
}
