package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/readonly"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// ChangeKind is the kind of a change.
type ChangeKind uint8

// The kinds of changes, with the fields of Change that each sets. Changes of asks come first, up to AllocationEnded.
const (
	AskPending         ChangeKind = iota // Ask, Class, App, Queue: the ask is pending now. All changes of asks have these
	AskGone                              // Ask, Class, Queue: the ask is no longer pending; its fields stay readable until the log is trimmed
	AskUpdated                           // Ask, Queue: an input has changed its priority or resources
	AskAllocated                         // Ask, Class, Queue, Node: combines AskGone and AllocationMade
	AllocationMade                       // Ask, Queue, Node: the allocation was restored
	AllocationEnded                      // Ask, Queue, Node
	AppAdded                             // App: it has no asks yet
	AppMoved                             // App, Queue: its state, or its place under maxapplications, has changed
	AppTransferred                       // App, Queue: it has left the leaf, or entered it
	NodeChanged                          // Node: something that orders and searches depend on, except allocations made on it
	NodeOpened                           // Node: it may admit more than before
	NodeRemoved                          // Node
	TotalChanged                         // the cluster's total
	QueueChanged                         // Queue: something that may change its place in an order
	QueueOpened                          // Queue: its own limits admit more than before
	QueueFull                            // Queue: it has reached its maxapplications
	LimitOpened                          // Limit: usage or the number of applications has fallen
	LimitFull                            // Limit: it has reached its maxapplications
	LimitUsage                           // Limit: its usage; only recorded while a policy reads it
	ReservationMade                      // Ask, Queue, Node
	ReservationEnded                     // Ask, Queue, Node
	ClaimMade                            // Ask, Queue, Node
	ClaimEnded                           // Ask, Queue, Node
	FutureUsageChanged                   // expected usage of pending asks, or room that leaving allocations will free
	GangChanged                          // App, Queue: its placeholders, or the state of its tasks
	EligibleChanged                      // Queue: the set of its applications that may be allocated to has changed
	TypesAdded                           // vectors are wider
	ConfigChanged                        // the tree was rebuilt
	QueueAdded                           // Queue, Parent: a dynamic queue, whose ID may have been used before
	QueueEnded                           // Queue, Parent: a queue was removed, which stays readable until the log is trimmed
	LimitsChanged                        // Queue: max, guaranteed and maxapplications of a dynamic leaf
	PoliciesChanged                      // another policy is used somewhere
)

// Change is one entry of the log.
type Change struct {
	Kind   ChangeKind
	InGang bool // of changes of asks: the ask is a member of an atomic gang
	Queue  queues.ID
	Parent queues.ID
	Node   int32 // slot; only if the kind sets it
	Ask    app.Ask
	Class  class.Class
	App    app.App
	Limit  limit.Tracker
}

// changeLog holds the changes that some follower has not read yet.
type changeLog struct {
	entries []Change
	first   uint64            // the number of entries[0]
	left    []app.Slot        // asks that were removed, but stay readable for followers
	apps    []app.App         // likewise: applications
	gangs   []*app.AtomicGang // likewise: atomic gangs
	leaves  []queues.ID       // likewise leaves
}

// Cursor is a follower's position in the log. The zero Cursor is at the first change ever.
type Cursor struct{ next uint64 }

// Behind reports whether there are changes that the follower has not read.
func (s *State) Behind(c *Cursor) bool { return c.next != s.log.first+uint64(len(s.log.entries)) }

// Follow returns the changes since the cursor's position, in order, and advances
// it. The list is valid until the next change.
func (s *State) Follow(c *Cursor) readonly.List[Change] {
	if c.next < s.log.first {
		panic("state: a follower missed changes") // our bug: TrimLog must wait for all followers
	}
	entries := s.log.entries[c.next-s.log.first:]
	c.next = s.log.first + uint64(len(s.log.entries))
	return readonly.Of(entries)
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
			*c = Change{}
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
func (s *State) note(kind ChangeKind) *Change {
	l := &s.log
	last := len(l.entries)
	if last == cap(l.entries) {
		l.entries = slices.Grow(l.entries, 1)
	}
	l.entries = l.entries[:last+1]
	c := &l.entries[last] // empty, since TrimLog clears removed entries
	c.Kind = kind
	return c
}

// askChanged records a change of an ask.
func (s *State) askChanged(kind ChangeKind, ask app.Ask, n int32) {
	s.noteAsk(kind, ask, ask.Class(), ask.App(), ask.Atomic() != nil).Node = n
}

// noteAsk is askChanged for an ask whose class and application are known. The caller sets the node.
func (s *State) noteAsk(kind ChangeKind, ask app.Ask, of class.Class, a app.App, inGang bool) *Change {
	c := s.note(kind)
	c.Ask, c.Class, c.App, c.Queue, c.InGang, c.Node = ask, of, a, QueueOfApp(a), inGang, app.NoNode
	return c
}

func (s *State) queueChanged(q queues.ID) { s.note(QueueChanged).Queue = q }

// queueOpened records that a queue's own limits admit more than before.
func (s *State) queueOpened(q queues.ID) {
	s.queues.Open(q, s.shrinkEpoch)
	s.note(QueueOpened).Queue = q
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
func (s *State) EligibleChanged(leaf queues.ID) { s.note(EligibleChanged).Queue = leaf }

// nodeChanged records a change of a node that does not make it admit more.
func (s *State) nodeChanged(n int32) {
	s.finder.Changed(n)
	s.note(NodeChanged).Node = n
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
	s.note(NodeOpened).Node = n
}

// nodeOpened records that a node may admit more than before.
func (s *State) nodeOpened(n int32) {
	s.finder.Changed(n)
	s.note(NodeOpened).Node = n
}
