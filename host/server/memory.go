package server

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/store"
)

// hostMemory is what the host keeps of a record beside the scheduler. It follows batches without deciding their inputs.
type hostMemory struct {
	at       store.Position // of the last batch
	open     []core.Input   // of the last batch: they are decided with the next
	numbers  uint64         // of inputs
	keys     *keys
	applied  Applied
	history  history
	modules  modules
	managers managers
}

// clone returns a copy that has its own future.
func (m *hostMemory) clone() hostMemory {
	c := *m
	c.keys, c.open = newKeys(), slices.Clone(m.open)
	c.modules, c.history.list, c.managers = slices.Clone(m.modules), slices.Clone(m.history.list), maps.Clone(m.managers)
	for _, k := range m.keys.order {
		known := *k
		c.keys.byKey[k.Key] = &known
		c.keys.order = append(c.keys.order, &known)
	}
	return c
}

// decided keeps what follows from an input, if it was accepted, and from decisions. Without an input they are those of a deadline or a cycle.
func (m *hostMemory) decided(in *core.Input, refused core.Reason, decisions []core.Decision) {
	if in != nil && refused == core.Accepted {
		if set, ok := in.Event.(*core.SetConfig); ok {
			m.history.add(in.At, in.By, set)
		}
		m.modules.take(in.Event, m.at.Batch)
	}
	for i := range decisions {
		if decisions[i].Type == core.PolicyFault {
			m.modules.fault(&decisions[i])
		}
	}
}

// follow goes on to a batch. The inputs of the batch before have been decided.
func (m *hostMemory) follow(p store.Position, b *decodedBatch) error {
	m.open, m.at = b.inputs, p
	m.numbers += uint64(len(b.inputs))
	return m.remember(b)
}

// remember keeps the lines of a batch that are no inputs: idempotency keys, senders, owners of resource managers, files.
func (m *hostMemory) remember(b *decodedBatch) error {
	for _, line := range b.answered {
		known := m.keys.byKey[line.Answer]
		if known == nil {
			return fmt.Errorf("batch %d: it answers the request %q, which did not come", m.at.Batch, line.Answer)
		}
		known.Decisions, known.open = line.Decisions, false
	}
	m.keys.expire(time.Duration(m.at.At)) // before a key comes again
	least := m.numbers - uint64(len(b.inputs)) + 1
	if err := checkActors(m.at.Batch, b.actors, least, m.numbers); err != nil {
		return err
	}
	m.nameActors(b.actors, least)
	for _, line := range b.requests {
		if line.First < least || line.Last < line.First || line.Last > m.numbers {
			return fmt.Errorf("batch %d: the request %q has the inputs %d to %d, which are not in the batch", m.at.Batch, line.Request, line.First, line.Last)
		}
		least = line.Last + 1
		known := &keyed{Key: line.Request, SHA256: line.SHA256, First: line.First, Last: line.Last,
			At: time.Duration(m.at.At), Batch: m.at.Batch, open: true}
		m.keys.byKey[known.Key] = known
		m.keys.order = append(m.keys.order, known)
	}
	if b.applied.File != "" {
		m.applied = b.applied
		m.history.applied(b.applied)
	}
	m.managers.register(b.registers)
	return nil
}
