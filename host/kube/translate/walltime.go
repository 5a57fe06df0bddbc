package translate

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// walltime sets how long a pod promises to run at most. What its annotation says counts before its deadline, at which the kubelet ends it.
func walltime(pod *corev1.Pod, ask *core.Ask, bad *problems) {
	said, wrong := metadata(&pod.ObjectMeta).Walltime()
	bad.note("Pod", &pod.ObjectMeta, noPreemptWord, wrong)
	switch deadline := pod.Spec.ActiveDeadlineSeconds; {
	case said > 0:
		ask.Walltime = said
	case deadline != nil && *deadline > 0:
		ask.Walltime, ask.Overrun = seconds(*deadline), core.OverrunAllow
	}
}

// seconds is a number of seconds, or the longest duration.
func seconds(n int64) time.Duration {
	if n > int64(instant.Never/time.Second) {
		return instant.Never
	}
	return time.Duration(n) * time.Second
}

// began is when a pod got its node; nil: it is not known.
func began(pod *corev1.Pod) *time.Duration {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionTrue && !c.LastTransitionTime.IsZero() {
			return new(time.Duration(c.LastTransitionTime.UnixNano()))
		}
	}
	if start := pod.Status.StartTime; start != nil {
		return new(time.Duration(start.UnixNano()))
	}
	return nil
}
