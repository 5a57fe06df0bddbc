package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
)

// Collect adds a part of a snapshot. After the last part, it returns the state that replaces this one, if the snapshot describes the
// current cluster; short is as in Restore. An unusable snapshot is refused, and the state stays as earlier inputs have made it.
func (c *Shared) Collect(in *core.SetState) (next *Shared, short []bool, refused core.Reason) {
	text, whole, err := c.join(&in.StatePart)
	if err != nil {
		return nil, nil, c.RefuseState(in, err)
	}
	if !whole {
		return nil, nil, core.Accepted
	}
	m, err := readSnapshot(text)
	if err == nil && m.Now != c.now {
		err = fmt.Errorf("snapshot: expected the state of %s, found that of %s", c.now, m.Now)
	}
	if err == nil && !c.resembles(m) {
		c.ignore(in, core.ReasonStateDiffers, "the inputs before it tell of other nodes, applications or asks than the snapshot")
		return nil, nil, core.ReasonStateDiffers
	}
	if err == nil {
		next, err = restore(m, c.options)
	}
	if err != nil {
		return nil, nil, c.RefuseState(in, err)
	}
	next.seq, next.decisions = c.seq, c.decisions
	next.tell(m, c)
	return next, m.short(), core.Accepted
}

// join stores a part. It returns the text of the snapshot once all parts are there.
func (c *Shared) join(p *core.StatePart) (text []byte, whole bool, err error) {
	if p.Part == 1 {
		c.parts = nil
	}
	if expected := len(c.parts) + 1; p.Part != expected || p.Parts < expected {
		c.parts = nil
		return nil, false, fmt.Errorf("expected part %d, found %d of %d", expected, p.Part, p.Parts)
	}
	c.parts = append(c.parts, p.Snapshot)
	if !p.Last() {
		return nil, false, nil
	}
	text = []byte(strings.Join(c.parts, ""))
	c.parts = nil
	return text, true, nil
}

// RefuseState refuses a snapshot that inputs have provided, and returns the reason.
func (c *Shared) RefuseState(in *core.SetState, err error) core.Reason {
	c.ignore(in, core.ReasonBadState, err.Error())
	return core.ReasonBadState
}

// resembles reports whether the state contains the same objects as a snapshot, except for policies and the text of the configuration.
func (c *Shared) resembles(m *snapshot) bool {
	return len(m.Others) == len(c.others()) && (c.source.Text == "") == (m.Config.Text == "") &&
		slices.EqualFunc(visible(c.Present()), visible(m.present(c.others())), alike)
}

// alike reports whether two inputs are equal.
func alike(a, b core.Input) bool {
	one, err := json.Marshal(a)
	other, failed := json.Marshal(b)
	return a.Type() == b.Type() && err == nil && failed == nil && bytes.Equal(one, other)
}

// visible removes policies, since inputs may have announced others than those of the snapshot, and the configuration, which may differ. It
// also removes data that earlier releases did not write: the gangs of allocations, and the numbers of succeeded members; and walltimes, for
// which the inputs may have other defaults.
func visible(list []core.Input) []core.Input {
	return slices.DeleteFunc(list, func(in core.Input) bool {
		switch e := in.Event.(type) {
		case *core.AddApp:
			e.Succeeded = nil
		case *core.AddAsk:
			e.Walltime, e.Overrun = 0, ""
		case *core.RestoreAllocation:
			e.Ask.Gang = nil
			e.Walltime, e.Overrun, e.Since = 0, "", nil
		case *core.SetPolicy, *core.RemovePolicy, *core.SetConfig:
			return true
		default:
		}
		return false
	})
}

// tell emits decisions for followers of a state that replaces another one: changed states of applications, and reservations.
func (c *Shared) tell(m *snapshot, before *Shared) {
	for i, s := range c.partitions {
		for _, a := range m.partitions()[i].Apps {
			if was := before.partitions[i].orders.AppWithID(a.ID).State().String(); was != a.State {
				d := c.emit(core.AppState)
				d.ID, d.From, d.To, d.Reason = a.ID, was, a.State, core.ReasonStateSet
			}
		}
		for r := range s.Reservations().All() {
			d := c.emit(core.Reservation)
			d.ID, d.Node = s.AskAt(r.Ask).ID(), s.finder.ID(r.Node)
		}
		for _, p := range s.accumulation.held {
			d := c.emit(core.Reservation)
			d.ID, d.Node, d.Gang = p.Ask.ID(), s.finder.ID(p.Node), s.accumulation.Gang.Row().ID
		}
	}
}
