package manager

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/quern-project/quern/host/kube/clustertest"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/internal/await"
)

// faulty is a control plane behind a proxy that notes bindings and injects faults.
type faulty struct {
	*plane
	proxy *clustertest.Proxy

	mu    sync.Mutex
	sent  []sentBinding // that have reached the proxy, in order
	taken []sentBinding // that the API server has carried out, in order
}

// sentBinding is one that a replica has sent.
type sentBinding struct {
	pod, by string
	at      time.Time
}

// bindingOf is the binding that a request asks for; false: it asks for something else.
func bindingOf(r *http.Request) (sentBinding, bool) {
	path, found := strings.CutSuffix(r.URL.Path, "/binding")
	return sentBinding{path[strings.LastIndexByte(path, '/')+1:], r.UserAgent(), time.Now()}, found && r.Method == http.MethodPost
}

func newFaulty(t *testing.T, nodes int) *faulty {
	t.Helper()
	f := &faulty{plane: newPlane(t, nodes)}
	f.proxy, f.spread = f.NewProxy(t), true
	f.proxy.Observe(func(r *http.Request, status int) {
		if b, ok := bindingOf(r); ok && status == http.StatusCreated {
			f.mu.Lock()
			f.taken = append(f.taken, b)
			f.mu.Unlock()
		}
	})
	f.inject(nil)
	return f
}

// inject has a function decide about the faults of requests; nil: there are none.
func (f *faulty) inject(fault func(*http.Request) clustertest.Fault) {
	f.proxy.Inject(func(r *http.Request) clustertest.Fault {
		if b, ok := bindingOf(r); ok {
			f.mu.Lock()
			f.sent = append(f.sent, b)
			f.mu.Unlock()
		}
		if fault == nil {
			return clustertest.Fault{}
		}
		return fault(r)
	})
}

// hold holds up the bindings from one on, counted from now, until the test lets them go. The channel is closed when that one has come.
func (f *faulty) hold(t *testing.T, from int) (reached <-chan struct{}, release func()) {
	var mu sync.Mutex
	count, there, gone := 0, make(chan struct{}), make(chan struct{})
	f.inject(func(r *http.Request) clustertest.Fault {
		if _, ok := bindingOf(r); ok {
			mu.Lock()
			if count++; count == from {
				close(there)
			}
			wait := count >= from
			mu.Unlock()
			if wait {
				<-gone
			}
		}
		return clustertest.Fault{}
	})
	release = sync.OnceFunc(func() { close(gone) })
	t.Cleanup(release)
	return there, release
}

// clientOf is the client of a replica, which the proxy knows by its name.
func (f *faulty) clientOf(t *testing.T, name string) connected {
	t.Helper()
	return connect(t, replicaConfig(t, f.proxy.Config(), name))
}

func replicaConfig(t *testing.T, config *rest.Config, name string) *rest.Config {
	config.UserAgent, config.ContentType, config.QPS = name, "application/vnd.kubernetes.protobuf", -1
	retry.Reads(config, logTo(t))
	return config
}

// once checks that each of the pods with a prefix was bound once.
func (f *faulty) once(t *testing.T, prefix string, count int) {
	t.Helper()
	if n := len(f.bound(t, prefix)); n != count {
		t.Errorf("%d pods %s were bound, expected %d", n, prefix, count)
	}
}

// onceAsFarAsHeard is once where answers may be lost with the API server: what it did not say of a pod that it was asked to bind is not known.
func (f *faulty) onceAsFarAsHeard(t *testing.T, prefix string, count int) {
	t.Helper()
	heard := f.bound(t, prefix)
	f.mu.Lock()
	defer f.mu.Unlock()
	unheard := map[string]bool{}
	for _, b := range f.sent {
		if strings.HasPrefix(b.pod, prefix+"-") && heard[b.pod] == 0 {
			unheard[b.pod] = true
		}
	}
	if n := len(heard) + len(unheard); n != count {
		t.Errorf("%d pods %s were asked to be bound, expected %d", n, prefix, count)
	}
}

// bound is how often each of the pods with a prefix was bound, which is once.
func (f *faulty) bound(t *testing.T, prefix string) map[string]int {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	times := map[string]int{}
	for _, b := range f.taken {
		if strings.HasPrefix(b.pod, prefix+"-") {
			times[b.pod]++
		}
	}
	for pod, n := range times {
		if n != 1 {
			t.Errorf("%s was bound %d times", pod, n)
		}
	}
	return times
}

