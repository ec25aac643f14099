package gateway_test

import (
	"go/ast"
	"strings"
	"testing"
)

// The floors of the gateway, from the ground: rooms, the exchange over them, kept
// runs, which are decided again by it, and the root, which is the process that
// owns them all.
const (
	ground = iota
	first
	besideRoot // on its floor: it knows nothing of the process
	root
)

// floorOf is the floor on which a folder of the gateway stands.
func floorOf(folder string) int {
	switch folder {
	case "gateway":
		return root
	case "gateway/exchange":
		return first
	case "gateway/kept":
		return besideRoot
	}
	return ground
}

// mostRootFiles bounds the root: a heap is no process. Lower it with the root.
const mostRootFiles = 30

// maxFields is for structs: one with more is two things.
const maxFields = 15

// Why a struct has more fields.
const (
	document = "it is data, that is read, written or handed on as a whole"
	settings = "it is what one call is to be made of, each with its default"
	unsplit  = "it is more than one thing, from before there was a limit: split it when you are there, and add none"
)

// wideStructs have more fields, and why.
var wideStructs = map[string]string{
	"fakes.Call":                   document,
	"fakes/generic.Fake":           unsplit,
	"fakes/googlecalendar.listing": unsplit,
	"faults.Plan":                  document,
	"faults/run.Options":           settings,
	"faults/trail.Event":           document,
	"faults/trail.Exchange":        document,
	"faults/trail.Strike":          document,
	"faults/trail.Upstream":        document,
	"faults/trail.Verdict":         document,
	"cmd/internal/series.Series":   unsplit,
	"gateway.Server":               unsplit,
	"gateway.Settings":             settings,
	"gateway/ingress.Options":      settings,
	"gateway/ingress.Server":       unsplit,
	"gateway/ingress.conn":         unsplit,
	"gateway/journal.Store":        unsplit,
	"gateway/journal.Writer":       unsplit,
	"gateway/kept.Run":             document,
	"gateway/kept.Told":            document,
	"gateway/report.Report":        document,
	"gateway/report.card":          document,
	"gateway/report.overview":      document,
	"gateway/report.view":          document,
	"gateway/verdict.Input":        document,
	"gateway/verdict.call":         unsplit,
	"gateway/verdict.finding":      unsplit,
	"gateway/verdict.judge":        unsplit,
	"profiles.Expectation":         document,
	"profiles.Profile":             document,
	"profiles.binder":              unsplit,
	"profiles.key":                 document,
	"specs.Anatomy":                document,
	"specs.parts":                  document,
	"specs.schemas":                unsplit,
	"specs.sieve":                  unsplit,
	"specs/anatomy.Paging":         document,
	"specs/anatomy.Role":           document,
	"specs/sample.shape":           document,
	"specs/schema.View":            document,
}

// checkFloors: rooms stand on the ground and do not know each other, the exchange
// knows the rooms, kept runs know both, the root knows all, and commands know what
// stands on the ground and on the second floor.
func checkFloors(s source) (found []complaint) {
	inside := func(folder string) bool { return folder == "gateway" || strings.HasPrefix(folder, "gateway/") }
	for importPath, spec := range s.imports() {
		target, ours := strings.CutPrefix(importPath, modulePath)
		if !ours || !inside(target) {
			continue
		}
		switch from, to := floorOf(s.folder()), floorOf(target); {
		case !inside(s.folder()):
			if to == first && strings.HasPrefix(s.folder(), "cmd/") {
				found = append(found, complain(s, spec.Pos(), "imports %s: a command asks the gateway's root or its rooms; how an exchange is decided is no business of what prints", importPath))
			}
		case from == ground:
			found = append(found, complain(s, spec.Pos(), "imports %s: rooms of the gateway do not know one another, nor the floors above, so that each can be understood, tested and used alone; the exchange and the root put them together",
				importPath))
		case from == first && to == root:
			found = append(found, complain(s, spec.Pos(), "imports %s: the exchange does not know the process that it runs in: what it needs from there it names by a small interface of its own", importPath))
		case from == first && to == besideRoot:
			found = append(found, complain(s, spec.Pos(), "imports %s: the exchange does not know runs that are kept: these are decided again by it, so what it needs of them it names by a small interface of its own, such as Playback", importPath))
		case from == besideRoot && to == root:
			found = append(found, complain(s, spec.Pos(), "imports %s: a kept run is read where no process is up: what it needs of one (where runs are, what profiles are read with) comes as values", importPath))
		}
	}
	return found
}

// checkFields counts the fields of structs. An embedded one counts as one.
func checkFields(s source) (found []complaint) {
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		spec, ok := node.(*ast.TypeSpec)
		if !ok {
			return true
		}
		itself, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		if fields := itself.Fields.NumFields(); fields > maxFields && wideStructs[s.folder()+"."+spec.Name.Name] == "" {
			found = append(found, complain(s, spec.Pos(), "%s has %d fields, the limit is %d: it is more than one thing; say in wideStructs why where it is data", spec.Name.Name, fields, maxFields))
		}
		return true
	})
	return found
}

func TestArchitectureOfTheRoot(t *testing.T) {
	t.Parallel()
	_, sources := house(t)
	files, structs := 0, map[string]bool{}
	for _, s := range sources {
		if s.folder() == "gateway" && !s.isTest() {
			files++
		}
		if s.foreign {
			continue
		}
		for _, d := range s.syntax.Decls {
			if types, ok := d.(*ast.GenDecl); ok {
				for _, spec := range types.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						structs[s.folder()+"."+spec.Name.Name] = true
					}
				}
			}
		}
	}
	if files > mostRootFiles {
		t.Errorf("%d files at the gateway's root, the limit is %d: it is the process (server, runs, revisions, recovery, control plane); what reads a run back, judges it or decides it again is gateway/kept, what a command prints stands in cmd/internal, and a cluster with a wall of its own is a room", files, mostRootFiles)
	}
	for name := range wideStructs {
		if !structs[name] {
			t.Errorf("wideStructs lists %s, which is not there any more", name)
		}
	}
}
