package gateway_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// foreign says of a file that it is of a module of its own, with what the product
// does not need: only the sizes of such files concern us.
func foreign(name string) bool {
	return strings.HasPrefix(name, "fakes/sdktest/") || strings.HasPrefix(name, "gateway/peers/")
}

// A source is one Go file, read without regard to build constraints: the rules
// hold for every system.
type source struct {
	path    string // from the module's root, with slashes
	lines   int
	files   *token.FileSet
	syntax  *ast.File
	foreign bool // of another module: neither parsed nor held to our imports
}

// folder is also the package's import path without "parity/".
func (s source) folder() string { return path.Dir(s.path) }
func (s source) isTest() bool   { return strings.HasSuffix(s.path, "_test.go") }
func (s source) line(pos token.Pos) int {
	return s.files.Position(pos).Line
}

// imports gives each import's path and the name it goes by in this file: "_",
// its alias, or else the last element of its path.
func (s source) imports() map[string]*ast.ImportSpec {
	specs := make(map[string]*ast.ImportSpec, len(s.syntax.Imports))
	for _, spec := range s.syntax.Imports {
		specs[strings.Trim(spec.Path.Value, `"`)] = spec
	}
	return specs
}

// nameOf gives the name by which this file knows a package, "" where it does not.
func (s source) nameOf(importPath string) string {
	spec, ok := s.imports()[importPath]
	switch {
	case !ok:
		return ""
	case spec.Name != nil:
		return spec.Name.Name
	default:
		return path.Base(importPath)
	}
}

func parse(t *testing.T, name, content string) source {
	t.Helper()
	files := token.NewFileSet()
	syntax, err := parser.ParseFile(files, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	return source{path: name, lines: strings.Count(content, "\n"), files: files, syntax: syntax}
}

// house reads every Go file below the module's root.
func house(t *testing.T) (root string, sources []source) {
	t.Helper()
	root = ".."
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatalf("the module's root is not above this package: %v", err)
	}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skipped(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if foreign(name) {
			sources = append(sources, source{path: name, lines: strings.Count(string(content), "\n"), foreign: true})
			return nil
		}
		sources = append(sources, parse(t, name, string(content)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return root, sources
}

func skipped(folder string) bool {
	return folder == "testdata" || folder == "node_modules" || len(folder) > 1 && strings.HasPrefix(folder, ".")
}
