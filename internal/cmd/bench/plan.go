package main

import (
	"github.com/quern-project/quern/host/workload"
)

// column is one figure that every case of a group yields.
type column struct {
	name string
	unit string
	more bool // more is better
}

// group is a table: cases that yield the same figures.
type group struct {
	name    string
	about   string
	columns []column
	cases   []benchCase
	growths []growth
}

// benchCase is a row of a table.
type benchCase struct {
	name   string
	size   []int                  // one for each of the sizes that the workload has
	wanted map[string]float64     // by column
	run    func() (sample, error) // makes its inputs again
}

// sample is what one run yields, by column.
type sample []float64

// scale divides the sizes of a plan: the quick look runs the same rows, smaller.
type scale int

const (
	full  scale = 1
	small scale = 40
)

// of makes a size smaller, but not below a floor, so that what a row is about stays visible.
func (s scale) of(n, floor int) int { return max(n/int(s), min(n, floor)) }

const seed = 1

const (
	million  = 1_000_000
	gibibyte = 1074 // in MB
)

// The columns that are referred to by name.
const (
	rate       = "allocations"
	asking     = "an ask taken in"
	placing    = "an allocation made"
	heap       = "heap in use"
	median     = "median"
	hundredth  = "99th percentile"
	garbage    = "memory allocations a step"
	duration   = "time"
	first      = "first"
	unchanged  = "nothing changed"
	landing    = "landed"
	nanosecond = "ns"
	micro      = "µs"
	milli      = "ms"
	megabyte   = "MB"
	perSecond  = "/s"
)

// plan lists what is measured; a folder may hold the lists of the public trace, and a program may be a build of quern. What is wanted is wanted at full size.
func plan(s scale, folder, program string) []group {
	groups := []group{fills(s), varieties(s), nodeChanges(s), churns(s), stucks(s), reloads(s), preemptions(s), refusals(s), waitings(s), bulks(s), quotaRounds(s), placeholders(s), gangs(s), traces(s, folder), replays(s, program), policies(s), starts(s)}
	if s != full {
		for _, g := range groups {
			for i := range g.cases {
				g.cases[i].wanted = nil
			}
		}
	}
	return groups
}

// fillSize is a size of the fill workloads.
type fillSize struct{ nodes, asks, queues int }

// generator makes a workload of the fill family.
type generator func(nodes, asks, queues int, seed uint64) workload.Workload

func (s scale) fillCase(name string, generate generator, size fillSize) benchCase {
	nodes, asks, queues := s.of(size.nodes, 100), s.of(size.asks, 1000), s.of(size.queues, 25)
	return benchCase{name: name, size: []int{nodes, asks, queues}, run: func() (sample, error) {
		return fill(func() workload.Workload { return generate(nodes, asks, queues, seed) }, name != mixed)
	}}
}

// fills are the wanted sizes first, then those that show how the cost grows.
func fills(s scale) group {
	g := group{
		name: "fill",
		about: "All nodes, applications and asks are sent in, then one cycle places what can be placed. The rate counts all of that, from the configuration " +
			"to the last allocation; the columns behind it are parts of it. Sizes are nodes / asks / leaf queues.",
		columns: []column{{rate, perSecond, true}, {asking, nanosecond, false}, {placing, nanosecond, false}, {heap, megabyte, false}},
	}
	add := func(name string, generate generator, size fillSize, perSecond, megabytes float64) {
		c := s.fillCase(name, generate, size)
		c.wanted = map[string]float64{rate: perSecond, heap: megabytes}
		g.cases = append(g.cases, c)
	}
	add(plain, workload.Fill, fillSize{10_000, 50_000, 100}, million, 100)
	add(plain, workload.Fill, fillSize{10_000, 50_000, 1}, million, 100)
	add(plain, workload.Fill, fillSize{5_000, 50_000, 1}, million, 0)
	add(binpack, workload.FillBinpack, fillSize{10_000, 50_000, 100}, million, 100)
	add(binpack, workload.FillBinpack, fillSize{10_000, 50_000, 1}, million, 100)
	add(binpack, workload.FillBinpack, fillSize{5_000, 10_000, 1}, million, 0)
	add(plain, workload.Fill, fillSize{100_000, million, 10_000}, million/2, gibibyte)
	add(limited, workload.FillLimits, fillSize{10_000, 50_000, 100}, 0, 0)
	add(mixed, workload.FillMixed, fillSize{10_000, 50_000, 100}, million*2/3, 0)
	for _, size := range growthSizes {
		add(plain, workload.Fill, size, 0, 0)
	}
	middle := g.cases[len(g.cases)-len(growthSizes)].size
	for i, what := range []string{"nodes", "asks", "leaf queues"} {
		g.growths = append(g.growths, growth{"fill, an allocation", what, i, plain, middle, []string{asking, placing}, nanosecond})
	}
	return g
}

