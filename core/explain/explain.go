// Package explain defines explanations: why asks, applications and queues wait, and which allocations an ask would preempt and why.
// They consist of codes and amounts, and of sentences that are built from these alone. Package inspect fills the structures from the
// state; nothing here reads it.
package explain

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Codes for the reasons why an ask, an application or a queue waits.
const (
	WaitHeadroom       core.Reason = "headroom"         // a queue on the path to root lacks room below its max
	WaitUserLimit      core.Reason = "user-limit"       // a limit of its user has no room for it
	WaitGroupLimit     core.Reason = "group-limit"      // a limit of its group has no room for it
	WaitNoNodeFits     core.Reason = "no-node-fits"     // no node takes it; the counts have the causes
	WaitMaxApps        core.Reason = "max-applications" // the application may not start: a queue is at maxapplications
	WaitUserMaxApps    core.Reason = "user-max-applications"
	WaitGroupMaxApps   core.Reason = "group-max-applications" // the application may not start: a limit of its user or group is at maxapplications
	WaitStateFilter    core.Reason = "state-filter"           // stateaware lets another application start first
	WaitPolicy         core.Reason = "policy"                 // the application order's policy answered that it is not eligible now
	WaitVictims        core.Reason = "waits-for-victims"      // it preempted and has claimed a node; no other node is considered
	WaitGang           core.Reason = "waits-for-gang"         // of a task: its gang is not formed, or placeholders of a failed gang are still leaving
	WaitPlaceholder    core.Reason = "waits-for-placeholder"  // of a task: it may only replace a placeholder, and fits none now
	WaitRelease        core.Reason = "waits-for-release"      // of a task: the placeholder that it replaces is leaving
	WaitNotRunning     core.Reason = "not-running"            // the application is Resuming or Completing, and gets no allocations
	WaitGangIncomplete core.Reason = "gang-incomplete"        // fewer members of its gang are pending than must be allocated together
	WaitGangDoesNotFit core.Reason = "gang-does-not-fit"      // too few members of its gang fit together
	WaitSetIncomplete  core.Reason = "gang-set-incomplete"    // fewer gangs of its set are complete than must start together
	WaitSetDoesNotFit  core.Reason = "gang-set-does-not-fit"  // too few gangs of its set fit together
	WaitPlanned        core.Reason = "planned-starts"         // it fits, but would take room in a queue, or at a limit, from asks with planned starts
	WaitNotYet         core.Reason = "not-scheduled-yet"      // it fits; the next cycle will allocate it
	NodeDraining       core.Reason = "draining"               // from here: causes for which a node is refused, in the order of the checks
	NodeNotRequired    core.Reason = "not-the-required-node"
	NodeConstraint     core.Reason = "constraint" // Detail: the attribute
	NodeTooSmall       core.Reason = "too-small"  // even empty; Detail: the resource type
	NodeWindow         core.Reason = "window"     // a window lets only others be placed there, or the ask would not end before it; Detail: its ID
	NodeClaimed        core.Reason = "kept"       // claimed by an ask that preempts there, regardless of room
	NodeFull           core.Reason = "full"       // Detail: the resource type
	NodeDevices        core.Reason = "devices"    // its devices have enough in sum, but not on so few; Detail: the amount and the type
	NodeReserved       core.Reason = "reserved"   // has room, but is reserved for another ask
	NodePlanned        core.Reason = "planned"    // has room, but the ask would still be there when a planned ask starts
	NodePredicate      core.Reason = "predicate"  // refused by a host predicate or a node.filter policy; Detail: its code
	WaitNothingPending core.Reason = "nothing-pending"
)

// NotAsked is the detail of nodes about which the predicates have not been asked yet. The next cycle may ask.
const NotAsked = "not asked yet"

// HeadroomShortfall is an amount of a type that a queue's headroom lacks.
type HeadroomShortfall struct {
	Queue   string
	Type    string
	Missing int64 // the ask's amount minus max(headroom, 0) of this queue alone; positive
	Used    int64 // usage that counts towards its max, including claims
	Max     int64 // of root, the cluster's total
	Milli   bool  `json:",omitempty"` // the amounts are thousandths of a device
}

