package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// DecisionType is the kind of a decision, named as in the journal.
type DecisionType string

// The types of decisions. Each lists the fields of Decision that it carries, in the order in which the journal writes them.
const (
	AppAccepted    DecisionType = "app.accepted"         // ID, Queue, Partition
	AppRejected    DecisionType = "app.rejected"         // ID, Reason, Message, Partition
	AppState       DecisionType = "app.state"            // ID, From, To, Reason
	AppMoved       DecisionType = "app.moved"            // ID, From, To: queues
	NodeAccepted   DecisionType = "node.accepted"        // ID, Partition
	NodeRejected   DecisionType = "node.rejected"        // ID, Reason, Message, Partition
	AskRejected    DecisionType = "ask.rejected"         // ID, App, Reason, Message
	Allocation     DecisionType = "allocation"           // ID, App, Queue, Node, Priority, Resources, Devices
	Release        DecisionType = "release"              // ID, Reason; and App, Queue, Node, Resources and Began, which the journal does not write
	Preemption     DecisionType = "preemption"           // ID, For (by quota: Quota), Node, Queue, Right, Gang and GangEnded if it is a member, Approximate
	Observed       DecisionType = "preemption.observed"  // as Preemption, if the partition only observes preemption: no victim was asked to leave
	Lapsed         DecisionType = "preemption.lapsed"    // For, Node, Reason: the node claimed for an ask is free again, and the ask was not allocated
	Replaced       DecisionType = "placeholder.replaced" // ID, For, Node: the placeholder leaves for an ask, which will be allocated on Node
	TimedOut       DecisionType = "placeholder.timeout"  // ID, App, Node, Reason: a placeholder leaves; one without Node was pending and has been removed
	Exceeded       DecisionType = "walltime.exceeded"    // ID, App, Node, Reason: an allocation has stayed after its promised end, and must leave
	GangFallback   DecisionType = "gang.fallback"        // App, Gang, Reason: from now on, the pending members of an atomic gang are placed individually
	GangBroken     DecisionType = "gang.broken"          // App, Gang, Allocated, Min, Reason: too few members of an atomic gang are left
	GangRepaired   DecisionType = "gang.repaired"        // App, Gang, Allocated, Min: enough members of a broken gang are allocated again
	GangEnded      DecisionType = "gang.ended"           // App, Gang, Allocated, Min: a gang was broken for too long, and its last members leave
	Reservation    DecisionType = "reservation"          // ID, Node
	Unreservation  DecisionType = "unreservation"        // ID, Node, Reason where one of those below applies
	Plan           DecisionType = "plan"                 // ID, App, Gang, Start, Node or (of a gang) Nodes, Reason: the planned start of a blocked ask, or of a gang whose first pending member is ID
	ConfigAccepted DecisionType = "config.accepted"      // Warnings
	ConfigRejected DecisionType = "config.rejected"      // Errors
	PolicyFault    DecisionType = "policy.fault"         // Policy, Reason, Message, Fallback
	QueueState     DecisionType = "queue.state"          // Queue, From, To, Reason, Partition
	WindowAccepted DecisionType = "window.accepted"      // ID, Partition
	WindowRejected DecisionType = "window.rejected"      // ID, Reason, Message, Partition
	WindowOpened   DecisionType = "window.opened"        // ID, Nodes: those that applications still use which it does not name, Partition
	WindowClosed   DecisionType = "window.closed"        // ID, Partition
	Ignored        DecisionType = "ignored"              // ID, Input, Reason, Message
)

// Member is an allocation that leaves with its gang.
type Member struct {
	ID        string
	Placement uint64 // position in the order of allocation
}

