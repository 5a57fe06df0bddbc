package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/quern-project/quern/host/kube/filter"
	"github.com/quern-project/quern/host/kube/leader"
	"github.com/quern-project/quern/host/kube/manager"
	"github.com/quern-project/quern/host/kube/retry"
	"github.com/quern-project/quern/host/kube/translate"
	"github.com/quern-project/quern/host/server"
)

// connection follows a cluster.
type connection struct {
	elector   *leader.Elector // nil: this process is the only one
	informers informers.SharedInformerFactory
	filters   *filter.Filters
	manager   *manager.Manager
	pod       *leaderPod      // of this replica; nil: it gets no label
	modules   <-chan struct{} // closed once modules of ConfigMaps are in their folder; nil: there are none
	health    *configEvents
	log       *slog.Logger
}

// follow begins to follow the cluster, so that a replica which waits for its turn knows what there is.
func (c *connection) follow(ctx context.Context, p *platform, config *rest.Config) error {
	binary := rest.CopyConfig(config)
	binary.ContentType = runtime.ContentTypeProtobuf
	binary.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	retry.Reads(binary, c.log)
	client, err := kubernetes.NewForConfig(binary)
	if err != nil {
		return err
	}
	c.informers = informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTransform(lean))
	if c.filters, err = filter.New(ctx, filter.Options{Client: client, Config: config, Informers: c.informers, Log: c.log}); err != nil {
		return err
	}
	if p.pod != "" {
		c.pod = &leaderPod{client: client, namespace: p.leaseNamespace(), name: p.pod, log: c.log}
		c.pod.mark(ctx, nil) // of an earlier process of the pod
	}
	fence := leader.Unfenced
	if c.elector != nil {
		fence = c.elector.Fence
	}
	c.manager, err = manager.New(manager.Options{
		Config: config, Client: client, Informers: c.informers, Filters: c.filters, Binds: p.binds, LoneMembers: p.groupless == ignoreGroups, Fence: fence, Log: c.log,
		Settings: translate.Settings{Schedulers: p.schedulers, Queue: p.queue},
	})
	return err
}

// lean leaves out the managed fields, which are not read here and make up a third of an object.
func lean(object any) (any, error) {
	if o, err := meta.Accessor(object); err == nil {
		o.SetManagedFields(nil)
	}
	return object, nil
}

// Lead implements servecmd.Connection.
func (c *connection) Lead(ctx context.Context, serve func(context.Context) error) error {
	if err := c.sync(ctx); err != nil {
		return over(ctx, err)
	}
	if own := serve; c.pod != nil {
		serve = func(ctx context.Context) error { return c.pod.lead(ctx, own) }
	}
	if c.elector == nil {
		return serve(ctx)
	}
	return over(ctx, c.elector.Run(ctx, serve))
}

// over is the error of a wait; nil: the wait was cancelled.
func over(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return nil
	}
	return err
}

// sync waits until all that is followed is known.
func (c *connection) sync(ctx context.Context) error {
	c.log.Info("reading the cluster")
	if err := c.manager.Sync(ctx); err != nil {
		return err
	}
	for kind, synced := range c.informers.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return errors.Join(fmt.Errorf("the API server has not sent all of %v", kind), context.Cause(ctx))
		}
	}
	if !cache.WaitForCacheSync(ctx.Done(), c.filters.Synced) {
		return fmt.Errorf("the plugins have not taken in what the API server has sent: %w", context.Cause(ctx))
	}
	if c.modules == nil {
		return nil
	}
	select {
	case <-c.modules:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Policies implements servecmd.Connection.
func (c *connection) Policies(each func(decides bool) server.Policies) func(decides bool) server.Policies {
	return c.filters.Policies(each)
}

// Drive implements servecmd.Connection.
func (c *connection) Drive(ctx context.Context, live *server.Server) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	told := make(chan struct{})
	go func() { c.health.run(ctx, live); close(told) }()
	defer func() { <-told }()
	asked := make(chan error, 1)
	go func() { asked <- c.askWhen(ctx, c.filters, live); cancel() }()
	err := c.manager.Run(ctx, live)
	cancel()
	return errors.Join(err, <-asked)
}

// askPause is how long changes gather before plugins are asked again; retryPause is the pause after the scheduler has refused to ask.
const (
	askPause   = 200 * time.Millisecond
	retryPause = time.Second
)

// askWhen has the plugins asked again after changes that are no inputs of the scheduler.
func (c *connection) askWhen(ctx context.Context, plugins plugins, live asker) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-plugins.Stale():
		}
		if !retry.Wait(ctx, askPause) {
			return nil
		}
		if err := c.askAnew(ctx, plugins.TakeStale(), live); err != nil {
			return err
		}
	}
}

// askAnew has predicates asked again, as soon as the scheduler accepts that.
func (c *connection) askAnew(ctx context.Context, wanted func(predicate string) bool, live asker) error {
	for {
		err := live.AskAnew(ctx, wanted, server.Actor{})
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if !errors.Is(err, server.ErrBusy) && !errors.Is(err, server.ErrStoreFailed) {
			return fmt.Errorf("plugins could not be asked again: %w", err)
		}
		c.log.Warn("plugins will be asked again later", "error", err)
		if !retry.Wait(ctx, retryPause) {
			return nil
		}
	}
}

// plugins is the part of filters that lists the predicates to ask again.
type plugins interface {
	Stale() <-chan struct{}
	TakeStale() (wanted func(predicate string) bool)
}

// asker is the part of a scheduler that asks predicates again. It is a server.Server.
type asker interface {
	AskAnew(ctx context.Context, wanted func(predicate string) bool, by server.Actor) error
}
