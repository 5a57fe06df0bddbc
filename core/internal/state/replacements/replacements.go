// Package replacements owns the leaving allocations that are not victims, and the pending tasks that wait for such a placeholder to leave.
//
// Replacements is the owner. Package state has one, and only state changes it. Other packages read it through View, which returns values
// and identifies asks and nodes by slot.
package replacements

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Replacement is the wait of a pending task for a placeholder that was asked to leave for it.
type Replacement struct {
	Task        app.Slot
	Placeholder app.Slot // NoSlot after it has left, when the task is ready to be allocated
	Node        int32    // where the task will be allocated; NoNode after that node was removed

	appSeq, seq uint64 // of the task; they order the ready tasks
}

// Replacements is the owner. Make it with New.
type Replacements struct {
	rows          *table.Table[Replacement]
	replacementOf *table.Column[table.ID] // by task
	ready         []table.ID              // tasks whose placeholder has left, by application and submission
	notices       *table.Table[Notice]
	noticeOf      *table.Column[table.ID] // by allocation
	texts         *table.Texts
}

// New makes an owner without notices or replacements.
func New() *Replacements {
	return &Replacements{
		rows: table.New[Replacement](), replacementOf: table.NewColumn[table.ID](),
		notices: table.New[Notice](), noticeOf: table.NewColumn[table.ID](), texts: table.NewTexts(),
	}
}

// Await makes a task wait for a placeholder that has a notice, and records the node on which the task will be allocated then. If the
// placeholder is NoSlot, the task is ready at once.
func (o *Replacements) Await(task app.Ask, placeholder app.Slot, node int32) {
	on := o.replacementOf.Edit(uint32(task.Slot()))
	if *on != table.None {
		panic("replacements: the task waits already")
	}
	id := o.rows.Add(Replacement{Task: task.Slot(), Placeholder: placeholder, Node: node, appSeq: task.App().Seq(), seq: task.Seq()})
	*on = id
	if placeholder == app.NoSlot {
		o.makeReady(id)
	} else {
		o.notices.Edit(o.noticeOf.At(uint32(placeholder))).Task = task.Slot()
	}
}

// End ends the wait of a task, which must be waiting.
func (o *Replacements) End(task app.Slot) {
	on := o.replacementOf.Edit(uint32(task))
	id := *on
	*on = table.None
	r := o.rows.At(id)
	if r.Placeholder != app.NoSlot {
		o.notices.Edit(o.noticeOf.At(uint32(r.Placeholder))).Task = app.NoSlot
	} else if at := o.place(r); at > 0 {
		o.ready = slices.Delete(o.ready, at, at+1)
	} else { // most tasks are allocated in order, so they are the first
		o.ready = o.ready[1:]
	}
	o.rows.Free(id)
}

// RemoveNode records that tasks cannot be allocated on a node, since it is being removed.
func (o *Replacements) RemoveNode(node int32) {
	for id, r := range o.rows.All() {
		if r.Node == node {
			o.rows.Edit(id).Node = app.NoNode
		}
	}
}

// makeReady adds a task whose placeholder has left to the ready ones.
func (o *Replacements) makeReady(id table.ID) {
	o.ready = slices.Insert(o.ready, o.place(o.rows.At(id)), id)
}

// place returns the index of a replacement in ready, or the index at which it would be inserted.
func (o *Replacements) place(r Replacement) int {
	at, _ := slices.BinarySearchFunc(o.ready, r, func(id table.ID, r Replacement) int {
		other := o.rows.At(id)
		return cmp.Or(cmp.Compare(other.appSeq, r.appSeq), cmp.Compare(other.seq, r.seq))
	})
	return at
}

// View returns a read-only view.
func (o *Replacements) View() View { return View{o} }

// View reads the notices and replacements of a partition.
type View struct{ o *Replacements }

// Of returns the wait of a task for a placeholder, and whether it waits for one.
func (v View) Of(task app.Slot) (Replacement, bool) {
	id := v.o.replacementOf.At(uint32(task))
	return v.o.rows.At(id), id != table.None
}

// Waiting yields the tasks that wait for placeholders, in an order without meaning.
func (v View) Waiting(yield func(app.Slot) bool) {
	for _, r := range v.o.rows.All() {
		if !yield(r.Task) {
			return
		}
	}
}

// Ready returns the number of tasks whose placeholder has left.
func (v View) Ready() int { return len(v.o.ready) }

// FirstReady returns the first ready task, by application and submission. There must be one.
func (v View) FirstReady() app.Slot { return v.o.rows.At(v.o.ready[0]).Task }
