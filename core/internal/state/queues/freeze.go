package queues

import (
	"slices"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// Frozen is an immutable version of the queues of a partition, without the users and groups that their limits count. Any goroutine may
// fork it.
type Frozen struct {
	width           int
	root            ID
	rows            table.FrozenDense[row]
	free            []ID
	hot             table.FrozenDense[amounts]
	cold            table.FrozenDense[limits]
	future, carries table.FrozenVectors
	carried         bool
	paths           table.FrozenIndex
	children        [][]ID
	confs           []*config.Queue
	prefix          string
	over            table.Frozen[excess]
	overOf          table.FrozenColumn[table.ID]
	victims         table.FrozenColumn[int32]
}

// Freeze returns an immutable version, in constant time. It panics if removed queues were not released.
func (o *Queues) Freeze() *Frozen {
	if len(o.removed) > 0 {
		panic("queues: a removed queue may still be read")
	}
	o.shared = true
	return &Frozen{
		width: o.width, root: o.root, rows: o.rows.Freeze(), free: o.free, hot: o.hot.Freeze(), cold: o.cold.Freeze(),
		future: o.future.Freeze(), carries: o.carries.Freeze(), carried: o.carried, paths: o.paths.Freeze(),
		children: o.children, confs: o.confs, prefix: o.prefix,
		over: o.over.Freeze(), overOf: o.overOf.Freeze(), victims: o.victims.Freeze(),
	}
}

// Fork returns an owner that starts with the queues of the version, under the same IDs. Its limits count no users and groups yet. types must
// have the types of the original in the same order.
func (f *Frozen) Fork(types *resource.Types) *Queues {
	o := &Queues{
		types: types, width: f.width, root: f.root, rows: f.rows.Fork(), free: f.free, hot: f.hot.Fork(), cold: f.cold.Fork(),
		future: f.future.Fork(), carries: f.carries.Fork(), carried: f.carried, paths: f.paths.Fork(),
		children: f.children, confs: f.confs, limits: make([]limit.Table, len(f.confs)), prefix: f.prefix, shared: true,
		over: f.over.Fork(), overOf: f.overOf.Fork(), victims: f.victims.Fork(),
	}
	for id, conf := range o.confs {
		if conf != nil {
			o.limits[id] = limit.NewTable(conf.Path, conf.Limits)
		}
	}
	return o
}

// own copies the slices of the tree if versions share them. Methods that change the tree call it first. It takes time proportional to the
// number of queues, once after a Freeze.
func (o *Queues) own() {
	if !o.shared {
		return
	}
	o.shared = false
	o.free, o.confs, o.children = slices.Clone(o.free), slices.Clone(o.confs), slices.Clone(o.children)
	for id, list := range o.children {
		o.children[id] = slices.Clone(list)
	}
}
