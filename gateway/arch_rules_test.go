package gateway_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// rooms are the floors of the house, from the top: each knows those below it.
var rooms = []string{"cmd", "gateway", "profiles", "faults", "fakes", "specs"}

// soleImporters are packages from outside that we want to be able to change,
// or to hold down, in one place.
var soleImporters = map[string]struct{ importer, reason string }{
	"github.com/elazarl/goproxy":          {"gateway/ingress", "its defaults tunnel anywhere and end the process on a panic; they are set right there once"},
	"github.com/coder/websocket":          {"gateway/socket", "how long a connection is, what it may send and when it ends is bounded there once"},
	"github.com/dlclark/regexp2":          {"specs/pattern", "one place says how the patterns of contracts are read, and for how long"},
	"github.com/getkin/kin-openapi":       {"specs/oracle", "it gives a second opinion and decides nothing; contracts are read by specs/document, which is quicker and takes documents with faults"},
	"github.com/expr-lang/expr":           {"fakes/expression", "its bounds (length, allow-list, types) are held there; another user would be without"},
	"github.com/vektah/gqlparser":         {"specs/class", "its documents are bounded there, and nobody else has to read any"},
	"github.com/fsnotify/fsnotify":        {"profiles", "watching files rightly (folders, quiet, rescans) is written once"},
	"github.com/prometheus/client_golang": {"gateway/metrics", "labels come from closed sets, which only one place can promise"},
}

// blankImports are the ones allowed, by the folder that may: the rest would
// register something behind one's back.
var blankImports = map[string]string{
	"modernc.org/sqlite": "gateway/journal",      // database/sql has no other way
	"time/tzdata":        "fakes/googlecalendar", // zones also where the machine has none
}

// owners are the standard library's clocks and dice, and the packages that own
// them: everything else takes time and chance as dependencies, or a run could
// not be repeated.
var owners = []struct {
	importPath, owner, instead string
	names                      []string // nil: all of it
}{
	{"time", "fakes/clock", "take a clock.Wall", []string{
		"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
	}},
	{"math/rand", "fakes/chance", "use keyed draws", nil},
	{"math/rand/v2", "fakes/chance", "use keyed draws", nil},
}

const (
	maxLines       = 400
	maxTestLines   = 700
	maxFunction    = 60
	maxMethods     = 3
	modulePath     = "parity/"
	forbiddenNames = `^(utils?|commons?|helpers?|types|managers?)$`
)

// longFiles are tables of data, which may be longer, and why.
var longFiles = map[string]string{}

// A complaint names the place and the reason.
type complaint string

func complain(s source, pos token.Pos, format string, args ...any) complaint {
	return complaint(fmt.Sprintf("%s:%d: ", s.path, s.line(pos)) + fmt.Sprintf(format, args...))
}

// checkImports: rooms of the house, sole importers. Tests are free.
func checkImports(s source) (found []complaint) {
	room := func(folder string) int {
		first, _, _ := strings.Cut(folder, "/")
		return slices.Index(rooms, first)
	}
	for importPath, spec := range s.imports() {
		if outside := soleImporterOf(importPath); outside != nil && outside.importer != s.folder() {
			found = append(found, complain(s, spec.Pos(), "imports %s, which is for %s alone: %s", importPath, outside.importer, outside.reason))
		}
		target, ours := strings.CutPrefix(importPath, modulePath)
		if !ours {
			continue
		}
		if from, to := room(s.folder()), room(target); from > to {
			found = append(found, complain(s, spec.Pos(), "imports %s: imports run one way, %s, so that a lower room can be understood, tested and used without the ones above",
				importPath, strings.Join(rooms, " → ")))
		}
	}
	return found
}

func soleImporterOf(importPath string) *struct{ importer, reason string } {
	for outside, sole := range soleImporters {
		if importPath == outside || strings.HasPrefix(importPath, outside+"/") {
			return &sole
		}
	}
	return nil
}

func checkBlankImports(s source) (found []complaint) {
	for importPath, spec := range s.imports() {
		// The compiler asks for a blank "embed" beside go:embed; it registers nothing.
		if spec.Name == nil || spec.Name.Name != "_" || importPath == "embed" || blankImports[importPath] == s.folder() {
			continue
		}
		found = append(found, complain(s, spec.Pos(), "blank import of %s: registration is an explicit list, built by a function", importPath))
	}
	return found
}

func checkTimeAndChance(s source) (found []complaint) {
	for _, rule := range owners {
		name := s.nameOf(rule.importPath)
		if name == "" || s.folder() == rule.owner {
			continue
		}
		if rule.names == nil {
			found = append(found, complain(s, s.imports()[rule.importPath].Pos(), "imports %s, which is for %s alone: %s, or the run cannot be repeated",
				rule.importPath, rule.owner, rule.instead))
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := selector.X.(*ast.Ident); ok && of.Name == name && slices.Contains(rule.names, selector.Sel.Name) {
				found = append(found, complain(s, node.Pos(), "%s.%s is for %s alone: %s, or the run cannot be repeated",
					rule.importPath, selector.Sel.Name, rule.owner, rule.instead))
			}
			return true
		})
	}
	return found
}

func checkFunctions(s source) (found []complaint) {
	for _, declaration := range s.syntax.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if function.Name.Name == "init" && function.Recv == nil {
			found = append(found, complain(s, function.Pos(), "func init: what happens on import cannot be tested, ordered or left out; call it"))
		}
		if lines := s.line(function.End()) - s.line(function.Pos()) + 1; lines >= maxFunction {
			found = append(found, complain(s, function.Pos(), "func %s has %d lines, the limit is under %d: split it where its steps have names", function.Name.Name, lines, maxFunction))
		}
	}
	return found
}

// checkInterfaces counts the methods that an interface asks for. An embedded
// interface counts as one: small ones may be put together.
func checkInterfaces(s source) (found []complaint) {
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		itself, ok := node.(*ast.InterfaceType)
		if !ok {
			return true
		}
		methods := 0
		for _, field := range itself.Methods.List {
			methods += max(len(field.Names), 1)
		}
		if methods > maxMethods {
			found = append(found, complain(s, node.Pos(), "an interface of %d methods, the limit is %d: let whoever uses it ask for what it uses", methods, maxMethods))
		}
		return true
	})
	return found
}

func checkLines(s source) []complaint {
	limit := maxLines
	if s.isTest() {
		limit = maxTestLines
	}
	if s.lines <= limit || longFiles[s.path] != "" {
		return nil
	}
	return []complaint{complaint(fmt.Sprintf("%s: %d lines, the limit is %d: it holds more than one thing; "+
		"a table of data may be longer when longFiles says why", s.path, s.lines, limit))}
}

func checkName(s source) []complaint {
	for _, name := range []string{strings.TrimSuffix(s.syntax.Name.Name, "_test"), path.Base(s.folder())} {
		if regexp.MustCompile(forbiddenNames).MatchString(name) {
			return []complaint{complain(s, s.syntax.Name.Pos(), "package %s: a package is a noun that says what it does; anything ends up in a %s", name, name)}
		}
	}
	return nil
}