// NodeCount is the number of nodes that are refused for one cause. A node counts once: for the first cause in the order of the codes and,
// among resources, the bytewise first type.
type NodeCount struct {
	Reason core.Reason
	Detail string // attribute, resource type, ID of a window, or code of a predicate as text or number
	Nodes  int
}

// AskExplanation explains an ask at the time of the question: why it is pending, or where it is allocated.
type AskExplanation struct {
	ID       string
	App      string
	Queue    string        // full name
	Pending  bool          // if false, it is allocated on Node, and the reasons for waiting are not set
	Node     string        // node on which it is allocated, or which it has reserved or claimed
	Reserved bool          // it holds a reservation on Node
	Claimed  bool          `json:"kept"` // it preempted, and claims Node until its victims have left
	Gone     bool          // it was preempted and has left; only ID and Victim are set
	Since    time.Duration // submission time of a pending ask, or else allocation time
	// Walltime is how long its allocation promises to run at most, 0 if it promises no end. Ends is the promised end of an allocation, if any. At
	// that time it is asked to leave, unless MayStay.
	Walltime time.Duration  `json:",omitempty"`
	Ends     *time.Duration `json:",omitempty"`
	MayStay  bool           `json:",omitempty"`
	// Preempted is how often it was preempted, also before it was asked for again under its ID.
	Preempted int64 `json:",omitempty"`
	// Submitted is the submission time or, of a restored allocation, the time of restoring.
	Submitted time.Duration
	Resources resource.Set // demand
	Priority  int32        // its own priority
	// Originator, Preempts and Preemptable are its options: it is preempted last; it may preempt others; it may be preempted like others.
	Originator, Preempts, Preemptable bool
	// Required is the ID of its required node, if any. NoSuchNode says that no node has this ID.
	Required   string
	NoSuchNode bool
	Seen       []Seen              // its priority as seen by the parent of each queue on its path, from the leaf upwards
	Place      int                 // from 1: its position among all pending asks, in scheduling order
	Reasons    []core.Reason       // all reasons why it waits, in the order of the codes
	Shortfalls []HeadroomShortfall `json:"lacks"` // for WaitHeadroom: from the leaf upwards; types bytewise
	Limits     []LimitShortfall    // limits that bar it: from the leaf upwards, the user's before the group's; types bytewise, applications last
	Blocked    []string            // for WaitMaxApps: the queues at maxapplications, leaf first
	Nodes      []NodeCount
	Fits       int // number of nodes that would take it now
	// Candidates are, in the order in which nodes are tried, the first nodes that would take it, and before these the first ones that would
	// not; at most MostCandidates of each.
	Candidates []Candidate
	NodePolicy string     // the policy that orders the nodes
	Holders    []Holder   // of nodes that are reserved or claimed for others, by node; at most MostHolders
	Mismatches []Mismatch // one for each of its constraints that some nodes do not meet
	// Planned is its planned start, or nil. Unplanned says why it has none where starts are planned.
	Planned   *PlanExplanation `json:",omitempty"`
	Unplanned core.Reason      `json:",omitempty"`
	// PlannedRoom is set for WaitPlanned. Shorter is a walltime with which it would start now, or nil.
	PlannedRoom *PlannedRoom `json:",omitempty"`
	Shorter     *Shorter     `json:",omitempty"`
	// Atomic is the atomic gang with which it is allocated together, or nil.
	Atomic *AtomicGang
	// Running is the atomic gang of an allocation, or nil.
	Running *RunningGang
	// Never lists bounds that the ask alone exceeds. It cannot run with the current configuration and nodes.
	Never      []Bound
	Preemption string `json:"verdict"` // sentence about preemption
	// Victim says which ask preempted it; nil if it was not preempted.
	Victim *VictimExplanation
	Gang   *GangExplanation   // of its application; nil if it has no placeholders
	Member *MemberExplanation // nil like Gang
	Text   string             // the explanation in sentences
}

