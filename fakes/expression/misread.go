package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
)

// Misread finds where an expression takes one of some paths for a single value,
// which holds several by their names: it compares it with a text, say. A path
// that begins with # is that of an entry of the list before the dot, such as
// calls#.path in any(calls, .path == "/v1/refunds"). The error is an *Error; nil
// where there is no such place.
func (p *Program) Misread(objects ...string) error {
	tree, err := parser.Parse(p.source)
	if err != nil {
		return nil //nolint:nilerr // it was parsed before
	}
	m := misreading{objects: objects, source: p.source}
	ast.Walk(&tree.Node, &m)
	if m.found == nil {
		return nil
	}
	return m.found
}

// misreading looks for one; list is what the entries that # means are of.
type misreading struct {
	objects      []string
	source, list string
	found        *Error
}

// Visit looks at one node, those inside it first.
func (m *misreading) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BuiltinNode:
		if len(n.Arguments) < 2 || m.list != "" {
			return
		}
		if list, ok := writtenOut(n.Arguments[0]); ok {
			inner := misreading{objects: m.objects, source: m.source, list: strings.Join(list, ".")}
			ast.Walk(&n.Arguments[1], &inner)
			m.found = or(m.found, inner.found)
		}
	case *ast.BinaryNode:
		single := slices.Contains([]string{"<", "<=", ">", ">=", "contains", "startsWith", "endsWith", "matches"}, n.Operator)
		if !single && n.Operator != "==" && n.Operator != "!=" {
			return
		}
		for _, pair := range [][2]ast.Node{{n.Left, n.Right}, {n.Right, n.Left}} {
			path, other := m.path(pair[0]), m.path(pair[1])
			_, none := pair[1].(*ast.NilNode)
			value := single || literal(pair[1]) && !none || other != "" && !slices.Contains(m.objects, other)
			if !value || !slices.Contains(m.objects, path) {
				continue
			}
			name := strings.TrimPrefix(path, m.list+"#")
			m.found = or(m.found, at(pair[0], m.source, "%s holds several values, by their names: say which, such as %s.NAME", name, name))
		}
	}
}

func or(first, second *Error) *Error {
	if first != nil {
		return first
	}
	return second
}

// path is what a node reads, where that is written out.
func (m *misreading) path(node ast.Node) string {
	if steps, ok := writtenOut(node); ok {
		return strings.Join(steps, ".")
	}
	member, ok := node.(*ast.MemberNode)
	if !ok {
		return ""
	}
	_, entry := member.Node.(*ast.PointerNode)
	if name, ok := member.Property.(*ast.StringNode); ok && entry && m.list != "" {
		return m.list + "#." + name.Value
	}
	return ""
}
