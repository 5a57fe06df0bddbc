package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// Dump is the whole state for readers. It is consistent and sorted, and shares no memory with the scheduler.
type Dump struct {
	Now          time.Duration
	Queues       []QueueDump  // by partition, then parents before children and siblings by name
	Nodes        []NodeDump   // by partition, then by ID, bytewise
	Applications []AppDump    // in order of submission; terminal ones until they expire
	Total        resource.Set // of the first partition, like NodeSort
	NodeSort     string
	Others       []PartitionDump // the partitions except the first, in the order of the configuration
}

// PartitionDump is the part of a Dump about a partition as a whole.
type PartitionDump struct {
	Name     string // in lower case
	Total    resource.Set
	NodeSort string
}

// Parts selects lists of a Dump.
type Parts uint8

// The parts of a Dump.
const (
	OfQueues Parts = 1 << iota
	OfNodes
	OfApplications
	Everything = OfQueues | OfNodes | OfApplications
)

// QueueDump is one queue. Sets leave out zeros, except in Max, where a zero excludes the type.
type QueueDump struct {
	Partition    string `json:",omitempty"` // in lower case; empty for the first
	Path         string
	Leaf         bool
	Dynamic      bool `json:",omitempty"` // a placement rule created it
	State        string
	Used         resource.Set
	Guaranteed   resource.Set // configured
	Max          resource.Set // configured; for root, the cluster's total
	Headroom     resource.Set // type-wise minimum over the queue and its ancestors; types without any max are left out; may be negative
	Pending      resource.Set
	PendingAsks  int
	Allocations  int
	Leaving      resource.Set // used by victims that were asked to leave and have not left
	HasPriority  bool         // false when nothing is pending
	Priority     int32        // as its parent sees it, offset and fence applied
	Applications int          // number that are not terminal
	Running      int          // number that are Starting, Running or Resuming
	MaxRunning   uint64
	FairShare    int64 // of current usage, in billionths; its parent sorts by it, or by Aged
	AppSort      string
	Properties   map[string]string // in force: own and inherited
	Aged         *Aged             `json:",omitempty"` // nil if its usage does not age
	Users        []AgedUser        `json:",omitempty"` // by name: those whose usage a leaf compares
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
	Utilisation int64        // in billionths, by the partition's weights
	Reserved    string       // the ask that it is reserved for; empty if none
	ClaimedBy   string       `json:"kept"` // the ask that it is claimed for, which preempted allocations there; empty if none
	Allocations []string     // IDs, in order of allocation
	Devices     []DeviceDump `json:",omitempty"` // by type, in their order

	Domain []LevelValue `json:"-"` // its domains, from the widest level on; the attributes say the same
}

// LevelValue is the value of the domain of a node at a level of the topology.
type LevelValue struct{ Level, Value string }

// AppDump is one application.
type AppDump struct {
	Partition   string `json:",omitempty"` // as in QueueDump
	ID          string
	Group       string `json:",omitempty"` // the group whose limits it counts against
	Queue       string
	State       string
	Since       time.Duration // of State
	Submitted   time.Duration
	HasPriority bool
	Priority    int32
	Used        resource.Set
	Preempted   int64     `json:",omitempty"` // number of its allocations that were preempted
	Asks        []AskDump // pending in the order of the walk, then allocated in order of allocation
}

// GangDump is an atomic gang with members.
type GangDump struct {
	App     string
	ID      string
	Min     int      // how many members are needed, less those that have succeeded
	Running int      // members that are allocated and not leaving
	Broken  bool     `json:",omitempty"` // it was whole, and too few members are left
	Single  bool     `json:",omitempty"` // it was not placed in time, and its members are placed one by one
	Members []string // IDs, bytewise
}

// AskDump is one ask, pending or allocated.
type AskDump struct {
	ID          string
	Priority    int32
	Resources   resource.Set
	Placeholder bool `json:",omitempty"` // it reserves room for a task of its gang
	Submitted   time.Duration
	Node        string          // empty if pending
	Devices     []PlacedDevices `json:",omitempty"` // those that an allocation has
	Allocated   time.Duration
	Walltime    time.Duration  `json:",omitempty"` // 0: it promises no end
	Ends        *time.Duration `json:",omitempty"` // of an allocation: its promised end; nil: it promises none
	MinRuntime  time.Duration  `json:",omitempty"` // how long its allocation runs before it may be preempted; 0: it always may
	Planned     *PlannedStart  `json:",omitempty"` // of a blocked ask: its planned start; nil: it has none
	Claims      string         `json:"kept"`       // if pending: the node that is claimed for it, since it preempted allocations there
	Leaves      bool           `json:",omitempty"` // if allocated: it was asked to leave
	Leaving     string         // if Leaves: the ask that it was asked to leave for, even if that ask no longer exists; empty if it leaves for none
	Preempted   int64          `json:",omitempty"` // how often it was preempted, also before it was asked for again under its ID
}
