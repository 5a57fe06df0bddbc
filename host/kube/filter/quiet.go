package filter

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/quern-project/quern/host/kube/translate"
)

// quiet decides whether the refusals of a class stand. Pod affinity and spread may let a pod in because another pod is placed, so that the scheduler
// would ask about all nodes again after each placement. Most placements have nothing to do with them: a class that all nodes have refused twice,
// without a pod having come that its affinity or spread counts, is quiet. Its refusals stand then until such a pod comes, when its predicate is
// asked again.
type quiet struct {
	refused  int  // answers since the last that let a pod in, or since a pod came that counts
	stands   bool // some refusals were said to stand since such a pod came
	together bool // pods are in a gang, whose members are tried beside one another: what is refused now may be let in at once
	counts   []labels.Selector
}

// looks is how often all nodes have to refuse a class before it is quiet.
const looks = 2

// selectors are those of the pods that affinity and spread of a pod count, whatever their namespaces.
func selectors(pod *corev1.Pod) (list []labels.Selector, err error) {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return nil, err
	}
	for _, term := range info.RequiredAffinityTerms {
		list = append(list, term.Selector)
	}
	for i := range pod.Spec.TopologySpreadConstraints {
		selector, err := metav1.LabelSelectorAsSelector(pod.Spec.TopologySpreadConstraints[i].LabelSelector)
		if err != nil {
			return nil, err
		}
		list = append(list, selector)
	}
	return list, nil
}

// newQuiet has the refusals of a class that cannot be read never stand.
func newQuiet(pod *corev1.Pod) quiet {
	counts, err := selectors(pod)
	return quiet{together: err != nil, counts: counts}
}

// joins takes in that a pod is of the class.
func (q *quiet) joins(pod *corev1.Pod) {
	q.together = q.together || translate.TaskGroup(pod) != "" || translate.PodGroupKey(pod) != ""
}

// answer turns an answer of the plugins into one for the core; all nodes together have so many.
func (q *quiet) answer(code float64, nodes int) float64 {
	if code == 0 {
		q.refused = 0
		return 0
	}
	quiet := q.refused >= looks*nodes && !q.together
	q.refused++
	if quiet && code > 0 {
		q.stands = true
		return -code
	}
	return code
}

// wakes takes in that a pod has come, and reports whether the class may have to be asked again.
func (q *quiet) wakes(pod *corev1.Pod) bool {
	if q.refused == 0 && !q.stands {
		return false
	}
	for _, counts := range q.counts {
		if counts.Matches(labels.Set(pod.Labels)) {
			stood := q.stands
			q.refused, q.stands = 0, false
			return stood
		}
	}
	return false
}

// came marks the classes that count a pod as stale, if their refusals stand.
func (f *Filters) came(pod *corev1.Pod) {
	for name, c := range f.classes {
		if c.wakes(pod) {
			f.noteStaleOf(name)
		}
	}
}
