package importrules

import (
	"go/ast"
	"go/token"
)

// Sleeps returns the lines in the tests of a package that use time.Sleep, or that receive from time.After and wait for nothing else. In a select,
// time.After bounds a wait.
func (p *Package) Sleeps() []Finding {
	s := sleeps{of: p}
	for i, f := range p.Parsed {
		if p.Test[i] {
			ast.Inspect(f, s.inspect)
		}
	}
	return s.found
}

type sleeps struct {
	of    *Package
	found []Finding
}

func (s *sleeps) inspect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CommClause:
		for _, line := range n.Body {
			ast.Inspect(line, s.inspect)
		}
		return false
	case *ast.UnaryExpr:
		if call, ok := n.X.(*ast.CallExpr); ok && n.Op == token.ARROW && ofTime(call.Fun, "After") {
			s.add(n, "<-time.After")
		}
	case *ast.SelectorExpr:
		if ofTime(n, "Sleep") {
			s.add(n, "time.Sleep")
		}
	}
	return true
}

func (s *sleeps) add(n ast.Node, used string) {
	s.found = append(s.found, Finding{At: s.of.Files.Position(n.Pos()), Text: used + " in a test: wait for a condition with internal/await; await.Pause imitates a delay"})
}

// ofTime reports whether an expression is a name of the package time.
func ofTime(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	from, ok := s.X.(*ast.Ident)
	return ok && from.Name == "time"
}
