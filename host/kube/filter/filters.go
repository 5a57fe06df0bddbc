package filter

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/quern-project/quern/host/kube/translate"
)

// Options are what Filters are made with.
type Options struct {
	Client    kubernetes.Interface
	Config    *rest.Config                    // of the API server; may be nil
	Informers informers.SharedInformerFactory // not yet started
	Log       *slog.Logger                    // nil: nothing is logged
}

// Filters answers for the predicates of pods. Its methods may be called from several goroutines.
type Filters struct {
	framework framework.Framework
	synced    cache.InformerSynced
	log       klog.Logger
	stale     stale

	mu         sync.Mutex
	cluster    cluster
	classes    map[string]*class       // by predicate
	predicates map[string]string       // by the key of a pod
	reserved   map[string]*reservation // by the key of a pod
	sentences  sentences
	selected   selected
}

// New makes filters. It registers the informers that the plugins read, so the factory must be started afterwards, and its caches filled
// before a pod is judged. What runs in the background ends with the context.
func New(ctx context.Context, o Options) (*Filters, error) {
	f := &Filters{
		stale:      stale{bell: make(chan struct{}, 1)},
		classes:    map[string]*class{},
		predicates: map[string]string{},
		reserved:   map[string]*reservation{},
		log:        logr.Discard(),
		selected:   selected{keys: map[string]bool{}},
	}
	if o.Log != nil {
		f.log = logr.FromSlogHandler(o.Log.Handler())
	}
	f.cluster.begin(f.log, f.noteStale, f.came)
	var err error
	if f.framework, f.synced, err = newFramework(klog.NewContext(ctx, f.log), &o, &f.cluster); err != nil {
		return nil, fmt.Errorf("the scheduler plugins of Kubernetes: %w", err)
	}
	return f, f.watch(o.Informers)
}

// Synced reports whether the plugins have taken in what the informers had at first.
func (f *Filters) Synced() bool { return f.synced() }

// Node takes in that a node came (old is nil), has changed, or is gone (current is nil).
func (f *Filters) Node(old, current *corev1.Node) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if current != nil {
		f.cluster.setNode(current)
	} else if old != nil {
		f.cluster.removeNode(old.Name)
	}
}

// Pod takes in that a pod of any scheduler came (old is nil), has changed, or is gone (current is nil).
func (f *Filters) Pod(old, current *corev1.Pod) {
	if old == nil && current == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if old != nil && (current == nil || old.UID != current.UID) {
		f.unreserve(translate.Key(old))
		f.cluster.setPod(translate.Key(old), nil)
	}
	if current != nil {
		f.selected.note(current)
		key := translate.Key(current)
		if current.Spec.NodeName != "" {
			delete(f.reserved, key) // what was kept for it is its own now
			f.forget(key)
		} else {
			f.refresh(key, old, current)
		}
		f.cluster.setPod(key, current)
	}
}
