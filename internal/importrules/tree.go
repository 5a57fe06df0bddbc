package importrules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Tree is the project's files, read once.
type Tree struct {
	Root  string
	Paths []string // of all files, below the root, with slashes
}

// skipped are folders without files of the project.
var skipped = map[string]bool{".git": true, "build": true, "node_modules": true, "third_party": true}

// ReadTree lists the files below a root.
func ReadTree(root string) (*Tree, error) {
	t := &Tree{Root: root}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && skipped[d.Name()] {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			below, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			t.Paths = append(t.Paths, filepath.ToSlash(below))
		}
		return nil
	})
	return t, err
}

// partOfQuern are the modules below the root's own whose code obeys the rules as the root's does: each is a module only to keep its
// dependencies from the others.
var partOfQuern = []string{"host/kube"}

// nested are the folders of the other modules below the root's own.
func (t *Tree) nested() (folders []string) {
	for _, name := range t.Paths {
		if folder := path.Dir(name); path.Base(name) == "go.mod" && folder != "." && !slices.Contains(partOfQuern, folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// Text returns the content of a file, and false when it is not text that people write and read.
func (t *Tree) Text(name string) (string, bool, error) {
	b, err := os.ReadFile(filepath.Join(t.Root, name))
	if err != nil || len(b) > 1<<20 || strings.IndexByte(string(b[:min(len(b), 8000)]), 0) >= 0 {
		return "", false, err
	}
	return string(b), true, nil
}

// Package is the Go files of one folder, parsed.
type Package struct {
	Folder string
	Files  *token.FileSet
	Parsed []*ast.File
	Test   []bool // per file of Parsed: it is a test
}

// Packages parses the Go files of Quern, a Package a folder. Modules of tools are not part of it, nor is what lies in testdata.
func (t *Tree) Packages() ([]*Package, error) {
	nested := t.nested()
	var all []*Package
	byFolder := map[string]*Package{}
	for _, name := range t.Paths {
		folder := path.Dir(name)
		if path.Ext(name) != ".go" || slices.ContainsFunc(nested, func(m string) bool { return below(folder, m) }) || strings.Contains("/"+name, "/testdata/") {
			continue
		}
		p := byFolder[folder]
		if p == nil {
			p = &Package{Folder: folder, Files: token.NewFileSet()}
			byFolder[folder] = p
			all = append(all, p)
		}
		b, err := os.ReadFile(filepath.Join(t.Root, name))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(p.Files, name, b, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.Parsed = append(p.Parsed, f)
		p.Test = append(p.Test, strings.HasSuffix(name, "_test.go"))
	}
	return all, nil
}

// Imports returns the lines of a package whose imports violate a rule.
func (p *Package) Imports() []Finding {
	var found []Finding
	for i, f := range p.Parsed {
		for _, spec := range f.Imports {
			one := Import{Folder: p.Folder, Test: p.Test[i], Path: strings.Trim(spec.Path.Value, "`\"")}
			if why := one.Violation(); why != "" {
				found = append(found, Finding{At: p.Files.Position(spec.Pos()), Text: why})
			}
		}
	}
	return found
}

// Impurities returns the lines of a package of the pure core that break its purity; tests are left out.
func (p *Package) Impurities() []Finding {
	rule := ruleOf(p.Folder)
	if rule == nil || !rule.pure() {
		return nil
	}
	var code []*ast.File
	for i, f := range p.Parsed {
		if !p.Test[i] {
			code = append(code, f)
		}
	}
	return Purity(p.Files, code)
}