// Decision is one decision of the scheduler. The comment of its type lists the fields that it carries; the others are zero. Its strings
// and sets are never changed, and may be kept.
type Decision struct {
	Seq       uint64 // from 1, without gaps
	At        time.Duration
	Type      DecisionType
	ID        string
	App       string
	Queue     string // full name, lower case
	Node      string
	Nodes     []string // of a window, by ID; of the plan of a gang, one for each member, in their order
	For       string
	Gang      string // the ID of an atomic gang, within App; of a victim, within its application
	GangEnded bool   // all members of the victim's gang leave with it
	Allocated int    // number of members that are allocated and not leaving
	Min       int    // number of members that the gang needs

	Members     []Member // GangEnded: the allocations that leave, in the order of allocation; the journal does not write them
	Quota       string   // the queue above its max, full name
	Right       Right
	Partition   string // in lower case; empty for the first
	Priority    int32
	Resources   resource.Set
	Devices     []PlacedDevices // of an allocation
	From, To    string
	Input       InputType
	Policy      string
	Fallback    string
	Reason      Reason
	Message     string
	Approximate bool
	Warnings    []string
	Errors      []string

	// Began is when a released allocation was made. A placeholder has neither Began nor Resources: it runs nothing.
	Began time.Duration

	Start *time.Duration // of a plan; nil if the plan has ended

	// Sequence numbers for readers that keep arrays of asks instead of maps of names. The journal does not contain them. Both count
	// from 1 and include restored allocations.
	Submission uint64 // Allocation, Release: position of the ask in the order in which asks were accepted
	Placement  uint64 // Preemption, Observed, Replaced, Exceeded, TimedOut with a Node: position of the leaving allocation in the order of allocation
}

// Right is the rule that permits a preemption.
type Right string

// The rights.
const (
	RightGuarantee    Right = "guarantee"     // a queue of the ask is below its guarantee
	RightQueue        Right = "queue"         // both are in one leaf, in which higher priorities preempt lower ones
	RightRequiredNode Right = "required-node" // the ask requires this node
	RightQuota        Right = "quota"         // the queue Quota is above its max
	RightSurplus      Right = "surplus"       // the victims are members that elastic gangs of other applications do not need
)

// RightOf returns the right by which an ask preempts. An ask with a required node has no other right, and guarantees do not apply
// within a leaf. The right surplus does not follow from an ask.
func RightOf(requiresNode, sameLeaf bool) Right {
	switch {
	case requiresNode:
		return RightRequiredNode
	case sameLeaf:
		return RightQueue
	}
	return RightGuarantee
}

// Reason is a constant code. Dashboards count reasons and features assert them. Messages are built from them and never parsed.
type Reason string

// Accepted is the result of an accepted input.
const Accepted Reason = ""

// Reasons of rejected and ignored inputs.
const (
	ReasonDuplicate          Reason = "duplicate"           // the ID is already in use
	ReasonUnknownQueue       Reason = "unknown-queue"       // no queue has this name
	ReasonNoQueue            Reason = "no-queue"            // the input names no queue, and no rule places the application
	ReasonNotALeaf           Reason = "not-a-leaf"          // applications run in leaf queues only
	ReasonQueueDraining      Reason = "queue-draining"      // the queue accepts no new applications
	ReasonUnknownApplication Reason = "unknown-application" // no live application has this ID
	ReasonUnknownNode        Reason = "unknown-node"        // no node has this ID
	ReasonUnknownAsk         Reason = "unknown-ask"         // no ask and no allocation has this ID
	ReasonNotPending         Reason = "not-pending"         // the ask is already allocated
	ReasonNotAllocated       Reason = "not-allocated"       // the ask is still pending
	ReasonNoResources        Reason = "no-resources"        // an ask must request at least one resource
	ReasonUnknownPartition   Reason = "unknown-partition"   // no partition has this name
	ReasonNotPlaced          Reason = "not-placed"          // no placement rule yields a usable queue
	ReasonAccessDenied       Reason = "access-denied"       // the user may not submit to the queue
	ReasonNameTooLong        Reason = "name-too-long"       // a name is longer than 1024 bytes, or the texts are longer than 64 KiB together
	ReasonBadTag             Reason = "bad-tag"             // a tag that sets a quota of the queue is not valid
	ReasonGangSortPolicy     Reason = "gang-sort-policy"    // gangs require a leaf that sorts by fifo or stateaware
	ReasonGangTooLarge       Reason = "gang-too-large"      // the placeholders exceed a max or a limit
	ReasonNotAGang           Reason = "not-a-gang"          // a placeholder of an application that has no placeholder_ask
	ReasonNoTaskGroup        Reason = "no-task-group"       // a placeholder must name its task group
	ReasonAppFailing         Reason = "app-failing"         // the application accepts no more asks
	ReasonGangOverMax        Reason = "gang-over-max"       // the gang has as many members as its gang_max
	ReasonGangMismatch       Reason = "gang-mismatch"       // a member differs from the others in a setting of the gang
	ReasonUnknownLevel       Reason = "unknown-level"       // the topology of the partition has no level with this name
	ReasonBadWindow          Reason = "bad-window"          // the times or the nodes of a window do not make one
	ReasonUnknownWindow      Reason = "unknown-window"      // no window has this ID
	ReasonConfigured         Reason = "configured"          // the window is in the configuration, and ends with a reload without it
	ReasonWalltimeTooLong    Reason = "walltime-too-long"   // the walltime exceeds the walltime.max of the queue
	ReasonBadManifest        Reason = "bad-manifest"        // a policy's manifest is not valid
	ReasonUnknownPolicy      Reason = "unknown-policy"      // no policy has this name
	ReasonAmountOverflow     Reason = "amount-overflow"     // the cluster's total, or a usage, would exceed 2^63-1
	ReasonNotADeviceType     Reason = "not-a-device-type"   // the configuration names no such type of devices
	ReasonDeviceAmount       Reason = "device-amount"       // an amount of devices that follows from the devices themselves, or belongs to particular ones
	ReasonBadState           Reason = "bad-state"           // a snapshot is damaged, incomplete or of another version
	ReasonStateDiffers       Reason = "state-differs"       // a snapshot describes another cluster than the inputs before it
	ReasonInvalidConfig      Reason = "invalid-config"      // only returned by Apply: the decision, config.rejected, lists errors instead
)