// differs says how what a scheduler has differs from what the API server has; empty: it does not.
func (f *faulty) differs(t *testing.T, r *replica) string {
	t.Helper()
	pods, err := f.client.CoreV1().Pods(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := f.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	there, want := map[string]bool{"": true}, map[string]string{}
	for i := range nodes.Items {
		there[nodes.Items[i].Name] = true
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if stage := r.manager.o.Settings.StageOf(pod); (stage == translate.Waiting || stage == translate.Placed) && there[pod.Spec.NodeName] {
			want[translate.Key(pod)] = pod.Spec.NodeName
		}
	}
	if got := r.asks(); !maps.Equal(got, want) {
		return fmt.Sprintf("the scheduler has %d pods, the API server %d, or they are elsewhere", len(got), len(want))
	}
	return ""
}

// settled waits until the scheduler has what the API server has, and checks that it fits.
func (f *faulty) settled(t *testing.T, r *replica) {
	t.Helper()
	untilWithin(t, recovery, func() string { return f.differs(t, r) })
	f.held(t)
}

// clear deletes all pods, and waits until none is left.
func (f *faulty) clear(t *testing.T) {
	t.Helper()
	f.inject(nil)
	pods, now := f.client.CoreV1().Pods(metav1.NamespaceDefault), int64(0)
	untilWithin(t, recovery, func() string {
		if err := pods.DeleteCollection(t.Context(), metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}); err != nil {
			return err.Error()
		}
		list, err := pods.List(t.Context(), metav1.ListOptions{})
		if err != nil || len(list.Items) > 0 {
			return fmt.Sprintf("%d pods are left, %v", len(list.Items), err)
		}
		return ""
	})
}

func TestFaultsOfARealControlPlane(t *testing.T) {
	f := newFaulty(t, 40)
	r := start(t, f.clientOf(t, "quern"), rules, withPlugins(t))
	for _, test := range []struct {
		name string
		run  func(*faulty, *testing.T, *replica)
	}{
		{"conflicts, throttling, errors and lost answers", (*faulty).flaky},
		{"a gap in the watches", (*faulty).gap},
		{"pods deleted while they are bound", (*faulty).deletedPods},
		{"a node deleted while pods are bound to it", (*faulty).deletedNode},
		{"all nodes silent", (*faulty).silent},
		{"the API server and etcd killed, together and alone", (*faulty).killed},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.run(f, t, r)
			f.settled(t, r)
			f.clear(t)
			f.settled(t, r)
		})
	}
}

// everyFault is what requests may meet.
var everyFault = []clustertest.Fault{{Status: http.StatusConflict}, {Status: http.StatusTooManyRequests}, {Status: http.StatusInternalServerError},
	{Status: http.StatusInternalServerError, Late: true}, {Drop: true}, {Drop: true, Late: true}}

func (f *faulty) flaky(t *testing.T, _ *replica) {
	const pods = 200
	var mu sync.Mutex
	random, met, injected := rand.New(rand.NewPCG(1, 2)), map[string]int{}, map[faulted]int{}
	f.inject(func(r *http.Request) clustertest.Fault {
		mu.Lock()
		defer mu.Unlock()
		if clustertest.IsWatch(r) || random.IntN(3) > 0 {
			return clustertest.Fault{}
		}
		write := writeOf(r)
		fault := everyFault[met[write]%len(everyFault)] // in turn, so that some writes meet each
		met[write]++
		if r.Method == http.MethodGet && fault.Status == http.StatusConflict { // a read has none
			return clustertest.Fault{}
		}
		injected[faulted{write, fault}]++
		return fault
	})
	f.create(t, "flaky", schedulerName, pods)
	large := f.createLarge(t, 60)
	f.await(t, "flaky", pods)
	f.once(t, "flaky", pods)
	for _, name := range large {
		untilWithin(t, recovery, func() string { return f.lacksCondition(t, name) })
	}
	mu.Lock()
	defer mu.Unlock()
	for _, write := range []string{"binding", "condition"} {
		for _, fault := range everyFault {
			if injected[faulted{write, fault}] == 0 {
				t.Errorf("no %s had the fault %+v: %v", write, fault, injected)
			}
		}
	}
}

