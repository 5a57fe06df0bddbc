package queues

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// SetPrefix sets the text before paths in texts, which is empty in the first partition.
func (o *Queues) SetPrefix(prefix string) { o.prefix = prefix }

// Add makes a queue from its configuration, below a parent. No queue may have its path yet.
func (o *Queues) Add(conf *config.Queue, parent ID, kind Kind) ID {
	o.own()
	id := ID(len(o.rows.Peek()))
	if n := len(o.free); n > 0 {
		id, o.free = o.free[n-1], o.free[:n-1]
	} else {
		n := int(id) + 1
		o.rows.Grow(n)
		o.hot.Grow(n * o.width)
		o.cold.Grow(n * o.width)
	}
	if missing := int(id) + 1 - len(o.confs); missing > 0 {
		o.confs = append(o.confs, make([]*config.Queue, missing)...)
		o.limits = append(o.limits, make([]limit.Table, missing)...)
		o.children = append(o.children, make([][]ID, missing)...)
	}
	o.clearSums(id)
	o.put(id, conf, parent, kind)
	return id
}

// put gives a queue its configuration, its place in the tree and its path.
func (o *Queues) put(id ID, conf *config.Queue, parent ID, kind Kind) {
	r := &o.rows.Edit()[id]
	r.parent, r.leaf, r.fenced, r.offset = parent, conf.Leaf, conf.PriorityFence, conf.PriorityOffset
	r.dynamic, r.draining, r.limited = kind.Dynamic, kind.Draining, len(conf.Limits) > 0
	r.openedAt, r.depth = 0, 0
	if parent != None {
		r.depth = o.rows.Peek()[parent].depth + 1
	} else {
		o.root = id
	}
	o.limits[id] = limit.NewTable(conf.Path, conf.Limits)
	o.SetLimits(id, conf)
	o.paths.Add(conf.Path, table.ID(id))
	if parent != None {
		at, _ := o.place(parent, conf.Path)
		o.children[parent] = slices.Insert(o.children[parent], at, id)
	}
}

// place returns the index of a path among the children of a parent, and whether one of them has it.
func (o *Queues) place(parent ID, path string) (int, bool) {
	list := o.children[parent]
	if n := len(list); n > 0 && o.confs[list[n-1]].Path < path { // they usually come in order
		return n, false
	}
	return slices.BinarySearchFunc(list, path, func(id ID, path string) int { return strings.Compare(o.confs[id].Path, path) })
}

// SetLimits sets guaranteed, max and maxapplications from a configuration that is otherwise equal to the current one. No queue below
// may have inherited them. The types of the limits must be known.
func (o *Queues) SetLimits(id ID, conf *config.Queue) {
	o.own()
	o.confs[id] = conf
	r := &o.rows.Edit()[id]
	r.maxRunning = conf.MaxApplications
	r.bounded = r.parent == None
	cold := of(o.cold.Edit(), id, o.width)
	most, least := o.types.Vec(conf.Max, resource.Unlimited), o.types.Vec(conf.Guaranteed, NotGuaranteed)
	for t := range o.width {
		cold[t].max, cold[t].guaranteed = most[t], least[t]
		r.bounded = r.bounded || most[t] != resource.Unlimited
	}
	hot := of(o.hot.Edit(), id, o.width)
	for t := range hot {
		hot[t].measure = o.denominator(id, t)
	}
	o.setBound(id)
}

// denominator returns the denominator of a queue's share of a type. Root's max follows the nodes, and is read when needed.
func (o *Queues) denominator(id ID, t int) int64 {
	v := o.View()
	if g := v.Guaranteed(id, t); g != NotGuaranteed {
		return g
	}
	for p := v.Parent(id); p != None; id, p = p, v.Parent(p) {
		if m := v.Max(id, t); m != resource.Unlimited {
			return m
		}
	}
	return resource.Unlimited
}

// SetTotal sets the cluster's total, which is the max of root.
func (o *Queues) SetTotal(total resource.Vec) {
	cold := of(o.cold.Edit(), o.root, o.width)
	for t, amount := range total {
		cold[t].max = amount
	}
	o.setBound(o.root)
}

// Open records the shrink epoch in which a queue's own headroom last grew.
func (o *Queues) Open(id ID, shrinkEpoch uint64) { o.rows.Edit()[id].openedAt = shrinkEpoch }

// Remove removes an empty queue from the tree. Its properties stay readable until Release, but it has no parent.
func (o *Queues) Remove(id ID) {
	o.own()
	r := &o.rows.Edit()[id]
	if at, in := o.place(r.parent, o.confs[id].Path); in {
		o.children[r.parent] = slices.Delete(o.children[r.parent], at, at+1)
	}
	r.parent = None
	o.paths.Remove(o.confs[id].Path, table.ID(id))
	o.EndOver(id)
	o.removed = append(o.removed, id)
}

// Release lets the IDs of removed queues be reused.
func (o *Queues) Release() {
	if len(o.removed) > 0 {
		o.release()
	}
}

func (o *Queues) release() {
	o.own()
	for _, id := range o.removed {
		o.rows.Edit()[id] = row{}
		o.free = append(o.free, id)
		o.confs[id], o.limits[id], o.children[id] = nil, limit.Table{}, nil
		if n := o.victims.At(uint32(id)); n != 0 {
			*o.victims.Edit(uint32(id)) = 0
		}
	}
	o.removed = o.removed[:0]
}
