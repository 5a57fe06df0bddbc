package quernapi_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestGangs_ByNameAndInPages(t *testing.T) {
	l := start(t)
	member := func(id, gang string, vcore int64) *quernv1.Input {
		in := ask(id, "a1", vcore)
		in.GetAskAdd().Gang = &quernv1.AtomicGang{Id: gang, Min: 2}
		return in
	}
	l.submit(node("n1", 4000), app("a1"), member("k1", "ring", 1000), member("k2", "ring", 1000), member("k3", "ring", 1000), member("k4", "star", 1000))
	g, err := l.GetGang(t.Context(), &quernv1.GetGangRequest{App: "a1", Id: "ring"})
	if ring := g.GetGang(); err != nil || ring.GetState() != "whole" || ring.GetSurplus() != 1 || len(ring.GetMembers()) != 3 || ring.GetMembers()[0].GetNode() != "n1" || ring.GetBrokenSince() != nil {
		t.Errorf("found %v (%v)", g, err)
	}
	first, err := l.ListGangs(t.Context(), &quernv1.ListGangsRequest{PageSize: 1})
	if err != nil || len(first.GetGangs()) != 1 || first.GetGangs()[0].GetId() != "ring" {
		t.Fatalf("found %v (%v)", first, err)
	}
	second, err := l.ListGangs(t.Context(), &quernv1.ListGangsRequest{PageSize: 1, PageToken: first.GetNextPageToken()})
	if err != nil || len(second.GetGangs()) != 1 || second.GetGangs()[0].GetReason() != "gang-incomplete" || second.GetNextPageToken() != "" {
		t.Errorf("found %v (%v)", second, err)
	}
	if waiting, err := l.ListGangs(t.Context(), &quernv1.ListGangsRequest{State: "waiting", App: "a1"}); err != nil || len(waiting.GetGangs()) != 1 {
		t.Errorf("found %v (%v)", waiting, err)
	}
	if members, err := l.ListAsks(t.Context(), &quernv1.ListAsksRequest{Gang: "star"}); err != nil || len(members.GetAsks()) != 1 || members.GetAsks()[0].GetGang() != "star" {
		t.Errorf("found %v (%v)", members, err)
	}
	for _, r := range []*quernv1.GetGangRequest{{App: "a1", Id: "none"}, {App: "none", Id: "ring"}} {
		if _, err := l.GetGang(t.Context(), r); status.Code(err) != codes.NotFound {
			t.Errorf("%v: found %v", r, err)
		}
	}
	if _, err := l.ListGangs(t.Context(), &quernv1.ListGangsRequest{PageToken: "x"}); status.Code(err) != codes.InvalidArgument {
		t.Errorf("found %v", err)
	}
}

func TestDomains_InPagesWithAllLevels(t *testing.T) {
	l := start(t)
	const config = "partitions: [{name: default, topology: [{level: rack, attribute: r}], queues: [{name: root, queues: [{name: default}]}]}]"
	if _, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: config, IfMatch: "*"}); err != nil {
		t.Fatal(err)
	}
	one, two := node("n1", 1000), node("n2", 2000)
	one.GetNodeAdd().Attributes, two.GetNodeAdd().Attributes = map[string]string{"r": "r1"}, map[string]string{"r": "r2"}
	l.submit(one, two)
	first, err := l.ListDomains(t.Context(), &quernv1.ListDomainsRequest{PageSize: 1})
	if err != nil || len(first.GetLevels()) != 1 || len(first.GetDomains()) != 1 || first.GetDomains()[0].GetFree().GetAmounts()["vcore"] != 1000 {
		t.Fatalf("found %v (%v)", first, err)
	}
	second, err := l.ListDomains(t.Context(), &quernv1.ListDomainsRequest{Level: "rack", PageToken: first.GetNextPageToken()})
	if err != nil || len(second.GetDomains()) != 1 || second.GetDomains()[0].GetDomain() != "r2" {
		t.Errorf("found %v (%v)", second, err)
	}
	for _, r := range []*quernv1.ListDomainsRequest{{PageToken: "x"}, {PageSize: 2000}} {
		if _, err := l.ListDomains(t.Context(), r); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%v: found %v", r, err)
		}
	}
	if n, err := l.GetNode(t.Context(), &quernv1.GetNodeRequest{Id: "n2"}); err != nil || n.GetNode().GetDomain()["rack"] != "r2" {
		t.Errorf("found %v (%v)", n, err)
	}
}
