package manager

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/host/kube/translate"
)

// How a gang begins: what it needs, and what of it is done already.

// succeededOf is how many pods of an application have succeeded before the scheduler is told of it, by gang: as their Jobs say, and as the pods
// that are left say. Jobs that have ended make none again.
func (r *run) succeededOf(a *app) map[string]int {
	counts, jobs := map[string]int{}, map[types.UID]bool{}
	for key := range a.pods {
		pod := r.cluster.Pod(key)
		if pod == nil || translate.GangID(pod) == "" {
			continue
		}
		if job := r.cluster.jobOf(pod); job != nil && !jobs[job.UID] {
			jobs[job.UID] = true
			counts[translate.GangID(pod)] += r.cluster.succeededOf(job)
		}
	}
	for gang, n := range r.before[a.id].gangs {
		counts[gang] += n
	}
	delete(r.before, a.id)
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

// rememberSucceeded counts the pods without a Job that have succeeded when the run begins: a leader before has known of them, unless its
// application had ended.
func (r *run) rememberSucceeded() {
	r.before = map[string]doneBefore{}
	time.AfterFunc(idle, func() {
		if r.ctx.Err() == nil { // the inbox serves later runs, too
			r.inbox.put(func(m *mail) { m.idle = true })
		}
	})
	for _, key := range r.cluster.pods.ListKeys() {
		pod := r.cluster.Pod(key)
		if pod == nil || !translate.Succeeded(pod) || translate.GangID(pod) == "" || !r.o.Settings.Schedules(pod) {
			continue
		}
		if owner := metav1.GetControllerOf(pod); owner != nil && owner.Kind == kindJob {
			continue
		}
		id, _ := translate.AppID(pod, r.context(pod))
		if _, known := r.before[id]; !known {
			r.before[id] = doneBefore{gangs: map[string]int{}, groups: map[string]int{}}
		}
		r.before[id].gangs[translate.GangID(pod)]++
		r.before[id].groups[translate.TaskGroup(pod)]++
	}
}

// succeeded remembers, for this turn, which pods had succeeded when they were deleted. Once idle is over, what had succeeded before the run counts no
// more.
func (r *run) succeeded(done map[types.UID]bool, idle bool) {
	if r.done = done; idle {
		r.before = nil
	}
}

// beginGangs reads what a gang needs that begins: no pod of its application has asked.
func (r *run) beginGangs(a *app, of *corev1.Pod, c *translate.Context) {
	c.Members = map[string]int{}
	for _, group := range a.pods {
		c.Members[group]++
	}
	for group, n := range r.before[a.id].groups { // they need not come again
		c.Members[group] += n
	}
	c.AtOnce = r.boundsOf(a, false, translate.TaskGroup)
	gang, bad := translate.GangOf(of, c)
	if !a.live {
		a.gang = gang
		r.events.report(of, bad)
		c.Succeeded = r.succeededOf(a)
	} else if a.gang != nil && gang != nil && a.gang.Atomic && gang.Atomic && gang.Min() != a.gang.Min() {
		c.AtOnce = r.boundsOf(a, true, translate.TaskGroup) // it is another gang, of which none has succeeded
		a.gang, _ = translate.GangOf(of, c)
	}
	a.inGroups = r.boundsOf(a, a.live, translate.PodGroupKey)
}

// asked reports whether the scheduler has a pod of an application.
func (r *run) asked(a *app) bool {
	for key := range a.pods {
		if p := r.pods[key]; p != nil && p.state.Known() {
			return true
		}
	}
	return false
}
