// Package main measures the scheduler on the workloads of the page about performance, and writes the page about them.
//
// Each workload is run several times, one after another in one process, and only what happens inside the scheduler is
// timed: Advance, Apply, Cycle, Take. The figures are printed beside the wanted ones and never judged, since machines
// differ and are busy with other things.
//
// A plan (plan.go) lists groups of cases; a case makes its inputs again for every run and returns one sample for each
// column of its group. summary.go reduces the samples, page.go prints them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/host/files/safefile"
)

// runs is how often a case is run for the page; a quick look runs it once.
const runs = 5

// openbFolder names the variable that says where the lists of the public trace are.
const openbFolder = "QUERN_OPENB"

// options are those of the command line.
type options struct {
	out, only, profile string
	quick              bool
	instructions       bool
	phases, quern      string
	against            string
	runs               int // 0: as usual
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "", "write the page to `FILE`; without it the tables are printed")
	flag.BoolVar(&o.quick, "quick", false, "small sizes, one run each")
	flag.StringVar(&o.only, "only", "", "print one `TABLE`: "+strings.Join(tableNames(), ", "))
	flag.IntVar(&o.runs, "runs", 0, "run every case so `OFTEN`")
	flag.BoolVar(&o.instructions, "instructions", false, "count instructions and cache misses with valgrind; with -out, in the place of the counts in the page")
	flag.StringVar(&o.quern, "quern", "", "a build of quern at `PATH`, for the table replay")
	flag.StringVar(&o.against, "against", "", "run another build of this command at `PATH` in turns with this one, and print ratios")
	flag.StringVar(&o.phases, "phases", "", "run one `WORKLOAD` of -instructions, for callgrind")
	flag.StringVar(&o.profile, "cpuprofile", "", "write a processor profile to `FILE`")
	flag.Parse()
	if err := o.check(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if err := o.run(os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// tableNames are what -only may name.
func tableNames() []string {
	var names []string
	for _, g := range plan(full, "", "") {
		names = append(names, g.name)
	}
	return names
}

func (o *options) check() error {
	if o.out != "" && (o.only != "" || o.quick) {
		return errors.New("-out: the page has all tables at full size; expected neither -only nor -quick beside it")
	}
	if o.runs < 0 {
		return fmt.Errorf("-runs: expected a number above 0, found %d", o.runs)
	}
	return nil
}

// run measures and prints. Progress goes to a stream of its own.
func (o *options) run(stdout, progress io.Writer) error {
	switch folder := os.Getenv(openbFolder); {
	case o.phases != "":
		return printCounts(o.phases, folder)
	case o.against != "":
		return o.compareWith(o.against, stdout, progress)
	case o.instructions:
		return o.count(folder, stdout, progress)
	}
	size, times := full, runs
	if o.quick {
		size, times = small, 1
	}
	if o.runs > 0 {
		times = o.runs
	}
	groups := plan(size, os.Getenv(openbFolder), o.quern)
	if o.only != "" {
		groups = slices.DeleteFunc(groups, func(g group) bool { return g.name != o.only })
		if len(groups) == 0 {
			return fmt.Errorf("-only: expected the name of a table, found %q", o.only)
		}
	}
	began := time.Now()
	var results []result
	err := profiled(o.profile, func() (err error) {
		results, err = measure(groups, times, progress)
		return err
	})
	if err != nil {
		return err
	}
	if o.out == "" {
		printTables(stdout, results)
		return nil
	}
	return o.writePage(results, times, time.Since(began))
}

// growthPictureName is where the picture of growth is, from the folder of the page.
const growthPictureName = "../images/growth.svg"

// writePage writes the page and its picture. What was counted for the page before stays in it.
func (o *options) writePage(results []result, times int, took time.Duration) error {
	before, err := os.ReadFile(o.out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	text, err := page(results, times, took, countedIn(string(before)))
	if err != nil {
		return err
	}
	picture := filepath.Join(filepath.Dir(o.out), filepath.FromSlash(growthPictureName))
	if err := safefile.Replace("--out", picture, []byte(growthPicture(text))); err != nil {
		return err
	}
	return safefile.Replace("--out", o.out, []byte(text))
}

// count counts instructions, for the page or for standard output.
func (o *options) count(folder string, stdout, progress io.Writer) error {
	table, err := instructionTable(folder, progress)
	if err != nil {
		return err
	}
	if o.out == "" {
		_, err := io.WriteString(stdout, table)
		return err
	}
	text, err := replaceCounted(o.out, table)
	if err != nil {
		return err
	}
	return safefile.Replace("--out", o.out, []byte(text))
}

// profiled calls f and writes a profile of it to a file, if one is named.
func profiled(file string, f func() error) error {
	if file == "" {
		return f()
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return errors.Join(err, out.Close())
	}
	err = f()
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}
