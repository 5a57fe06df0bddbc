// Package explain says why asks, applications and queues wait, and which allocations an ask would preempt and why: as
// codes and amounts, and in sentences that follow from these. It reads nothing itself: the structures are filled in from
// the state by package inspect.
package explain

import (
	"time"

	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/resource"
)

// Codes of why an ask, an application or a queue waits.
const (
	WaitHeadroom       api.Reason = "headroom"         // a queue on the way to the root lacks room below its max
	WaitUserLimit      api.Reason = "user-limit"       // a limit of its user has no room for it
	WaitGroupLimit     api.Reason = "group-limit"      // a limit of its group has no room for it
	WaitNoNodeFits     api.Reason = "no-node-fits"     // every node fails; the counts say on what
	WaitMaxApps        api.Reason = "max-applications" // the application may not start: a queue is at maxapplications
	WaitUserMaxApps    api.Reason = "user-max-applications"
	WaitGroupMaxApps   api.Reason = "group-max-applications" // likewise: a limit of its user, of its group, is at maxapplications
	WaitStateFilter    api.Reason = "state-filter"           // stateaware lets another application start first
	WaitPolicy         api.Reason = "policy"                 // the application order's policy says: not eligible now
	WaitVictims        api.Reason = "waits-for-victims"      // it preempted: a node is kept for it, and nothing else is looked at
	WaitGang           api.Reason = "waits-for-gang"         // a task: its gang is not formed, or the placeholders of one that failed have yet to leave
	WaitPlaceholder    api.Reason = "waits-for-placeholder"  // a task: it may only take the place of a placeholder, and fits none now
	WaitRelease        api.Reason = "waits-for-release"      // a task: its placeholder was told to leave for it
	WaitNotRunning     api.Reason = "not-running"            // the application is Resuming or Completing: nothing is allocated to it
	WaitGangIncomplete api.Reason = "gang-incomplete"        // fewer members of its gang are pending than have to be placed together
	WaitGangDoesNotFit api.Reason = "gang-does-not-fit"      // too few members of its gang fit beside one another
	WaitNotYet         api.Reason = "not-scheduled-yet"      // it fits; the next cycle comes to it
	NodeDraining       api.Reason = "draining"               // causes that a node may fail on, in this order
	NodeNotRequired    api.Reason = "not-the-required-node"
	NodeConstraint     api.Reason = "constraint" // Detail: the attribute
	NodeTooSmall       api.Reason = "too-small"  // even empty; Detail: the resource type
	NodeKept           api.Reason = "kept"       // kept for an ask that preempts there, whatever the room
	NodeFull           api.Reason = "full"       // Detail: the resource type
	NodeReserved       api.Reason = "reserved"   // room enough, but reserved for another ask
	NodePredicate      api.Reason = "predicate"  // a host predicate, or a node.filter policy, says no; Detail: its code
	WaitNothingPending api.Reason = "nothing-pending"
)

// NotAsked is the detail of a node that the predicates in force have not been asked about; the next cycle may.
const NotAsked = "not asked yet"

// Lack is an amount of a type that a queue's headroom is short of.
type Lack struct {
	Queue   string
	Type    string
	Missing int64 // the ask's amount minus max(headroom, 0) of that queue alone; above 0
	Used    int64 // that counts towards its max: room that is kept for asks is included
	Max     int64 // of root: the cluster's total
}

// NodeCount counts the nodes that fail an ask on one cause. A node counts once, for the first cause in the order in
// which the codes are declared and, for a resource, the bytewise first type that is short.
type NodeCount struct {
	Reason api.Reason
	Detail string // attribute, resource type, or code of a predicate in words or as a number
	Nodes  int
}

