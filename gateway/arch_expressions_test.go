package gateway_test

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
)

// checkExpressions wants regular expressions compiled when they are first used,
// and not by each start; and since a start then does not fail any more where one
// is wrong, it compiles them here.
func checkExpressions(s source) (found []complaint) {
	name := s.nameOf("regexp")
	if name == "" {
		return nil
	}
	inside := 0 // functions
	var walk func(n ast.Node) bool
	walk = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			inside++
			for _, part := range bodyOf(n) {
				ast.Inspect(part, walk)
			}
			inside--
			return false
		case *ast.CallExpr:
			if !calls(n, name, "MustCompile") || len(n.Args) != 1 {
				return true
			}
			if inside == 0 {
				found = append(found, complain(s, n.Pos(), "every start compiles this; write sync.OnceValue(func() *regexp.Regexp { … }) around it"))
			}
			if text, ok := textOf(n.Args[0]); ok {
				if _, err := regexp.Compile(text); err != nil {
					found = append(found, complain(s, n.Pos(), "%v", err))
				}
			}
		}
		return true
	}
	ast.Inspect(s.syntax, walk)
	return found
}

func bodyOf(function ast.Node) []ast.Node {
	switch f := function.(type) {
	case *ast.FuncLit:
		return []ast.Node{f.Body}
	case *ast.FuncDecl:
		if f.Body != nil {
			return []ast.Node{f.Body}
		}
	}
	return nil
}

// calls tells whether a call is of a package's function.
func calls(c *ast.CallExpr, pkg, function string) bool {
	s, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != function {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// textOf gives a text that is written out, perhaps in parts.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, ok := textOf(e.X)
		right, also := textOf(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	case *ast.ParenExpr:
		return textOf(e.X)
	}
	return "", false
}
