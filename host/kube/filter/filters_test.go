package filter

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"

	"github.com/quern-project/quern/host/kube/translate"
)

// judged asks filters on which nodes a pod may be.
func (w *world) judged(pod *corev1.Pod) map[string]bool {
	f := w.filters
	name := f.Name(pod)
	f.mu.Lock()
	defer f.mu.Unlock()
	names := slices.Sorted(maps.Keys(w.nodes))
	judged := map[string]bool{}
	if err := f.judge(f.classes[name], names, func(i int, against *fwk.Status) { judged[names[i]] = against == nil }); err != nil {
		w.t.Fatal(err)
	}
	return judged
}

// TestFiltersAnswerAsThePluginsDo compares random pods on random nodes, while pods and nodes come, change and go.
func TestFiltersAnswerAsThePluginsDo(t *testing.T) {
	counts := map[bool]int{}
	w := newWorld(t)
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, pod := range w.placed {
			w.filters.Pod(pod, nil)
		}
		for _, n := range w.nodes {
			w.filters.Node(n, nil)
		}
		clear(w.placed)
		clear(w.nodes)
		var standing []*corev1.Pod // asked about at each step
		for i := range 4 {
			standing = append(standing, randomPod(r, 2_000_000+i))
		}
		for step := range 60 {
			switch number := int(seed)*100 + step; r.IntN(10) {
			case 0, 1:
				w.addNode(randomNode(r, r.IntN(8)))
			case 2:
				for name, n := range w.nodes { // one of them
					w.filters.Node(n, nil)
					delete(w.nodes, name)
					break
				}
			case 3:
				for key, pod := range w.placed {
					w.filters.Pod(pod, nil)
					delete(w.placed, key)
					break
				}
			default:
				pod := randomPod(r, number)
				pod.Spec.Containers[0].Ports = nil // two with one port never stand on one node
				if r.IntN(5) == 0 {
					pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: int32(80 + step), Protocol: corev1.ProtocolTCP}}
				}
				w.place(pod, fmt.Sprintf("n%d", r.IntN(8))) // of which the plugins may not know
				w.filters.Pod(nil, w.placed[translate.Key(pod)])
			}
			w.look()
			for i, pod := range append(standing, randomPod(r, 1_000_000+2*step), randomPod(r, 1_000_001+2*step)) {
				got, want := w.judged(pod), w.allowed(pod)
				for n := range w.nodes {
					counts[want[n]]++
					if got[n] != want[n] {
						t.Fatalf("seed %d, step %d: pod %+v on node %+v: let in: %v, by the plugins: %v", seed, step, pod, w.nodes[n], got[n], want[n])
					}
				}
				if i >= len(standing) {
					w.filters.Forget(pod)
				}
			}
		}
		for _, pod := range standing {
			w.filters.Forget(pod)
		}
	}
	t.Logf("let in %d times, kept out %d times", counts[true], counts[false])
	if counts[true] < 5_000 || counts[false] < 5_000 {
		t.Error("too few to tell")
	}
}

// TestSpreadIsJudgedExactlyWhilePodsCome has nothing but pods come, one at a time, in three zones.
func TestSpreadIsJudgedExactlyWhilePodsCome(t *testing.T) {
	w := newWorld(t)
	for i := range 3 {
		w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n%d", i), Labels: map[string]string{corev1.LabelTopologyZone: fmt.Sprint(i)}}})
	}
	one := func(number int) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprint(number), UID: types.UID(fmt.Sprint(number)), Labels: map[string]string{"app": "web"}}}
		pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone,
			WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: pod.Labels}}}
		return pod
	}
	waiting, r := one(0), rand.New(rand.NewPCG(1, 3))
	for number := range 60 {
		if number > 0 {
			w.place(one(number), fmt.Sprintf("n%d", r.IntN(3)))
			w.filters.Pod(nil, w.placed[translate.Key(one(number))])
		}
		w.look()
		if got, want := w.judged(waiting), w.allowed(waiting); !maps.Equal(got, want) {
			t.Fatalf("with %d pods: %v, by the plugins: %v", number, got, want)
		}
	}
}