// faulted is a kind of write with a fault.
type faulted struct {
	write string
	fault clustertest.Fault
}

// writeOf is what a request writes; empty: nothing that is told apart.
func writeOf(r *http.Request) string {
	_, binds := bindingOf(r)
	switch {
	case binds:
		return "binding"
	case r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/status"):
		return "condition"
	case r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/events"):
		return "event"
	case r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/pods/"):
		return "eviction"
	case r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/persistentvolumes/"):
		return "volume"
	case r.Method != http.MethodGet && strings.Contains(r.URL.Path, "/resourceclaims/"):
		return "device claim"
	}
	return ""
}

// createLarge creates pods that fit nowhere, and returns their names.
func (f *faulty) createLarge(t *testing.T, count int) (names []string) {
	t.Helper()
	for i := range count {
		pod := waiting(fmt.Sprint("large-", i), fmt.Sprint("large-", i), 1_000_000)
		if _, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		names = append(names, pod.Name)
	}
	return names
}

// lacksCondition says that a pod is not told to wait; empty: it is.
func (f *faulty) lacksCondition(t *testing.T, name string) string {
	t.Helper()
	pod, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		return err.Error()
	}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse && c.Message != "" {
			return ""
		}
	}
	return fmt.Sprintf("pod %s has no condition: %+v", name, pod.Status.Conditions)
}

