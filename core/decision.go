package core

import (
	"time"

	"github.com/quern-project/quern/core/resource"
)

// DecisionType says what the scheduler did. The names are those of the journal.
type DecisionType string

// The decisions. Each lists the fields of Decision that it carries, in the order in which the journal writes them.
const (
	AppAccepted    DecisionType = "app.accepted"         // ID, Queue, Partition
	AppRejected    DecisionType = "app.rejected"         // ID, Reason, Message, Partition
	AppState       DecisionType = "app.state"            // ID, From, To, Reason
	AppMoved       DecisionType = "app.moved"            // ID, From, To: queues
	NodeAccepted   DecisionType = "node.accepted"        // ID, Partition
	NodeRejected   DecisionType = "node.rejected"        // ID, Reason, Message, Partition
	AskRejected    DecisionType = "ask.rejected"         // ID, App, Reason, Message
	Allocation     DecisionType = "allocation"           // ID, App, Queue, Node, Priority, Resources
	Release        DecisionType = "release"              // ID, Reason; and App, Queue and Node, which the journal does not write
	Preemption     DecisionType = "preemption"           // ID, For (by quota: Quota), Node, Queue, Right, Approximate
	Observed       DecisionType = "preemption.observed"  // as Preemption, where the partition only observes: no victim was told
	Lapsed         DecisionType = "preemption.lapsed"    // For, Node, Reason: the node kept for an ask is free again, and the ask did not land
	Replaced       DecisionType = "placeholder.replaced" // ID, For, Node: the placeholder leaves for an ask, which lands on Node
	TimedOut       DecisionType = "placeholder.timeout"  // ID, App, Node, Reason: a placeholder leaves; one without Node was pending, and is gone
	GangFallback   DecisionType = "gang.fallback"        // App, Gang, Reason: the pending members of an atomic gang are placed by themselves from now on
	Reservation    DecisionType = "reservation"          // ID, Node
	Unreservation  DecisionType = "unreservation"        // ID, Node, Reason where one of those below applies
	ConfigAccepted DecisionType = "config.accepted"      // Warnings
	ConfigRejected DecisionType = "config.rejected"      // Errors
	PolicyFault    DecisionType = "policy.fault"         // Policy, Reason, Message, Fallback
	QueueState     DecisionType = "queue.state"          // Queue, From, To, Reason, Partition
	Ignored        DecisionType = "ignored"              // ID, Input, Reason, Message
)

// Decision is one thing the scheduler decided. Which fields count is said at its type; the others are zero. Its
// strings and sets may be kept; they are never changed.
type Decision struct {
	Seq         uint64 // from 1, without gaps
	At          time.Duration
	Type        DecisionType
	ID          string
	App         string
	Queue       string // full name, lower case
	Node        string
	For         string
	Gang        string // the ID of an atomic gang, within App
	Quota       string // the queue that is over its max, full name
	Right       Right
	Partition   string // in lower case; empty: the first
	Priority    int32
	Resources   resource.Set
	From, To    string
	Input       InputType
	Policy      string
	Fallback    string
	Reason      Reason
	Message     string
	Approximate bool
	Warnings    []string
	Errors      []string

	// Numbers for those that follow a scheduler and keep arrays of asks rather than maps of names; the journal does not
	// write them. Both count from 1, restored allocations included.
	Submission uint64 // Allocation, Release: place of the ask in the order in which asks were accepted
	Placement  uint64 // Preemption, Observed, Replaced, TimedOut with a Node: place of the leaving allocation in the order of allocation
}

// Right says what entitles an ask, or a queue over its max, to an allocation.
type Right string

// The rights.
const (
	RightGuarantee    Right = "guarantee"     // a queue of the ask uses less than it is guaranteed
	RightQueue        Right = "queue"         // both are in one leaf, in which higher priorities preempt lower ones
	RightRequiredNode Right = "required-node" // the ask runs on this node only
	RightQuota        Right = "quota"         // the queue Quota uses more than its max
)

// RightOf is the right by which an ask preempts: an ask with a required node has no other, and guarantees move nothing within a leaf.
func RightOf(requiresNode, sameLeaf bool) Right {
	switch {
	case requiresNode:
		return RightRequiredNode
	case sameLeaf:
		return RightQueue
	}
	return RightGuarantee
}

// Reason is a constant code: dashboards count it and features assert it. Messages are built from it, never parsed.
type Reason string

// Accepted is the result of an input that was not refused.
const Accepted Reason = ""

