package yunikorn

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// facts are the objects of the interface as clients know them: a field a row, with its type. A type in capitals is another object; with ?
// the field may be left out.
const facts = `
AllocationAskLog message string
AllocationAskLog lastOccurrence int64
AllocationAskLog count int64
AllocationAsk allocationKey string
AllocationAsk allocationTags map[string]string
AllocationAsk requestTime int64
AllocationAsk resource map[string]int64
AllocationAsk priority string
AllocationAsk requiredNodeId string
AllocationAsk applicationId string
AllocationAsk placeholder bool
AllocationAsk taskGroupName string
AllocationAsk allocationLog []AllocationAskLog
AllocationAsk triggeredPreemption bool
AllocationAsk originator bool
AllocationAsk schedulingAttempted bool
AllocationAsk triggeredScaleUp bool
Allocation allocationKey string
Allocation allocationTags map[string]string
Allocation requestTime int64
Allocation allocationTime int64
Allocation allocationDelay int64
Allocation resource map[string]int64
Allocation priority string
Allocation nodeId string
Allocation applicationId string
Allocation placeholder bool
Allocation placeholderUsed bool
Allocation taskGroupName string
Allocation preempted bool
Allocation originator bool
ForeignAllocation allocationKey string
ForeignAllocation allocationTags map[string]string
ForeignAllocation allocationTime int64
ForeignAllocation resource map[string]int64
ForeignAllocation priority string
ForeignAllocation nodeId string
ForeignAllocation preemptable bool
ApplicationHistory timestamp int64
ApplicationHistory totalApplications string
Application applicationID string
Application usedResource map[string]int64
Application maxUsedResource map[string]int64
Application pendingResource map[string]int64
Application partition string
Application queueName string
Application submissionTime int64
Application finishedTime int64?
Application requests []AllocationAsk
Application allocations []Allocation
Application applicationState string
Application user string
Application groups []string
Application rejectedMessage string
Application stateLog []State
Application placeholderData []Placeholder
Application hasReserved bool
Application reservations []string
Application maxRequestPriority int64
Application startTime int64
Application resourceHistory ResourceHistory
Application backoffDeadline string
State time int64
State applicationState string
Placeholder taskGroupName string
Placeholder count int64
Placeholder minResource map[string]int64
Placeholder replaced int64
Placeholder timedout int64
ResourceHistory resourceUsage map[string]map[string]int64
ResourceHistory preemptedResource map[string]map[string]int64
ResourceHistory placeholderResource map[string]map[string]int64
Cluster startTime int64
Cluster rmBuildInformation []map[string]string
Cluster partition string
Cluster clusterName string
ClusterUtil type string
ClusterUtil total int64
ClusterUtil used int64
ClusterUtil usage string
ValidateConfResponse allowed bool
ValidateConfResponse reason string
ContainerHistory timestamp int64
ContainerHistory totalContainers string
YAPIError status_code int64
YAPIError message string
YAPIError description string
Nodes partitionName string
Nodes nodesInfo []Node
Node nodeID string
Node hostName string
Node rackName string
Node attributes map[string]string
Node capacity map[string]int64
Node allocated map[string]int64
Node occupied map[string]int64
Node available map[string]int64
Node utilized map[string]int64
Node allocations []Allocation
Node foreignAllocations []ForeignAllocation
Node schedulable bool
Node isReserved bool
Node reservations []string
PartitionNodesUtil clusterId string
PartitionNodesUtil partition string
PartitionNodesUtil utilizations []NodesUtil
NodesUtil type string
NodesUtil utilization []NodeUtil
NodeUtil bucketName string
NodeUtil numOfNodes int64
NodeUtil nodeNames []string
PartitionInfo clusterId string
PartitionInfo name string
PartitionInfo capacity PartitionCapacity
PartitionInfo nodeSortingPolicy NodeSortingPolicy
PartitionInfo preemptionEnabled bool
PartitionInfo quotaPreemptionEnabled bool
PartitionInfo totalNodes int64
PartitionInfo applications map[string]int64
PartitionInfo totalContainers int64
PartitionInfo state string
PartitionInfo lastStateTransitionTime int64
PartitionCapacity capacity map[string]int64
PartitionCapacity usedCapacity map[string]int64
PartitionCapacity utilization map[string]int64
NodeSortingPolicy type string
NodeSortingPolicy resourceWeights map[string]float64
TemplateInfo maxApplications int64
TemplateInfo maxResource map[string]int64
TemplateInfo guaranteedResource map[string]int64
TemplateInfo properties map[string]string
PartitionQueue queuename string
PartitionQueue status string
PartitionQueue partition string
PartitionQueue pendingResource map[string]int64
PartitionQueue maxResource map[string]int64
PartitionQueue guaranteedResource map[string]int64
PartitionQueue allocatedResource map[string]int64
PartitionQueue preemptingResource map[string]int64
PartitionQueue headroom map[string]int64
PartitionQueue isLeaf bool
PartitionQueue isManaged bool
PartitionQueue properties map[string]string
PartitionQueue parent string
PartitionQueue template TemplateInfo?
PartitionQueue children []PartitionQueue
PartitionQueue childNames []string
PartitionQueue absUsedCapacity map[string]int64
PartitionQueue maxRunningApps int64
PartitionQueue runningApps int64
PartitionQueue currentPriority int64
PartitionQueue allocatingAcceptedApps []string
PartitionQueue sortingPolicy string
PartitionQueue prioritySorting bool
PartitionQueue preemptionEnabled bool
PartitionQueue isPreemptionFence bool
PartitionQueue preemptionDelay string
PartitionQueue quotaPreemptionDelay string
PartitionQueue isPriorityFence bool
PartitionQueue priorityOffset int64
RulesOfPartition partition string
RulesOfPartition rules []Rule
Rule name string
Rule parameters map[string]string
Rule filter Filter?
Rule parentRule Rule?
Filter type string
Filter userList []string
Filter groupList []string
Filter userExp string
Filter groupExp string
SchedulerHealth Healthy bool
SchedulerHealth HealthChecks []HealthCheckInfo
HealthCheckInfo Name string
HealthCheckInfo Succeeded bool
HealthCheckInfo Description string
HealthCheckInfo DiagnosisMessage string
UserResourceUsage userName string
UserResourceUsage groups map[string]string
UserResourceUsage queues ResourceUsage
GroupResourceUsage groupName string
GroupResourceUsage applications []string
GroupResourceUsage queues ResourceUsage
ResourceUsage queuePath string
ResourceUsage resourceUsage map[string]int64
ResourceUsage runningApplications []string
ResourceUsage maxResources map[string]int64
ResourceUsage maxApplications int64
ResourceUsage children []ResourceUsage
EventBatch InstanceUUID string
EventBatch LowestID int64
EventBatch HighestID int64
EventBatch EventRecords []EventRecord
EventRecord type int64?
EventRecord objectID string?
EventRecord message string?
EventRecord timestampNano int64?
EventRecord eventChangeType int64?
EventRecord eventChangeDetail int64?
EventRecord referenceID string?
EventRecord resource Resource?
Resource resources map[string]Quantity
Quantity value int64?
FullState timestamp int64
FullState partitions []PartitionInfo
FullState clusterInfo []Cluster
FullState clusterUtilization []ClusterUtil
FullState config map[string]any
FullState placementRules []RulesOfPartition
FullState appHistory []ApplicationHistory
FullState containerHistory []ContainerHistory
FullState events EventBatch
FullState queues []PartitionQueue
FullState nodes []Nodes
FullState applications []Application
`

