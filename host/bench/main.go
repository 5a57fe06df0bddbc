// Package main measures the scheduler on the workloads that its speed is promised on, and writes the page about them.
//
// Each workload is run several times, one after another in one process, and only what happens inside the scheduler is
// timed: Advance, Apply, Cycle, Take. The figures are printed beside the wanted ones and never judged, since machines
// differ and are busy with other things.
//
// A plan (plan.go) lists groups of cases; a case makes its inputs anew for every run and returns one sample for each
// column of its group. summary.go reduces the samples, page.go prints them.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// runs is how often a case is run for the page; a quick look runs it once.
const runs = 5

// openbFolder names the variable that says where the lists of the public trace are.
const openbFolder = "QUERN_OPENB"

func main() {
	out := flag.String("out", "", "write the page to `FILE`; without it the tables are printed")
	quick := flag.Bool("quick", false, "small sizes, one run each")
	flag.Parse()
	if err := run(*out, *quick, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures and prints. Progress goes to a stream of its own.
func run(out string, quick bool, stdout, progress io.Writer) error {
	groups, times := plan(full, os.Getenv(openbFolder)), runs
	if quick {
		groups, times = plan(small, os.Getenv(openbFolder)), 1
	}
	began := time.Now()
	results, err := measure(groups, times, progress)
	if err != nil {
		return err
	}
	if out == "" {
		printTables(stdout, results)
		return nil
	}
	text, err := page(results, times, time.Since(began))
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(text), 0o644)
}
