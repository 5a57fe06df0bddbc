package explain

import (
	"time"

	"github.com/quern-project/quern/core"
)

// PreemptionKind is the right by which an ask preempts, as in decisions.
type PreemptionKind string

// The kinds.
const (
	ByGuarantee  = PreemptionKind(core.RightGuarantee)    // its queue is below its guarantee
	ByIntraQueue = PreemptionKind(core.RightQueue)        // the intra-queue option of its leaf
	ByNode       = PreemptionKind(core.RightRequiredNode) // it requires the node
	ByQuota      = PreemptionKind(core.RightQuota)        // not by an ask: a queue uses more than its max
	BySurplus    = PreemptionKind(core.RightSurplus)      // its gang does not need it
)

// Verdicts on whether an ask may preempt, in the order in which they are checked.
const (
	VerdictWaits          core.Reason = "waits-for-victims" // it has preempted, and claims its node until the victims have left
	VerdictNeverPreempts  core.Reason = "preempts-nobody"   // its preempt_others is false
	VerdictSurplusAsk     core.Reason = "surplus-ask"       // it would make its gang larger than the gang needs to be
	VerdictGang           core.Reason = "waits-for-gang"    // it waits for its gang, or to replace a placeholder
	VerdictBlocked        core.Reason = "may-not-start"     // its application gets no allocations: maxapplications, or the order's filter
	VerdictLimited        core.Reason = "limited"           // a limit of its user or group has no room for it; preemption does not help
	VerdictIncomplete     core.Reason = "gang-incomplete"   // its gang preempts as a whole, and has too few members
	VerdictSet            core.Reason = "waits-for-set"     // its gang starts together with others of its set, which preempts nothing
	VerdictNoNode         core.Reason = "no-node"           // no node would take it, even without allocations
	VerdictDrained        core.Reason = "drained"           // every node that would take it without allocations is drained
	VerdictMax            core.Reason = "over-max"          // it is larger than the max of a queue on its path
	VerdictNeedsNoVictims core.Reason = "needs-nobody"      // a node takes it, now or once leaving allocations have left
	VerdictOff            core.Reason = "switched-off"      // the partition has preemption off
	VerdictDisabled       core.Reason = "disabled"          // preemption.policy is disabled for its queue or an ancestor
	VerdictFenced         core.Reason = "fenced"            // law 7: it is entitled to victims only outside its fence
	VerdictNotEntitled    core.Reason = "not-entitled"      // law 4: for no type that it needs, its queues are below a guarantee
	VerdictNoVictims      core.Reason = "no-victims"        // no node has enough preemptable allocations
	VerdictPreempts       core.Reason = "preempts"          // it preempts Victims on Node, at Due if its delay still runs
)

// Reasons why an allocation cannot be a victim of an ask, in the order in which they are checked.
const (
	ExcludedLeaving     core.Reason = "leaving"          // it is already leaving
	ExcludedSameApp     core.Reason = "same-application" // law 3
	ExcludedNode        core.Reason = "required-node"    // it has a required node
	ExcludedSameQueue   core.Reason = "same-queue"       // it is in the ask's leaf, which does not have the intra-queue option
	ExcludedOff         core.Reason = "switched-off"     // preemption by guarantees is off for the partition
	ExcludedAsker       core.Reason = "asker-disabled"   // preemption.policy is disabled for the ask's queue or an ancestor
	ExcludedDisabled    core.Reason = "disabled"         // preemption.policy is disabled for its own queue or an ancestor
	ExcludedFence       core.Reason = "fence"            // law 7
	ExcludedEntitlement core.Reason = "not-entitled"     // law 4, for the queue where ask and allocation meet
	ExcludedPriority    core.Reason = "priority"         // law 6
	ExcludedGuaranteed  core.Reason = "guaranteed"       // laws 2 and 5
	ExcludedGang        core.Reason = "gang"             // law 8: its gang has no surplus, and another member of it may not be a victim
	ExcludedGangShare   core.Reason = "gang-guaranteed"  // laws 2 and 8: its gang has no surplus, and is larger than what its queues use beyond their guarantees
	ExcludedYoung       core.Reason = "min-runtime"      // it has not run long enough
	ExcludedBudget      core.Reason = "budget"           // the preemption.budget of one of its queues permits no more victims now, or fewer than its gang has
	ExcludedGangBudget  core.Reason = "gang-over-budget" // its gang has no surplus, and is larger than the preemption.budget of one of its queues
	ExcludedReserved    core.Reason = "reserved"         // its node is claimed, or reserved for an ask of at least the same priority
)

