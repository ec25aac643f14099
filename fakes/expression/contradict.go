package expression

import (
	"fmt"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Contradiction says why a condition can never hold, where that can be seen: it
// wants one path to be two different values at once. "" where it cannot.
func (p *Program) Contradiction() string {
	tree, err := parser.Parse(p.source)
	if err != nil {
		return "" // it was parsed before
	}
	wanted := map[string]string{}
	said := ""
	conjuncts(tree.Node, func(n *ast.BinaryNode) {
		path, value, ok := equality(n)
		if !ok {
			return
		}
		if was, known := wanted[path]; known && was != value && said == "" {
			said = fmt.Sprintf("%s cannot be %s and %s", path, was, value)
		}
		wanted[path] = value
	})
	return said
}

// conjuncts gives the comparisons that all have to hold.
func conjuncts(node ast.Node, give func(*ast.BinaryNode)) {
	n, ok := node.(*ast.BinaryNode)
	switch {
	case !ok:
	case n.Operator == "and" || n.Operator == "&&":
		conjuncts(n.Left, give)
		conjuncts(n.Right, give)
	default:
		give(n)
	}
}

// equality takes path == literal apart, whichever way round.
func equality(n *ast.BinaryNode) (path, value string, ok bool) {
	if n.Operator != "==" {
		return "", "", false
	}
	for _, pair := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
		if _, written := writtenOut(pair[0]); written && literal(pair[1]) {
			return pair[0].String(), pair[1].String(), true
		}
	}
	return "", "", false
}

func literal(node ast.Node) bool {
	switch node.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NilNode:
		return true
	}
	return false
}
