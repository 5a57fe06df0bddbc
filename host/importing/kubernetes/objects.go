package kubernetes

import "github.com/quern-project/quern/host/kubelabels"

// object is what is read of any object; which fields count depends on its kind.
type object struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   metadata `json:"metadata"`
	Spec       spec     `json:"spec"`
	Status     status   `json:"status"`
}

type metadata struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	Labels            map[string]string `json:"labels"`
	Annotations       map[string]string `json:"annotations"`
	CreationTimestamp string            `json:"creationTimestamp"`
	OwnerReferences   []owner           `json:"ownerReferences"`
}

type owner struct {
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Controller bool   `json:"controller"`
}

// spec is of a node, a pod or a PodGroup.
type spec struct {
	Unschedulable bool    `json:"unschedulable"`
	Taints        []taint `json:"taints"`

	NodeName                  string             `json:"nodeName"`
	SchedulerName             string             `json:"schedulerName"`
	Containers                []container        `json:"containers"`
	InitContainers            []container        `json:"initContainers"`
	Overhead                  quantities         `json:"overhead"`
	Resources                 requirements       `json:"resources"`
	Priority                  *int32             `json:"priority"` // of a PodGroup, too
	SchedulingGroup           schedulingGroup    `json:"schedulingGroup"`
	PriorityClassName         string             `json:"priorityClassName"`
	ActiveDeadlineSeconds     int64              `json:"activeDeadlineSeconds"`
	PreemptionPolicy          string             `json:"preemptionPolicy"` // likewise
	NodeSelector              map[string]string  `json:"nodeSelector"`
	Affinity                  affinity           `json:"affinity"`
	Tolerations               []toleration       `json:"tolerations"`
	TopologySpreadConstraints []spreadConstraint `json:"topologySpreadConstraints"`
	SchedulingGates           []struct{}         `json:"schedulingGates"`
	Volumes                   []volume           `json:"volumes"`

	SchedulingPolicy      schedulingPolicy      `json:"schedulingPolicy"`
	SchedulingConstraints schedulingConstraints `json:"schedulingConstraints"`
	DisruptionMode        disruptionMode        `json:"disruptionMode"`
}

type status struct {
	Conditions            []condition       `json:"conditions"`
	Allocatable           quantities        `json:"allocatable"`
	Phase                 string            `json:"phase"`
	ContainerStatuses     []containerStatus `json:"containerStatuses"`
	InitContainerStatuses []containerStatus `json:"initContainerStatuses"`
}

// schedulingGroup is the PodGroup of a pod.
type schedulingGroup struct {
	Name string `json:"podGroupName"`
}

// schedulingPolicy is of a PodGroup.
type schedulingPolicy struct {
	Gang *gangSchedulingPolicy `json:"gang"`
}

type gangSchedulingPolicy struct {
	MinCount int64 `json:"minCount"`
}

// schedulingConstraints are of a PodGroup.
type schedulingConstraints struct {
	Topology []topologyConstraint `json:"topology"`
}

type topologyConstraint struct {
	Key string `json:"key"`
}

// quantities are amounts by resource.
type quantities map[string]kubelabels.Quantity

type requirements struct {
	Requests quantities `json:"requests"`
}

type container struct {
	Name          string       `json:"name"`
	Resources     requirements `json:"resources"`
	RestartPolicy string       `json:"restartPolicy"`
	Ports         []port       `json:"ports"`
}

type volume struct {
	Claim *struct{} `json:"persistentVolumeClaim"`
}

type port struct {
	HostPort int32 `json:"hostPort"`
}

type condition struct {
	Type   string `json:"type"`
	Reason string `json:"reason"`
}

type containerStatus struct {
	Name               string       `json:"name"`
	AllocatedResources quantities   `json:"allocatedResources"`
	Resources          requirements `json:"resources"`
}

type taint struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Effect string `json:"effect"`
}

type toleration struct {
	Key      string `json:"key"`
	Operator string `json:"operator"`
	Value    string `json:"value"`
	Effect   string `json:"effect"`
}

type affinity struct {
	NodeAffinity struct {
		Required struct {
			Terms []term `json:"nodeSelectorTerms"`
		} `json:"requiredDuringSchedulingIgnoredDuringExecution"`
	} `json:"nodeAffinity"`
	PodAffinity     podAffinity `json:"podAffinity"`
	PodAntiAffinity podAffinity `json:"podAntiAffinity"`
}

type podAffinity struct {
	Required []struct{} `json:"requiredDuringSchedulingIgnoredDuringExecution"`
}

type term struct {
	Expressions []expression `json:"matchExpressions"`
	Fields      []expression `json:"matchFields"`
}

type expression struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

type spreadConstraint struct {
	WhenUnsatisfiable string `json:"whenUnsatisfiable"`
}
