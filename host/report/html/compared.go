package html

import (
	"maps"
	"math"
	"slices"

	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/host/report/summary"
)

// Comparison is what a page shows of runs side by side, the page's own first.
type Comparison struct {
	Runs   []summary.Named
	Curves []*ledger.Curves // of each run, in buckets of one width
}

type comparedData struct {
	Names []string `json:"names"`
	// Verdicts say in a sentence how each run but the first differs from that; empty where one of them did not come to its end.
	Verdicts []string        `json:"verdicts"`
	Rows     []comparedRow   `json:"rows"`
	Queues   []comparedQueue `json:"queues"`
	Start    float64         `json:"start"`
	Width    float64         `json:"width"`
	Points   int             `json:"points"`
	// Pending and Used are by run; those of a run that ended earlier are shorter.
	Pending [][]number      `json:"pending"`
	Types   []comparedCurve `json:"types"`
}

type comparedRow struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Change string   `json:"change"`
}

// comparedQueue has the waits of a queue by run, in seconds; null where no ask was allocated.
type comparedQueue struct {
	Path string   `json:"path"`
	Mean []number `json:"mean"`
	P99  []number `json:"p99"`
}

type comparedCurve struct {
	Name string     `json:"name"`
	Used [][]number `json:"used"` // by run
}

func comparedOf(c *Comparison) *comparedData {
	if c == nil || len(c.Runs) < 2 {
		return nil
	}
	d := &comparedData{Types: []comparedCurve{}, Pending: [][]number{}}
	for i, r := range c.Runs {
		d.Names = append(d.Names, r.Name())
		if i > 0 {
			d.Verdicts = append(d.Verdicts, summary.Verdict(c.Runs[0], r, r.Name()))
		}
	}
	for _, r := range summary.CompareRows(c.Runs) {
		d.Rows = append(d.Rows, comparedRow(r))
	}
	d.Queues = comparedQueues(c.Runs)
	names := []string{}
	for _, curves := range c.Curves {
		d.Start, d.Width = curves.Start.Seconds(), curves.Width.Seconds()
		d.Points = max(d.Points, curves.Points)
		d.Pending = append(d.Pending, numbersOf(curves.Pending))
		names = slices.AppendSeq(names, maps.Keys(curves.Used))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		curve := comparedCurve{Name: name}
		for _, curves := range c.Curves {
			curve.Used = append(curve.Used, numbersOf(curves.Used[name]))
		}
		d.Types = append(d.Types, curve)
	}
	return d
}

// mostCompared bounds the queues that are compared: the upper levels, in the order of the tree.
const mostCompared = 200

func comparedQueues(runs []summary.Named) []comparedQueue {
	all := []comparedQueue{}
	for _, path := range summary.ComparedQueues(runs, mostCompared) {
		q := comparedQueue{Path: path}
		for _, r := range runs {
			mean, p99 := math.NaN(), math.NaN()
			if w := waitsOf(r, path); w != nil && w.Total() > 0 {
				mean, p99 = w.Mean().Seconds(), w.Percentile(99).Seconds()
			}
			q.Mean, q.P99 = append(q.Mean, number(mean)), append(q.P99, number(p99))
		}
		all = append(all, q)
	}
	return all
}

func waitsOf(r summary.Named, path string) *ledger.Waits {
	for i := range r.Queues {
		if r.Queues[i].Path == path {
			return &r.Queues[i].Waits
		}
	}
	return nil
}
