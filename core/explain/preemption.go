package explain

import (
	"time"

	"github.com/quern-project/quern/core/internal/api"
)

// PreemptionKind says by what right an ask takes victims, in the words of decisions.
type PreemptionKind string

// The kinds.
const (
	ByGuarantee  = PreemptionKind(api.RightGuarantee)    // its queue is under its guaranteed
	ByIntraQueue = PreemptionKind(api.RightQueue)        // the leaf lets higher priorities take from lower ones
	ByNode       = PreemptionKind(api.RightRequiredNode) // it runs on that node or nowhere
	ByQuota      = PreemptionKind(api.RightQuota)        // no ask: a queue uses more than its max
)

// Verdicts on whether an ask may preempt, in the order in which they are looked for.
const (
	VerdictWaits       api.Reason = "waits-for-victims" // it has chosen: its node is kept until they have left
	VerdictRefuses     api.Reason = "preempts-nobody"   // the ask itself says so: preempt_others is false
	VerdictGang        api.Reason = "waits-for-gang"    // it waits for its gang or for the place of a placeholder
	VerdictBlocked     api.Reason = "may-not-start"     // its application may not be allocated to: maxapplications or the order's filter
	VerdictLimited     api.Reason = "limited"           // a limit of its user or group has no room for it: limits never preempt
	VerdictIncomplete  api.Reason = "gang-incomplete"   // its gang preempts as a whole, and has too few members
	VerdictNoNode      api.Reason = "no-node"           // no node would take it even if nothing were allocated there
	VerdictDrained     api.Reason = "drained"           // every node that would hold it is drained
	VerdictMax         api.Reason = "over-max"          // it is larger than the max of a queue on its way to the root
	VerdictNeedsNobody api.Reason = "needs-nobody"      // a node takes it, now or once those that leave have left
	VerdictOff         api.Reason = "switched-off"      // the partition has preemption off
	VerdictDisabled    api.Reason = "disabled"          // preemption.policy is disabled on its queue or above
	VerdictFenced      api.Reason = "fenced"            // law 7: nothing lies inside its fence that it is entitled to
	VerdictNotEntitled api.Reason = "not-entitled"      // law 4: in no type that it needs is the nearest of its queues with a guarantee under it
	VerdictNoVictims   api.Reason = "no-victims"        // no node has enough preemptable allocations
	VerdictPreempts    api.Reason = "preempts"          // it takes Victims on Node; where its delay still runs, at Due
)

// What protects an allocation from an ask, in the order in which it is looked at.
const (
	BarredLeaving     api.Reason = "leaving"          // it was already told to leave
	BarredSameApp     api.Reason = "same-application" // law 3
	BarredNode        api.Reason = "required-node"    // it has a required node itself
	BarredSameQueue   api.Reason = "same-queue"       // guarantees move nothing within a queue
	BarredOff         api.Reason = "switched-off"     // guarantees move nothing: the partition has preemption off
	BarredAsker       api.Reason = "asker-disabled"   // preemption.policy is disabled on the ask's queue or above
	BarredDisabled    api.Reason = "disabled"         // preemption.policy is disabled on its own queue or above
	BarredFence       api.Reason = "fence"            // law 7
	BarredEntitlement api.Reason = "not-entitled"     // law 4, as seen from where the two queues meet
	BarredPriority    api.Reason = "priority"         // law 6
	BarredGuaranteed  api.Reason = "guaranteed"       // laws 2 and 5
	BarredReserved    api.Reason = "reserved"         // its node is reserved for an ask that is not outranked, or kept for one
)

