// Package expression compiles the conditions of profiles, behaviours and
// expectations, and the paths that `per` names. It is the one importer of
// expr, which it keeps within bounds:
//
//	source ─▶ length ─▶ parse ─▶ allow-list ─▶ rewrite ─▶ types ─▶ Program
//	          MaxLength          depth, names  strict fields,      bool, number
//	                             functions     counted loops       or any
//
// Conditions come from files that people edit while agents run, so a mistake,
// or malice, must cost a message and not the process. The length is checked
// before anything else, since a parser recurses as deep as its input. The
// allow-list leaves out what makes something out of nothing: no reduce, no
// ranges, no joining of strings, no calls but those of functions that it names.
// Loops share MaxTurns per evaluation.
//
// Unlike in plain expr, a field that is not there is an error and not nil, so
// that a condition on `result.amuont` shows as one that cannot be evaluated
// instead of being false for ever. `?.` and `??` say that a field may be
// absent: `result?.review ?? "none"`.
package expression

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"
)

// The bounds. MaxLength is in bytes, MaxDepth in levels of the syntax tree,
// MaxNodes in its operators, names and values, MaxTurns in turns of all loops
// of one evaluation together.
const (
	MaxLength = 2000
	MaxDepth  = 32
	MaxNodes  = 500
	MaxTurns  = 1_000_000
)

// A Kind is what an expression has to give.
type Kind int

// Bool is for conditions, Number for amounts, Any for values that are compared
// with others.
const (
	Any Kind = iota
	Bool
	Number
)

// An Env lists the names that an expression may begin a path with, such as
// request, result, run, world and clock. What they hold is a JSON value as a
// world keeps it: nil, bool, string, int64, float64, []any, map[string]any.
type Env []string

// A Program is a compiled expression; it is safe for concurrent use.
type Program struct {
	source string
	kind   Kind
	code   *vm.Program
	paths  []string
	loops  bool // it needs a meter
}

// Compile checks and compiles an expression. Its error is an *Error, with the
// place in the source.
func Compile(source string, kind Kind, env Env) (*Program, error) {
	if err := checkSource(source); err != nil {
		return nil, err
	}
	tree, err := parser.Parse(source)
	if err != nil {
		return nil, located(err, source)
	}
	g := guard{env: env, source: source}
	if err := g.check(tree.Node, 1, scope{}); err != nil {
		return nil, err
	}
	code, err := expr.Compile(source, options(env)...)
	if err != nil {
		return nil, located(err, source)
	}
	if err := checkKind(kind, code.Node()); err != nil {
		return nil, err
	}
	slices.Sort(g.paths)
	return &Program{source: source, kind: kind, code: code, paths: slices.Compact(g.paths), loops: g.loops}, nil
}

func checkSource(source string) error {
	switch {
	case strings.TrimSpace(source) == "":
		return &Error{Line: 1, Column: 1, Message: "the expression is empty"}
	case len(source) > MaxLength:
		return &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the expression is %d bytes long; %d is the most, so split it into several", len(source), MaxLength)}
	case !utf8.ValidString(source):
		return &Error{Line: 1, Column: 1, Message: "the expression is not UTF-8"}
	}
	return nil
}

func options(env Env) []expr.Option {
	names := types.Map{meterName: types.TypeOf((*meter)(nil))}
	for _, name := range env {
		names[name] = types.Any
	}
	return append(functions(),
		expr.Env(names),
		expr.Patch(rewriter{}),
		// Nothing here runs often enough to gain from it, and it compiles
		// `x in ["a"]` to a lookup that panics when x is a number.
		expr.Optimize(false),
	)
}

// checkKind refuses at once what can never give the kind; what is known only
// when it runs is checked then.
func checkKind(kind Kind, node ast.Node) error {
	t := node.Type()
	if sums(node) {
		t = reflect.TypeFor[float64]()
	}
	wrong := ""
	switch _, isNil := node.(*ast.NilNode); {
	case kind == Any || t.Kind() == reflect.Interface && !isNil:
		return nil
	case kind == Bool && t.Kind() != reflect.Bool:
		wrong = "true or false, such as result.amount > 10_000"
	case kind == Number && !isNumber(t.Kind()):
		wrong = "a number, such as result.amount"
	default:
		return nil
	}
	return &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the expression gives %s, where it has to give %s", kindName(t), wrong)}
}

// sums tells whether a node is a call that rewriting has put in the place of a
// + or a /, which give numbers whatever they are declared as.
func sums(node ast.Node) bool {
	call, ok := node.(*ast.CallNode)
	if !ok {
		return false
	}
	callee, ok := call.Callee.(*ast.IdentifierNode)
	return ok && (callee.Value == addName || callee.Value == divideName)
}

func isNumber(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Float64 }

func kindName(t reflect.Type) string {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return "true or false"
	case isNumber(k):
		return "a number"
	case k == reflect.String:
		return "text"
	case k == reflect.Slice || k == reflect.Array:
		return "a list"
	case k == reflect.Map:
		return "an object"
	}
	return "nothing"
}

// String is the source.
func (p *Program) String() string { return p.source }

// Needs tells whether the program mentions a name of its Env.
func (p *Program) Needs(name string) bool {
	return slices.ContainsFunc(p.paths, func(path string) bool {
		return path == name || strings.HasPrefix(path, name+".")
	})
}

// Paths lists the dotted paths that the program reads, as far as they are
// written out, each once and sorted: "result.amount", "world.stripe.refunds".
// What a loop reads of each item is not in it.
func (p *Program) Paths() []string { return slices.Clone(p.paths) }

// Bool evaluates a condition. An error means that it cannot be evaluated, such
// as for a field that is not there; it is an *Error.
func (p *Program) Bool(vars map[string]any) (bool, error) {
	v, err := p.Value(vars)
	if err != nil {
		return false, err
	}
	b, ok := v.(bool)
	if !ok {
		return false, p.gave(v, "true or false")
	}
	return b, nil
}

// Number evaluates an amount; it is never NaN or infinite. Errors are as for
// Bool.
func (p *Program) Number(vars map[string]any) (float64, error) {
	v, err := p.Value(vars)
	if err != nil {
		return 0, err
	}
	switch n := v.(type) {
	case int64:
		return float64(n), nil
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return 0, &Error{Line: 1, Column: 1, Message: "the number is too large"}
		}
		return n, nil
	}
	return 0, p.gave(v, "a number")
}

// Value evaluates whatever the program gives; whole numbers are int64. Errors
// are as for Bool.
func (p *Program) Value(vars map[string]any) (any, error) {
	if p.loops {
		vars = maps.Clone(vars)
		if vars == nil {
			vars = map[string]any{}
		}
		vars[meterName] = new(meter)
	}
	v, err := expr.Run(p.code, vars)
	if err != nil {
		return nil, located(err, p.source)
	}
	if n, ok := v.(int); ok {
		return int64(n), nil
	}
	return v, nil
}

func (p *Program) gave(v any, want string) error {
	return &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the expression gave %s, where it has to give %s", describe(v), want)}
}
