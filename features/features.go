// Package features holds what the scheduler does, as scenarios that people read: one .feature file a topic, a small
// set of sentences to write them in, and a runner.
//
// The scenarios that ship are in the binary; Run plays them, or an operator's own, against any Driver. The sentences
// are listed by Vocabulary, and docs/plan/scenarios.md teaches them.
package features

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// Shipped are the scenarios that come with the scheduler.
//
//go:embed *.feature
var Shipped embed.FS

// Results of Run: the exit codes of the command.
const (
	Passed   = 0
	Failed   = 1
	BadInput = 2 // a path, a tag expression or a feature file cannot be used, or there is no scenario at all
)

// The files of ReportsIn.
const (
	CucumberReport = "features.cucumber.json"
	JUnitReport    = "features.junit.xml"
)

// ReportsIn are the reports for machines, in a folder; empty: none.
func ReportsIn(folder string) []Report {
	if folder == "" {
		return nil
	}
	return []Report{{FormatCucumber, filepath.Join(folder, CucumberReport)}, {FormatJUnit, filepath.Join(folder, JUnitReport)}}
}

// Options say what to run, and how to tell of it.
type Options struct {
	Paths       []string // files, `file:line`, or folders; none: the scenarios that ship
	Tags        string   // a tag expression such as `@explain and not @slow`; empty: all
	Format      string   // of Formats; default progress
	Reports     []Report // besides, in files, whose folders are made; paths have no comma
	Colors      bool
	Out         io.Writer // default: standard output
	Err         io.Writer // for what is wrong with the input; default: standard error
	Random      int64     // seed of the scenarios' order; -1: any; 0: as written
	Concurrency int       // scenarios at once
	NewDriver   Factory   // default: Native

	// Opened is told which file a step is about to read, and in which feature file it stands; several scenarios may call it
	// at once. nil: they are not used.
	Opened func(feature, file string)

	files func(name string) ([]byte, error) // reads the files that steps name; default: those of the system
}

// Run plays scenarios and returns Passed, Failed or BadInput. A scenario with a sentence that is unknown, ambiguous
// or has no body fails.
func Run(ctx context.Context, o Options) int {
	o = o.withDefaults()
	format, err := o.formats()
	var filter string
	if err == nil {
		filter, err = o.choose()
	}
	if err != nil {
		_, _ = fmt.Fprintln(o.Err, o.named(err))
		return BadInput
	}
	suite := o.suite()
	suite.Options.Format, suite.Options.Tags = format, filter
	suite.Options.DefaultContext = ctx
	if o.Pretty() {
		suite.Options.Concurrency = 1 // the lines of an outline belong together
	}
	return o.result(ctx, suite.Run())
}

// Pretty says whether one of the formats lists every step.
func (o Options) Pretty() bool {
	return o.Format == FormatPretty || slices.ContainsFunc(o.Reports, func(r Report) bool { return r.Format == FormatPretty })
}

// named is an error's text, in which a path with line breaks cannot pass for lines of ours.
func (o Options) named(err error) string {
	text := err.Error()
	for _, path := range o.Paths {
		if strings.ContainsAny(path, "\r\n") {
			text = strings.ReplaceAll(text, path, strconv.Quote(path))
		}
	}
	return text
}

// result turns what the suite returned into an exit code. An interrupted run has not passed.
func (o Options) result(ctx context.Context, code int) int {
	if ctx.Err() != nil {
		_, _ = fmt.Fprintln(o.Err, "interrupted")
		return Failed
	}
	if code != 0 {
		return Failed
	}
	return Passed
}

func (o Options) withDefaults() Options {
	if o.Out == nil {
		o.Out = os.Stdout
	}
	if o.Err == nil {
		o.Err = os.Stderr
	}
	if o.Format == "" {
		o.Format = FormatProgress
	}
	if o.NewDriver == nil {
		o.NewDriver = Native
	}
	if o.files == nil {
		o.files = os.ReadFile
	}
	return o
}

func (o Options) suite() godog.TestSuite {
	options := &godog.Options{
		Paths:       o.Paths,
		Output:      o.Out,
		NoColors:    !o.Colors,
		Randomize:   o.Random,
		Concurrency: o.Concurrency,
		Strict:      true,
		FS:          files{},
	}
	if len(o.Paths) == 0 {
		options.Paths = []string{"."}
		options.FS = fs.FS(Shipped)
	}
	sentences := sentences()
	return godog.TestSuite{
		Name:                "quern",
		Options:             options,
		ScenarioInitializer: func(sc *godog.ScenarioContext) { initialize(sc, sentences, o) },
	}
}

// read reads the files that steps of a feature file name.
func (o Options) read(feature string) func(string) ([]byte, error) {
	if o.Opened == nil {
		return o.files
	}
	return func(name string) ([]byte, error) {
		o.Opened(feature, name)
		return o.files(name)
	}
}

// initialize gives a scenario its own world. A driver that cannot be made fails the scenario at its first step.
func initialize(sc *godog.ScenarioContext, sentences []sentence, o Options) {
	w, err := newWorld(o.NewDriver)
	if err != nil {
		w = &world{}
	}
	sc.Before(func(ctx context.Context, scenario *godog.Scenario) (context.Context, error) {
		w.folder, w.files = filepath.Dir(scenario.Uri), o.read(scenario.Uri)
		return ctx, nil
	})
	sc.StepContext().Before(func(ctx context.Context, step *godog.Step) (context.Context, error) {
		w.current, w.barred = step, cmp.Or(err, ctx.Err())
		return ctx, nil
	})
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		if c, ok := w.driver.(io.Closer); ok {
			return ctx, c.Close()
		}
		return ctx, nil
	})
	for _, s := range sentences {
		sc.Step(s.expr, w.checked(s.bind(w)))
	}
}
