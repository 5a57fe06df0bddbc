package filter

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/host/kube/translate"
)

// replicaOf is a pod of a StatefulSet whose pods keep away from one another.
func replicaOf(set string, number int) *corev1.Pod {
	name := fmt.Sprintf("%s-%d", set, number)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name), Labels: map[string]string{"app": set, "statefulset.kubernetes.io/pod-name": name}},
		Spec: corev1.PodSpec{Affinity: &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": set}}}}}}},
	}
}

func TestSelector_OtherLabelsDoNotMatter(t *testing.T) {
	w := newWorld(t)
	for i := range 2000 {
		pod := replicaOf("db", i)
		w.filters.Pod(nil, pod)
		w.filters.Name(pod)
	}
	if n := len(w.filters.classes); n != 1 {
		t.Errorf("%d classes, expected 1", n)
	}
	web := replicaOf("web", 0)
	if w.filters.Name(web) == w.filters.Name(replicaOf("db", 0)) {
		t.Error("pods of two applications are judged alike, though selectors name that label")
	}
}

func TestSelector_DistinguishesPodsByLabel(t *testing.T) {
	w := newWorld(t)
	for i := range 2 {
		name := fmt.Sprint("n", i)
		w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}})
	}
	list := []*corev1.Pod{replicaOf("db", 0), replicaOf("db", 1)}
	for _, pod := range list {
		w.filters.Pod(nil, pod)
		w.filters.Name(pod)
	}
	before := w.filters.Selected()
	against := replicaOf("other", 0) // a pod on n0 that only the first of the two may not be near
	against.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector = &metav1.LabelSelector{
		MatchLabels: map[string]string{"statefulset.kubernetes.io/pod-name": "db-0"}}
	against.Spec.NodeName = "n0"
	w.filters.Pod(nil, against)
	w.place(against, "n0")
	if w.filters.Selected() == before {
		t.Fatal("it is not told that pods may have other names")
	}
	w.look()
	for _, pod := range list {
		name := w.filters.Name(pod)
		for node := range w.nodes {
			if got, want := w.filters.Why(name, node) == "", w.allowed(pod)[node]; got != want {
				t.Errorf("%s on %s: allowed %v, the plugins say %v", translate.Key(pod), node, got, want)
			}
		}
	}
}

func TestAPodThatIsLabelledAnewLeavesTheOthersAsTheyAre(t *testing.T) {
	w := newWorld(t)
	first, second := replicaOf("db", 0), replicaOf("db", 1)
	for _, pod := range []*corev1.Pod{first, second} {
		w.filters.Pod(nil, pod)
		w.filters.Name(pod)
	}
	labelled := second.DeepCopy()
	labelled.Labels["app"] = "web"
	w.filters.Pod(second, labelled)
	if name := w.filters.Name(labelled); name == w.filters.Name(first) {
		t.Error("a pod with another label is judged as before")
	}
	if of := w.filters.classes[w.filters.Name(first)].pod; of.Labels["app"] != "db" {
		t.Error("the other pod is judged as the one that has another label now")
	}
}

func TestPodsWithClaimsKeepNoClassesOnceTheyAreBound(t *testing.T) {
	w := newWorld(t)
	most := 0
	for i := range 1100 {
		pod := replicaOf("db", i)
		pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: pod.Name}}}}
		w.filters.Pod(nil, pod)
		w.filters.Name(pod)
		most = max(most, len(w.filters.classes))
		bound := placedOn(pod, "n0")
		w.filters.Pod(pod, bound)
	}
	if most > 1 || len(w.filters.classes) > 0 {
		t.Errorf("%d classes at a time, and %d at the end", most, len(w.filters.classes))
	}
}
