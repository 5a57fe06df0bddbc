package quernapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

func TestStatesAreReadByNameAndInPages(t *testing.T) {
	l := start(t)
	inputs := []*quernv1.Input{node("n1", 250), app("a1"), app("a2")}
	inputs[1].GetAppAdd().User = "ann"
	var want []string
	for i := range 250 {
		id := fmt.Sprintf("k%03d", i)
		inputs, want = append(inputs, ask(id, "a1", 1)), append(want, id)
	}
	l.submit(append(inputs, ask("big", "a2", 1000))...)
	var found []string
	for token, pages := "", 0; pages == 0 || token != ""; pages++ {
		r, err := l.ListAsks(t.Context(), &quernv1.ListAsksRequest{PageToken: token, App: "a1", State: "allocated", User: "ann"})
		if err != nil || len(r.GetAsks()) > 100 {
			t.Fatalf("found %d asks, %v", len(r.GetAsks()), err)
		}
		for _, k := range r.GetAsks() {
			found = append(found, k.GetId())
		}
		token = r.GetNextPageToken()
	}
	if !slices.Equal(found, want) {
		t.Errorf("expected the 250 asks, found %v", found)
	}
	k, err := l.GetAsk(t.Context(), &quernv1.GetAskRequest{Id: "big"})
	if err != nil || k.GetAsk().GetState() != "pending" || k.GetAsk().GetResources().GetAmounts()["vcore"] != 1000 || k.GetAsk().GetSubmitted().AsTime().Year() < 2026 || k.GetAsk().GetAllocated() != nil {
		t.Errorf("found %v (%v)", k, err)
	}
	a, err := l.GetApp(t.Context(), &quernv1.GetAppRequest{Id: "a1"})
	if err != nil || a.GetApp().GetUser() != "ann" || a.GetApp().GetAllocations() != 250 || a.GetApp().GetState() != "Running" {
		t.Errorf("found %v (%v)", a, err)
	}
	n, err := l.GetNode(t.Context(), &quernv1.GetNodeRequest{Id: "n1"})
	if err != nil || len(n.GetNode().GetAllocations()) != 250 || n.GetNode().GetUsed().GetAmounts()["vcore"] != 250 {
		t.Errorf("found %v (%v)", n, err)
	}
	q, err := l.GetQueue(t.Context(), &quernv1.GetQueueRequest{Path: "root.default"})
	if err != nil || q.GetQueue().GetPendingAsks() != 1 || !q.GetQueue().GetLeaf() || q.GetQueue().Priority == nil {
		t.Errorf("found %v (%v)", q, err)
	}
}

func TestListsAreFiltered(t *testing.T) {
	l := start(t)
	l.submit(node("n1", 4000), node("n2", 4000), app("a1"), app("a2"), ask("k1", "a1", 1000), &quernv1.Input{Input: &quernv1.Input_NodeDrain{NodeDrain: &quernv1.NodeDrain{Id: "n2"}}})
	nodes, err := l.ListNodes(t.Context(), &quernv1.ListNodesRequest{State: "drained"})
	if err != nil || len(nodes.GetNodes()) != 1 || nodes.GetNodes()[0].GetId() != "n2" {
		t.Errorf("found %v (%v)", nodes, err)
	}
	apps, err := l.ListApps(t.Context(), &quernv1.ListAppsRequest{State: "New", Queue: "root.default"})
	if err != nil || len(apps.GetApps()) != 1 || apps.GetApps()[0].GetId() != "a2" {
		t.Errorf("found %v (%v)", apps, err)
	}
	queues, err := l.ListQueues(t.Context(), &quernv1.ListQueuesRequest{PageSize: 1, State: "active"})
	if err != nil || len(queues.GetQueues()) != 1 || queues.GetQueues()[0].GetPath() != "root" || queues.GetNextPageToken() == "" {
		t.Errorf("found %v (%v)", queues, err)
	}
	for name, c := range map[string]struct {
		request *quernv1.ListAsksRequest
		field   string
	}{"a large page": {&quernv1.ListAsksRequest{PageSize: 1001}, "page_size"}, "a negative page": {&quernv1.ListAsksRequest{PageSize: -1}, "page_size"}, "an odd token": {&quernv1.ListAsksRequest{PageToken: "!"}, "page_token"}} {
		if _, err := l.ListAsks(t.Context(), c.request); status.Code(err) != codes.InvalidArgument || problem(err).GetKey() != c.field {
			t.Errorf("%s: found %v", name, err)
		}
	}
	_, err = l.GetNode(t.Context(), &quernv1.GetNodeRequest{Id: "n11"})
	if status.Code(err) != codes.NotFound || problem(err).GetCode() != "not_found" || !strings.Contains(problem(err).GetDetail(), `there is no node "n11"; did you mean n1`) {
		t.Errorf("found %v", err)
	}
	if _, err = l.GetQueue(t.Context(), &quernv1.GetQueueRequest{Path: "root.defualt"}); problem(err).GetDetail() != `there is no queue "root.defualt"; did you mean root.default?` {
		t.Errorf("found %v", err)
	}
}
