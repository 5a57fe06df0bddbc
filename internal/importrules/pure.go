package importrules

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A Finding is a line that breaks a rule.
type Finding struct {
	At   token.Position
	Text string
}

func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s", f.At.Filename, f.At.Line, f.Text)
}

// clock are the functions of package time that read the clock or wait on it.
var clock = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true,
	"NewTimer": true, "NewTicker": true,
}

// Purity returns the lines of a package's files that break the purity of a state machine: uses of the clock, goroutines,
// channels, and package-level variables that change or that other packages could change.
func Purity(files *token.FileSet, parsed []*ast.File) []Finding {
	p := purity{files: files, info: resolve(files, parsed)}
	for _, f := range parsed {
		p.packageVariables(f)
	}
	for _, f := range parsed {
		ast.Inspect(f, p.node)
	}
	return p.found
}

// purity collects the findings of one package.
type purity struct {
	files *token.FileSet
	info  *types.Info
	held  map[types.Object]bool // package-level variables
	found []Finding
}

// resolve maps identifiers to variables. Imports are not loaded, and the errors that this causes are ignored.
func resolve(files *token.FileSet, parsed []*ast.File) *types.Info {
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	loose := types.Config{Error: func(error) {}, Importer: noImporter{}}
	_, _ = loose.Check("", files, parsed, info)
	return info
}

// noImporter finds no package.
type noImporter struct{}

func (noImporter) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not loaded", path)
}

func (p *purity) add(at token.Pos, format string, args ...any) {
	p.found = append(p.found, Finding{At: p.files.Position(at), Text: fmt.Sprintf(format, args...)})
}

// packageVariables records the package-level variables of a file. A variable without a value, or an exported one that is
// not an error, exists to be changed.
func (p *purity) packageVariables(f *ast.File) {
	if p.held == nil {
		p.held = map[types.Object]bool{}
	}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			p.variables(s.(*ast.ValueSpec))
		}
	}
}

func (p *purity) variables(spec *ast.ValueSpec) {
	for _, name := range spec.Names {
		switch {
		case name.Name == "_":
			continue
		case len(spec.Values) == 0:
			p.add(name.Pos(), "package-level variable %s has no initial value: it would be state", name.Name)
		case name.IsExported() && !isError(spec.Values[0]):
			p.add(name.Pos(), "package-level variable %s is exported: others could change it", name.Name)
		}
		if v := p.info.Defs[name]; v != nil {
			p.held[v] = true
		}
	}
}

// isError reports whether an expression makes an error value.
func isError(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	return isSelector(call.Fun, "errors", "New") || isSelector(call.Fun, "fmt", "Errorf")
}

func isSelector(e ast.Expr, pkg, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// node checks one node of a file's syntax tree.
func (p *purity) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		p.add(n.Pos(), "a goroutine in the core")
	case *ast.ChanType:
		p.add(n.Pos(), "a channel in the core")
	case *ast.SelectStmt:
		p.add(n.Pos(), "a select in the core")
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && clock[n.Sel.Name] {
			p.add(n.Pos(), "time.%s in the core: time is an input", n.Sel.Name)
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			for _, l := range n.Lhs {
				p.changed(l)
			}
		}
	case *ast.IncDecStmt:
		p.changed(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			p.changed(n.X)
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear" || f.Name == "copy") {
			p.changed(n.Args[0])
		}
	case *ast.Comment:
		if len(n.Text) > 13 && n.Text[:13] == "//go:linkname" {
			p.add(n.Pos(), "go:linkname in the core")
		}
	}
	return true
}

// changed checks an expression that is assigned to or whose address is taken.
func (p *purity) changed(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.Ident:
			if v := p.info.Uses[x]; v != nil && p.held[v] {
				p.add(x.Pos(), "package-level variable %s is changed", x.Name)
			}
			return
		default:
			return
		}
	}
}
