package core

import (
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/internal/api"
)

// What goes into a scheduler and what comes out of it. The types live where everything inside core can reach them.
type (
	InputType         = api.InputType
	Input             = api.Input
	Event             = api.Event
	AddNode           = api.AddNode
	UpdateNode        = api.UpdateNode
	DrainNode         = api.DrainNode
	ResumeNode        = api.ResumeNode
	RemoveNode        = api.RemoveNode
	AddApp            = api.AddApp
	RemoveApp         = api.RemoveApp
	MoveApp           = api.MoveApp
	AddAsk            = api.AddAsk
	UpdateAsk         = api.UpdateAsk
	RemoveAsk         = api.RemoveAsk
	ReleaseAllocation = api.ReleaseAllocation
	RestoreAllocation = api.RestoreAllocation
	SetConfig         = api.SetConfig
	SetPolicy         = api.SetPolicy
	RemovePolicy      = api.RemovePolicy
	RecordAnswers     = api.RecordAnswers
	SetState          = api.SetState
	Tick              = api.Tick
	Ask               = api.Ask
	Announcement      = api.Announcement
	Placed            = api.Placed
	Placeholders      = api.Placeholders
	Gang              = api.Gang
	PolicyModule      = api.PolicyModule
	Answers           = api.Answers
	StatePart         = api.StatePart
	DecisionType      = api.DecisionType
	Decision          = api.Decision
	Reason            = api.Reason
	Right             = api.Right
	Dump              = api.Dump
	Parts             = api.Parts
	Totals            = api.Totals
	QueueTotals       = api.QueueTotals
	PartitionDump     = api.PartitionDump
	QueueDump         = api.QueueDump
	LimitUsage        = api.LimitUsage
	NodeDump          = api.NodeDump
	AppDump           = api.AppDump
	AskDump           = api.AskDump
	Page              = api.Page
	Key               = api.Key
	Where             = api.Where
	AppItem           = api.AppItem
	AskItem           = api.AskItem
	Options           = api.Options

	Listed[T any] = api.Listed[T]
	QueueList     = api.QueueList
	NodeList      = api.NodeList
	AppList       = api.AppList
	AskList       = api.AskList

	ConfigSource = api.ConfigSource
	PolicyUse    = api.PolicyUse
)

// ShownPath is a queue's path as texts and summaries show it: outside the first partition the name of its own stands before
// it, as in [gpu]root.a.
func ShownPath(partition, path string) string { return api.ShownPath(partition, path) }

// SplitPath takes a shown path apart; the partition is empty where none is shown.
func SplitPath(shown string) (partition, path string) { return api.SplitPath(shown) }

// Events are an empty event of each kind, in the order of the input types.
func Events() []Event { return api.Events() }

// MostName bounds an ID, or another name, in bytes; MostTexts the other texts of an input together.
const (
	MostName  = api.MostName
	MostTexts = api.MostTexts
)

// TextTooLong says which text of an event is too long, for which it would be rejected; empty: none.
func TextTooLong(e Event) string { return api.TextTooLong(e) }

// Explanations; package explain says what they hold.
type (
	Lack                  = explain.Lack
	LimitLack             = explain.LimitLack
	NodeCount             = explain.NodeCount
	Candidate             = explain.Candidate
	Holder                = explain.Holder
	Mismatch              = explain.Mismatch
	ValuePresent          = explain.ValuePresent
	Setting               = explain.Setting
	AskExplanation        = explain.AskExplanation
	GangExplanation       = explain.GangExplanation
	MemberExplanation     = explain.MemberExplanation
	AtomicGang            = explain.AtomicGang
	Bound                 = explain.Bound
	Seen                  = explain.Seen
	AppExplanation        = explain.AppExplanation
	QueueExplanation      = explain.QueueExplanation
	PreemptionKind        = explain.PreemptionKind
	PreemptionExplanation = explain.PreemptionExplanation
	Victim                = explain.Victim
	Alternative           = explain.Alternative
	Finding               = explain.Finding
	Barred                = explain.Barred
	Shortfall             = explain.Shortfall
	InTheWay              = explain.InTheWay
	VictimExplanation     = explain.VictimExplanation
	PlacementExplanation  = explain.PlacementExplanation
	PlacementTrial        = explain.PlacementTrial
	AccessExplanation     = explain.AccessExplanation
	AccessEntry           = explain.AccessEntry
	QuotaExplanation      = explain.QuotaExplanation
	MaxExplanation        = explain.MaxExplanation
)

