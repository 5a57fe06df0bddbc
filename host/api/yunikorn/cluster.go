package yunikorn

import (
	"net/http"
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
)

// clusterName is how the cluster is called where a client asks for its name or its ID.
const clusterName = "quern"

func (a *API) clusterList() []cluster {
	var began int64
	a.view.Read(func(*scheduler.Scheduler) { began = nanoseconds(a.memory.began) })
	build := []map[string]string{}
	if a.options.Managers != nil {
		build = a.options.Managers.BuildInformation()
	}
	var out []cluster
	for _, p := range a.partitions() {
		out = append(out, cluster{StartTime: began, RMBuildInformation: build, Partition: p.name, ClusterName: clusterName})
	}
	return out
}

func (a *API) clusters(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, a.clusterList())
}

func (a *API) partitionInfos(w http.ResponseWriter, _ *http.Request) error {
	return answer(w, a.partitionList())
}

func (a *API) partitionList() []partitionInfo {
	out := []partitionInfo{}
	apps := map[string]map[string]int{} // by partition and state
	for _, p := range a.partitions() {
		apps[p.shown] = map[string]int{"total": 0}
	}
	a.countApplications(apps)
	for _, p := range a.partitions() {
		out = append(out, a.infoOf(&p, apps[p.shown]))
	}
	return out
}

// countApplications counts live applications, and those that are over as far as they are remembered.
func (a *API) countApplications(by map[string]map[string]int) {
	count := func(shown, state string) {
		if of := by[shown]; of != nil {
			of[state]++
			of["total"]++
		}
	}
	a.parts(core.Where{}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Apps(page)
		for i := range list.Items {
			if item := &list.Items[i]; !isTerminal(item.State) {
				count(item.Partition, item.State)
			}
		}
		return list.Next, list.More
	}, func() bool { return true })
	a.view.Read(func(*scheduler.Scheduler) {
		for _, all := range []*ring[*appRecord]{a.memory.completed, a.memory.rejected} {
			for number := all.first(); number < all.next; number++ {
				count((*all.at(number)).partition, (*all.at(number)).state())
			}
		}
	})
}

func (a *API) infoOf(p *partition, apps map[string]int) partitionInfo {
	out := partitionInfo{
		ClusterID: clusterName, Name: p.name, NodeSortingPolicy: nodeSorting{p.conf.NodeSort.Policy, map[string]float64{}},
		PreemptionEnabled: p.conf.PreemptionEnabled, QuotaPreemptionEnabled: p.conf.QuotaPreemption, Applications: apps, State: "Active",
	}
	for _, weight := range p.conf.NodeSort.Weights {
		out.NodeSortingPolicy.ResourceWeights[weight.Type] = float64(weight.Thousandths) / 1000
	}
	if root, err := a.findQueue(p, "root"); err == nil {
		capacity, used := amountsOf(root.Max), amountsOf(root.Used)
		out.Capacity, out.TotalContainers = partitionCapacity{capacity, used, used.percentOf(capacity)}, root.Allocations
	}
	a.view.Read(func(*scheduler.Scheduler) {
		out.LastStateTransitionTime = nanoseconds(max(a.memory.began, a.memory.configured))
	})
	a.eachNode(p, func(*node) bool { out.TotalNodes++; return true })
	return out
}

// utilizationOfCluster is how much of each type of a partition is used.
func utilizationOfCluster(c *partitionCapacity) []clusterUtil {
	out := []clusterUtil{}
	for _, typ := range sortedKeys(c.Capacity) {
		out = append(out, clusterUtil{typ, c.Capacity[typ], c.UsedCapacity[typ], strconv.FormatInt(c.Utilization[typ], 10) + "%"})
	}
	return out
}