// Reasons why an application cannot move to a queue, in addition to those above. With its usage, the queue would exceed this bound:
const (
	ReasonHeadroom             Reason = "headroom"               // the max of a queue
	ReasonMaxApplications      Reason = "max-applications"       // the maxapplications of a queue
	ReasonUserLimit            Reason = "user-limit"             // the maxresources of the user
	ReasonGroupLimit           Reason = "group-limit"            // the maxresources of the group
	ReasonUserMaxApplications  Reason = "user-max-applications"  // the maxapplications of the user
	ReasonGroupMaxApplications Reason = "group-max-applications" // the maxapplications of the group
)

// Reasons why a reservation ends (the first three) or a claim ends. A reservation that ends for another cause has no reason.
const (
	ReasonNotStartable Reason = "not-startable"    // the application may not receive allocations at the moment
	ReasonRequiredNode Reason = "required-node"    // another ask requires the node, which is now held for it
	ReasonNoHeadroom   Reason = "no-headroom"      // a max, or a limit of its user or group, no longer has room for the ask
	ReasonWithdrawn    Reason = "withdrawn"        // the ask or its application was removed
	ReasonNodeGone     Reason = "node-removed"     // the node was removed
	ReasonNoLongerFits Reason = "no-longer-fits"   // the ask would not fit even if all its victims had left
	ReasonMoved        Reason = "moved"            // its application moved to another queue
	ReasonElsewhere    Reason = "landed-elsewhere" // the ask was allocated on another node, since its victims had not left in time
)

// Reasons of a release.
const (
	ReasonFinished    Reason = "finished"
	ReasonPreempted   Reason = "preempted"
	ReasonTimeout     Reason = "timeout"
	ReasonReplaced    Reason = "replaced"
	ReasonNodeRemoved Reason = "node_removed"
	ReasonAppRemoved  Reason = "app_removed"
	ReasonGangBroken  Reason = "gang_broken" // its gang was broken for longer than gang_repair
)

