package gateway_test

import (
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parity/faults"
)

// namings are the places outside their own folders that name faults or services
// as literals, by the name of the file, and why. A name that stands elsewhere
// keeps a fact away from what it is about: who adds a fault or a service cannot
// know of it.
var namings = map[string]map[string]string{
	"fault": {
		"draft.go":     "a first profile is a text that people read, with rules that are off: three faults that any service has",
		"promotion.go": "an example in the profile's schema",
		"mode.go":      "the key of how long a real service may take has the name of a fault",
		"keys.go":      "an example in the profile's schema",
	},
	"service": {
		"draft.go":       "a first profile of an agent that was not seen yet has some service in it",
		"keys.go":        "an example in the profile's schema",
		"keys_expect.go": "an example in the profile's schema",
		"init.go":        "GitHub is meant as what runs CI, not as a service",
		"project.go":     "GitHub is meant as what runs CI, not as a service",
		"print.go":       "GitHub is meant as what runs CI, not as a service",
	},
}

// A naming is a literal that is the name of a fault or a service.
type naming struct {
	what, name string
	pos        token.Pos
}

// TestArchitectureOfFacts holds names of faults to faults, and those
// of services to their own folders and the list of those that ship.
func TestArchitectureOfFacts(t *testing.T) {
	t.Parallel()
	root, sources := house(t)
	named := namesOfFacts(t, root)
	used := map[string]bool{}
	for _, s := range sources {
		if s.foreign || s.isTest() {
			continue
		}
		for _, found := range namesIn(s, named) {
			if _, allowed := namings[found.what][path.Base(s.path)]; allowed {
				used[found.what+" "+path.Base(s.path)] = true
				continue
			}
			t.Error(misplaced(s, found))
		}
	}
	for what, files := range namings {
		for name := range files {
			if !used[what+" "+name] {
				t.Errorf("namings lets %s name a %s, which it does not any more: take it out", name, what)
			}
		}
	}
}

func misplaced(s source, n naming) complaint {
	where := "a field of its *faults.Fault, or a function of its file, says it (faults/judging.go has what judges know, faults/form.go what sweeps do)"
	if n.what == "service" {
		where = "a field of its fakes.Service, or an optional interface of its fake, says it"
	}
	return complain(s, n.pos, "%q is the name of a %s: what is so of one alone stands in its own folder, or who adds another would not find it; %s; where a name is needed all the same, namings says why",
		n.name, n.what, where)
}

// namesOfFacts are the names that are looked for, by what they name. A service
// that ships has a page about what is modelled of it.
func namesOfFacts(t *testing.T, root string) map[string][]string {
	t.Helper()
	named := map[string][]string{}
	for _, f := range faults.Catalogue() {
		named["fault"] = append(named["fault"], f.Name)
	}
	pages, err := filepath.Glob(filepath.Join(root, "fakes", "*", "MODELLED.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no service was found below fakes by its MODELLED.md: %v", err)
	}
	for _, page := range pages {
		named["service"] = append(named["service"], filepath.Base(filepath.Dir(page)))
	}
	return named
}

// namesIn finds them in a file. Names of faults are looked for above faults only,
// since nothing below knows of them.
func namesIn(s source, named map[string][]string) (found []naming) {
	room, _, _ := strings.Cut(s.folder(), "/")
	aware := slices.Index(rooms, room) < slices.Index(rooms, "faults")
	ofFault := map[ast.Node]bool{}
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.ImportSpec, *ast.Field: // paths, and tags of fields
			return false
		case *ast.BinaryExpr, *ast.KeyValueExpr, *ast.SwitchStmt:
			for _, literal := range besideFault(n) {
				ofFault[literal] = true
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if err != nil || n.Kind != token.STRING {
				return true
			}
			if aware && slices.Contains(named["fault"], text) && (text != commonWord || ofFault[n]) {
				found = append(found, naming{"fault", text, n.Pos()})
			}
			if slices.Contains(named["service"], text) && s.folder() != "fakes/"+text && s.folder() != "fakes/builtin" {
				found = append(found, naming{"service", text, n.Pos()})
			}
		}
		return true
	})
	return found
}

// commonWord is the name of a fault that is said of many other things: it counts
// where it stands beside something that is called a fault.
const commonWord = "error"

// besideFault lists what something called a fault is compared with, or set to.
func besideFault(node ast.Node) (literals []ast.Node) {
	switch n := node.(type) {
	case *ast.BinaryExpr:
		if calledFault(n.X) {
			return []ast.Node{n.Y}
		}
		if calledFault(n.Y) {
			return []ast.Node{n.X}
		}
	case *ast.KeyValueExpr:
		if calledFault(n.Key) {
			return []ast.Node{n.Value}
		}
	case *ast.SwitchStmt:
		if n.Tag == nil || !calledFault(n.Tag) {
			return nil
		}
		for _, clause := range n.Body.List {
			for _, value := range clause.(*ast.CaseClause).List {
				literals = append(literals, value)
			}
		}
	}
	return literals
}

func calledFault(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return strings.EqualFold(e.Name, "fault")
	case *ast.SelectorExpr:
		return strings.EqualFold(e.Sel.Name, "fault") || e.Sel.Name == "Name" && calledFault(e.X)
	}
	return false
}

func TestArchitectureFindsNamesOfFacts(t *testing.T) {
	t.Parallel()
	named := map[string][]string{"fault": {"error", "outage", "stale-read"}, "service": {"stripe"}}
	for _, test := range []struct{ name, path, code, want string }{
		{"a fault", "gateway/a.go", `var a = "stale-read"`, "stale-read"},
		{"a fault of one word", "profiles/a.go", `var a = "outage"`, "outage"},
		{"a fault in faults", "faults/a.go", `var a = "stale-read"`, ""},
		{"a fault below them", "fakes/a.go", `var a = "stale-read"`, ""},
		{"part of a text", "gateway/a.go", `var a = "a stale-read"`, ""},
		{"an error", "gateway/a.go", `var a = "error"`, ""},
		{"the fault error, compared", "gateway/a.go", `func f(s strike) bool { return s.Fault == "error" }`, "error"},
		{"the fault error, by its name", "gateway/a.go", `func f(r rule) bool { return "error" != r.Fault.Name }`, "error"},
		{"the fault error, set", "gateway/a.go", `var a = form{fault: "error"}`, "error"},
		{"the fault error, in a switch", "gateway/a.go", `func f(fault string) { switch fault { case "x", "error": } }`, "error"},
		{"a service", "specs/a.go", `var a = "stripe"`, "stripe"},
		{"a service in its folder", "fakes/stripe/a.go", `var a = "stripe"`, ""},
		{"a service in the list", "fakes/builtin/a.go", `var a = "stripe"`, ""},
		{"a service in another's folder", "fakes/slack/a.go", `var a = "stripe"`, "stripe"},
		{"a tag", "gateway/a.go", "type a struct { B string `stripe` }", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, found := range namesIn(parse(t, test.path, "package x\n"+test.code), named) {
				got += found.name
			}
			if got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
		})
	}
}
