package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// A guard walks a syntax tree before it is compiled. What it does not know is
// refused, so that a newer expr adds nothing by itself.
type guard struct {
	env    Env
	source string
	nodes  int      // how many were met
	paths  []string // what is read, see Program.Paths
	loops  bool
}

// A scope is where in an expression a node is.
type scope struct {
	locals []string // names that let declares
	loop   bool     // inside a predicate: # is known
	kept   bool     // inside map, which keeps what its turns make
}

func (g *guard) check(node ast.Node, depth int, c scope) error {
	if depth > MaxDepth {
		return at(node, g.source, "nested more than %d deep; split the expression", MaxDepth)
	}
	// A chain such as 1 < x < 5 is a tree that has x twice, so nested ones
	// grow as powers of two; the walk meets them as often as the compiler does.
	if g.nodes++; g.nodes > MaxNodes {
		return at(node, g.source, "more than %d parts; split the expression", MaxNodes)
	}
	switch n := node.(type) {
	case *ast.NilNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
		return nil
	case *ast.IdentifierNode:
		return g.name(n, c)
	case *ast.PointerNode:
		if !c.loop || n.Name != "" {
			return at(n, g.source, "#%s is not known here; # is the item of a loop such as any(list, # > 1)", n.Name)
		}
		return nil
	case *ast.MemberNode:
		return g.member(n, depth, c)
	case *ast.ChainNode:
		return g.check(n.Node, depth, c)
	case *ast.UnaryNode:
		if !slices.Contains([]string{"!", "not", "-"}, n.Operator) {
			return at(n, g.source, "%s before a value is not known here", n.Operator)
		}
		return g.check(n.Node, depth+1, c)
	case *ast.BinaryNode:
		return g.binary(n, depth, c)
	case *ast.ConditionalNode:
		return g.all(depth, c, n.Cond, n.Exp1, n.Exp2)
	case *ast.ArrayNode:
		return g.all(depth, c, n.Nodes...)
	case *ast.VariableDeclaratorNode:
		if err := g.check(n.Value, depth+1, c); err != nil {
			return err
		}
		c.locals = append(slices.Clip(c.locals), n.Name)
		return g.check(n.Expr, depth+1, c)
	case *ast.BuiltinNode:
		return g.function(n, depth, c)
	case *ast.CallNode:
		return g.call(n)
	}
	return at(node, g.source, "%s is not allowed in expressions", spelling(node))
}

func (g *guard) all(depth int, c scope, nodes ...ast.Node) error {
	for _, n := range nodes {
		if err := g.check(n, depth+1, c); err != nil {
			return err
		}
	}
	return nil
}

func (g *guard) name(n *ast.IdentifierNode, c scope) error {
	if slices.Contains(c.locals, n.Value) {
		return nil
	}
	if slices.Contains(g.env, n.Value) {
		g.paths = append(g.paths, n.Value)
		return nil
	}
	return at(n, g.source, "%s", unknown(n.Value, slices.Concat(g.env, c.locals)))
}

func unknown(name string, known []string) string {
	hint := suggest(name, known)
	if hint == "" {
		hint = "; the names here are " + strings.Join(known, ", ")
	}
	return "unknown name " + name + hint
}

// member notes the longest path that is written out.
func (g *guard) member(n *ast.MemberNode, depth int, c scope) error {
	if n.Method {
		return at(n, g.source, "values have no methods to call")
	}
	if path, ok := writtenOut(n); ok && slices.Contains(g.env, path[0]) && !slices.Contains(c.locals, path[0]) {
		if depth+len(path) > MaxDepth {
			return at(n, g.source, "nested more than %d deep; split the expression", MaxDepth)
		}
		g.paths = append(g.paths, strings.Join(path, "."))
		return nil
	}
	return g.all(depth, c, n.Node, n.Property)
}

// writtenOut gives the names of a path such as result.charge.id.
func writtenOut(node ast.Node) ([]string, bool) {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return []string{n.Value}, true
	case *ast.ChainNode:
		return writtenOut(n.Node)
	case *ast.MemberNode:
		if property, ok := n.Property.(*ast.StringNode); ok && !n.Method {
			path, ok := writtenOut(n.Node)
			return append(path, property.Value), ok
		}
	}
	return nil, false
}

func (g *guard) binary(n *ast.BinaryNode, depth int, c scope) error {
	switch n.Operator {
	case "==", "!=", "<", "<=", ">", ">=", "and", "&&", "or", "||", "in", "contains", "startsWith", "endsWith",
		"+", "-", "*", "/", "%", "**", "^", "??":
	case "matches":
		// A pattern that is made while running is compiled each time.
		if _, ok := n.Right.(*ast.StringNode); !ok {
			return at(n, g.source, `matches needs its pattern written out, such as matches "^ch_"`)
		}
	case "..":
		return at(n, g.source, "ranges are not allowed in expressions; compare with < and > instead")
	default:
		return at(n, g.source, "the operator %s is not allowed in expressions", n.Operator)
	}
	return g.all(depth, c, n.Left, n.Right)
}

// allowed are the functions that expressions may call.
func allowed() []string {
	return []string{
		"all", "any", "none", "one", "count", "sum", "filter", "map", "find", "first", "last", "len", "min", "max", "mean",
		"abs", "ceil", "floor", "round", "int", "float", "lower", "upper", "trim",
	}
}

func (g *guard) function(n *ast.BuiltinNode, depth int, c scope) error {
	if !slices.Contains(allowed(), n.Name) {
		return at(n, g.source, "%s is not allowed in expressions; the functions are %s", n.Name, strings.Join(allowed(), ", "))
	}
	if c.kept && (n.Name == "lower" || n.Name == "upper") {
		return at(n, g.source, "%s is not allowed inside map, which would keep a text for each item", n.Name)
	}
	for _, argument := range n.Arguments {
		p, loops := argument.(*ast.PredicateNode)
		if !loops {
			if err := g.check(argument, depth+1, c); err != nil {
				return err
			}
			continue
		}
		g.loops = true
		inside := scope{locals: c.locals, loop: true, kept: c.kept || n.Name == "map"}
		if err := g.check(p.Node, depth+1, inside); err != nil {
			return err
		}
	}
	return nil
}

func (g *guard) call(n *ast.CallNode) error {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return at(n, g.source, "values have no methods to call")
	}
	return at(n, g.source, "unknown function %s%s", callee.Value, suggest(callee.Value, allowed()))
}

// spelling names a kind of node as people know it.
func spelling(node ast.Node) string {
	switch node.(type) {
	case *ast.SliceNode:
		return "a slice such as list[1:2]"
	case *ast.MapNode, *ast.PairNode:
		return "an object in braces"
	case *ast.SequenceNode:
		return "more than one expression"
	case *ast.BytesNode:
		return "a text of bytes"
	}
	return "this"
}
