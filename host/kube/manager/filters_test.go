package manager

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"

	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/translate"
)

// ports is a Filters without a predicate, so that every node will do, fails the first time that volumes are to be bound, and counts its calls.
type ports struct {
	mu    sync.Mutex
	calls map[string]int
}

func (p *ports) count(what string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls[what]++
	return p.calls[what]
}

func (p *ports) Name(*corev1.Pod) string { p.count("name"); return "" }
func (p *ports) Node(*corev1.Node, *corev1.Node) {
	p.count("node")
}
func (p *ports) Pod(*corev1.Pod, *corev1.Pod)  { p.count("pod") }
func (p *ports) Selected() uint64              { return 0 }
func (p *ports) Forget(*corev1.Pod)            { p.count("forget") }
func (p *ports) Unreserve(*corev1.Pod, string) { p.count("unreserve") }
func (p *ports) Reserve(context.Context, *corev1.Pod, string) error {
	p.count("reserve")
	return nil
}
func (p *ports) PreBind(context.Context, *corev1.Pod, string) error {
	if p.count("prebind") == 1 {
		return errors.New("a volume is not there yet")
	}
	return nil
}

func TestAPodWhoseVolumesFailIsAskedForAgain(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	p := &ports{calls: map[string]int{}}
	start(t, a.client(t), rules, func(o *Options) { o.Filters = p })
	ported := waiting("ported", "ported", 100)
	ported.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
	a.putAll(ported)
	until(t, isBound(a, "default/ported"))
	p.mu.Lock()
	defer p.mu.Unlock()
	for what, least := range map[string]int{"name": 2, "reserve": 2, "prebind": 2, "unreserve": 1, "forget": 1, "node": 1, "pod": 1} {
		if p.calls[what] < least {
			t.Errorf("%s: %d calls, expected %d or more", what, p.calls[what], least)
		}
	}
}

// A pod that repels others makes plugins necessary for pods that had asked without any.
func TestPodsThatOthersRepelAskAnew(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	r := start(t, a.client(t), queues)
	a.putAll(queued(waiting("large", "large", 4000), "root.analytics"))
	until(t, func() string {
		if !maps.Equal(r.asks(), map[string]string{"default/large": ""}) {
			return "the pod does not ask"
		}
		return ""
	})
	lonely := waiting("lonely", "lonely", 100)
	lonely.Spec.SchedulerName, lonely.Spec.NodeName = "other", "n1"
	lonely.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{LabelSelector: &metav1.LabelSelector{}, TopologyKey: corev1.LabelHostname},
	}}}
	a.putAll(lonely)
	until(t, func() string {
		if len(r.asks()) > 0 {
			return "the pod asks, though its nodes have to be asked about"
		}
		return ""
	})
	a.remove("pods", translate.Key(lonely))
	until(t, func() string {
		if len(r.asks()) != 1 {
			return "the pod does not ask, though nothing repels it"
		}
		return ""
	})
}

// Both ask in one request: the scheduler may place the one that repels first, and would then know of nothing against the other.
func TestAPodThatAsksWithOneThatRepelsItHasPlugins(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	lonely := waiting("lonely", "lonely", 100)
	lonely.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{LabelSelector: &metav1.LabelSelector{}, TopologyKey: corev1.LabelHostname},
	}}}
	a.putAll(lonely, waiting("earlier", "earlier", 100))
	named := make(chan string, 10)
	p := &namer{ports{calls: map[string]int{}}, named}
	start(t, a.client(t), rules, func(o *Options) { o.Filters = p })
	until(t, func() string {
		if len(named) < 2 {
			return "only one of the pods has a predicate"
		}
		return ""
	})
	got := []string{<-named, <-named}
	slices.Sort(got)
	if !slices.Equal(got, []string{"default/earlier", "default/lonely"}) {
		t.Errorf("predicates are those of %v", got)
	}
}

// namer says which pods get predicates.
type namer struct {
	ports
	named chan string
}

func (n *namer) Name(pod *corev1.Pod) string {
	n.named <- translate.Key(pod)
	return n.ports.Name(pod)
}

