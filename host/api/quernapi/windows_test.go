package quernapi_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// window adds a window that opens in an hour, for an hour.
func window(id string, nodes ...string) *quernv1.WindowAdd {
	from := time.Now().Add(time.Hour)
	return &quernv1.WindowAdd{Id: id, From: timestamppb.New(from), Until: timestamppb.New(from.Add(time.Hour)), Every: durationpb.New(24 * time.Hour), Nodes: nodes}
}

func addWindow(w *quernv1.WindowAdd) *quernv1.Input {
	return &quernv1.Input{Input: &quernv1.Input_WindowAdd{WindowAdd: w}}
}

func TestWindows_AddedListedAndRemoved(t *testing.T) {
	l := start(t)
	byAttribute := window("b")
	byAttribute.Constraints, byAttribute.Count = map[string]*quernv1.Values{"zone": {Values: []string{"z"}}}, 1
	byAttribute.Users = []string{"ann"}
	zoned := node("n2", 1000)
	zoned.GetNodeAdd().Attributes = map[string]string{"zone": "z"}
	l.submit(node("n1", 1000), zoned, addWindow(window("a", "n1")), addWindow(byAttribute))
	first, err := l.ListWindows(t.Context(), &quernv1.ListWindowsRequest{PageSize: 1})
	if err != nil || len(first.GetWindows()) != 1 || first.GetWindows()[0].GetId() != "a" || first.GetWindows()[0].GetNodes()[0] != "n1" {
		t.Fatalf("found %v (%v)", first, err)
	}
	second, err := l.ListWindows(t.Context(), &quernv1.ListWindowsRequest{PageToken: first.GetNextPageToken()})
	if err != nil || len(second.GetWindows()) != 1 || second.GetWindows()[0].GetUsers()[0] != "ann" || second.GetWindows()[0].GetNodes()[0] != "n2" {
		t.Fatalf("found %v (%v)", second, err)
	}
	w, err := l.GetWindow(t.Context(), &quernv1.GetWindowRequest{Id: "a"})
	if err != nil || w.GetWindow().GetOpen() || w.GetWindow().GetEvery().AsDuration() != 24*time.Hour || w.GetWindow().GetFrom() == nil {
		t.Errorf("found %v (%v)", w, err)
	}
	l.submit(&quernv1.Input{Input: &quernv1.Input_WindowRemove{WindowRemove: &quernv1.WindowRemove{Id: "a"}}})
	if _, err := l.GetWindow(t.Context(), &quernv1.GetWindowRequest{Id: "a"}); status.Code(err) != codes.NotFound {
		t.Errorf("found %v", err)
	}
}

func TestWindows_WrongOnesAreRefused(t *testing.T) {
	l := start(t)
	for name, change := range map[string]func(*quernv1.WindowAdd){
		"no time":               func(w *quernv1.WindowAdd) { w.From = nil },
		"no nodes":              func(w *quernv1.WindowAdd) { w.Nodes = nil },
		"a count beside nodes":  func(w *quernv1.WindowAdd) { w.Count = 1 },
		"constraints, no count": func(w *quernv1.WindowAdd) { w.Nodes, w.Constraints = nil, map[string]*quernv1.Values{"zone": {}} },
		"a node without a name": func(w *quernv1.WindowAdd) { w.Nodes = []string{""} },
		"an interval of zero":   func(w *quernv1.WindowAdd) { w.Every = durationpb.New(0) },
	} {
		w := window("a", "n1")
		change(w)
		if _, err := l.Submit(t.Context(), &quernv1.SubmitRequest{Inputs: []*quernv1.Input{addWindow(w)}}); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: found %v", name, err)
		}
	}
}

func TestAsks_HavePlannedStarts(t *testing.T) {
	l := start(t)
	const config = "partitions: [{name: default, backfill: {depth: 1}, queues: [{name: root, queues: [{name: default}]}]}]"
	if _, err := l.ApplyConfig(t.Context(), &quernv1.ApplyConfigRequest{Config: config, IfMatch: "*"}); err != nil {
		t.Fatal(err)
	}
	run, blocked := ask("run", "a1", 1000), ask("blocked", "a1", 1000)
	run.GetAskAdd().Walltime, blocked.GetAskAdd().Walltime = durationpb.New(time.Hour), durationpb.New(time.Hour)
	l.submit(node("n1", 1000), app("a1"), run, blocked)
	k, err := l.GetAsk(t.Context(), &quernv1.GetAskRequest{Id: "blocked"})
	p := k.GetAsk().GetPlannedStart()
	if err != nil || p.GetNode() != "n1" || p.GetReason() != "planned" || time.Until(p.GetStart().AsTime()) < 50*time.Minute || !p.GetEnds().AsTime().Equal(p.GetStart().AsTime().Add(time.Hour)) {
		t.Errorf("found %v (%v)", k, err)
	}
}
