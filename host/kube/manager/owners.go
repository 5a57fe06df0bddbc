package manager

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/host/kube/translate"
)

// A gang needs no more members than its Jobs and StatefulSets make at once, and none of those that have succeeded. Both are read when a gang
// begins: while some of it are there, they have to say the same.

// The kinds of owners that are followed.
const (
	kindJob         = "Job"
	kindStatefulSet = "StatefulSet"
)

// owned is the key of an owner in the inbox.
func owned(kind, key string) string { return kind + "/" + key }

// followOwners has Jobs and StatefulSets followed. Of Jobs nothing is kept that is not read here, since there may be many.
func (m *Manager) followOwners() error {
	jobs, sets := m.o.Informers.Batch().V1().Jobs().Informer(), m.o.Informers.Apps().V1().StatefulSets().Informer()
	if err := jobs.SetTransform(withoutTemplate); err != nil {
		return err
	}
	m.cluster.jobs, m.cluster.sets = jobs.GetIndexer(), sets.GetIndexer()
	if err := m.watch(jobs, func(key string) { m.inbox.owner(owned(kindJob, key)) }, sameJob); err != nil {
		return err
	}
	return m.watch(sets, func(key string) { m.inbox.owner(owned(kindStatefulSet, key)) }, sameSet)
}

func withoutTemplate(o any) (any, error) {
	if job, ok := o.(*batchv1.Job); ok {
		job.Spec.Template, job.ManagedFields = corev1.PodTemplateSpec{}, nil
	}
	return o, nil
}

// sameJob reports whether two versions of a Job make as many pods at once.
func sameJob(old, current metav1.Object) bool {
	a, b := old.(*batchv1.Job), current.(*batchv1.Job)
	return a.UID == b.UID && equality.Semantic.DeepEqual(a.Spec.Parallelism, b.Spec.Parallelism) && equality.Semantic.DeepEqual(a.Spec.Completions, b.Spec.Completions)
}

func sameSet(old, current metav1.Object) bool {
	a, b := old.(*appsv1.StatefulSet), current.(*appsv1.StatefulSet)
	return a.UID == b.UID && equality.Semantic.DeepEqual(a.Spec.Replicas, b.Spec.Replicas)
}

// jobOf returns the Job that makes a pod; nil: none, or it is not known.
func (c *cluster) jobOf(pod *corev1.Pod) *batchv1.Job {
	owner := metav1.GetControllerOf(pod)
	if owner == nil || owner.Kind != kindJob || !strings.HasPrefix(owner.APIVersion, batchv1.GroupName+"/") {
		return nil
	}
	if job := found[batchv1.Job](c.jobs, pod.Namespace+"/"+owner.Name); job != nil && job.UID == owner.UID {
		return job
	}
	return nil
}

// setOf returns the StatefulSet that makes a pod; nil: none, or it is not known.
func (c *cluster) setOf(pod *corev1.Pod) *appsv1.StatefulSet {
	owner := metav1.GetControllerOf(pod)
	if owner == nil || owner.Kind != kindStatefulSet || !strings.HasPrefix(owner.APIVersion, appsv1.GroupName+"/") {
		return nil
	}
	if set := found[appsv1.StatefulSet](c.sets, pod.Namespace+"/"+owner.Name); set != nil && set.UID == owner.UID {
		return set
	}
	return nil
}

// atOnce is how many pods the owner of a pod makes at once; 0: nothing that is known bounds it. With left, pods that succeeded are not made again.
func (c *cluster) atOnce(pod *corev1.Pod, left bool) int {
	if job := c.jobOf(pod); job != nil && left {
		return translate.JobAtOnce(job, c.succeededOf(job))
	} else if job != nil {
		return translate.JobAtOnce(job, 0)
	}
	if set := c.setOf(pod); set != nil {
		return translate.StatefulSetAtOnce(set)
	}
	return 0
}

// bounds sums up, by what a function says of the pods of an application, how many of them their owners make at once.
type bounds struct {
	sums  map[string]int
	known map[string]map[types.UID]bool // owners that are summed up
	open  map[string]bool               // a pod has an owner without a bound
}

func (b *bounds) add(of string, pod *corev1.Pod, most int) {
	owner := metav1.GetControllerOf(pod)
	if owner == nil || most == 0 {
		b.open[of] = true
		return
	}
	if b.known[of] == nil {
		b.known[of] = map[types.UID]bool{}
	}
	if !b.known[of][owner.UID] {
		b.known[of][owner.UID] = true
		b.sums[of] += most
	}
}

// boundsOf is how many pods of an application are made at once, by task group or by PodGroup.
func (s *apps) boundsOf(a *app, left bool, name func(*corev1.Pod) string) map[string]int {
	b := bounds{sums: map[string]int{}, known: map[string]map[types.UID]bool{}, open: map[string]bool{}}
	for key := range a.pods {
		if pod := s.view.Pod(key); pod != nil && name(pod) != "" {
			b.add(name(pod), pod, s.view.atOnce(pod, left))
		}
	}
	for of := range b.open {
		delete(b.sums, of)
	}
	return b.sums
}

// succeededOf counts the pods of a Job that have succeeded. Those that are still there may not be counted by its status yet.
func (c *cluster) succeededOf(job *batchv1.Job) int {
	there := 0
	for _, pod := range c.podsBy(job.UID) {
		if translate.Succeeded(pod) {
			there++
		}
	}
	return max(there, translate.JobSucceeded(job))
}

// ownersChanged has the pods of gangs ask again that wait and need another number of members, since their owners make another one at once.
func (s *apps) ownersChanged(owners, looked map[string]bool) {
	apps := map[string]bool{}
	for name := range owners {
		for _, pod := range s.view.podsBy(s.view.ownerNamed(name)) {
			if p := s.pods.at(translate.Key(pod)); p != nil && translate.GangID(pod) != "" {
				apps[p.app] = true
			}
		}
	}
	for id := range apps {
		a := s.byID[id]
		if a == nil || !s.needsOthers(a) {
			continue
		}
		for key, p := range s.asking(a) {
			s.pods.withdraw(p)
			looked[key] = true
		}
	}
}

// ownerNamed is the UID of an owner; empty: it is not there.
func (c *cluster) ownerNamed(name string) types.UID {
	kind, key, _ := strings.Cut(name, "/")
	if kind == kindJob {
		if job := found[batchv1.Job](c.jobs, key); job != nil {
			return job.UID
		}
	} else if set := found[appsv1.StatefulSet](c.sets, key); set != nil {
		return set.UID
	}
	return ""
}

// needsOthers reports whether an application has a gang that waits, and would need another number of members if it began now.
func (s *apps) needsOthers(a *app) bool {
	groups := map[string]bool{}
	for key := range a.pods {
		p, pod := s.pods.at(key), s.view.Pod(key)
		if p == nil || pod == nil || p.state.Placed() {
			return false
		}
		if group := translate.PodGroupKey(pod); group != "" {
			groups[group] = true
		}
	}
	if a.gang != nil && a.gang.Atomic && a.gang.MinOf(s.boundsOf(a, false, translate.TaskGroup)) != a.gang.Min() {
		return true
	}
	now := s.boundsOf(a, a.state.known(), translate.PodGroupKey)
	for key := range groups {
		if g := s.view.group(key); translate.MinOfPodGroup(g, now[key]) != translate.MinOfPodGroup(g, a.inGroups[key]) {
			return true
		}
	}
	return false
}
