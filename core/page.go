package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Page requests a part of a list. The order of a list never changes; objects are only added and removed: queues by partition and path,
// parents before children; nodes by ID; applications by ID and submission; asks and gangs by the ID of their application and submission; domains
// by partition, level and values; windows by ID.
type Page struct {
	After Key // the part begins after this key; the zero Key is the start of the list
	Limit int // maximum number of objects
	Work  int // approximate limit of work: 1 for each entry that is looked at, several for each object that is built
	Where Where
}

// Key is a position in a list. It stays valid if its object is removed: the list continues with the object that would have followed.
type Key struct {
	Partition string `json:",omitempty"` // of queues and domains
	Name      string // the path of a queue, the ID of a node, application or window, or the values of a domain
	Seq       uint64 `json:",omitempty"` // of applications, asks and gangs; of domains, the number of their level
}

// Where filters objects. An empty field selects all. Each list uses the fields that apply to its objects.
type Where struct {
	Partition string // of nodes, domains and windows; the first partition has the empty name
	Queue     string // of applications, asks and gangs: a leaf or an ancestor, in the form of ShownPath
	State     string
	App       string // of asks and gangs
	Node      string // of asks: where they are allocated; of applications: where they have an allocation
	User      string // of applications, asks and gangs
	Gang      string // of asks: the ID of their atomic gang
	Level     string // of domains
}

// Listed is a part of a list.
type Listed[T any] struct {
	Items []T
	Next  Key  // After of the next part
	More  bool // there may be a next part
	Work  int  // the work done for this part
}

// AppItem is an application in a list, with counts instead of its asks.
type AppItem struct {
	AppDump
	User        string
	Groups      []string
	Tags        map[string]string
	Waiting     resource.Set // of its pending asks
	Pending     int          // number of pending asks
	Allocations int
	Gang        bool
	AtomicGangs int // number of its atomic gangs
}

// AskItem is an ask in a list, with its application and queue.
type AskItem struct {
	AskDump
	Partition   string // as in QueueDump
	App         string
	Queue       string
	User        string
	Originator  bool
	Began       time.Duration `json:"-"` // of an allocation: when it was made, also if that was before it was restored
	Required    string        // required node; empty for any
	Predicate   string
	Constraints map[string][]string
	Reserved    string // the node that is reserved for it; empty if none
	TaskGroup   string
	AtomicGang  string // the ID of its atomic gang
	Slice       int    // of its gang, from 1; 0: none
	Preempts    bool   // it may preempt others
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

// State returns the state of an ask, as Where selects it.
func (k *AskDump) State() string {
	switch {
	case k.Leaves:
		return AskLeavingState
	case k.Node != "":
		return AskAllocatedState
	}
	return AskPendingState
}

// The types of lists.
type (
	QueueList  = Listed[QueueDump]
	NodeList   = Listed[NodeDump]
	AppList    = Listed[AppItem]
	AskList    = Listed[AskItem]
	WindowList = Listed[WindowItem]
)
