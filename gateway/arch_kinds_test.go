package gateway_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// places are where every kind of event is dealt with: it is folded into the state
// of a run, given to a run that replays the record, told by a trace, and shown by
// a report.
var places = []struct {
	name string
	has  func(s source) bool
}{
	{"state: faults/run/state.go and faults/tallies.go", func(s source) bool { return s.path == "faults/run/state.go" || s.path == "faults/tallies.go" }},
	{"replay: gateway/kept/replay.go", func(s source) bool {
		return strings.HasPrefix(s.path, "gateway/") && path.Base(s.path) == "replay.go"
	}},
	{"trace: gateway/report/trace.go", func(s source) bool { return s.path == "gateway/report/trace.go" }},
	{"report: gateway/report", func(s source) bool {
		return s.folder() == "gateway/report" && path.Base(s.path) != "trace.go"
	}},
}

// handling says how a place deals with a kind: by the kind itself, by a field of
// the event that only such events have, or not at all, for a reason.
type handling struct{ field, nothing string }

func byKind() handling            { return handling{} }
func by(field string) handling    { return handling{field: field} }
func nothing(why string) handling { return handling{nothing: why} }

// kindsHandled says it for each kind and place: state, replay, trace, report.
func kindsHandled() map[string][4]handling {
	delta, adopted, word := nothing("its changes are applied, as those of any event"), nothing("it is taken over as it was"), nothing("it goes by the kind's own word")
	return map[string][4]handling{
		"Started":     {byKind(), by("Start"), by("Start"), nothing("the head of a report has what the run began with")},
		"Exchanged":   {byKind(), byKind(), by("Exchange"), byKind()},
		"Reserved":    {byKind(), byKind(), byKind(), byKind()},
		"Tunnelled":   {nothing("it changes no state"), adopted, by("Tunnel"), word},
		"Revised":     {byKind(), byKind(), byKind(), word},
		"ClockMoved":  {byKind(), byKind(), by("Clock"), byKind()},
		"WorldEdited": {delta, byKind(), byKind(), byKind()},
		"Fired":       {delta, byKind(), by("Timer"), byKind()},
		"SetBack":     {byKind(), byKind(), byKind(), byKind()},
		"Snapshotted": {byKind(), byKind(), byKind(), word},
		"RolledBack":  {byKind(), byKind(), byKind(), byKind()},
		"Abandoned":   {byKind(), byKind(), byKind(), word},
		"Resumed":     {byKind(), adopted, by("Epoch"), word},
		"Claimed":     {nothing("it changes no state"), adopted, by("Claim"), byKind()},
		"Reached":     {byKind(), byKind(), by("Exchange"), byKind()},
		"Delivered":   {delta, byKind(), by("Delivery"), byKind()},
		"Armed":       {byKind(), adopted, by("Arming"), byKind()},
		"Disarmed":    {byKind(), adopted, by("Arming"), byKind()},
		"Worded":      {delta, adopted, by("Word"), byKind()},
		"Credential":  {delta, adopted, by("Credential"), word},
		"Acted":       {delta, byKind(), by("Act"), by("Act")},
		"Probed":      {nothing("it changes no state"), adopted, by("Containment"), word},
	}
}

// A kind that was added and forgotten somewhere came out as nothing there: an
// empty line of a trace, a state that a replay did not come to.
func TestArchitectureOfKinds(t *testing.T) {
	t.Parallel()
	_, sources := house(t)
	kinds, handled := kindsOfEvents(sources), kindsHandled()
	if len(kinds) == 0 {
		t.Fatal("no constant of type Kind was found in faults/trail: this test looks for what is not there")
	}
	for i, place := range places {
		named := map[string]bool{}
		for _, s := range sources {
			if !s.foreign && !s.isTest() && place.has(s) {
				selected(s, named)
			}
		}
		if len(named) == 0 {
			t.Errorf("%s: there is no such file any more: say in places where that is now", place.name)
			continue
		}
		for _, kind := range kinds {
			how, known := handled[kind]
			switch {
			case !known:
				t.Errorf("trail.%s: nothing says how it is handled (%s): handle it there, then say so in kindsHandled", kind, place.name)
			case how[i].nothing != "" && named["trail."+kind]:
				t.Errorf("trail.%s is handled after all (%s): say so in kindsHandled", kind, place.name)
			case how[i].nothing == "" && how[i].field == "" && !named["trail."+kind]:
				t.Errorf("trail.%s is not handled (%s), which does not name it: handle it there, or say in kindsHandled why it need not be", kind, place.name)
			case how[i].field != "" && !named[how[i].field]:
				t.Errorf("trail.%s is not handled (%s), which does not read its %s: handle it there, or say in kindsHandled why it need not be", kind, place.name, how[i].field)
			}
		}
	}
	for kind := range handled {
		if !slices.Contains(kinds, kind) {
			t.Errorf("kindsHandled has %s, which is no kind of event any more", kind)
		}
	}
}

// kindsOfEvents are the names of the constants of type Kind in faults/trail.
func kindsOfEvents(sources []source) (kinds []string) {
	for _, s := range sources {
		if s.folder() != "faults/trail" || s.isTest() {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, named := spec.Type.(*ast.Ident); named && of.Name == "Kind" {
				for _, name := range spec.Names {
					kinds = append(kinds, name.Name)
				}
			}
			return true
		})
	}
	return kinds
}

// selected notes what a file selects: trail.Fired, and Timer for e.Timer.
func selected(s source, named map[string]bool) {
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if of, ok := selector.X.(*ast.Ident); ok && of.Name == "trail" {
			named["trail."+selector.Sel.Name] = true
		} else {
			named[selector.Sel.Name] = true
		}
		return true
	})
}
