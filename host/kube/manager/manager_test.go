package manager

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	kuberesource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/rest"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/server"
	"github.com/quern-project/quern/host/store"
	"github.com/quern-project/quern/internal/await"
)

const schedulerName = "quern"

// rules put applications into the queue that they name, or into that of their namespace.
const rules = `
partitions:
- name: default
  placementrules:
  - {name: provided}
  - {name: tag, value: namespace, create: true}
  queues:
  - name: root
    queues:
    - {name: analytics}
    - {name: small, resources: {max: {vcore: "1"}}}
`

// replica is a scheduler that leads, with a manager.
type replica struct {
	*server.Server
	manager *Manager
	end     func()
}

func logTo(t testing.TB) *slog.Logger {
	if testing.Verbose() {
		return slog.New(consistent{slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}), t})
	}
	return slog.New(consistent{slog.DiscardHandler, t})
}

// consistent is a log that fails the test when a pod gets an event which its state does not allow.
type consistent struct {
	slog.Handler
	t testing.TB
}

func (c consistent) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError || c.Handler.Enabled(ctx, level)
}

func (c consistent) Handle(ctx context.Context, record slog.Record) error {
	if record.Message == impossible {
		record.Attrs(func(a slog.Attr) bool {
			c.t.Errorf("%s: %v", record.Message, a)
			return true
		})
	}
	if !c.Handler.Enabled(ctx, record.Level) {
		return nil
	}
	return c.Handler.Handle(ctx, record)
}

// start starts a replica on an empty record; it leads until the test ends, or end is called.
func start(t testing.TB, client connected, config string, changes ...func(*Options)) *replica {
	t.Helper()
	return startOn(t, store.NewMemory(), client, config, changes...)
}

func startOn(t testing.TB, disk store.Disk, client connected, config string, changes ...func(*Options)) *replica {
	t.Helper()
	o := Options{Config: client.config, Client: client, Informers: informers.NewSharedInformerFactory(client, 0), Settings: translate.Settings{Schedulers: []string{schedulerName}}, Log: logTo(t)}
	for _, change := range changes {
		change(&o)
	}
	r, stop := serve(t, disk, config, policiesOf(&o))
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	leading, step := context.WithCancel(context.Background())
	if err := m.Sync(leading); err != nil {
		t.Fatal(err)
	}
	awaitPlugins(leading, t, &o)
	managed := make(chan error, 1)
	go func() { managed <- m.Run(leading, r.Server) }()
	var asking sync.WaitGroup
	asking.Go(func() { askPlugins(leading, t, &o, r.Server) })
	r.manager = m
	r.end = sync.OnceFunc(func() {
		step()
		asking.Wait()
		if err := <-managed; err != nil {
			t.Error("the manager:", err)
		}
		o.Informers.Shutdown()
		stop()
	})
	t.Cleanup(r.end)
	return r
}

// serve starts a scheduler without a manager, on a record. It runs until it is stopped.
func serve(t testing.TB, disk store.Disk, config string, policies func(decides bool) server.Policies) (r *replica, stop func()) {
	t.Helper()
	record, opened, err := store.Open(disk, store.Options{SegmentSize: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	live, err := server.New(server.Options{Store: record, Found: opened, Clock: server.NewSystemClock(0), Log: logTo(t), Policies: policies})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- live.Run(ctx) }()
	r = &replica{Server: live}
	r.configure(t, config)
	return r, func() {
		cancel()
		if err := <-served; err != nil {
			t.Error("the server:", err)
		}
		if err := record.Close(); err != nil {
			t.Error(err)
		}
	}
}

func (r *replica) configure(t testing.TB, config string) {
	t.Helper()
	source := r.Source()
	defer source.Close()
	given, err := source.Submit(t.Context(), &server.Request{Inputs: []core.Input{{Event: &core.SetConfig{Config: config}}}})
	if err != nil || given.Refused {
		t.Fatal(err, given)
	}
}

// waiting is a pod that waits for this scheduler.
func waiting(name, app string, milli int64) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: map[string]string{"applicationId": app}}}
	pod.Spec.SchedulerName = schedulerName
	pod.Spec.Containers = []corev1.Container{{Name: "main", Image: "none"}}
	pod.Status.Phase = corev1.PodPending
	resize(pod, milli)
	return pod
}

func resize(pod *corev1.Pod, milli int64) {
	pod.Spec.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: *kuberesource.NewMilliQuantity(milli, kuberesource.DecimalSI)}
}

