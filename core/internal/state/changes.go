package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// changeLog holds the changes that some follower has not read yet.
type changeLog struct {
	entries []change
	first   uint64           // the number of entries[0]
	left    []app.Slot       // asks that were removed, but stay readable for followers
	apps    []app.App        // likewise: applications
	gangs   []app.AtomicGang // likewise: atomic gangs
	leaves  []queues.ID      // likewise leaves
}

// Cursor is a follower's position in the log. The zero Cursor is at the first change ever.
type Cursor struct{ next uint64 }

// Behind reports whether there are changes that the follower has not read.
func (s *State) Behind(c *Cursor) bool { return c.next != s.log.first+uint64(len(s.log.entries)) }

// Follow returns the changes since the cursor's position, in order, and advances
// it. The list is valid until the next change.
func (s *State) Follow(c *Cursor) Changes {
	if c.next < s.log.first {
		panic("state: a follower missed changes") // our bug: TrimLog must wait for all followers
	}
	entries := s.log.entries[c.next-s.log.first:]
	c.next = s.log.first + uint64(len(s.log.entries))
	return Changes{entries}
}

// SkipLog moves a cursor to the end, for a follower that has read the whole state.
func (s *State) SkipLog(c *Cursor) { c.next = s.log.first + uint64(len(s.log.entries)) }

// LogLength returns the number of changes in the log.
func (s *State) LogLength() int { return len(s.log.entries) }

// TrimLog removes all changes. Every follower must have read them.
func (s *State) TrimLog() {
	l := &s.log
	l.first += uint64(len(l.entries))
	if len(l.entries) <= fewChanges {
		for i := range l.entries {
			c := &l.entries[i]
			*c = change{}
		}
	} else {
		clear(l.entries)
	}
	l.entries = l.entries[:0]
	s.nodes.Reclaim()
	if len(l.left) > 0 || len(l.apps) > 0 {
		s.reuse()
	}
	if len(l.leaves) > 0 {
		for _, q := range l.leaves {
			s.leaves[q] = nil
		}
		l.leaves = l.leaves[:0]
	}
	s.queues.Release()
}

// fewChanges is the maximum number of changes that are cleared one by one. Most inputs make few, and clear costs more for few.
const fewChanges = 4

// reuse frees the slots and numbers of removed asks, applications, gangs and classes.
func (s *State) reuse() {
	l := &s.log
	for _, slot := range l.left {
		s.asks.Free(slot)
	}
	for _, a := range l.apps {
		s.apps.Free(a.Number())
		s.gangs.Forget(a.Number())
		s.orders.Forget(a)
	}
	for _, g := range l.gangs {
		s.orders.ForgetGang(g)
	}
	clear(l.apps)
	clear(l.gangs)
	l.left, l.apps, l.gangs = l.left[:0], l.apps[:0], l.gangs[:0]
	s.classes.Reclaim()
}

// note appends a change and returns it, so that the caller can fill it in.
// Building an entry elsewhere and copying it takes several times as long.
func (s *State) note(kind ChangeKind) *change {
	l := &s.log
	last := len(l.entries)
	if last == cap(l.entries) {
		l.entries = slices.Grow(l.entries, 1)
	}
	l.entries = l.entries[:last+1]
	c := &l.entries[last] // empty, since TrimLog clears removed entries
	c.kind = kind
	return c
}

// askChanged records a change of an ask.
func (s *State) askChanged(kind ChangeKind, ask app.Ask, n int32) {
	s.noteAsk(kind, ask, ask.Class(), ask.App(), !ask.Atomic().IsNone()).node = n
}

// noteAsk is askChanged for an ask whose class and application are known. The caller sets the node.
func (s *State) noteAsk(kind ChangeKind, ask app.Ask, of class.Class, a app.App, inGang bool) *change {
	c := s.note(kind)
	c.ask, c.class, c.app, c.queue, c.inGang, c.node = ask, of, a, QueueOfApp(a), inGang, app.NoNode
	return c
}

func (s *State) queueChanged(q queues.ID) { s.note(QueueChanged).queue = q }

// queueOpened records that a queue's own limits admit more than before.
func (s *State) queueOpened(q queues.ID) {
	s.queues.Open(q, s.shrinkEpoch)
	s.note(QueueOpened).queue = q
}

// queuesOpened is queueOpened for a queue and those above it.
func (s *State) queuesOpened(q queues.ID) {
	for ; q != queues.None; q = s.Queues().Parent(q) {
		s.queueOpened(q)
	}
}

// maximaOpened is queueOpened for a queue and those above it, below an ancestor, whose own max may bar an ask. Their usage is about to fall.
func (s *State) maximaOpened(q, ancestor queues.ID) {
	for tree := s.Queues(); q != ancestor; q = tree.Parent(q) {
		if tree.MayLimit(q, s.classes.Largest()) {
			s.queueOpened(q)
		}
	}
}

// EligibleChanged records that the set of a leaf's applications that may be allocated to has changed. The set is known only once the leaf's
// order is up to date, so the walk, which sorts, calls this.
func (s *State) EligibleChanged(leaf queues.ID) { s.note(EligibleChanged).queue = leaf }

// nodeChanged records a change of a node that does not make it admit more.
func (s *State) nodeChanged(n int32) {
	s.finder.Changed(n)
	s.note(NodeChanged).node = n
}

// roomGrew records that a node has more room than before.
func (s *State) roomGrew(n int32) {
	s.nodes.Grow(n, s.EventNumber())
	s.nodeOpened(n)
}

// nodeEmptied records that an allocation on a node has ended.
func (s *State) nodeEmptied(n int32) {
	s.nodes.Grow(n, s.EventNumber())
	s.finder.Emptied(n)
	s.note(NodeOpened).node = n
}

// nodeOpened records that a node may admit more than before.
func (s *State) nodeOpened(n int32) {
	s.finder.Changed(n)
	s.note(NodeOpened).node = n
}
