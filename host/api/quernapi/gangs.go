package quernapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/objects"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// GetGang implements the service.
func (s *Service) GetGang(ctx context.Context, r *quernv1.GetGangRequest) (*quernv1.GetGangResponse, error) {
	g, ok := s.reader.Gang(r.GetApp(), r.GetId())
	if ok {
		return &quernv1.GetGangResponse{Gang: gangOf(&g)}, nil
	}
	if _, there := s.reader.App(r.GetApp()); !there {
		return nil, s.notFound(ctx, core.AppKind, r.GetApp())
	}
	return nil, grpcserver.NotFound("gang of application "+r.GetApp(), r.GetId())
}

// ListGangs implements the service.
func (s *Service) ListGangs(ctx context.Context, r *quernv1.ListGangsRequest) (*quernv1.ListGangsResponse, error) {
	where := core.Where{Queue: r.GetQueue(), App: r.GetApp(), State: r.GetState(), User: r.GetUser()}
	list, next, err := page(ctx, r, where, s.reader.Gangs, gangOf)
	return &quernv1.ListGangsResponse{Gangs: list, NextPageToken: next}, err
}

// ListDomains implements the service.
func (s *Service) ListDomains(ctx context.Context, r *quernv1.ListDomainsRequest) (*quernv1.ListDomainsResponse, error) {
	q, err := queryOf(r, core.Where{Partition: r.GetPartition(), Level: r.GetLevel()})
	if err != nil {
		return nil, err
	}
	t, err := s.reader.Topology(ctx, q)
	if err != nil {
		return nil, pageError(err, r)
	}
	m := &quernv1.ListDomainsResponse{NextPageToken: t.Continue}
	for _, l := range t.Levels {
		m.Levels = append(m.Levels, &quernv1.TopologyLevel{Partition: l.Partition, Level: l.Level, Attribute: l.Attribute, Domains: int32(l.Domains)})
	}
	for i := range t.Items {
		m.Domains = append(m.Domains, domainOf(&t.Items[i]))
	}
	return m, nil
}

// queryOf reads the parameters of a page.
func queryOf(r paged, where core.Where) (q objects.Query, err error) {
	if n := r.GetPageSize(); n < 0 || n > objects.MostItems {
		return q, grpcserver.BadParameter("page_size", fmt.Sprintf("at most %d", objects.MostItems), fmt.Sprint(n))
	}
	return objects.Query{Limit: int(r.GetPageSize()), Continue: r.GetPageToken(), Where: where}, nil
}

// pageError names the parameter that has caused an error, if one has.
func pageError(err error, r paged) error {
	if errors.Is(err, objects.ErrContinue) {
		return grpcserver.BadParameter("page_token", "the token from a page", fmt.Sprintf("%q", r.GetPageToken()))
	}
	return err
}

func gangOf(g *objects.Gang) *quernv1.Gang {
	m := &quernv1.Gang{
		App: g.App, Id: g.Gang, Queue: g.Queue, User: g.User, State: g.State, Submitted: moment(g.Submitted), Min: int32(g.Min), Max: int32(g.Max),
		Needed: int32(g.Needed), Disruption: g.Disruption, Allocated: int32(g.Allocated), Leaving: int32(g.Leaving), Pending: int32(g.Pending),
		Succeeded: int32(g.Succeeded), Surplus: int32(g.Surplus), Reason: g.Reason, TimesOut: moment(g.TimesOut), BrokenSince: moment(g.BrokenSince),
		BrokenBy: g.BrokenBy, RepairEnds: moment(g.RepairEnds), Level: g.Level, Required: g.Required, Domain: g.Domain, SliceLevel: g.SliceLevel,
		SliceSize: int32(g.SliceSize), Set: g.Set, SetMin: int32(g.SetMin), SetWaits: g.SetWaits, Members: membersOf(g.Members), MoreMembers: int32(g.MoreMembers),
	}
	for _, x := range g.Slices {
		m.Slices = append(m.Slices, &quernv1.GangSlice{Slice: int32(x.Slice), Allocated: int32(x.Allocated), Domain: x.Domain})
	}
	if x := g.Held; x != nil {
		m.Held = &quernv1.HeldRoom{Since: moment(x.Since), Until: moment(x.Until), Members: membersOf(x.Members), More: int32(x.More)}
	}
	return m
}

func membersOf(list []objects.GangMember) (out []*quernv1.GangMember) {
	for _, m := range list {
		out = append(out, &quernv1.GangMember{Ask: m.Ask, State: m.State, Node: m.Node, Slice: int32(m.Slice)})
	}
	return out
}

func domainOf(d *objects.Domain) *quernv1.Domain {
	return &quernv1.Domain{
		Partition: d.Partition, Level: d.Level, Domain: d.Domain, Nodes: int32(d.Nodes), Schedulable: int32(d.Schedulable), Capacity: amounts(d.Capacity),
		Occupied: amounts(d.Occupied), Used: amounts(d.Used), Free: amounts(d.Free),
	}
}
