package html

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
)

// How much the page lists: choices in each of its two lists, victims of a choice, queues.
const (
	mostChoices    = 10
	mostVictims    = 12
	mostQueueRows  = 40
	onlyObserved   = "only observed"
	mostChoicesAll = 2 * mostChoices
)

// preemptions is who was preempted: over time by the right by which it was, by queue, and the choices that are worth a
// look.
type preemptions struct {
	kinds    map[explain.PreemptionKind]*ledger.Counter
	observed *ledger.Counter // those that were only observed
	took     []int           // victims, by index of the queue of the asks that took them, which those above it are counted for too
	choices  int
	open     choice // the one that victims are still added to
	latest   []choice
	biggest  []choice // largest first
}

// choice is one ask with the victims that it chose.
type choice struct {
	at       time.Duration
	by       party
	node     string
	kind     explain.PreemptionKind
	observed bool
	victims  []party // those that the page lists
	count    int     // of all
	size     float64 // of the victims: the parts of the cluster that they used, added up
}

// party is an ask or a victim, as it was; by quota the queue alone that is over its max.
type party struct {
	id       string
	queue    *ledger.Queue
	priority int32
	shape    *ledger.Shape
}

func partyOf(a *ledger.Ask) party { return party{a.ID, a.Queue, a.Priority, a.Shape} }

// Preempted enters a victim.
func (c *Collector) Preempted(p ledger.Preemption) {
	x := &c.preempted
	if p.Observed {
		x.observed.Add(c.books.Now, 1)
	} else {
		counterOf(x.kinds, c.cluster, p.Kind).Add(c.books.Now, 1)
		if p.For != nil {
			x.took = countUp(x.took, p.For.Queue)
		}
	}
	by, node := party{queue: p.Quota}, "" // a queue releases on several nodes
	if p.For != nil {
		by, node = partyOf(p.For), p.Victim.Node.ID
	}
	if o := &x.open; o.by.id != by.id || o.by.queue != by.queue || o.at != c.books.Now || o.observed != p.Observed {
		x.close()
		x.open = choice{
			at: c.books.Now, by: by, node: node, kind: p.Kind, observed: p.Observed,
		}
	}
	if p.Kind == explain.ByGuarantee {
		x.open.kind = p.Kind // of several, as explanations have it
	}
	if x.open.count++; x.open.count <= mostVictims {
		x.open.victims = append(x.open.victims, partyOf(p.Victim))
	}
	x.open.size += c.books.Size(p.Victim.Shape)
}

// countUp adds one to a queue and those above.
func countUp(counts []int, q *ledger.Queue) []int {
	for ; q != nil; q = q.Parent {
		counts = append(counts, make([]int, max(0, q.Index+1-len(counts)))...)
		counts[q.Index]++
	}
	return counts
}

// close files the choice that is complete.
func (x *preemptions) close() {
	if x.open.count == 0 {
		return
	}
	x.choices++
	x.latest = append(x.latest, x.open)
	if len(x.latest) > mostChoicesAll {
		x.latest = slices.Delete(x.latest, 0, 1)
	}
	i, _ := slices.BinarySearchFunc(x.biggest, x.open, func(a, b choice) int { return cmp.Or(-cmp.Compare(a.size, b.size), -1) })
	x.biggest = slices.Insert(x.biggest, i, x.open)
	x.biggest = x.biggest[:min(len(x.biggest), mostChoices)]
	x.open = choice{}
}

// preemptionData is what the page shows of it.
type preemptionData struct {
	Kinds   []counted      `json:"kinds"`
	Queues  []exchangeData `json:"queues"`
	Choices int            `json:"choices"`
	Latest  []choiceData   `json:"latest"`
	Biggest []choiceData   `json:"biggest"` // empty where the latest are all there are
	Quotas  []quotaData    `json:"quotas,omitempty"`
}

// quotaData is what a queue released that was over its max.
type quotaData struct {
	Path    string            `json:"path"`
	Rounds  int               `json:"rounds"`
	Victims int               `json:"victims"`
	Taken   map[string]number `json:"taken"`
}

// exchangeData is what a queue lost to others, and what its asks took.
type exchangeData struct {
	Path string `json:"path"`
	Lost int    `json:"lost"`
	Took int    `json:"took"`
}

type choiceData struct {
	At       float64     `json:"at"`
	For      partyData   `json:"for"`
	Node     string      `json:"node"`
	Kind     string      `json:"kind"`
	Observed bool        `json:"observed"`
	Count    int         `json:"count"`
	Victims  []partyData `json:"victims"`
}

// partyData is an ask or a victim.
type partyData struct {
	ID       string `json:"id"`
	Queue    string `json:"queue"`
	Priority int32  `json:"priority"`
	Wants    string `json:"wants"`
}

// preemptionData draws up the preemptions until an end.
func (c *Collector) preemptionData(quotas []ledger.QuotaSummary, end time.Duration) preemptionData {
	x := &c.preempted
	x.close()
	d := preemptionData{Kinds: []counted{}, Queues: c.exchanges(), Choices: x.choices, Latest: []choiceData{}, Biggest: []choiceData{}}
	for _, kind := range []explain.PreemptionKind{explain.ByGuarantee, explain.ByIntraQueue, explain.ByNode, explain.ByQuota, explain.BySurplus} {
		if s := x.kinds[kind]; s != nil {
			d.Kinds = append(d.Kinds, counted{string(kind), s.Total, s.List(end)})
		}
	}
	if x.observed.Total > 0 {
		d.Kinds = append(d.Kinds, counted{onlyObserved, x.observed.Total, x.observed.List(end)})
	}
	for _, q := range quotas[:min(len(quotas), mostQueueRows)] {
		d.Quotas = append(d.Quotas, quotaData{q.Path, q.Rounds, q.Victims, numbers(q.Taken, false)})
	}
	latest := x.latest
	if x.choices > mostChoicesAll {
		latest = latest[len(latest)-mostChoices:]
		for i := range x.biggest {
			d.Biggest = append(d.Biggest, c.choiceData(&x.biggest[i]))
		}
	}
	for i := range latest {
		d.Latest = append(d.Latest, c.choiceData(&latest[len(latest)-1-i]))
	}
	return d
}

// exchanges lists the queues that lost or took most.
func (c *Collector) exchanges() []exchangeData {
	all := []exchangeData{}
	for _, q := range c.books.Queues {
		e := exchangeData{q.Path, q.Victims, countOf(c.preempted.took, q)}
		if q.Parent != nil && e.Lost+e.Took > 0 {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b exchangeData) int { return cmp.Compare(b.Lost+b.Took, a.Lost+a.Took) })
	all = all[:min(len(all), mostQueueRows)]
	slices.SortFunc(all, func(a, b exchangeData) int { return comparePaths(a.Path, b.Path) })
	return all
}

func countOf(counts []int, q *ledger.Queue) int {
	if q.Index < len(counts) {
		return counts[q.Index]
	}
	return 0
}

func (c *Collector) choiceData(x *choice) choiceData {
	d := choiceData{
		At: x.at.Seconds(), Node: x.node, Kind: string(x.kind), Observed: x.observed, Count: x.count, Victims: []partyData{}, For: c.partyData(x.by),
	}
	for _, v := range x.victims {
		d.Victims = append(d.Victims, c.partyData(v))
	}
	return d
}

func (c *Collector) partyData(p party) partyData {
	if p.shape == nil {
		return partyData{Queue: p.queue.Path}
	}
	return partyData{p.id, p.queue.Path, p.priority, wants(p.shape, c.books.Types)}
}
