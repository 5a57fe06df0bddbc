// Package gangs owns the gangs of applications with placeholders, and how many members of atomic gangs have succeeded.
//
// Gangs is the owner. Package state has one for each partition, and only state changes it. Other packages read it through a View, which
// returns values. Package app derives the lists of the asks of each task group.
package gangs

import (
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	"github.com/quern-project/quern/core/resource"
)

// Gang is the gang of an application with placeholders. Placeholders hold room until there is enough for all tasks, which are the other
// asks of the application. Then tasks replace them.
type Gang struct {
	Timeout  time.Duration
	Since    time.Duration // start of the timeout
	Replaced int64         // number of placeholders that were replaced by tasks

	Pending   int32 // number of pending placeholders
	Allocated int32 // number of allocated placeholders, including leaving ones
	Tasks     int32 // number of tasks, pending and allocated

	Hard    bool // the application fails if the gang does not form in time
	Unit    bool // once formed, victims leave it what it declared, or nothing (law 8)
	Formed  bool
	Failed  bool // it did not form in time
	Timed   bool // the timeout runs: a placeholder was allocated, and there have been placeholders since
	Expired bool // the timeout has expired, and the placeholders are leaving
	Ended   bool // the application is Completing, and the placeholders are leaving
}

// Placeholders returns the number of placeholders, pending and allocated.
func (g Gang) Placeholders() int32 { return g.Pending + g.Allocated }

// Waits reports whether tasks have to wait until the gang is formed.
func (g Gang) Waits() bool { return !g.Formed && !g.Failed && g.Placeholders() > 0 }

// EndsAt returns when the timeout of the placeholders expires. ok is false if no timeout runs.
func (g Gang) EndsAt() (at time.Duration, ok bool) {
	if !g.Timed || g.Expired {
		return 0, false
	}
	return instant.Add(g.Since, g.Timeout), true
}

// Gangs owns the gangs of a partition. Make it with New.
type Gangs struct {
	rows      table.Column[Gang]           // by application
	declared  *table.Records[resource.Set] // by application: the sum of its placeholders, not empty if it has a gang
	staying   *table.Vectors               // by application: sum of the allocated placeholders that are not leaving
	present   *table.Vectors               // by application with a Unit: sum of all allocations that are not leaving, and of tasks for which a placeholder is
	succeeded *table.Records[[]Succeeded]  // by application: those without members, sorted by ID
	sets      *table.Records[[]string]     // by application: the sets of gangs that have started, sorted
	width     int                          // number of types
}

// New makes an owner without gangs, for a number of resource types.
func New(types int) *Gangs {
	return &Gangs{
		rows: *table.NewColumn[Gang](), declared: table.NewRecords[resource.Set](), staying: table.NewVectors(types),
		present: table.NewVectors(types), succeeded: table.NewRecords[[]Succeeded](), sets: table.NewRecords[[]string](), width: types,
	}
}

// Widen adapts amounts to a new number of resource types.
func (o *Gangs) Widen(types int) {
	o.staying.Widen(types)
	o.present.Widen(types)
	o.width = types
}

// Declare makes the gang of a new application. sum is that of its placeholders; the caller must not change it afterwards.
// with holds its settings alone.
func (o *Gangs) Declare(id apps.ID, sum resource.Set, with Gang) {
	o.declared.Set(uint32(id), &sum)
	*o.Edit(id) = with
	clear(o.staying.Edit(table.ID(id)))
	if with.Unit {
		clear(o.present.Edit(table.ID(id)))
	}
}

// Forget removes everything about an application whose number is being freed.
func (o *Gangs) Forget(id apps.ID) {
	if o.View().Has(id) {
		o.declared.Set(uint32(id), nil)
		*o.Edit(id) = Gang{}
	}
	o.SetSucceeded(id, nil)
	o.RestoreSets(id, nil)
}

// Edit returns the gang of an application for changes. The pointer is valid until the next change of the owner.
func (o *Gangs) Edit(id apps.ID) *Gang { return o.rows.Edit(uint32(id)) }

// An ask counts while it is pending or allocated: each Enqueue is undone by Dequeue, and each Place by Free.

// Enqueue counts an ask that becomes pending.
func (o *Gangs) Enqueue(id apps.ID, placeholder bool) { o.addPending(id, placeholder, 1) }

// Dequeue undoes Enqueue.
func (o *Gangs) Dequeue(id apps.ID, placeholder bool) { o.addPending(id, placeholder, -1) }

func (o *Gangs) addPending(id apps.ID, placeholder bool, more int32) {
	if g := o.Edit(id); placeholder {
		g.Pending += more
	} else {
		g.Tasks += more
	}
}

// PlaceTask counts an allocation that is no placeholder.
func (o *Gangs) PlaceTask(id apps.ID) { o.Edit(id).Tasks++ }

// FreeTask undoes PlaceTask.
func (o *Gangs) FreeTask(id apps.ID) { o.Edit(id).Tasks-- }

// Place counts an allocated placeholder.
func (o *Gangs) Place(id apps.ID, demand resource.Amounts) {
	o.Edit(id).Allocated++
	add(o.staying, id, demand)
}

// Leave counts an allocated placeholder as leaving.
func (o *Gangs) Leave(id apps.ID, demand resource.Amounts) { subtract(o.staying, id, demand) }

// Join adds what an allocation uses to what a Unit has, as long as it does not leave.
func (o *Gangs) Join(id apps.ID, demand resource.Amounts) { add(o.present, id, demand) }

// Part undoes Join.
func (o *Gangs) Part(id apps.ID, demand resource.Amounts) { subtract(o.present, id, demand) }

func add(to *table.Vectors, id apps.ID, demand resource.Amounts) {
	for t := range demand.Len() {
		if amount := demand.At(t); amount != 0 {
			to.Edit(table.ID(id))[t] += amount
		}
	}
}

func subtract(from *table.Vectors, id apps.ID, demand resource.Amounts) {
	for t := range demand.Len() {
		if amount := demand.At(t); amount != 0 {
			from.Edit(table.ID(id))[t] -= amount
		}
	}
}

// Free undoes Place for a placeholder that was leaving.
func (o *Gangs) Free(id apps.ID) { o.Edit(id).Allocated-- }

// View returns a read-only view.
func (o *Gangs) View() View { return View{o} }
