package filter

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/translate"
)

const oneQueue = `partitions: [{name: default, queues: [{name: root, properties: {reservation.delay: 0s}, queues: [{name: a}]}]}]`

// run is a world that a scheduler places pods in, and what becomes of them.
type run struct {
	*world
	scheduler *scheduler.Scheduler
	rand      *rand.Rand
	waiting   map[string]*corev1.Pod // by key
	room      map[string]int         // pods that a node can still take
	number    int
	now       time.Duration

	made, kept int
}

func pods(n int) resource.Set {
	return resource.NewSet(resource.Quantity{Type: "pods", Value: int64(n)})
}

func newRun(t *testing.T, w *world, seed uint64) *run {
	x := &run{world: w, scheduler: w.scheduler(), rand: rand.New(rand.NewPCG(seed, 2)), waiting: map[string]*corev1.Pod{}, room: map[string]int{}}
	x.scheduler.Advance(0)
	x.apply(core.Input{Event: &core.SetConfig{Config: oneQueue}}, core.Input{Event: &core.AddApp{ID: "app", Queue: "root.a"}})
	for i := range 3 + x.rand.IntN(8) {
		n := randomNode(x.rand, i)
		x.addNode(n)
		x.room[n.Name] = 1 + x.rand.IntN(4)
		x.apply(core.Input{Event: &core.AddNode{ID: n.Name, Capacity: pods(x.room[n.Name]), Attributes: nodefit.Attributes(n, nil)}})
	}
	return x
}

func (x *run) apply(list ...core.Input) {
	for i := range list {
		list[i].At = x.now
		x.scheduler.Apply(&list[i])
	}
}

// come has a pod come.
func (x *run) come(pod *corev1.Pod) {
	x.filters.Pod(nil, pod)
	key := translate.Key(pod)
	x.waiting[key] = pod
	fit := nodefit.Of(pod)
	delete(fit.Constraints, "untolerated taints without tolerations") // of which this test tells nodes nothing
	x.apply(core.Input{Event: &core.AddAsk{ID: key, App: "app", Resources: pods(1), Ask: core.Ask{Constraints: fit.Constraints, Predicate: x.filters.Name(pod)}}})
}

// end lets a placed pod end.
func (x *run) end(key string) {
	pod := x.placed[key]
	x.apply(core.Input{Event: &core.ReleaseAllocation{ID: key}})
	x.filters.Pod(pod, nil)
	x.filters.Forget(pod)
	x.room[pod.Spec.NodeName]++
	delete(x.placed, key)
}

// selected reports whether a pod's own selector lets it onto a node.
func (x *run) selected(pod *corev1.Pod, node string) bool {
	want := pod.Spec.NodeSelector["disk"]
	return want == "" || x.nodes[node].Labels["disk"] == want
}

// cycle has the scheduler decide, and holds each placement against the plugins, given those before it; and what waits against all of them.
func (x *run) cycle() {
	x.t.Helper()
	x.now += time.Second
	for _, d := range x.decide() {
		switch d.Type {
		case core.PolicyFault:
			x.t.Fatalf("%+v", d)
		case core.Allocation:
			pod := x.waiting[d.ID]
			if x.look(); !x.allowed(pod)[d.Node] || !x.selected(pod, d.Node) {
				x.t.Fatalf("%s is on %s, where the plugins do not let it\npod %+v", d.ID, d.Node, pod)
			}
			x.place(pod, d.Node)
			delete(x.waiting, d.ID)
			x.room[d.Node]--
			x.made++
		}
	}
	x.look()
	for key, pod := range x.waiting {
		allowed := x.allowed(pod)
		for n, room := range x.room {
			if room > 0 && x.selected(pod, n) {
				if allowed[n] {
					x.t.Fatalf("%s waits, and %s would take it\npod %+v", key, n, pod)
				}
				if x.filters.Why(x.filters.Name(pod), n) == "" {
					x.t.Fatalf("nothing says why %s is kept off %s", key, n)
				}
				x.kept++
			}
		}
	}
	x.scheduler.Answered()
	x.scheduler.Advance(x.now)
}

// decide has the scheduler decide, and ask anew as long as filters want it to.
func (x *run) decide() []core.Decision {
	x.scheduler.Cycle(-1)
	list := slices.Clone(x.scheduler.Take())
	for told(x.filters) {
		x.scheduler.Answered()
		x.scheduler.Advance(x.now)
		wanted := x.filters.TakeStale()
		for name := range x.filters.classes {
			if wanted(name) {
				x.apply(core.Input{Event: &core.RemovePolicy{Name: name}})
			}
		}
		x.scheduler.Cycle(-1)
		list = append(list, x.scheduler.Take()...)
	}
	return list
}

// bind has the API server tell of some pods that they are on their nodes now.
func (x *run) bind() {
	for _, key := range slices.Sorted(maps.Keys(x.placed)) {
		if x.rand.IntN(2) == 0 {
			x.filters.Pod(nil, x.placed[key])
		}
	}
}

// TestEachPlacementOfACycleIsOneThatThePluginsAllow also holds that no pod waits that the plugins would let in somewhere with room.
func TestEachPlacementOfACycleIsOneThatThePluginsAllow(t *testing.T) {
	made, kept := 0, 0
	for seed := range uint64(120) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			x := newRun(t, newWorld(t), seed)
			for range 6 {
				for range x.rand.IntN(10) {
					x.number++
					pod := randomPod(x.rand, x.number)
					for i := range pod.Spec.Containers[0].Ports {
						pod.Spec.Containers[0].Ports[i].HostPort = 80 // they meet
					}
					x.come(pod)
					if x.rand.IntN(2) == 0 { // and its twin
						twin := pod.DeepCopy()
						twin.Name, twin.UID = pod.Name+"-twin", pod.UID+"-twin"
						x.come(twin)
					}
				}
				x.cycle()
				x.bind()
				for _, key := range slices.Sorted(maps.Keys(x.placed)) {
					if x.rand.IntN(4) == 0 {
						x.end(key)
					}
				}
			}
			made, kept = made+x.made, kept+x.kept
		})
	}
	t.Logf("%d placements; %d times plugins kept a waiting pod off a node with room", made, kept)
	if made < 1_000 || kept < 500 {
		t.Error("too few to tell")
	}
}
