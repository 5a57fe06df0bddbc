package oracle_test

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
)

// aim changes an input to be about an existing object, so that most inputs have an effect: the index-th object that its type can be about.
// It changes nothing if there is none.
func aim(in *core.Input, at core.Dump, index int) {
	switch in.Type {
	case core.NodeAdd:
		choose(&in.ID, missing("n", 5, nodesOf(at)), index)
	case core.NodeUpdate, core.NodeDrain, core.NodeResume, core.NodeRemove:
		choose(&in.ID, nodesOf(at), index)
		sometimes(&in.ID, slices.Concat(reservedOf(at).nodes, keptOf(at).nodes), index)
	case core.AppAdd:
		choose(&in.ID, missing("a", 9, liveAppsOf(at)), index)
		choose(&in.Queue, leavesOf(at), index)
	case core.AppRemove:
		choose(&in.ID, liveAppsOf(at), index)
		sometimes(&in.ID, drainingAppsOf(at), index)
	case core.AppMove:
		choose(&in.ID, liveAppsOf(at), index)
		choose(&in.Queue, leavesOf(at), index/3)
	case core.AskAdd:
		choose(&in.ID, missing("k", 40, asksOf(at)), index)
		choose(&in.App, liveAppsOf(at), index)
	case core.AllocationRestore:
		choose(&in.ID, missing("k", 40, asksOf(at)), index)
		choose(&in.App, liveAppsOf(at), index)
		choose(&in.PlacedOn, nodesOf(at), index/3)
	case core.AskUpdate, core.AskRemove:
		if in.Leaving {
			choose(&in.ID, allocatedOf(at), index)
			return
		}
		if in.HasPreemptable && !in.HasPriority { // allocations have this one, too
			choose(&in.ID, asksOf(at), index)
			return
		}
		choose(&in.ID, pendingOf(at), index)
		sometimes(&in.ID, slices.Concat(reservedOf(at).asks, keptOf(at).asks), index)
	case core.AllocationRelease:
		choose(&in.ID, allocatedOf(at), index)
		sometimes(&in.ID, reservedOf(at).inTheWay, index)
		sometimes(&in.ID, keptOf(at).leaving, index)
	}
}

// sometimes replaces a choice by one of special interest, in half of the cases.
func sometimes(field *string, from []string, index int) {
	if index%2 == 1 {
		choose(field, from, index/2)
	}
}

func choose(field *string, from []string, index int) {
	if len(from) > 0 {
		*field = from[index%len(from)]
	}
}

// missing lists the unused IDs up to a number.
func missing(prefix string, upTo int, there []string) (ids []string) {
	for i := range upTo {
		if id := fmt.Sprintf("%s%d", prefix, i+1); !slices.Contains(there, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func nodesOf(d core.Dump) (ids []string) {
	for _, n := range d.Nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

func leavesOf(d core.Dump) (paths []string) {
	for _, q := range d.Queues {
		if q.Leaf {
			paths = append(paths, q.Path)
		}
	}
	return paths
}

func liveAppsOf(d core.Dump) (ids []string) {
	for _, a := range d.Applications {
		if a.State != core.StateCompleted {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// drainingAppsOf lists the applications whose end may end a queue.
func drainingAppsOf(d core.Dump) (ids []string) {
	for _, q := range d.Queues {
		for _, a := range d.Applications {
			if q.State == core.QueueDraining && a.Queue == q.Path && a.State != core.StateCompleted {
				ids = append(ids, a.ID)
			}
		}
	}
	return ids
}

func asksOf(d core.Dump) []string { return slices.Concat(pendingOf(d), allocatedOf(d)) }

func pendingOf(d core.Dump) (ids []string) {
	for _, a := range d.Applications {
		for _, k := range a.Asks {
			if k.Node == "" {
				ids = append(ids, k.ID)
			}
		}
	}
	return ids
}

func allocatedOf(d core.Dump) (ids []string) {
	for _, n := range d.Nodes {
		ids = append(ids, n.Allocations...)
	}
	return ids
}

// reserved lists the objects related to reservations: asks with one, their nodes, and the allocations there.
type reserved struct{ asks, nodes, inTheWay []string }

func reservedOf(d core.Dump) (r reserved) {
	for _, n := range d.Nodes {
		if n.Reserved != "" {
			r.asks, r.nodes = append(r.asks, n.Reserved), append(r.nodes, n.ID)
			r.inTheWay = append(r.inTheWay, n.Allocations...)
		}
	}
	return r
}

// kept lists the objects related to preemption: asks with claims, the claimed nodes, and leaving allocations.
type kept struct{ asks, nodes, leaving []string }

func keptOf(d core.Dump) (k kept) {
	for _, a := range d.Applications {
		for _, ask := range a.Asks {
			if ask.Kept != "" {
				k.asks, k.nodes = append(k.asks, ask.ID), append(k.nodes, ask.Kept)
			}
			if ask.Leaving != "" {
				k.leaving = append(k.leaving, ask.ID)
			}
		}
	}
	return k
}
