package schedule

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/plan"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// startShape identifies asks that find the same starts on the same nodes.
type startShape struct {
	class    class.Class
	walltime time.Duration
}

// nodeStart is the earliest start of a shape on a node that is known, from an instant on.
type nodeStart struct {
	at      time.Duration
	version uint32 // of the node's room; 0: nothing is known
}

// emptyFit says whether some node would have room for a class if it were empty.
type emptyFit struct {
	opened uint64
	fits   bool
}

// fitsSomeEmpty reports whether an ask would fit a node without allocations.
func (s *Walk) fitsSomeEmpty(ask app.Ask) bool {
	p, c := &s.planning, ask.Class()
	if e, known := p.empties[c]; known && e.opened == p.opened {
		return e.fits
	}
	e := emptyFit{opened: p.opened}
	for n := range s.state.Nodes().Sorted().All {
		if s.state.Nodes().Schedulable(n) && s.state.Nodes().FitsEmpty(n, c) && s.state.Nodes().Admits(c, n) {
			e.fits = true
			break
		}
	}
	s.progress.Spend(s.state.Nodes().Len())
	p.empties[c] = e
	return e.fits
}

// sharedRooms yields the profiles of the queues and limits that an ask shares with others.
func (s *Walk) sharedRooms(ask app.Ask, yield func(*plan.Profile) bool) {
	tree := s.state.Queues()
	for q := s.state.QueueOf(ask); q != queues.None; q = tree.Parent(q) {
		if tree.Parent(q) == queues.None && len(s.planning.overNodes) == 0 {
			break // nodes with room leave the total room too
		}
		if r := s.queueRoom(q); r != nil && !yield(r) {
			return
		}
	}
	if ask.App().Limits().IsNone() {
		return
	}
	for t := range ask.App().Limits().Trackers().All {
		if !yield(s.roomAtLimit(t)) {
			return
		}
	}
}

// fitsShared reports whether queues and limits have room for an ask from an instant on for its whole walltime.
func (s *Walk) fitsShared(ask app.Ask, at time.Duration) bool {
	fits, needs := true, ask.Class().Needs()
	s.sharedRooms(ask, func(r *plan.Profile) bool {
		fits = r.Fits(needs, at, planEnd(ask, at))
		return fits
	})
	return fits
}

// nextShared returns the first instant, from an instant on, at which fitsShared holds, or instant.Never.
func (s *Walk) nextShared(ask app.Ask, at time.Duration) time.Duration {
	for {
		from, needs, walltime := at, ask.Class().Needs(), ask.Walltime().Limit
		s.sharedRooms(ask, func(r *plan.Profile) bool {
			at = r.Next(needs, at, walltime)
			return at != instant.Never
		})
		if at == from || at == instant.Never {
			return at
		}
	}
}

// fitsNode reports whether a node has room for an ask from an instant on for its whole walltime.
func (s *Walk) fitsNode(ask app.Ask, n int32, at time.Duration) bool {
	r := s.room(n)
	if !r.usable || at < r.closed && !s.ignoresKeeping(ask, n, r) || !r.Fits(ask.Class().Needs(), at, planEnd(ask, at)) {
		return false
	}
	_, may := s.state.PromiseOn(ask, n, at)
	return may
}

// ignoresKeeping reports whether an ask may use a node that is kept for another one.
func (s *Walk) ignoresKeeping(ask app.Ask, n int32, r *nodeRoom) bool {
	return !r.claimed && s.mayTake(ask, n)
}

