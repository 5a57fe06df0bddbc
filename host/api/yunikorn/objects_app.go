package yunikorn

import "time"

// amounts are resources in stored units: thousandths of a core for vcore, bytes for memory.
type amounts map[string]int64

// application is one application. What it does not have is empty, not left out, except the end of one that goes on.
type application struct {
	ApplicationID      string          `json:"applicationID"`
	UsedResource       amounts         `json:"usedResource"`
	MaxUsedResource    amounts         `json:"maxUsedResource"`
	PendingResource    amounts         `json:"pendingResource"`
	Partition          string          `json:"partition"`
	QueueName          string          `json:"queueName"`
	SubmissionTime     int64           `json:"submissionTime"`
	FinishedTime       *int64          `json:"finishedTime,omitempty"`
	Requests           []request       `json:"requests"`
	Allocations        []allocation    `json:"allocations"`
	State              string          `json:"applicationState"`
	User               string          `json:"user"`
	Groups             []string        `json:"groups"`
	RejectedMessage    string          `json:"rejectedMessage"`
	StateLog           []stateChange   `json:"stateLog"`
	PlaceholderData    []placeholders  `json:"placeholderData"`
	HasReserved        bool            `json:"hasReserved"`
	Reservations       []string        `json:"reservations"`
	MaxRequestPriority int32           `json:"maxRequestPriority"`
	StartTime          int64           `json:"startTime"`
	ResourceHistory    resourceHistory `json:"resourceHistory"`
	BackoffDeadline    time.Time       `json:"backoffDeadline"` // always zero: there is no back-off
}

type stateChange struct {
	Time  int64  `json:"time"`
	State string `json:"applicationState"`
}

// placeholders are those of a task group, so far.
type placeholders struct {
	TaskGroupName string  `json:"taskGroupName"`
	Count         int64   `json:"count"`
	MinResource   amounts `json:"minResource"`
	Replaced      int64   `json:"replaced"`
	TimedOut      int64   `json:"timedout"`
}

// resourceHistory is what ended allocations used, by the instance type of their nodes: amounts times seconds.
type resourceHistory struct {
	ResourceUsage       map[string]amounts `json:"resourceUsage"`
	PreemptedResource   map[string]amounts `json:"preemptedResource"`
	PlaceholderResource map[string]amounts `json:"placeholderResource"`
}

// request is a pending ask.
type request struct {
	AllocationKey       string            `json:"allocationKey"`
	AllocationTags      map[string]string `json:"allocationTags"`
	RequestTime         int64             `json:"requestTime"`
	Resource            amounts           `json:"resource"`
	Priority            string            `json:"priority"`
	RequiredNodeID      string            `json:"requiredNodeId"`
	ApplicationID       string            `json:"applicationId"`
	Placeholder         bool              `json:"placeholder"`
	TaskGroupName       string            `json:"taskGroupName"`
	AllocationLog       []logEntry        `json:"allocationLog"`
	TriggeredPreemption bool              `json:"triggeredPreemption"`
	Originator          bool              `json:"originator"`
	SchedulingAttempted bool              `json:"schedulingAttempted"`
	TriggeredScaleUp    bool              `json:"triggeredScaleUp"` // always false: nothing here adds nodes
}

// logEntry is a reason for which an ask waits.
type logEntry struct {
	Message        string `json:"message"`
	LastOccurrence int64  `json:"lastOccurrence"`
	Count          int32  `json:"count"`
}

type allocation struct {
	AllocationKey   string            `json:"allocationKey"`
	AllocationTags  map[string]string `json:"allocationTags"`
	RequestTime     int64             `json:"requestTime"`
	AllocationTime  int64             `json:"allocationTime"`
	AllocationDelay int64             `json:"allocationDelay"`
	Resource        amounts           `json:"resource"`
	Priority        string            `json:"priority"`
	NodeID          string            `json:"nodeId"`
	ApplicationID   string            `json:"applicationId"`
	Placeholder     bool              `json:"placeholder"`
	PlaceholderUsed bool              `json:"placeholderUsed"`
	TaskGroupName   string            `json:"taskGroupName"`
	Preempted       bool              `json:"preempted"`
	Originator      bool              `json:"originator"`
}
