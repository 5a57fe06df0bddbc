package translate

import (
	"maps"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	kuberesource "k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/component-helpers/resource"

	quern "github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kubelabels"
)

// pods is the resource type that counts pods: each takes one.
const pods = string(corev1.ResourcePods)

// PodAmounts returns what a pod takes on a node, as the scheduler of Kubernetes counts with its default feature gates: containers and
// sidecars, or the largest step of the start if that is more; requests of the whole pod before those of its containers; the larger amount
// during a resize; the overhead; and the pod itself.
func PodAmounts(pod *corev1.Pod) quern.Set {
	list := requests(pod)
	list[corev1.ResourcePods] = *kuberesource.NewQuantity(1, kuberesource.DecimalSI)
	return amounts(list)
}

// requests are those of a pod, in a list of its own. Most pods have one container, whose requests are those of the pod.
func requests(pod *corev1.Pod) corev1.ResourceList {
	spec := &pod.Spec
	if len(spec.Containers) != 1 || spec.InitContainers != nil || spec.Resources != nil || spec.Overhead != nil || pod.Status.ContainerStatuses != nil {
		return resource.PodRequests(pod, resource.PodResourcesOptions{UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true})
	}
	list := maps.Clone(spec.Containers[0].Resources.Requests)
	if list == nil {
		list = corev1.ResourceList{}
	}
	return list
}

// amounts is what the scheduler counts of a pod: not what devices stand for, of which nodes have no amounts.
func (c *Context) amounts(pod *corev1.Pod) quern.Set {
	return slices.DeleteFunc(PodAmounts(pod), func(q quern.Quantity) bool { return c.Cluster.Devices[q.Type] })
}

// NodeAmounts returns the capacity of a node for pods.
func NodeAmounts(n *corev1.Node) quern.Set { return amounts(n.Status.Allocatable) }

// amounts converts quantities, rounded up, and leaves out zeros.
func amounts(list corev1.ResourceList) quern.Set {
	set := make([]quern.Quantity, 0, len(list))
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if q := list[name]; q.Sign() > 0 { // the API server refuses negative amounts
			set = append(set, quern.Quantity{Type: kubelabels.TypeOf(string(name)), Value: stored(name, q)})
		}
	}
	return quern.NewSet(set...)
}

// stored is a quantity in thousandths of a core for cpu, and in units for others.
func stored(name corev1.ResourceName, q kuberesource.Quantity) int64 {
	switch {
	case name != corev1.ResourceCPU:
		return q.Value()
	case q.Value() > math.MaxInt64/1000: // MilliValue would not be defined
		return math.MaxInt64
	}
	return q.MilliValue()
}

// total adds sets up, saturating.
func total(sets ...quern.Set) quern.Set {
	sum := map[string]int64{}
	for _, set := range sets {
		for _, q := range set {
			sum[q.Type] = quern.Add(sum[q.Type], q.Value)
		}
	}
	return setOf(sum)
}

func setOf(all map[string]int64) quern.Set {
	set := make([]quern.Quantity, 0, len(all))
	for _, typ := range slices.Sorted(maps.Keys(all)) {
		set = append(set, quern.Quantity{Type: typ, Value: all[typ]})
	}
	return quern.NewSet(set...)
}

// times multiplies a set, saturating.
func times(set quern.Set, n int) quern.Set {
	product := make([]quern.Quantity, 0, len(set))
	for _, q := range set {
		value := int64(math.MaxInt64)
		if q.Value <= value/int64(n) {
			value = q.Value * int64(n)
		}
		product = append(product, quern.Quantity{Type: q.Type, Value: value})
	}
	return quern.NewSet(product...)
}
