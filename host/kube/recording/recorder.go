package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/core/config"
)

// DefaultQueues is the queue configuration of a history unless Options name another: an application is in the queue that its pods name,
// or else in that of its namespace, below the parent that the namespace names.
const DefaultQueues = `partitions:
- name: default
  placementrules:
  - {name: provided, create: true}
  - {name: tag, value: namespace, create: true, parent: {name: tag, value: namespace.parentqueue, create: true}}
  - {name: tag, value: namespace, create: true}
  queues:
  - name: root
    queues: [{name: default}]
`

// Options say what is recorded, and where it goes.
type Options struct {
	// Cluster is how the API server is reached. The recorder lists and watches nodes, pods, namespaces and priority classes.
	Cluster *rest.Config
	// Create makes the file of a part, which begins at a time. It must not return an existing one.
	Create func(began time.Time) (io.WriteCloser, error)

	Schedulers []string      // whose pods are recorded. Pods of others occupy their nodes. Empty: those of every scheduler
	Queues     string        // the configuration that each part begins with, in YAML; empty: DefaultQueues
	MostBytes  int64         // after which another part begins; 0: any number
	MostTime   time.Duration // likewise; 0: any time
	Log        *slog.Logger
}

// Recorder writes the history of a cluster. Run is called once.
type Recorder struct {
	o      Options
	client kubernetes.Interface
	pods   *podSource

	mu    sync.Mutex // the handlers of informers run at the same time
	story *story
	parts parts
	// failed ends Run once a part cannot be written.
	failed context.CancelCauseFunc
}

// New makes a recorder. The error says that the options cannot be used.
func New(o Options) (*Recorder, error) {
	if o.Queues == "" {
		o.Queues = DefaultQueues
	}
	if _, err := config.Decode([]byte(o.Queues), config.Options{File: "queues of the history", Format: config.YAML}); err != nil {
		return nil, err
	}
	cluster := rest.CopyConfig(o.Cluster)
	cluster.Dial = gathered(cluster.Dial)
	cluster.NextProtos = []string{"http/1.1"} // each frame of HTTP/2 passes several goroutines
	cluster.AcceptContentTypes, cluster.ContentType = runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON, runtime.ContentTypeProtobuf
	client, err := kubernetes.NewForConfig(cluster)
	if err != nil {
		return nil, fmt.Errorf("client of the cluster: %w", err)
	}
	pods, err := newPodSource(cluster, o.Schedulers)
	if err != nil {
		return nil, fmt.Errorf("client of the cluster: %w", err)
	}
	return newRecorder(o, client, pods, steadyClock()), nil
}

func newRecorder(o Options, client kubernetes.Interface, pods *podSource, clock func() time.Time) *Recorder {
	return &Recorder{o: o, client: client, pods: pods, parts: parts{create: o.Create, clock: clock}}
}

// steadyClock is the time since now by a clock that is never set, so that a jump of the wall clock does not distort durations.
func steadyClock() func() time.Time {
	begin := time.Now()
	return func() time.Time { return begin.Add(time.Since(begin)) }
}

// flushPeriod is how long an input may wait in memory, and how often the bounds of a part are looked at.
const flushPeriod = time.Second

// Run records until the context ends, and then completes the part. The error says that a part cannot be written. While the API server
// cannot be reached, Run waits for it, and logs that.
func (r *Recorder) Run(ctx context.Context) error {
	ctx, r.failed = context.WithCancelCause(ctx)
	defer r.failed(nil)
	factory := informers.NewSharedInformerFactoryWithOptions(r.client, 0, informers.WithTransform(strip(r.o.Schedulers)))
	r.story = newStory(r.o.Schedulers, lookupIn(factory), r.parts.input)
	synced, err := r.watch(factory)
	if err != nil {
		return err
	}
	pods := &podFeed{Recorder: r}
	synced = append(synced, pods.listed.Load)
	factory.StartWithContext(ctx)
	var following sync.WaitGroup
	following.Go(func() { pods.follow(ctx) })
	defer following.Wait()
	defer factory.Shutdown()
	defer r.failed(nil) // ends what is waited for
	if cache.WaitForCacheSync(ctx.Done(), synced...) {
		r.begin()
		r.keep(ctx)
	}
	return r.end()
}

