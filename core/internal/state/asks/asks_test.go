package asks

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/quern-project/quern/core/internal/hold"
	"github.com/quern-project/quern/core/internal/state/internal/table"
	_ "github.com/quern-project/quern/internal/seeded"

	"pgregory.net/rapid"
)

func TestRows_HoldNoPointers(t *testing.T) {
	for _, err := range []error{table.Flat[row](), table.Flat[Member]()} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestRow_FitsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(row{}); size > 64 {
		t.Errorf("a row has %d bytes, expected at most 64", size)
	}
}

// model is the expected state of an ask.
type model struct {
	Ask
	id     string
	member Member
	number uint64
	at     time.Duration
}

// trial compares the owner with plain maps.
type trial struct {
	*rapid.T
	o       *Asks
	live    map[Slot]*model
	removed map[Slot]*model
	seq     uint64
}

func (tr *trial) roll(what string, n int) int { return rapid.IntRange(0, n-1).Draw(tr.T, what) }

func (tr *trial) add() {
	tr.seq++
	id := fmt.Sprint("ask-", tr.roll("id", 30))
	taken, place := tr.o.View().Locate(id)
	if taken != NoSlot {
		return
	}
	m := &model{id: id, Ask: Ask{Seq: tr.seq, Created: time.Duration(tr.seq), Priority: int32(tr.roll("priority", 3)), App: int32(tr.roll("app", 3)), Class: int32(tr.roll("class", 3))}}
	slot := tr.o.Put(id, place, m.Ask)
	m.Node = NoNode
	if tr.roll("grouped", 2) == 0 {
		m.Grouped, m.member = true, Member{Group: int32(tr.seq), Placeholder: tr.seq%2 == 0}
		tr.o.Join(slot, m.member)
	}
	if tr.removed[slot] != nil || tr.live[slot] != nil {
		tr.Fatalf("slot %d is in use", slot)
	}
	tr.live[slot] = m
}

func (tr *trial) change(slot Slot, m *model) {
	switch tr.roll("change", 9) {
	case 0:
		m.Priority = int32(tr.roll("priority", 9))
		tr.o.SetPriority(slot, m.Priority)
	case 1:
		m.Class = int32(tr.roll("class", 9))
		tr.o.SetClass(slot, m.Class)
	case 2:
		m.Hold, m.HoldOn = hold.Claimed, int32(tr.roll("node", 9))
		tr.o.SetHold(slot, m.Hold, m.HoldOn)
	case 3:
		m.Node, m.number, m.at = int32(tr.roll("node", 9)), tr.seq, time.Duration(tr.seq)
		tr.o.Place(slot, m.Node, m.number, m.at)
	case 4:
		m.Leaving, m.Observed, m.Atomic = true, true, int32(tr.roll("gang", 9))
		tr.o.MarkLeaving(slot)
		tr.o.MarkObserved(slot)
		tr.o.SetAtomic(slot, m.Atomic)
	case 5:
		m.Originator, m.NotPreemptable = !m.Originator, !m.NotPreemptable
		tr.o.Protect(slot, m.Originator, m.NotPreemptable)
	case 6:
		m.Seq, m.Created = tr.seq+1000, 7
		tr.o.Renumber(slot, m.Seq, m.Created)
		if m.Node != NoNode {
			m.number, m.at = tr.seq, 8
			tr.o.RenumberPlacement(slot, m.number, m.at)
		}
	case 7:
		if m.Grouped {
			m.member.Replacing, m.member.NoPlaceholderFits = !m.member.Replacing, true
			tr.o.SetReplacing(slot, m.member.Replacing)
			tr.o.SetNoPlaceholderFits(slot)
		}
	default:
		delete(tr.live, slot)
		m.removed = true
		tr.removed[slot] = m
		tr.o.Remove(slot)
	}
}

func (tr *trial) free() {
	for _, slot := range slices.Sorted(maps.Keys(tr.removed)) { // so that a seed reuses slots alike
		tr.o.Free(slot)
	}
	clear(tr.removed)
}

func (tr *trial) check() {
	v := tr.o.View()
	if got, want := slices.Sorted(v.All), slices.Sorted(maps.Keys(tr.live)); !slices.Equal(got, want) || v.Len() != len(want) {
		tr.Fatalf("slots %v, expected %v", got, want)
	}
	for slot, m := range tr.live {
		tr.checkRow(slot, m)
		if found := v.Find(m.id); found != slot {
			tr.Fatalf("%s has slot %d, expected %d", m.id, found, slot)
		}
	}
	for slot, m := range tr.removed {
		tr.checkRow(slot, m)
		if v.Find(m.id) == slot {
			tr.Fatalf("%s was removed, and is found", m.id)
		}
	}
}

// checkRow also holds for removed asks, which followers of the log read.
func (tr *trial) checkRow(slot Slot, m *model) {
	v := tr.o.View()
	if v.At(slot) != m.Ask || v.ID(slot) != m.id {
		tr.Fatalf("slot %d has %+v, expected %+v", slot, v.At(slot), m.Ask)
	}
	if m.Grouped && v.Member(slot) != m.member {
		tr.Fatalf("slot %d is the member %+v, expected %+v", slot, v.Member(slot), m.member)
	}
	if number, at := v.Placed(slot); number != m.number || at != m.at {
		tr.Fatalf("slot %d has the allocation %d at %d, expected %d at %d", slot, number, at, m.number, m.at)
	}
	single := Ask{
		Created: v.Created(slot), Seq: v.Seq(slot), Priority: v.Priority(slot), App: v.App(slot), Class: v.Class(slot), Node: v.Node(slot),
		HoldOn: v.HoldOn(slot), Hold: v.Hold(slot), Atomic: v.Atomic(slot), Grouped: v.Grouped(slot), Leaving: v.Leaving(slot),
		Originator: m.Originator, NotPreemptable: m.NotPreemptable, Observed: m.Observed, removed: m.removed,
	}
	if single != m.Ask {
		tr.Fatalf("single fields of slot %d: %+v, expected %+v", slot, single, m.Ask)
	}
}

func TestAsks_EqualPlainMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := &trial{T: t, o: New(), live: map[Slot]*model{}, removed: map[Slot]*model{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			tr.step()
			tr.check()
		}
	})
}