// Reasons of rejections and of inputs that were ignored.
const (
	ReasonDuplicate          Reason = "duplicate"           // the ID is taken
	ReasonUnknownQueue       Reason = "unknown-queue"       // no queue has this name
	ReasonNoQueue            Reason = "no-queue"            // the queue was left out, and nothing places the application
	ReasonNotALeaf           Reason = "not-a-leaf"          // applications run in leaf queues only
	ReasonQueueDraining      Reason = "queue-draining"      // the queue takes no new applications
	ReasonUnknownApplication Reason = "unknown-application" // no live application has this ID
	ReasonUnknownNode        Reason = "unknown-node"        // no node has this ID
	ReasonUnknownAsk         Reason = "unknown-ask"         // no ask and no allocation has this ID
	ReasonNotPending         Reason = "not-pending"         // the ask is allocated already
	ReasonNotAllocated       Reason = "not-allocated"       // the ask is still pending
	ReasonNoResources        Reason = "no-resources"        // an ask must ask for something
	ReasonUnknownPartition   Reason = "unknown-partition"   // no partition has this name
	ReasonNotPlaced          Reason = "not-placed"          // no placement rule yields a queue that can be used
	ReasonAccessDenied       Reason = "access-denied"       // the user may not submit to the queue
	ReasonNameTooLong        Reason = "name-too-long"       // a name has more than 1024 bytes, or the texts have more than 64 KiB together
	ReasonBadTag             Reason = "bad-tag"             // a tag that sets a quota of the queue cannot be read
	ReasonGangSortPolicy     Reason = "gang-sort-policy"    // gangs run in leaves that sort by fifo or stateaware
	ReasonGangTooLarge       Reason = "gang-too-large"      // the placeholders pass a max or a limit
	ReasonNotAGang           Reason = "not-a-gang"          // a placeholder of an application without placeholder_ask
	ReasonNoTaskGroup        Reason = "no-task-group"       // a placeholder must name its task group
	ReasonAppFailing         Reason = "app-failing"         // the application takes no asks any more
	ReasonGangMismatch       Reason = "gang-mismatch"       // a member differs from the others in the minimum or the timeout
	ReasonBadManifest        Reason = "bad-manifest"        // a policy's manifest cannot be used
	ReasonUnknownPolicy      Reason = "unknown-policy"      // no policy has this name
	ReasonAmountOverflow     Reason = "amount-overflow"     // the cluster's total, or a usage, would pass 2^63-1
	ReasonBadState           Reason = "bad-state"           // a snapshot is damaged, incomplete or of another version
	ReasonStateDiffers       Reason = "state-differs"       // a snapshot tells of another cluster than the inputs before it
	ReasonInvalidConfig      Reason = "invalid-config"      // of Apply only: the decision, config.rejected, lists errors instead
)

// Reasons for which an application cannot move to a queue, beside those above: with its usage, the bound would not hold.
const (
	ReasonHeadroom             Reason = "headroom"               // the max of a queue
	ReasonMaxApplications      Reason = "max-applications"       // the maxapplications of a queue
	ReasonUserLimit            Reason = "user-limit"             // the maxresources of the user
	ReasonGroupLimit           Reason = "group-limit"            // the maxresources of the group
	ReasonUserMaxApplications  Reason = "user-max-applications"  // the maxapplications of the user
	ReasonGroupMaxApplications Reason = "group-max-applications" // the maxapplications of the group
)

// Reasons of the end of a reservation (the first three) or of a kept node. A reservation that ends for another cause has none.
const (
	ReasonNotStartable Reason = "not-startable"    // the application may not be allocated to at the moment
	ReasonRequiredNode Reason = "required-node"    // the node is held for an ask that requires it
	ReasonNoHeadroom   Reason = "no-headroom"      // a max, or a limit of its user or group, does not let the ask in any more
	ReasonWithdrawn    Reason = "withdrawn"        // the ask was removed, or its application
	ReasonNodeGone     Reason = "node-removed"     // the node was removed
	ReasonNoLongerFits Reason = "no-longer-fits"   // the ask would not fit with all its victims gone
	ReasonMoved        Reason = "moved"            // its application went to another queue
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
)

// Reasons of an application's change of state.
const (
	ReasonAskAdded         Reason = "ask-added"          // New -> Accepted, Completing -> Running
	ReasonFirstAllocation  Reason = "first-allocation"   // Accepted -> Starting, or -> Running by tag
	ReasonSecondAllocation Reason = "second-allocation"  // Starting -> Running
	ReasonStartingTimeout  Reason = "starting-timeout"   // Starting -> Running after 5 minutes
	ReasonIdle             Reason = "idle"               // -> Completing: no asks and no allocations left
	ReasonCompletingDone   Reason = "completing-timeout" // Completing -> Completed after 30 seconds
	ReasonAppRemovedState  Reason = "app-removed"        // -> Completed at once
	ReasonExpired          Reason = "expired"            // Completed -> Expired after 3 days
	ReasonGangFormed       Reason = "gang-formed"        // Accepted -> Starting, or -> Running by tag: the placeholders have their room
	ReasonGangTimeout      Reason = "gang-timeout"       // Accepted -> Resuming or Failing; of an ask: its atomic gang was not placed in time
	ReasonGangOver         Reason = "gang-over"          // Resuming -> Accepted: the last placeholder has left; of a placeholder: its gang has failed
	ReasonStateSet         Reason = "state-set"          // any -> any: a journal began with this state
	ReasonFailed           Reason = "failed"             // Failing -> Failed: the last allocation has left
)

// Reasons of the end of a placeholder, beside ReasonTimeout.
const (
	ReasonTooSmall      Reason = "too-small"      // the task does not fit in its place
	ReasonAppCompleting Reason = "app-completing" // its application is Completed
)

// Reasons of a queue's change of state.
const (
	ReasonQueueRemoved  Reason = "removed"  // active -> draining: a reload left out a queue in use
	ReasonQueueRestored Reason = "restored" // draining -> active: a reload brought it back
	ReasonQueueEmpty    Reason = "empty"    // draining, or active if it is dynamic -> stopped: its last application is gone, and so is the queue
	ReasonQueueCreated  Reason = "created"  // stopped -> active: a placement rule has made it
)

// Reasons of a policy fault; a module's own text stands in the message.
const (
	ReasonPolicyFailed   Reason = "failed"     // it returned an error
	ReasonPolicyAnswer   Reason = "bad-answer" // NaN, or an answer outside of what the point allows
	ReasonPolicyMissing  Reason = "missing"    // nothing answers under this name
	ReasonPolicyRemoved  Reason = "removed"    // it was removed while in use
	ReasonPolicyImpure   Reason = "impure"     // it answered the same call in two ways
	ReasonPolicyUnstable Reason = "unstable"   // too many of its calls failed the first time
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
