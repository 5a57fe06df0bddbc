package rpc

import (
	"sort"
	"time"

	"github.com/quern-project/quern/core/journal"
	"github.com/quern-project/quern/core/scheduler"
)

// defaultEvery is how many decisions lie between two checkpoints at least.
const defaultEvery = 1000

// maxMarks bounds the bytes of all checkpoints of a session.
const maxMarks = 48 << 20

// mark is a checkpoint: all that a session needs to go on from there, but its journal and its log.
type mark struct {
	work   int // done before it
	seq    uint64
	offset int // of the log
	next   int // line of the journal
	clock  time.Duration
	player *journal.Saved
	state  *scheduler.Checkpoint
}

func (m *mark) size() int { return m.state.Size() + m.player.Size() }

// marks are the checkpoints of a session, by work. The start needs none.
type marks struct {
	list  []mark
	every int // decisions and inputs between two of them, at least
	bytes int
	apart int // what the size of the last one says: writing one takes its time
}

// work is how much was done up to the present. It never falls on the way ahead.
func (s *session) work() int {
	r := s.player.Result()
	return r.Inputs + r.Decisions + r.Ended
}

// mark makes a checkpoint if the last one before the present is far enough behind.
func (s *session) mark() {
	m := &s.marks
	work := s.work()
	i := sort.Search(len(m.list), func(i int) bool { return m.list[i].work > work })
	last := 0
	if i > 0 {
		last = m.list[i-1].work
	}
	if work-last < max(m.every, m.apart) || s.inputs.served > 0 {
		return
	}
	made := mark{work, s.log.seq, s.log.offset, s.inputs.next, s.clock, s.player.Save(), s.scheduler.Checkpoint()}
	m.list = append(m.list, made)
	copy(m.list[i+1:], m.list[i:])
	m.list[i] = made
	m.bytes += made.size()
	m.apart = made.size() / 64
	if m.bytes > maxMarks && len(m.list) > 1 {
		m.thin()
	}
}

// thin drops every other checkpoint, and lets the next ones be further apart.
func (m *marks) thin() {
	m.every *= 2
	kept := m.list[:0]
	m.bytes = 0
	for i := range m.list {
		if i%2 == 1 {
			kept = append(kept, m.list[i])
			m.bytes += m.list[i].size()
		}
	}
	clear(m.list[len(kept):])
	m.list = kept
}

// forgetAhead drops the checkpoints that are not surely behind the present: what they hold may come otherwise.
func (m *marks) forgetAhead(work int) {
	i := sort.Search(len(m.list), func(i int) bool { return m.list[i].work >= work })
	for _, gone := range m.list[i:] {
		m.bytes -= gone.size()
	}
	clear(m.list[i:])
	m.list = m.list[:i]
}

// before returns the last checkpoint before a seq, or at or before a time; nil: the start.
func (m *marks) before(is func(*mark) bool) *mark {
	i := sort.Search(len(m.list), func(i int) bool { return !is(&m.list[i]) })
	if i == 0 {
		return nil
	}
	return &m.list[i-1]
}

// resume takes the session to a checkpoint; nil: to its start.
func (s *session) resume(m *mark) {
	if m == nil {
		s.begin()
		return
	}
	s.figures = nil // what came before the checkpoint is not told again
	s.scheduler = scheduler.FromCheckpoint(m.state, s.server.options())
	s.inputs.next = m.next
	s.player = journal.Resume(s.scheduler, &s.inputs, s.options(), m.player)
	s.clock = m.clock
	s.log.back(m.seq, m.offset)
}
