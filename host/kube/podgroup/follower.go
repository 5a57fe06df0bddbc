package podgroup

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/kube/served"
)

// Options of a follower. All but Composite and the last are needed.
type Options struct {
	Client    dynamic.Interface
	Composite bool // composite groups are followed, whose groups depend on one another, in place of groups of pods
	Discovery discovery.DiscoveryInterface
	Changed   func(key string) // a group came, went, or says something else to its pods; called by any goroutine
	Moved     func()           // Served returns something else than before
	Log       *slog.Logger
	Every     time.Duration // how often the API server is asked for its versions; 0: a minute
}

// Follower knows the pod groups that the API server has. Make one with New. Its methods may be called by any goroutine.
type Follower struct {
	o       Options
	current atomic.Pointer[source]
	gone    chan struct{} // has a value when the API server may have the version no longer that is followed
}

// source is where pod groups come from at a time.
type source struct {
	Served

	groups cache.Store // nil: there are none
	end    context.CancelFunc
}

// nowhere is a source without groups.
func nowhere(others []schema.GroupVersion) *source {
	return &source{Served: Served{Others: others}, end: func() {}}
}

// Served says which version of pod groups the API server has.
type Served struct {
	Version schema.GroupVersion   // that is followed; empty: it has none that is known
	Others  []schema.GroupVersion // that it has instead
}

// New makes a follower, which knows nothing yet.
func New(o Options) *Follower {
	if o.Every == 0 {
		o.Every = time.Minute
	}
	f := &Follower{o: o, gone: make(chan struct{}, 1)}
	f.current.Store(nowhere(nil))
	return f
}

// Served returns which version the API server has, as far as is known.
func (f *Follower) Served() Served { return f.current.Load().Served }

// Get returns a group by NAMESPACE/NAME; nil: it is not there.
func (f *Follower) Get(key string) *Group { return f.current.Load().get(key) }

// Follow reads the groups that the API server has now, and then calls Changed and Moved, in a goroutine, for what changes until the context ends. The error
// is the cause of a context that ended before all was read.
func (f *Follower) Follow(ctx context.Context) error {
	first, err := f.find(ctx)
	if err != nil {
		return err
	}
	f.current.Store(first)
	f.say(first)
	go f.keep(ctx)
	return nil
}

// keep looks for another version whenever the API server has not the one that is followed.
func (f *Follower) keep(ctx context.Context) {
	ticker := time.NewTicker(f.o.Every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-f.gone:
		case <-ctx.Done():
			return
		}
		if f.stands(ctx) {
			continue
		}
		if found, err := f.find(ctx); err == nil { // otherwise the context has ended
			f.move(found)
		}
	}
}

// stands reports whether the API server still has the version that is followed. Several servers of different releases may answer in turn while a control
// plane is upgraded: a version is gone when it was missed twice.
func (f *Follower) stands(ctx context.Context) bool {
	version := f.Served().Version
	if version.Empty() {
		return false
	}
	if has, err := f.has(ctx, version); has || err != nil {
		return true
	}
	if !retry.Wait(ctx, f.o.Every/12) { // 5 s of a minute
		return true
	}
	has, err := f.has(ctx, version)
	return has || err != nil
}

func (f *Follower) has(ctx context.Context, version schema.GroupVersion) (bool, error) {
	return served.Has(ctx, f.o.Discovery, version, f.resource(), f.o.Log)
}

// find looks for the versions that the API server has, and follows the first that is known. The error is the cause of a context that has ended.
func (f *Follower) find(ctx context.Context) (*source, error) {
	for _, version := range Known() {
		has, err := f.has(ctx, version)
		if err != nil {
			return nil, err
		}
		if has {
			return f.follow(ctx, version)
		}
	}
	others, err := f.others(ctx)
	if err != nil {
		return nil, err
	}
	return nowhere(others), nil
}

// others lists versions that the API server has and that are not known.
func (f *Follower) others(ctx context.Context) (list []schema.GroupVersion, err error) {
	versions, err := served.Versions(ctx, f.o.Discovery, apiGroup)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil { // only a warning depends on it
		f.o.Log.Warn("the API server does not list its APIs, so that versions of pod groups which this release does not know are not seen", "error", err)
		return f.Served().Others, nil
	}
	for _, version := range versions {
		if slices.Contains(Known(), version) {
			continue
		}
		has, err := f.has(ctx, version)
		if err != nil {
			return nil, err
		}
		if has {
			list = append(list, version)
		}
	}
	return list, nil
}

// move replaces the source. Get must answer from the new one before Changed is called: whoever asked in between asks again.
func (f *Follower) move(to *source) {
	from := f.current.Load()
	if to.Version.Empty() && from.Version.Empty() && slices.Equal(from.Others, to.Others) {
		return
	}
	f.current.Store(to)
	from.end()
	f.say(to)
	f.o.Moved()
	for key := range keys(from, to) {
		if !same(from.get(key), to.get(key)) {
			f.o.Changed(key)
		}
	}
}

// resource is the name of the groups that are followed.
func (f *Follower) resource() string {
	if f.o.Composite {
		return composites
	}
	return resource
}

// say writes to the log which version is followed, or why none is.
func (f *Follower) say(s *source) {
	switch {
	case f.o.Composite && !s.Version.Empty():
		f.o.Log.Info("composite pod groups are followed", "api", s.Version)
	case f.o.Composite && len(s.Others) == 0: // few API servers have them, and no pod needs them
	case f.o.Composite:
		f.o.Log.Error("pods of composite pod groups will not be scheduled, since this release does not know the versions that the API server has", "known", Known(), "served", s.Others)
	case !s.Version.Empty():
		f.o.Log.Info("pod groups are followed", "api", s.Version)
	case len(s.Others) > 0:
		f.o.Log.Error("pods of pod groups will not be scheduled, since this release does not know the versions of pod groups that the API server has; "+
			"upgrade quern, or have the API server serve a version that is known", "known", Known(), "served", s.Others)
	default:
		f.o.Log.Info("the API server has no pod groups", "known", Known())
	}
}

// follow starts an informer of a version, and waits until it has read the groups.
func (f *Follower) follow(ctx context.Context, version schema.GroupVersion) (*source, error) {
	informer := f.informer(version)
	until, end := context.WithCancel(ctx)
	go informer.RunWithContext(until)
	if !cache.WaitForCacheSync(until.Done(), informer.HasSynced) {
		end()
		return nil, context.Cause(ctx)
	}
	return &source{Served{Version: version}, informer.GetStore(), end}, nil
}
