package yunikorn

import (
	"net/http"
	"strconv"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// The attributes of a node that have keys of their own, and the labels that say the same in Kubernetes.
const (
	attributeHost     = "si/hostname"
	attributeRack     = "si/rackname"
	attributeInstance = "si/instance-type"
	labelHost         = "kubernetes.io/hostname"
	labelInstance     = "node.kubernetes.io/instance-type"
)

// firstOf is the value of the first key that has one.
func firstOf(attributes map[string]string, keys ...string) string {
	for _, key := range keys {
		if value := attributes[key]; value != "" {
			return value
		}
	}
	return ""
}

// foreignDefault is the kind of foreign allocations that can be preempted. The other one is static.
const foreignDefault = "default"

// nodeOf makes one of a state, except its allocations. It is called while the view is held.
func nodeOf(s *scheduler.Scheduler, n *core.NodeDump) node {
	out := node{
		NodeID: n.ID, HostName: firstOf(n.Attributes, attributeHost, labelHost), RackName: n.Attributes[attributeRack], Attributes: orEmptyMap(n.Attributes),
		Capacity: amountsOf(n.Capacity), Allocated: amountsOf(n.Used), Occupied: amountsOf(n.Occupied), Allocations: []allocation{},
		ForeignAllocations: []foreignAllocation{}, Schedulable: n.Schedulable, Reservations: []string{},
	}
	if out.HostName == "" {
		out.HostName = n.ID
	}
	for _, id := range []string{n.Reserved, n.ClaimedBy} { // which there are two ways for, here
		if k, ok := s.Ask(id); ok {
			out.Reservations = append(out.Reservations, k.App+"|"+k.ID)
		}
	}
	out.IsReserved = len(out.Reservations) > 0
	out.Available = out.Capacity.minus(out.Allocated, out.Occupied)
	out.Utilized = out.Allocated.percentOf(out.Capacity)
	return out
}

// eachNode goes through the nodes of a partition, by ID.
func (a *API) eachNode(p *partition, each func(*node) bool) {
	var found []node
	a.parts(core.Where{Partition: p.shown}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Nodes(page)
		for i := range list.Items {
			if n := &list.Items[i]; n.Partition == p.shown {
				found = append(found, nodeOf(s, n))
			}
		}
		return list.Next, list.More
	}, func() bool {
		for i := range found {
			if !each(&found[i]) {
				return false
			}
		}
		found = found[:0]
		return true
	})
}

// foreign lists what occupies nodes, by node.
func (a *API) foreign() map[string][]*siv1.Allocation {
	if a.options.Managers == nil {
		return nil
	}
	return a.options.Managers.Foreign()
}

// foreignOf is an allocation as a resource manager told it.
func foreignOf(k *siv1.Allocation) foreignAllocation {
	out := foreignAllocation{AllocationKey: k.GetAllocationKey(), AllocationTags: orEmptyMap(k.GetAllocationTags()), Resource: amounts{},
		Priority: priorityText(k.GetPriority()), NodeID: k.GetNodeID(), Preemptable: k.Tag(siv1.TagForeign) == foreignDefault, AllocationTime: createdAt(k)}
	for typ, q := range k.GetResourcePerAlloc().GetResources() {
		out.Resource[typ] = q.GetValue()
	}
	return out
}

// createdAt is when a resource manager says that something was created, 0 if it does not.
func createdAt(k *siv1.Allocation) int64 {
	seconds, err := strconv.ParseInt(k.Tag(siv1.TagCreationTime), 10, 64)
	if err != nil {
		return 0
	}
	return saturatedProduct(seconds, int64(time.Second))
}

// addCluster adds what the cluster knows of a node.
func (a *API) addCluster(out *node) {
	c := a.options.Cluster
	if c == nil {
		return
	}
	out.Schedulable = out.Schedulable && !c.Cordoned(out.NodeID)
	for _, o := range c.Occupants(out.NodeID) {
		out.ForeignAllocations = append(out.ForeignAllocations, foreignAllocation{AllocationKey: o.ID, AllocationTags: orEmptyMap(o.Tags), AllocationTime: o.Created.UnixNano(),
			Resource: amountsOf(o.Resources), Priority: priorityText(o.Priority), NodeID: out.NodeID, Preemptable: o.Preemptable})
	}
}

