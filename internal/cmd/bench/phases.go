package main

import (
	"fmt"
	"os"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/workload"
)

// phasedRun is a workload whose instructions are counted. Its sizes are those of its wall-clock row where that takes no
// more than a minute under callgrind.
type phasedRun struct {
	name   string
	size   []int
	inputs func() ([]core.Input, error)
}

// phasedRuns lists them; a folder may hold the lists of the public trace.
func phasedRuns(folder string) []phasedRun {
	trace := phasedRun{"openb, generated", []int{openbNodes, openbPods}, func() ([]core.Input, error) { return openbInputs(generatedLists(openbNodes, openbPods), true) }}
	if folder != "" {
		trace.name = "openb, real"
		trace.inputs = func() ([]core.Input, error) {
			return openbInputs(func() ([]byte, []byte, error) { return readOpenb(folder) }, true)
		}
	}
	return []phasedRun{
		generatedRun(plain, workload.Fill, fillSize{10_000, 50_000, 100}),
		generatedRun(limited, workload.FillLimits, fillSize{10_000, 50_000, 100}),
		generatedRun(mixed, workload.FillMixed, fillSize{10_000, 50_000, 100}),
		generatedRun("fill, large", workload.Fill, fillSize{20_000, 200_000, 2000}),
		{"gangs", []int{5_000, 64_000, 100}, func() ([]core.Input, error) {
			w := workload.Gangs(5_000, 1_000, 64, 100, seed)
			return w.All(), nil
		}},
		trace,
	}
}

func generatedRun(name string, generate generator, size fillSize) phasedRun {
	return phasedRun{name, []int{size.nodes, size.asks, size.queues}, func() ([]core.Input, error) {
		w := generate(size.nodes, size.asks, size.queues, seed)
		return w.All(), nil
	}}
}

// The phases of a run that are counted, and the functions that are called before and after them. Callgrind writes its
// counts to a new file before each of these functions, so that every phase has a file of its own.
const (
	setUpPhase = iota
	askPhase
	cyclePhase
	phaseCount
)

var phaseEnds = [phaseCount]string{"main.endSetUp", "main.endAsks", "main.endCycle"}

//go:noinline
func endSetUp() { fmt.Fprintln(os.Stderr, "nodes are added") }

//go:noinline
func endAsks() { fmt.Fprintln(os.Stderr, "asks are taken in") }

//go:noinline
func endCycle() { fmt.Fprintln(os.Stderr, "asks are allocated") }

// runPhases runs a workload once and returns the number of asks and of allocations.
func runPhases(inputs []core.Input) (asked, made int) {
	setUp, asks := split(inputs)
	for i := range asks {
		if asks[i].Type() == core.AskAdd {
			asked++
		}
	}
	d := newDriver()
	d.apply(setUp)
	endSetUp()
	d.apply(asks)
	endAsks()
	made = d.decide()
	endCycle()
	return asked, made
}
