package filter

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// cluster is what the plugins see of nodes and of the pods on them.
type cluster struct {
	log     klog.Logger
	unseen  func()                         // called after changes of pods that are no inputs of the scheduler
	came    func(*corev1.Pod)              // called with pods that begin to count
	version uint64                         // grows with every change
	added   []added                        // the pods of the last changes, as far back as those did nothing but add pods
	nodes   map[string]*framework.NodeInfo // also those that only pods name: they have no Node
	pods    map[string]*pod                // by key

	listed   []fwk.NodeInfo // those with a Node, by name; nil: to be listed again
	repelAt  uint64         // the version of repelling, +1
	repel    []fwk.NodeInfo // nodes with pods that keep others away
	affineAt uint64
	affine   []fwk.NodeInfo
}

// added is a pod that has come to stand on a node.
type added struct {
	pod  fwk.PodInfo
	node *framework.NodeInfo
}

// mostAdded is how many changes are kept; readers that are further behind read everything.
const mostAdded = 256

// changed notes a change.
func (c *cluster) changed() { c.version, c.added = c.version+1, nil }

// add has a pod count on a node.
func (c *cluster) add(p *corev1.Pod) {
	n := c.node(p.Spec.NodeName)
	n.AddPod(p)
	if len(c.added) == mostAdded {
		c.added = nil
	}
	c.version++
	c.added = append(c.added, added{n.Pods[len(n.Pods)-1], n})
	c.came(p)
}

// since returns the pods that were added after a version, if that is all that has changed.
func (c *cluster) since(version uint64) (list []added, only bool) {
	n := c.version - version
	if n > uint64(len(c.added)) {
		return nil, false
	}
	return c.added[uint64(len(c.added))-n:], true
}

// pod is one that the API server or the scheduler knows.
type pod struct {
	current *corev1.Pod // in the API server; nil: it has none
	tried   string      // the node on which the scheduler counts it; empty: none
	counted *corev1.Pod // as it counts on its node; nil: on none
}

func (c *cluster) begin(log klog.Logger, unseen func(), came func(*corev1.Pod)) {
	c.log, c.unseen, c.came, c.nodes, c.pods = log, unseen, came, map[string]*framework.NodeInfo{}, map[string]*pod{}
}

// node returns a node, which is made where only pods know it.
func (c *cluster) node(name string) *framework.NodeInfo {
	n := c.nodes[name]
	if n == nil {
		n = framework.NewNodeInfo()
		c.nodes[name] = n
	}
	return n
}

// setNode takes in a node. One of which plugins see no difference, such as after a heartbeat, leaves all judgements as they are.
func (c *cluster) setNode(n *corev1.Node) {
	info := c.node(n.Name)
	was := info.Node()
	info.SetNode(n)
	if was == nil {
		c.listed = nil
	}
	if was == nil || !sameNode(was, n) {
		c.changed()
	}
}

// sameNode reports whether plugins see no difference between two versions of a node: the later one only adds a heartbeat, or what the kubelet has done
// for pods.
func sameNode(a, b *corev1.Node) bool {
	x, y := *a, *b
	for _, n := range []*corev1.Node{&x, &y} {
		n.ResourceVersion, n.ManagedFields = "", nil
		n.Status.Conditions, n.Status.Images, n.Status.VolumesInUse = nil, nil, nil
	}
	return equality.Semantic.DeepEqual(&x, &y)
}

func (c *cluster) removeNode(name string) {
	if n := c.nodes[name]; n != nil {
		n.RemoveNode()
		c.dropEmpty(name)
		c.listed = nil
		c.changed()
	}
}

// dropEmpty forgets a node that neither the API server nor a pod knows.
func (c *cluster) dropEmpty(name string) {
	if n := c.nodes[name]; n != nil && n.Node() == nil && len(n.Pods) == 0 {
		delete(c.nodes, name)
	}
}

// setPod records the pod of the API server; nil: it is gone.
func (c *cluster) setPod(key string, current *corev1.Pod) {
	p := c.pods[key]
	if p == nil {
		if current == nil {
			return
		}
		p = &pod{}
		c.pods[key] = p
	}
	p.current = current
	c.count(key, p)
}

// tryPod takes in on which node the scheduler counts a pod; empty: on none.
func (c *cluster) tryPod(key, node string) {
	p := c.pods[key]
	if p == nil {
		if node == "" {
			return
		}
		p = &pod{}
		c.pods[key] = p
	}
	p.tried = node
	c.count(key, p)
}

// untry forgets what any scheduler has placed.
func (c *cluster) untry() {
	for key, p := range c.pods {
		if p.tried != "" {
			p.tried = ""
			c.count(key, p)
		}
	}
}