// The constants of inputs, decisions, reasons and states.
const (
	NodeAdd           = api.NodeAdd
	NodeUpdate        = api.NodeUpdate
	NodeDrain         = api.NodeDrain
	NodeResume        = api.NodeResume
	NodeRemove        = api.NodeRemove
	AppAdd            = api.AppAdd
	AppRemove         = api.AppRemove
	AppMove           = api.AppMove
	AskAdd            = api.AskAdd
	AskUpdate         = api.AskUpdate
	AskRemove         = api.AskRemove
	AllocationRelease = api.AllocationRelease
	AllocationRestore = api.AllocationRestore
	ConfigSet         = api.ConfigSet
	PolicySet         = api.PolicySet
	PolicyRemove      = api.PolicyRemove
	PolicyAnswers     = api.PolicyAnswers
	StateSet          = api.StateSet
	TickInput         = api.TickInput

	AppAccepted    = api.AppAccepted
	AppRejected    = api.AppRejected
	AppState       = api.AppState
	AppMoved       = api.AppMoved
	NodeAccepted   = api.NodeAccepted
	NodeRejected   = api.NodeRejected
	AskRejected    = api.AskRejected
	Allocation     = api.Allocation
	Release        = api.Release
	Preemption     = api.Preemption
	Observed       = api.Observed
	Lapsed         = api.Lapsed
	Replaced       = api.Replaced
	TimedOut       = api.TimedOut
	GangFallback   = api.GangFallback
	Reservation    = api.Reservation
	Unreservation  = api.Unreservation
	ConfigAccepted = api.ConfigAccepted
	ConfigRejected = api.ConfigRejected
	PolicyFault    = api.PolicyFault
	QueueState     = api.QueueState
	Ignored        = api.Ignored

	Accepted = api.Accepted

	RightGuarantee    = api.RightGuarantee
	RightQueue        = api.RightQueue
	RightRequiredNode = api.RightRequiredNode
	RightQuota        = api.RightQuota

	ReasonDuplicate          = api.ReasonDuplicate
	ReasonUnknownQueue       = api.ReasonUnknownQueue
	ReasonNoQueue            = api.ReasonNoQueue
	ReasonNotALeaf           = api.ReasonNotALeaf
	ReasonQueueDraining      = api.ReasonQueueDraining
	ReasonUnknownApplication = api.ReasonUnknownApplication
	ReasonUnknownNode        = api.ReasonUnknownNode
	ReasonUnknownAsk         = api.ReasonUnknownAsk
	ReasonNotPending         = api.ReasonNotPending
	ReasonNotAllocated       = api.ReasonNotAllocated
	ReasonNoResources        = api.ReasonNoResources
	ReasonUnknownPartition   = api.ReasonUnknownPartition
	ReasonNotPlaced          = api.ReasonNotPlaced
	ReasonAccessDenied       = api.ReasonAccessDenied
	ReasonNameTooLong        = api.ReasonNameTooLong
	ReasonBadTag             = api.ReasonBadTag
	ReasonGangSortPolicy     = api.ReasonGangSortPolicy
	ReasonGangTooLarge       = api.ReasonGangTooLarge
	ReasonNotAGang           = api.ReasonNotAGang
	ReasonNoTaskGroup        = api.ReasonNoTaskGroup
	ReasonAppFailing         = api.ReasonAppFailing
	ReasonGangMismatch       = api.ReasonGangMismatch
	ReasonBadManifest        = api.ReasonBadManifest
	ReasonUnknownPolicy      = api.ReasonUnknownPolicy
	ReasonAmountOverflow     = api.ReasonAmountOverflow
	ReasonBadState           = api.ReasonBadState
	ReasonStateDiffers       = api.ReasonStateDiffers
	ReasonInvalidConfig      = api.ReasonInvalidConfig

	ReasonHeadroom             = api.ReasonHeadroom
	ReasonMaxApplications      = api.ReasonMaxApplications
	ReasonUserLimit            = api.ReasonUserLimit
	ReasonGroupLimit           = api.ReasonGroupLimit
	ReasonUserMaxApplications  = api.ReasonUserMaxApplications
	ReasonGroupMaxApplications = api.ReasonGroupMaxApplications

	ReasonNotStartable = api.ReasonNotStartable
	ReasonRequiredNode = api.ReasonRequiredNode
	ReasonNoHeadroom   = api.ReasonNoHeadroom
	ReasonElsewhere    = api.ReasonElsewhere
	ReasonWithdrawn    = api.ReasonWithdrawn
	ReasonNodeGone     = api.ReasonNodeGone
	ReasonNoLongerFits = api.ReasonNoLongerFits
	ReasonMoved        = api.ReasonMoved

	ReasonFinished    = api.ReasonFinished
	ReasonPreempted   = api.ReasonPreempted
	ReasonTimeout     = api.ReasonTimeout
	ReasonReplaced    = api.ReasonReplaced
	ReasonNodeRemoved = api.ReasonNodeRemoved
	ReasonAppRemoved  = api.ReasonAppRemoved

	ReasonAskAdded         = api.ReasonAskAdded
	ReasonFirstAllocation  = api.ReasonFirstAllocation
	ReasonSecondAllocation = api.ReasonSecondAllocation
	ReasonStartingTimeout  = api.ReasonStartingTimeout
	ReasonIdle             = api.ReasonIdle
	ReasonCompletingDone   = api.ReasonCompletingDone
	ReasonAppRemovedState  = api.ReasonAppRemovedState
	ReasonExpired          = api.ReasonExpired
	ReasonGangFormed       = api.ReasonGangFormed
	ReasonGangTimeout      = api.ReasonGangTimeout
	ReasonGangOver         = api.ReasonGangOver
	ReasonStateSet         = api.ReasonStateSet
	ReasonFailed           = api.ReasonFailed

	ReasonTooSmall      = api.ReasonTooSmall
	ReasonAppCompleting = api.ReasonAppCompleting

	ReasonQueueRemoved  = api.ReasonQueueRemoved
	ReasonQueueRestored = api.ReasonQueueRestored
	ReasonQueueEmpty    = api.ReasonQueueEmpty
	ReasonQueueCreated  = api.ReasonQueueCreated

	ReasonPolicyFailed   = api.ReasonPolicyFailed
	ReasonPolicyAnswer   = api.ReasonPolicyAnswer
	ReasonPolicyMissing  = api.ReasonPolicyMissing
	ReasonPolicyRemoved  = api.ReasonPolicyRemoved
	ReasonPolicyImpure   = api.ReasonPolicyImpure
	ReasonPolicyUnstable = api.ReasonPolicyUnstable
	ReasonPolicyDiverged = api.ReasonPolicyDiverged

	StateNew        = api.StateNew
	StateAccepted   = api.StateAccepted
	StateStarting   = api.StateStarting
	StateRunning    = api.StateRunning
	StateResuming   = api.StateResuming
	StateCompleting = api.StateCompleting
	StateCompleted  = api.StateCompleted
	StateRejected   = api.StateRejected
	StateFailing    = api.StateFailing
	StateFailed     = api.StateFailed
	StateExpired    = api.StateExpired

	QueueActive   = api.QueueActive
	QueueDraining = api.QueueDraining
	QueueStopped  = api.QueueStopped

	OfQueues       = api.OfQueues
	OfNodes        = api.OfNodes
	OfApplications = api.OfApplications
	Everything     = api.Everything
)