// addAllocations reads the allocations on a node.
func (a *API) addAllocations(out *node, foreign []*siv1.Allocation) {
	a.addCluster(out)
	for _, k := range foreign {
		out.ForeignAllocations = append(out.ForeignAllocations, foreignOf(k))
	}
	told := 0 // allocations that have what was told of them
	a.parts(core.Where{Node: out.NodeID}, func(s *scheduler.Scheduler, page *core.Page) (core.Key, bool) {
		list := s.Asks(page)
		for i := range list.Items {
			out.Allocations = append(out.Allocations, a.allocationOf(&list.Items[i]))
		}
		return list.Next, list.More
	}, func() bool {
		a.addTold(nil, out.Allocations[told:])
		told = len(out.Allocations)
		return true
	})
}

// nodes lists the nodes of a partition.
func (a *API) nodes(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	out := newList(w)
	a.writeNodes(&p, out)
	return out.end()
}

func (a *API) writeNodes(p *partition, out *list) {
	foreign := a.foreign()
	a.eachNode(p, func(n *node) bool {
		a.addAllocations(n, foreign[n.NodeID])
		return out.add(n)
	})
}

// node answers one node.
func (a *API) node(w http.ResponseWriter, r *http.Request) error {
	p, err := a.partition(r)
	if err != nil {
		return err
	}
	id, err := identifier(r, "node")
	if err != nil {
		return err
	}
	var out node
	found := false
	a.view.Read(func(s *scheduler.Scheduler) {
		if n, ok := s.Node(id); ok && n.Partition == p.shown {
			out, found = nodeOf(s, &n), true
		}
	})
	if !found {
		return notFound("Node not found: there is no node %q", id)
	}
	a.addAllocations(&out, a.foreign()[id])
	return answer(w, &out)
}

// The tenths that nodes are counted in.
var buckets = [...]string{"0-10%", "10-20%", "20-30%", "30-40%", "40-50%", "50-60%", "60-70%", "70-80%", "80-90%", "90-100%"}

// nodeUtilizations counts the nodes of each partition by how much of each type is allocated on them.
func (a *API) nodeUtilizations(w http.ResponseWriter, _ *http.Request) error {
	out := newList(w)
	for _, p := range a.partitions() {
		if !out.add(a.utilizationOf(&p)) {
			break
		}
	}
	return out.end()
}

func (a *API) utilizationOf(p *partition) *partitionNodesUtil {
	counts := map[string]*[len(buckets)]nodeUtil{}
	a.eachNode(p, func(n *node) bool {
		for typ, capacity := range n.Capacity {
			if counts[typ] == nil {
				counts[typ] = &[len(buckets)]nodeUtil{}
			}
			if capacity > 0 {
				b := &counts[typ][bucketOf(n.Allocated[typ], capacity)]
				b.NumOfNodes++
				b.NodeNames = append(b.NodeNames, n.NodeID)
			}
		}
		return true
	})
	out := &partitionNodesUtil{ClusterID: clusterName, Partition: p.name, Utilizations: []nodesUtil{}}
	for _, typ := range sortedKeys(counts) {
		one := nodesUtil{Type: typ}
		for i, name := range buckets {
			b := counts[typ][i]
			b.BucketName, b.NodeNames = name, orEmptyList(b.NodeNames)
			one.Utilization = append(one.Utilization, b)
		}
		out.Utilizations = append(out.Utilizations, one)
	}
	return out
}

// bucketOf is the tenth that a share belongs to: the first up to 10 %, the second of more than that.
func bucketOf(used, capacity int64) int {
	tenths := (resource.Share(used, capacity)*int64(len(buckets)) + resource.ShareUnit - 1) / resource.ShareUnit
	return int(min(max(tenths, 1), int64(len(buckets)))) - 1
}