// AskExplanation says why an ask is pending, true at the moment of asking.
type AskExplanation struct {
	ID       string
	App      string
	Queue    string        // full name
	Pending  bool          // false: it is allocated on Node, and nothing below Node is set
	Node     string        // where it is allocated, or what it reserves
	Reserved bool          // it holds a reservation on Node
	Kept     bool          // it preempted: Node is kept for it until its victims have left
	Gone     bool          // it was preempted and has left: Victim says the rest, and nothing else is set but ID
	Since    time.Duration // of Pending: when it was submitted; else when it was allocated
	// Submitted is when it was submitted; of a restored allocation, when that was restored.
	Submitted time.Duration
	Resources resource.Set // that it needs
	Priority  int32        // its own
	// Originator, Preempts and Preemptable are its switches: it goes last among victims, it may preempt others, it may be preempted
	// like others.
	Originator, Preempts, Preemptable bool
	// Required is the node that it requires; empty: any. NoSuchNode says that no node has this ID.
	Required   string
	NoSuchNode bool
	Seen       []Seen       // its priority as each queue from the leaf up shows it to its parent
	Place      int          // from 1: its place among all pending asks in the order of the walk
	Reasons    []api.Reason // why it waits; several may hold at once, in the order of declaration
	Lacks      []Lack       // for WaitHeadroom: leaf first, then up; types bytewise
	Limits     []LimitLack  // that bar it: leaf first, then up, a user before a group; types bytewise, applications last
	Blocked    []string     // for WaitMaxApps: the queues at their bound, leaf first
	Nodes      []NodeCount
	Fits       int // nodes that would take it now
	// Candidates are the first nodes that would take it and, before the first of these, those that come first and do not take it: in
	// the order in which nodes are tried, MostCandidates of each at most.
	Candidates []Candidate
	NodePolicy string     // that orders the nodes
	Holders    []Holder   // of nodes that are reserved or kept for others, by node; MostHolders at most
	Mismatches []Mismatch // one for each of its constraints that nodes do not meet
	// Atomic is the atomic gang with which it waits; nil: it is placed by itself.
	Atomic *AtomicGang
	// Never lists what it alone is larger than: it cannot run for as long as queues and nodes are configured as they are.
	Never   []Bound
	Verdict string // of preemption: a sentence
	// Victim says which ask preempted it; nil: none did.
	Victim *VictimExplanation
	Gang   *GangExplanation   // of its application; nil: that has no placeholders
	Member *MemberExplanation // nil as well
	Text   string             // all of it in sentences
}

// AtomicGang says how it stands with an atomic gang.
type AtomicGang struct {
	ID      string
	Pending int // members
	Resting int // of them: they wait for the gang of placeholders, or for the place of one
	Min     int // so many of them are placed by one decision: those that it needs less Succeeded
	// Succeeded is how many members have, also before the pending ones came.
	Succeeded int
	Ends      time.Duration // when its pending members are rejected or, with Fallback, placed by themselves; 0: never
	Fallback  bool
	Fits      int         // members, in order, that fit beside one another, Min at most
	Barred    string      // the first of the others, where fewer fit than Min
	Lacks     []Lack      // what keeps that one out, beside those that fit
	Limits    []LimitLack // likewise
	Nodes     []NodeCount
}

// Bound is what an ask alone is larger than. Without a type no node has all of its types at once, though each of them.
type Bound struct {
	Queue string // whose max it is; empty: the largest node that its required node and its constraints allow
	Type  string
	Needs int64 // by the ask
	Most  int64 // there is
}

// Seen is an ask's priority as a queue shows it upwards.
type Seen struct {
	Queue    string
	Priority int32
}

// AppExplanation says why an application waits.
type AppExplanation struct {
	ID          string
	Queue       string
	State       string
	Since       time.Duration // of the state
	Pending     int           // asks
	Allocations int
	HasPriority bool  // false when nothing is pending
	Priority    int32 // the highest among its pending asks
	Reasons     []api.Reason
	Blocked     []string
	Group       string           // the group whose limits it counts for; empty: none
	Place       int              // from 1: among the applications of its queue with asks pending, in their order; 0: it has none pending
	HasPlace    bool             // it counts for maxapplications, of queues and of limits
	Limits      []LimitLack      // at their maxapplications: it may not start
	Waits       []string         // IDs of its pending asks in order, the first ten
	Gang        *GangExplanation // nil: it has no placeholders
	// Placement says which rule chose its queue, and what came of those before; nil: it named the queue, and there were no rules.
	Placement *PlacementExplanation
	Text      string
}

// QueueExplanation says how a queue stands and what holds its asks back.
type QueueExplanation struct {
	QueueState api.QueueDump
	Template   string            // of a dynamic leaf: the queue above whose child template it has, as shown; empty: none
	Reasons    []api.Reason      // why nothing in it is placed now
	Lacks      []Lack            // for its first pending ask that lacks headroom
	Quota      *QuotaExplanation // nil: it uses no more than its max
	Settings   []Setting         // in force, defaults included; by name
	Fence      string            // the nearest queue, from this one on upwards, that is a preemption fence; empty: none
	Text       string
}

// Setting is a property in force for a queue.
type Setting struct {
	Name, Value string
	From        string // the queue that sets it, this one or one above; empty: it is the default
	Template    bool   // the child template of From sets it
}
