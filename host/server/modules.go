package server

import (
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// Module is a policy module that the record names, or its newest snapshots.
type Module struct {
	Name, SHA256 string
	Set          uint64  // batch of its announcement
	Retired      uint64  `json:",omitempty"` // batch in which another took its place, or it was removed; 0: it is there
	Faults       uint64  `json:",omitempty"`
	Last         *Faulty `json:",omitempty"` // nil: there has been none
}

// Faulty is the last time that a module failed.
type Faulty struct {
	At                        time.Duration
	Reason, Message, Fallback string
}

// modules lists what the record says of policy modules, by the time of their announcement.
type modules []Module

// current is the module of a name that is there, or nil.
func (m modules) current(name string) *Module {
	for i := len(m) - 1; i >= 0; i-- {
		if m[i].Name == name && m[i].Retired == 0 {
			return &m[i]
		}
	}
	return nil
}

// take takes in an announcement, or a removal, that was accepted in a batch.
func (m *modules) take(e core.Event, batch uint64) {
	switch e := e.(type) {
	case *core.SetPolicy:
		if now := m.current(e.Name); now == nil || !strings.EqualFold(now.SHA256, e.SHA256) {
			m.retire(e.Name, batch)
			*m = append(*m, Module{Name: e.Name, SHA256: strings.ToLower(e.SHA256), Set: batch})
		}
	case *core.RemovePolicy:
		m.retire(e.Name, batch)
	default:
	}
}

func (m modules) retire(name string, batch uint64) {
	if now := m.current(name); now != nil {
		now.Retired = batch
	}
}

// fault takes in that a policy failed.
func (m modules) fault(d *core.Decision) {
	if now := m.current(d.Policy); now != nil {
		now.Faults++
		now.Last = &Faulty{d.At, string(d.Reason), d.Message, d.Fallback}
	}
}

// forget drops those that are in no batch from first on, nor in a snapshot that is kept.
func (m *modules) forget(first uint64) {
	*m = slices.DeleteFunc(*m, func(x Module) bool { return x.Retired != 0 && x.Retired+1 < first })
}

// FirstBatch is the first batch that is kept.
func (v *View) FirstBatch() uint64 { return v.store.First() }

// Modules lists the policy modules that are there, and those that a recovery or an export may need.
func (v *View) Modules() []Module {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.memory.modules.forget(v.store.First())
	list := slices.Clone(v.memory.modules)
	for i := range list {
		if list[i].Last != nil {
			last := *list[i].Last
			list[i].Last = &last
		}
	}
	return list
}
