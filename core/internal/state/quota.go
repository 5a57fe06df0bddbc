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
	"github.com/quern-project/quern/core/internal/queue"
)

// quotas holds the queues that exceed their max and for which preemption by quota is enabled. Scheduling never exceeds a max; only a
// reload, a restored allocation or a moved application can add a queue. Other changes of usage only check the queues that are listed.
type quotas struct {
	over  []*queue.Queue // each at the index in its Over.Place
	noted []*queue.Queue // queues that noteQuotas must check

	mayBeDue bool // a round may be due; if false, none is
	known    bool // next and waits are up to date
	waits    bool // some round becomes due after now
	next     time.Duration
}

// quotaOn reports whether a queue has rounds of preemption by quota. A dynamic queue gives victims, but has no rounds of its own.
func (s *State) quotaOn(q *queue.Queue) bool {
	return s.Conf.QuotaPreemption && q.Conf.QuotaDelay > 0 && q.Parent != nil && !q.Dynamic
}

// usageGrew has noteQuotas check a queue and those above it, after their usage has grown without a check of max.
func (s *State) usageGrew(q *queue.Queue) {
	if !s.Conf.QuotaPreemption {
		return
	}
	for ; q != nil; q = q.Parent {
		if q.Over == nil && s.quotaOn(q) {
			s.quotas.noted = append(s.quotas.noted, q)
		}
	}
}

// usageChanged has noteQuotas check the queues from q to root that exceed their max, since usage has changed in q.
func (s *State) usageChanged(q *queue.Queue) {
	if len(s.quotas.over) > 0 {
		s.noteOver(q, true)
	}
}

// noteOver has noteQuotas check the queues from q to root that exceed their max. changed reports whether usage has changed; if not, a
// victim has only been asked to leave.
func (s *State) noteOver(q *queue.Queue, changed bool) {
	for ; q != nil; q = q.Parent {
		o := q.Over
		if o == nil {
			continue
		}
		o.Changed = o.Changed || changed
		if !o.Noted {
			o.Noted = true
			s.quotas.noted = append(s.quotas.noted, q)
		}
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
	clear(s.quotas.noted)
	s.quotas.noted = s.quotas.noted[:0]
}

func (s *State) noteQuota(q *queue.Queue) {
	o := q.Over
	if !s.quotaOn(q) || q.Excess(q.Max) == nil {
		s.notOver(q)
		return
	}
	switch {
	case o == nil:
		s.addOver(q, &queue.Over{Since: s.Now})
		return
	case o.Tried && o.Changed:
		o.Since, o.Tried = s.Now, false
		s.roundsChanged()
	}
	o.Noted, o.Changed = false, false
}

func (s *State) addOver(q *queue.Queue, o *queue.Over) {
	o.Place = len(s.quotas.over)
	q.Over = o
	s.quotas.over = append(s.quotas.over, q)
	s.roundsChanged()
}

func (s *State) notOver(q *queue.Queue) {
	if q.Over == nil {
		return
	}
	list, place := s.quotas.over, q.Over.Place
	last := len(list) - 1
	list[place] = list[last]
	list[place].Over.Place = place
	list[last] = nil
	s.quotas.over = list[:last]
	q.Over = nil
	s.roundsChanged()
}

// roundsChanged records that other rounds may be due, or at other times.
func (s *State) roundsChanged() { s.quotas.mayBeDue, s.quotas.known = true, false }

// recountQuotas checks every queue of a rebuilt tree.
func (s *State) recountQuotas() {
	s.quotas = quotas{}
	s.adoptOver(s.Root)
	for _, d := range s.departures {
		if q := s.ByPath[d.Quota]; q != nil {
			q.QuotaVictims++
		}
	}
}

// adoptOver adds the queues at and below q that exceeded their max, and has all of them checked.
func (s *State) adoptOver(q *queue.Queue) {
	if q.Over != nil {
		q.Over.Noted = true
		s.addOver(q, q.Over)
	}
	if q.Over != nil || s.quotaOn(q) {
		s.quotas.noted = append(s.quotas.noted, q)
	}
	for _, child := range q.Children() {
		s.adoptOver(child)
	}
}

// nextRound returns the time after now at which the next round becomes due.
func (s *State) nextRound() (at time.Duration, ok bool) {
	c := &s.quotas
	if len(c.over) == 0 {
		return 0, false
	}
	if !c.known || c.waits && c.next <= s.Now {
		c.known, c.waits = true, false
		for _, q := range c.over {
			if due := q.Conf.QuotaDelay.After(q.Over.Since); !q.Over.Tried && due > s.Now {
				c.next, c.waits = instant.Sooner(c.next, c.waits, due)
			}
		}
	}
	return c.next, c.waits
}

// advanceQuotas checks whether a round has become due.
func (s *State) advanceQuotas() {
	if c := &s.quotas; len(c.over) > 0 && (!c.known || c.waits && c.next <= s.Now) {
		s.roundsChanged()
	}
	s.noteQuotas()
}

// RoundsDue returns the queues whose delay is over, upper ones first, then by path. After a round of one, RoundDue reports whether the next
// one is still due.
func (s *State) RoundsDue() []*queue.Queue {
	if !s.quotas.mayBeDue {
		return nil
	}
	s.quotas.mayBeDue = false
	var due []*queue.Queue
	for _, q := range s.quotas.over {
		if s.RoundDue(q) {
			due = append(due, q)
		}
	}
	slices.SortFunc(due, func(a, b *queue.Queue) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.Path, b.Path))
	})
	return due
}

// RoundDue reports whether a round of a queue is due: its delay is over, and no victim of a queue above is still leaving.
func (s *State) RoundDue(q *queue.Queue) bool {
	o := q.Over
	return o != nil && !o.Tried && q.Conf.QuotaDelay.After(o.Since) <= s.Now && !q.GivesAbove()
}

// GiveBack asks the victims of a queue's round to leave, in order of allocation. If the partition only observes, it emits the decisions
// without effect. why fills in the explanation of a victim that leaves.
func (s *State) GiveBack(q *queue.Queue, victims []app.Ask, why func(v app.Ask, why *explain.VictimExplanation)) {
	s.decisions = slices.Grow(s.decisions, len(victims))
	for _, v := range victims {
		d := s.emit(core.Preemption)
		if s.Conf.PreemptionObserve {
			d.Type = core.Observed
		}
		d.ID, d.Quota, d.Node, d.Queue, d.Right, d.Placement = v.ID(), q.Path, s.Nodes.ID(v.Node()), s.QueueOf(v).Path, core.RightQuota, v.Placed()
	}
	if !s.Conf.PreemptionObserve && len(victims) > 0 {
		s.World++ // asks that exceeded the headroom are tried again
		s.leaveTogether(q, victims, why)
	}
	if q.Excess(q.Max) != nil {
		q.Over.Tried, q.Over.Changed = true, false
		s.roundsChanged()
	}
	s.noteQuotas()
}

// gaveBack records that a victim of a queue's round has left.
func (s *State) gaveBack(path string) {
	if q := s.ByPath[path]; q != nil && q.QuotaVictims > 0 {
		if q.QuotaVictims--; q.QuotaVictims == 0 {
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
	Tried bool `json:",omitempty"`
}

func (s *State) rememberQuotas() []overMemory {
	var out []overMemory
	for _, q := range s.quotas.over {
		out = append(out, overMemory{q.Path, q.Over.Since, q.Over.Tried})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Queue < out[j].Queue })
	return out
}
