package expression

import (
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Item is the step of a Read from a list to one of its items.
const Item = "#"

// Read is one step that a program takes: to a field of an object, by the way
// that led there, or to an item of a list.
//
//	any(world.stripe.refunds, .status == "failed")     world stripe refunds # status
type Read struct {
	Steps        []string // from a name of the Env on; the last is what is read
	Line, Column int      // of the last step
	Guarded      bool     // ?. or ?? says that it may be absent
}

// Reads lists the steps that a program takes by names that are written out,
// those before others that they lead to; what loops read of their items too.
func (p *Program) Reads() []Read {
	tree, err := parser.Parse(p.source)
	if err != nil {
		return nil // it was parsed before
	}
	r := reader{source: p.source}
	r.value(tree.Node, sight{}, false)
	return r.reads
}

type reader struct {
	source string
	reads  []Read
}

// way is how a value was come by; no steps: that is not known. Of a list that a
// function made, items is the way to its items.
type way struct{ steps, items []string }

func (w way) to(name string) way {
	if w.steps == nil {
		return way{}
	}
	return way{steps: append(slices.Clip(w.steps), name)}
}

// item is the way to an item of a list.
func (w way) item() way {
	if w.items != nil {
		return way{steps: w.items}
	}
	return w.to(Item)
}

// sight is what a part of an expression can name besides the Env.
type sight struct {
	item   way
	locals map[string]way
}

// value notes what a node reads, and gives the way to what it is. Guarded tells
// that it may be absent.
func (r *reader) value(node ast.Node, s sight, guarded bool) way {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		if local, ok := s.locals[n.Value]; ok {
			return local
		}
		return way{steps: []string{n.Value}}
	case *ast.PointerNode:
		return s.item
	case *ast.ChainNode:
		return r.value(n.Node, s, guarded)
	case *ast.MemberNode:
		return r.member(n, s, guarded)
	case *ast.BuiltinNode:
		return r.function(n, s)
	case *ast.UnaryNode:
		r.value(n.Node, s, false)
	case *ast.BinaryNode:
		left := r.value(n.Left, s, n.Operator == "??")
		r.value(n.Right, s, false)
		if n.Operator == "??" {
			return left
		}
	case *ast.ConditionalNode:
		r.all(s, n.Cond, n.Exp1, n.Exp2)
	case *ast.ArrayNode:
		r.all(s, n.Nodes...)
	case *ast.VariableDeclaratorNode:
		locals := map[string]way{n.Name: r.value(n.Value, s, false)}
		for name, of := range s.locals {
			if name != n.Name {
				locals[name] = of
			}
		}
		return r.value(n.Expr, sight{s.item, locals}, false)
	}
	return way{}
}

func (r *reader) all(s sight, nodes ...ast.Node) {
	for _, n := range nodes {
		r.value(n, s, false)
	}
}

func (r *reader) member(n *ast.MemberNode, s sight, guarded bool) way {
	from := r.value(n.Node, s, guarded)
	name, written := n.Property.(*ast.StringNode)
	if !written {
		r.value(n.Property, s, false)
		if _, number := n.Property.(*ast.IntegerNode); !number {
			return way{}
		}
		return from.item()
	}
	to := from.to(name.Value)
	if to.steps != nil {
		place := at(n, r.source, "")
		r.reads = append(r.reads, Read{Steps: to.steps, Line: place.Line, Column: place.Column, Guarded: guarded || n.Optional})
	}
	return to
}

// function notes what a function reads. Of those that give a list or an item of
// one, it is known what that is.
func (r *reader) function(n *ast.BuiltinNode, s sight) way {
	var list, made way
	for i, argument := range n.Arguments {
		predicate, loops := argument.(*ast.PredicateNode)
		switch {
		case loops:
			made = r.value(predicate.Node, sight{list.item(), s.locals}, false)
		case i == 0:
			list = r.value(argument, s, false)
		default:
			r.value(argument, s, false)
		}
	}
	switch n.Name {
	case "filter":
		return list
	case "find", "first", "last":
		return list.item()
	case "map":
		return way{items: made.steps}
	}
	return way{}
}

// Reads lists the steps that a path takes, as those of a Program.
func (p *Path) Reads() []Read {
	var all []Read
	column := 1
	for i, step := range p.steps {
		if i >= p.record {
			all = append(all, Read{Steps: p.steps[:i+1], Line: 1, Column: column})
		}
		column += len([]rune(step)) + 1
	}
	return all
}
