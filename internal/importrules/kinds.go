package importrules

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// eventFolder declares the kinds of events: the types with a method Type that returns an InputType.
const eventFolder = "core"

// Kinds are the names of the kinds of events, in the order of their declaration.
func Kinds(all []*Package) (names []string) {
	i := slices.IndexFunc(all, func(p *Package) bool { return p.Folder == eventFolder })
	if i < 0 {
		return nil
	}
	for _, f := range all[i].Parsed {
		for _, d := range f.Decls {
			method, ok := d.(*ast.FuncDecl)
			if !ok || method.Recv == nil || method.Name.Name != "Type" {
				continue
			}
			if star, ok := method.Recv.List[0].Type.(*ast.StarExpr); ok {
				names = append(names, star.X.(*ast.Ident).Name)
			}
		}
	}
	return names
}

// Switches returns the lines of a package that switch over kinds of events without a default and without some kind: a kind that is added
// is missed there.
func (p *Package) Switches(kinds []string) []Finding {
	var found []Finding
	for _, f := range p.Parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.TypeSwitchStmt)
			if !ok {
				return true
			}
			if missing := p.missing(s, kinds); len(missing) > 0 {
				found = append(found, p.finding(s.Pos(), missing))
			}
			return true
		})
	}
	return found
}

func (p *Package) finding(at token.Pos, missing []string) Finding {
	return Finding{At: p.Files.Position(at), Text: fmt.Sprintf("the switch over kinds of events has neither a default nor %s", strings.Join(missing, ", "))}
}

// missing are the kinds that a switch over kinds lacks; none where it has a default or is over something else.
func (p *Package) missing(s *ast.TypeSwitchStmt, kinds []string) []string {
	var named []string
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			return nil
		}
		for _, e := range clause.List {
			if name := p.kind(e); slices.Contains(kinds, name) {
				named = append(named, name)
			}
		}
	}
	if len(named) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return slices.Contains(named, kind) })
}

// kind is the name of a type of package core to which a case points; empty: it points to none.
func (p *Package) kind(e ast.Expr) string {
	star, ok := e.(*ast.StarExpr)
	if !ok {
		return ""
	}
	switch x := star.X.(type) {
	case *ast.Ident:
		if p.Folder == eventFolder {
			return x.Name
		}
	case *ast.SelectorExpr:
		if from, ok := x.X.(*ast.Ident); ok && from.Name == "core" {
			return x.Sel.Name
		}
	}
	return ""
}