func TestAServerWithoutDynamicResourcesIsRefused(t *testing.T) {
	a := newAPI(t)
	a.old = true
	client := a.client(t)
	m, err := New(Options{Config: client.config, Client: client, Informers: informers.NewSharedInformerFactory(client, 0), Settings: translate.Settings{Schedulers: []string{schedulerName}},
		Filters: &ports{calls: map[string]int{}}, Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Sync(t.Context()); err == nil || !strings.Contains(err.Error(), "does not serve resource.k8s.io/v1") {
		t.Errorf("found %v", err)
	}
}

// unbindable is a Filters whose volumes are never there for the first pod.
type unbindable struct{ ports }

func (s *unbindable) PreBind(ctx context.Context, _ *corev1.Pod, _ string) error {
	if s.count("prebind") == 1 {
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

// As a StatefulSet does, while the volume of the pod before is not there.
func TestAPodMadeAnewWaitsForNoVolumeOfItsPredecessor(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	s := &unbindable{ports{calls: map[string]int{}}}
	start(t, a.client(t), rules, func(o *Options) { o.Filters = s })
	ported := func() *corev1.Pod {
		pod := waiting("db-0", "db", 100)
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}} // the plugins are asked
		return pod
	}
	a.putAll(ported())
	until(t, func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return map[bool]string{true: "no volume is waited for"}[s.calls["prebind"] == 0]
	})
	a.remove("pods", "default/db-0")
	a.putAll(ported())
	until(t, isBound(a, "default/db-0"))
	until(t, func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return map[bool]string{true: "what was kept for the pod before is kept still"}[s.calls["unreserve"] == 0]
	})
}

// delayed is a Filters whose volumes are not there until it is told.
type delayed struct {
	ports
	ready chan struct{}
}

func (s *delayed) PreBind(ctx context.Context, _ *corev1.Pod, _ string) error {
	s.count("prebind")
	select {
	case <-s.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestPodsThatWaitForVolumesKeepNoneFromBeingBound(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 100_000))
	s := &delayed{ports{calls: map[string]int{}}, make(chan struct{})}
	start(t, a.client(t), rules, func(o *Options) { o.Filters, o.Binds = s, 2 })
	const many = 20
	for i := range many {
		pod := waiting(fmt.Sprint("slow", i), "slow", 100)
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: int32(80 + i)}} // the plugins are asked
		a.putAll(pod)
	}
	until(t, func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		if n := s.calls["prebind"]; n < many {
			return fmt.Sprintf("%d pods wait for volumes", n)
		}
		return ""
	})
	a.putAll(waiting("quick", "quick", 100))
	until(t, isBound(a, "default/quick"))
	close(s.ready)
	until(t, func() string { return a.allBound(many + 1) })
}

// fixed is a Filters with one predicate, which no node has been asked about.
type fixed struct{ ports }

func (*fixed) Name(*corev1.Pod) string { return "kubernetes/fixed" }

func TestPodsThatOthersRepelKeepTheirPlace(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	r := start(t, a.client(t), rules, func(o *Options) { o.Filters = &fixed{ports{calls: map[string]int{}}} })
	for i := range 2 { // too large for the node
		pod := waiting(fmt.Sprint("p", i), "app", 4000)
		pod.Labels["number"] = fmt.Sprint(i)
		a.putAll(pod)
		until(t, func() string { return map[bool]string{true: "a pod does not ask"}[len(r.asks()) <= i] })
	}
	lonely := waiting("lonely", "lonely", 100)
	lonely.Spec.SchedulerName, lonely.Spec.NodeName = "other", "n1"
	lonely.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"number": "0"}}, TopologyKey: corev1.LabelHostname},
	}}}
	a.putAll(lonely)
	until(t, func() (missing string) {
		r.View().Read(func(s *scheduler.Scheduler) {
			for i, predicate := range []string{"kubernetes/fixed", ""} {
				key := fmt.Sprint("default/p", i)
				d, _ := s.Ask(key)
				if e, ok := s.ExplainAsk(key); !ok || d.Predicate != predicate || e.Place != i+1 {
					missing = fmt.Sprintf("%s: predicate %q, place %d", key, d.Predicate, e.Place)
				}
			}
		})
		return missing
	})
}

// renaming is a Filters whose names depend on which labels are selected.
type renaming struct {
	ports
	version atomic.Uint64
}

func (f *renaming) Selected() uint64 { return f.version.Load() }
func (f *renaming) Name(pod *corev1.Pod) string {
	if f.Selected() == 0 {
		return "kubernetes/alike"
	}
	return "kubernetes/" + pod.Name
}

func TestPredicates_FollowWhatPluginsRead(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 2000))
	f := &renaming{ports: ports{calls: map[string]int{}}}
	r := start(t, a.client(t), rules, func(o *Options) { o.Filters = f })
	predicates := func(want ...string) func() string {
		return func() (missing string) {
			r.View().Read(func(s *scheduler.Scheduler) {
				for i, predicate := range want {
					if d, _ := s.Ask(fmt.Sprint("default/p", i)); d.Predicate != predicate {
						missing = fmt.Sprintf("p%d: predicate %q, expected %q", i, d.Predicate, predicate)
					}
				}
			})
			return missing
		}
	}
	for i := range 2 {
		pod := waiting(fmt.Sprint("p", i), "app", 4000)
		pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80}}
		a.putAll(pod)
	}
	until(t, predicates("kubernetes/alike", "kubernetes/alike"))
	f.version.Store(1)
	a.putAll(waiting("other", "other", 100)) // whatever has a selector
	until(t, predicates("kubernetes/p0", "kubernetes/p1"))
}
