package inspect

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/internal/victim"
	"github.com/quern-project/quern/core/resource"
)

// ExplainPreemption explains which allocations a pending ask would preempt and why these, or which law prevents it. ok is false if no
// pending ask has the ID. The state is unchanged, and no policy is asked.
func (s *View) ExplainPreemption(id string) (e explain.PreemptionExplanation, ok bool) {
	ask := s.Asks().Find(id)
	if ask.IsNone() || !ask.Pending() {
		return e, false
	}
	s.walk.SortAll()
	e = s.explainPreemption(ask, true)
	e.Text = fmt.Sprintf("Ask %s of application %s in %s %s", e.ID, e.App, e.Queue, e.Text)
	for _, n := range e.Nodes {
		e.Text += " " + n.Sentence() + "."
	}
	e.Text += explain.NeverText(e.Never, restricted(ask.Class()))
	return e, true
}

// explainPreemption sets Text to a predicate, which needs the ask as its subject. Callers sort the queues first. If next is set, the
// explanation includes the second best set, for which every node is searched.
func (s *View) explainPreemption(ask app.Ask, next bool) (e explain.PreemptionExplanation) {
	leaf, tree := s.QueueOf(ask), s.Queues()
	q := s.preemption.Question(ask)
	if s.walk.Predicated(ask.Class()) || s.HasWindows() {
		q.Admits, q.Without = func(n int32) bool { return s.admitsAsKnown(ask, n) }, nil
	}
	w := preemptionExplainer{s: s, ask: ask, q: q, r: victim.Analyze(&q), e: &e}
	e = explain.PreemptionExplanation{
		ID: ask.ID(), App: ask.App().ID(), Queue: tree.Shown(leaf), Due: tree.Conf(leaf).PreemptionDelay.After(ask.Created()), Observed: s.Conf().PreemptionObserve,
	}
	if ask.Class().Node() != "" {
		e.Due = ask.Created()
	}
	if g := ask.WaitingGang(); !g.IsNone() || ask.Hold().IsClaimed() && s.ClaimOf(ask).Gang != 0 {
		w.explainGang(g)
	} else {
		w.laws()
		e.Verdict = w.verdict(next)
	}
	if e.Verdict == explain.VerdictNoVictims {
		w.closest()
		w.again()
	}
	e.Text = e.Predicate(s.Now())
	return e
}

// admitsAsKnown reports whether a node admits an ask according to the answers that its predicates have given so far, and to windows.
func (s *View) admitsAsKnown(ask app.Ask, n int32) bool {
	reason, _ := s.failsOn(ask, n)
	return reason == "" || !slices.Contains([]core.Reason{explain.NodeDraining, explain.NodeNotRequired, explain.NodeConstraint, explain.NodeWindow, explain.NodePredicate}, reason)
}

// preemptionExplainer builds the explanation for one ask.
type preemptionExplainer struct {
	s   *View
	ask app.Ask
	q   victim.Question
	r   *victim.Analysis
	e   *explain.PreemptionExplanation
}

// laws lists the guarantees and exceeded maxima of the ask's queues.
func (w *preemptionExplainer) laws() {
	for _, st := range w.r.Law4() {
		w.e.Laws = append(w.e.Laws, w.s.preemption.Finding(explain.Law4, st, st.Used < st.Bound))
	}
	for _, st := range w.r.Over() {
		if st.Queue == w.s.Queues().Root() {
			continue // the cluster is full, which the nodes show
		}
		w.e.Laws = append(w.e.Laws, w.s.preemption.Finding(explain.LawMax, st, false))
	}
}

