package state

import (
	"github.com/quern-project/quern/core/internal/app"
)

// Ending says which gangs leave as a whole with a set of victims.
type Ending struct{ members map[app.AtomicGang]int }

// Members returns the number of members with which a gang leaves, or 0 if it does not leave as a whole.
func (e Ending) Members(g app.AtomicGang) int { return e.members[g] }

// EndingGangs returns the gangs that end if some victims leave: those that leave as units, and of which more than the surplus are victims.
func (s *State) EndingGangs(victims []app.Ask) Ending {
	ending := map[app.AtomicGang]int{}
	for _, v := range victims {
		if s.LeavesAsUnit(v) {
			ending[v.Atomic()]++
		}
	}
	for g, members := range ending {
		if members <= g.Surplus() {
			delete(ending, g)
		}
	}
	return Ending{ending}
}

// LeavesAsUnit reports whether an allocation is a member of a gang whose members are not preempted one by one.
func (s *State) LeavesAsUnit(v app.Ask) bool {
	return v.Atomic().LeavesAsUnit() && !s.Queues().Conf(s.QueueOf(v)).GangsByMember
}

// restartGangs makes gangs that have ended wait for being placed as a whole again. The victims include members of each.
func (s *State) restartGangs(ended Ending, victims []app.Ask) {
	for _, v := range victims {
		if g := v.Atomic(); ended.Members(g) > 0 && g.Row().Placed {
			s.restartGang(v.App(), g)
		}
	}
}

// restartGang makes a gang of which no member stays wait for being placed as a whole. Its pending members were ordinary asks, and may
// have reserved or claimed a node: that ends when the next cycle goes on.
func (s *State) restartGang(a app.App, g app.AtomicGang) {
	row := s.edit(a).EditGang(g)
	if row.Broken = false; g.Need() < 1 {
		s.edit(a).ChooseRoles(g)
		return // enough members have succeeded
	}
	row.Placed, row.Whole, row.Broken, row.Restored, row.Lost, row.Since = false, false, false, false, "", s.now
	s.edit(a).ChooseRoles(g)
	s.regroup(a, g)
	s.bindLater(a, g)
	if row.Pending > 0 {
		s.timeAtomic(a, g)
	}
}

// firstAnew starts the timeout of a gang that has ended when its first new member is asked for. Members that are still leaving do not count.
func (s *State) firstAnew(ask app.Ask) {
	g := ask.Atomic()
	if row := s.edit(ask.App()).EditGang(g); !row.Placed && row.Pending == 0 && row.Members > 1 {
		row.Since = s.now
		s.timeAtomic(ask.App(), g)
	}
}

// regroup sorts the pending members of a gang in again, after it has been placed, or ended.
func (s *State) regroup(a app.App, g app.AtomicGang) {
	s.edit(a).Regroup(g)
	for _, ask := range s.PendingOf(a) {
		if ask.Atomic() == g {
			s.raiseLargest(ask)
			s.askChanged(AskUpdated, ask, app.NoNode)
		}
	}
}
