package kit_test

import (
	"fmt"
	"testing"

	"parity/fakes/kit"
)

// A table of routes says what a handler is given; a call for which there is no
// such thing is answered without it.
func ExampleWith() {
	type refusal struct{ message string }
	stock := map[string]int{"tea": 3}
	counted := func(item string) (int, *refusal) {
		n, ok := stock[item]
		if !ok {
			return 0, &refusal{"no such item: " + item}
		}
		return n, nil
	}
	show := func(item string, n int) (string, *refusal) { return fmt.Sprint(n, " of ", item), nil }
	routes := map[string]func(string) (string, *refusal){"show": kit.With(counted, show)}

	for _, item := range []string{"tea", "coffee"} {
		answer, refused := routes["show"](item)
		if refused != nil {
			fmt.Println(refused.message)
			continue
		}
		fmt.Println(answer)
	}
	// Output:
	// 3 of tea
	// no such item: coffee
}

func TestAGuardKeepsACallFromItsHandler(t *testing.T) {
	t.Parallel()
	acted := false
	handler := kit.WithTwo(
		func(good bool) (int, string, *error) {
			if !good {
				return 0, "", new(error)
			}
			return 1, "one", nil
		},
		func(_ bool, n int, word string) (string, *error) {
			acted = true
			return fmt.Sprint(n, word), nil
		})
	if got, refused := handler(false); refused == nil || got != "" || acted {
		t.Errorf("a call that is refused: %q, %v, acted %t", got, refused, acted)
	}
	if got, refused := handler(true); refused != nil || got != "1one" {
		t.Errorf("a call that is let pass: %q, %v", got, refused)
	}
}
