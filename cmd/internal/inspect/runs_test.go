package inspect

import (
	"strings"
	"testing"
)

// Names of runs were taken by commands for flags, folders or devices.
func TestWhatNoRunIsCalled(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"--help", "-", "-x", "..", "a/b", "/dev/null", "a\x00", "A", "last", strings.Repeat("a", 65), "é"} {
		if _, err := ExpandNames([]string{name}); err == nil {
			t.Errorf("parity runs new %q", name)
		}
	}
	names, err := ExpandNames([]string{"shard-{1..100}", "{red,blue}-{1..2}"})
	if err != nil || len(names) != 104 || names[99] != "shard-100" || names[103] != "blue-2" {
		t.Errorf("%q, %v", names, err)
	}
}
