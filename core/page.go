package core

import "github.com/quern-project/quern/core/resource"

// Page asks for a part of a list. Lists have an order that nothing changes but what comes and goes: queues by partition and path,
// parents before children; nodes by ID; applications by ID and submission; asks by the ID of their application and submission.
type Page struct {
	After Key // the list goes on behind it; the zero Key begins it
	Limit int // at most so many objects
	Work  int // about how much may be done: entries looked at, with several for each object that is made
	Where Where
}

// Key is a place in a list. Where its object has gone, the list goes on with what would come behind it.
type Key struct {
	Partition string `json:",omitempty"` // of a queue
	Name      string // the path of a queue, the ID of a node or of an application
	Seq       uint64 `json:",omitempty"` // of an application or an ask
}

// Where selects objects. An empty field selects all, and each list has those that make sense for it.
type Where struct {
	Partition string // of nodes; the first has the empty name
	Queue     string // of applications and asks: a leaf, or a queue above it, as ShownPath has it
	State     string
	App       string // of asks
	Node      string // of asks: where they are allocated; of applications: where they have an allocation
	User      string // of applications and asks
}

// Listed is a part of a list.
type Listed[T any] struct {
	Items []T
	Next  Key  // where the next part begins
	More  bool // there may be one
	Work  int  // that was done
}

// AppItem is an application in a list: with counts in place of its asks.
type AppItem struct {
	AppDump
	User        string
	Groups      []string
	Tags        map[string]string
	Waiting     resource.Set // by pending asks
	Pending     int          // asks
	Allocations int
	Gang        bool
}

// AskItem is an ask in a list, with what it belongs to.
type AskItem struct {
	AskDump
	Partition   string // as in QueueDump
	App         string
	Queue       string
	User        string
	Originator  bool
	Required    string // the node that it requires; empty: any
	Predicate   string
	Constraints map[string][]string
	Reserved    string // the node that is reserved for it
	TaskGroup   string
	Preempts    bool // it may preempt others
	Preemptable bool
}

// States of asks, as Where selects them.
const (
	AskPendingState   = "pending"
	AskAllocatedState = "allocated"
	AskLeavingState   = "leaving"
)

// States of nodes, as Where selects them.
const (
	NodeSchedulable = "schedulable"
	NodeDrained     = "drained"
)

// State is the state of an ask.
func (k *AskDump) State() string {
	switch {
	case k.Leaves:
		return AskLeavingState
	case k.Node != "":
		return AskAllocatedState
	}
	return AskPendingState
}

// The lists that there are.
type (
	QueueList = Listed[QueueDump]
	NodeList  = Listed[NodeDump]
	AppList   = Listed[AppItem]
	AskList   = Listed[AskItem]
)