// The codes of explanations.
const (
	WaitHeadroom       = explain.WaitHeadroom
	WaitUserLimit      = explain.WaitUserLimit
	WaitGroupLimit     = explain.WaitGroupLimit
	WaitNoNodeFits     = explain.WaitNoNodeFits
	WaitMaxApps        = explain.WaitMaxApps
	WaitUserMaxApps    = explain.WaitUserMaxApps
	WaitGroupMaxApps   = explain.WaitGroupMaxApps
	WaitStateFilter    = explain.WaitStateFilter
	WaitPolicy         = explain.WaitPolicy
	WaitVictims        = explain.WaitVictims
	WaitGang           = explain.WaitGang
	WaitPlaceholder    = explain.WaitPlaceholder
	WaitRelease        = explain.WaitRelease
	WaitNotRunning     = explain.WaitNotRunning
	WaitGangIncomplete = explain.WaitGangIncomplete
	WaitGangDoesNotFit = explain.WaitGangDoesNotFit
	WaitNotYet         = explain.WaitNotYet
	NodeDraining       = explain.NodeDraining
	NodeNotRequired    = explain.NodeNotRequired
	NodeConstraint     = explain.NodeConstraint
	NodeTooSmall       = explain.NodeTooSmall
	NodeKept           = explain.NodeKept
	NodeFull           = explain.NodeFull
	NodeReserved       = explain.NodeReserved
	NodePredicate      = explain.NodePredicate
	WaitNothingPending = explain.WaitNothingPending

	NotAsked = explain.NotAsked

	QuotaOff          = explain.QuotaOff
	QuotaNoDelay      = explain.QuotaNoDelay
	QuotaRoot         = explain.QuotaRoot
	QuotaDynamic      = explain.QuotaDynamic
	QuotaNoCandidates = explain.QuotaNoCandidates
	QuotaWaits        = explain.QuotaWaits

	ByGuarantee  = explain.ByGuarantee
	ByIntraQueue = explain.ByIntraQueue
	ByNode       = explain.ByNode
	ByQuota      = explain.ByQuota

	VerdictWaits       = explain.VerdictWaits
	VerdictRefuses     = explain.VerdictRefuses
	VerdictGang        = explain.VerdictGang
	VerdictBlocked     = explain.VerdictBlocked
	VerdictLimited     = explain.VerdictLimited
	VerdictIncomplete  = explain.VerdictIncomplete
	VerdictNoNode      = explain.VerdictNoNode
	VerdictDrained     = explain.VerdictDrained
	VerdictMax         = explain.VerdictMax
	VerdictNeedsNobody = explain.VerdictNeedsNobody
	VerdictOff         = explain.VerdictOff
	VerdictDisabled    = explain.VerdictDisabled
	VerdictFenced      = explain.VerdictFenced
	VerdictNotEntitled = explain.VerdictNotEntitled
	VerdictNoVictims   = explain.VerdictNoVictims
	VerdictPreempts    = explain.VerdictPreempts

	BarredLeaving     = explain.BarredLeaving
	BarredSameApp     = explain.BarredSameApp
	BarredNode        = explain.BarredNode
	BarredSameQueue   = explain.BarredSameQueue
	BarredOff         = explain.BarredOff
	BarredAsker       = explain.BarredAsker
	BarredDisabled    = explain.BarredDisabled
	BarredFence       = explain.BarredFence
	BarredEntitlement = explain.BarredEntitlement
	BarredPriority    = explain.BarredPriority
	BarredGuaranteed  = explain.BarredGuaranteed
	BarredReserved    = explain.BarredReserved

	WorseOriginators = explain.WorseOriginators
	WorseOptedOuts   = explain.WorseOptedOuts
	WorsePriority    = explain.WorsePriority
	WorseRank        = explain.WorseRank
	WorseNumber      = explain.WorseNumber
	WorsePriorities  = explain.WorsePriorities
	WorseExcess      = explain.WorseExcess
	WorseAge         = explain.WorseAge

	NotForUser    = explain.NotForUser
	NoQueueName   = explain.NoQueueName
	BadQueueName  = explain.BadQueueName
	TooManyLevels = explain.TooManyLevels
	KeptName      = explain.KeptName
	NoSuchQueue   = explain.NoSuchQueue
	IsParent      = explain.IsParent
	IsLeaf        = explain.IsLeaf
	IsDraining    = explain.IsDraining
	NoAccess      = explain.NoAccess

	Law4   = explain.Law4
	Law5   = explain.Law5
	LawMax = explain.LawMax
)