// routes are all routes that answer JSON with 200, and what they answer.
var routes = []struct{ path, object string }{
	{"/ws/v1/clusters", "[]Cluster"},
	{"/ws/v1/partitions", "[]PartitionInfo"},
	{"/ws/v1/history/apps", "[]ApplicationHistory"},
	{"/ws/v1/history/containers", "[]ContainerHistory"},
	{"/ws/v1/events/batch", "EventBatch"},
	{"/ws/v1/scheduler/healthcheck", "SchedulerHealth"},
	{"/ws/v1/scheduler/node-utilizations", "[]PartitionNodesUtil"},
	{"/ws/v1/partition/default/placementrules", "[]Rule"},
	{"/ws/v1/partition/default/queues", "PartitionQueue"},
	{"/ws/v1/partition/gpu/queues", "PartitionQueue"},
	{"/ws/v1/partition/%5Brm-1%5Ddefault/queue/root%2Ebatch", "PartitionQueue"},
	{"/ws/v1/partition/default/nodes", "[]Node"},
	{"/ws/v1/partition/gpu/node/g1", "Node"},
	{"/ws/v1/partition/default/queue/root.batch/applications", "[]Application"},
	{"/ws/v1/partition/default/queue/root.batch/applications/active", "[]Application"},
	{"/ws/v1/partition/default/queue/root.batch/applications/completed", "[]Application"},
	{"/ws/v1/partition/default/queue/ROOT.Batch/application/batch-1", "Application"},
	{"/ws/v1/partition/gpu/application/models", "Application"},
	{"/ws/v1/partition/default/applications/active?status=Running,starting", "[]Application"},
	{"/ws/v1/partition/default/applications/active", "[]Application"},
	{"/ws/v1/partition/default/applications/rejected", "[]Application"},
	{"/ws/v1/partition/default/applications/completed", "[]Application"},
	{"/ws/v1/partition/default/usage/users", "[]UserResourceUsage"},
	{"/ws/v1/partition/default/usage/user/ann", "UserResourceUsage"},
	{"/ws/v1/partition/default/usage/groups", "[]GroupResourceUsage"},
	{"/ws/v1/partition/default/usage/group/vision", "GroupResourceUsage"},
	{"/debug/fullstatedump", "FullState"},
}

