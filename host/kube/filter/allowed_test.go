package filter

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/manager"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
)

// trial is a scheduler with manager and filters on a fake API server, and the oracle that judges it. The objects change one at a time, and
// only while everything is settled, so that it is known at each placement which objects there were.
type trial struct {
	t      *testing.T
	r      *rand.Rand
	client *fake.Clientset
	oracle *oracle

	mu     sync.Mutex
	placed []core.Placed // in the order of the scheduler
	judged int           // how many of them are

	made, kept, number, objects int
}

func newTrial(t *testing.T, seed uint64) *trial {
	x := &trial{t: t, r: rand.New(rand.NewPCG(seed, 4)), client: fake.NewClientset(
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns", Labels: map[string]string{"team": "a"}}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other", Labels: map[string]string{"team": "b"}}})}
	ctx, cancel := context.WithCancel(context.Background())
	x.client.PrependReactor("create", "pods", x.bind)
	x.client.Resources = []*metav1.APIResourceList{{GroupVersion: "resource.k8s.io/v1", APIResources: []metav1.APIResource{{Name: "resourceclaims"}}}}
	x.oracle = newOracle(ctx, t, x.client)
	factory := informers.NewSharedInformerFactory(x.client, 0)
	filters, err := New(ctx, Options{Client: x.client, Informers: factory})
	if err != nil {
		t.Fatal(err)
	}
	record, opened, err := store.Open(store.NewMemory(), store.Options{SegmentSize: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	live, err := server.New(server.Options{Store: record, Found: opened, Clock: server.SystemClock{}, Log: slog.New(slog.DiscardHandler), Policies: x.listen(filters)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := manager.New(manager.Options{Client: x.client, Informers: factory, Filters: filters, Log: slog.New(slog.DiscardHandler),
		Settings: translate.Settings{Schedulers: []string{ownScheduler}}})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	must := func(what string, run func() error) {
		running.Go(func() {
			if err := run(); err != nil && ctx.Err() == nil {
				t.Error(what, err)
			}
		})
	}
	must("the server:", func() error { return live.Run(ctx) })
	source := live.Source()
	if given, err := source.Submit(ctx, &server.Request{Inputs: []core.Input{{Type: core.ConfigSet, Config: twoQueues}}}); err != nil || given.Refused {
		t.Fatal(err, given)
	}
	source.Close()
	if err := m.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	factory.WaitForCacheSync(ctx.Done())
	must("the manager:", func() error { return m.Run(ctx, live) })
	must("asking anew:", func() error { return askAnew(ctx, filters, live) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		factory.Shutdown()
		if err := record.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// askAnew has the predicates asked again whenever they may be stale.
func askAnew(ctx context.Context, f *Filters, live *server.Server) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-f.Stale():
		}
		if err := live.AskAnew(ctx, Owns, server.Actor{}); err != nil {
			return err
		}
	}
}

// noting is policies that note all placements.
type noting struct {
	server.Policies
	x *trial
}

func (p *noting) Options() core.Options {
	o := p.Policies.Options()
	next := o.Placements
	o.Placements = func(placed core.Placed) {
		p.x.mu.Lock()
		p.x.placed = append(p.x.placed, placed)
		p.x.mu.Unlock()
		next(placed)
	}
	return o
}

// listen has the placements of the scheduler that decides noted.
func (x *trial) listen(f *Filters) func(bool) server.Policies {
	each := f.Policies(func(bool) server.Policies { return modules{} })
	return func(decides bool) server.Policies {
		if p := each(decides); !decides {
			return p
		} else {
			return &noting{p, x}
		}
	}
}

// bind is what the API server does with bindings.
func (x *trial) bind(action clienttesting.Action) (bool, runtime.Object, error) {
	create := action.(clienttesting.CreateAction)
	if action.GetSubresource() != "binding" {
		return false, nil, nil
	}
	binding := create.GetObject().(*corev1.Binding)
	found, err := x.client.Tracker().Get(action.GetResource(), action.GetNamespace(), binding.Name)
	if err != nil {
		return true, nil, err
	}
	pod := found.(*corev1.Pod).DeepCopy()
	if pod.Spec.NodeName != "" {
		x.t.Errorf("%s is bound a second time", binding.Name)
	}
	pod.Spec.NodeName = binding.Target.Name
	return true, binding, x.client.Tracker().Update(action.GetResource(), pod, action.GetNamespace())
}

// judge holds the placements since the last call against the oracle.
func (x *trial) judge() {
	x.mu.Lock()
	list := x.placed[x.judged:]
	x.judged = len(x.placed)
	x.mu.Unlock()
	for _, p := range list {
		if p.Ended { // by the test; or undone, since the pod asks anew with plugins that others have made necessary
			x.oracle.undo(p.Ask)
			continue
		}
		pod := x.oracle.waiting[p.Ask]
		if why := x.oracle.place(p.Ask, p.Node); why != "" {
			x.t.Fatalf("%s is placed on %s, though: %s\npod %+v\nnode %+v\nof the pod before: %+v", p.Ask, p.Node, why, pod, x.oracle.nodes[p.Node], x.about(p.Ask))
		}
		x.made++
	}
}

// about returns what the scheduler has placed and ended of a pod.
func (x *trial) about(ask string) (list []core.Placed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range x.placed {
		if p.Ask == ask {
			list = append(list, p)
		}
	}
	return list
}

// boundTo is the node of a pod as the API server has it.
func (x *trial) boundTo(pod *corev1.Pod) string {
	found, err := x.client.CoreV1().Pods(pod.Namespace).Get(context.Background(), pod.Name, metav1.GetOptions{})
	x.check(err)
	return found.Spec.NodeName
}

// unsettled says what is still under way; empty: nothing is.
func (x *trial) unsettled() string {
	x.judge()
	if key, node := x.oracle.mayGo(); key != "" {
		return fmt.Sprintf("%s waits, and %s would take it\npod %+v\nnode %+v", key, node, x.oracle.waiting[key], x.oracle.nodes[node])
	}
	for key, pod := range x.oracle.placed {
		if pod.Spec.SchedulerName != ownScheduler {
			continue
		}
		if on := x.boundTo(pod); on != pod.Spec.NodeName {
			return fmt.Sprintf("%s is bound to %q, expected %s", key, on, pod.Spec.NodeName)
		}
	}
	return ""
}

// settle waits until every pod that may go somewhere is bound.
func (x *trial) settle() {
	x.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		why := x.unsettled()
		if why == "" {
			x.kept += len(x.oracle.waiting)
			return
		}
		if time.Now().After(deadline) {
			x.t.Fatal(why)
		}
		time.Sleep(pause)
	}
}

func (x *trial) check(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *trial) addNode() {
	x.number++
	n := clusterNode(x.r, fmt.Sprint("n", x.number))
	x.oracle.nodes[n.Name] = n
	x.objects++
	_, err := x.client.CoreV1().Nodes().Create(context.Background(), n, metav1.CreateOptions{})
	x.check(err)
}

// changeNode gives a node the labels, taints and amounts of another; its pods stay.
func (x *trial) changeNode() {
	name := pick(x.r, slices.Sorted(maps.Keys(x.oracle.nodes))...)
	n := clusterNode(x.r, name)
	n.Labels[corev1.LabelHostname] = name
	n.Status.Allocatable = x.oracle.nodes[name].Status.Allocatable
	x.oracle.nodes[name] = n
	_, err := x.client.CoreV1().Nodes().Update(context.Background(), n, metav1.UpdateOptions{})
	x.check(err)
}

// addPods has some pods come at a time, and some of them with twins.
func (x *trial) addPods(count int) {
	for count > 0 {
		x.number++
		pod := clusterPod(x.r, fmt.Sprint("p", x.number))
		for i := range 1 + x.r.IntN(2) {
			twin := pod.DeepCopy()
			twin.Name, twin.UID = fmt.Sprint(pod.Name, "-", i), pod.UID+"-twin"
			x.oracle.waiting[translate.Key(twin)] = twin
			_, err := x.client.CoreV1().Pods(twin.Namespace).Create(context.Background(), twin, metav1.CreateOptions{})
			x.check(err)
			count--
			x.objects++
		}
	}
}

// addForeign has another scheduler's pod run on a node.
func (x *trial) addForeign() {
	x.number++
	pod := clusterPod(x.r, fmt.Sprint("f", x.number))
	pod.Spec.SchedulerName = "other"
	pod.Labels["queue"] = ""
	pod.Spec.NodeName = pick(x.r, slices.Sorted(maps.Keys(x.oracle.nodes))...)
	x.oracle.placed[translate.Key(pod)] = pod
	x.objects++
	_, err := x.client.CoreV1().Pods(pod.Namespace).Create(context.Background(), pod, metav1.CreateOptions{})
	x.check(err)
}

// endPod has a pod end that runs.
func (x *trial) endPod() {
	if len(x.oracle.placed) == 0 {
		return
	}
	key := pick(x.r, slices.Sorted(maps.Keys(x.oracle.placed))...)
	pod := x.oracle.placed[key]
	delete(x.oracle.placed, key)
	x.check(x.client.CoreV1().Pods(pod.Namespace).Delete(context.Background(), pod.Name, metav1.DeleteOptions{}))
}

// TestPodsAreWhereAllPluginsLetThem holds each placement against all filter plugins of Kubernetes' own scheduler, and each pod that waits
// against all nodes. QUERN_ALLOWED is how many pods and nodes there are (150).
func TestPodsAreWhereAllPluginsLetThem(t *testing.T) {
	size := 150
	if text := os.Getenv("QUERN_ALLOWED"); text != "" {
		var err error
		if size, err = strconv.Atoi(text); err != nil {
			t.Fatal("QUERN_ALLOWED: ", err)
		}
	}
	total, made, kept := 0, 0, 0
	for seed := uint64(1); total < size; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			x := newTrial(t, seed)
			for range 8 + x.r.IntN(12) {
				x.addNode()
			}
			for range 6 {
				x.addPods(4 + x.r.IntN(12))
				x.settle()
				for range 3 {
					pick(x.r, x.addNode, x.changeNode, x.addForeign, x.endPod, x.endPod)()
					x.settle()
				}
			}
			total, made, kept = total+x.objects, made+x.made, kept+x.kept
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d pods and nodes; %d placements; %d times a pod waited rightly", total, made, kept)
	if made < size/4 || kept < size/4 {
		t.Error("too few to tell")
	}
}
