package importrules

import "go/ast"

// Sleeps returns the lines in the tests of a package that call time.Sleep.
func (p *Package) Sleeps() []Finding {
	var found []Finding
	for i, f := range p.Parsed {
		if !p.Test[i] {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok || s.Sel.Name != "Sleep" {
				return true
			}
			if from, ok := s.X.(*ast.Ident); ok && from.Name == "time" {
				found = append(found, Finding{At: p.Files.Position(s.Pos()), Text: "time.Sleep in a test: wait for a condition with internal/await"})
			}
			return true
		})
	}
	return found
}
