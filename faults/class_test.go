package faults

import (
	"slices"
	"testing"
)

// A judge knows no fault by its name: one without a class would be judged by
// nothing.
func TestEachFaultHasAClass(t *testing.T) {
	t.Parallel()
	met := map[Class]bool{}
	for _, f := range Catalogue() {
		if !slices.Contains(Classes(), f.Judging.Class) {
			t.Errorf("%s: its class %q is none of Classes: say in its Judging what an agent meets", f.Name, f.Judging.Class)
		}
		met[f.Judging.Class] = true
	}
	for _, class := range Classes() {
		if !met[class] {
			t.Errorf("no fault has the class %q: take it out, and its reaction rule with it", class)
		}
	}
}