// count has a pod count where it is: on the node that the API server names, or else on that of the scheduler.
func (c *cluster) count(key string, p *pod) {
	was, now := p.counted, p.onNode()
	if p.current == nil && p.tried == "" {
		delete(c.pods, key)
	}
	if was == now || was != nil && now != nil && was.Spec.NodeName == now.Spec.NodeName && alike(was, now) {
		return
	}
	if was != nil {
		if err := removePod(c.log, c.nodes[was.Spec.NodeName], was); err != nil {
			c.log.Error(err, "A pod is not on the node that it was counted on", "pod", key, "node", was.Spec.NodeName)
		}
		c.dropEmpty(was.Spec.NodeName)
		c.changed()
	}
	if now != nil {
		c.add(now)
	}
	p.counted = now
	if was != nil && now != nil && was.Spec.NodeName == now.Spec.NodeName {
		c.unseen()
	}
}

// alike reports whether plugins see no difference between two versions of a placed pod.
func alike(a, b *corev1.Pod) bool {
	return a.UID == b.UID && maps.Equal(a.Labels, b.Labels) && (a.DeletionTimestamp == nil) == (b.DeletionTimestamp == nil)
}

// onNode is the pod as it is on a node; nil: it is on none.
func (p *pod) onNode() *corev1.Pod {
	current := p.current
	switch {
	case current == nil, current.Status.Phase == corev1.PodSucceeded, current.Status.Phase == corev1.PodFailed:
		return nil
	case current.Spec.NodeName != "":
		return current
	case p.tried == "":
		return nil
	}
	return placedOn(current, p.tried)
}

// placedOn is a pod as it will be on a node.
func placedOn(pod *corev1.Pod, node string) *corev1.Pod {
	placed := *pod
	placed.Spec.NodeName = node
	return &placed
}

// NodeInfos implements fwk.SharedLister.
func (c *cluster) NodeInfos() fwk.NodeInfoLister { return c }

// StorageInfos implements fwk.SharedLister.
func (c *cluster) StorageInfos() fwk.StorageInfoLister { return c }

// PodGroupStates implements fwk.SharedLister.
func (c *cluster) PodGroupStates() fwk.PodGroupStateLister { return noPodGroups{} }

// noPodGroups is for plugins that want to know of pod groups: gangs are the core's.
type noPodGroups struct{}

// errNoPodGroup answers for every pod group.
var errNoPodGroup = errors.New("pod groups are not known here")

// Get implements fwk.PodGroupStateLister.
func (noPodGroups) Get(string, string) (fwk.PodGroupState, error) { return nil, errNoPodGroup }

// List implements fwk.NodeInfoLister.
func (c *cluster) List() ([]fwk.NodeInfo, error) {
	if c.listed == nil {
		c.listed = make([]fwk.NodeInfo, 0, len(c.nodes))
		for _, name := range slices.Sorted(maps.Keys(c.nodes)) {
			if n := c.nodes[name]; n.Node() != nil {
				c.listed = append(c.listed, n)
			}
		}
	}
	return c.listed, nil
}

// HavePodsWithAffinityList implements fwk.NodeInfoLister.
func (c *cluster) HavePodsWithAffinityList() ([]fwk.NodeInfo, error) {
	if c.affineAt != c.version+1 {
		c.affineAt, c.affine = c.version+1, c.having(c.affine[:0], (*framework.NodeInfo).GetPodsWithAffinity)
	}
	return c.affine, nil
}

// HavePodsWithRequiredAntiAffinityList implements fwk.NodeInfoLister.
func (c *cluster) HavePodsWithRequiredAntiAffinityList() ([]fwk.NodeInfo, error) {
	if c.repelAt != c.version+1 {
		c.repelAt, c.repel = c.version+1, c.having(c.repel[:0], (*framework.NodeInfo).GetPodsWithRequiredAntiAffinity)
	}
	return c.repel, nil
}

// having appends the nodes that have pods of a kind.
func (c *cluster) having(to []fwk.NodeInfo, kind func(*framework.NodeInfo) []fwk.PodInfo) []fwk.NodeInfo {
	all, _ := c.List() // never fails
	for _, n := range all {
		if len(kind(n.(*framework.NodeInfo))) > 0 {
			to = append(to, n)
		}
	}
	return to
}

// Get implements fwk.NodeInfoLister.
func (c *cluster) Get(name string) (fwk.NodeInfo, error) {
	if n := c.nodes[name]; n != nil && n.Node() != nil {
		return n, nil
	}
	return nil, fmt.Errorf("node %q is not known", name)
}

// IsPVCUsedByPods implements fwk.StorageInfoLister.
func (c *cluster) IsPVCUsedByPods(key string) bool {
	for _, n := range c.nodes {
		if n.PVCRefCounts[key] > 0 {
			return true
		}
	}
	return false
}