// watch registers handlers, and returns functions that report whether they have received all objects of the first list.
func (r *Recorder) watch(factory informers.SharedInformerFactory) ([]cache.InformerSynced, error) {
	all := []struct {
		informer cache.SharedIndexInformer
		take     func(key string, object any)
	}{
		{factory.Core().V1().Nodes().Informer(), func(key string, object any) {
			n, _ := object.(*corev1.Node) // nil: it is deleted
			r.story.node(key, n)
		}},
		{factory.Core().V1().Namespaces().Informer(), nil},
		{factory.Scheduling().V1().PriorityClasses().Informer(), nil},
	}
	var synced []cache.InformerSynced
	for _, w := range all {
		if err := w.informer.SetWatchErrorHandlerWithContext(r.unreachable); err != nil {
			return nil, err
		}
		if w.take == nil {
			synced = append(synced, w.informer.HasSynced)
			continue
		}
		registered, err := w.informer.AddEventHandler(r.handler(w.take))
		if err != nil {
			return nil, err
		}
		synced = append(synced, registered.HasSynced)
	}
	return synced, nil
}

// unreachable logs that the API server ends a watch, or does not answer. The informer tries again.
func (r *Recorder) unreachable(ctx context.Context, _ *cache.Reflector, err error) {
	if ctx.Err() == nil && !errors.Is(err, io.EOF) { // a watch that the server ends in good order
		r.o.Log.Warn("the cluster cannot be watched: trying again", "error", err)
	}
}

// handler hands versions of objects to take, nil for one that is deleted.
func (r *Recorder) handler(take func(key string, object any)) cache.ResourceEventHandler {
	locked := func(object any, deleted bool) {
		key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
		if err != nil {
			r.o.Log.Error("an object has no name", "error", err)
			return
		}
		if deleted {
			object = nil
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.parts.advance()
		take(key, object)
		r.check()
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { locked(object, false) },
		UpdateFunc: func(_, object any) { locked(object, false) },
		DeleteFunc: func(object any) { locked(object, true) },
	}
}

// check ends Run where writing has failed. The mutex is held.
func (r *Recorder) check() {
	if r.parts.err != nil {
		r.failed(r.parts.err)
	}
}

func (r *Recorder) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.part()
	r.o.Log.Info("the recording has begun", "nodes", len(r.story.nodes), "pods", len(r.story.pods))
}

// part ends the part, if there is one, and begins another. The mutex is held.
func (r *Recorder) part() {
	r.parts.advance()
	r.parts.close()
	if r.parts.err == nil {
		r.parts.open(r.o.Queues)
		r.story.begin()
	}
	r.check()
}

// keep flushes, and begins parts, until the context ends.
func (r *Recorder) keep(ctx context.Context) {
	tick := time.NewTicker(flushPeriod)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.look()
		}
	}
}

// look flushes, and begins another part where the present one has reached its bounds.
func (r *Recorder) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parts.advance()
	r.parts.flush()
	long := r.o.MostTime > 0 && r.parts.now.Sub(r.parts.began) >= r.o.MostTime
	if long || r.o.MostBytes > 0 && r.parts.count.n >= r.o.MostBytes {
		r.part()
	}
	r.check()
}

// end completes the last part, and logs what the history does not say.
func (r *Recorder) end() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parts.advance()
	r.parts.close()
	for _, plugin := range slices.Sorted(maps.Keys(r.story.unsaid)) {
		r.o.Log.Warn("a journal cannot express some demands of pods", "plugin", plugin, "pods", r.story.unsaid[plugin])
	}
	if r.story.problems > 0 {
		r.o.Log.Warn("labels or annotations cannot be read", "count", r.story.problems)
	}
	return r.parts.err
}

// lookupIn finds namespaces and priority classes among those that informers keep.
func lookupIn(factory informers.SharedInformerFactory) lookup {
	namespaces, classes := factory.Core().V1().Namespaces().Lister(), factory.Scheduling().V1().PriorityClasses().Lister()
	return lookup{
		namespace: func(name string) *corev1.Namespace {
			n, _ := namespaces.Get(name) // the only error is that there is none
			return n
		},
		class: func(name string) *schedulingv1.PriorityClass {
			c, _ := classes.Get(name) // as above
			return c
		},
	}
}
