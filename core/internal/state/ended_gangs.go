package state

import (
	"github.com/quern-project/quern/core/internal/app"
)

// Ending says which units leave as a whole with a set of victims.
type Ending struct{ members map[app.Unit]int }

// Members returns how many members the unit has with which a victim leaves: the outermost of its units that ends. It is 0 if none ends.
func (e Ending) Members(v app.Ask) (n int) {
	if len(e.members) > 0 {
		for u := range v.Units {
			n = max(n, e.members[u])
		}
	}
	return n
}

// EndingGangs returns the units that end if some victims leave: those of which more than the surplus are victims.
func (s *State) EndingGangs(victims []app.Ask) Ending {
	members := map[app.Unit][]app.Ask{}
	for _, v := range victims {
		if s.LeavesAsUnit(v) {
			for u := range v.Units {
				members[u] = append(members[u], v)
			}
		}
	}
	ending := map[app.Unit]int{}
	for u, list := range members {
		if !u.Spares(list) {
			ending[u] = len(list)
		}
	}
	return Ending{ending}
}

// LeavesAsUnit reports whether an allocation is a member of a gang whose members are not preempted one by one.
func (s *State) LeavesAsUnit(v app.Ask) bool {
	return v.LeavesAsUnit() && !s.Queues().Conf(s.QueueOf(v)).GangsByMember
}

// HasElasticGangs reports whether the partition has gangs that give a largest size.
func (s *State) HasElasticGangs() (has bool) {
	for range s.orders.Elastic {
		return true
	}
	return false
}

// HasElasticSurplus reports whether some members of gangs may be preempted before others, since they are elastic surplus.
func (s *State) HasElasticSurplus() bool {
	for u := range s.orders.Elastic {
		if conf := s.Queues().Conf(QueueOfApp(u.App())); u.ElasticSurplus() > 0 && !conf.GangsByMember && !conf.KeepsSurplus {
			return true
		}
	}
	return false
}

// restartGangs makes gangs that have ended wait for being placed as a whole again. The victims include members of each.
func (s *State) restartGangs(ended Ending, victims []app.Ask) {
	for _, v := range victims {
		for u := range v.Units {
			if g := u.Gang(); !g.IsNone() && ended.members[u] > 0 {
				s.restartGang(v.App(), g)
				break
			}
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
