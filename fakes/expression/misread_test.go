package expression_test

import (
	"errors"
	"testing"

	"parity/fakes/expression"
)

// The path of a request holds its parameters by name: a condition that compares
// it with a text was refused by nothing, and never held.
func TestAnObjectIsNotComparedWithOneValue(t *testing.T) {
	t.Parallel()
	for source, column := range map[string]int{
		`request.path == "/v1/refunds"`:                       9,
		`"x" != request.path`:                                 16,
		`request.method == "GET" and request.path in ["/v1"]`: 0, // a list may hold an object
		`request.path startsWith "/v1"`:                       9,
		`not (request?.path matches "^/v1")`:                  15,
		`request.path == request.body.path`:                   9,
		`request.path == nil`:                                 0,
		`request.path.charge == "ch_1"`:                       0,
		`"charge" in request.path`:                            0,
		`any(calls, .path == "/v1")`:                          13,
		`any(calls, .path.id == "x" and .url == "/v1")`:       0,
		`any(world.git.files, .path == "a.txt")`:              0,
	} {
		p, err := expression.Compile(source, expression.Bool, expression.Env{"request", "calls", "world"})
		if err != nil {
			t.Fatal(err)
		}
		var found *expression.Error
		errors.As(p.Misread("request.path", "calls#.path"), &found)
		if (found == nil) != (column == 0) || found != nil && found.Column != column {
			t.Errorf("%s: %v, want column %d", source, found, column)
		}
	}
}
