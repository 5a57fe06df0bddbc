package html

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/report/summary"
)

// number is a point of a chart: four digits are more than a screen shows. NaN is written as null.
type number float64

// MarshalJSON writes the number short.
func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	if n == number(math.Trunc(float64(n))) && math.Abs(float64(n)) < 1e6 {
		return strconv.AppendInt(nil, int64(n), 10), nil
	}
	return strconv.AppendFloat(nil, float64(n), 'g', 4, 64), nil
}

func numbersOf(values []float64) []number {
	all := make([]number, len(values))
	for i, v := range values {
		all[i] = number(v)
	}
	return all
}

// page is all that the script draws from. Times are seconds.
type page struct {
	Journal     string    `json:"journal"`
	Config      string    `json:"config"`
	Version     string    `json:"version"`
	Partial     string    `json:"partial"` // why the run ended early; empty: it did not
	Interrupted bool      `json:"interrupted"`
	Absolute    bool      `json:"absolute"`
	Start       float64   `json:"start"`
	End         float64   `json:"end"`
	Totals      totals    `json:"totals"`
	Reloads     []float64 `json:"reloads"`

	Width    float64   `json:"width"` // of a bucket of the cluster
	Findings []finding `json:"findings"`

	Types         []typeData      `json:"types"`
	Pending       []number        `json:"pending"`
	WaitMean      []number        `json:"waitMean"`
	WaitMax       []number        `json:"waitMax"`
	Priorities    []priorityData  `json:"priorities"`
	PriorityWaits []priorityWaits `json:"priorityWaits"`
	Ends          []counted       `json:"ends"`
	Refused       []refusal       `json:"refused"`
	Waits         []band          `json:"waits"`
	Rough         bool            `json:"rough"`    // stranded room was not held against every shape
	TooLarge      int             `json:"tooLarge"` // asks that wait at the end and that no empty node would take

	QueueWidth float64     `json:"queueWidth"`
	Queues     []queueData `json:"queues"`
	Longest    []waitData  `json:"longest"`

	Preemptions preemptionData `json:"preemptions"`

	Uses  *usesData  `json:"uses,omitempty"`
	Gangs *gangsData `json:"gangs,omitempty"`
	// Jobs are by queue, then by user.
	Jobs []jobsData `json:"jobs"`

	Compared *comparedData `json:"compared,omitempty"`

	History []Record         `json:"history"` // of earlier reports, and of this one
	Changes []summary.Change `json:"changes,omitempty"`
	Since   string           `json:"since,omitempty"`

	Playground *playgroundData `json:"playground,omitempty"`
}

type totals struct {
	Nodes     int     `json:"nodes"`
	Apps      int     `json:"apps"`
	Asks      int     `json:"asks"`
	Allocated int     `json:"allocated"`
	Pending   int     `json:"pending"`
	Rejected  int     `json:"rejected"`
	Preempted int     `json:"preempted"`
	Rate      float64 `json:"rate"`
	Wall      float64 `json:"wall"`
	WaitP50   float64 `json:"waitP50"`
	WaitP99   float64 `json:"waitP99"`
	WaitMax   float64 `json:"waitMax"`
}

type typeData struct {
	Name     string   `json:"name"`
	Used     []number `json:"used"`
	Capacity []number `json:"capacity"`
	Stranded []number `json:"stranded"`
}

type counted struct {
	Name   string `json:"name"`
	Total  int    `json:"total"`
	Counts []int  `json:"counts"`
}

type band struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

type waitData struct {
	ID       string   `json:"id"`
	Queue    string   `json:"queue"`
	Priority int32    `json:"priority"`
	Wants    string   `json:"wants"`
	Since    float64  `json:"since"`
	Wait     float64  `json:"wait"`
	Count    int      `json:"count"` // asks that are alike
	Long     int      `json:"long"`  // of them, those that waited at least half as long
	End      string   `json:"end"`
	Node     string   `json:"node"`
	Codes    []string `json:"codes"`
	Why      string   `json:"why"`
	WhyAt    float64  `json:"whyAt"`
	Verdict  string   `json:"verdict"`
}

