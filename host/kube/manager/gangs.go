package manager

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/host/kube/translate"
)

// How a gang begins: what it needs, and what of it is done already.

// succeededOf counts by gang the pods of an application that have succeeded before it is submitted, from the status of their Jobs and of the pods that
// are left. Jobs that have ended create no more pods.
func (s *apps) succeededOf(a *app) map[string]int {
	counts, jobs := map[string]int{}, map[types.UID]bool{}
	for key := range a.pods {
		pod := s.view.Pod(key)
		if pod == nil || translate.GangID(pod) == "" {
			continue
		}
		if job := s.view.jobOf(pod); job != nil && !jobs[job.UID] {
			jobs[job.UID] = true
			counts[translate.GangID(pod)] += s.view.succeededOf(job)
		}
	}
	for gang, n := range s.before[a.id].gangs {
		counts[gang] += n
	}
	delete(s.before, a.id)
	for gang, n := range counts {
		if n == 0 {
			delete(counts, gang)
		}
	}
	if len(counts) == 0 {
		return nil
	}
	return counts
}

// idle is how long the scheduler keeps an application without pods.
const idle = 30 * time.Second

// doneBefore is how many pods of an application had succeeded when the run began, by gang and by task group.
type doneBefore struct {
	gangs, groups map[string]int
}

// succeededBefore counts the pods without a Job that have succeeded when the run begins, by application: a leader before has known of them, unless
// the application had ended.
func (v *clusterView) succeededBefore() map[string]doneBefore {
	before := map[string]doneBefore{}
	for _, key := range v.pods.ListKeys() {
		pod := v.Pod(key)
		if pod == nil || !translate.Succeeded(pod) || translate.GangID(pod) == "" || !v.settings.Schedules(pod) {
			continue
		}
		if owner := metav1.GetControllerOf(pod); owner != nil && owner.Kind == kindJob {
			continue
		}
		id, _ := translate.AppID(pod, v.context(pod))
		if _, known := before[id]; !known {
			before[id] = doneBefore{gangs: map[string]int{}, groups: map[string]int{}}
		}
		before[id].gangs[translate.GangID(pod)]++
		before[id].groups[translate.TaskGroup(pod)]++
	}
	return before
}

// beginGangs reads the needs of a gang that begins: no pod of its application has asked yet.
func (s *apps) beginGangs(a *app, of *corev1.Pod, c *translate.Context) {
	c.Members = map[string]int{}
	for _, group := range a.pods {
		c.Members[group]++
	}
	for group, n := range s.before[a.id].groups { // they need not come again
		c.Members[group] += n
	}
	c.AtOnce = s.boundsOf(a, false, translate.TaskGroup)
	gang, bad := translate.GangOf(of, c)
	if !a.state.known() {
		a.gang = gang
		s.events.report(of, bad)
		c.Succeeded = s.succeededOf(a)
	} else if a.gang != nil && gang != nil && a.gang.Atomic && gang.Atomic && gang.Min() != a.gang.Min() {
		c.AtOnce = s.boundsOf(a, true, translate.TaskGroup) // it is another gang, of which none has succeeded
		a.gang, _ = translate.GangOf(of, c)
	}
	a.inGroups = s.boundsOf(a, a.state.known(), translate.PodGroupKey)
}
