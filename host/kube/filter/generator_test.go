package filter

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const (
	ownScheduler    = "quern"
	cappedQueue     = "root.capped"
	cappedMilli     = 6000
	entitledQueue   = "root.entitled"
	preemptionDelay = 10 * time.Millisecond // as below
	threeQueues     = `partitions: [{name: default, placementrules: [{name: provided}], queues: [{name: root, properties: {reservation.delay: 0s},
  queues: [{name: free}, {name: capped, resources: {max: {vcore: "6"}}},
    {name: entitled, resources: {guaranteed: {vcore: "1000"}}, properties: {preemption.delay: 10ms}}]}]}]`
)

var (
	disks = []string{"ssd", "hdd"}
	ranks = []string{"1", "2", "3", "x"}
	zones = []string{"z0", "z1", "z2"}
)

func milli(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) }

func requests(cpu, memory int64) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: milli(cpu), corev1.ResourceMemory: *resource.NewQuantity(memory<<20, resource.BinarySI)}
}

// one of so many is true.
func oneOf(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// clusterNode is a node with labels, taints and amounts.
func clusterNode(r *rand.Rand, name string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("node-" + name), Labels: map[string]string{corev1.LabelHostname: name, "disk": pick(r, disks...)}}}
	if !oneOf(r, 8) {
		n.Labels[corev1.LabelTopologyZone] = pick(r, zones...)
	}
	if oneOf(r, 2) {
		n.Labels["rank"] = pick(r, ranks...)
	}
	for i := range 2 {
		if oneOf(r, 6) {
			n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: "team" + strconv.Itoa(i), Value: pick(r, "a", "b"), Effect: pick(r, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule)})
		}
	}
	n.Spec.Unschedulable = oneOf(r, 12)
	n.Status.Allocatable = requests(500+int64(r.IntN(8))*500, 1024<<r.IntN(4))
	n.Status.Allocatable[corev1.ResourcePods] = *resource.NewQuantity(2+int64(r.IntN(10)), resource.DecimalSI)
	if oneOf(r, 3) {
		n.Status.Allocatable["example.com/card"] = *resource.NewQuantity(1+int64(r.IntN(3)), resource.DecimalSI)
	}
	return n
}

// clusterPod is a pod with some of all that may keep pods off nodes.
func clusterPod(r *rand.Rand, name string) *corev1.Pod {
	pod := randomPod(r, 0)
	pod.Name, pod.UID = name, types.UID("pod-"+name)
	pod.Spec.SchedulerName = ownScheduler
	pod.Status.Phase = corev1.PodPending
	queue := pick(r, "root.free", "root.free", cappedQueue)
	pod.Labels["applicationId"], pod.Labels["queue"] = queue+"-"+strconv.Itoa(r.IntN(4)), queue
	if oneOf(r, 2) {
		pod.Labels["version"] = pick(r, "v1", "v2")
	}
	size(r, pod)
	demands(r, pod)
	if len(pod.Spec.TopologySpreadConstraints) > 0 {
		c := &pod.Spec.TopologySpreadConstraints[0]
		if oneOf(r, 3) {
			ignore := corev1.NodeInclusionPolicyIgnore
			c.NodeAffinityPolicy = &ignore
		}
		if oneOf(r, 4) {
			c.MatchLabelKeys = []string{"version"} // which the API server would have put into the selector
			c.LabelSelector.MatchExpressions = versionOf(pod)
		}
	}
	return pod
}

func versionOf(pod *corev1.Pod) []metav1.LabelSelectorRequirement {
	if v := pod.Labels["version"]; v != "" {
		return []metav1.LabelSelectorRequirement{{Key: "version", Operator: metav1.LabelSelectorOpIn, Values: []string{v}}}
	}
	return nil
}

