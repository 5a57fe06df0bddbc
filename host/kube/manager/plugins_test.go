package manager

import (
	"context"
	"testing"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/filter"
	"github.com/quern-project/quern/host/server"
)

// withPlugins has the plugins of Kubernetes judge pods, as the program has them.
func withPlugins(t testing.TB) func(*Options) {
	return func(o *Options) {
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		f, err := filter.New(ctx, filter.Options{Client: o.Client, Informers: o.Informers})
		if err != nil {
			t.Fatal(err)
		}
		o.Filters = f
	}
}

// policiesOf are those that answer for the plugins; nil: there are none.
func policiesOf(o *Options) func(decides bool) server.Policies {
	if f, ok := o.Filters.(*filter.Filters); ok {
		return f.Policies(func(bool) server.Policies { return noModules{} })
	}
	return nil
}

// noModules is for no policy modules.
type noModules struct{}

func (noModules) Options() core.Options { return core.Options{} }
func (noModules) Serve()                {}
func (noModules) SetTime(time.Duration) {}
func (noModules) Missing() error        { return nil }
func (noModules) Close()                {}

// awaitPlugins waits until the plugins know the cluster.
func awaitPlugins(ctx context.Context, t testing.TB, o *Options) {
	t.Helper()
	f, ok := o.Filters.(*filter.Filters)
	if !ok {
		return
	}
	for kind, synced := range o.Informers.WaitForCacheSync(ctx.Done()) {
		if !synced {
			t.Fatalf("the API server has not sent all of %v", kind)
		}
	}
	if !cache.WaitForCacheSync(ctx.Done(), f.Synced) {
		t.Fatal("the plugins do not know the cluster")
	}
}

// askPlugins has them asked again where they want to be, until the context ends.
func askPlugins(ctx context.Context, t testing.TB, o *Options, live *server.Server) {
	f, ok := o.Filters.(*filter.Filters)
	if !ok {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.Stale():
		}
		if err := live.AskAnew(ctx, f.TakeStale(), server.Actor{}); err != nil && ctx.Err() == nil {
			t.Error("asking plugins anew:", err)
			return
		}
	}
}
