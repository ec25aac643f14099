package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"parity/specs/words"
)

// An Error is what is wrong with an expression, and where. Line and Column
// count from 1, Column in characters.
type Error struct {
	Line, Column int
	Message      string
}

// Error gives the place, then the message; the line only when it is not the
// first, since most expressions have one.
func (e *Error) Error() string {
	if e.Line > 1 {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Message)
}

// at makes an error about a node.
func at(node ast.Node, source, format string, args ...any) *Error {
	e := &file.Error{Location: node.Location()}
	e.Bind(file.NewSource(source))
	return &Error{Line: e.Line, Column: e.Column + 1, Message: fmt.Sprintf(format, args...)}
}

// located puts an error of expr's into our words.
func located(err error, source string) error {
	var e *file.Error
	if !errors.As(err, &e) {
		return &Error{Line: 1, Column: 1, Message: err.Error()}
	}
	if e.Line == 0 {
		e.Bind(file.NewSource(source))
	}
	return &Error{Line: e.Line, Column: e.Column + 1, Message: reworded(e.Message)}
}

// reworded says for expr's commonest messages what was probably meant, and
// keeps its and Go's inner words out of reports.
func reworded(message string) string {
	message = strings.TrimPrefix(message, "compilation failed: ")
	switch {
	case strings.HasPrefix(message, "unexpected token EOF"):
		return "the expression ends too early"
	case strings.HasPrefix(message, `unexpected token Operator("=")`):
		return "one = compares nothing; did you mean ==?"
	case strings.HasPrefix(message, "unexpected token "):
		// unexpected token Kind("text")
		_, text, _ := strings.Cut(message, "(")
		return "unexpected " + strings.TrimSuffix(text, ")") + "; an operator such as and, == or > may be missing before it"
	case strings.HasPrefix(message, "runtime error: integer divide by zero"):
		return "% divides by zero"
	case strings.HasPrefix(message, "reflect"):
		return "a loop goes over a list, and this is none"
	}
	return strings.ReplaceAll(message, "<nil>", "nothing")
}

// suggest gives "; did you mean X?" for the candidate nearest to name, or "".
func suggest(name string, candidates []string) string {
	best, distance := "", 1+len(name)/4
	for _, c := range candidates {
		if d := words.Edits(strings.ToLower(name), strings.ToLower(c)); d <= distance && (best == "" || d < distance) {
			best, distance = c, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}