// draw puts together what the page shows.
func (c *Collector) draw(m Meta) page {
	if !c.started {
		c.start(m.Start)
	}
	c.longest.finish(c.books, c.scheduler)
	end := max(m.End, c.cluster.Start)
	c.cluster.Reach(end)
	curves := c.meter.Curves(end, end)
	p := page{
		Journal: m.Journal, Config: m.Config, Version: m.Version, Partial: partialText(m.Summary),
		Interrupted: m.Summary.Interrupted, Absolute: m.Absolute,
		Start: m.Start.Seconds(), End: m.End.Seconds(),
		Totals:  c.totals(m),
		Reloads: []float64{},
		Types:   c.types(end),
		Pending: numbersOf(c.pending.Means(end)), WaitMean: numbersOf(c.waited.Means(end)), WaitMax: numbersOf(c.waited.Highs(end)),
		Priorities: c.priorities(end), PriorityWaits: priorityWaitsOf(m.Summary.Usage), Ends: c.ends(end),
		Refused: refusalsOf(m.Summary.Refused),
		Waits:   bands(m.Summary.Waits()), Rough: c.approximate, TooLarge: c.books.TooLarge(),
		Queues: c.queueData(m, curves), QueueWidth: curves.Width.Seconds(), Longest: c.waitData(),
		Preemptions: c.preemptionData(m.Summary.Quotas, end),
		Uses:        usesOf(m.Summary.Limits), Gangs: gangsOf(&m.Summary.Summary), Jobs: jobsOf(m.Summary),
	}
	p.Findings, p.Playground = c.findings(m), m.Playground.data()
	own := RecordOf(m.Journal, m.Config, m.Summary)
	p.History = append(slices.Clone(m.Since[max(0, len(m.Since)-mostRecords+1):]), own)
	if n := len(m.Since); n > 0 {
		p.Since, p.Changes = m.SinceName, Changes(&m.Since[n-1], &own)
	}
	for _, at := range c.limits.reloads {
		p.Reloads = append(p.Reloads, at.Seconds())
	}
	p.Width = c.cluster.Width.Seconds()
	return p
}

// partialText is the sentence about a run that ended early; empty: it did not, or was interrupted.
func partialText(s *summary.Summary) string {
	if s.Partial == nil || s.Interrupted {
		return ""
	}
	return s.Partial.String()
}

func (c *Collector) totals(m Meta) totals {
	s := m.Summary
	waits := s.Waits()
	return totals{
		Nodes: s.Nodes, Apps: s.Apps, Asks: s.Asks, Allocated: s.Allocated, Pending: s.Pending,
		Rejected: s.Rejected, Preempted: s.Preempted, Rate: s.AllocationsPerSecond(), Wall: s.Wall.Seconds(),
		WaitP50: waits.Percentile(50).Seconds(), WaitP99: waits.Percentile(99).Seconds(), WaitMax: waits.Max().Seconds(),
	}
}

// types lists the types bytewise.
func (c *Collector) types(end time.Duration) []typeData {
	all := []typeData{}
	for i := range c.used {
		t := typeData{Name: c.books.Types[i], Used: numbersOf(c.used[i].Means(end)), Capacity: numbersOf(c.capacity[i].Means(end))}
		t.Stranded = numbersOf(c.stranded[i].Means(end))
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b typeData) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func (c *Collector) ends(end time.Duration) []counted {
	all := []counted{}
	for why, s := range c.ended {
		all = append(all, counted{string(why), s.Total, s.List(end)})
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// bands are the lengths of waits that the page tells apart.
func bands(waits *ledger.Waits) []band {
	edges := []struct {
		name string
		upTo time.Duration
	}{
		{"none", 0}, {"up to 1 s", time.Second}, {"up to 10 s", 10 * time.Second}, {"up to 1 min", time.Minute},
		{"up to 5 min", 5 * time.Minute}, {"up to 15 min", 15 * time.Minute}, {"up to 1 h", time.Hour},
		{"up to 4 h", 4 * time.Hour}, {"up to 1 day", 24 * time.Hour}, {"over a day", math.MaxInt64},
	}
	all := make([]band, len(edges))
	at := 0
	for _, count := range waits.Counts() {
		for count.Value > edges[at].upTo {
			at++
		}
		all[at].Count += count.Times
	}
	for i := range all {
		all[i].Name = edges[i].name
	}
	return all
}

func (c *Collector) waitData() []waitData {
	all := []waitData{}
	for _, w := range c.longest.waits {
		d := waitData{
			ID: w.id, Queue: w.queue, Priority: w.priority, Wants: w.wants, Node: w.node, End: w.end,
			Since: w.since.Seconds(), Wait: w.length.Seconds(), Count: w.all.Total(), Long: w.long(),
			Codes: texts(w.why.codes), Why: w.why.text, WhyAt: w.why.at.Seconds(), Verdict: w.why.verdict,
		}
		all = append(all, d)
	}
	return all
}

func texts(codes []core.Reason) []string {
	all := []string{}
	for _, code := range codes {
		all = append(all, string(code))
	}
	return all
}

// numbers is a set by type.
func numbers(s resource.Set, zeros bool) map[string]number {
	m := map[string]number{}
	for _, q := range s {
		if q.Value != 0 || zeros {
			m[q.Type] = number(q.Value)
		}
	}
	return m
}
