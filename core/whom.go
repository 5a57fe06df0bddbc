package core

import (
	"fmt"
	"math"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/preempt"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// victimsOf says of each victim of a choice who takes it and by what right.
func (s *Scheduler) victimsOf(ask *app.Ask, set *preempt.Set) []VictimExplanation {
	q := s.question(ask)
	r := preempt.Read(&q)
	var all []VictimExplanation
	for i, v := range set.Victims {
		e := VictimExplanation{
			Victim: s.victimOf(r, ask, v, set.Victims), For: ask.ID, ForApp: ask.App.ID, ForQueue: s.queueOf(ask).Path, Node: set.Node.ID, At: s.now,
		}
		for j, other := range set.Victims {
			if i != j {
				e.With = append(e.With, other.ID)
			}
		}
		if e.Kind == ByGuarantee {
			e.Entitled = s.entitledBelow(r, e.Common)
		}
		all = append(all, e)
	}
	return all
}

// entitledBelow lists what law 4 saw below the queue where victim and ask meet.
func (s *Scheduler) entitledBelow(r *preempt.Reading, common string) []Finding {
	var list []Finding
	for _, st := range r.Law4() {
		if st.Queue.Path == common {
			break
		}
		list = append(list, s.finding(Law4, st, st.Used < st.Bound))
	}
	return list
}

func (s *Scheduler) finding(law Reason, st preempt.Stand, holds bool) Finding {
	return Finding{law, st.Queue.Path, s.types.Name(st.Lane), st.Used, st.Bound, holds}
}

// victimOf says by what right an ask takes an allocation, one of a set.
func (s *Scheduler) victimOf(r *preempt.Reading, ask, v *app.Ask, set []*app.Ask) Victim {
	p, q := s.queueOf(ask), s.queueOf(v)
	meet := queue.Meet(p, q)
	e := Victim{
		ID: v.ID, App: v.App.ID, Queue: q.Path, Priority: v.Priority, Kind: ByGuarantee, Originator: v.Originator, OptedOut: v.NotPreemptable,
		Common: meet.Path, Seen: q.SeenBy(meet, v.Priority), ForSeen: p.SeenBy(meet, ask.Priority),
	}
	switch {
	case ask.Class.Node != "":
		e.Kind, e.Seen, e.ForSeen = ByNode, v.Priority, ask.Priority
	case p == q:
		e.Kind = ByIntraQueue
	default:
		for _, st := range r.Guards(v, q) {
			for _, other := range set {
				if within(s.queueOf(other), st.Queue) {
					st.Used = resource.Sub(st.Used, other.Class.Demand[st.Lane])
				}
			}
			e.Over = append(e.Over, s.finding(Law5, st, st.Used >= st.Bound))
		}
	}
	return e
}

// ExplainPreemption says whom a pending ask would take, and why these, or which law keeps it from it; ok is false when
// no pending ask has the ID. Nothing is touched, and no policy is asked.
func (s *Scheduler) ExplainPreemption(id string) (e PreemptionExplanation, ok bool) {
	ask := s.asks[id]
	if ask == nil || !ask.Pending() {
		return e, false
	}
	s.look()
	e = s.explainPreemption(ask, true)
	e.Text = fmt.Sprintf("Ask %s of application %s in %s %s", e.ID, e.App, e.Queue, e.Text)
	for _, n := range e.Nodes {
		e.Text += " " + n.sentence() + "."
	}
	e.Text += neverText(e.Never, ask.Class)
	return e, true
}

// explainPreemption leaves a text that follows the ask's name. The orders are as the caller wants them looked at. With
// next it says what comes second, for which every node is looked at.
func (s *Scheduler) explainPreemption(ask *app.Ask, next bool) (e PreemptionExplanation) {
	l := s.leaves[ask.App.Leaf.ID]
	q := s.question(ask)
	if s.decided(ask.Class) {
		q.Admits = func(n *node.Node) bool { return s.admitsAsKnown(ask, n) }
	}
	w := whom{s: s, ask: ask, q: q, r: preempt.Read(&q), e: &e}
	e = PreemptionExplanation{
		ID: ask.ID, App: ask.App.ID, Queue: l.queue.Path, Due: ask.Created + l.queue.Conf.PreemptionDelay, Observed: s.conf.PreemptionObserve,
	}
	if ask.Class.Node != "" {
		e.Due = ask.Created
	}
	w.laws()
	e.Verdict = w.verdict(next)
	if e.Verdict == VerdictNoVictims {
		w.closest()
	}
	e.Text = e.predicate(s.now)
	return e
}

// admitsAsKnown reports whether a node admits an ask as far as its predicates have been asked.
func (s *Scheduler) admitsAsKnown(ask *app.Ask, n *node.Node) bool {
	reason, _ := s.failsOn(ask, n)
	return reason == "" || !slices.Contains([]Reason{NodeDraining, NodeNotRequired, NodeConstraint, NodePredicate}, reason)
}

// whom works out one explanation.
type whom struct {
	s   *Scheduler
	ask *app.Ask
	q   preempt.Question
	r   *preempt.Reading
	e   *PreemptionExplanation
}

// laws lists how the ask's own queues stand.
func (w *whom) laws() {
	for _, st := range w.r.Law4() {
		w.e.Laws = append(w.e.Laws, w.s.finding(Law4, st, st.Used < st.Bound))
	}
	for _, st := range w.r.Over() {
		if st.Queue.Parent == nil {
			continue // the cluster is full, as the nodes say
		}
		w.e.Laws = append(w.e.Laws, w.s.finding(LawMax, st, false))
	}
}

// verdict finds out how it stands with the ask.
func (w *whom) verdict(next bool) Reason {
	s, ask := w.s, w.ask
	switch {
	case ask.Keeps != app.NoNode:
		w.waits()
		return VerdictWaits
	case ask.NoPreemptOthers:
		return VerdictRefuses
	case !s.mayStart(ask.App):
		return VerdictBlocked
	case !w.holdsSomewhere():
		return w.nowhere()
	case w.overMax():
		w.e.Never = s.never(ask.Class, w.q.Leaf)
		return VerdictMax
	}
	q := w.q
	q.Thorough = true
	set, outcome, _ := s.finder.Find(&q, math.MaxInt)
	switch outcome {
	case preempt.NeedsNobody:
		return VerdictNeedsNobody
	case preempt.Found:
		w.found(set)
		if next {
			w.next(set)
		}
		return VerdictPreempts
	}
	w.bars()
	return w.refusal()
}

// refusal is why nobody gives way.
func (w *whom) refusal() Reason {
	inside, beyond := w.r.Entitled()
	switch {
	case w.ask.Class.Node != "", w.s.queueOf(w.ask).Conf.IntraQueue:
		return VerdictNoVictims
	case !w.q.Enabled:
		return VerdictOff
	case w.r.Disabled():
		return VerdictDisabled
	case !inside && beyond:
		return VerdictFenced
	case !inside:
		return VerdictNotEntitled
	}
	return VerdictNoVictims
}

// waits lists who has yet to leave for the ask.
func (w *whom) waits() {
	n := w.s.nodes.At(w.ask.Keeps)
	w.e.Node = n.ID
	seq := w.s.local[n.Slot].claim.seq
	for v := w.s.local[n.Slot].placed.First; v != nil; v = v.Next(app.OnNode) {
		if v.Leaving && w.s.leaving[v].Claim == seq {
			w.e.Victims = append(w.e.Victims, w.s.leaving[v].Why.Victim)
		}
	}
	w.e.Kind = w.kind()
}

func (w *whom) found(set *preempt.Set) {
	w.e.Node, w.e.Approximate = set.Node.ID, set.Approximate
	for _, v := range set.Victims {
		w.e.Victims = append(w.e.Victims, w.s.victimOf(w.r, w.ask, v, set.Victims))
	}
	w.e.Kind = w.kind()
}

// next finds what would be taken if the node of the best set were not there.
func (w *whom) next(best *preempt.Set) {
	second := w.s.finder.Second(&w.q, best)
	if second == nil {
		return
	}
	w.e.Next = &Alternative{Node: second.Node.ID, Worse: criterionCodes[best.Tells(second)]}
	for _, v := range second.Victims {
		w.e.Next.Victims = append(w.e.Next.Victims, v.ID)
	}
}

var criterionCodes = [...]Reason{
	preempt.Originators: WorseOriginators, preempt.OptedOuts: WorseOptedOuts, preempt.TopPriority: WorsePriority, preempt.Rank: WorseRank,
	preempt.Number: WorseNumber, preempt.Priorities: WorsePriorities, preempt.Excess: WorseExcess, preempt.Age: WorseAge,
}

// kind is by what right the ask takes its victims: where it goes by several, by its guarantee.
func (w *whom) kind() PreemptionKind {
	switch {
	case w.ask.Class.Node != "":
		return ByNode
	case len(w.e.Victims) > 0 && !slices.ContainsFunc(w.e.Victims, func(v Victim) bool { return v.Kind != ByIntraQueue }):
		return ByIntraQueue
	}
	return ByGuarantee
}

// holdsSomewhere reports whether some node would take the ask if nothing were allocated there.
func (w *whom) holdsSomewhere() bool {
	for _, n := range w.s.nodes.Sorted() {
		if n.Schedulable && n.Holds(w.ask.Class) && (w.q.Admits == nil || w.q.Admits(n)) {
			return true
		}
	}
	return false
}

// nowhere tells why no node would take the ask even if nothing were allocated there.
func (w *whom) nowhere() Reason {
	failed := map[NodeCount]int{}
	drained, barred := false, false
	for _, n := range w.s.nodes.Sorted() {
		reason, detail := w.s.failsEmpty(w.ask.Class, n)
		switch {
		case reason == "" && n.Schedulable:
			barred = true
			reason, detail = NodePredicate, w.s.predicateOn(w.ask.Class, n)
		case reason == "":
			drained, reason = true, NodeDraining
		}
		failed[NodeCount{Reason: reason, Detail: detail}]++
	}
	w.e.Nodes, w.e.Never = sortedCounts(failed), w.s.never(w.ask.Class, w.q.Leaf)
	if drained && !barred {
		return VerdictDrained
	}
	return VerdictNoNode
}

// overMax reports whether the ask alone is above the max of a queue on its way.
func (w *whom) overMax() bool {
	for q := w.q.Leaf; q != nil; q = q.Parent {
		for _, need := range w.ask.Class.Needs {
			if limit := q.Max[need.Lane]; limit != resource.Unlimited && limit < need.Min {
				return true
			}
		}
	}
	return false
}
