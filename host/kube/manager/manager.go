package manager

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/clock"
	"github.com/quern-project/quern/host/kube/leader"
	"github.com/quern-project/quern/host/kube/podgroup"
	"github.com/quern-project/quern/host/kube/podwrite"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
)

// Filters decide what depends on other pods, volumes or devices. One goroutine calls Name, Node, Pod and Forget, in the order of the inputs; the other
// methods may be called concurrently.
type Filters interface {
	Name(pod *corev1.Pod) string                        // of the predicate for pods like this one
	Node(old, current *corev1.Node)                     // nil: it is not there
	Pod(old, current *corev1.Pod)                       // nil: it is not there
	Selected() uint64                                   // grows when pods may have other names than before
	Forget(pod *corev1.Pod)                             // the pod needs its predicate no more
	Reserve(context.Context, *corev1.Pod, string) error // before anything else is done for a binding
	PreBind(context.Context, *corev1.Pod, string) error
	Unreserve(pod *corev1.Pod, node string) // after the binding has failed
}

// Options of a manager.
type Options struct {
	Config      *rest.Config                    // of the API server; clients without limits of their own are made of it
	Client      kubernetes.Interface            // that writes and reads single pods; nil: one is made of Config
	Informers   informers.SharedInformerFactory // not yet started; Sync starts it
	Settings    translate.Settings
	Filters     Filters       // nil: pods that need one wait, and their conditions say so
	LoneMembers bool          // pods of pod groups are scheduled one by one where the API server has no pod groups that are known; else they wait
	Binds       int           // at a time; 0: 64
	Fence       leader.Fence  // of bindings and preemptions; nil: this process is the only one
	Instance    string        // that events name, such as the name of the host; empty: quern
	groups      time.Duration // how often the API server is asked for its versions of pod groups; 0: a minute
	overdue     time.Duration // how long after its grace a deleted pod is awaited; 0: 30 s
	Log         *slog.Logger
}

// Manager has a scheduler schedule pods. Make one with New.
type Manager struct {
	o       Options
	cluster cluster
	inbox   *inbox
	groups  *podgroup.Follower
	outer   *podgroup.Follower // of composite groups
	binder  podwrite.Binder
	status  podwrite.Status
	ofGroup podwrite.Groups
	turned  atomic.Int64 // when the loop of Run has turned last, by the clock elapsed; 0: it does not run
}

// defaultBinds is how many bindings are under way at a time: the API server needs no more to be busy.
const defaultBinds = 64

// New makes a manager, and registers with the informers.
func New(o Options) (*Manager, error) {
	if len(o.Settings.Schedulers) == 0 {
		return nil, errors.New("manager: expected the name of a scheduler in the settings, found none")
	}
	if o.Config == nil {
		return nil, errors.New("manager: expected the configuration of a client of the API server, found none")
	}
	unlimited := rest.CopyConfig(o.Config)
	unlimited.QPS = -1
	if o.Client == nil {
		binary := rest.CopyConfig(unlimited)
		binary.ContentType = runtime.ContentTypeProtobuf
		var err error
		if o.Client, err = kubernetes.NewForConfig(binary); err != nil {
			return nil, fmt.Errorf("manager: %w", err)
		}
	}
	if o.Binds <= 0 {
		o.Binds = defaultBinds
	}
	if o.overdue == 0 {
		o.overdue = overdue
	}
	if o.Instance == "" {
		o.Instance = "quern"
	}
	if o.Fence == nil {
		o.Fence = leader.Unfenced
	}
	m := &Manager{o: o, inbox: newInbox(), binder: podwrite.Binder{Client: o.Client, Fence: o.Fence}}
	retry.Reads(unlimited, o.Log) // as for the informers of the caller
	groups, err := dynamic.NewForConfig(unlimited)
	if err != nil {
		return nil, fmt.Errorf("manager: %w", err)
	}
	m.ofGroup = podwrite.Groups{Client: groups, Fence: o.Fence}
	m.groups = podgroup.New(podgroup.Options{Client: groups, Discovery: o.Client.Discovery(), Changed: m.inbox.group, Moved: m.inbox.groupsMoved, Log: o.Log, Every: o.groups})
	m.outer = podgroup.New(podgroup.Options{Client: groups, Composite: true, Discovery: o.Client.Discovery(), Changed: m.inbox.composite, Moved: m.inbox.groupsMoved, Log: o.Log, Every: o.groups})
	m.status = podwrite.Status{Client: o.Client, Fence: o.Fence, Controller: o.Settings.Schedulers[0], Instance: o.Instance, Now: time.Now}
	return m, m.follow()
}

