package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/policy"
)

// walltimeOf works out the promise of an ask from the properties of its leaf. Placeholders have no default.
func (s *State) walltimeOf(in *core.AddAsk, a app.App) asks.Walltime {
	conf := s.Queues().Conf(QueueOfApp(a)).Walltime
	w := asks.Walltime{Limit: in.Ask.Walltime, Most: time.Duration(conf.Max), Allow: conf.AllowOverrun, Least: in.Ask.MinRuntime}
	if !in.Ask.Placeholder {
		w.Limit = conf.Of(in.Ask.Walltime)
	}
	if in.Ask.Overrun != core.OverrunInQueue {
		w.Allow = in.Ask.Overrun == core.OverrunAllow
	}
	return w
}

// restoreWalltime sets the promise of an allocation that was made earlier. It is never too long.
func (s *State) restoreWalltime(ask app.Ask, in *core.RestoreAllocation) {
	w := s.walltimeOf(&in.AddAsk, ask.App())
	if in.Since != nil && *in.Since < s.now {
		w.Since, w.Backdated = *in.Since, true
	}
	s.asks.SetWalltime(ask.Slot(), w)
}

func tooLong(limit, most time.Duration) string {
	return fmt.Sprintf("the walltime is %s, and the walltime.max of the queue is %s", limit, most)
}

// mayLast reports whether an update may set its walltime. Otherwise it ignores the update.
func (s *State) mayLast(in *core.UpdateAsk, ask app.Ask) bool {
	w := ask.Walltime()
	if w.IsTooLong(in.Walltime) {
		s.ignore(in, core.ReasonWalltimeTooLong, tooLong(in.Walltime, w.Most))
		return false
	}
	return true
}

// setWalltime changes the walltime of an ask or an allocation, unless it is 0.
func (s *State) setWalltime(ask app.Ask, limit time.Duration) {
	w := ask.Walltime()
	if limit == 0 || limit == w.Limit {
		return
	}
	w.Limit = limit
	s.asks.SetWalltime(ask.Slot(), w)
	if !ask.Pending() {
		s.timeWalltime(ask)
		s.rankChanged(ask)
	} else if c := ask.Class(); c.Walltime() != s.walltimeOfClass(limit) {
		s.reclass(ask, c.Topology(), limit)
	} else if s.edit(ask.App()).WalltimeChanged(ask) {
		s.askChanged(AskUpdated, ask, app.NoNode)
	}
}

// EndOverruns asks allocations to leave whose promised end has passed, in the order of allocation. It reports whether there are any.
func (c *Shared) EndOverruns() bool {
	before := c.seq
	for _, s := range c.partitions {
		if len(s.walltimes.passed) > 0 {
			s.endOverruns()
		}
	}
	if c.seq == before {
		return false
	}
	c.judged = false // ends of one instant count together
	return true
}

func (s *State) endOverruns() {
	var list []app.Ask
	for _, p := range s.walltimes.passed {
		if s.promises(p) {
			list = append(list, s.AskAt(p.ask))
		}
	}
	s.walltimes.passed = nil
	sortByNumber(list, app.Ask.Placed)
	for _, ask := range slices.Compact(list) {
		d := s.emit(core.Exceeded)
		d.ID, d.App, d.Node, d.Reason, d.Placement = ask.ID(), ask.App().ID(), s.finder.ID(ask.Node()), s.whyEnds(ask), ask.Placed()
		s.notify(ask, replacements.TimedOut, "")
		s.memberLost(ask, core.ReasonTimeout)
		s.memberChanged(ask)
	}
	s.noteQuotas()
}

// promises reports whether a promised end still applies. An allocation that was asked to leave is not asked again.
func (s *State) promises(p promisedEnd) bool {
	v := s.asks.View()
	if number, _ := v.Placed(p.ask); number != p.number || v.Node(p.ask) == app.NoNode {
		return false
	}
	return !v.Leaving(p.ask) && !v.Walltime(p.ask).Allow && v.Ends(p.ask) == p.at
}

// timeWalltime records the promised end of an allocation.
func (s *State) timeWalltime(ask app.Ask) {
	w := ask.Walltime()
	if w.Limit == 0 && !w.Windowed || w.Allow {
		return
	}
	p := promisedEnd{ask.Ends(), ask.Slot(), ask.Placed()}
	switch {
	case p.at == instant.Never:
	case p.at <= s.now:
		s.walltimes.passed = append(s.walltimes.passed, p)
	default:
		if s.walltimes.isFull() {
			s.walltimes.compact(s.promises)
		}
		s.walltimes.push(p)
	}
}

// timeWalltimes records the promised ends of all allocations, in a state that is being made.
func (s *State) timeWalltimes() {
	s.walltimes = walltimes{}
	for ask := range s.orders.All {
		if !ask.Pending() && !ask.Leaving() {
			s.timeWalltime(ask)
		}
	}
}

// nextWalltime returns the next promised end that still applies.
func (s *State) nextWalltime() (time.Duration, bool) {
	for len(s.walltimes.heap) > 0 {
		if p := s.walltimes.heap[0]; s.promises(p) {
			return p.at, true
		}
		s.walltimes.pop()
	}
	return 0, false
}

// passWalltimes collects the promised ends that have passed. The next cycle asks their allocations to leave, after the inputs of the instant.
func (s *State) passWalltimes() {
	for at, ok := s.nextWalltime(); ok && at <= s.now; at, ok = s.nextWalltime() {
		s.walltimes.passed = append(s.walltimes.passed, s.walltimes.pop())
	}
}

// rankChanged records that an allocation has another walltime, by which a policy may rank victims.
func (s *State) rankChanged(ask app.Ask) {
	if a := s.RankPolicy(); a != nil && a.Module.Points[policy.VictimRank].Reads(policy.ColumnKind.OfWalltime) {
		s.note(UnitChanged).app = ask.App()
	}
}
