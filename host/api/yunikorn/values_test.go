package yunikorn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

func same(t *testing.T, what string, expected, found any) {
	t.Helper()
	if e, f := fmt.Sprint(expected), fmt.Sprint(found); e != f {
		t.Errorf("%s: expected %s, found %s", what, e, f)
	}
}

// line is some values, with blanks in between.
func line(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

func set(s resource.Set) amounts { return amountsOf(s) }

func TestQueuesAreThoseOfTheScheduler(t *testing.T) {
	l := rich(t)
	for _, partition := range []string{"default", "gpu"} {
		found := map[string]*partitionQueue{}
		var walk func(q *partitionQueue)
		walk = func(q *partitionQueue) {
			found[q.QueueName] = q
			var names []string
			for _, below := range q.Children {
				names = append(names, below.QueueName)
				same(t, below.QueueName+" parent", q.QueueName, below.Parent)
				walk(below)
			}
			same(t, q.QueueName+" childNames", orEmptyList(names), q.ChildNames)
		}
		root := get[partitionQueue](l, "/ws/v1/partition/"+partition+"/queues")
		walk(&root)
		for _, q := range state(l, func(s *scheduler.Scheduler) []core.QueueDump { return s.Read(core.OfQueues).Queues }) {
			if (q.Partition == "") != (partition == "default") {
				continue
			}
			o := found[q.Path]
			if o == nil {
				t.Errorf("there is no %s", q.Path)
				continue
			}
			delete(found, q.Path)
			same(t, q.Path+" used", set(q.Used), o.AllocatedResource)
			same(t, q.Path+" pending", set(q.Pending), o.PendingResource)
			same(t, q.Path+" max", set(q.Max), o.MaxResource)
			same(t, q.Path+" guaranteed", set(q.Guaranteed), o.GuaranteedResource)
			same(t, q.Path+" headroom", set(q.Headroom), o.Headroom)
			same(t, q.Path+" preempting", set(q.Leaving), o.PreemptingResource)
			same(t, q.Path+" running", q.Running, o.RunningApps)
			same(t, q.Path+" most running", q.MaxRunning, o.MaxRunningApps)
			same(t, q.Path+" leaf and managed", line(q.Leaf, !q.Dynamic), line(o.IsLeaf, o.IsManaged))
			if q.HasPriority {
				same(t, q.Path+" priority", q.Priority, o.CurrentPriority)
			}
		}
		same(t, "queues that the scheduler does not have", 0, len(found))
	}
}

func TestSettingsOfQueues(t *testing.T) {
	l := rich(t)
	prod := get[partitionQueue](l, "/ws/v1/partition/default/queue/root.prod")
	same(t, "prod", "true 5 10s false fifo true", line(prod.IsPriorityFence, prod.PriorityOffset, prod.PreemptionDelay, prod.IsPreemptionFence,
		prod.SortingPolicy, prod.PrioritySorting))
	batch := get[partitionQueue](l, "/ws/v1/partition/default/queue/root.batch")
	same(t, "batch", "true true 1m0s kept", line(batch.PreemptionEnabled, batch.IsPreemptionFence, batch.QuotaPreemptionDelay, batch.Properties["note"]))
	same(t, "what batch uses of the cluster", map[string]int64{"memory": 5, "pods": 0, "vcore": 30}, map[string]int64(batch.AbsUsedCapacity))
	people := get[partitionQueue](l, "/ws/v1/partition/default/queue/root.people")
	same(t, "the template of people", "{7 map[vcore:6000] map[vcore:1000] map[application.sort.policy:fair]}", line(*people.Template))
	same(t, "what is below people", "[root.people.zoe] 0", line(people.ChildNames, len(people.Children)))
	if subtree := get[partitionQueue](l, "/ws/v1/partition/default/queue/root.people?subtree"); len(subtree.Children) != 1 || subtree.Children[0].MaxRunningApps != 7 {
		t.Errorf("with what is below it: %+v", subtree)
	}
	gangs := get[partitionQueue](l, "/ws/v1/partition/default/queue/root.gangs")
	same(t, "the gangs that are forming", []string{"half"}, gangs.AllocatingAcceptedApps)
}

func TestNodesAreThoseOfTheScheduler(t *testing.T) {
	l := rich(t)
	nodes := map[string]node{}
	for _, partition := range []string{"default", "gpu"} {
		for _, n := range get[[]node](l, "/ws/v1/partition/"+partition+"/nodes") {
			nodes[n.NodeID] = n
			same(t, n.NodeID+" alone", n, get[node](l, "/ws/v1/partition/"+partition+"/node/"+n.NodeID))
		}
	}
	all := state(l, func(s *scheduler.Scheduler) []core.NodeDump { return s.Read(core.OfNodes).Nodes })
	same(t, "nodes", len(all), len(nodes))
	for _, n := range all {
		o := nodes[n.ID]
		same(t, n.ID+" capacity", set(n.Capacity), o.Capacity)
		same(t, n.ID+" allocated", set(n.Used), o.Allocated)
		same(t, n.ID+" occupied", set(n.Occupied), o.Occupied)
		same(t, n.ID+" schedulable", n.Schedulable, o.Schedulable)
		for typ, capacity := range o.Capacity {
			same(t, n.ID+" available "+typ, capacity-o.Allocated[typ]-o.Occupied[typ], o.Available[typ])
			same(t, n.ID+" utilized "+typ, o.Allocated[typ]*100/capacity, o.Utilized[typ])
		}
		var ids []string
		for _, a := range o.Allocations {
			ids = append(ids, a.AllocationKey)
			same(t, a.AllocationKey+" is on", n.ID, a.NodeID)
		}
		for _, a := range o.Allocations {
			same(t, a.AllocationKey+" has tags", created[a.AllocationKey] > 0, len(a.AllocationTags) > 0)
		}
		same(t, n.ID+" allocations", slices.Sorted(slices.Values(n.Allocations)), slices.Sorted(slices.Values(ids)))
		same(t, n.ID+" reserved", n.Reserved != "" || n.ClaimedBy != "", o.IsReserved)
	}
	same(t, "n1", "host-1 rack-1 m5", line(nodes["n1"].HostName, nodes["n1"].RackName, nodes["n1"].Attributes["si/instance-type"]))
	same(t, "n2 has no attributes", "n2 ", nodes["n2"].HostName+" "+nodes["n2"].RackName)
	same(t, "what is foreign", `[{"allocationKey":"f1","allocationTags":{"creationTime":"1800000000","foreign":"default"},"allocationTime":1800000000000000000,`+
		`"resource":{"vcore":500},"priority":"3","nodeId":"n2","preemptable":true}]`, asJSON(nodes["n2"].ForeignAllocations[:1]))
	named := nodes["n2"].ForeignAllocations[1]
	same(t, "what is foreign by tags with their domains", "true 1800000001000000000", line(named.Preemptable, named.AllocationTime))
	same(t, "the reservation of g1", []string{"models|m2"}, nodes["g1"].Reservations)
	same(t, "who holds n2", []string{"online|o2"}, nodes["n2"].Reservations)
}

func TestApplicationsAreThoseOfTheScheduler(t *testing.T) {
	l := rich(t)
	found := map[string]application{}
	for _, partition := range []string{"default", "gpu"} {
		for _, a := range get[[]application](l, "/ws/v1/partition/"+partition+"/applications/active") {
			found[a.ApplicationID] = a
			same(t, a.ApplicationID+" is in", partition, a.Partition)
		}
	}
	for _, a := range state(l, func(s *scheduler.Scheduler) []core.AppDump { return s.Read(core.OfApplications).Applications }) {
		if isTerminal(a.State) {
			continue
		}
		o, ok := found[a.ID]
		if !ok {
			t.Errorf("there is no %s", a.ID)
		}
		delete(found, a.ID)
		same(t, a.ID+" used", set(a.Used), o.UsedResource)
		same(t, a.ID+" queue, state", a.Queue+a.State, o.QueueName+o.State)
		same(t, a.ID+" submitted", int64(a.Submitted), o.SubmissionTime)
		same(t, a.ID+" ends in its state", a.State, o.StateLog[len(o.StateLog)-1].State)
		asks := map[string]core.AskDump{}
		for _, k := range a.Asks {
			asks[k.ID] = k
		}
		waiting := amounts{}
		for _, k := range o.Requests {
			d := asks[k.AllocationKey]
			delete(asks, k.AllocationKey)
			waiting.add(d.Resources)
			same(t, d.ID, line(set(d.Resources), d.Priority, cmp.Or(created[d.ID], int64(d.Submitted)), d.Placeholder, d.Node == "", d.Claims != ""),
				line(k.Resource, k.Priority, k.RequestTime, k.Placeholder, true, k.TriggeredPreemption))
		}
		for _, k := range o.Allocations {
			d := asks[k.AllocationKey]
			delete(asks, k.AllocationKey)
			same(t, d.ID, line(set(d.Resources), d.Priority, cmp.Or(created[d.ID], int64(d.Submitted)), int64(d.Allocated), int64(d.Allocated-d.Submitted), d.Node, d.Placeholder),
				line(k.Resource, k.Priority, k.RequestTime, k.AllocationTime, k.AllocationDelay, k.NodeID, k.Placeholder))
		}
		same(t, a.ID+" asks that are left out", 0, len(asks))
		same(t, a.ID+" pending", waiting, o.PendingResource)
	}
	same(t, "applications that the scheduler does not have", 0, len(found))
}

func TestMemory_OfApplications(t *testing.T) {
	l := rich(t)
	at := func(d time.Duration) int64 { return int64(start + d) }
	batch := get[application](l, "/ws/v1/partition/default/application/batch-1")
	same(t, "user and groups", "ann [vision staff]", line(batch.User, batch.Groups))
	same(t, "the victim", "b2 true", line(batch.Allocations[0].AllocationKey, batch.Allocations[0].Preempted))
	same(t, "what its resource manager said of the victim", "map[creationTime:1700000000 kubernetes.io/meta/podName:b-1]", line(batch.Allocations[0].AllocationTags))
	same(t, "what was said of an ask of another application", "map[]", line(batch.Requests[0].AllocationTags))
	same(t, "its states", line([]stateChange{{at(time.Minute), "New"}, {at(time.Minute), "Accepted"}, {at(time.Minute), "Starting"}}), line(batch.StateLog))
	online := get[application](l, "/ws/v1/partition/default/application/online")
	same(t, "why o1 waits", "waits-for-victims", online.Requests[0].AllocationLog[0].Message)
	same(t, "nodes that are held for online", []string{"n1|o1", "n2|o2"}, online.Reservations)
	gang := get[application](l, "/ws/v1/partition/default/application/gang")
	same(t, "placeholders", `[{"taskGroupName":"workers","count":2,"minResource":{"vcore":1000},"replaced":1,"timedout":0},`+
		`{"taskGroupName":"driver","count":1,"minResource":{"vcore":1000},"replaced":0,"timedout":0}]`, asJSON(gang.PlaceholderData))
	for _, k := range gang.Allocations {
		same(t, k.AllocationKey+" has a placeholder's place", k.AllocationKey == "t1", k.PlaceholderUsed)
	}
	same(t, "what placeholders used", `{"resourceUsage":{"m5":{}},"preemptedResource":{"m5":{}},"placeholderResource":{"m5":{"vcore":90000}}}`, asJSON(gang.ResourceHistory))
	same(t, "most that gang used", amounts{"vcore": 3000}, gang.MaxUsedResource)
	late := get[application](l, "/ws/v1/partition/default/application/late")
	same(t, "late", "Resuming 2", line(late.State, late.PlaceholderData[0].TimedOut))
	done := get[[]application](l, "/ws/v1/partition/default/applications/completed")
	if len(done) != 1 || done[0].ApplicationID != "brief" || done[0].FinishedTime == nil || *done[0].FinishedTime != at(2*time.Minute+30*time.Second) || done[0].StartTime != at(time.Minute) {
		t.Errorf("completed: %s", asJSON(done))
	}
	same(t, "what it used", `{"m5":{"vcore":6000}}`, asJSON(done[0].ResourceHistory.ResourceUsage))
	same(t, "it is found by its ID", asJSON(done[0]), asJSON(get[application](l, "/ws/v1/partition/default/application/brief")))
	rejected := get[[]application](l, "/ws/v1/partition/default/applications/rejected")
	if len(rejected) != 2 || rejected[0].ApplicationID != "lost" || rejected[0].RejectedMessage == "" || rejected[0].State != "Rejected" {
		t.Errorf("rejected: %s", asJSON(rejected))
	}
	running := get[[]application](l, "/ws/v1/partition/default/applications/active?status=accepted")
	ids := map[string]bool{}
	for _, a := range running {
		ids[a.ApplicationID] = true
	}
	same(t, "accepted", []string{"half", "online"}, slices.Sorted(maps.Keys(ids)))
}

func asJSON(x any) string {
	text, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestUsageIsThatOfTheLimits(t *testing.T) {
	l := rich(t)
	usage := func(u *resourceUsage, path string) *resourceUsage {
		for stack := []*resourceUsage{u}; len(stack) > 0; stack = stack[1:] {
			if stack[0].QueuePath == path {
				return stack[0]
			}
			stack = append(stack, stack[0].Children...)
		}
		t.Fatalf("there is nothing of %s", path)
		return nil
	}
	limits := state(l, (*scheduler.Scheduler).LimitUsage)
	for _, u := range limits {
		var tree *resourceUsage
		if u.Group {
			tree = get[groupUsage](l, "/ws/v1/partition/default/usage/group/"+u.Name).Queues
		} else {
			tree = get[userUsage](l, "/ws/v1/partition/default/usage/user/"+u.Name).Queues
		}
		o := usage(tree, u.Queue)
		same(t, u.Name+" in "+u.Queue, line(set(u.Used), set(u.Max), u.MaxApplications), line(o.ResourceUsage, o.MaxResources, o.MaxApplications))
	}
	if len(limits) < 7 {
		t.Errorf("only %d limits", len(limits))
	}
	same(t, "the group that an application counts for", "map[batch-1:vision]", line(get[userUsage](l, "/ws/v1/partition/default/usage/user/ann").Groups))
	same(t, "applications of a group", []string{"batch-1", "batch-2"}, get[groupUsage](l, "/ws/v1/partition/default/usage/group/vision").Applications)
}

func TestPartitionsAndNodesByUtilization(t *testing.T) {
	l := rich(t)
	infos := get[[]partitionInfo](l, "/ws/v1/partitions")
	d := state(l, func(s *scheduler.Scheduler) core.Dump { return s.Dump() })
	same(t, "the total", set(d.Total), infos[0].Capacity.Capacity)
	same(t, "what is used", set(d.Queues[0].Used), infos[0].Capacity.UsedCapacity)
	same(t, "nodes", "3 1", line(infos[0].TotalNodes, infos[1].TotalNodes))
	same(t, "applications", "map[Accepted:2 Completed:1 Rejected:2 Resuming:1 Starting:4 total:10]", line(infos[0].Applications))
	same(t, "containers", d.Queues[0].Allocations, infos[0].TotalContainers)
	same(t, "order of nodes", "{binpacking map[gpu:2.5]}", line(infos[1].NodeSortingPolicy))
	same(t, "preemption", "true true false", line(infos[0].PreemptionEnabled, infos[0].QuotaPreemptionEnabled, infos[1].QuotaPreemptionEnabled))
	for _, u := range get[[]partitionNodesUtil](l, "/ws/v1/scheduler/node-utilizations")[0].Utilizations {
		for i, b := range u.Utilization {
			same(t, b.BucketName, len(b.NodeNames), b.NumOfNodes)
			for _, id := range b.NodeNames {
				n := get[node](l, "/ws/v1/partition/default/node/"+id)
				used, capacity := n.Allocated[u.Type], n.Capacity[u.Type]
				if used*10 > capacity*int64(i+1) || i > 0 && used*10 <= capacity*int64(i) {
					t.Errorf("%s: %d of %d is not in %s", id, used, capacity, b.BucketName)
				}
			}
		}
	}
}

func TestTheConfigurationInForce(t *testing.T) {
	l := rich(t)
	text := l.do("GET", "/ws/v1/config", "")
	if found := string(state(l, func(s *scheduler.Scheduler) []byte { return s.Configuration().Print() })); text.body != found || text.header.Get("Content-Type") != "application/x-yaml; charset=UTF-8" {
		t.Errorf("found %s", text.body)
	}
	same(t, "it can be used again", `{"allowed":true,"reason":""}`+"\n", l.do("POST", "/ws/v1/validate-conf", text.body).body)
	var object struct {
		Partitions []struct{ Name string }
	}
	asked := l.do("GET", "/ws/v1/config", "", "Accept", "application/json")
	if err := json.Unmarshal([]byte(asked.body), &object); err != nil || len(object.Partitions) != 2 || object.Partitions[1].Name != "gpu" {
		t.Errorf("as JSON: %v %s", err, asked.body)
	}
	same(t, "metrics", "quern_up 1\n", l.do("GET", "/ws/v1/metrics", "").body)
}
