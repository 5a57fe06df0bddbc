package queues

import (
	"slices"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Rebuild replaces the tree by that of another configuration. Queues that stay keep their IDs; leaves also keep their sums.
type Rebuild struct {
	o    *Queues
	old  *table.Index
	stay map[ID]bool
}

// Rebuild begins a new tree, without queues. End must be called before the tree is used.
func (o *Queues) Rebuild() *Rebuild {
	o.own()
	b := &Rebuild{o: o, old: o.paths, stay: make(map[ID]bool, len(o.confs))}
	o.paths, o.root = table.NewIndex(), None
	return b
}

// Before returns the queue that has a path in the old tree, or None.
func (b *Rebuild) Before(path string) ID {
	return ID(b.old.Find(path, func(id table.ID) bool { return b.o.confs[id].Path == path }))
}

// Put adds a queue to the new tree: before, which is a queue of the same path in the old tree, or a new one if before is None.
func (b *Rebuild) Put(before ID, conf *config.Queue, parent ID, kind Kind) ID {
	o := b.o
	if before == None {
		id := o.Add(conf, parent, kind)
		b.stay[id] = true
		return id
	}
	b.stay[before] = true
	o.children[before] = nil
	if r := &o.rows.Edit()[before]; !r.leaf {
		r.running, r.asks, r.allocations, r.live = 0, 0, 0, 0
		o.clearSums(before)
	}
	*o.victims.Edit(uint32(before)) = 0
	o.put(before, conf, parent, kind)
	return before
}

// Count adds the sums of a queue to its parent.
func (b *Rebuild) Count(id ID) {
	o := b.o
	rows := o.rows.Edit()
	from := &rows[id]
	to := &rows[from.parent]
	to.running += from.running
	to.asks += from.asks
	to.allocations += from.allocations
	to.live += from.live
	o.countAmounts(id, from.parent)
}

// End removes the queues of the old tree that the new one lacks, and returns them.
func (b *Rebuild) End() (gone []ID) {
	o := b.o
	for i, conf := range o.confs {
		if q := ID(i); conf != nil && !b.stay[q] && !slices.Contains(o.removed, q) {
			o.rows.Edit()[q].parent = None
			o.EndOver(q)
			gone = append(gone, q)
		}
	}
	o.removed = append(o.removed, gone...)
	return gone
}
