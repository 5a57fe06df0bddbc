package filter

import (
	"fmt"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// crowd is a scheduler with a pod that waits for others, of which there are none yet.
type crowd struct {
	*world
	scheduler *scheduler.Scheduler
	predicate string
}

// newCrowd has a pod that has to be beside one of app db, or spread as those are.
func newCrowd(t *testing.T, change func(*corev1.Pod)) *crowd {
	w := newWorld(t)
	x := &crowd{world: w, scheduler: w.scheduler()}
	x.scheduler.Advance(0)
	x.apply(core.Input{Event: &core.SetConfig{Config: oneQueue}}, core.Input{Event: &core.AddApp{ID: "app", Queue: "root.a"}})
	for i := range 4 {
		name := fmt.Sprint("n", i)
		w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}})
		x.apply(core.Input{Event: &core.AddNode{ID: name, Capacity: pods(100)}})
	}
	x.predicate = x.ask("waiting", "web", change)
	return x
}

func (x *crowd) apply(list ...core.Input) {
	for i := range list {
		x.scheduler.Apply(&list[i])
	}
}

// ask has a pod of an app ask.
func (x *crowd) ask(name, app string, change func(*corev1.Pod)) (predicate string) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name), Labels: map[string]string{"app": app}}}
	if change != nil {
		change(pod)
		x.filters.Pod(nil, pod)
		predicate = x.filters.Name(pod)
	} else {
		x.filters.Pod(nil, pod)
	}
	x.apply(core.Input{Event: &core.AddAsk{ID: "ns/" + name, App: "app", Resources: pods(1), Ask: core.Ask{Predicate: predicate}}})
	return predicate
}

func (x *crowd) asked() int { return x.filters.classes[x.predicate].refused }

func besideDB(pod *corev1.Pod) {
	pod.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
		TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}}}}}
}

// Placements that have nothing to do with a class of which all nodes have refused the pods cost no question. One that has is taken in.
func TestPlugins_NotAskedAboutRefusedPodsAgain(t *testing.T) {
	x := newCrowd(t, besideDB)
	for i := range 20 {
		x.ask(fmt.Sprint("other-", i), "web", nil)
		if at := placements(x.scheduler); len(at) != 1 {
			t.Fatalf("found %v", at)
		}
	}
	before := x.asked()
	for i := range 20 {
		x.ask(fmt.Sprint("another-", i), "web", nil)
		placements(x.scheduler)
	}
	if asked := x.asked(); before < looks*4 || asked != before {
		t.Errorf("the plugins were asked %d times, and again up to %d", before, asked)
	}
	told(x.filters) // of the namespace that was there at first
	x.filters.TakeStale()
	x.ask("db", "db", nil)
	if at := placements(x.scheduler); len(at) != 1 || at["ns/db"] == "" {
		t.Fatalf("found %v", at)
	}
	if wanted := x.filters.TakeStale(); !told(x.filters) || !wanted(x.predicate) || wanted(x.predicate+"-other") {
		t.Fatal("a pod has come that the class counts, and it is not asked anew")
	}
	x.apply(core.Input{Event: &core.RemovePolicy{Name: x.predicate}})
	if at := placements(x.scheduler); at["ns/waiting"] == "" {
		t.Errorf("found %v, expected the pod beside the one that it waits for", at)
	}
}

// The members of a gang are tried beside one another, where each may let the next one in.
func TestRefusalsOfAGangNeverStand(t *testing.T) {
	x := newCrowd(t, func(pod *corev1.Pod) {
		besideDB(pod)
		pod.Annotations = map[string]string{"yunikorn.apache.org/task-group-name": "all"}
	})
	for i := range 20 {
		x.ask(fmt.Sprint("other-", i), "web", nil)
		placements(x.scheduler)
	}
	before := x.asked()
	x.ask("another", "web", nil)
	placements(x.scheduler)
	if x.asked() == before {
		t.Error("the plugins are not asked again")
	}
}