const (
	plain   = "fill"
	binpack = "fill-binpack"
	mixed   = "fill-mixed"
	limited = "fill-limits"
)

// growthSizes vary one size at a time around the middle.
var growthSizes = []fillSize{
	{10_000, 100_000, 100},
	{1_000, 100_000, 100}, {100_000, 100_000, 100},
	{10_000, 10_000, 100}, {10_000, 1_000_000, 100},
	{10_000, 100_000, 1}, {10_000, 100_000, 10_000},
}

func churns(s scale) group {
	g := group{
		name: "churn",
		about: "A cluster at 90 % use. A step is one release, one new ask and the cycle that places it, at an instant of its own; all of it is timed, so that a " +
			"step bounds any decision in it. Sizes are nodes / leaf queues.",
		columns: []column{{median, micro, false}, {hundredth, micro, false}, {garbage, "", false}, {heap, megabyte, false}},
	}
	for _, size := range [][2]int{{1_000, 100}, {10_000, 100}, {10_000, 1}} {
		nodes, queues := s.of(size[0], 25), s.of(size[1], 25)
		c := benchCase{name: "churn", size: []int{nodes, queues}, wanted: map[string]float64{hundredth: 10, garbage: 0}}
		c.run = func() (sample, error) { return churn(nodes, queues, s.of(50_000, 5_000)) }
		g.cases = append(g.cases, c)
	}
	return g
}

func stucks(s scale) group {
	g := group{
		name: "stuck",
		about: "Asks pending that fit nowhere, in 10,000 applications of 100 leaves. An event is one release, which makes room for exactly one of them, and the " +
			"cycle that finds it. Sizes are asks pending / distinct shapes.",
		columns: []column{{median, micro, false}, {hundredth, micro, false}, {asking, nanosecond, false}, {heap, megabyte, false}},
	}
	for _, size := range [][2]int{{10_000, 16}, {100_000, 16}, {million, 16}, {million, 10_000}, {million, million}} {
		asks := s.of(size[0], 1000)
		shapes := min(size[1], asks)
		c := benchCase{name: "stuck", size: []int{asks, shapes}, wanted: map[string]float64{median: 50}}
		c.run = func() (sample, error) { return stuck(asks, shapes, s.of(1000, 50)) }
		g.cases = append(g.cases, c)
	}
	last := g.cases[len(g.cases)-1].size
	g.growths = []growth{
		{"stuck, an event", "asks pending", 0, "stuck", g.cases[0].size, []string{median}, micro},
		{"stuck, an event", "distinct shapes", 1, "stuck", last, []string{median}, micro},
	}
	return g
}

func reloads(s scale) group {
	queues, allocations := s.of(10_000, 100), s.of(100_000, 1000)
	return group{
		name:    "reload",
		about:   "A configuration with other limits, guarantees and another node order is swapped in while allocations run. Sizes are leaf queues / allocations.",
		columns: []column{{duration, milli, false}, {heap, megabyte, false}},
		cases: []benchCase{{
			name: "reload", size: []int{queues, allocations}, wanted: map[string]float64{duration: 100},
			run: func() (sample, error) { return reload(queues, allocations) },
		}},
	}
}

// The size of the public trace.
const (
	openbNodes = 1523
	openbPods  = 8152
)

// traces runs a generated trace and, where a folder has it, the public one.
func traces(s scale, folder string) group {
	g := group{
		name: "openb",
		about: "A GPU cluster's list of pods, each an application with one ask: all at once (fill), or coming and going at their times (timed). The generated lists " +
			"have the form and the size of the public openb trace; the real ones are read where `" + openbFolder + "` names their folder. Sizes are nodes / pods.",
		columns: []column{{duration, milli, false}, {rate, perSecond, true}, {"allocations made", "", true}, {heap, megabyte, false}},
	}
	nodes, pods := s.of(openbNodes, 200), s.of(openbPods, 1000)
	g.cases = openbCases("generated", []int{nodes, pods}, generatedLists(nodes, pods))
	if folder != "" {
		g.cases = append(g.cases, openbCases("real", []int{openbNodes, openbPods}, func() ([]byte, []byte, error) { return readOpenb(folder) })...)
	}
	return g
}

func generatedLists(nodes, pods int) lists {
	return func() ([]byte, []byte, error) {
		nodeList, podList := workload.Openb(nodes, pods, seed)
		return nodeList, podList, nil
	}
}

func openbCases(source string, size []int, read lists) []benchCase {
	atOnce := benchCase{name: "openb fill, " + source, size: size, wanted: map[string]float64{duration: 15}}
	atOnce.run = func() (sample, error) { return openbRun(read, true) }
	timed := benchCase{name: "openb timed, " + source, size: size}
	timed.run = func() (sample, error) { return openbRun(read, false) }
	return []benchCase{atOnce, timed}
}
