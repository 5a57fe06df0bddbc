package oracle_test

import (
	"fmt"
	"slices"

	"github.com/quern-project/quern/core"
)

// aim changes an input to be about an existing object, so that most inputs have an effect: the index-th object that its type can be about.
// It changes nothing if there is none.
func aim(in *core.Input, at core.Dump, index int) {
	node := func(id *string) {
		choose(id, nodesOf(at), index)
		sometimes(id, slices.Concat(reservedOf(at).nodes, keptOf(at).nodes), index)
	}
	ask := func(e *core.AddAsk) {
		choose(&e.ID, missing("k", 40, asksOf(at)), index)
		choose(&e.App, liveAppsOf(at), index)
	}
	pending := func(id *string) {
		choose(id, pendingOf(at), index)
		sometimes(id, slices.Concat(reservedOf(at).asks, keptOf(at).asks), index)
	}
	switch e := in.Event.(type) {
	case *core.AddNode:
		choose(&e.ID, missing("n", 5, nodesOf(at)), index)
	case *core.UpdateNode:
		node(&e.ID)
	case *core.DrainNode:
		node(&e.ID)
	case *core.ResumeNode:
		node(&e.ID)
	case *core.RemoveNode:
		node(&e.ID)
	case *core.AddApp:
		choose(&e.ID, missing("a", 9, liveAppsOf(at)), index)
		choose(&e.Queue, leavesOf(at), index)
	case *core.RemoveApp:
		choose(&e.ID, liveAppsOf(at), index)
		sometimes(&e.ID, drainingAppsOf(at), index)
	case *core.MoveApp:
		choose(&e.ID, liveAppsOf(at), index)
		choose(&e.Queue, leavesOf(at), index/3)
	case *core.AddAsk:
		ask(e)
	case *core.RestoreAllocation:
		ask(&e.AddAsk)
		choose(&e.PlacedOn, nodesOf(at), index/3)
	case *core.UpdateAsk:
		switch {
		case e.Leaving:
			choose(&e.ID, allocatedOf(at), index)
		case (e.Preemptable != nil || e.Walltime != 0) && e.Priority == nil: // allocations have this one, too
			choose(&e.ID, asksOf(at), index)
		default:
			pending(&e.ID)
		}
	case *core.RemoveAsk:
		pending(&e.ID)
	case *core.ReleaseAllocation:
		choose(&e.ID, allocatedOf(at), index)
		sometimes(&e.ID, reservedOf(at).inTheWay, index)
		sometimes(&e.ID, keptOf(at).leaving, index)
	default:
	}
}

// plain is an event of a kind that says nothing but an ID.
func plain(kind core.InputType, id string) core.Event {
	switch kind {
	case core.NodeDrain:
		return &core.DrainNode{ID: id}
	case core.NodeResume:
		return &core.ResumeNode{ID: id}
	case core.NodeRemove:
		return &core.RemoveNode{ID: id}
	case core.AppRemove:
		return &core.RemoveApp{ID: id}
	case core.AskRemove:
		return &core.RemoveAsk{ID: id}
	case core.AllocationRelease:
		return &core.ReleaseAllocation{ID: id}
	case core.TickInput:
		return &core.Tick{}
	}
	panic("an event of " + string(kind) + " says more")
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
			if ask.Claims != "" {
				k.asks, k.nodes = append(k.asks, ask.ID), append(k.nodes, ask.Claims)
			}
			if ask.Leaving != "" {
				k.leaving = append(k.leaving, ask.ID)
			}
		}
	}
	return k
}
