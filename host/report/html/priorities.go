package html

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/ledger"
)

// mostPriorities bounds how many priorities are told apart; those met later count together.
const mostPriorities = 64

// mostShown bounds the priorities that the charts tell apart: those that came most often.
const mostShown = 6

// atPriority counts the allocations of a priority, with how long they had waited, in seconds.
type atPriority struct {
	placed *ledger.Counter
	waited *ledger.Samples
}

func newAtPriority(g *ledger.Grid) *atPriority {
	return &atPriority{ledger.NewCounter(g), ledger.NewSamples(g)}
}

func (p *atPriority) add(now, waited time.Duration) {
	p.placed.Add(now, 1)
	p.waited.Add(now, waited.Seconds())
}

func (c *Collector) atPriority(priority int32) *atPriority {
	p := c.placed[priority]
	switch {
	case p != nil:
		return p
	case len(c.placed) < mostPriorities:
		p = newAtPriority(c.cluster)
		c.placed[priority] = p
		return p
	case c.others == nil:
		c.others = newAtPriority(c.cluster)
	}
	return c.others
}

// priorityData is the allocations of a priority over time, and the mean of their waits.
type priorityData struct {
	counted
	Waited []number `json:"waited"` // seconds; null where none was allocated
}

func (c *Collector) priorities(end time.Duration) []priorityData {
	keys := make([]int32, 0, len(c.placed))
	for p := range c.placed {
		keys = append(keys, p)
	}
	slices.SortFunc(keys, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(c.placed[a].placed.Total, c.placed[b].placed.Total), cmp.Compare(a, b))
	})
	rest := c.others
	for _, p := range keys[min(mostShown, len(keys)):] {
		if rest == nil {
			rest = newAtPriority(c.cluster)
		}
		for i, n := range c.placed[p].placed.Counts {
			rest.placed.Add(instant.Add(c.cluster.Start, time.Duration(i)*c.cluster.Width), n)
		}
		rest.waited.Merge(c.placed[p].waited)
	}
	shown := keys[:min(mostShown, len(keys))]
	slices.Sort(shown)
	slices.Reverse(shown)
	all := []priorityData{}
	add := func(name string, p *atPriority) {
		all = append(all, priorityData{counted{name, p.placed.Total, p.placed.List(end)}, numbersOf(p.waited.Means(end))})
	}
	for _, p := range shown {
		add(strconv.Itoa(int(p)), c.placed[p])
	}
	if rest != nil {
		add(others, rest)
	}
	return all
}

// others stands for the priorities that are not listed by themselves.
const others = "others"

// priorityWaits are how long the asks of a priority waited, in seconds.
type priorityWaits struct {
	Name      string  `json:"name"`
	Allocated int     `json:"allocated"`
	Mean      float64 `json:"mean"`
	P50       float64 `json:"p50"`
	P99       float64 `json:"p99"`
	Max       float64 `json:"max"`
}

// priorityWaitsOf lists the priorities, highest first.
func priorityWaitsOf(u *ledger.Figures) []priorityWaits {
	all := []priorityWaits{}
	if u == nil {
		return all
	}
	for i := range u.Priorities {
		p := &u.Priorities[i]
		name := strconv.Itoa(int(p.Priority))
		if p.Others {
			name = others
		}
		w := &p.Waits
		all = append(all, priorityWaits{name, w.Total(), w.Mean().Seconds(), w.Percentile(50).Seconds(), w.Percentile(99).Seconds(), w.Max().Seconds()})
	}
	return all
}