// PreemptionExplanation says which allocations an ask would preempt, or why it may preempt none.
type PreemptionExplanation struct {
	ID, App, Queue string
	Verdict        api.Reason
	Kind           PreemptionKind // VerdictPreempts and VerdictWaits; of several kinds ByGuarantee
	Due            time.Duration  // when it has waited for its delay; with a required node it need not wait: when it came
	Observed       bool           // the partition only observes: nothing will be taken
	Approximate    bool           // the search was cut short: a better set may exist
	// Node is where the victims are (VerdictPreempts, VerdictWaits), or else the closest node, if any is near.
	Node    string
	Victims []Victim     // VerdictPreempts: those it would take; VerdictWaits: those that have yet to leave; in order of allocation
	Next    *Alternative // VerdictPreempts: the best set on another node, if there is any
	Laws    []Finding    // what the laws say of the ask's own queues, one for each queue and type that decides
	Barred  []Barred     // allocations that it may not take, by queue and reason
	Short   []Shortfall  // closest node: what would still be missing with all lawful victims gone
	Never   []Bound      // VerdictNoNode, VerdictMax: what it alone is larger than
	Nodes   []NodeCount  // VerdictNoNode: what each node fails on when empty
	InWay   []InTheWay   // closest node: the allocations on it that stay, and what protects each; in order of allocation
	Text    string
}

// Victim is an allocation that makes room.
type Victim struct {
	ID, App, Queue string
	Priority       int32 // its own
	Kind           PreemptionKind
	Originator     bool
	OptedOut       bool   // it asked not to be preempted
	Common         string // the queue where its queue and the ask's meet
	Seen, ForSeen  int32  // the priorities of victim and ask as seen just below Common (own ones for ByNode)
	// Over is what laws 2 and 5 looked at: queues of the victim that guarantee something of a type that it uses. Empty:
	// nothing protects it. ByQuota: the types of which the queue that releases it uses more than its max.
	Over []Finding
}

// Alternative is a set that was not chosen.
type Alternative struct {
	Node    string
	Victims []string   // in order of allocation
	Worse   api.Reason // by which criterion, the first that tells the two apart
}

// Criteria by which sets are compared, in that order: the least harm comes first.
const (
	WorseOriginators api.Reason = "more-originators"
	WorseOptedOuts   api.Reason = "more-opted-outs"
	WorsePriority    api.Reason = "higher-priority"
	WorseRank        api.Reason = "rank" // a victim.rank policy says so
	WorseNumber      api.Reason = "more-victims"
	WorsePriorities  api.Reason = "higher-priorities"
	WorseExcess      api.Reason = "more-excess"
	WorseAge         api.Reason = "older"
)

// Finding is a queue's stand in one type. Used counts what law it is about counts: see Law.
type Finding struct {
	Law        api.Reason // "law-4": Used with waiting asks; "law-5": Used once all that leave have left; "max": Used as it will be, and Guaranteed is the max
	Queue      string
	Type       string
	Used       int64
	Guaranteed int64
	Holds      bool // the law is satisfied: law 4: under its guaranteed; law 5: stays at or above it; max: not exceeded
}

// What a finding is about.
const (
	Law4   api.Reason = "law-4"
	Law5   api.Reason = "law-5"
	LawMax api.Reason = "max"
)

// Barred counts the allocations of a queue that one reason protects.
type Barred struct {
	Queue       string
	Reason      api.Reason
	Allocations int
}

// Shortfall is an amount that stays missing on a node, or below a queue's max where Queue is set.
type Shortfall struct {
	Queue   string
	Type    string
	Missing int64
}

// InTheWay is an allocation that an ask may not take.
type InTheWay struct {
	ID, App, Queue string
	Reason         api.Reason
}

// VictimExplanation says which ask preempted an allocation, and by what right. It is kept for three days. ByQuota there is no
// ask: ForQueue is the queue that is over its max, and For and ForApp are empty.
type VictimExplanation struct {
	Victim
	For, ForApp, ForQueue string
	Node                  string
	At                    time.Duration
	Gone                  bool      // it has left
	Entitled              []Finding // law 4 for the ask at that time (ByGuarantee)
	With                  []string  // the other victims of the same choice, in order of allocation
	Text                  string
}