// size gives a pod requests: of containers, of its start, of sidecars, as a whole, and overhead.
func size(r *rand.Rand, pod *corev1.Pod) {
	spec := &pod.Spec
	some := func() corev1.ResourceList { return requests(int64(r.IntN(8))*100, int64(r.IntN(8))*64) }
	spec.Containers[0].Resources.Requests = some()
	if oneOf(r, 4) {
		spec.Containers = append(spec.Containers, corev1.Container{Name: "second", Resources: corev1.ResourceRequirements{Requests: some()}})
	}
	always := corev1.ContainerRestartPolicyAlways
	for i := range r.IntN(3) {
		if !oneOf(r, 3) {
			continue
		}
		c := corev1.Container{Name: fmt.Sprint("init", i), Resources: corev1.ResourceRequirements{Requests: some()}}
		if oneOf(r, 2) {
			c.RestartPolicy = &always
			if oneOf(r, 3) {
				c.Ports = []corev1.ContainerPort{{HostPort: 80 + r.Int32N(3), Protocol: corev1.ProtocolTCP}}
			}
		}
		spec.InitContainers = append(spec.InitContainers, c)
	}
	if oneOf(r, 5) {
		spec.Overhead = requests(100, 64)
	}
	if oneOf(r, 6) {
		spec.Resources = &corev1.ResourceRequirements{Requests: requests(int64(1+r.IntN(10))*100, int64(1+r.IntN(10))*64)}
	}
	if oneOf(r, 8) {
		spec.Containers[0].Resources.Requests["example.com/card"] = *resource.NewQuantity(1, resource.DecimalSI)
	}
	for i := range spec.Containers[0].Ports {
		p := &spec.Containers[0].Ports[i]
		p.HostPort = 80 + r.Int32N(3) // they meet
		p.HostIP, p.Protocol = pick(r, "", "", "127.0.0.1", "10.0.0.1"), pick(r, corev1.ProtocolTCP, corev1.ProtocolTCP, corev1.ProtocolUDP)
	}
}

// demands gives a pod node affinity and tolerations.
func demands(r *rand.Rand, pod *corev1.Pod) {
	if oneOf(r, 4) {
		required := &corev1.NodeSelector{}
		for range 1 + r.IntN(2) {
			var term corev1.NodeSelectorTerm
			for range 1 + r.IntN(2) {
				term.MatchExpressions = append(term.MatchExpressions, requirement(r))
			}
			if oneOf(r, 8) {
				term.MatchFields = []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: pick(r, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn), Values: []string{fmt.Sprint("n", r.IntN(8))}}}
			}
			required.NodeSelectorTerms = append(required.NodeSelectorTerms, term)
		}
		pod.Spec.Affinity.NodeAffinity = &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}
	}
	for range r.IntN(3) {
		if !oneOf(r, 2) {
			continue
		}
		t := corev1.Toleration{Key: "team" + strconv.Itoa(r.IntN(2)), Operator: corev1.TolerationOpEqual, Value: pick(r, "a", "b"), Effect: pick(r, "", corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute)}
		if oneOf(r, 3) {
			t.Operator, t.Value = corev1.TolerationOpExists, ""
		}
		if oneOf(r, 8) {
			t = corev1.Toleration{Operator: corev1.TolerationOpExists}
		}
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, t)
	}
}

func requirement(r *rand.Rand) corev1.NodeSelectorRequirement {
	switch r.IntN(6) {
	case 0:
		return corev1.NodeSelectorRequirement{Key: "disk", Operator: corev1.NodeSelectorOpIn, Values: []string{pick(r, disks...)}}
	case 1:
		return corev1.NodeSelectorRequirement{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpNotIn, Values: []string{pick(r, zones...)}}
	case 2:
		return corev1.NodeSelectorRequirement{Key: "rank", Operator: pick(r, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist)}
	case 3:
		return corev1.NodeSelectorRequirement{Key: "rank", Operator: pick(r, corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt), Values: []string{pick(r, "1", "2", "3")}}
	case 4:
		return corev1.NodeSelectorRequirement{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpIn, Values: []string{zones[r.IntN(2)], zones[2]}}
	}
	return corev1.NodeSelectorRequirement{Key: "disk", Operator: corev1.NodeSelectorOpExists}
}
