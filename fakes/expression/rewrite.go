package expression

import (
	"github.com/expr-lang/expr/ast"
)

// The names that rewriting puts in. No source can have them: the guard knows
// no function but the allowed ones and no name but the Env's.
const (
	fieldName    = "$field"
	optionalName = "$optional"
	addName      = "$add"
	divideName   = "$divide"
	turnName     = "$turn"
	meterName    = "$meter"
)

// A rewriter makes a tree strict, from the leaves up:
//
//	result.amount          $field(result, "amount", "result.amount")
//	result?.amount         $optional(…)   also everything left of ??
//	a + b                  $add(a, b)     numbers only; a / b likewise
//	any(list, # > 1)       any(list, $turn($meter) ? # > 1 : nil)
type rewriter struct{}

// Visit is expr's ast.Visitor.
func (rewriter) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		name := fieldName
		if n.Optional {
			name = optionalName
		}
		ast.Patch(node, call(n, name, n.Node, n.Property, &ast.StringNode{Value: text(n.Node, n.Property)}))
	case *ast.BinaryNode:
		switch n.Operator {
		case "??":
			allowAbsent(n.Left)
		case "+":
			ast.Patch(node, call(n, addName, n.Left, n.Right))
		case "/":
			ast.Patch(node, call(n, divideName, n.Left, n.Right))
		}
	case *ast.PredicateNode:
		turn := call(n, turnName, &ast.IdentifierNode{Value: meterName})
		counted := &ast.ConditionalNode{Cond: turn, Exp1: n.Node, Exp2: &ast.NilNode{}}
		counted.SetLocation(n.Node.Location())
		n.Node = counted
	}
}

// call is a call at the place of an old node.
func call(old ast.Node, name string, arguments ...ast.Node) *ast.CallNode {
	c := &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: arguments}
	c.SetLocation(old.Location())
	return c
}

// allowAbsent makes every step of a path optional.
func allowAbsent(node ast.Node) {
	for {
		switch n := node.(type) {
		case *ast.ChainNode:
			node = n.Node
		case *ast.CallNode:
			callee, ok := n.Callee.(*ast.IdentifierNode)
			if !ok || callee.Value != fieldName && callee.Value != optionalName {
				return
			}
			callee.Value = optionalName
			node = n.Arguments[0]
		default:
			return
		}
	}
}

// text spells a path as the source does, for messages. Its base was rewritten
// before it.
func text(base, property ast.Node) string {
	name, ok := property.(*ast.StringNode)
	if !ok {
		return spelled(base) + "[" + property.String() + "]"
	}
	return spelled(base) + "." + name.Value
}

func spelled(node ast.Node) string {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return n.Value
	case *ast.ChainNode:
		return spelled(n.Node)
	case *ast.PointerNode:
		return "#" + n.Name
	case *ast.CallNode:
		if len(n.Arguments) == 3 {
			if path, ok := n.Arguments[2].(*ast.StringNode); ok {
				return path.Value
			}
		}
	}
	return "…"
}
