package main

import (
	"go/build"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/analysis"
)

// withIgnored gives an analyzer the files of a package that the platform or a tag leaves out, as go vet does.
func withIgnored(a *analysis.Analyzer) *analysis.Analyzer {
	with := *a
	with.Run = func(p *analysis.Pass) (any, error) {
		if len(p.Files) == 0 {
			return a.Run(p)
		}
		files, err := ignored(filepath.Dir(p.Fset.File(p.Files[0].Pos()).Name()))
		if err != nil {
			return nil, err
		}
		more := *p
		more.IgnoredFiles = files
		return a.Run(&more)
	}
	return &with
}

// ignored lists the Go files of a folder that are not built here.
func ignored(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" {
			continue
		}
		switch built, err := build.Default.MatchFile(folder, e.Name()); {
		case err != nil:
			return nil, err
		case !built:
			files = append(files, filepath.Join(folder, e.Name()))
		}
	}
	return files, nil
}
