package state

import (
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/node"
	"github.com/quern-project/quern/core/internal/queue"
)

// ChangeKind says what changed.
type ChangeKind uint8

// The changes, with the fields of Change that each sets. Those of asks come first, up to AllocationEnded.
const (
	AskPending       ChangeKind = iota // Ask, Class, Leaf: it waits from now on
	AskGone                            // Ask, Class, Leaf: it waits no longer; its fields stay readable until the log is trimmed
	AskUpdated                         // Ask, Leaf: its priority or its resources, by an input
	AskAllocated                       // Ask, Class, Leaf, Node: AskGone and AllocationMade in one
	AllocationMade                     // Ask, Leaf, Node: it was restored
	AllocationEnded                    // Ask, Leaf, Node
	AppCame                            // App: nothing waits in it yet
	AppMoved                           // App, Leaf: its state, or the place it holds under maxapplications; Queue: it has left that leaf, or come to it
	NodeChanged                        // Node: something about it that orders and searches look at, other than allocations made on it
	NodeOpened                         // Node: it may take what it did not take before
	NodeRemoved                        // Node
	TotalChanged                       // the cluster's total
	QueueChanged                       // Queue: something in it that has its place looked at again
	QueueOpened                        // Queue: its own limits let more in than before
	QueueFull                          // Queue: it reached its maxapplications
	LimitOpened                        // Limit: usage or places fell there
	LimitFull                          // Limit: it reached its maxapplications
	LimitUsage                         // Limit: what is used there; noted only while a policy reads it
	ReservationMade                    // Ask, Leaf, Node
	ReservationEnded                   // Ask, Leaf, Node
	ClaimMade                          // Ask, Leaf, Node
	ClaimEnded                         // Ask, Leaf, Node
	PromisesChanged                    // what waiting asks will use, or what leaving allocations will free
	GangChanged                        // App, Leaf: its placeholders, or what its tasks wait for
	EligibleChanged                    // Leaf: other applications of it than before may be allocated to
	TypesAdded                         // vectors have become wider
	ConfigChanged                      // the tree was rebuilt: leaves have other IDs
	QueueAdded                         // Queue, and Leaf if it is one: a dynamic queue, whose ID another may have had before
	QueueEnded                         // Queue: the one above it; Leaf if it was one
	LimitsChanged                      // Queue, Leaf: max, guaranteed and maxapplications of a dynamic leaf
	PoliciesChanged                    // another policy answers somewhere
)

// Change is one entry of the log.
type Change struct {
	Kind  ChangeKind
	Ask   *app.Ask
	Class *class.Class
	App   *app.App
	Node  *node.Node
	Queue *queue.Queue
	Leaf  *Leaf
	Limit *limit.Tracker
}

// changeLog holds the changes that some follower has yet to read.
type changeLog struct {
	entries []Change
	first   uint64     // the number of entries[0]
	left    []*app.Ask // let go, and still readable for followers
}

// Cursor remembers how far a follower has read the log; the zero Cursor begins with the first change there ever was.
type Cursor struct{ next uint64 }

// Behind reports whether there is anything to read.
func (s *State) Behind(c *Cursor) bool { return c.next != s.log.first+uint64(len(s.log.entries)) }

// Follow returns the changes since the cursor last read, in order. The slice is the log's own, until the next change.
func (s *State) Follow(c *Cursor) []Change {
	if c.next < s.log.first {
		panic("state: a follower missed changes") // our bug: TrimLog has to wait for all of them
	}
	entries := s.log.entries[c.next-s.log.first:]
	c.next = s.log.first + uint64(len(s.log.entries))
	return entries
}

// SkipLog moves a cursor to the end: its follower has taken in the whole state.
func (s *State) SkipLog(c *Cursor) { c.next = s.log.first + uint64(len(s.log.entries)) }

// LogLength is the number of changes that are kept.
func (s *State) LogLength() int { return len(s.log.entries) }

// TrimLog forgets all changes. Every follower must have read them.
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
	if len(l.left) > 0 {
		s.reuse()
	}
}

// fewChanges is how many changes are cleared one by one: clear costs more for few, as most inputs make.
const fewChanges = 4

// reuse makes the asks blank that were let go.
func (s *State) reuse() {
	l := &s.log
	for _, ask := range l.left {
		ask.Reset()
	}
	s.spare = append(s.spare, l.left...)
	clear(l.left)
	l.left = l.left[:0]
}

// note appends a change and returns it to be filled in: an entry built elsewhere and copied costs several times as much.
func (s *State) note(kind ChangeKind) *Change {
	l := &s.log
	last := len(l.entries)
	if last == cap(l.entries) {
		l.entries = slices.Grow(l.entries, 1)
	}
	l.entries = l.entries[:last+1]
	c := &l.entries[last] // empty, since TrimLog clears what it lets go
	c.Kind = kind
	return c
}

// askChanged notes a change of an ask.
func (s *State) askChanged(kind ChangeKind, ask *app.Ask, n *node.Node) {
	c := s.note(kind)
	c.Ask, c.Class, c.Node, c.Leaf = ask, ask.Class, n, s.LeafOf(ask)
}

func (s *State) queueChanged(q *queue.Queue) { s.note(QueueChanged).Queue = q }

// queueOpened notes that a queue's own limits let more in than before.
func (s *State) queueOpened(q *queue.Queue) {
	q.OpenedAt = s.World
	s.note(QueueOpened).Queue = q
}

// EligibleChanged notes that other applications of a leaf than before may be allocated to. Which these are is known once the leaf's
// order is up to date, so the walk, which sorts, calls it.
func (s *State) EligibleChanged(l *Leaf) { s.note(EligibleChanged).Leaf = l }

// nodeChanged notes a change of a node that lets nothing more in.
func (s *State) nodeChanged(n *node.Node) {
	s.Nodes.Changed(n)
	s.note(NodeChanged).Node = n
}

// roomGrew notes that a node has more room than before.
func (s *State) roomGrew(n *node.Node) {
	n.GrownAt = s.Moment()
	s.nodeOpened(n)
}

// nodeEmptied notes that an allocation of a node has ended.
func (s *State) nodeEmptied(n *node.Node) {
	n.GrownAt = s.Moment()
	s.Nodes.Emptied(n)
	s.note(NodeOpened).Node = n
}

// nodeOpened notes that a node may take what it did not take before.
func (s *State) nodeOpened(n *node.Node) {
	s.Nodes.Changed(n)
	s.note(NodeOpened).Node = n
}
