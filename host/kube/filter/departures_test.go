package filter

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/translate"
)

// judgedWithout asks filters on which nodes a pod may be once others have gone.
func (w *world) judgedWithout(pod *corev1.Pod, gone []string) map[string]bool {
	f := w.filters
	name := f.Name(pod)
	f.mu.Lock()
	defer f.mu.Unlock()
	names := slices.Sorted(maps.Keys(w.nodes))
	judged := map[string]bool{}
	if err := f.judgeWithout(f.classes[name], gone, names, func(i int, against *fwk.Status) { judged[names[i]] = against == nil }); err != nil {
		w.t.Fatal(err)
	}
	return judged
}

// allowedWithout asks the plugins directly.
func (w *world) allowedWithout(pod *corev1.Pod, gone []string) map[string]bool {
	all := maps.Clone(w.placed)
	for _, key := range gone {
		delete(w.placed, key)
	}
	w.look()
	allowed := w.allowed(pod)
	w.placed = all
	w.look()
	return allowed
}

// TestFiltersForeseeWhatThePluginsWillSay compares random pods on random nodes, without random ones of those that are there, which stay.
func TestFiltersForeseeWhatThePluginsWillSay(t *testing.T) {
	counts, freed, barred := map[bool]int{}, 0, 0
	for seed := range uint64(60) {
		w, r := newWorld(t), rand.New(rand.NewPCG(seed, 8))
		for i := range 3 + r.IntN(5) {
			w.addNode(randomNode(r, i))
		}
		ports := map[string]bool{}
		for i := range 14 {
			pod, node := randomPod(r, i), fmt.Sprintf("n%d", r.IntN(len(w.nodes)))
			pod.Spec.Containers[0].Ports = nil
			if !ports[node] && r.IntN(2) == 0 {
				ports[node] = true
				pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolTCP}}
			}
			w.place(pod, node)
			w.filters.Pod(nil, w.placed[translate.Key(pod)])
		}
		for i := range 12 {
			pod := randomPod(r, 1_000+i)
			for k := range pod.Spec.Containers[0].Ports {
				pod.Spec.Containers[0].Ports[k].HostPort = 80
			}
			var gone []string
			for _, key := range slices.Sorted(maps.Keys(w.placed)) {
				if r.IntN(3) == 0 {
					gone = append(gone, key)
				}
			}
			w.look()
			before := w.judged(pod)
			got, want := w.judgedWithout(pod, gone), w.allowedWithout(pod, gone)
			for n := range w.nodes {
				counts[want[n]]++
				if got[n] != want[n] {
					t.Fatalf("seed %d: pod %+v on node %+v without %v: let in: %v, by the plugins: %v", seed, pod, w.nodes[n], gone, got[n], want[n])
				}
				if want[n] && !before[n] {
					freed++
				}
				if !want[n] && before[n] {
					barred++
				}
			}
			if after, want := w.judged(pod), w.allowed(pod); !maps.Equal(after, want) {
				t.Fatalf("seed %d: what was asked about departures stays: %v, by the plugins: %v", seed, after, want)
			}
			w.filters.Forget(pod)
		}
	}
	t.Logf("let in %d times, kept out %d times; let in because others go %d times, kept out because they do %d times", counts[true], counts[false], freed, barred)
	if freed < 100 || barred < 5 {
		t.Error("too few to tell")
	}
}

const lowAndHigh = `partitions: [{name: default, queues: [{name: root, properties: {reservation.delay: 0s}, queues: [{name: low},
  {name: high, resources: {guaranteed: {pods: 50}}, properties: {preemption.delay: 1s}}]}]}]`

// TestPodsPreemptWhatPluginsHoldAgainstThem has one pod for which there is room beside three that run in the way or are needed.
func TestPodsPreemptWhatPluginsHoldAgainstThem(t *testing.T) {
	app := func(name string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
	}
	term := func(name, key string) []corev1.PodAffinityTerm {
		return []corev1.PodAffinityTerm{{LabelSelector: app(name), TopologyKey: key}}
	}
	port := func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, Protocol: corev1.ProtocolTCP}}
	}
	for name, c := range map[string]struct {
		room     int // of each node
		change   func(*corev1.Pod)
		expected string
	}{
		"host port": {9, port, "c@n0 "},
		"anti-affinity": {9, func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term("b", corev1.LabelHostname)}}
		}, "b@n0 "},
		"spread": {9, func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "b"}
			p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone,
				WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: app("b")}}
		}, "b@n0 "},
		"affinity to one that would go first": {3, func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: term("a", corev1.LabelTopologyZone)}}
		}, "b@n0 "},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			x := &run{world: w, scheduler: w.scheduler(), waiting: map[string]*corev1.Pod{}}
			x.scheduler.Advance(0)
			x.apply(core.Input{Event: &core.SetConfig{Config: lowAndHigh}}, core.Input{Event: &core.AddApp{ID: "low", Queue: "root.low"}},
				core.Input{Event: &core.AddApp{ID: "high", Queue: "root.high"}})
			x.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n0", Labels: map[string]string{corev1.LabelHostname: "n0", corev1.LabelTopologyZone: "z"}}})
			x.apply(core.Input{Event: &core.AddNode{ID: "n0", Capacity: pods(c.room)}})
			x.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "empty", Labels: map[string]string{corev1.LabelHostname: "empty", corev1.LabelTopologyZone: "y"}}}) // without room
			for i, label := range []string{"c", "b", "a"} {
				pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: label, UID: types.UID(label), Labels: map[string]string{"app": label}}}
				pod.Spec.Containers = []corev1.Container{{Name: "c"}}
				if label == "c" {
					port(pod)
				}
				pod.Spec.NodeName = "n0"
				x.filters.Pod(nil, pod)
				x.apply(core.Input{Event: &core.RestoreAllocation{AddAsk: core.AddAsk{ID: translate.Key(pod), App: "low", Resources: pods(1), Ask: core.Ask{Priority: int32(2 - i)}}, PlacedOn: "n0"}})
			}
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "w", UID: "w"}}
			pod.Spec.Containers = []corev1.Container{{Name: "c"}}
			c.change(pod)
			x.filters.Pod(nil, pod)
			x.apply(core.Input{Event: &core.AddAsk{ID: "ns/w", App: "high", Resources: pods(1), Ask: core.Ask{Priority: 9, Predicate: x.filters.Name(pod)}}})
			found := ""
			for range 4 {
				x.scheduler.Advance(x.now)
				x.scheduler.Cycle(-1)
				for _, d := range x.scheduler.Take() {
					if d.Type == core.Preemption {
						found += strings.TrimPrefix(d.ID, "ns/") + "@" + d.Node + " "
					}
				}
				x.now += time.Second
			}
			if found != c.expected {
				t.Errorf("preempted %q, expected %q", found, c.expected)
			}
		})
	}
}
