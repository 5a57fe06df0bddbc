package manager

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/store"
)

// life changes the objects of an API server at random, as users, kubelets and other schedulers do.
type life struct {
	*api
	random *rand.Rand
	made   int
	demand func(*corev1.Pod) // makes demands of new pods; nil: they have none
}

func (l *life) step() {
	if l.random.IntN(40) == 0 {
		l.gap()
	}
	if l.random.IntN(25) == 0 {
		l.node()
		return
	}
	list := l.pods()
	if len(list) < 40 && l.random.IntN(2) == 0 || len(list) == 0 {
		l.create()
		return
	}
	slices.SortFunc(list, func(a, b *corev1.Pod) int { return compareKeys(a, b) })
	pod := list[l.random.IntN(len(list))]
	key := translate.Key(pod)
	switch l.random.IntN(8) {
	case 0:
		l.remove("pods", key)
	case 1: // deleted and made anew, between two looks of a watch
		l.remove("pods", key)
		l.put("pods", l.pod(pod.Name))
	case 2:
		l.change(key, func(p *corev1.Pod) {
			if p.Spec.NodeName != "" {
				p.Status.Phase = corev1.PodSucceeded
			}
		})
	case 3:
		l.change(key, func(p *corev1.Pod) { resize(p, int64(1+l.random.IntN(4))*250) })
	case 4:
		l.change(key, func(p *corev1.Pod) {
			p.Labels = map[string]string{"applicationId": p.Labels["applicationId"], "round": fmt.Sprint(l.random.Int())}
		})
	case 5: // another scheduler, or a user, is faster
		l.change(key, func(p *corev1.Pod) {
			if p.Spec.NodeName == "" && l.random.IntN(3) == 0 {
				p.Spec.NodeName = fmt.Sprint("n", l.random.IntN(6))
			}
		})
	}
}

func compareKeys(a, b *corev1.Pod) int {
	if translate.Key(a) < translate.Key(b) {
		return -1
	}
	return 1
}

func (l *life) create() {
	l.made++
	pod := l.pod(fmt.Sprint("p", l.made))
	if l.random.IntN(5) == 0 { // foreign
		pod.Spec.SchedulerName, pod.Spec.NodeName = "other", fmt.Sprint("n", l.random.IntN(6))
	}
	l.put("pods", pod)
}

func (l *life) pod(name string) *corev1.Pod {
	pod := waiting(name, fmt.Sprint("app", l.random.IntN(4)), int64(1+l.random.IntN(4))*500)
	if l.demand != nil {
		l.demand(pod)
	}
	return pod
}

// node adds, removes, cordons or resizes a node.
func (l *life) node() {
	name := fmt.Sprint("n", l.random.IntN(6))
	switch l.random.IntN(3) {
	case 0:
		l.remove("nodes", name)
	case 1:
		n := worker(name, int64(2+l.random.IntN(4))*1000)
		n.Labels[corev1.LabelTopologyZone] = fmt.Sprint("z", l.random.IntN(3))
		l.mu.Lock()
		if before := l.objects["nodes"][name]; before != nil {
			n.UID = before.GetUID()
		}
		l.mu.Unlock()
		l.put("nodes", n)
	}
}

// difference says how what the scheduler has differs from what the cluster has; empty: it does not.
func (l *life) difference(r *replica) string {
	want, settings := map[string]string{}, r.manager.o.Settings
	occupied := map[string]int64{}
	l.mu.Lock()
	for key, o := range l.objects["pods"] {
		pod := o.(*corev1.Pod)
		switch settings.StageOf(pod) {
		case translate.Waiting:
			want[key] = ""
		case translate.Placed:
			if l.objects["nodes"][pod.Spec.NodeName] != nil {
				want[key] = pod.Spec.NodeName
			}
		case translate.Foreign:
			occupied[pod.Spec.NodeName] += pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue()
		}
	}
	nodes := slices.Sorted(maps.Keys(l.objects["nodes"]))
	l.mu.Unlock()
	if got := r.asks(); !maps.Equal(got, want) {
		return fmt.Sprintf("the scheduler has %v; the cluster, %v", got, want)
	}
	for _, name := range nodes {
		if got, ok := r.occupied(name); !ok || got != occupied[name] {
			return fmt.Sprintf("foreign pods take %d on %s, expected %d", got, name, occupied[name])
		}
	}
	return ""
}

// steps is how long a life is.
func steps() int {
	if n, err := strconv.Atoi(os.Getenv("QUERN_STEPS")); err == nil {
		return n
	}
	return 400
}

// Whatever happens in the cluster and to watches, requests and replicas, the scheduler has in the end what the cluster has, and nothing is
// bound twice.
func TestScheduler_EqualsTheClusterAfterFaults(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			a := newAPI(t)
			l := &life{api: a, random: rand.New(rand.NewPCG(seed, 0))}
			for i := range 6 {
				a.put("nodes", worker(fmt.Sprint("n", i), 4000))
			}
			a.mu.Lock()
			a.fault = flaky(seed, 0.2)
			a.mu.Unlock()
			disk := store.NewMemory()
			r := startOn(t, disk, a.client(t), rules)
			for i := range steps() {
				if l.step(); l.random.IntN(20) == 0 {
					pause(l.random)
				}
				if i%150 == 149 { // another replica takes over, with an empty record or with that of the one before
					if r.end(); l.random.IntN(2) == 0 {
						disk = store.NewMemory()
					}
					r = startOn(t, disk, a.client(t), rules)
				}
			}
			a.mu.Lock()
			a.fault = nil
			a.mu.Unlock()
			until(t, func() string { return l.difference(r) })
			for uid, nodes := range a.bound {
				if len(nodes) > 1 {
					t.Errorf("pod %s was bound to %v", uid, nodes)
				}
			}
		})
	}
}