// verdict returns the verdict for an ask that is not a gang member, and fills in its details.
func (w *preemptionExplainer) verdict(next bool) core.Reason {
	s, ask := w.s, w.ask
	switch {
	case ask.Hold().IsClaimed():
		w.waits()
		return explain.VerdictWaits
	case ask.NoPreemptOthers():
		return explain.VerdictNeverPreempts
	case ask.IsSurplus():
		return explain.VerdictSurplusAsk
	case ask.WaitsForGang():
		return explain.VerdictGang
	case !s.MayStart(ask.App()):
		return explain.VerdictBlocked
	case !ask.App().WithinLimits(ask.Class()):
		return explain.VerdictLimited
	case !w.holdsSomewhere():
		return w.nowhere()
	case w.overMax():
		w.e.Never = s.never(ask.Class(), w.q.Leaf)
		return explain.VerdictMax
	}
	set, outcome := w.findVictims()
	switch outcome {
	case victim.NotNeeded:
		return explain.VerdictNeedsNoVictims
	case victim.Found:
		w.found(set)
		if next {
			w.next(set)
		}
		return explain.VerdictPreempts
	}
	w.bars()
	return w.refusal()
}

// findVictims finds victims for a single ask: elastic surplus if that is enough, and otherwise by its other rights.
func (w *preemptionExplainer) findVictims() (*victim.Set, victim.Outcome) {
	q := w.q
	q.Thorough = true
	if w.s.preemption.MayTakeSurplus(w.ask) {
		own := q
		own.Surplus = true
		if set, outcome := w.find(own); outcome != victim.NoVictims {
			w.bySurplus()
			return set, outcome
		}
	}
	return w.find(q)
}

// bySurplus makes the rest of the explanation about the right surplus.
func (w *preemptionExplainer) bySurplus() {
	w.q.Surplus = true
	w.r = victim.Analyze(&w.q)
}

// find finds victims for a single ask: if its level is only preferred, on nodes with a domain at the level, or else at a wider one.
func (w *preemptionExplainer) find(q victim.Question) (*victim.Set, victim.Outcome) {
	anywhere, outcome, _ := w.s.preemption.DryFinder().Find(&q, resumable.Unlimited())
	if outcome != victim.Found {
		return nil, outcome
	}
	for within := w.ask.Class().Preferences(); within > 0; within-- {
		inside := q
		w.s.preemption.Restrict(&inside, within)
		if set, outcome, _ := w.s.preemption.DryFinder().Find(&inside, resumable.Unlimited()); outcome == victim.Found {
			return set, outcome
		}
	}
	return anywhere, victim.Found
}

// refusal returns the verdict if there are no victims.
func (w *preemptionExplainer) refusal() core.Reason {
	inside, beyond := w.r.Entitled()
	switch {
	case w.ask.Class().Node() != "", w.s.Queues().Conf(w.q.Leaf).IntraQueue:
		return explain.VerdictNoVictims
	case !w.q.Enabled:
		return explain.VerdictOff
	case w.r.Disabled():
		return explain.VerdictDisabled
	case !inside && beyond:
		return explain.VerdictFenced
	case !inside:
		return explain.VerdictNotEntitled
	}
	return explain.VerdictNoVictims
}

// waits lists the victims of the ask's claim that have not left yet.
func (w *preemptionExplainer) waits() {
	c := w.s.ClaimOf(w.ask)
	w.e.Node = w.s.Nodes().ID(c.Node)
	w.waitsFor(c)
	w.e.Kind = w.kind()
}

// waitsFor adds the victims of a claim that have not left yet. Those that leave with their gang may be on other nodes.
func (w *preemptionExplainer) waitsFor(c claims.Claim) {
	var victims []app.Ask
	for slot := range w.s.Departures().All {
		if d, leaves := w.s.Departures().Of(slot); leaves && d.Claim == c.Seq {
			victims = append(victims, w.s.AskAt(slot))
		}
	}
	slices.SortFunc(victims, func(a, b app.Ask) int { return cmp.Compare(a.Placed(), b.Placed()) })
	for _, v := range victims {
		d, _ := w.s.Departures().Of(v.Slot())
		w.e.Victims = append(w.e.Victims, d.Why.Victim)
	}
}