// PreemptionExplanation explains which allocations an ask would preempt, or why it may not preempt.
type PreemptionExplanation struct {
	ID, App, Queue string
	Verdict        core.Reason
	Kind           PreemptionKind // for VerdictPreempts and VerdictWaits; ByGuarantee if there are several
	Due            time.Duration  // end of its delay; with a required node, its submission time
	Observed       bool           // the partition only observes preemption: there will be no victims
	Approximate    bool           // the search within a node ran out of steps, so a better set may exist
	// Node is the node of the victims, for VerdictPreempts and VerdictWaits, or else the node that comes closest, if any.
	Node       string
	Victims    []Victim       // for VerdictPreempts, all victims; for VerdictWaits, those that have not left yet; in order of allocation
	Next       *Alternative   // for VerdictPreempts: the best set on another node, or nil
	Laws       []Finding      // about the ask's own queues: one for each queue and type that matters
	Excluded   []Excluded     `json:"barred"` // allocations that cannot be victims, by queue and reason
	Short      []Shortfall    // on the closest node: amounts that would still be missing without all possible victims
	Never      []Bound        // for VerdictNoNode and VerdictMax: bounds that it alone exceeds
	Nodes      []NodeCount    // for VerdictNoNode: causes for which empty nodes are refused
	NonVictims []NonVictim    `json:"inWay"`      // on the closest node: allocations that cannot be victims, in order of allocation
	Again      *time.Duration `json:",omitempty"` // when it looks for victims again, since an allocation has run long enough or a budget permits more; nil: never
	Text       string
}

// Victim is an allocation that is preempted.
type Victim struct {
	ID, App, Queue string
	Priority       int32 // its own priority
	Kind           PreemptionKind
	Originator     bool
	OptedOut       bool   // its preemptable option is false
	Gang           string // the atomic gang that it belongs to
	EndsWith       int    // the number of members with which it leaves, if the whole gang does; otherwise 0
	Common         string // the lowest queue that contains its queue and the ask's
	Seen, ForSeen  int32  // the priorities of victim and ask as seen just below Common; for ByNode, their own
	// Over lists the guarantees that laws 2 and 5 check: of the victim's queues, for types that it uses. For ByQuota, it lists the types
	// of which the queue that releases it uses more than its max.
	Over []Finding
}

// Alternative is a set of victims that was not chosen.
type Alternative struct {
	Node    string
	Victims []string    // in order of allocation
	Worse   core.Reason // the first criterion by which the sets differ
}

// The criteria by which sets are compared, in this order.
const (
	WorseOriginators core.Reason = "more-originators"
	WorseOptedOuts   core.Reason = "more-opted-outs"
	WorseLasting     core.Reason = "less-surplus" // of elastic gangs
	WorsePriority    core.Reason = "higher-priority"
	WorseGangs       core.Reason = "more-gangs"
	WorseRank        core.Reason = "rank" // by the keys of a victim.rank policy
	WorseNumber      core.Reason = "more-victims"
	WorsePriorities  core.Reason = "higher-priorities"
	WorseExcess      core.Reason = "more-excess"
	WorseShares      core.Reason = "smaller-shares"
	WorseAge         core.Reason = "older"
)

// Finding is the usage of a type in a queue, compared with a guarantee or max. Law says which usage counts.
type Finding struct {
	Law        core.Reason // Law4: Used includes claims; Law5: Used is without leaving allocations; LawMax: Used is future usage, and Guaranteed is the max
	Queue      string
	Type       string
	Used       int64
	Guaranteed int64
	Holds      bool // the law is satisfied; Law4: below the guarantee; Law5: stays at or above it; LawMax: not above the max
	Milli      bool `json:",omitempty"` // the amounts are thousandths of a device
}

// The laws of findings.
const (
	Law4   core.Reason = "law-4"
	Law5   core.Reason = "law-5"
	LawMax core.Reason = "max"
)

// Excluded is the number of allocations of a queue that cannot be victims for one reason.
type Excluded struct {
	Queue       string
	Reason      core.Reason
	Allocations int
}

// Shortfall is an amount that would still be missing: on the node or, if Queue is set, below its max.
type Shortfall struct {
	Queue   string
	Type    string
	Missing int64
	Milli   bool `json:",omitempty"` // the amounts are thousandths of a device
}

// NonVictim is an allocation that cannot be a victim.
type NonVictim struct {
	ID, App, Queue string
	Reason         core.Reason
}

// VictimExplanation explains which ask preempted an allocation, and by what right. It is available for three days. For ByQuota, For and
// ForApp are empty, and ForQueue is the queue over its max.
type VictimExplanation struct {
	Victim
	For, ForApp, ForQueue string
	Node                  string
	At                    time.Duration
	Gone                  bool      // the allocation has left
	Entitled              []Finding // for ByGuarantee: law 4 for the ask at that time
	With                  []string  // the other victims of the same set, in order of allocation
	Text                  string
	GangText              string `json:",omitempty"` // that its gang ends with it; empty if it does not
}
