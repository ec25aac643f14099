package specs

import (
	"fmt"
	"testing"
)

// Secrets are left out of a copy, and what was sent stays as it is.
func TestWithoutSecretsLeavesTheBodyAsItIs(t *testing.T) {
	t.Parallel()
	pin := `{"type": "string", "format": "password"}`
	c := hostile(t, `"A": {"type": "object", "properties": {"pin": `+pin+`, "pins": {"type": "array", "items": `+pin+`},
		"in": {"type": "object", "properties": {"pin": `+pin+`}}, "all": {"type": "array", "items": {"type": "object", "properties": {"pin": `+pin+`}}}}}`)
	for _, test := range []struct {
		body any
		want string
	}{
		{object{"a": "b", "in": object{"c": "d"}}, "map[a:b in:map[c:d]]"},
		{object{"a": "b", "pin": "1"}, "map[a:b]"},
		{object{"in": object{"c": "d", "pin": "1"}}, "map[in:map[c:d]]"},
		{object{"all": []any{object{"c": "d"}, object{"e": "f", "pin": "1"}}}, "map[all:[map[c:d] map[e:f]]]"},
		{object{"pins": []any{"1", "2"}}, "map[pins:[(redacted) (redacted)]]"},
	} {
		was := fmt.Sprint(test.body)
		if got := fmt.Sprint(c.Operations[0].WithoutSecrets(test.body)); got != test.want {
			t.Errorf("%s becomes %s, want %s", was, got, test.want)
		}
		if is := fmt.Sprint(test.body); is != was {
			t.Errorf("%s was changed to %s", was, is)
		}
	}
}
