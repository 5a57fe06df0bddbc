package rpc

import (
	"sort"
	"time"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// defaultEvery is the work between two marks.
const defaultEvery = 1000

// maxMarks bounds the estimated bytes of all marks of a session.
const maxMarks = 48 << 20

// changedBytes is how much memory one input or decision adds to the next version at most: 110 to 190 bytes in the demo's day and in
// generated runs, more if they change random rows of many.
const changedBytes = 1 << 10

// mark is a place to go back to: everything that a session needs to continue from there, except its journal and its log.
type mark struct {
	work   int // done before it
	seq    uint64
	offset int // of the log
	next   int // line of the journal
	clock  time.Duration
	player *journal.Saved
	state  *scheduler.Frozen
	own    int // estimated bytes of the pages that it does not share with the mark before
}

func (m *mark) size() int { return m.own + m.player.Size() }

// setOwn estimates the pages of its own: those that changed in so much work, but at most all of them.
func (m *mark) setOwn(changed int) { m.own = min(changed, m.state.Size()) }

// marks are those of a session, in order of work. The start needs none.
type marks struct {
	list  []mark
	every int // work between two of them, at least
	bytes int
}

// work is the number of inputs, decisions and ended allocations up to the present. It only grows on the way ahead.
func (s *session) work() int {
	r := s.player.Result()
	return r.Inputs + r.Decisions + r.Ended
}

// mark adds a mark at the present if the last one before it is far enough behind, and no search is unfinished.
func (s *session) mark() {
	m := &s.marks
	work := s.work()
	i := sort.Search(len(m.list), func(i int) bool { return m.list[i].work > work })
	last := 0
	if i > 0 {
		last = m.list[i-1].work
	}
	if work-last < m.every || s.inputs.served > 0 {
		return
	}
	frozen, err := s.scheduler.Freeze()
	if err != nil {
		return // the next step tries again
	}
	made := mark{work: work, seq: s.log.seq, offset: s.log.offset, next: s.inputs.next, clock: s.clock, player: s.player.Save(), state: frozen}
	made.setOwn(changedBytes * (work - last))
	m.list = append(m.list, made)
	copy(m.list[i+1:], m.list[i:])
	m.list[i] = made
	m.bytes += made.size()
	if m.bytes > maxMarks && len(m.list) > 1 {
		m.thin()
	}
}

// thin drops every other mark, and makes later ones less frequent. A mark keeps the pages that it shared with a dropped one.
func (m *marks) thin() {
	m.every *= 2
	kept := m.list[:0]
	m.bytes = 0
	for i := range m.list {
		if i%2 == 1 {
			made := m.list[i]
			made.setOwn(made.own + m.list[i-1].own)
			kept = append(kept, made)
			m.bytes += made.size()
		}
	}
	clear(m.list[len(kept):])
	m.list = kept
}

// forgetAhead drops the marks that may not be behind the present: their future may change.
func (m *marks) forgetAhead(work int) {
	i := sort.Search(len(m.list), func(i int) bool { return m.list[i].work >= work })
	for _, gone := range m.list[i:] {
		m.bytes -= gone.size()
	}
	clear(m.list[i:])
	m.list = m.list[:i]
}

// before returns the last mark before a seq, or at or before a time. It returns nil for the start.
func (m *marks) before(is func(*mark) bool) *mark {
	i := sort.Search(len(m.list), func(i int) bool { return !is(&m.list[i]) })
	if i == 0 {
		return nil
	}
	return &m.list[i-1]
}

// resume takes the session to a mark, or to its start for nil.
func (s *session) resume(m *mark) {
	if m == nil {
		s.begin()
		return
	}
	s.figures = nil // they would lack the part of the run before the mark
	s.scheduler = m.state.Fork(s.server.options())
	s.inputs.next = m.next
	s.player = journal.Resume(s.scheduler, &s.inputs, s.options(), m.player)
	s.clock = m.clock
	s.log.back(m.seq, m.offset)
}
