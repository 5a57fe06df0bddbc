package filter

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/kubelabels"
)

// addGang has the pods of a Job come, which only together are of use. They need what nodes have by themselves, so that wherever there is room for
// all of them, it is found by taking one node after the other.
func (x *trial) addGang() {
	x.number++
	pod, members := clusterPod(x.r, fmt.Sprint("g", x.number)), 2+x.r.IntN(3)
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: pod.Spec.Affinity.NodeAffinity}
	pod.Spec.TopologySpreadConstraints = nil
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			list[i].Ports = nil
		}
	}
	controls := true
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: pod.Name, UID: pod.UID, Controller: &controls}}
	pod.Labels["applicationId"], pod.Labels["queue"] = pod.Name, "root.free"
	pod.Labels["app"] = "gang" // which nothing keeps away from
	pod.Annotations = map[string]string{
		kubelabels.TaskGroupName: "all",
		kubelabels.TaskGroupsKey: fmt.Sprintf(`[{"name": "all", "minMember": %d, "minResource": {"cpu": "100m"}}]`, members),
	}
	for i := range members {
		x.addPod(pod, i)
	}
	x.oracle.gangs[pod.Labels["applicationId"]] = members
}

// gangOf returns the members of a pod's gang that wait, as long as none has begun; nil: the pod goes by itself.
func (o *oracle) gangOf(pod *corev1.Pod) (waiting []*corev1.Pod) {
	app := pod.Labels["applicationId"]
	if o.gangs[app] == 0 {
		return nil
	}
	for _, other := range o.waiting {
		if other.Labels["applicationId"] == app {
			waiting = append(waiting, other)
		}
	}
	if len(waiting) < o.gangs[app] { // some have been placed, and so all were
		return nil
	}
	return waiting
}

// fitTogether reports whether there is room for pods that are alike.
func (o *oracle) fitTogether(list []*corev1.Pod) bool {
	all := true
	for _, pod := range list {
		node := o.anyNode(pod)
		if node == "" {
			all = false
			break
		}
		o.placed[translate.Key(pod)] = placedOn(pod, node)
		o.look()
	}
	for _, pod := range list {
		delete(o.placed, translate.Key(pod))
	}
	o.look()
	return all
}

// torn returns a gang of which some run while others have not been placed with them; empty: there is none.
func (x *trial) torn() string {
	placed := map[string]int{}
	for _, pod := range x.oracle.placed {
		placed[pod.Labels["applicationId"]]++
	}
	for _, pod := range x.oracle.waiting {
		if app := pod.Labels["applicationId"]; x.oracle.gangs[app] > 0 && placed[app] > 0 {
			return app
		}
	}
	return ""
}
