package quernapi

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/objects"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// amounts converts a set of the objects that readers share.
func amounts[S ~[]resource.Quantity](set S) *quernv1.Resources {
	r := &quernv1.Resources{Amounts: make(map[string]int64, len(set))}
	for _, q := range set {
		r.Amounts[q.Type] = q.Value
	}
	return r
}

// moment converts a time of the objects that readers share; nil: there is none.
func moment(text string) *timestamppb.Timestamp {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return nil
	}
	return timestamppb.New(at)
}

// durationOf converts a duration; nil: there is none.
func durationOf(text string) *durationpb.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return nil
	}
	return durationpb.New(d)
}

func queueOf(q *objects.Queue) *quernv1.Queue {
	return &quernv1.Queue{Path: q.Queue, State: q.State, Leaf: q.Leaf, Dynamic: q.Dynamic, Used: amounts(q.Used), Guaranteed: amounts(q.Guaranteed),
		Max: amounts(q.Max), Headroom: amounts(q.Headroom), Pending: amounts(q.Pending), Leaving: amounts(q.Leaving), PendingAsks: int32(q.PendingAsks),
		Allocations: int32(q.Allocations), Priority: q.Priority, Applications: int32(q.Applications), Running: int32(q.Running), MaxRunning: q.MaxRunning,
		FairShareBillionths: q.FairShare, AppSort: q.AppSort, Properties: q.Properties, Aged: agedOf("", q.Aged), Users: agedUsers(q.Users)}
}

func nodeOf(n *objects.Node) *quernv1.Node {
	return &quernv1.Node{Id: n.Node, Partition: n.Partition, Schedulable: n.Schedulable, Capacity: amounts(n.Capacity), Occupied: amounts(n.Occupied),
		Used: amounts(n.Used), Attributes: n.Attributes, Domain: n.Domain, Reserved: n.Reserved, Kept: n.Kept, Allocations: n.Allocations,
		UtilisationBillionths: n.Utilisation}
}

func appOf(a *objects.App) *quernv1.App {
	return &quernv1.App{Id: a.App, Queue: a.Queue, State: a.State, Since: moment(a.Since), User: a.User, Groups: a.Groups, Group: a.Group, Tags: a.Tags,
		Gang: a.Gang, AtomicGangs: int32(a.AtomicGangs), Submitted: moment(a.Submitted), Priority: a.Priority, Used: amounts(a.Used), Waiting: amounts(a.Waiting),
		Pending: int32(a.Pending), Allocations: int32(a.Allocations), Preempted: a.Preempted}
}

func askOf(k *objects.Ask) *quernv1.Ask {
	m := &quernv1.Ask{Id: k.Ask, App: k.App, Queue: k.Queue, User: k.User, State: k.State, Priority: k.Priority, Resources: amounts(k.Resources),
		RequiredNode: k.RequiredNode, Predicate: k.Predicate, TaskGroup: k.TaskGroup, Placeholder: k.Placeholder, Originator: k.Originator,
		PreemptOthers: k.PreemptOthers, Preemptable: k.Preemptable, Submitted: moment(k.Submitted), Node: k.Node, Allocated: moment(k.Allocated), Walltime: durationOf(k.Walltime), Ends: moment(k.Ends), MinRuntime: durationOf(k.MinRuntime),
		Reserved: k.Reserved, Kept: k.Kept, LeavingFor: k.LeavingFor, Gang: k.Gang, GangSlice: int32(k.GangSlice), Preempted: k.Preempted}
	if p := k.Planned; p != nil {
		m.PlannedStart = &quernv1.PlannedStart{Start: moment(p.Start), Node: p.Node, Nodes: p.Nodes, Reason: p.Reason, Ends: moment(p.Ends)}
	}
	if len(k.Constraints) > 0 {
		m.Constraints = make(map[string]*quernv1.Values, len(k.Constraints))
		for attribute, values := range k.Constraints {
			m.Constraints[attribute] = &quernv1.Values{Values: values}
		}
	}
	return m
}
