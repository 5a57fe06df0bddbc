package manager

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/translate"
)

// budget is a PodDisruptionBudget. Pods of one without a disruption left ask not to be preempted, while they have a node: that is a preference,
// which the scheduler disregards where nothing else is enough.
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

// budgetsChanged takes in the budgets of namespaces.
func (r *run) budgetsChanged(namespaces map[string]bool) {
	for namespace := range namespaces {
		old, current := r.budgets[namespace], r.budgetsOf(namespace)
		if r.budgets[namespace] = current; len(current) == 0 {
			delete(r.budgets, namespace)
		}
		if !slices.EqualFunc(old, current, (*budget).sameAs) {
			r.budgetsTurned(namespace, slices.Concat(old, current))
		}
	}
}

// budgetsOf reads the budgets of a namespace, ordered by name. One whose selector cannot be read protects no pod.
func (r *run) budgetsOf(namespace string) (list []*budget) {
	late := false
	for _, o := range indexed[policyv1.PodDisruptionBudget](r.cluster.budgets, cache.NamespaceIndex, namespace) {
		if selector, err := metav1.LabelSelectorAsSelector(o.Spec.Selector); err == nil {
			b := &budget{o.Namespace, o.Name, selector.String(), selector, o.Status.DisruptionsAllowed}
			n, waits := r.uncounted(o, b)
			b.left -= n
			late = late || waits
			list = append(list, b)
		}
	}
	if !late {
		delete(r.ended, namespace)
	}
	slices.SortFunc(list, func(a, b *budget) int { return cmp.Compare(a.name, b.name) })
	return list
}

// uncounted counts the pods of a budget that were preempted and that its status does not count yet. It does not count those that are not told to end
// yet, and of those that are, as many as it still has as healthy: it is written a moment after they are told.
func (r *run) uncounted(o *policyv1.PodDisruptionBudget, b *budget) (n int32, late bool) {
	var ending, ended int32
	for _, pod := range r.spent[o.Namespace] {
		if _, counted := o.Status.DisruptedPods[pod.Name]; counted || !b.matches(pod) {
			continue
		}
		if current := r.cluster.pod(translate.Key(pod)); current != nil && current.UID == pod.UID && current.DeletionTimestamp != nil {
			ending++
		} else {
			n++
		}
	}
	for _, pod := range r.ended[o.Namespace] {
		if b.matches(pod) {
			ended++
		}
	}
	if ending+ended == 0 {
		return n, false
	}
	more := r.seemHealthy(o, b)
	return n + min(ending+ended, more), ended > 0 && more > 0
}

// seemHealthy counts the pods that the status of a budget has as healthy, and that are not.
func (r *run) seemHealthy(o *policyv1.PodDisruptionBudget, b *budget) int32 {
	more := o.Status.CurrentHealthy
	for _, pod := range r.cluster.podsIn(o.Namespace) {
		if _, counted := o.Status.DisruptedPods[pod.Name]; !counted && healthy(pod) && b.matches(pod) {
			more--
		}
	}
	return max(0, more)
}

// healthy reports whether a pod counts for its budgets, as the disruption controller has it.
func healthy(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// followSpent notes that a pod has ended, or is told to: if it was preempted, its budgets may have counted the latter already.
func (r *run) followSpent(was, current *corev1.Pod) {
	switch {
	case was == nil:
	case current == nil || current.UID != was.UID || r.o.Settings.StageOf(current) == translate.Gone:
		r.spentEnded(was)
	case was.DeletionTimestamp == nil && current.DeletionTimestamp != nil && r.spent[was.Namespace][was.UID] != nil:
		r.budgetsChanged(map[string]bool{was.Namespace: true})
	}
}

// spentEnded notes that a pod has ended. If it was preempted, its budgets will count that.
func (r *run) spentEnded(pod *corev1.Pod) {
	if r.spent[pod.Namespace][pod.UID] == nil {
		return
	}
	if len(r.budgets[pod.Namespace]) > 0 {
		r.ended[pod.Namespace] = append(r.ended[pod.Namespace], pod)
	}
	r.unspend(pod)
}

// unspend takes back what a preemption has counted.
func (r *run) unspend(pod *corev1.Pod) {
	spent := r.spent[pod.Namespace]
	if spent[pod.UID] == nil {
		return
	}
	if delete(spent, pod.UID); len(spent) == 0 {
		delete(r.spent, pod.Namespace)
	}
	r.budgetsChanged(map[string]bool{pod.Namespace: true})
}

// budgetsTurned has the pods that budgets select looked at.
func (r *run) budgetsTurned(namespace string, list []*budget) {
	for _, pod := range r.cluster.podsIn(namespace) {
		if slices.ContainsFunc(list, func(b *budget) bool { return b.matches(pod) }) {
			r.unprotected[translate.Key(pod)] = true
		}
	}
}

// spend counts a pod's preemption against its budgets, and names those that had no disruption left.
func (r *run) spend(pod *corev1.Pod) (violated []string) {
	if r.spent[pod.Namespace] == nil {
		r.spent[pod.Namespace] = map[types.UID]*corev1.Pod{}
	}
	r.spent[pod.Namespace][pod.UID] = pod
	for _, b := range r.budgets[pod.Namespace] {
		if !b.matches(pod) {
			continue
		}
		if b.left <= 0 {
			violated = append(violated, "PodDisruptionBudget "+pod.Namespace+"/"+b.name)
		}
		if b.left--; b.left == 0 {
			r.budgetsTurned(pod.Namespace, []*budget{b})
		}
	}
	return violated
}

// classesChanged has the pods of priority classes looked at.
func (r *run) classesChanged(names map[string]bool) {
	if len(names) == 0 {
		return
	}
	for key, p := range r.pods {
		if p.told != nil && names[p.told.Spec.PriorityClassName] {
			r.unprotected[key] = true
		}
	}
}

// checkProtection has a pod looked at that has got a node: budgets protect it from now on.
func (r *run) checkProtection(pod *corev1.Pod) {
	if len(r.budgets[pod.Namespace]) > 0 {
		r.unprotected[translate.Key(pod)] = true
	}
}

// refreshProtection tells which pods ask not to be preempted, where that has changed.
func (r *run) refreshProtection() {
	for _, key := range slices.Sorted(maps.Keys(r.unprotected)) {
		p := r.pods[key]
		if p == nil || !p.state.Known() || p.told == nil {
			continue
		}
		if protected := r.protects(p); protected != p.protection.on {
			p.protection = protection{on: protected, since: soon}
			r.batch.add(core.Input{Event: &core.UpdateAsk{ID: key, Preemptable: new(!protected)}})
		}
	}
	clear(r.unprotected)
}

// protects reports whether a pod asks not to be preempted.
func (r *run) protects(p *pod) bool {
	if p.undeletable || !translate.Preemptable(p.told, r.context(p.told)) {
		return true
	}
	return p.state.Placed() && slices.ContainsFunc(r.budgets[p.told.Namespace], func(b *budget) bool {
		return (b.left <= 0 || r.sparing.spares(b, p.told, translate.Key(p.told))) && b.matches(p.told)
	})
}
