package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Dump is the whole state, for reading: consistent, sorted, detached from the scheduler.
type Dump struct {
	Now          time.Duration
	Queues       []QueueDump  // of each partition in turn: parents before children, siblings by name
	Nodes        []NodeDump   // of each partition in turn: by ID, bytewise
	Applications []AppDump    // in order of submission; terminal ones until they expire
	Total        resource.Set // of the first partition, as NodeSort
	NodeSort     string
	Others       []PartitionDump // the partitions but the first, in the order of the configuration
}

// PartitionDump is what a Dump has of a partition as a whole.
type PartitionDump struct {
	Name     string // in lower case
	Total    resource.Set
	NodeSort string
}

// Parts are lists of a Dump.
type Parts uint8

// The parts of a Dump.
const (
	OfQueues Parts = 1 << iota
	OfNodes
	OfApplications
	Everything = OfQueues | OfNodes | OfApplications
)

// QueueDump is one queue. Sets leave out zeros, except Max, where a zero forbids.
type QueueDump struct {
	Partition    string `json:",omitempty"` // in lower case; empty: the first
	Path         string
	Leaf         bool
	Dynamic      bool `json:",omitempty"` // a placement rule has made it
	State        string
	Used         resource.Set
	Guaranteed   resource.Set // configured
	Max          resource.Set // configured; of root: the cluster's total
	Headroom     resource.Set // type-wise minimum over the queue and its ancestors; types without any max are left out; may be negative
	Pending      resource.Set
	PendingAsks  int
	Allocations  int
	Leaving      resource.Set // used by victims that were told to leave and have not left
	HasPriority  bool         // false when nothing is pending
	Priority     int32        // as its parent sees it, offset and fence applied
	Applications int          // not terminal
	Running      int          // Starting, Running or Resuming
	MaxRunning   uint64
	FairShare    int64 // billionths, as its parent sorts by
	AppSort      string
	Properties   map[string]string // in force: own and inherited
}

// NodeDump is one node.
type NodeDump struct {
	Partition   string `json:",omitempty"` // as in QueueDump
	ID          string
	Capacity    resource.Set
	Occupied    resource.Set
	Used        resource.Set // by allocations
	Attributes  map[string]string
	Schedulable bool
	Utilisation int64    // billionths, by the partition's weights
	Reserved    string   // the ask it is reserved for; empty: none
	Kept        string   // the ask it is kept for, which preempted there; empty: none
	Allocations []string // IDs, in order of allocation
}

// AppDump is one application.
type AppDump struct {
	Partition   string `json:",omitempty"` // as in QueueDump
	ID          string
	Group       string `json:",omitempty"` // the one whose limits it counts for
	Queue       string
	State       string
	Since       time.Duration // of State
	Submitted   time.Duration
	HasPriority bool
	Priority    int32
	Used        resource.Set
	Asks        []AskDump // pending in the order of the walk, then allocated in order of allocation
}

// AskDump is one ask, pending or allocated.
type AskDump struct {
	ID          string
	Priority    int32
	Resources   resource.Set
	Placeholder bool `json:",omitempty"` // it holds room for a task of its gang
	Submitted   time.Duration
	Node        string // empty: pending
	Allocated   time.Duration
	Kept        string // pending: the node that is kept for it, since it preempted there
	Leaves      bool   `json:",omitempty"` // allocated: it was told to leave
	Leaving     string // of Leaves: the ask that it was told to leave for, there or not any more; empty: for none
}
