package translate

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kubelabels"
)

// What makes the pods of a gang bounds how many of them there are at once. A gang that needed more would wait without end.

// cronJob makes Jobs one after the other, and the pods of each are a gang of their own. Whatever else makes Jobs, such as a JobSet, may have the
// pods of several be one gang.
const cronJob = "CronJob"

// JobAtOnce returns how many pods a Job makes at once of which so many are not made again; 0: nothing bounds it.
func JobAtOnce(job *batchv1.Job, succeeded int) int {
	if owner := metav1.GetControllerOf(job); owner != nil && owner.Kind != cronJob {
		return 0
	}
	most := 1
	if job.Spec.Parallelism != nil {
		most = int(*job.Spec.Parallelism)
	}
	if job.Spec.Completions != nil {
		most = min(most, max(1, int(*job.Spec.Completions)-succeeded))
	}
	return max(0, most)
}

// JobSucceeded returns how many pods of a Job have succeeded, as far as its status says.
func JobSucceeded(job *batchv1.Job) int {
	done := int(job.Status.Succeeded)
	if u := job.Status.UncountedTerminatedPods; u != nil {
		done += len(u.Succeeded)
	}
	return done
}

// StatefulSetAtOnce returns how many pods a StatefulSet has; 0: nothing bounds it.
func StatefulSetAtOnce(set *appsv1.StatefulSet) int {
	switch {
	case metav1.GetControllerOf(set) != nil:
		return 0
	case set.Spec.Replicas == nil:
		return 1
	}
	return max(0, int(*set.Spec.Replicas))
}

// Succeeded reports whether a pod has done its work.
func Succeeded(pod *corev1.Pod) bool { return pod != nil && pod.Status.Phase == corev1.PodSucceeded }

// GangID returns the ID of the atomic gang that a pod may belong to in its application; empty: none.
func GangID(pod *corev1.Pod) string {
	switch {
	case PodGroupKey(pod) != "":
		return kubelabels.PodGroupID(*pod.Spec.SchedulingGroup.PodGroupName)
	case TaskGroup(pod) != "":
		return kubelabels.TaskGroupsID
	}
	return ""
}