// nextOnNode returns the first instant, from an instant on, at which fitsNode holds, or instant.Never.
func (s *Walk) nextOnNode(ask app.Ask, n int32, at time.Duration) time.Duration {
	r := s.room(n)
	if !r.usable || !s.state.Nodes().FitsEmpty(n, ask.Class()) || !s.state.Nodes().Admits(ask.Class(), n) {
		return instant.Never
	}
	if at < r.closed && !s.ignoresKeeping(ask, n, r) {
		at = r.closed
	}
	if at == instant.Never {
		return at
	}
	s.progress.Spend(1 + r.Steps()/4)
	for last := s.state.Conf().Backfill.Horizon.After(s.state.Now()); ; {
		at = r.Next(ask.Class().Needs(), at, ask.Walltime().Limit)
		if at > last || at == instant.Never {
			return at // nothing is planned then
		}
		if _, may := s.state.PromiseOn(ask, n, at); may {
			return at
		}
		at = s.nextWindowEnd(n, at)
		s.progress.Spend(1)
	}
}

// nextWindowEnd returns the first end of a window of a node after an instant.
func (s *Walk) nextWindowEnd(n int32, after time.Duration) time.Duration {
	end, windows := instant.Never, s.state.Windows()
	for i := range windows.On(n).All {
		if _, until := windows.At(int(i)).Occurrence(after); until > after {
			end = min(end, until)
		}
	}
	return end
}

// earliestAlone returns the first instant within the horizon at which an ask can start, and the first node in order on which it can.
func (s *Walk) earliestAlone(ask app.Ask) (start time.Duration, n int32) {
	now := s.state.Now()
	horizon := s.state.Conf().Backfill.Horizon.After(now)
	for at := s.nextShared(ask, now); at <= horizon && at != instant.Never; at = s.nextShared(ask, at) {
		next, n := s.firstNode(ask, at)
		switch {
		case next > horizon || next == instant.Never:
			return instant.Never, app.NoNode
		case s.fitsShared(ask, next):
			return next, n
		}
		at = next
	}
	return instant.Never, app.NoNode
}

// firstNode returns the first instant, from an instant on, at which some node has room for an ask, and the first such node in order.
func (s *Walk) firstNode(ask app.Ask, from time.Duration) (start time.Duration, n int32) {
	p, nodes := &s.planning, s.state.Nodes()
	known := p.startsOf(startShape{ask.Class(), ask.Walltime().Limit}, nodes.Slots())
	s.progress.Spend(1 + nodes.Len()/8)
	start, n = instant.Never, app.NoNode
	reuse := len(p.lifted) == 0 && s.state.Reservations().Len() == 0
	var ties []int32
	for slot := range nodes.Sorted().All {
		x := &known[slot]
		r := s.room(slot)
		at := x.at
		if windowed := s.state.Nodes().Hold(slot).IsWindowed(); x.version != r.version || at < from || !reuse || windowed {
			at = s.nextOnNode(ask, slot, from)
			if x.at, x.version = at, r.version; !reuse || windowed || from > s.state.Now() {
				x.version = 0
			}
		}
		switch {
		case at < start:
			start, ties = at, append(ties[:0], slot)
		case at == start && at != instant.Never:
			ties = append(ties, slot)
		}
	}
	if len(ties) == 0 {
		return instant.Never, app.NoNode
	}
	return start, s.firstInOrder(ask, ties)
}

// startsOf returns what is known of a shape's starts, by node.
func (p *planning) startsOf(x startShape, slots int) []nodeStart {
	if len(p.starts) > mostShapes {
		clear(p.starts)
	}
	list := p.starts[x]
	if len(list) < slots {
		list = append(list, make([]nodeStart, slots-len(list))...)
		p.starts[x] = list
	}
	return list
}

// mostShapes is the number of shapes whose starts are remembered.
const mostShapes = 512

// firstInOrder returns the node that comes first now, among nodes that are listed by ID.
func (s *Walk) firstInOrder(ask app.Ask, list []int32) int32 {
	if len(list) == 1 {
		return list[0]
	}
	scores, best, most := s.state.Nodes().Scores(ask.Class()), app.NoNode, int64(0)
	for _, n := range list {
		score, known := scores.Of(n)
		if !known {
			score = minScore
		}
		if best == app.NoNode || score > most {
			best, most = n, score
		}
	}
	return best
}

// minScore is the score of a node about which the policy has not been asked.
const minScore = -1 << 63