// shapes holds answers against the facts, and notes which fields had something in them.
type shapes struct {
	*testing.T
	fields map[string]map[string]string // by object and key: the type
	seen   map[string]bool
}

func newShapes(t *testing.T) *shapes {
	s := &shapes{T: t, fields: map[string]map[string]string{}, seen: map[string]bool{}}
	for _, row := range strings.Split(strings.TrimSpace(facts), "\n") {
		words := strings.Fields(row)
		if s.fields[words[0]] == nil {
			s.fields[words[0]] = map[string]string{}
		}
		s.fields[words[0]][words[1]] = words[2]
	}
	return s
}

// check holds a value against a type, and reports whether there is something in it.
func (s *shapes) check(where, typ string, value any) (something bool) {
	s.Helper()
	wrong := func() { s.Errorf("%s: expected %s, found %v", where, typ, value) }
	switch of, isList := strings.CutPrefix(typ, "[]"); {
	case isList:
		list, ok := value.([]any)
		if !ok {
			wrong()
		}
		for _, item := range list {
			s.check(where+"[]", of, item)
		}
		return len(list) > 0
	case strings.HasPrefix(typ, "map[string]"):
		m, ok := value.(map[string]any)
		if !ok {
			wrong()
		}
		for key, item := range m {
			s.check(where+"."+key, strings.TrimPrefix(typ, "map[string]"), item)
		}
		return len(m) > 0
	}
	ok := true
	switch typ {
	case "any":
	case "string":
		var text string
		text, ok = value.(string)
		something = text != ""
	case "bool":
		something, ok = value.(bool)
	case "int64", "float64":
		var number json.Number
		if number, ok = value.(json.Number); ok {
			_, err := number.Int64()
			ok = err == nil || typ == "float64"
		}
		something = number != "0"
	default:
		s.object(where, typ, value)
		return true
	}
	if !ok {
		wrong()
	}
	return something
}

// object holds an object against its fields: no more, and no fewer.
func (s *shapes) object(where, typ string, value any) {
	s.Helper()
	fields := s.fields[typ]
	o, ok := value.(map[string]any)
	if !ok || fields == nil {
		s.Errorf("%s: expected a %s, found %v", where, typ, value)
		return
	}
	for key, item := range o {
		want, ok := fields[key]
		if !ok {
			s.Errorf("%s: a %s has no %q", where, typ, key)
		} else if s.check(where+"."+key, strings.TrimSuffix(want, "?"), item) {
			s.seen[typ+" "+key] = true
		}
	}
	for key, want := range fields {
		if _, ok := o[key]; !ok && !strings.HasSuffix(want, "?") {
			s.Errorf("%s: a %s has %q; it is left out", where, typ, key)
		}
	}
}

// neverSet are the fields that have nothing to say here; docs/start/coming-from-yunikorn.md says why.
var neverSet = []string{
	"Application backoffDeadline", "AllocationAsk triggeredScaleUp",
	"EventBatch LowestID", // before the ring is full
}

func TestEveryRouteAnswersTheFieldsThatClientsKnow(t *testing.T) {
	l, s := rich(t), newShapes(t)
	for _, r := range routes {
		s.check(r.path, r.object, get[any](l, r.path))
	}
	answer := l.do("POST", "/ws/v1/validate-conf", "partitions: [{queues: 3}]")
	var object any
	d := json.NewDecoder(strings.NewReader(answer.body))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		t.Fatal(err)
	}
	s.check("validate-conf", "ValidateConfResponse", object)
	same(t, "a valid configuration", `{"allowed":true,"reason":""}`+"\n", l.do("POST", "/ws/v1/validate-conf", richConfig).body)
	s.seen["ValidateConfResponse allowed"] = true
	l.submit(`{"type":"allocation.restore","id":"r1","app":"models","resources":{"gpu":100},"placed_on":"g1"}`)
	s.check("health", "SchedulerHealth", get[any](l, "/ws/v1/scheduler/healthcheck"))
	s.check("an error", "YAPIError", failureOf(l, "/ws/v1/partition/none/queues"))
	var missing []string
	for typ, fields := range s.fields {
		for key := range fields {
			field := typ + " " + key
			if !s.seen[field] && !slices.Contains(neverSet, field) {
				missing = append(missing, field)
			}
		}
	}
	slices.Sort(missing)
	for _, field := range missing {
		t.Errorf("%s: no answer has anything there", field)
	}
}

func failureOf(l *live, path string) (object any) {
	l.Helper()
	r := l.do("GET", path, "")
	d := json.NewDecoder(strings.NewReader(r.body))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		l.Fatal(fmt.Errorf("%s: %d %q: %w", path, r.status, r.body, err))
	}
	return object
}
