package disruption

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// Cluster is what the API server has, as informers know it.
type Cluster interface {
	Pod(key string) *corev1.Pod // by namespace and name; nil if it is not there
	PodsIn(namespace string) []*corev1.Pod
	BudgetsIn(namespace string) []*policyv1.PodDisruptionBudget
}

// Budgets are the budgets of a cluster, and the preempted pods that they do not count yet.
type Budgets struct {
	cluster Cluster
	recheck func(key string)

	byNamespace map[string][]*budget                 // ordered by name; namespaces without budgets are absent
	spent       map[string]map[types.UID]*corev1.Pod // by namespace: preempted pods that have not ended
	ended       map[string][]*corev1.Pod             // by namespace: those that have ended, and that a status may not count yet
	sparing     sparing
}

// New returns the budgets of a cluster, of which none is known yet. recheck gets the key of each pod whose protection may have changed.
func New(cluster Cluster, recheck func(key string)) *Budgets {
	return &Budgets{cluster: cluster, recheck: recheck, byNamespace: map[string][]*budget{}, spent: map[string]map[types.UID]*corev1.Pod{},
		ended: map[string][]*corev1.Pod{}, sparing: sparing{}}
}

// budget is a PodDisruptionBudget. Pods of one without a disruption left ask not to be preempted, while they have a node: that is a preference,
// which the scheduler disregards if nothing else is enough.
type budget struct {
	namespace, name string
	text            string // of the selector
	selects         labels.Selector
	left            int32 // disruptions, less those of preempted pods that the status does not count yet
}

func (b *budget) matches(pod *corev1.Pod) bool { return b.selects.Matches(labels.Set(pod.Labels)) }

// sameAs reports whether two versions of a budget protect the same pods.
func (b *budget) sameAs(other *budget) bool {
	return b.name == other.name && b.text == other.text && (b.left > 0) == (other.left > 0)
}

// Changed reads the budgets of a namespace again.
func (s *Budgets) Changed(namespace string) {
	old, current := s.byNamespace[namespace], s.read(namespace)
	if s.byNamespace[namespace] = current; len(current) == 0 {
		delete(s.byNamespace, namespace)
	}
	if !slices.EqualFunc(old, current, (*budget).sameAs) {
		s.recheckPods(namespace, slices.Concat(old, current))
	}
}

// Any reports whether a namespace has budgets.
func (s *Budgets) Any(namespace string) bool { return len(s.byNamespace[namespace]) > 0 }

// Awaited reports whether a preempted pod has not ended.
func (s *Budgets) Awaited() bool { return len(s.spent) > 0 }

// Protect reports whether a pod that has a node asks not to be preempted because of a budget.
func (s *Budgets) Protect(pod *corev1.Pod) bool {
	return slices.ContainsFunc(s.byNamespace[pod.Namespace], func(b *budget) bool {
		return (b.left <= 0 || s.sparing.spares(b, pod)) && b.matches(pod)
	})
}

// read returns the budgets of a namespace, ordered by name. One whose selector cannot be read protects no pod.
func (s *Budgets) read(namespace string) (list []*budget) {
	late := false
	for _, o := range s.cluster.BudgetsIn(namespace) {
		if selector, err := metav1.LabelSelectorAsSelector(o.Spec.Selector); err == nil {
			b := &budget{o.Namespace, o.Name, selector.String(), selector, o.Status.DisruptionsAllowed}
			n, waits := s.uncounted(o, b)
			b.left -= n
			late = late || waits
			list = append(list, b)
		}
	}
	if !late {
		delete(s.ended, namespace)
	}
	slices.SortFunc(list, func(a, b *budget) int { return cmp.Compare(a.name, b.name) })
	return list
}

// recheckPods names the pods that budgets select.
func (s *Budgets) recheckPods(namespace string, list []*budget) {
	for _, pod := range s.cluster.PodsIn(namespace) {
		if slices.ContainsFunc(list, func(b *budget) bool { return b.matches(pod) }) {
			s.recheck(key(pod))
		}
	}
}

func key(pod *corev1.Pod) string { return pod.Namespace + "/" + pod.Name }
