package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/kisielk/errcheck/errcheck"
	"golang.org/x/tools/go/analysis"
)

// The test needs no standard library: a package of its name has the method that the list names, and one that it does not.
const (
	listed = `package io

type Closer interface{ Close() error; Flush() error }
`
	checked = `package p

import "io"

func f(c io.Closer) {
	c.Close()
	c.Flush()
}
`
)

type packages map[string]*types.Package

func (p packages) Import(path string) (*types.Package, error) { return p[path], nil }

func TestErrcheck_LeavesOutWhatTheListNames(t *testing.T) {
	remove, err := exclude()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	imported := packages{}
	imported["io"] = typed(t, imported, "io", listed).Pkg
	pass := typed(t, imported, "p", checked)
	var found []string
	pass.Report = func(d analysis.Diagnostic) {
		found = append(found, strings.TrimSpace(strings.Split(checked, "\n")[pass.Fset.Position(d.Pos).Line-1]))
	}
	if _, err := errcheck.Analyzer.Run(pass); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0] != "c.Flush()" {
		t.Errorf("expected c.Flush() alone, found %q", found)
	}
}

func typed(t *testing.T, imported packages, path, text string) *analysis.Pass {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path+".go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: imported}
	p, err := config.Check(path, files, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return &analysis.Pass{Analyzer: errcheck.Analyzer, Fset: files, Files: []*ast.File{file}, Pkg: p, TypesInfo: info}
}