func worker(name string, milli int64) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelHostname: name}}}
	n.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: *kuberesource.NewMilliQuantity(milli, kuberesource.DecimalSI), corev1.ResourcePods: *kuberesource.NewQuantity(110, kuberesource.DecimalSI)}
	return n
}

// allocations are where the scheduler has pods, by their keys, and where it has them ask: an empty name.
func (r *replica) asks() map[string]string {
	list := map[string]string{}
	for k := range objects.Each(r.View(), (*scheduler.Scheduler).Asks, core.Where{}) {
		list[k.ID] = k.Node
	}
	return list
}

// allBound says whether all pods have a node and were bound once.
func (a *api) allBound(count int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.bound) != count {
		return fmt.Sprintf("%d of %d pods are bound", len(a.bound), count)
	}
	for uid, nodes := range a.bound {
		if len(nodes) != 1 {
			return fmt.Sprintf("%s was bound to %v", uid, nodes)
		}
	}
	return ""
}

// overCommitted names a node whose pods ask for more than it has.
func (a *api) overCommitted() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	used := map[string]int64{}
	for _, o := range a.objects["pods"] {
		if pod := o.(*corev1.Pod); pod.Spec.NodeName != "" && pod.Status.Phase != corev1.PodSucceeded {
			used[pod.Spec.NodeName] += pod.Spec.Containers[0].Resources.Requests.Cpu().MilliValue()
		}
	}
	for name, sum := range used {
		if n := a.objects["nodes"][name]; n != nil && sum > n.(*corev1.Node).Status.Allocatable.Cpu().MilliValue() {
			return fmt.Sprintf("node %s: %d millicores are in use", name, sum)
		}
	}
	return ""
}

func TestPodsAreBoundOnceWithinCapacity(t *testing.T) {
	a := newAPI(t)
	for i := range 100 {
		a.put("nodes", worker(fmt.Sprint("n", i), 5000))
	}
	r := start(t, a.client(t), rules)
	for i := range 1000 {
		a.put("pods", waiting(fmt.Sprint("p", i), fmt.Sprint("app", i%10), 500))
	}
	until(t, func() string { return a.allBound(1000) })
	if wrong := a.overCommitted(); wrong != "" {
		t.Error(wrong)
	}
	for key, node := range r.asks() {
		if pod := a.pod(key); pod == nil || pod.Spec.NodeName != node {
			t.Errorf("%s is allocated on %q", key, node)
		}
	}
}

// occupied is what pods of others take of a node, in millicores; false: the scheduler does not have the node.
func (r *replica) occupied(name string) (milli int64, ok bool) {
	r.View().Read(func(s *scheduler.Scheduler) {
		n, found := s.Node(name)
		milli, _ = n.Occupied.Value("vcore")
		ok = found
	})
	return milli, ok
}

// pause lets some things happen.
func pause(random *rand.Rand) { await.Pause(time.Duration(random.IntN(30)) * time.Millisecond) }

func TestARefusedBindingIsUndoneAndAskedForAgain(t *testing.T) {
	a := newAPI(t)
	a.put("nodes", worker("n1", 1000))
	refused := 0
	a.fault = func(r *http.Request) fault {
		if !strings.HasSuffix(r.URL.Path, "/binding") || refused == 3 {
			return fault{}
		}
		refused++
		return fault{status: http.StatusForbidden}
	}
	start(t, a.client(t), rules)
	a.putAll(waiting("p", "p", 1000))
	until(t, isBound(a, "default/p"))
	a.mu.Lock()
	defer a.mu.Unlock()
	if refused != 3 {
		t.Errorf("%d bindings were refused", refused)
	}
}

// A server that is away when the process starts must not keep it from ending: reads are repeated for as long as they may.
func TestWaitingForAServerThatIsAwayEnds(t *testing.T) {
	a := newAPI(t)
	config := &rest.Config{Host: a.http.URL}
	retry.Reads(config, logTo(t))
	client := connect(t, config)
	a.http.Close()
	m, err := New(Options{Config: config, Client: client, Informers: informers.NewSharedInformerFactory(client, 0), Settings: translate.Settings{Schedulers: []string{schedulerName}}, Log: logTo(t)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Sync(ctx) }()
	cancel()
	if err := await.Value(t, ended, "Sync to end with its context"); err == nil {
		t.Error("a server that is away is taken for read")
	}
}
