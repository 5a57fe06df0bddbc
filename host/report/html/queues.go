package html

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
)

type queueData struct {
	Path       string              `json:"path"`
	State      string              `json:"state"`
	Leaf       bool                `json:"leaf"`
	Used       map[string]number   `json:"used"`
	Guaranteed map[string]number   `json:"guaranteed"`
	Max        map[string]number   `json:"max"`
	Pending    int                 `json:"pending"`
	Running    int                 `json:"running"`
	MaxRunning uint64              `json:"maxRunning"`
	Allocated  int                 `json:"allocated"`
	P50        float64             `json:"p50"`
	P99        float64             `json:"p99"`
	WaitMax    float64             `json:"waitMax"`
	Lost       int                 `json:"lost"`   // victims
	Took       int                 `json:"took"`   // victims that its asks took
	Curves     map[string][]number `json:"curves"` // used, by type; null: none was kept
	Asks       []number            `json:"asks"`   // that wait, over time
	WaitCurve  []number            `json:"waited"`
	Limits     []limitData         `json:"limits"`
}

type limitData struct {
	At         float64           `json:"at"`
	Guaranteed map[string]number `json:"guaranteed"`
	Max        map[string]number `json:"max"`
}

// queueData lists the queues: those of the end in the order of the tree, then those that are gone.
func (c *Collector) queueData(m Meta, curves *ledger.Curves) []queueData {
	all := []queueData{}
	waits := map[string]*ledger.QueueSummary{}
	for i := range m.Summary.Queues {
		waits[m.Summary.Queues[i].Path] = &m.Summary.Queues[i]
	}
	c.limits.note(m.End, m.State)
	there := map[string]bool{}
	for i := range m.State.Queues {
		d := &m.State.Queues[i]
		path := core.ShownPath(d.Partition, d.Path)
		there[path] = true
		all = append(all, c.present(path, d, waits[path]))
	}
	for _, q := range c.books.Queues {
		if !there[q.Path] {
			all = append(all, c.gone(q.Path))
		}
	}
	slices.SortStableFunc(all, func(a, b queueData) int { return comparePaths(a.Path, b.Path) })
	c.curves(all, curves)
	return all
}

// comparePaths puts the first partition before others, those by name, parents before children, and siblings by name.
func comparePaths(a, b string) int {
	partition, a := core.SplitPath(a)
	other, b := core.SplitPath(b)
	if partition != other {
		return cmp.Compare(partition, other)
	}
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] == b[i] {
			continue
		}
		if a[i] == '.' || b[i] == '.' {
			return cmp.Compare(b2i(a[i] != '.'), b2i(b[i] != '.'))
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (c *Collector) present(path string, d *core.QueueDump, s *ledger.QueueSummary) queueData {
	q := queueData{
		Path: path, State: d.State, Leaf: d.Leaf, Pending: d.PendingAsks, Running: d.Running, MaxRunning: d.MaxRunning,
		Used: numbers(d.Used, false), Guaranteed: numbers(d.Guaranteed, false), Max: numbers(d.Max, true),
		Limits: c.limitData(path),
	}
	if s != nil {
		q.Allocated = s.Waits.Total()
		q.P50, q.P99, q.WaitMax = s.Waits.Percentile(50).Seconds(), s.Waits.Percentile(99).Seconds(), s.Waits.Max().Seconds()
	}
	return q
}

// gone is a queue that a reload took away: what is left of it is its past.
func (c *Collector) gone(path string) queueData {
	none := map[string]number{}
	return queueData{Path: path, State: "gone", Used: none, Guaranteed: none, Max: none, Limits: c.limitData(path)}
}

func (c *Collector) limitData(path string) []limitData {
	all := []limitData{}
	for _, l := range c.limits.known[path] {
		all = append(all, limitData{l.at.Seconds(), numbers(l.guaranteed, false), numbers(l.max, true)})
	}
	return all
}

// curves gives all queues what they lost and took, and the busiest their use over time.
func (c *Collector) curves(all []queueData, curves *ledger.Curves) {
	books := map[string]*ledger.Queue{}
	for _, q := range c.books.Queues {
		books[q.Path] = q
	}
	for i := range all {
		d := &all[i]
		if q := books[d.Path]; q != nil {
			d.Lost, d.Took = q.Victims, countOf(c.preempted.took, q)
		}
		if own := curves.Queues[d.Path]; own != nil {
			d.Curves, d.Asks, d.WaitCurve = map[string][]number{}, numbersOf(own.Pending), numbersOf(own.Waits)
			for name, values := range own.Used {
				d.Curves[name] = numbersOf(values)
			}
		}
	}
}
