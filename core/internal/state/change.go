package state

import (
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// ChangeKind is the kind of a change.
type ChangeKind uint8

// The kinds of changes, with the fields of Change that each sets. Changes of asks come first, up to AllocationEnded.
const (
	AskPending          ChangeKind = iota // Ask, Class, App, Queue: the ask is pending now. All changes of asks have these
	AskGone                               // Ask, Class, Queue: the ask is no longer pending; its fields stay readable until the log is trimmed
	AskUpdated                            // Ask, Queue: an input has changed its priority or resources
	AskAllocated                          // Ask, Class, Queue, Node: combines AskGone and AllocationMade
	AllocationMade                        // Ask, Queue, Node: the allocation was restored
	AllocationEnded                       // Ask, Queue, Node
	AppAdded                              // App: it has no asks yet
	AppMoved                              // App, Queue: its state, or its place under maxapplications, has changed
	AppTransferred                        // App, Queue: it has left the leaf, or entered it
	NodeChanged                           // Node: something that orders and searches depend on, except allocations made on it
	NodeOpened                            // Node: it may admit more than before
	NodeRemoved                           // Node
	TotalChanged                          // the cluster's total
	QueueChanged                          // Queue: something that may change its place in an order
	QueueOpened                           // Queue: its own limits admit more than before
	QueueFull                             // Queue: it has reached its maxapplications
	LimitOpened                           // Limit: usage or the number of applications has fallen
	LimitFull                             // Limit: it has reached its maxapplications
	LimitUsage                            // Limit: its usage; only recorded while a policy reads it
	ReservationMade                       // Ask, Queue, Node
	ReservationEnded                      // Ask, Queue, Node
	ClaimMade                             // Ask, Queue, Node
	ClaimEnded                            // Ask, Queue, Node
	FutureUsageChanged                    // expected usage of pending asks, or room that leaving allocations will free
	GangChanged                           // App, Queue: its placeholders, or the state of its tasks
	AccumulationChanged                   // the gang for which room is held, or what is held
	UnitChanged                           // App: a gang that leaves as a unit has other allocations that stay, or they are protected otherwise
	ElasticGangAdded                      // a gang that gives a largest size
	UsageAged                             // Queue: aged usage that orders its children, or its applications, is that of a later instant
	BudgetFreed                           // victims no longer count in the budgets of queues
	EligibleChanged                       // Queue: the set of its applications that may be allocated to has changed
	TypesAdded                            // vectors are wider
	ConfigChanged                         // the tree was rebuilt
	QueueAdded                            // Queue, Parent: a dynamic queue, whose ID may have been used before
	QueueEnded                            // Queue, Parent: a queue was removed, which stays readable until the log is trimmed
	LimitsChanged                         // Queue: max, guaranteed and maxapplications of a dynamic leaf
	PoliciesChanged                       // another policy is used somewhere
)

// Change reads an entry of the log. Reading one in place costs less than copying it (workload fill).
type Change struct{ *change }

type change struct {
	kind   ChangeKind
	inGang bool
	queue  queues.ID
	parent queues.ID
	node   int32
	ask    app.Ask
	class  class.Class
	app    app.App
	limit  limit.Tracker
}

// Kind returns its kind, which says what else it has.
func (c *change) Kind() ChangeKind { return c.kind }

// InGang reports, of changes of asks, whether the ask is a member of an atomic gang.
func (c *change) InGang() bool { return c.inGang }

// Queue returns its queue.
func (c *change) Queue() queues.ID { return c.queue }

// Parent returns the parent of its queue.
func (c *change) Parent() queues.ID { return c.parent }

// Node returns the slot of its node.
func (c *change) Node() int32 { return c.node }

// Ask returns its ask.
func (c *change) Ask() app.Ask { return c.ask }

// Class returns the class of its ask.
func (c *change) Class() class.Class { return c.class }

// App returns its application.
func (c *change) App() app.App { return c.app }

// Limit returns its limit.
func (c *change) Limit() limit.Tracker { return c.limit }

// Changes reads a part of the log.
type Changes struct{ entries []change }

// Len returns the number of changes.
func (l Changes) Len() int { return len(l.entries) }

// At returns a change, in order.
func (l Changes) At(i int) Change { return Change{&l.entries[i]} }

// All calls yield with each change, in order.
func (l Changes) All(yield func(Change) bool) {
	for i := range l.entries {
		if !yield(Change{&l.entries[i]}) {
			return
		}
	}
}
