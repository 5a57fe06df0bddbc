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
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/rest"
	clienttesting "k8s.io/client-go/testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/manager"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/internal/await"
)

// trial is a scheduler with manager and filters on a fake API server, and the oracle that judges it. The objects change one at a time, and
// only while everything is settled, so that it is known at each placement which objects there were.
type trial struct {
	t       *testing.T
	r       *rand.Rand
	client  *fake.Clientset
	oracle  *oracle
	filters *Filters
	live    *server.Server

	mu     sync.Mutex
	placed []core.Placed // in the order of the scheduler
	judged int           // how many of them are

	assumed map[string]bool // members of gangs that may be taken back
	gone    map[string]bool // pods that were preempted

	made, kept, number, objects int
	ended                       int // by preemption
	versions                    atomic.Int64
}

func newTrial(t *testing.T, seed uint64) *trial {
	x := &trial{t: t, assumed: map[string]bool{}, gone: map[string]bool{}, r: rand.New(rand.NewPCG(seed, 4)), client: fake.NewClientset(append(storage(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "ns", Labels: map[string]string{"team": "a"}}},
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other", Labels: map[string]string{"team": "b"}}})...)}
	x.versions.Store(1)
	ctx, cancel := context.WithCancel(context.Background())
	x.client.PrependReactor("*", "*", x.version)
	x.client.PrependReactor("create", "pods", x.bind)
	x.client.Resources = []*metav1.APIResourceList{{GroupVersion: "resource.k8s.io/v1", APIResources: []metav1.APIResource{{Name: "resourceclaims"}}}}
	x.oracle = newOracle(ctx, t, x.client)
	factory := informers.NewSharedInformerFactory(x.client, 0)
	filters, err := New(ctx, Options{Client: x.client, Informers: factory})
	if err != nil {
		t.Fatal(err)
	}
	x.filters = filters
	record, opened, err := store.Open(store.NewMemory(), store.Options{SegmentSize: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	live, err := server.New(server.Options{Store: record, Found: opened, Clock: server.NewSystemClock(0), Log: slog.New(slog.DiscardHandler), Policies: x.listen(filters)})
	if err != nil {
		t.Fatal(err)
	}
	x.live = live
	m, err := manager.New(manager.Options{Config: &rest.Config{}, Client: x.client, Informers: factory, Filters: filters, Log: slog.New(slog.DiscardHandler),
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
	if given, err := source.Submit(ctx, &server.Request{Inputs: []core.Input{{Event: &core.SetConfig{Config: threeQueues}}}}); err != nil || given.Refused {
		t.Fatal(err, given)
	}
	source.Close()
	if err := m.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	factory.WaitForCacheSync(ctx.Done())
	must("the manager:", func() error { return m.Run(ctx, live) })
	must("asking anew:", func() error { return askAnew(ctx, filters, live) })
	must("the controllers of volumes:", func() error { return x.bindVolumes(ctx) })
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

// askPause is for how long changes are gathered, as the program does: plugins may take in later what is told.
const askPause = 20 * time.Millisecond

// askAnew has the predicates asked again whenever they may be stale.
func askAnew(ctx context.Context, f *Filters, live *server.Server) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-f.Stale():
		}
		await.Pause(askPause)
		if err := live.AskAnew(ctx, f.TakeStale(), server.Actor{}); err != nil {
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
		if p.Ended && x.assumed[p.Ask] {
			delete(x.assumed, p.Ask)
			continue
		}
		if p.Ended { // by the test; by preemption; or undone, since the pod asks anew with plugins that others have made necessary
			x.end(p.Ask)
			continue
		}
		if x.assume(p) || x.gone[p.Ask] { // which the scheduler does not know yet
			continue
		}
		pod := x.oracle.waiting[p.Ask]
		if why := x.place(p.Ask, p.Node); why != "" {
			x.t.Fatalf("%s is placed on %s, though: %s\npod %+v\nnode %+v\nof the pod before: %+v", p.Ask, p.Node, why, pod, x.oracle.nodes[p.Node], x.about(p.Ask))
		}
		x.made++
	}
}

// assume reports whether a member of a gang is placed only to try the others beside it, of which the scheduler tells first.
func (x *trial) assume(p core.Placed) bool {
	pod := x.oracle.waiting[p.Ask]
	if pod == nil || x.oracle.gangs[pod.Labels["applicationId"]] == 0 {
		return false
	}
	if x.assumed[p.Ask] {
		delete(x.assumed, p.Ask)
		return false
	}
	x.assumed[p.Ask] = true
	return true
}

// place has a pod stand on a node for the oracle. What its informers have of volumes and devices may be older than what the scheduler knew.
func (x *trial) place(key, node string) (why string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for range await.Each(ctx, time.Millisecond) {
		if why = x.oracle.place(key, node); why == "" {
			break
		}
		if pod := x.oracle.waiting[key]; pod == nil || !needsReserving(pod) {
			break
		}
	}
	return why
}

// end has a pod wait again, or go if it was preempted.
func (x *trial) end(key string) {
	pod := x.oracle.placed[key]
	if pod == nil {
		return
	}
	x.oracle.undo(key)
	if _, err := x.client.CoreV1().Pods(pod.Namespace).Get(context.Background(), pod.Name, metav1.GetOptions{}); apierrors.IsNotFound(err) {
		delete(x.oracle.waiting, key)
		x.gone[key] = true
		x.ended++
	}
}

// why is what the filters have against a pod on a node.
func (x *trial) why(pod *corev1.Pod, node string) string {
	return x.filters.Why(x.filters.Name(pod), node)
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
	if apierrors.IsNotFound(err) {
		return "none, since it has gone"
	}
	x.check(err)
	return found.Spec.NodeName
}

// unsettled says what is still under way; empty: nothing is.
func (x *trial) unsettled() string {
	x.judge()
	if key, node := x.oracle.mayGo(); key != "" {
		pod := x.oracle.waiting[key]
		return fmt.Sprintf("%s waits, and %s would take it\npod %+v\nnode %+v\nof the pod before: %+v\nby the filters: %q", key, node, pod, x.oracle.nodes[node], x.about(key), x.why(pod, node))
	}
	for key, pod := range x.oracle.placed {
		if pod.Spec.SchedulerName != ownScheduler {
			continue
		}
		if on := x.boundTo(pod); on != pod.Spec.NodeName {
			return fmt.Sprintf("%s is bound to %q, expected %s", key, on, pod.Spec.NodeName)
		}
	}
	if gang := x.torn(); gang != "" {
		return fmt.Sprintf("some of gang %s run, and some do not", gang)
	}
	return x.shared()
}

// settle waits until every pod that may go somewhere is bound.
func (x *trial) settle() {
	x.t.Helper()
	await.RightWithin(x.t, 10*time.Second, x.unsettled)
	x.kept += len(x.oracle.waiting)
}

// rest waits until no pod is preempted any more, and all is settled.
func (x *trial) rest() {
	x.t.Helper()
	for before := -1; before != x.judged; {
		before = x.judged
		await.Right(x.t, x.preempting)
		x.settle()
	}
}

// preempting says which search for victims may be under way or due; empty: none is. A search that was due before the time that readers see has ended:
// either in vain, or its victims are leaving.
func (x *trial) preempting() (why string) {
	if len(x.filters.Stale()) > 0 {
		return "predicates are asked again"
	}
	x.live.Refresh(x.t.Context())
	x.live.View().Read(func(s *scheduler.Scheduler) {
		if leaving := s.Asks(&core.Page{Where: core.Where{State: core.AskLeavingState}, Limit: 1}); len(leaving.Items) > 0 {
			why = leaving.Items[0].ID + " is leaving"
			return
		}
		for key, pod := range x.oracle.waiting {
			if pod.Labels["queue"] != entitledQueue {
				continue
			}
			if ask, asked := s.Ask(key); !asked || ask.Node == "" && s.Now() <= ask.Submitted+preemptionDelay {
				why = key + " may search for victims"
				return
			}
		}
	})
	return why
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
	x.addStorage(n.Name)
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
			x.addPod(pod, i)
			count--
		}
	}
}

// addPod has a pod come like another one.
func (x *trial) addPod(like *corev1.Pod, i int) {
	pod := like.DeepCopy()
	pod.Name, pod.UID = fmt.Sprint(like.Name, "-", i), types.UID(fmt.Sprint(like.UID, "-", i))
	x.oracle.waiting[translate.Key(pod)] = pod
	_, err := x.client.CoreV1().Pods(pod.Namespace).Create(context.Background(), pod, metav1.CreateOptions{})
	x.check(err)
	x.objects++
}

// addUrgent has pods come to which their queue is entitled, so that others may have to go.
func (x *trial) addUrgent(count int) {
	for range count {
		x.number++
		pod := clusterPod(x.r, fmt.Sprint("u", x.number))
		pod.Labels["queue"], pod.Labels["applicationId"] = entitledQueue, pod.Name
		x.addPod(pod, 0)
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
	x.freeStorage(pod)
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
	total, made, kept, ended, gangs := 0, 0, 0, 0, 0
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
					pick(x.r, x.addOwner, x.addOwner, x.addGang)()
				}
				x.settle()
				for range 3 {
					pick(x.r, x.addNode, x.changeNode, x.addForeign, x.endPod, x.endPod)()
					x.settle()
				}
			}
			x.addUrgent(3 + x.r.IntN(4))
			x.rest()
			total, made, kept, ended, gangs = total+x.objects, made+x.made, kept+x.kept, ended+x.ended, gangs+len(x.oracle.gangs)
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("%d pods and nodes; %d placements; %d times a pod waited rightly; %d gangs; %d pods preempted", total, made, kept, gangs, ended)
	if made < size/4 || kept < size/4 || gangs < size/100 || ended < size/100 {
		t.Error("too few to tell")
	}
}
