package core

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/preempt"
)

// seeker is what a leaf knows of its asks that may look for victims.
type seeker struct {
	delay  time.Duration // how long an ask waits before it may; 0: none ever may, but for those with a required node
	seeks  bool          // an ask may be due; counted up the tree
	tried  []*app.Ask    // when the leaf was last walked: the first of each kind, in order; none of them found victims
	walked uint64        // the world of that walk; 0: it has to be walked
	bound  int           // pending asks with a required node
}

// met and left count the asks that wait.
func (k *seeker) met(ask *app.Ask) {
	if ask.Class.Node != "" {
		k.bound++
	}
}

func (k *seeker) left(ask *app.Ask) {
	if ask.Class.Node != "" {
		k.bound--
	}
	if slices.Contains(k.tried, ask) {
		k.walked = 0
	}
}

// waiting lists asks by arrival that wait for a delay.
type waiting struct {
	delay time.Duration
	arrivals
}

// begin starts a cycle's share of steps.
func (k *seeking) begin(s *Scheduler) {
	k.steps, k.short = s.options.SearchSteps, false
	if k.steps <= 0 {
		k.steps = defaultSearchSteps
	}
}

// await notes an ask that came: it is due at once, or after a delay, or never.
func (k *seeking) await(s *Scheduler, ask *app.Ask) {
	l := s.leaves[ask.App.Leaf.ID]
	switch {
	case ask.NoPreemptOthers:
	case ask.Class.Node != "":
		s.seekers(ask)
	case l.delay > 0:
		k.listFor(l.delay).push(ask)
	}
}

func (k *seeking) listFor(delay time.Duration) *waiting {
	for i := range k.waits {
		if k.waits[i].delay == delay {
			return &k.waits[i]
		}
	}
	k.waits = append(k.waits, waiting{delay: delay})
	return &k.waits[len(k.waits)-1]
}

// seekers notes that an ask of a leaf may be due.
func (s *Scheduler) seekers(ask *app.Ask) {
	l := s.leaves[ask.App.Leaf.ID]
	l.walked = 0
	s.seek.wake()
	if l.seeks {
		return
	}
	l.seeks = true
	for q := l.queue; q != nil; q = q.Parent {
		q.Seekers++
	}
}

// pass lets those look for victims whose delay has run out.
func (k *seeking) pass(s *Scheduler) {
	for i := range k.waits {
		w := &k.waits[i]
		for ; w.head < len(w.list); w.head++ {
			a := w.list[w.head]
			if a.ask.Seq == a.seq && a.ask.Pending() {
				if a.ask.Created+w.delay > s.now {
					break
				}
				s.seekers(a.ask)
			}
			w.list[w.head] = arrival{}
		}
		w.trim()
	}
}

// next is when the next delay runs out; now, if a search has yet to be finished.
func (k *seeking) next(now time.Duration) (at time.Duration, ok bool) {
	if k.short {
		return now, true
	}
	for i := range k.waits {
		w := &k.waits[i]
		if w.head == len(w.list) {
			continue
		}
		if came, waits := w.next(now - w.delay); waits {
			at, ok = sooner(at, ok, came+w.delay), true
		}
	}
	return at, ok
}

// relist lists pending asks by what they wait for: a reload may have changed it.
func (k *seeking) relist(s *Scheduler, pending []*app.Ask) {
	k.waits = nil
	for _, l := range s.leaves {
		if l == nil {
			continue
		}
		l.seeker = seeker{bound: l.bound}
		if preempt.MaySeek(l.queue, s.guaranteesPreempt()) {
			l.delay = l.queue.Conf.PreemptionDelay
		}
	}
	for _, ask := range pending {
		k.await(s, ask)
	}
	k.pass(s)
	k.stir()
}

// unseek notes that no ask of a leaf is due.
func (s *Scheduler) unseek(l *leaf) {
	l.seeks = false
	for q := l.queue; q != nil; q = q.Parent {
		q.Seekers--
	}
}

// mayStart reports whether an application may be allocated to, room apart.
func (s *Scheduler) mayStart(a *app.App) bool {
	return a.Eligible() && len(blockedBy(a, s.leaves[a.Leaf.ID].queue)) == 0
}

// dueOf lists an application's asks that may preempt, the first of each kind, in order.
func (s *Scheduler) dueOf(l *leaf, a *app.App) []*app.Ask {
	var list []*app.Ask
	a.Pending(func(ask *app.Ask) bool {
		if !s.due(l, ask) {
			return true
		}
		for i, x := range list {
			if x.Class == ask.Class && x.Priority == ask.Priority && x.Reserves == ask.Reserves {
				if a.Before(ask, x) {
					list[i] = ask
				}
				return true
			}
		}
		list = append(list, ask)
		return true
	})
	slices.SortFunc(list, func(x, y *app.Ask) int {
		if a.Before(x, y) {
			return -1
		}
		return 1
	})
	return list
}

// due reports whether an ask may look for victims at this time, as far as it alone is concerned.
func (s *Scheduler) due(l *leaf, ask *app.Ask) bool {
	switch {
	case ask.NoPreemptOthers, ask.Keeps != app.NoNode, ask.Observed && s.conf.PreemptionObserve:
		return false
	case ask.Class.Node != "":
		return true
	}
	return l.delay > 0 && ask.Created+l.delay <= s.now
}
