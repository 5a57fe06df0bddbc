package state

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// quotas holds when rounds of preemption by quota become due. The owner of queues records which of them exceed their max while preemption
// by quota is enabled for them. Scheduling never exceeds a max; only a reload, a restored allocation or a moved application can add a
// queue. Other changes of usage only check the queues that are recorded.
type quotas struct {
	noted []queues.ID // queues that noteQuotas must check

	mayBeDue bool // a round may be due; if false, none is
	known    bool // next and waits are up to date
	waits    bool // some round becomes due after now
	next     time.Duration
}

// quotaOn reports whether a queue has rounds of preemption by quota. A dynamic queue gives victims, but has no rounds of its own.
func (s *State) quotaOn(q queues.ID) bool {
	tree := s.Queues()
	return s.conf.QuotaPreemption && tree.Conf(q).QuotaDelay > 0 && tree.Parent(q) != queues.None && !tree.IsDynamic(q)
}

// usageGrew has noteQuotas check a queue and those above it, after their usage has grown without a check of max.
func (s *State) usageGrew(q queues.ID) {
	if !s.conf.QuotaPreemption {
		return
	}
	for tree := s.Queues(); q != queues.None; q = tree.Parent(q) {
		if _, over := tree.Over(q); !over && s.quotaOn(q) {
			s.quotas.noted = append(s.quotas.noted, q)
		}
	}
}

// usageChanged has noteQuotas check the queues from q to root that exceed their max, since usage has changed in q.
func (s *State) usageChanged(q queues.ID) {
	if s.Queues().NumOver() > 0 {
		s.noteOver(q, true)
	}
}

// noteOver has noteQuotas check the queues from q to root that exceed their max. changed reports whether usage has changed; if not, a
// victim has only been asked to leave.
func (s *State) noteOver(q queues.ID, changed bool) {
	for tree := s.Queues(); q != queues.None; q = tree.Parent(q) {
		o, over := tree.Over(q)
		if !over {
			continue
		}
		if !o.Noted {
			s.quotas.noted = append(s.quotas.noted, q)
		}
		o.Changed, o.Noted = o.Changed || changed, true
		s.queues.SetOver(q, o)
	}
}

// noteQuotas checks the queues in which something has changed. Callers call
// it after related changes, so that only their combined effect counts.
func (s *State) noteQuotas() {
	if len(s.quotas.noted) > 0 {
		s.judgeNoted()
	}
}

func (s *State) judgeNoted() {
	for _, q := range s.quotas.noted {
		s.noteQuota(q)
	}
	s.quotas.noted = s.quotas.noted[:0]
}

func (s *State) noteQuota(q queues.ID) {
	o, over := s.Queues().Over(q)
	switch {
	case !s.quotaOn(q) || s.Queues().Excess(q) == nil:
		if over {
			s.queues.EndOver(q)
			s.roundsChanged()
		}
		return
	case !over:
		s.addOver(q, queues.Over{Since: s.now})
		return
	case o.Tried && o.Changed:
		o.Since, o.Tried, o.Again = s.now, false, 0
		s.roundsChanged()
	}
	o.Noted, o.Changed = false, false
	s.queues.SetOver(q, o)
}

func (s *State) addOver(q queues.ID, o queues.Over) {
	s.queues.SetOver(q, o)
	s.roundsChanged()
}

// roundsChanged records that other rounds may be due, or at other times.
func (s *State) roundsChanged() { s.quotas.mayBeDue, s.quotas.known = true, false }

// recountQuotas checks every queue of a rebuilt tree.
func (s *State) recountQuotas() {
	s.quotas = quotas{}
	s.adoptOver(s.Queues().Root())
	for slot := range s.Departures().All {
		d, _ := s.Departures().Of(slot)
		if q := s.Queues().Find(d.Quota); q != queues.None {
			s.queues.AddQuotaVictims(q, 1)
		}
	}
}

// adoptOver adds the queues at and below q that exceeded their max, and has all of them checked.
func (s *State) adoptOver(q queues.ID) {
	o, over := s.Queues().Over(q)
	if over {
		o.Noted = true
		s.addOver(q, o)
	}
	if over || s.quotaOn(q) {
		s.quotas.noted = append(s.quotas.noted, q)
	}
	for child := range s.Queues().Children(q) {
		s.adoptOver(child)
	}
}

