package sample

import "testing"

func TestDistinctFindsEqualValuesAndNoOthers(t *testing.T) {
	t.Parallel()
	for _, pair := range []struct {
		a, b any
		same bool
	}{
		{int64(1), float64(1), true},
		{int64(1), "1", false},
		{0.0, int64(0), true},
		{nil, false, false},
		{nil, "<nil>", false},
		{true, "true", false},
		{"a,b", "a", false},
		{[]any{"a", "b"}, []any{"a,b"}, false},
		{[]any{}, map[string]any{}, false},
		{[]any{[]any{}}, []any{}, false},
		{map[string]any{"a": int64(1), "b": nil}, map[string]any{"b": nil, "a": 1.0}, true},
		{map[string]any{"a": int64(1)}, map[string]any{"a": int64(2)}, false},
		{map[string]any{"a:1,b": int64(1)}, map[string]any{"a": int64(1)}, false},
	} {
		if got := distinct([]any{pair.a, "other", pair.b}); got == pair.same || got == equal(pair.a, pair.b) {
			t.Errorf("%v and %v: distinct %v, want %v", pair.a, pair.b, got, !pair.same)
		}
	}
}

// The cost of one more item is that of the first: no list may be so long that
// its check takes minutes.
func TestDistinctLooksAtEachItemOnce(t *testing.T) {
	t.Parallel()
	list := make([]any, 200_000) // compared pair by pair: 20 billion times
	for i := range list {
		list[i] = map[string]any{"n": int64(i)}
	}
	if !distinct(list) {
		t.Error("they are all distinct")
	}
}