// All watches end, and what happens meanwhile is known to no watch that begins later: it is too old for the API server.
func (f *faulty) gap(t *testing.T, r *replica) {
	const pods = 40
	f.create(t, "before", schedulerName, pods)
	f.await(t, "before", pods)
	f.inject(func(r *http.Request) clustertest.Fault { return clustertest.Fault{Drop: clustertest.IsWatch(r)} })
	f.proxy.EndWatches()
	f.create(t, "meanwhile", schedulerName, pods)
	now := int64(0)
	for i := range pods / 2 {
		if err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Delete(t.Context(), fmt.Sprint("before-", i), metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(r.asks()); n != pods {
		t.Fatalf("the scheduler has %d pods, though it has no watch", n)
	}
	var mu sync.Mutex
	gone := map[string]bool{}
	f.inject(func(r *http.Request) clustertest.Fault {
		mu.Lock()
		defer mu.Unlock()
		query := r.URL.Query()
		if clustertest.IsWatch(r) && query.Get("resourceVersion") != "" && query.Get("sendInitialEvents") == "" && !gone[r.URL.Path] {
			gone[r.URL.Path] = true
			return clustertest.Fault{Status: http.StatusGone}
		}
		return clustertest.Fault{}
	})
	f.await(t, "meanwhile", pods)
	f.once(t, "meanwhile", pods)
	mu.Lock()
	defer mu.Unlock()
	for _, path := range []string{"/api/v1/pods", "/api/v1/nodes"} {
		if !gone[path] {
			t.Errorf("no watch of %s was refused with 410", path)
		}
	}
}

// Of 200 pods, some are deleted just before their binding arrives, and some just after it was taken.
func (f *faulty) deletedPods(t *testing.T, _ *replica) {
	const pods = 200
	random, mu, now := rand.New(rand.NewPCG(3, 4)), sync.Mutex{}, int64(0)
	fate, deleted := map[string]int{}, map[string]bool{}
	var later sync.WaitGroup
	remove := func(pod string) {
		if err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Delete(t.Context(), pod, metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
			t.Error(err)
		}
	}
	f.inject(func(r *http.Request) clustertest.Fault {
		b, binds := bindingOf(r)
		if !binds {
			return clustertest.Fault{}
		}
		mu.Lock()
		if _, again := fate[b.pod]; again {
			mu.Unlock()
			return clustertest.Fault{}
		}
		choice := random.IntN(3)
		fate[b.pod], deleted[b.pod] = choice, choice > 0
		mu.Unlock()
		switch choice {
		case 1:
			remove(b.pod)
		case 2:
			later.Go(func() { remove(b.pod) })
		}
		return clustertest.Fault{}
	})
	f.create(t, "race", schedulerName, pods)
	untilWithin(t, recovery, func() string {
		mu.Lock()
		defer mu.Unlock()
		left := 0
		for pod := range fate {
			if !deleted[pod] {
				left++
			}
		}
		if n := f.assigned("race"); len(fate) < pods || n != left {
			return fmt.Sprintf("%d of %d pods have been bound or deleted; %d are bound, expected %d", len(fate), pods, n, left)
		}
		return ""
	})
	later.Wait()
	t.Logf("%d of %d pods were deleted around their binding", len(deleted)-f.assigned("race"), pods)
}

// A node goes with bindings to it under way, and comes again: the pods that were bound to it nevertheless hold its room.
func (f *faulty) deletedNode(t *testing.T, r *replica) {
	const pods, fit = 30, 16 // of 500 millicores, on 8 cores
	if err := f.AddNodes(t.Context(), "doomed", 1, capacity); err != nil {
		t.Fatal(err)
	}
	there, release := f.hold(t, 8)
	for i := range pods {
		pod := waiting(fmt.Sprint("doomed-", i), "doomed", 500)
		pod.Spec.NodeSelector = map[string]string{corev1.LabelHostname: "doomed-0"}
		if _, err := f.client.CoreV1().Pods(metav1.NamespaceDefault).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	await.Value(t, there, "eight bindings")
	if err := f.client.CoreV1().Nodes().Delete(t.Context(), "doomed-0", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	untilWithin(t, recovery, func() string { // the scheduler knows
		for _, node := range r.asks() {
			if node == "doomed-0" {
				return "the scheduler has pods on the deleted node"
			}
		}
		return ""
	})
	release()
	if err := f.AddNodes(t.Context(), "doomed", 1, capacity); err != nil {
		t.Fatal(err)
	}
	untilWithin(t, recovery, func() string {
		if n := f.assigned("doomed"); n != fit {
			return fmt.Sprintf("%d pods are on the node, expected %d", n, fit)
		}
		return ""
	})
	f.settled(t, r)
	if err := f.client.CoreV1().Nodes().Delete(t.Context(), "doomed-0", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// No kubelet is heard of for so long that the node controller calls all nodes unreachable. It evicts nothing then. What is created meanwhile is bound
// once nodes are heard of again.
func (f *faulty) silent(t *testing.T, r *replica) {
	const pods = 40
	f.create(t, "heard", schedulerName, pods)
	f.await(t, "heard", pods)
	if err := f.Kwok.Pause(); err != nil {
		t.Fatal(err)
	}
	untilWithin(t, recovery, func() string {
		if lost, all := f.tainted(), len(f.nodes.List()); lost < all {
			return fmt.Sprintf("%d of %d nodes are tainted", lost, all)
		}
		return ""
	})
	f.create(t, "unheard", schedulerName, pods)
	untilWithin(t, recovery, func() string { return f.lacksCondition(t, "unheard-1") })
	if n := f.assigned("unheard"); n > 0 {
		t.Errorf("%d pods were bound to nodes that are not heard of", n)
	}
	if err := f.Kwok.Resume(); err != nil {
		t.Fatal(err)
	}
	f.await(t, "unheard", pods)
	f.once(t, "unheard", pods)
	f.once(t, "heard", pods)
}

// longestRecovery is how long after a restart of the API server pods are bound again, on a machine that has much else to do. Informers left to
// themselves take up to a minute.
const longestRecovery = 20 * time.Second

func (f *faulty) killed(t *testing.T, r *replica) {
	const pods = 100
	both := []*clustertest.Process{f.APIServer, f.Etcd}
	for round, which := range [][]*clustertest.Process{both, both, {f.Etcd}, {f.APIServer}} {
		prefix := fmt.Sprint("kill", round)
		there, release := f.hold(t, 30)
		f.create(t, prefix, schedulerName, pods)
		await.Value(t, there, "30 bindings")
		for _, process := range which {
			if err := process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		for _, process := range slices.Backward(which) {
			if err := process.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		release()
		f.await(t, prefix, pods)
		took := time.Since(began)
		t.Logf("round %d: all pods are bound %v after the restart", round, took)
		if took > longestRecovery {
			t.Errorf("round %d: it took %v, expected %v at most", round, took, longestRecovery)
		}
		f.settled(t, r)
		f.onceAsFarAsHeard(t, prefix, pods)
	}
}
