package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/safefile"
)

// report plays the scenarios and puts the reports of a run that came to its end into their folder.
func (f *testFlags) report(ctx context.Context, s streams) error {
	files := safefile.NewTransaction(s.out)
	defer files.Discard()
	cucumber, junit, err := f.open(files)
	if err != nil {
		return err
	}
	staged, err := os.MkdirTemp("", "quern-reports-") // the library opens files by itself, and overwrites what is there
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(staged) }()
	options := f.Options
	options.Reports = staged
	code := features.Run(ctx, options)
	if code == features.BadInput || ctx.Err() != nil {
		return ended(code)
	}
	err = errors.Join(
		move(cucumber, filepath.Join(staged, features.CucumberReport), func(text []byte) error { return json.Unmarshal(text, new(any)) }),
		move(junit, filepath.Join(staged, features.JUnitReport), func(text []byte) error { return xml.Unmarshal(text, new(struct{})) }))
	if err != nil {
		return err
	}
	return errors.Join(files.Commit(), ended(code))
}

// open opens the reports, unless a scenario is to be read from there.
func (f *testFlags) open(files *safefile.Transaction) (cucumber, junit *safefile.Output, err error) {
	if err := makeFolder("--reports", f.Reports); err != nil {
		return nil, nil, err
	}
	for _, path := range f.Paths {
		if err := reads(files, path); err != nil {
			return nil, nil, err
		}
	}
	if cucumber, err = files.Create("--reports", filepath.Join(f.Reports, features.CucumberReport)); err != nil {
		return nil, nil, err
	}
	junit, err = files.Create("--reports", filepath.Join(f.Reports, features.JUnitReport))
	return cucumber, junit, err
}

// reads notes the feature files of a path, which may be a folder or have a line behind it. What cannot be read is told by
// who plays it.
func reads(files *safefile.Transaction, path string) error {
	if _, err := os.Stat(path); err != nil {
		path = path[:max(strings.LastIndexByte(path, ':'), 0)]
	}
	return filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name != path && filepath.Ext(name) != ".feature" {
			return nil
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil
		}
		return files.Reads(name, info)
	})
}

// move writes a report that is whole to where it belongs. The library does not tell when it could not write all of it.
func move(to *safefile.Output, from string, whole func([]byte) error) error {
	text, err := os.ReadFile(from)
	if err == nil {
		err = whole(text)
	}
	if err != nil {
		return fmt.Errorf("--reports: %s could not be written in full: %w", filepath.Base(from), err)
	}
	_, err = io.Copy(to.Writer(), strings.NewReader(string(text)))
	return err
}