// cluster is the objects that the API server has, as the informers have them.
type cluster struct {
	pods, nodes, namespaces, classes, budgets cache.Indexer
	groups, composites                        *podgroup.Follower
	jobs, sets                                cache.Indexer // Jobs and StatefulSets
	deviceClasses                             cache.Indexer // device classes; nil: without filters no pod gets devices
	synced                                    []cache.InformerSynced
}

// onNode is the index of pods by their nodes.
const onNode = "quern-node"

func podsByNode(o any) ([]string, error) {
	if pod, ok := o.(*corev1.Pod); ok && pod.Spec.NodeName != "" {
		return []string{pod.Spec.NodeName}, nil
	}
	return nil, nil
}

// ofOwner is the index of pods by the UIDs of their controllers.
const ofOwner = "quern-owner"

func podsByOwner(o any) ([]string, error) {
	if pod, ok := o.(*corev1.Pod); ok {
		if owner := metav1.GetControllerOf(pod); owner != nil {
			return []string{string(owner.UID)}, nil
		}
	}
	return nil, nil
}

// follow has the informers put the names of what changes into the inbox.
func (m *Manager) follow() error {
	core := m.o.Informers.Core().V1()
	pods, nodes, namespaces := core.Pods().Informer(), core.Nodes().Informer(), core.Namespaces().Informer()
	classes, budgets := m.o.Informers.Scheduling().V1().PriorityClasses().Informer(), m.o.Informers.Policy().V1().PodDisruptionBudgets().Informer()
	if err := pods.AddIndexers(cache.Indexers{onNode: podsByNode, ofOwner: podsByOwner}); err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	m.cluster = cluster{groups: m.groups, composites: m.outer, pods: pods.GetIndexer(), nodes: nodes.GetIndexer(), namespaces: namespaces.GetIndexer(), classes: classes.GetIndexer(), budgets: budgets.GetIndexer()}
	for _, follow := range []struct {
		informer cache.SharedIndexInformer
		note     func(key string)
		same     func(old, current metav1.Object) bool // nil: never
	}{
		{pods, m.inbox.pod, nil}, {nodes, m.inbox.node, nil}, {budgets, m.inbox.budget, nil},
		{namespaces, m.inbox.namespace, sameMetadata}, {classes, m.inbox.class, sameMetadata},
	} {
		if err := m.watch(follow.informer, follow.note, follow.same); err != nil {
			return err
		}
	}
	if err := m.followOwners(); err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	if m.o.Filters == nil {
		return nil
	}
	devices := m.o.Informers.Resource().V1().DeviceClasses().Informer()
	m.cluster.deviceClasses = devices.GetIndexer()
	return m.watch(devices, m.inbox.device, nil)
}

// watch passes the names of changed objects of an informer to note, unless same finds the two versions equal.
func (m *Manager) watch(informer cache.SharedIndexInformer, note func(key string), same func(old, current metav1.Object) bool) error {
	named := func(o any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(o); err == nil { // an informer has objects only
			note(key)
		}
	}
	deleted := func(o any) {
		if pod, is := o.(*corev1.Pod); is && translate.Succeeded(pod) { // its last version is not seen otherwise
			m.inbox.podDone(translate.Key(pod), pod.UID)
		}
		named(o)
	}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: named, DeleteFunc: deleted, UpdateFunc: func(old, current any) {
			if same == nil || !same(old.(metav1.Object), current.(metav1.Object)) {
				named(current)
			}
		},
	})
	if err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	m.cluster.synced = append(m.cluster.synced, registration.HasSynced)
	return nil
}