// AtomicGang is the state of an atomic gang.
type AtomicGang struct {
	ID      string
	Pending int // number of pending members
	Resting int // of Pending: those that wait for placeholders, or to replace one
	Min     int // number of members that must be allocated together: gang_min minus Succeeded
	// Succeeded is the number of members that have succeeded, including earlier ones.
	Succeeded int
	Ends      time.Duration // when its pending members are rejected or, with Fallback, become ordinary asks; 0: never
	Fallback  bool
	// Accumulates says that room is held for Held until HeldUntil, or until it is placed: enough asks behind it have been placed.
	Accumulates bool                `json:",omitempty"`
	HeldUntil   time.Duration       `json:",omitempty"`
	Held        []Held              `json:",omitempty"`
	Fits        int                 // number of members, in order, that fit together; at most Min
	Unplaced    string              `json:"barred"` // the first member that does not fit, if fewer than Min fit
	Shortfalls  []HeadroomShortfall `json:"lacks"`  // why Unplaced does not fit in addition to those that do
	Limits      []LimitShortfall    // like Shortfalls
	Nodes       []NodeCount
	// Domains says how many members each domain of Level has room for. It is nil if the gang names no level.
	Domains *GangDomains
	Set     *GangSet `json:",omitempty"` // nil if the gang waits for itself
}

// GangSet is a set of gangs, some of which start together.
type GangSet struct {
	ID       string
	Min      int // number of gangs that start together
	Complete int // number of gangs that have enough members pending
	Fits     int // number of gangs, in order, that fit together; at most Min
}

// Held is a pending member of a gang for which room is held on a node.
type Held struct{ Ask, Node string }

// RunningGang is the state of an atomic gang that was allocated or, if it has no ID, of an application with placeholders that is preempted as
// one.
type RunningGang struct {
	ID       string
	Running  int    // number of members that are allocated and not leaving
	Min      int    // number of members that it needs: gang_min minus those that have succeeded
	Surplus  int    // number of members that may be preempted while the others run on
	ByMember bool   // its members are preempted one by one: its gang_disruption, or preemption.gangs of its queue
	Text     string // the state in a sentence
	// Keeps lists what the allocations of an application with placeholders must add up to so that they run on.
	Keeps []Kept
}

// Kept is an amount of a type that has to be left of a gang.
type Kept struct {
	Type  string
	Has   int64
	Min   int64
	Milli bool `json:",omitempty"` // the amounts are thousandths of a device
}

// Bound is a bound that an ask alone exceeds. If Type is empty, each amount fits some node, but no node has all of them.
type Bound struct {
	Queue string // the queue with the max; empty for the largest node that the ask may run on
	Type  string
	Needs int64 // the ask's amount
	Most  int64 // the bound
	Milli bool  `json:",omitempty"` // the amounts are thousandths of a device
}

// Seen is an ask's priority as seen by the parent of a queue.
type Seen struct {
	Queue    string
	Priority int32
}

// AppExplanation explains why an application waits.
type AppExplanation struct {
	ID          string
	Queue       string
	State       string
	Since       time.Duration // start of the state
	Pending     int           // number of pending asks
	Allocations int
	HasPriority bool  // false if no ask is pending
	Priority    int32 // the highest of its pending asks
	Reasons     []core.Reason
	Blocked     []string
	Group       string           // the group whose limits it counts for, if any
	Place       int              // from 1: its position among the applications of its queue with pending asks; 0 if it has none
	HasPlace    bool             // it counts under maxapplications of queues and limits
	Limits      []LimitShortfall // limits at maxapplications that keep it from starting
	Preempted   int64            `json:",omitempty"` // number of its allocations that were preempted
	Waits       []string         // IDs of its first ten pending asks, in order
	Gang        *GangExplanation // nil if it has no placeholders
	// Placement says which rule chose its queue, and the results of the rules before; nil if there were no rules.
	Placement *PlacementExplanation
	Text      string
}

// QueueExplanation explains the state of a queue, and why its asks wait.
type QueueExplanation struct {
	QueueState core.QueueDump
	Template   string              // of a dynamic leaf: the ancestor whose child template it uses, as shown; empty if none
	Reasons    []core.Reason       // why no ask in it is allocated now
	Shortfalls []HeadroomShortfall `json:"lacks"` // of its first pending ask that lacks headroom
	Quota      *QuotaExplanation   // nil if it does not use more than its max
	Settings   []Setting           // settings in force, including defaults; by name
	Fence      string              // the nearest preemption fence, from this queue upwards; empty if none
	Text       string
}

// Setting is a property in force for a queue.
type Setting struct {
	Name, Value string
	From        string // the queue that sets it: this one or an ancestor; empty for the default
	Template    bool   // the child template of From sets it
}
