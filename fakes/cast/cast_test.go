package cast_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parity/fakes/cast"
)

func Example() {
	var body any = map[string]any{"to": []any{"ada", int64(7), "bob"}, "limit": int64(20), "draft": true}
	fields := cast.Object(body)
	fmt.Println(cast.Texts(fields["to"]), cast.Int(fields["limit"]), cast.Bool(fields["draft"]))
	fmt.Println(cast.Text(fields["subject"]) == "", cast.Plain(fields["limit"]))
	// Output:
	// [ada bob] 20 true
	// true 20
}

func TestWhatIsOfAnotherTypeReadsAsZero(t *testing.T) {
	t.Parallel()
	for _, v := range []any{nil, struct{}{}, []string{"a"}, 7} {
		if cast.Object(v) != nil || cast.List(v) != nil || cast.Text(v) != "" || cast.Int(v) != 0 || cast.Bool(v) || cast.Plain(v) != "" ||
			len(cast.Texts(v)) > 0 || cast.Objects(v) != nil {
			t.Errorf("%v (%T) reads as something", v, v)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]any{"a": "a", "-7": int64(-7), "0.5": 0.5, "1000000000000000000000": 1e21, "true": true} {
		if got := cast.Plain(v); got != want {
			t.Errorf("%v reads as %q, want %q", v, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	one := map[string]any{"id": "1"}
	list := []any{"a", one, int64(2), "b"}
	if diff := cmp.Diff([]map[string]any{one}, cast.Objects(list)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"a", "b"}, cast.Anys(cast.Texts(list))); diff != "" {
		t.Error(diff)
	}
}