// Reasons of a change of an application's state.
const (
	ReasonAskAdded         Reason = "ask-added"          // New -> Accepted, Completing -> Running
	ReasonFirstAllocation  Reason = "first-allocation"   // Accepted -> Starting, or -> Running by tag
	ReasonSecondAllocation Reason = "second-allocation"  // Starting -> Running
	ReasonStartingTimeout  Reason = "starting-timeout"   // Starting -> Running after 5 minutes
	ReasonIdle             Reason = "idle"               // -> Completing: no asks and no allocations left
	ReasonCompletingDone   Reason = "completing-timeout" // Completing -> Completed after 30 seconds
	ReasonAppRemovedState  Reason = "app-removed"        // -> Completed at once
	ReasonExpired          Reason = "expired"            // Completed -> Expired after 3 days
	ReasonGangFormed       Reason = "gang-formed"        // Accepted -> Starting, or -> Running by tag: the allocated placeholders add up to placeholder_ask
	ReasonGangTimeout      Reason = "gang-timeout"       // Accepted -> Resuming or Failing; of an ask: its atomic gang was not placed in time
	ReasonGangOver         Reason = "gang-over"          // Resuming -> Accepted: the last placeholder has left; of a placeholder: its gang has failed
	ReasonStateSet         Reason = "state-set"          // any -> any: a journal began with this state
	ReasonFailed           Reason = "failed"             // Failing -> Failed: the last allocation has left
)

// Reasons for the end of a placeholder, in addition to ReasonTimeout.
const (
	ReasonTooSmall      Reason = "too-small"      // a task of its group is larger than it and does not fit
	ReasonAppCompleting Reason = "app-completing" // its application is Completed
)

// Reasons of walltime.exceeded. The second is also a reason why a reservation or a claim ends.
const (
	ReasonWalltime Reason = "walltime" // the walltime has passed
	ReasonWindow   Reason = "window"   // a window closes the node to the application, or ends
)

// Reasons of a plan. The first three say why it was made or became better, and those up to ReasonChanged, and
// ReasonWindow, why it is later or elsewhere.
const (
	ReasonPlanned    Reason = "planned"      // it is new
	ReasonEarlier    Reason = "earlier"      // the start is earlier
	ReasonNode       Reason = "node"         // the start is the same, on another node
	ReasonOutranked  Reason = "outranked"    // an ask of higher priority, a preemption or a held node took its room
	ReasonOverrun    Reason = "overrun"      // an allocation stayed after its promised end, or promises a later one
	ReasonCapacity   Reason = "capacity"     // a node shrank, left or drained, or a max or limit fell
	ReasonChanged    Reason = "changed"      // the ask, its walltime or its queue changed
	ReasonUnplanned  Reason = "unplanned"    // no plan any more: others come before it, and no more than the depth get plans
	ReasonBarred     Reason = "barred"       // no plan any more: it could not start even on an empty cluster
	ReasonOutOfReach Reason = "out-of-reach" // no plan any more: it cannot start within the horizon
)

// ReasonMemberFailed is a reason why a gang is broken, in addition to ReasonNodeRemoved, ReasonPreempted and ReasonTimeout.
const ReasonMemberFailed Reason = "failed"

// Reasons of a change of a queue's state.
const (
	ReasonQueueRemoved  Reason = "removed"  // active -> draining: a reload left out a queue in use
	ReasonQueueRestored Reason = "restored" // draining -> active: a reload brought it back
	ReasonQueueEmpty    Reason = "empty"    // draining, or active if it is dynamic -> stopped: its last application has ended, and the queue is removed
	ReasonQueueCreated  Reason = "created"  // stopped -> active: a placement rule created it
)

// Reasons of a policy fault. The module's own text is in the message.
const (
	ReasonPolicyFailed   Reason = "failed"     // it returned an error
	ReasonPolicyAnswer   Reason = "bad-answer" // NaN, or an answer that the extension point does not allow
	ReasonPolicyMissing  Reason = "missing"    // no policy answers under this name
	ReasonPolicyRemoved  Reason = "removed"    // it was removed while in use
	ReasonPolicyImpure   Reason = "impure"     // it gave two answers to the same call
	ReasonPolicyUnstable Reason = "unstable"   // too many of its calls failed at the first attempt
	ReasonPolicyDiverged Reason = "diverged"   // a recorded answer belongs to another question
)

// States of an application.
const (
	StateNew        = "New"
	StateAccepted   = "Accepted"
	StateStarting   = "Starting"
	StateRunning    = "Running"
	StateResuming   = "Resuming"
	StateCompleting = "Completing"
	StateCompleted  = "Completed"
	StateRejected   = "Rejected"
	StateFailing    = "Failing"
	StateFailed     = "Failed"
	StateExpired    = "Expired"
)

// States of a queue.
const (
	QueueActive   = "active"
	QueueDraining = "draining"
	QueueStopped  = "stopped"
)
