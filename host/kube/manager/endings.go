package manager

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
)

// A pod that is deleted gives its room back soon. So it is no victim any more, and pods for which its room is enough wait for it instead of
// preempting others. The API server says of each pod whether it is deleted, so this holds for the victims of a leader before, too.

// overdue is how long after its grace a deleted pod is awaited: its node may be lost, or it cannot be ended.
const overdue = 30 * time.Second

// awaited is how long the room of a deleted pod is awaited; 0: no longer, since the pod is overdue.
func awaited(pod *corev1.Pod) time.Duration {
	return max(0, time.Until(pod.DeletionTimestamp.Add(overdue)))
}

// stays reports whether a pod is deleted and nevertheless does not end. It is no victim, since it would not end for that either.
func stays(pod *corev1.Pod) bool { return pod.DeletionTimestamp != nil && awaited(pod) == 0 }

// ending tells that a pod with a node is deleted. Those that were preempted are known to end.
func (r *run) ending(key string, p *pod) {
	if p.told == nil || p.told.DeletionTimestamp == nil || p.known.Node == "" || p.evicted != nil {
		return
	}
	wait := awaited(p.told)
	switch {
	case wait > 0 && !p.leaves:
		p.leaves = true
		r.leaving++
		r.batch.rest = append(r.batch.rest, core.Input{Type: core.AskUpdate, ID: key, Leaving: true})
		r.inbox.podLater(key, wait)
	case wait == 0 && !p.stays:
		current := p.told
		r.withdraw(key, p)
		r.tell(key, p, current)
	}
}
