package manager

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A pod is evicted when its walltime has passed, which another replica counts from when the pod got its node. At a deadline of its spec only the kubelet
// ends it, which nobody plays here.
func (p *plane) promisedEnd(t *testing.T) {
	const walltime = 8 * time.Second
	r := start(t, p.client, rules)
	promises, outlives := waiting("ends-1", "ends", 100), waiting("stays-1", "stays", 100)
	promises.Annotations = map[string]string{"quern.dev/walltime": walltime.String()}
	second := int64(1)
	outlives.Spec.ActiveDeadlineSeconds = &second
	p.createPod(t, promises)
	p.createPod(t, outlives)
	p.await(t, "ends", 1)
	p.await(t, "stays", 1)
	pods := p.client.CoreV1().Pods(metav1.NamespaceDefault)
	bound, err := pods.Get(t.Context(), "ends-1", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var since metav1.Time
	for _, c := range bound.Status.Conditions {
		if c.Type == corev1.PodScheduled {
			since = c.LastTransitionTime
		}
	}
	r.end()
	r = start(t, p.client, rules)
	defer r.end()
	untilWithin(t, recovery, func() string {
		list, err := p.client.EventsV1().Events(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{FieldSelector: "reason=WalltimeExceeded"})
		if err != nil || len(list.Items) != 1 {
			return fmt.Sprintf("%d events, %v", len(list.Items), err)
		}
		if e := list.Items[0]; e.Regarding.UID != bound.UID || e.EventTime.Time.Before(since.Add(walltime)) {
			t.Errorf("evicted %s at %v, expected ends-1, which has had its node since %v, after %v", e.Regarding.Name, e.EventTime, since, walltime)
		}
		if _, err := pods.Get(t.Context(), "ends-1", metav1.GetOptions{}); err == nil {
			return "it is still there"
		}
		return ""
	})
	if pod, err := pods.Get(t.Context(), "stays-1", metav1.GetOptions{}); err != nil || pod.DeletionTimestamp != nil {
		t.Errorf("a pod with a deadline: %v, %v", pod, err)
	}
}
