package generic

import (
	"errors"
	"strings"
	"testing"
)

// A patch of a few bytes asks for more than there is room for.
func TestAPatchThatMultipliesIsRefused(t *testing.T) {
	t.Parallel()
	many := func(n int, operation map[string]any) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = operation
		}
		return list
	}
	twice := func(n int) (list []any) {
		for range n {
			list = append(list, map[string]any{"op": "copy", "from": "", "path": "/c"}, map[string]any{"op": "copy", "from": "", "path": "/b"})
		}
		return list
	}
	deep := any("x")
	for range 100 {
		deep = map[string]any{"a": deep}
	}
	long := make([]any, 20_000)
	for name, c := range map[string]struct {
		old        map[string]any
		operations []any
	}{
		"copies of all in all":          {map[string]any{"a": map[string]any{}}, append(many(1, map[string]any{"op": "copy", "from": "", "path": "/b"}), twice(60)...)},
		"copies of a list in itself":    {map[string]any{"a": []any{"x"}}, many(60, map[string]any{"op": "copy", "from": "/a", "path": "/a/-"})},
		"a long list, again and again":  {map[string]any{"a": long}, many(100_000, map[string]any{"op": "add", "path": "/a/0", "value": true})},
		"a comparison, again and again": {map[string]any{"a": long}, many(100_000, map[string]any{"op": "test", "path": "/a", "value": long})},
		"deeper than a body may be":     {map[string]any{"a": deep}, many(1, map[string]any{"op": "copy", "from": "", "path": strings.Repeat("/a", 101)})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := jsonPatch(c.old, c.operations); !errors.Is(err, errPatchTooLarge) {
				t.Errorf("%v; want %v", err, errPatchTooLarge)
			}
		})
	}
	after, err := jsonPatch(map[string]any{"a": []any{}}, many(1000, map[string]any{"op": "add", "path": "/a/-", "value": true}))
	if err != nil || len(after["a"].([]any)) != 1000 {
		t.Errorf("a thousand additions: %v", err)
	}
}
