package manager

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// A leader before may have preempted for a pod: its status names the node, and the victims there are ending. The scheduler of this leader
// knows nothing of that, and would choose other victims. So the pod asks once they have ended.

// overdue is how long after its grace a victim is awaited: its node may be lost.
const overdue = 30 * time.Second

// heirs are pods that wait for the victims of a leader before, by node.
type heirs map[string]map[string]bool

// victimsOn says until when the victims on the node that is kept for a pod may take to end; ok is false if none is awaited there.
func (r *run) victimsOn(node string) (until time.Time, ok bool) {
	if node == "" || r.nodes[node] == nil {
		return until, false
	}
	for _, pod := range r.cluster.podsOn(node) {
		if end, is := victimUntil(pod); is && end.After(until) {
			until, ok = end, true
		}
	}
	return until, ok && time.Now().Before(until)
}

// victimUntil reports whether a pod was preempted by a scheduler and is ending, and until when it is awaited.
func victimUntil(pod *corev1.Pod) (until time.Time, is bool) {
	if pod.DeletionTimestamp == nil || !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == corev1.PodReasonPreemptionByScheduler
	}) {
		return until, false
	}
	return pod.DeletionTimestamp.Add(overdue), true
}

// inherits reports whether a pod that has not asked yet waits for the victims of a leader before, and has it looked at when they have ended.
func (r *run) inherits(key string, p *pod, current *corev1.Pod) bool {
	node := current.Status.NominatedNodeName
	if p.known.Asked || p.asker == current.UID { // what is nominated is of this leader, or was
		return false
	}
	until, ok := r.victimsOn(node)
	if !ok {
		return false
	}
	if r.heirs[node] == nil {
		r.heirs[node] = map[string]bool{}
	}
	r.heirs[node][key] = true
	r.inbox.podLater(key, time.Until(until))
	return true
}

// heirsOf takes the pods that wait for victims on a node, one of which has ended.
func (r *run) heirsOf(ended *corev1.Pod) {
	if _, is := victimUntil(ended); !is {
		return
	}
	for key := range r.heirs[ended.Spec.NodeName] {
		r.due = append(r.due, key)
	}
	delete(r.heirs, ended.Spec.NodeName)
}
