// Package replacements owns which allocations leave that are no victims, and which pending tasks wait for such a placeholder to leave.
//
// Replacements is the owner; package state has one, and alone can change it. All others read it through View, which returns values,
// and names asks and nodes by slot.
package replacements

import (
	"cmp"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/internal/table"
)

// Replacement is what a pending task waits for: a placeholder was told to leave for it.
type Replacement struct {
	Task        app.Slot
	Placeholder app.Slot // NoSlot: it has left, and the task is ready to land
	Node        int32    // where the task will land; NoNode: that node was removed

	appSeq, seq uint64 // of the task: its place among those that are ready
}

// Replacements are the owner; make it with New.
type Replacements struct {
	rows          *table.Table[Replacement]
	replacementOf *table.Column[table.ID] // by task
	ready         []table.ID              // tasks whose placeholder has left, by application and submission
	notices       *table.Table[Notice]
	noticeOf      *table.Column[table.ID] // by allocation
	texts         *table.Texts
}

// New makes an owner of nothing.
func New() *Replacements {
	return &Replacements{
		rows: table.New[Replacement](), replacementOf: table.NewColumn[table.ID](),
		notices: table.New[Notice](), noticeOf: table.NewColumn[table.ID](), texts: table.NewTexts(),
	}
}

// Await has a task wait for a placeholder, which has a notice, and land on a node then. It is ready at once if the placeholder is NoSlot.
func (o *Replacements) Await(task *app.Ask, placeholder app.Slot, node int32) {
	on := o.replacementOf.Edit(uint32(task.Slot))
	if *on != table.None {
		panic("replacements: the task waits already")
	}
	id := o.rows.Add(Replacement{Task: task.Slot, Placeholder: placeholder, Node: node, appSeq: task.App.Seq, seq: task.Seq})
	*on = id
	if placeholder == app.NoSlot {
		o.makeReady(id)
	} else {
		o.notices.Edit(o.noticeOf.At(uint32(placeholder))).Task = task.Slot
	}
}

// End ends the wait of a task.
func (o *Replacements) End(task app.Slot) {
	on := o.replacementOf.Edit(uint32(task))
	id := *on
	*on = table.None
	r := o.rows.At(id)
	if r.Placeholder != app.NoSlot {
		o.notices.Edit(o.noticeOf.At(uint32(r.Placeholder))).Task = app.NoSlot
	} else if at := o.place(r); at > 0 {
		o.ready = slices.Delete(o.ready, at, at+1)
	} else { // tasks land in order: most are the first
		o.ready = o.ready[1:]
	}
	o.rows.Free(id)
}

// RemoveNode notes that tasks cannot land on a node any more.
func (o *Replacements) RemoveNode(node int32) {
	for id, r := range o.rows.All() {
		if r.Node == node {
			o.rows.Edit(id).Node = app.NoNode
		}
	}
}

// makeReady lists a task whose placeholder has left.
func (o *Replacements) makeReady(id table.ID) {
	o.ready = slices.Insert(o.ready, o.place(o.rows.At(id)), id)
}

// place is where a replacement stands among those that are ready, or would.
func (o *Replacements) place(r Replacement) int {
	at, _ := slices.BinarySearchFunc(o.ready, r, func(id table.ID, r Replacement) int {
		other := o.rows.At(id)
		return cmp.Or(cmp.Compare(other.appSeq, r.appSeq), cmp.Compare(other.seq, r.seq))
	})
	return at
}

// View returns what others may read.
func (o *Replacements) View() View { return View{o} }

// View reads the notices and replacements of a partition.
type View struct{ o *Replacements }

// Of returns what a task waits for, if it waits for a placeholder.
func (v View) Of(task app.Slot) (Replacement, bool) {
	id := v.o.replacementOf.At(uint32(task))
	return v.o.rows.At(id), id != table.None
}

// Waiting yields the tasks that wait for placeholders, in no order that means anything.
func (v View) Waiting(yield func(app.Slot) bool) {
	for _, r := range v.o.rows.All() {
		if !yield(r.Task) {
			return
		}
	}
}

// Ready is the number of tasks whose placeholder has left.
func (v View) Ready() int { return len(v.o.ready) }

// FirstReady is the first of them, by application and submission.
func (v View) FirstReady() app.Slot { return v.o.rows.At(v.o.ready[0]).Task }
