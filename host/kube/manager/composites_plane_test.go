package manager

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// inWorkload gives a group the name of a Workload, which groups of groups must have.
func inWorkload(o *unstructured.Unstructured) *unstructured.Unstructured {
	o.Object["spec"].(map[string]any)["workloadRef"] = map[string]any{"workloadName": "training", "templateName": "any"}
	return o
}

// Two gangs of two pods start together, each pod on a node of its own, say so in the status of their groups, and are preempted together.
func TestCompositeGroupsOfARealAPIServer(t *testing.T) {
	p := planeWithGroups(t, 3)
	if has, err := p.HasCompositePodGroups(); err != nil {
		t.Fatal(err)
	} else if !has {
		t.Skip("skipped, because this version of Kubernetes has no composite groups: KUBERNETES=1.37")
	}
	start(t, p.client, guarantees)
	both := p.createGroup(t, inWorkload(disruptedWhole(composite("both", "", 2))))
	one, two := p.createGroup(t, inWorkload(partOf("both", "one", 2))), p.createGroup(t, inWorkload(partOf("both", "two", 2)))
	create := func(pod *corev1.Pod, queue string) {
		pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = capacity[corev1.ResourceCPU]
		p.createPod(t, queued(pod, queue))
	}
	for i, group := range []string{"one", "one", "two", "two"} {
		create(memberOf(group, i+1), "root.batch")
	}
	untilWithin(t, recovery, p.saying(t, "g-1", corev1.PodReasonUnschedulable, ""))
	if err := p.AddNodes(t.Context(), "more", 1, capacity); err != nil {
		t.Fatal(err)
	}
	p.await(t, "g", 4)
	untilWithin(t, recovery, wasScheduled(t, one))
	untilWithin(t, recovery, wasScheduled(t, two))
	untilWithin(t, recovery, wasScheduled(t, both))

	create(waiting("high-1", "high", 1000), "root.prod")
	p.await(t, "high", 1)
	untilWithin(t, recovery, func() string {
		list, err := p.client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err.Error()
		}
		return map[bool]string{true: fmt.Sprintf("%d pods are there", len(list.Items))}[len(list.Items) != 1]
	})
}
