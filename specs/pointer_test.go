package specs_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parity/specs"
)

// What Pointer writes, PointerNames reads again, whatever the names.
func TestPointerIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("~/01aä")))).Draw(t, "names")
		if got := specs.PointerNames(specs.Pointer(names...)); !slices.Equal(got, names) {
			t.Fatalf("%q is %q and read as %q", names, specs.Pointer(names...), got)
		}
	})
	if got := specs.Pointer("a/b", "~1"); got != "/a~1b/~01" {
		t.Error(got)
	}
}
