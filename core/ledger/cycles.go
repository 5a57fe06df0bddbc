package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// Bounds of Cycles: for how long a displaced application may preempt in return, and how many displacements are remembered.
const (
	returnsWithin     = time.Hour
	mostDisplacements = 20_000
)

// Party is an application in a preemption. Its successors are equal to it.
type Party struct {
	User   string
	Queue  string // in shown form
	Series string // core.SeriesOf its ID
}

// Displacement is the preemption of an allocation.
type Displacement struct {
	At                     time.Duration
	Right                  core.Right
	By, Of                 Party
	Asked                  time.Duration // when the ask that preempts was submitted
	ByPriority, OfPriority int32         // own priorities
	ByTypes, OfTypes       []string      // resource types that the ask needs, and that the allocation uses
}

// Cycles counts how often preemption goes round: an application is preempted, asks again, and within an hour preempts an allocation of the
// application that displaced it, or of a successor of that. Preemption by guarantees and within a queue alone can go round: required nodes,
// quotas and surplus have ends of their own. It is no cycle if the queues of the displaced application lost something else in the meantime,
// so that the demand has changed; if it asks for more types than the displaced allocation used; or if, in a common queue, priority decides.
// Under the laws of preemption the count stays 0. The memory is bounded.
type Cycles struct {
	Count int
	list  []displacement // within the last hour, oldest first
	lost  map[string]int // by queue: allocations of the subtree that ended without preemption
	ever  int            // changes of everything
	last  struct {       // the cycle that was counted last
		at     time.Duration
		by, of Party
	}
}

// displacement is one that may be returned.
type displacement struct {
	Displacement
	side string // the queue of the displaced below the lowest common ancestor; empty if the leaf is common
	lost int    // of that queue at that time
	ever int
}

// Preempted records a preemption, and reports whether it counts as a cycle.
func (c *Cycles) Preempted(d *Displacement) bool {
	if d.Right == core.RightRequiredNode || d.Right == core.RightQuota {
		c.Lost(d.Of.Queue)
	}
	if d.Right != core.RightGuarantee && d.Right != core.RightQueue {
		return false
	}
	c.forget(d.At)
	returned := c.returns(d)
	c.remember(d)
	if !returned || c.last.at == d.At && c.last.by == d.By && c.last.of == d.Of && c.Count > 0 {
		return false
	}
	c.Count++
	c.last.at, c.last.by, c.last.of = d.At, d.By, d.Of
	return true
}

// returns reports whether a preemption returns a displacement, and forgets that displacement.
func (c *Cycles) returns(d *Displacement) bool {
	for i := range c.list {
		if was := &c.list[i]; was.isReturnedBy(d) && was.ever == c.ever && was.lost == c.lost[was.side] {
			c.list = slices.Delete(c.list, i, i+1)
			return true
		}
	}
	return false
}

func (was *displacement) isReturnedBy(d *Displacement) bool {
	switch {
	case was.Of != d.By || was.By != d.Of || d.Asked < was.At:
		return false
	case was.side == "":
		return d.ByPriority <= was.OfPriority && d.OfPriority >= was.OfPriority
	}
	return !slices.ContainsFunc(d.ByTypes, func(t string) bool { return !slices.Contains(was.OfTypes, t) })
}

func (c *Cycles) remember(d *Displacement) {
	side := bare(sideOf(d.Of.Queue, d.By.Queue))
	c.list = append(c.list, displacement{*d, side, c.lost[side], c.ever})
	if len(c.list) > mostDisplacements {
		c.list = slices.Delete(c.list, 0, mostDisplacements/4)
	}
}

// forget forgets the displacements that are too old to be returned.
func (c *Cycles) forget(now time.Duration) {
	n := 0
	for n < len(c.list) && instant.Add(c.list[n].At, returnsWithin) < now {
		n++
	}
	if c.list = slices.Delete(c.list, 0, n); len(c.list) == 0 {
		clear(c.lost)
	}
}

// Lost records that an allocation in a queue ended by itself, with its node, or by preemption that guarantees do not bound.
func (c *Cycles) Lost(queue string) {
	if len(c.list) == 0 {
		return
	}
	if c.lost == nil {
		c.lost = map[string]int{}
	}
	for path := bare(queue); path != ""; path = parentOf(path) {
		c.lost[path]++
	}
}

// Changed records that the queues, or the applications in them, are others now.
func (c *Cycles) Changed() { c.ever++ }

// Decided records what decisions other than preemptions say.
func (c *Cycles) Decided(d *core.Decision) {
	switch d.Type {
	case core.Release:
		if d.Reason != core.ReasonPreempted {
			c.Lost(d.Queue)
		}
	case core.ConfigAccepted, core.AppMoved:
		c.Changed()
	case core.Lapsed:
		if d.Reason != core.ReasonElsewhere {
			c.Changed()
		}
	default:
	}
}

// parentOf returns the path of the parent of a queue in shown form; root has none. Names of partitions may contain dots.
func parentOf(path string) string {
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexByte(path, ']') {
		return path[:dot]
	}
	return ""
}

// bare returns the path of a queue without its partition. What is lost is counted for all partitions together, since few have queues of one name.
func bare(path string) string { return path[strings.LastIndexByte(path, ']')+1:] }

// sideOf returns the ancestor of a queue, or the queue, below the lowest ancestor that it shares with another one. It is empty if the queues
// are the same.
func sideOf(queue, other string) string {
	if queue == other {
		return ""
	}
	side := queue
	for at := parentOf(queue); at != "" && !strings.HasPrefix(other, at+"."); at = parentOf(at) {
		side = at
	}
	return side
}

// goesRound records a preemption among the cycles.
func (l *Ledger) goesRound(d *core.Decision, p *Preemption) {
	of := Displacement{At: l.Now, Right: d.Right, Of: partyOf(p.Victim)}
	if by := p.For; by != nil {
		of.By, of.Asked, of.ByPriority, of.OfPriority = partyOf(by), by.Submitted, by.Priority, p.Victim.Priority
		of.ByTypes, of.OfTypes = l.typesOf(by), l.typesOf(p.Victim)
	}
	if l.cycles.Preempted(&of) {
		l.Totals.Cycles++
	}
}

func partyOf(a *Ask) Party { return Party{a.app.userName, a.Queue.Path, core.SeriesOf(a.app.id)} }

// typesOf returns the resource types of an ask.
func (l *Ledger) typesOf(a *Ask) (types []string) {
	for i, amount := range a.Shape.Amounts {
		if amount > 0 {
			types = append(types, l.Types[i])
		}
	}
	return types
}