// nextRound returns the time after now at which the next round becomes due.
func (s *State) nextRound() (at time.Duration, ok bool) {
	c, tree := &s.quotas, s.Queues()
	if tree.NumOver() == 0 {
		return 0, false
	}
	if !c.known || c.waits && c.next <= s.now {
		c.known, c.waits = true, false
		for q, o := range tree.AllOver {
			if due := s.roundAt(q, o); due > s.now {
				c.next, c.waits = instant.Sooner(c.next, c.waits, due)
			}
		}
	}
	return c.next, c.waits
}

// roundAt returns when the next round of a queue is due, or instant.Never.
func (s *State) roundAt(q queues.ID, o queues.Over) time.Duration {
	switch {
	case !o.Tried:
		return s.Queues().Conf(q).QuotaDelay.After(o.Since)
	case o.Again > 0:
		return o.Again
	}
	return instant.Never
}

// advanceQuotas checks whether a round has become due.
func (s *State) advanceQuotas() {
	if c := &s.quotas; s.Queues().NumOver() > 0 && (!c.known || c.waits && c.next <= s.now) {
		s.roundsChanged()
	}
	s.noteQuotas()
}

// RoundsDue returns the queues whose delay is over, upper ones first, then by path. After a round of one, RoundDue reports whether the next
// one is still due.
func (s *State) RoundsDue() []queues.ID {
	if !s.quotas.mayBeDue {
		return nil
	}
	s.quotas.mayBeDue = false
	var due []queues.ID
	tree := s.Queues()
	for q := range tree.AllOver {
		if s.RoundDue(q) {
			due = append(due, q)
		}
	}
	slices.SortFunc(due, func(a, b queues.ID) int {
		return cmp.Or(cmp.Compare(tree.Depth(a), tree.Depth(b)), strings.Compare(tree.Path(a), tree.Path(b)))
	})
	return due
}

// RoundDue reports whether a round of a queue is due: its delay is over, and no victim of a queue above is still leaving.
func (s *State) RoundDue(q queues.ID) bool {
	tree := s.Queues()
	o, over := tree.Over(q)
	return over && s.roundAt(q, o) <= s.now && !tree.GivesAbove(q)
}

// ReleaseExcess asks the victims of a queue's round to leave, in order of allocation. If the partition only observes, it emits the decisions
// without effect. why fills in the explanation of a victim that leaves.
func (s *State) ReleaseExcess(q queues.ID, victims []app.Ask, why func(v app.Ask, why *explain.VictimExplanation)) {
	tree := s.Queues()
	s.decisions = slices.Grow(s.decisions, len(victims))
	ending := s.EndingGangs(victims)
	for _, v := range victims {
		d := s.emit(core.Preemption)
		if s.conf.PreemptionObserve {
			d.Type = core.Observed
		}
		d.ID, d.Quota, d.Node, d.Queue, d.Right, d.Placement = v.ID(), tree.Path(q), s.finder.ID(v.Node()), tree.Path(s.QueueOf(v)), core.RightQuota, v.Placed()
		nameGang(d, v, ending)
	}
	if !s.conf.PreemptionObserve && len(victims) > 0 {
		s.shrinkEpoch++ // asks that exceeded the headroom are tried again
		s.spendBudgets(victims)
		s.countPreempted(victims)
		s.leaveTogether(q, victims, why)
		s.restartGangs(ending, victims)
	}
	if tree.Excess(q) != nil {
		o, _ := tree.Over(q)
		o.Tried, o.Changed, o.Again = true, false, s.nextSpared(q)
		s.queues.SetOver(q, o)
		s.roundsChanged()
	}
	s.noteQuotas()
}

// gaveBack records that a victim of a queue's round has left.
func (s *State) gaveBack(path string) {
	if q := s.Queues().Find(path); q != queues.None && s.Queues().QuotaVictims(q) > 0 {
		if s.queues.AddQuotaVictims(q, -1); s.Queues().QuotaVictims(q) == 0 {
			s.roundsChanged() // queues below may have rounds now
		}
	}
}

// EndCycle applies the consequences of a cycle.
func (s *State) EndCycle() { s.noteQuotas() }

// overMemory describes a queue that exceeds its max.
type overMemory struct {
	Queue string
	Since time.Duration
	Tried bool          `json:",omitempty"`
	Again time.Duration `json:",omitempty"`
}

func (s *State) rememberQuotas() []overMemory {
	var out []overMemory
	for q, o := range s.Queues().AllOver {
		out = append(out, overMemory{s.Queues().Path(q), o.Since, o.Tried, o.Again})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Queue < out[j].Queue })
	return out
}
