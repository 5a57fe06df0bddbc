package policymaps

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/observe/logging"
	"github.com/quern-project/quern/host/policy/source"
)

// Label is the label of the ConfigMaps that hold modules; its value is "true".
const Label = "quern/policy"

// Options say which ConfigMaps are watched.
type Options struct {
	Client    kubernetes.Interface // may list and watch ConfigMaps in the namespace
	Namespace string
	Dir       string // the folder of modules
	Log       *slog.Logger
}

// Source keeps the folder as the ConfigMaps say.
type Source struct {
	o      Options
	folder *source.Folder
	synced chan struct{}
}

// New makes a source. The error says that the folder cannot be used.
func New(o Options) (*Source, error) {
	folder, err := source.Open(o.Dir, "configmaps")
	if err != nil {
		return nil, err
	}
	return &Source{o: o, folder: folder, synced: make(chan struct{})}, nil
}

// Synced returns a channel that is closed once the folder has what the ConfigMaps had at the start, as far as it can be taken.
func (s *Source) Synced() <-chan struct{} { return s.synced }

// settle is for how long changes are collected: several ConfigMaps that change together change the folder once.
const settle = 100 * time.Millisecond

// retry is how often the folder is brought up to date although nothing has changed: it may have had no room.
const retry = time.Minute

// Run watches until the context ends. Errors are logged; a module that cannot be taken does not keep the others from it. While the API
// server cannot be reached, the folder stays as it is.
func (s *Source) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	factory := informers.NewSharedInformerFactoryWithOptions(s.o.Client, 0, informers.WithNamespace(s.o.Namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = Label + "=true" }))
	maps := factory.Core().V1().ConfigMaps()
	changed := make(chan struct{}, 1)
	tell := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	registered, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { tell() }, UpdateFunc: func(_, _ any) { tell() }, DeleteFunc: func(any) { tell() },
	})
	if err != nil {
		cancel()
		s.o.Log.Error("ConfigMaps cannot be watched", "error", err)
		return
	}
	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel() // ends the informer, for which Shutdown waits
	if !cache.WaitForCacheSync(ctx.Done(), registered.HasSynced) {
		return
	}
	s.follow(ctx, changed, maps.Lister())
}

// follow brings the folder up to date now, and whenever something has changed, until the context ends.
func (s *Source) follow(ctx context.Context, changed <-chan struct{}, lister listers.ConfigMapLister) {
	again := time.NewTicker(retry)
	defer again.Stop()
	var trouble logging.Trouble
	for first := true; ; first = false {
		list, err := lister.List(labels.Everything())
		trouble.Report(s.o.Log, errors.Join(err, s.take(list)), "policies of ConfigMaps cannot be taken", "policies of ConfigMaps can be taken again")
		if first {
			close(s.synced)
		}
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		case <-changed:
			time.Sleep(settle)
		}
	}
}

// take gives the folder the modules of ConfigMaps. Where two have one file, that of the older counts.
func (s *Source) take(list []*corev1.ConfigMap) error {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b *corev1.ConfigMap) int {
		if c := a.CreationTimestamp.Compare(b.CreationTimestamp.Time); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	files, from := source.Files{}, map[string]string{}
	var errs []error
	for _, m := range list {
		for name, content := range contents(m) {
			if other, taken := from[name]; taken {
				errs = append(errs, fmt.Errorf("ConfigMap %s/%s: %s: expected a name that the older ConfigMap %s does not have", m.Namespace, m.Name, name, other))
				continue
			}
			files[name], from[name] = content, m.Name
		}
	}
	return errors.Join(append(errs, s.folder.Sync(files))...)
}

// contents are the files of a ConfigMap.
func contents(m *corev1.ConfigMap) source.Files {
	files := make(source.Files, len(m.BinaryData)+len(m.Data))
	for name, content := range m.BinaryData {
		files[name] = slices.Concat([]byte{}, content) // not nil, even if empty: the folder would keep what it has
	}
	for name, text := range m.Data {
		files[name] = []byte(text)
	}
	return files
}