func (w *preemptionExplainer) found(set *victim.Set) {
	w.e.Node, w.e.Approximate = w.s.Nodes().ID(set.Node), set.Approximate
	ends := w.s.EndingGangs(set.Victims)
	for _, v := range set.Victims {
		w.e.Victims = append(w.e.Victims, w.s.preemption.VictimOf(w.r, w.ask, v, set.Victims, ends))
	}
	w.e.Kind = w.kind()
}

// next fills in the best set on any other node.
func (w *preemptionExplainer) next(best *victim.Set) {
	second := w.s.preemption.DryFinder().RunnerUp(&w.q, best)
	if second == nil {
		return
	}
	w.e.Next = &explain.Alternative{Node: w.s.Nodes().ID(second.Node), Worse: criterionCodes[best.DecidedBy(second)]}
	for _, v := range second.Victims {
		w.e.Next.Victims = append(w.e.Next.Victims, v.ID())
	}
}

var criterionCodes = [...]core.Reason{
	victim.Originators: explain.WorseOriginators, victim.OptedOuts: explain.WorseOptedOuts, victim.Lasting: explain.WorseLasting, victim.TopPriority: explain.WorsePriority, victim.Ended: explain.WorseGangs, victim.Rank: explain.WorseRank,
	victim.Number: explain.WorseNumber, victim.Priorities: explain.WorsePriorities, victim.Excess: explain.WorseExcess, victim.Shares: explain.WorseShares, victim.Age: explain.WorseAge,
}

// kind returns the kind of right by which the ask preempts. If its victims differ in kind, it is ByGuarantee.
func (w *preemptionExplainer) kind() explain.PreemptionKind {
	switch {
	case len(w.e.Victims) > 0 && w.e.Victims[0].Kind == explain.BySurplus:
		return explain.BySurplus
	case w.ask.Class().Node() != "":
		return explain.ByNode
	case len(w.e.Victims) > 0 && !slices.ContainsFunc(w.e.Victims, func(v explain.Victim) bool { return v.Kind != explain.ByIntraQueue }):
		return explain.ByIntraQueue
	}
	return explain.ByGuarantee
}

// holdsSomewhere reports whether some node would take the ask if it had no allocations.
func (w *preemptionExplainer) holdsSomewhere() bool {
	for n := range w.s.Nodes().Sorted().All {
		if w.s.Nodes().Schedulable(n) && w.s.Nodes().FitsEmpty(n, w.ask.Class()) && (w.q.Admits == nil || w.q.Admits(n)) {
			return true
		}
	}
	return false
}

// nowhere returns the verdict if no node would take the ask even without allocations, and fills in the causes.
func (w *preemptionExplainer) nowhere() core.Reason {
	var failed []explain.NodeCount
	drained, barred := false, false
	for n := range w.s.Nodes().Sorted().All {
		reason, detail := w.s.failsEmpty(w.ask.Class(), n)
		switch {
		case reason == "" && w.s.Nodes().Schedulable(n):
			barred = true
			if reason, detail = explain.NodeWindow, w.s.WindowAgainst(w.ask, n); detail == "" {
				reason, detail = explain.NodePredicate, w.s.predicateOn(w.ask.Class(), n)
			}
		case reason == "":
			drained, reason = true, explain.NodeDraining
		}
		failed = counted(failed, reason, detail)
	}
	w.e.Nodes, w.e.Never = sortedCounts(failed), w.s.never(w.ask.Class(), w.q.Leaf)
	if drained && !barred {
		return explain.VerdictDrained
	}
	return explain.VerdictNoNode
}

// overMax reports whether the ask alone exceeds the max of one of its queues.
func (w *preemptionExplainer) overMax() bool {
	tree := w.s.Queues()
	for q := w.q.Leaf; q != queues.None; q = tree.Parent(q) {
		for need := range w.ask.Class().Needs().All {
			if limit := tree.Max(q, need.Lane); limit != resource.Unlimited && limit < need.Min {
				return true
			}
		}
	}
	return false
}
