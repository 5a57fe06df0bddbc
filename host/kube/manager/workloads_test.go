package manager

import (
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const examples = "../../../docs/operate/kubernetes/examples/"

// stage is how many pods of a workload have nodes on so many nodes of four cores.
type stage struct{ nodes, pods int }

// workloads are the examples of what controllers make that know gangs, and how they are placed while nodes come.
var workloads = map[string][]stage{
	"jobset.yaml":          {{1, 0}, {2, 4}},
	"mpijob.yaml":          {{1, 0}, {2, 3}},
	"raycluster.yaml":      {{1, 0}, {2, 3}},
	"leaderworkerset.yaml": {{1, 0}, {2, 3}, {3, 6}}, // two gangs
}

// Nothing is known here of these controllers: their pods have groups.
func TestWorkloads_AreGangs(t *testing.T) {
	for file, stages := range workloads {
		t.Run(file, func(t *testing.T) {
			a := newAPI(t)
			a.serveGroups("v1beta1")
			list, has := manifests(t, examples+file), 0
			for _, o := range list {
				if o.GetNamespace() == "" {
					o.SetNamespace(metav1.NamespaceDefault)
				}
				if pod, is := o.(*corev1.Pod); is {
					pod.Status.Phase = corev1.PodPending
				}
			}
			start(t, a.client(t), rules)
			for _, s := range stages {
				for ; has < s.nodes; has++ {
					a.put("nodes", worker(fmt.Sprint("n", has), 4000))
				}
				a.putAll(list...)
				list = nil
				until(t, a.placed(s.pods))
			}
		})
	}
}

// placed says how many pods have nodes, unless they are so many and each of the others says why it waits.
func (a *api) placed(want int) func() string {
	return func() string {
		bound := 0
		for _, pod := range a.pods() {
			switch {
			case pod.Spec.NodeName != "":
				bound++
			case !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodScheduled }):
				return pod.Name + " does not say why it waits"
			}
		}
		if bound != want {
			return fmt.Sprintf("%d pods have nodes, expected %d", bound, want)
		}
		return ""
	}
}
