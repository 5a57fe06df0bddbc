package html

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/ledger"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/format"
)

// finding is a sentence that a reader should not miss, with the section that has the rest of it.
type finding struct {
	Level   string `json:"level"` // problem, note or good
	Text    string `json:"text"`
	Section string `json:"section"`
	// Ask and Queue are what it is about, which the playground shows; at most one is set.
	Ask   string `json:"ask,omitempty"`
	Queue string `json:"queue,omitempty"`
}

// How many sentences of a kind there are at most.
const (
	mostWaitFindings   = 4
	mostFindingsOfKind = 3
)

// findings lists what came of the run, problems first.
func (c *Collector) findings(m Meta) []finding {
	s := m.Summary
	problems := append(c.pendingFindings(), refusedFindings(s.Refused)...)
	problems = append(problems, c.starved(m)...)
	notes := c.waitFindings(s.Virtual)
	for i := range s.Gangs {
		if n := s.Gangs[i].TimedOut; n > 0 {
			problems = append(problems, finding{Level: "problem", Text: fmt.Sprintf("%s timed out.", gangsNamed(n, s.Gangs[i].Atomic)), Section: "gangs"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Faults)) {
		problems = append(problems, finding{Level: "problem", Text: fmt.Sprintf("Policy %s failed in %s.", format.Cell(name), explain.Count(s.Faults[name], "call")), Section: "ends"})
	}
	notes = append(notes, limitFindings(s.Limits)...)
	notes = append(notes, preemptionFindings(s.Totals)...)
	all := append(append([]finding{}, problems...), notes...)
	if len(problems) == 0 && s.Pending == 0 && s.Allocated > 0 {
		all = append([]finding{{Level: "good", Text: allAllocated(s.Waits()), Section: "waiting"}}, all...)
	}
	return append(all, c.busiest(m)...)
}

func allAllocated(w *ledger.Waits) string {
	if w.Max() == 0 {
		return "Every ask was allocated at once."
	}
	return "Every ask was allocated, after a wait of at most " + format.Duration(w.Max()) + "."
}

// pendingFindings tells of the asks that still wait, those alike together.
func (c *Collector) pendingFindings() (all []finding) {
	told := 0
	for _, w := range c.longest.waits {
		if w.end != stillPending || len(all) == mostWaitFindings {
			continue
		}
		n := w.all.Total()
		told += n
		text := fmt.Sprintf("%s of %s %s not allocated", asks(n), format.Cell(w.queue), one(n, "is", "are"))
		if w.length > 0 {
			text = fmt.Sprintf("%s of %s %s waited %s and %s not allocated", asks(n), format.Cell(w.queue), one(n, "has", "have"), upTo(w), one(n, "is", "are"))
		}
		all = append(all, finding{Level: "problem", Text: because(text, w.why.cause), Section: "longest", Ask: w.id})
	}
	if left := c.books.Pending - told; left > 0 && len(all) > 0 {
		all = append(all, finding{Level: "problem", Text: fmt.Sprintf("%s other %s also pending at the end.", explain.Count(left, "ask"), one(left, "is", "are")), Section: "waiting"})
	} else if left > 0 {
		all = append(all, finding{Level: "problem", Text: fmt.Sprintf("%s %s pending at the end.", asks(left), one(left, "is", "are")), Section: "waiting"})
	}
	return all
}

// waitFindings tells of long waits that came to an end. Waits of less than a hundredth of the run are not worth a sentence.
func (c *Collector) waitFindings(span time.Duration) (all []finding) {
	for _, w := range c.longest.waits {
		if w.end == stillPending || len(all) == mostFindingsOfKind || w.length < span/100 {
			continue
		}
		n := w.long()
		text := fmt.Sprintf("%s of %s waited %s before %s %s", asks(n), format.Cell(w.queue), upTo(w), one(n, "it was", "they were"), w.end)
		all = append(all, finding{Level: "note", Text: because(text, w.why.cause), Section: "longest", Ask: w.id})
	}
	return all
}

func because(text, cause string) string {
	if cause == "" {
		return text + "."
	}
	return text + ": " + format.Line(cause) + "."
}

func upTo(w *wait) string {
	if w.all.Total() > 1 {
		return "up to " + format.Duration(w.length)
	}
	return format.Duration(w.length)
}

func asks(n int) string {
	return format.Grouped(n) + strings.TrimPrefix(explain.Count(n, "ask"), fmt.Sprint(n))
}

func one(n int, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

func gangsNamed(n int, atomic bool) string {
	if atomic {
		return explain.Count(n, "atomic gang")
	}
	return explain.Count(n, "gang") + " by placeholders"
}

// refusedNames are the things that were refused.
var refusedNames = map[core.DecisionType][2]string{
	core.NodeRejected: {"node was rejected", "nodes were rejected"}, core.AppRejected: {"application was rejected", "applications were rejected"},
	core.AskRejected: {"ask was rejected", "asks were rejected"}, core.Ignored: {"input was ignored", "inputs were ignored"},
}

func refusedFindings(list []ledger.Outcome) (all []finding) {
	for _, o := range list[:min(len(list), 2*mostFindingsOfKind)] {
		names := refusedNames[o.Type]
		text := fmt.Sprintf("%s %s: %s, for example %s.", format.Grouped(o.Count), one(o.Count, names[0], names[1]), o.Reason, format.Cell(o.Example))
		f := finding{Level: "problem", Text: text, Section: "refused"}
		if o.Type == core.AskRejected {
			f.Ask = o.Example
		}
		all = append(all, f)
	}
	return all
}

// starved tells of leaf queues that end below their guarantee while their asks wait.
func (c *Collector) starved(m Meta) (all []finding) {
	for i := range m.State.Queues {
		q := &m.State.Queues[i]
		if !q.Leaf || q.PendingAsks == 0 || len(all) == mostFindingsOfKind {
			continue
		}
		for _, g := range q.Guaranteed {
			used, _ := q.Used.Value(g.Type)
			wanted, _ := q.Pending.Value(g.Type)
			if used < g.Value && wanted > 0 {
				all = append(all, finding{Level: "problem", Text: fmt.Sprintf("Queue %s uses %s of %s guaranteed at the end, and %s %s.", format.Cell(core.ShownPath(q.Partition, q.Path)),
					resource.Readable(g.Type, used), g.Readable(), asks(q.PendingAsks), one(q.PendingAsks, "waits", "wait")), Section: "queues", Queue: core.ShownPath(q.Partition, q.Path)})
				break
			}
		}
	}
	return all
}

func limitFindings(list []ledger.LimitPeak) []finding {
	reached := 0
	for _, l := range list {
		if l.Share >= resource.ShareUnit {
			reached++
		}
	}
	if reached == 0 {
		return nil
	}
	first := list[0]
	kind := one(b2i(first.Group)+1, "user ", "group ")
	return []finding{{Level: "note", Text: fmt.Sprintf("%d of %s in use %s reached, for example that of %s in %s.", reached, explain.Count(len(list), "limit"),
		one(reached, "was", "were"), kind+format.Cell(first.Name), format.Cell(first.Queue)), Section: "limits", Queue: first.Queue}}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return format.Grouped(n) + " times"
}

func preemptionFindings(t ledger.Totals) (all []finding) {
	names := []struct {
		kind explain.PreemptionKind
		text string
	}{{explain.ByGuarantee, "for a guarantee"}, {explain.ByIntraQueue, "within a queue"}, {explain.ByNode, "for a required node"}, {explain.ByQuota, "by quota"},
		{explain.BySurplus, "of the surplus of gangs"}}
	var parts []string
	for _, n := range names {
		if t.Kinds[n.kind] > 0 {
			parts = append(parts, format.Grouped(t.Kinds[n.kind])+" "+n.text)
		}
	}
	if t.Preempted > 0 {
		all = append(all, finding{Level: "note", Text: fmt.Sprintf("%s allocation%s preempted: %s.", format.Grouped(t.Preempted), one(t.Preempted, " was", "s were"), strings.Join(parts, ", ")), Section: "preemptions"})
	}
	if t.Cycles > 0 {
		all = append(all, finding{Level: "warning", Text: fmt.Sprintf("Preemption went round %s: an application that was preempted asked again, and preempted within an hour what had displaced it.",
			times(t.Cycles)), Section: "preemptions"})
	}
	return all
}

// busiest tells how much of the cluster was used, of the type that was used most.
func (c *Collector) busiest(m Meta) []finding {
	if m.Summary.Usage == nil || len(m.Summary.Usage.Types) == 0 {
		return nil
	}
	most := m.Summary.Usage.Types[0]
	for _, t := range m.Summary.Usage.Types {
		if t.Capacity > 0 && t.Share > most.Share {
			most = t
		}
	}
	if most.Peak == 0 {
		return nil
	}
	percent := func(share int64) string { return fmt.Sprintf("%d %%", share/(resource.ShareUnit/100)) }
	if m.End <= m.Start {
		return []finding{{Level: "note", Text: fmt.Sprintf("%s of the %s was in use.", percent(most.PeakShare), most.Name), Section: "cluster"}}
	}
	return []finding{{Level: "note", Text: fmt.Sprintf("%s was used most: %s of the capacity on average, %s at the peak.", most.Name, percent(most.Share), percent(most.PeakShare)), Section: "cluster"}}
}
