package doctest

import (
	"errors"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Source is the code of one package, with the values of its constants.
type Source struct {
	files  []*ast.File
	info   *types.Info
	consts []*types.Const
}

// ReadSource parses the files of a package, tests left out. Imports are not followed: constants that are texts need none.
func ReadSource(folder string) (*Source, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	s := &Source{info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	set := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
	}
	if len(s.files) == 0 {
		return nil, errors.New(folder + ": no Go files")
	}
	loose := types.Config{Error: func(error) {}, Importer: nothing{}}
	pkg, _ := loose.Check(folder, set, s.files, s.info)
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok {
			s.consts = append(s.consts, c)
		}
	}
	return s, nil
}

// nothing is an importer that finds no package.
type nothing struct{}

func (nothing) Import(path string) (*types.Package, error) {
	return nil, errors.New(path + " is not loaded")
}

// Texts returns the values of the exported constants of a named text type, sorted, each once.
func (s *Source) Texts(typeName string) []string {
	var all []string
	for _, c := range s.consts {
		if named, ok := c.Type().(*types.Named); ok && named.Obj().Name() == typeName && c.Exported() {
			all = append(all, constant.StringVal(c.Val()))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TextsDeclared returns the values of the exported constants that are declared with a type of another package, written
// as it is there ("core.Reason"), sorted, each once.
func (s *Source) TextsDeclared(typeName string) []string {
	var all []string
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || types.ExprString(spec.Type) != typeName {
				return true
			}
			for i, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok && spec.Names[i].IsExported() {
					all = append(all, constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0)))
				}
			}
			return true
		})
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Prefixed returns the values of the constants whose names begin so, sorted.
func (s *Source) Prefixed(prefix string) []string {
	var all []string
	for _, c := range s.consts {
		if strings.HasPrefix(c.Name(), prefix) && c.Val().Kind() == constant.String {
			all = append(all, constant.StringVal(c.Val()))
		}
	}
	slices.Sort(all)
	return all
}

// Rows returns the literals of a struct type made of texts alone, field by field, in the order of the code.
func (s *Source) Rows(typeName string) [][]string {
	var all [][]string
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || len(lit.Elts) == 0 || !s.isNamed(lit, typeName) {
				return true
			}
			all = append(all, s.row(lit))
			return false
		})
	}
	return all
}

func (s *Source) isNamed(lit *ast.CompositeLit, typeName string) bool {
	named, ok := s.info.Types[lit].Type.(*types.Named)
	return ok && named.Obj().Name() == typeName
}

func (s *Source) row(lit *ast.CompositeLit) []string {
	var row []string
	for _, e := range lit.Elts {
		text := ""
		if v := s.info.Types[e].Value; v != nil && v.Kind() == constant.String {
			text = constant.StringVal(v)
		}
		row = append(row, text)
	}
	return row
}

// Listed returns the texts in the literal that a package-level variable is given.
func (s *Source) Listed(variable string) []string {
	var all []string
	for _, f := range s.files {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Names[0].Name != variable || len(spec.Values) == 0 {
				return true
			}
			if lit, ok := spec.Values[0].(*ast.CompositeLit); ok {
				all = s.row(lit)
			}
			return false
		})
	}
	return all
}