func TestAHeartbeatOfANodeLeavesWhatWasJudged(t *testing.T) {
	w := newWorld(t)
	n := randomNode(rand.New(rand.NewPCG(1, 5)), 1)
	w.addNode(n)
	before := w.filters.cluster.version
	alive := n.DeepCopy()
	alive.ResourceVersion = "2"
	alive.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	w.addNode(alive)
	if w.filters.cluster.version != before {
		t.Error("all is judged anew after a heartbeat")
	}
	if got, err := w.filters.cluster.Get(n.Name); err != nil || got.Node() != alive {
		t.Errorf("found %v (%v), expected the present version", got, err)
	}
	for _, change := range []func(*corev1.Node){
		func(n *corev1.Node) { n.Labels["disk"] = "other" },
		func(n *corev1.Node) { n.Spec.Unschedulable = true },
		func(n *corev1.Node) { n.Status.DeclaredFeatures = []string{"some"} },
	} {
		before = w.filters.cluster.version
		changed := w.nodes[n.Name].DeepCopy()
		change(changed)
		if w.addNode(changed); w.filters.cluster.version == before {
			t.Errorf("nothing is judged anew after a change to %+v", changed)
		}
	}
}

// TestBoundPod_HoldsNothing holds for pods with predicates of their own, of which a cluster may have many.
func TestBoundPod_HoldsNothing(t *testing.T) {
	w := newWorld(t)
	w.addNode(randomNode(rand.New(rand.NewPCG(1, 5)), 1))
	for i := range 20 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprint("p", i), UID: types.UID(fmt.Sprint(i)), Labels: map[string]string{"index": fmt.Sprint(i)}}}
		w.filters.Pod(nil, pod)
		w.filters.Name(pod)
		bound := pod.DeepCopy()
		bound.Spec.NodeName = "n1"
		w.filters.Pod(pod, bound)
	}
	if f := w.filters; len(f.classes)+len(f.predicates) != 0 {
		t.Errorf("%d classes and %d predicates are kept", len(f.classes), len(f.predicates))
	}
}

// The kubelet refuses a pod whose port is in use, which does not free it.
func TestAPortStaysInUseWhileOneOfTwoPodsHasIt(t *testing.T) {
	w := newWorld(t)
	w.addNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}})
	ported := func(name, node string) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID(name)}}
		pod.Spec.NodeName = node
		pod.Spec.Containers = []corev1.Container{{Name: "main", Ports: []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}}}
		return pod
	}
	first, second, waits := ported("first", "n1"), ported("second", "n1"), ported("waits", "")
	w.filters.Pod(nil, first)
	w.filters.Pod(nil, second)
	refused := second.DeepCopy()
	refused.Status.Phase = corev1.PodFailed
	w.filters.Pod(second, refused)
	if why := w.filters.Why(w.filters.Name(waits), "n1"); why == "" {
		t.Error("the port of the first pod is free")
	}
	w.filters.Pod(first, nil)
	if why := w.filters.Why(w.filters.Name(waits), "n1"); why != "" {
		t.Errorf("without a pod on the node: %s", why)
	}
}

func TestAConditionOfAPodLeavesWhatWasJudged(t *testing.T) {
	w := newWorld(t)
	w.addNode(randomNode(rand.New(rand.NewPCG(1, 5)), 1))
	pod := randomPod(rand.New(rand.NewPCG(1, 6)), 1)
	w.filters.Pod(nil, pod)
	w.look()
	w.judged(pod)
	c := w.filters.classes[w.filters.Name(pod)]
	waits := pod.DeepCopy()
	waits.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse}}
	if w.filters.Pod(pod, waits); c.last.version == 0 {
		t.Error("the pod is judged anew after a condition was written")
	}
	labelled := waits.DeepCopy()
	labelled.Labels = map[string]string{"other": "label"}
	if w.filters.Pod(waits, labelled); c.last.version != 0 {
		t.Error("the pod is not judged anew, though it has other labels")
	}
}

func TestObjectsThatPluginsSeeUnchangedAreNotNoted(t *testing.T) {
	namespace := func(version, label string) *corev1.Namespace {
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns", ResourceVersion: version, Labels: map[string]string{"team": label}}}
	}
	volume := func(version string) *corev1.PersistentVolume {
		return &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{ResourceVersion: version}}
	}
	for _, c := range []struct {
		old, current any
		want         bool
	}{
		{namespace("1", "a"), namespace("2", "a"), false},
		{namespace("1", "a"), namespace("2", "b"), true},
		{volume("1"), volume("1"), false},
		{volume("1"), volume("2"), true},
	} {
		if got := seen(c.old, c.current); got != c.want {
			t.Errorf("%v, %v: %v", c.old, c.current, got)
		}
	}
}
