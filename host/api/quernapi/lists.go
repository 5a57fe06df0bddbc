package quernapi

import (
	"context"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/scheduler"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/auth"
	"github.com/quern-project/quern/host/objects"
	"github.com/quern-project/quern/host/report/explanation"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// paged is a request for a page.
type paged interface {
	GetPageSize() int32
	GetPageToken() string
}

// page reads a page and converts what is in it.
func page[S, M any](ctx context.Context, r paged, where core.Where, read func(context.Context, objects.Query) (objects.Page[S], error), message func(*S) M) (list []M, next string, err error) {
	q, err := queryOf(r, where)
	if err != nil {
		return nil, "", err
	}
	p, err := read(ctx, q)
	for i := range p.Items {
		list = append(list, message(&p.Items[i]))
	}
	return list, p.Continue, pageError(err, r)
}

// one converts an object. One that is not there is refused with how it ended, or with the names that are like it.
func one[S, M any](ctx context.Context, s *Service, thing core.ObjectKind, name string, read func(string) (S, bool), message func(*S) M) (m M, err error) {
	found, ok := read(name)
	if !ok {
		return m, s.notFound(ctx, thing, name)
	}
	return message(&found), nil
}

// kinds are the things that are read by name, as errors call them.
var kinds = map[core.ObjectKind]string{core.QueueKind: "queue", core.NodeKind: "node", core.AppKind: "application", core.AskKind: "ask"}

// notFound says that there is nothing of a name. The search for similar names takes as long as an explanation, and counts as one.
func (s *Service) notFound(ctx context.Context, thing core.ObjectKind, name string) error {
	p, v := grpcserver.NotFound(kinds[thing], name), s.server.View()
	var hint string
	if err := v.Explain(auth.FromContext(ctx).Client(), func(present *scheduler.Scheduler) {
		hint = explanation.Absent(present, v.Endings(), thing, name, true)
	}); err == nil {
		p.Detail += hint
	}
	return p
}

// GetQueue implements the service.
func (s *Service) GetQueue(ctx context.Context, r *quernv1.GetQueueRequest) (*quernv1.GetQueueResponse, error) {
	q, err := one(ctx, s, core.QueueKind, r.GetPath(), s.reader.Queue, queueOf)
	return &quernv1.GetQueueResponse{Queue: q}, err
}

// ListQueues implements the service.
func (s *Service) ListQueues(ctx context.Context, r *quernv1.ListQueuesRequest) (*quernv1.ListQueuesResponse, error) {
	list, next, err := page(ctx, r, core.Where{State: r.GetState()}, s.reader.Queues, queueOf)
	return &quernv1.ListQueuesResponse{Queues: list, NextPageToken: next}, err
}

// GetNode implements the service.
func (s *Service) GetNode(ctx context.Context, r *quernv1.GetNodeRequest) (*quernv1.GetNodeResponse, error) {
	n, err := one(ctx, s, core.NodeKind, r.GetId(), s.reader.Node, nodeOf)
	return &quernv1.GetNodeResponse{Node: n}, err
}

// ListNodes implements the service.
func (s *Service) ListNodes(ctx context.Context, r *quernv1.ListNodesRequest) (*quernv1.ListNodesResponse, error) {
	list, next, err := page(ctx, r, core.Where{Partition: r.GetPartition(), State: r.GetState()}, s.reader.Nodes, nodeOf)
	return &quernv1.ListNodesResponse{Nodes: list, NextPageToken: next}, err
}

// GetApp implements the service.
func (s *Service) GetApp(ctx context.Context, r *quernv1.GetAppRequest) (*quernv1.GetAppResponse, error) {
	a, err := one(ctx, s, core.AppKind, r.GetId(), s.reader.App, appOf)
	return &quernv1.GetAppResponse{App: a}, err
}

// ListApps implements the service.
func (s *Service) ListApps(ctx context.Context, r *quernv1.ListAppsRequest) (*quernv1.ListAppsResponse, error) {
	where := core.Where{Queue: r.GetQueue(), Node: r.GetNode(), State: r.GetState(), User: r.GetUser()}
	list, next, err := page(ctx, r, where, s.reader.Apps, appOf)
	return &quernv1.ListAppsResponse{Apps: list, NextPageToken: next}, err
}

// GetAsk implements the service.
func (s *Service) GetAsk(ctx context.Context, r *quernv1.GetAskRequest) (*quernv1.GetAskResponse, error) {
	k, err := one(ctx, s, core.AskKind, r.GetId(), s.reader.Ask, askOf)
	return &quernv1.GetAskResponse{Ask: k}, err
}

// ListAsks implements the service.
func (s *Service) ListAsks(ctx context.Context, r *quernv1.ListAsksRequest) (*quernv1.ListAsksResponse, error) {
	where := core.Where{Queue: r.GetQueue(), App: r.GetApp(), Gang: r.GetGang(), Node: r.GetNode(), State: r.GetState(), User: r.GetUser()}
	list, next, err := page(ctx, r, where, s.reader.Asks, askOf)
	return &quernv1.ListAsksResponse{Asks: list, NextPageToken: next}, err
}
