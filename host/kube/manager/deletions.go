package manager

import (
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// A pod that is deleted gives its room back soon. So it is no victim any more, and pods for which its room is enough wait for it instead of
// preempting others. The API server says of each pod whether it is deleted, so this holds for the victims of a leader before, too.
//
// One that does not end in time stays: its node may be lost, or its finalizers stay. Its room is in use like that of a foreign pod, but its queue and its
// application have it no more, as quotas of Kubernetes do not count it any more: what replaces it would otherwise wait for it without end.

// overdue is how long after its grace a deleted pod is awaited.
const overdue = 30 * time.Second

// deletion says how long a deleted pod is awaited, and whether it has ended by then.
type deletion struct {
	endsBy time.Time // until when the pod is awaited
	stays  bool      // the pod has not ended by then: the scheduler has it no more, and its room is still in use
}

// deletions follows pods that are deleted.
type deletions struct {
	view    *clusterView
	pods    *pods
	overdue time.Duration                      // how long after its grace a deleted pod is awaited
	later   func(key string, in time.Duration) // schedules a look at a pod
	room    func(nodes ...string)              // has the occupied room of nodes counted again
	batch   *batch
	log     *slog.Logger
}

// observe records until when a deleted pod is awaited, and whether it stays.
func (d *deletions) observe(p *pod, current *corev1.Pod) {
	placed := d.view.stageOf(current) == translate.Placed
	same := changeOf(p.seen, current) == kept
	if p.deletion.stays && (!placed || !same) {
		p.deletion.stays = false
		d.room(p.seen.Spec.NodeName)
	}
	if !placed || current.DeletionTimestamp == nil {
		return
	}
	if !same || p.seen.DeletionTimestamp == nil || graceOf(p.seen) != graceOf(current) {
		wait := d.awaited(current, same && p.seen.DeletionTimestamp == nil)
		p.deletion.endsBy = time.Now().Add(wait)
		d.later(p.key, wait)
	}
	if !p.deletion.stays && !time.Now().Before(p.deletion.endsBy) {
		p.deletion.stays = true
		d.log.Warn("a deleted pod does not end; only its room still counts", "pod", p.key, "node", current.Spec.NodeName)
		d.room(current.Spec.NodeName)
	}
}

// awaited is how long a deleted pod is awaited from now on. Clocks may differ, and jump. So a deletion that was seen counts from then on, and
// one before is only taken to be as old as the clock says if that leaves some time.
func (d *deletions) awaited(current *corev1.Pod, seen bool) time.Duration {
	grace, after := graceOf(current), d.overdue
	if seen {
		return instant.Add(grace, after)
	}
	return min(instant.Add(grace, after), max(after, time.Until(current.DeletionTimestamp.Add(after))))
}

// graceOf is how long a deleted pod may take to end.
func graceOf(pod *corev1.Pod) time.Duration {
	if pod.DeletionGracePeriodSeconds == nil {
		return 0
	}
	return time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
}

// submit submits that an allocated pod is being deleted, unless it was preempted: the scheduler knows that already.
func (d *deletions) submit(p *pod) {
	if !p.state.Placed() || p.submitted.DeletionTimestamp == nil || p.state == podstate.Evicting || p.state == podstate.Ending {
		return
	}
	d.pods.fire(p, podstate.DeletionSent)
	d.batch.beforeAsks(core.Input{Event: &core.UpdateAsk{ID: p.key, Leaving: true}})
}
