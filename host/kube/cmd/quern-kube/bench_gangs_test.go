package main

import (
	"errors"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/podgroup"
)

// offerGroups has the API server and kube-scheduler know pod groups, if the pods are to be of gangs.
func (p *bench) offerGroups() {
	if p.gang == 0 {
		return
	}
	p.must(errors.Join(p.ControllerManager.Kill(), p.APIServer.Kill(), p.OfferPodGroups()))
	p.must(p.APIServer.Start(p.b.Context()))
	p.must(p.ControllerManager.Start(p.b.Context()))
}

// gangs creates the pod groups of a name's pods, and returns what puts a pod into its own and how to delete them.
func (p *bench) gangs(name string) (join func(*corev1.Pod), clean func()) {
	if p.gang == 0 {
		return nil, func() {}
	}
	groups := make([]*clustertest.PodGroup, (p.pods+p.gang-1)/p.gang)
	p.each(len(groups), func(i int) (err error) {
		o := &unstructured.Unstructured{Object: map[string]any{"kind": "PodGroup", "spec": map[string]any{
			"schedulingPolicy": map[string]any{"gang": map[string]any{"minCount": int64(min(p.gang, p.pods-i*p.gang))}}}}}
		o.SetName(gangName(name, i))
		groups[i], err = p.CreatePodGroup(p.b.Context(), o, podgroup.Known()...)
		return err
	})
	join = func(pod *corev1.Pod) {
		number, err := strconv.Atoi(pod.Name[len(name)+1:])
		p.must(err)
		group := gangName(name, number/p.gang)
		pod.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &group}
		delete(pod.Labels, "applicationId") // which is that of its group
	}
	return join, func() {
		p.each(len(groups), func(i int) error { return groups[i].DeleteNow(p.b.Context()) })
	}
}

func gangName(name string, i int) string { return fmt.Sprintf("%s-gang-%d", name, i) }
