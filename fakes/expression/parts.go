package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Equation is a part of a condition that has to hold for all of it to: two
// values, each of another thing, that are equal.
type Equation struct {
	Left, Right *Program
	Alone       bool // it is all of the condition
}

// Equates finds where a condition has what begins at one name equal what begins
// at another, whichever way round; nil: it does not. Things can then be looked
// up by that value, and need not be tried one by one.
func (p *Program) Equates(left, right string) *Equation {
	tree, err := parser.Parse(p.source)
	if err != nil {
		return nil // it was parsed before
	}
	var found *Equation
	conjuncts(tree.Node, func(n *ast.BinaryNode) {
		if n.Operator != "==" || found != nil {
			return
		}
		for _, pair := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
			a, okA := writtenOut(pair[0])
			b, okB := writtenOut(pair[1])
			if !okA || !okB || a[0] != left || b[0] != right {
				continue
			}
			l, errL := Compile(pair[0].String(), Any, Env{left})
			r, errR := Compile(pair[1].String(), Any, Env{right})
			if errL == nil && errR == nil {
				found = &Equation{l, r, tree.Node == ast.Node(n)}
			}
		}
	})
	return found
}

// Compared gives the left side of a condition that compares, such as
// sum(world.stripe.refunds, .amount) of … <= 20_000; nil: it is none.
func (p *Program) Compared() *Program {
	tree, err := parser.Parse(p.source)
	if err != nil {
		return nil
	}
	n, ok := tree.Node.(*ast.BinaryNode)
	if !ok || !slices.Contains([]string{"==", "!=", "<", "<=", ">", ">="}, n.Operator) {
		return nil
	}
	var env Env
	for _, path := range p.paths {
		name, _, _ := strings.Cut(path, ".")
		env = append(env, name)
	}
	side, err := Compile(n.Left.String(), Any, env)
	if err != nil {
		return nil
	}
	return side
}
