package app

import (
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/index"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/asks"
	"github.com/quern-project/quern/core/internal/state/gangs"
)

// Asks reads the asks of a partition.
type Asks struct{ *reader }

// reader resolves the numbers in the rows of asks, and keeps for each slot what the orders of pending asks need. All of that follows from
// the rows.
type reader struct {
	rows       asks.View
	classes    class.View
	values     apps.View
	gangValues gangs.View
	apps       []*application          // by number; nil if no row has it
	gangs      index.Slots[atomicGang] // the number 0 is of none
	elastic    []Unit                  // the gangs with a largest size that have members
	orders     []*[ordersInPage]order  // by slot
	onNode     []nodeList              // by node

	neighbours []*[ordersInPage]neighbours // by slot
}

// order is the place of an ask in the orders of its application, or in the lists of allocations.
type order struct {
	prev, next Slot   // in a list of its application
	place      int32  // in its group: the priority of its list, or its index in the heap
	group      uint32 // 1 + slot of its group; 0: not sorted in
	row        int32  // in the policy's table, if a module orders asks
	standing   standing
	role       role // in its gang; see ChooseRoles

	prevOnNode, nextOnNode Slot
}

// unsort records that the ask is in no group and no list.
func (o *order) unsort() { o.group, o.prev, o.next = 0, NoSlot, NoSlot }

const ordersInPage = 128

// At returns the ask in a slot, or none for NoSlot.
func (s *reader) At(slot Slot) Ask {
	if slot == NoSlot {
		return Ask{}
	}
	return Ask{s, slot}
}

// App returns the application with a number.
func (s *reader) App(number int32) App { return App{s.apps[number]} }

// Find returns the ask with an ID, or none.
func (s *reader) Find(id string) Ask { return s.At(s.rows.Find(id)) }

// Len returns the number of asks.
func (s *reader) Len() int { return s.rows.Len() }

// All calls yield with every ask, in no particular order. Callers must sort what depends on it.
func (s *reader) All(yield func(Ask) bool) {
	s.rows.All(func(slot Slot) bool { return yield(Ask{s, slot}) })
}

func (s *reader) order(slot Slot) *order { return &s.orders[slot/ordersInPage][slot%ordersInPage] }

func (a Ask) order() *order { return a.in.order(a.slot) }
