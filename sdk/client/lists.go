package client

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// Queues gives all queues that a request selects, page by page.
func (c *Client) Queues(ctx context.Context, r *quernv1.ListQueuesRequest) iter.Seq2[*quernv1.Queue, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.Queue, bool, error) {
		p, err := c.scheduler.ListQueues(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetQueues(), r.PageToken != "", err
	})
}

// Nodes gives all nodes that a request selects, page by page.
func (c *Client) Nodes(ctx context.Context, r *quernv1.ListNodesRequest) iter.Seq2[*quernv1.Node, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.Node, bool, error) {
		p, err := c.scheduler.ListNodes(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetNodes(), r.PageToken != "", err
	})
}

// Apps gives all applications that a request selects, page by page.
func (c *Client) Apps(ctx context.Context, r *quernv1.ListAppsRequest) iter.Seq2[*quernv1.App, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.App, bool, error) {
		p, err := c.scheduler.ListApps(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetApps(), r.PageToken != "", err
	})
}

// Asks gives all asks that a request selects, page by page.
func (c *Client) Asks(ctx context.Context, r *quernv1.ListAsksRequest) iter.Seq2[*quernv1.Ask, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.Ask, bool, error) {
		p, err := c.scheduler.ListAsks(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetAsks(), r.PageToken != "", err
	})
}

// Gangs gives all atomic gangs that a request selects, page by page.
func (c *Client) Gangs(ctx context.Context, r *quernv1.ListGangsRequest) iter.Seq2[*quernv1.Gang, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.Gang, bool, error) {
		p, err := c.scheduler.ListGangs(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetGangs(), r.PageToken != "", err
	})
}

// Domains gives all domains of the topology that a request selects, page by page.
func (c *Client) Domains(ctx context.Context, r *quernv1.ListDomainsRequest) iter.Seq2[*quernv1.Domain, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.Domain, bool, error) {
		p, err := c.scheduler.ListDomains(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetDomains(), r.PageToken != "", err
	})
}

// Windows gives all windows that a request selects, page by page.
func (c *Client) Windows(ctx context.Context, r *quernv1.ListWindowsRequest) iter.Seq2[*quernv1.Window, error] {
	r = proto.CloneOf(r)
	return pages(func() ([]*quernv1.Window, bool, error) {
		p, err := c.scheduler.ListWindows(ctx, r)
		r.PageToken = p.GetNextPageToken()
		return p.GetWindows(), r.PageToken != "", err
	})
}

// pages goes through what next returns until there is no more.
func pages[T any](next func() (items []T, more bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for more := true; more; {
			var items []T
			var err error
			items, more, err = next()
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
