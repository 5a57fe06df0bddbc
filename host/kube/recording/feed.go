package recording

import (
	"context"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/quern-project/quern/host/kube/translate"
)

// unended selects the pods that have not ended. A watch with this selector reports a pod as deleted when it ends, and omits its last versions.
var unended = fields.AndSelectors(
	fields.OneTermNotEqualSelector("status.phase", string(corev1.PodSucceeded)),
	fields.OneTermNotEqualSelector("status.phase", string(corev1.PodFailed)),
).String()

// podFeed takes the versions of pods, which are stripped, from a reflector. Pods are most of what changes in a cluster, so that they do without an informer, which
// would keep each a second time and wake several goroutines for each version.
type podFeed struct {
	*Recorder
	listed atomic.Bool // the story has all that was there at the beginning
}

// follow lists and watches pods until the context ends.
func (f *podFeed) follow(ctx context.Context) {
	source := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			o.FieldSelector = unended
			list, err := f.pods.List(ctx, o)
			return list, f.reported(ctx, err)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.FieldSelector = unended
			w, err := f.pods.Watch(ctx, o)
			return w, f.reported(ctx, err)
		},
	}
	reflector := cache.NewReflectorWithOptions(cache.ToListWatcherWithWatchListSemantics(source, f.client), &corev1.Pod{}, f, cache.ReflectorOptions{Name: "pods"})
	reflector.RunWithContext(klog.NewContext(ctx, klog.Logger{})) // its errors are reported above
}

// reported logs an error of the API server, and returns it. The reflector tries again.
func (f *podFeed) reported(ctx context.Context, err error) error {
	if err != nil {
		f.unreachable(ctx, nil, err)
	}
	return err
}

// Add implements cache.ReflectorStore.
func (f *podFeed) Add(object any) error { return f.one(object, false) }

// Update implements cache.ReflectorStore.
func (f *podFeed) Update(object any) error { return f.one(object, false) }

// Delete implements cache.ReflectorStore.
func (f *podFeed) Delete(object any) error { return f.one(object, true) }

// Resync implements cache.ReflectorStore.
func (*podFeed) Resync() error { return nil }

func (f *podFeed) one(object any, deleted bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.parts.advance()
	f.version(object.(*corev1.Pod), deleted)
	f.check()
	return nil
}

// version takes a version of a pod. The mutex is held.
func (f *podFeed) version(p *corev1.Pod, deleted bool) {
	key := translate.Key(p)
	if deleted {
		p = nil
	}
	f.story.pod(key, p)
}

// Replace implements cache.ReflectorStore: these are all pods that there are.
func (f *podFeed) Replace(list []any, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.parts.advance()
	there := make(map[string]bool, len(list))
	for _, object := range list {
		there[translate.Key(object.(*corev1.Pod))] = true
	}
	for _, key := range f.story.absent(there) {
		f.story.pod(key, nil)
	}
	for _, object := range list {
		f.version(object.(*corev1.Pod), false)
	}
	f.check()
	f.listed.Store(true)
	return nil
}