// sameMetadata reports whether two versions of an object say the same to pods: by labels and annotations.
func sameMetadata(old, current metav1.Object) bool {
	return maps.Equal(old.GetLabels(), current.GetLabels()) && maps.Equal(old.GetAnnotations(), current.GetAnnotations())
}

// Sync starts the informers and waits until they have what the API server has.
func (m *Manager) Sync(ctx context.Context) error {
	if err := errors.Join(m.checkDevices(ctx), m.groups.Follow(ctx), m.outer.Follow(ctx)); err != nil {
		return fmt.Errorf("manager: %w", err)
	}
	m.o.Informers.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), m.cluster.synced...) {
		return fmt.Errorf("manager: the objects of the API server could not be read in time: %w", context.Cause(ctx))
	}
	return nil
}

// Run has a scheduler schedule until the context ends, which is no error. It is called while this replica leads, after Sync; one call at a
// time, each with a server that gets nodes and applications from no other client.
func (m *Manager) Run(ctx context.Context, live *server.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	r := newRun(ctx, m, live)
	m.turns()
	defer m.turned.Store(0)
	defer r.end()
	defer cancel()
	err := r.begin()
	if err == nil {
		err = r.loop()
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// stuck is how long the loop of Run may take for one turn. It turns four times a second where nothing is to be done.
const stuck = 2 * time.Minute

func (m *Manager) turns() { m.turned.Store(int64(clock.Now())) }

// Alive says how long Run has done nothing; nil: it goes on, or is not called. It may be called concurrently.
func (m *Manager) Alive() error {
	turned := m.turned.Load()
	if idle := clock.Now() - time.Duration(turned); turned != 0 && idle > stuck {
		return fmt.Errorf("manager: the cluster has not been looked at for %v", idle.Round(time.Second))
	}
	return nil
}

// namespace returns a namespace; nil: it is not known.
func (c *cluster) namespace(name string) *corev1.Namespace {
	return found[corev1.Namespace](c.namespaces, name)
}

// class returns a priority class; nil: it is not known.
func (c *cluster) class(name string) *schedulingv1.PriorityClass {
	return found[schedulingv1.PriorityClass](c.classes, name)
}

func (c *cluster) Pod(key string) *corev1.Pod    { return found[corev1.Pod](c.pods, key) }
func (c *cluster) node(name string) *corev1.Node { return found[corev1.Node](c.nodes, name) }

// podsOn returns the pods on a node.
func (c *cluster) podsOn(node string) []*corev1.Pod { return indexed[corev1.Pod](c.pods, onNode, node) }

// podsBy returns the pods that an owner controls.
func (c *cluster) podsBy(owner types.UID) []*corev1.Pod {
	return indexed[corev1.Pod](c.pods, ofOwner, string(owner))
}

// BudgetsIn returns the disruption budgets of a namespace.
func (c *cluster) BudgetsIn(namespace string) []*policyv1.PodDisruptionBudget {
	return indexed[policyv1.PodDisruptionBudget](c.budgets, cache.NamespaceIndex, namespace)
}

// PodsIn returns the pods of a namespace.
func (c *cluster) PodsIn(namespace string) []*corev1.Pod {
	return indexed[corev1.Pod](c.pods, cache.NamespaceIndex, namespace)
}

func indexed[T any](store cache.Indexer, index, value string) []*T {
	objects, err := store.ByIndex(index, value)
	if err != nil {
		panic(err) // the index was registered, or every informer has it
	}
	list := make([]*T, 0, len(objects))
	for _, o := range objects {
		list = append(list, o.(*T))
	}
	return list
}

func found[T any](store cache.Indexer, key string) *T {
	o, ok, err := store.GetByKey(key)
	if err != nil || !ok {
		return nil
	}
	return o.(*T)
}
