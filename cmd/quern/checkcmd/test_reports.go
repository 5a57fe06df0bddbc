package checkcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/quern-project/quern/cmd/quern/cli"
	"github.com/quern-project/quern/features"
	"github.com/quern-project/quern/host/files/safefile"
)

// report plays the scenarios and puts the reports of a run that came to its end where they belong.
func (f *testFlags) report(ctx context.Context, s cli.Streams) error {
	files := safefile.NewTransaction(s.Out)
	defer files.Discard()
	outputs, err := f.open(files)
	if err != nil {
		return err
	}
	staged, err := os.MkdirTemp("", "quern-reports-") // the library opens files by itself, and overwrites what is there
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(staged) }()
	options := f.Options
	options.Reports = nil
	for i, o := range outputs {
		options.Reports = append(options.Reports, features.Report{Format: o.Format, Path: filepath.Join(staged, strconv.Itoa(i))})
	}
	code := features.Run(ctx, options)
	if code == features.BadInput || ctx.Err() != nil {
		return cli.Ended(code)
	}
	for i, o := range outputs {
		err = errors.Join(err, o.take(options.Reports[i]))
	}
	if err != nil {
		return err
	}
	return errors.Join(files.Commit(), cli.Ended(code))
}

// reportOutput is a report and where it goes.
type reportOutput struct {
	features.Report
	flag string
	to   *safefile.Output
}

// open opens the reports, unless a scenario is to be read from there.
func (f *testFlags) open(files *safefile.Transaction) ([]reportOutput, error) {
	if f.folder != "" {
		if err := cli.MakeFolder("--reports", f.folder); err != nil {
			return nil, err
		}
	}
	for _, path := range f.Paths {
		if err := reads(files, path); err != nil {
			return nil, err
		}
	}
	var outputs []reportOutput
	for _, r := range features.ReportsIn(f.folder) {
		outputs = append(outputs, reportOutput{Report: r, flag: "--reports"})
	}
	for _, r := range f.Reports {
		if err := cli.MakeFolder("--format", filepath.Dir(r.Path)); err != nil {
			return nil, err
		}
		outputs = append(outputs, reportOutput{Report: r, flag: "--format"})
	}
	for i := range outputs {
		var err error
		if outputs[i].to, err = files.Create(outputs[i].flag, outputs[i].Path); err != nil {
			return nil, err
		}
	}
	return outputs, nil
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

// take writes a report that is whole to where it belongs.
func (o *reportOutput) take(staged features.Report) error {
	text, err := os.ReadFile(staged.Path)
	if err == nil {
		err = staged.Whole(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %s could not be written in full: %w", o.flag, filepath.Base(o.Path), err)
	}
	_, err = o.to.Writer().Write(text)
	return err
}
