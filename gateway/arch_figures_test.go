package gateway_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestArchitectureFigures prints how the gateway is built, for whoever wants to
// see what a change does to it:
//
//	go test -v -run ArchitectureFigures ./gateway/arch*_test.go
//
// and holds that packages give values: what is printed is a command's matter.
func TestArchitectureFigures(t *testing.T) {
	t.Parallel()
	_, sources := house(t)
	picture := map[string]map[string]bool{}
	files, lines := map[string]int{}, map[string]int{}
	var root []source
	for _, s := range sources {
		if s.isTest() || s.foreign || !strings.HasPrefix(s.path, "gateway/") && !strings.HasPrefix(s.path, "cmd/") {
			continue
		}
		folder := s.folder()
		files[folder]++
		lines[folder] += s.lines
		if picture[folder] == nil {
			picture[folder] = map[string]bool{}
		}
		for imported := range s.imports() {
			if room, ok := strings.CutPrefix(imported, modulePath+"gateway/"); ok {
				picture[folder][room] = true
			}
		}
		if folder == "gateway" {
			root = append(root, s)
		}
		for _, name := range printers(s) {
			if folder == "gateway" {
				t.Errorf("%s: %s takes an io.Writer: a gateway gives values, and what a command prints belongs to cmd/internal", s.path, name)
			}
		}
	}
	var told strings.Builder
	for _, folder := range slices.Sorted(maps.Keys(picture)) {
		fmt.Fprintf(&told, "%-28s %3d files %6d lines → %s\n", folder, files[folder], lines[folder], strings.Join(slices.Sorted(maps.Keys(picture[folder])), " "))
	}
	all, back := arrows(root)
	fmt.Fprintf(&told, "arrows between the files of the root: %d, of which %d run back up", all, back)
	t.Log("\n" + told.String())
}

// printers gives the exported functions of a file that take an io.Writer.
func printers(s source) (names []string) {
	for _, declaration := range s.syntax.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || !function.Name.IsExported() {
			continue
		}
		for _, parameter := range function.Type.Params.List {
			of, ok := parameter.Type.(*ast.SelectorExpr)
			if ok && of.Sel.Name == "Writer" && fmt.Sprint(of.X) == "io" {
				names = append(names, function.Name.Name)
			}
		}
	}
	return names
}

// arrows counts which file uses what another one declares, and how many of these
// arrows run against the best order of the files that is quickly found. Files are
// read without types: a method counts where its name is one file's alone, and a
// name that a file also gives to something local does not.
func arrows(files []source) (all, back int) {
	names, methods := map[string]string{}, map[string]string{} // where each is declared; "" where several files have it
	for _, s := range files {
		for _, declaration := range s.syntax.Decls {
			declares(declaration, func(name string, method bool) {
				in := names
				if method {
					in = methods
				}
				if at, ok := in[name]; ok && at != s.path {
					in[name] = ""
					return
				}
				in[name] = s.path
			})
		}
	}
	uses := map[string]map[string]bool{}
	for _, s := range files {
		uses[s.path] = map[string]bool{}
		use := func(at string) {
			if at != "" && at != s.path {
				uses[s.path][at] = true
			}
		}
		locals, selected := localNames(s), map[*ast.Ident]bool{}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.SelectorExpr:
				selected[n.Sel] = true
				use(methods[n.Sel.Name])
			case *ast.Ident:
				if !selected[n] && !locals[n.Name] {
					use(names[n.Name])
				}
			}
			return true
		})
	}
	place := map[string]int{}
	for i, name := range readingOrder(uses) {
		place[name] = i
	}
	for from, tos := range uses {
		for to := range tos {
			all++
			if place[to] < place[from] {
				back++
			}
		}
	}
	return all, back
}

// declares gives the names that one declaration brings to the package.
func declares(declaration ast.Decl, give func(name string, method bool)) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		give(d.Name.Name, d.Recv != nil)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				give(spec.Name.Name, false)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					give(name.Name, false)
				}
			}
		}
	}
}

// localNames are the names of a file's fields, parameters and variables.
func localNames(s source) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				names[name.Name] = true
			}
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE {
					names[name.Name] = true
				}
			}
		case *ast.RangeStmt:
			for _, left := range []ast.Expr{n.Key, n.Value} {
				if name, ok := left.(*ast.Ident); ok {
					names[name.Name] = true
				}
			}
		case *ast.KeyValueExpr:
			if name, ok := n.Key.(*ast.Ident); ok {
				names[name.Name] = true
			}
		}
		return true
	})
	return names
}

// readingOrder puts users before what they use, as far as that can be: again and
// again the file that uses most and is used least comes next (Eades, Lin and
// Smyth 1993).
func readingOrder(uses map[string]map[string]bool) (order []string) {
	left := slices.Sorted(maps.Keys(uses))
	for len(left) > 0 {
		weight := func(name string) (w int) {
			for _, other := range left {
				if uses[name][other] {
					w++
				}
				if uses[other][name] {
					w--
				}
			}
			return w
		}
		next := slices.MaxFunc(left, func(a, b string) int { return cmp.Compare(weight(a), weight(b)) })
		order = append(order, next)
		left = slices.DeleteFunc(left, func(name string) bool { return name == next })
	}
	return order
}
