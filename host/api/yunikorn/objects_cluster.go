package yunikorn

type cluster struct {
	StartTime          int64               `json:"startTime"`
	RMBuildInformation []map[string]string `json:"rmBuildInformation"`
	Partition          string              `json:"partition"`
	ClusterName        string              `json:"clusterName"`
}

type partitionInfo struct {
	ClusterID               string            `json:"clusterId"`
	Name                    string            `json:"name"`
	Capacity                partitionCapacity `json:"capacity"`
	NodeSortingPolicy       nodeSorting       `json:"nodeSortingPolicy"`
	PreemptionEnabled       bool              `json:"preemptionEnabled"`
	QuotaPreemptionEnabled  bool              `json:"quotaPreemptionEnabled"`
	TotalNodes              int               `json:"totalNodes"`
	Applications            map[string]int    `json:"applications"` // by state, and their total
	TotalContainers         int               `json:"totalContainers"`
	State                   string            `json:"state"`
	LastStateTransitionTime int64             `json:"lastStateTransitionTime"`
}

type partitionCapacity struct {
	Capacity     amounts `json:"capacity"`
	UsedCapacity amounts `json:"usedCapacity"`
	Utilization  amounts `json:"utilization"` // per cent
}

type nodeSorting struct {
	Type            string             `json:"type"`
	ResourceWeights map[string]float64 `json:"resourceWeights"`
}

type partitionQueue struct {
	QueueName              string            `json:"queuename"`
	Status                 string            `json:"status"`
	Partition              string            `json:"partition"`
	PendingResource        amounts           `json:"pendingResource"`
	MaxResource            amounts           `json:"maxResource"`
	GuaranteedResource     amounts           `json:"guaranteedResource"`
	AllocatedResource      amounts           `json:"allocatedResource"`
	PreemptingResource     amounts           `json:"preemptingResource"`
	Headroom               amounts           `json:"headroom"`
	IsLeaf                 bool              `json:"isLeaf"`
	IsManaged              bool              `json:"isManaged"`
	Properties             map[string]string `json:"properties"`
	Parent                 string            `json:"parent"`
	Template               *template         `json:"template,omitempty"`
	Children               []*partitionQueue `json:"children"`
	ChildNames             []string          `json:"childNames"`
	AbsUsedCapacity        amounts           `json:"absUsedCapacity"` // per cent of the nearest max
	MaxRunningApps         uint64            `json:"maxRunningApps"`
	RunningApps            uint64            `json:"runningApps"`
	CurrentPriority        int32             `json:"currentPriority"`
	AllocatingAcceptedApps []string          `json:"allocatingAcceptedApps"`
	SortingPolicy          string            `json:"sortingPolicy"`
	PrioritySorting        bool              `json:"prioritySorting"`
	PreemptionEnabled      bool              `json:"preemptionEnabled"`
	IsPreemptionFence      bool              `json:"isPreemptionFence"`
	PreemptionDelay        string            `json:"preemptionDelay"`
	QuotaPreemptionDelay   string            `json:"quotaPreemptionDelay"`
	IsPriorityFence        bool              `json:"isPriorityFence"`
	PriorityOffset         int32             `json:"priorityOffset"`
}

// template is what dynamic leaves below a queue have.
type template struct {
	MaxApplications    uint64            `json:"maxApplications"`
	MaxResource        amounts           `json:"maxResource"`
	GuaranteedResource amounts           `json:"guaranteedResource"`
	Properties         map[string]string `json:"properties"`
}

type node struct {
	NodeID             string              `json:"nodeID"`
	HostName           string              `json:"hostName"`
	RackName           string              `json:"rackName"`
	Attributes         map[string]string   `json:"attributes"`
	Capacity           amounts             `json:"capacity"`
	Allocated          amounts             `json:"allocated"`
	Occupied           amounts             `json:"occupied"`
	Available          amounts             `json:"available"`
	Utilized           amounts             `json:"utilized"` // per cent
	Allocations        []allocation        `json:"allocations"`
	ForeignAllocations []foreignAllocation `json:"foreignAllocations"`
	Schedulable        bool                `json:"schedulable"`
	IsReserved         bool                `json:"isReserved"`
	Reservations       []string            `json:"reservations"`
}

// foreignAllocation is what runs on a node without this scheduler.
type foreignAllocation struct {
	AllocationKey  string            `json:"allocationKey"`
	AllocationTags map[string]string `json:"allocationTags"`
	AllocationTime int64             `json:"allocationTime"`
	Resource       amounts           `json:"resource"`
	Priority       string            `json:"priority"`
	NodeID         string            `json:"nodeId"`
	Preemptable    bool              `json:"preemptable"`
}

type partitionNodesUtil struct {
	ClusterID    string      `json:"clusterId"`
	Partition    string      `json:"partition"`
	Utilizations []nodesUtil `json:"utilizations"`
}

type nodesUtil struct {
	Type        string     `json:"type"`
	Utilization []nodeUtil `json:"utilization"`
}

type nodeUtil struct {
	BucketName string   `json:"bucketName"`
	NumOfNodes int64    `json:"numOfNodes"`
	NodeNames  []string `json:"nodeNames"`
}

// clusterUtil is how much of a type is used.
type clusterUtil struct {
	Type  string `json:"type"`
	Total int64  `json:"total"`
	Used  int64  `json:"used"`
	Usage string `json:"usage"` // as 12%
}

type rule struct {
	Name       string            `json:"name"`
	Parameters map[string]string `json:"parameters"`
	Filter     *filter           `json:"filter,omitempty"`
	ParentRule *rule             `json:"parentRule,omitempty"`
}

type filter struct {
	Type      string   `json:"type"`
	UserList  []string `json:"userList"`
	GroupList []string `json:"groupList"`
	UserExp   string   `json:"userExp"`
	GroupExp  string   `json:"groupExp"`
}

type userUsage struct {
	UserName string            `json:"userName"`
	Groups   map[string]string `json:"groups"` // by application: the group that it counts for
	Queues   *resourceUsage    `json:"queues"`
}

type groupUsage struct {
	GroupName    string         `json:"groupName"`
	Applications []string       `json:"applications"`
	Queues       *resourceUsage `json:"queues"`
}

// resourceUsage is what a user or a group uses in a queue and below it.
type resourceUsage struct {
	QueuePath           string           `json:"queuePath"`
	ResourceUsage       amounts          `json:"resourceUsage"`
	RunningApplications []string         `json:"runningApplications"`
	MaxResources        amounts          `json:"maxResources"`
	MaxApplications     uint64           `json:"maxApplications"`
	Children            []*resourceUsage `json:"children"`
}

type validated struct {
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason"`
}

type health struct {
	Healthy bool          `json:"Healthy"`
	Checks  []healthCheck `json:"HealthChecks"`
}

type healthCheck struct {
	Name             string `json:"Name"`
	Succeeded        bool   `json:"Succeeded"`
	Description      string `json:"Description"`
	DiagnosisMessage string `json:"DiagnosisMessage"`
}

type applicationHistory struct {
	Timestamp         int64  `json:"timestamp"`
	TotalApplications string `json:"totalApplications"`
}

type containerHistory struct {
	Timestamp       int64  `json:"timestamp"`
	TotalContainers string `json:"totalContainers"`
}
