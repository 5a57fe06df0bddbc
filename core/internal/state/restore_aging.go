package state

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/decay"
	"github.com/quern-project/quern/core/internal/state/aged"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// agedMemory is the aged usage of a queue, or of a user in a leaf, in a snapshot.
type agedMemory struct {
	Queue    string
	User     *string        `json:",omitempty"` // nil for that of the queue
	HalfLife instant.Delay  `json:",omitempty"`
	At       time.Duration  // of the last change
	Gone     *time.Duration `json:",omitempty"` // since when the queue is gone, or the user uses nothing
	Amounts  []agedAmount   `json:",omitempty"` // those above 0, by type
}

// agedAmount is that of a type, in 2^-32 of a unit.
type agedAmount struct {
	Type  string
	Aged  decay.Amount // at the last change
	Shown decay.Amount // at the last multiple of the period before it
}

// rememberAging returns the records that still count, by queue and user.
func (s *State) rememberAging() (list []agedMemory) {
	v := s.Aged()
	for _, id := range v.All() {
		if !v.Outdated(id, s.now) {
			list = append(list, s.rememberAged(v.Record(id)))
		}
	}
	return list
}

func (s *State) rememberAged(r aged.Record) agedMemory {
	m := agedMemory{Queue: r.Path, HalfLife: r.HalfLife, At: r.At, Gone: r.Since}
	if r.OfUser {
		m.User = &r.User
	}
	for t, a := range r.Amounts {
		if a != (aged.Amounts{}) {
			m.Amounts = append(m.Amounts, agedAmount{s.types.Name(t), a.Aged, a.Shown})
		}
	}
	slices.SortFunc(m.Amounts, func(a, b agedAmount) int { return strings.Compare(a.Type, b.Type) })
	return m
}

// aging restores aged usage. Queues, applications and allocations are known.
func (r restorer) aging() error {
	s := r.s
	for i := range r.m.Aged { // all types first, since they widen the ledger
		for _, a := range r.m.Aged[i].Amounts {
			s.admit(resource.NewSet(resource.Quantity{Type: a.Type, Value: 1}))
		}
	}
	s.aging.ledger = aged.New(s.types.Width())
	for i := range r.m.Aged {
		m := &r.m.Aged[i]
		if err := r.agedRecord(m); err != nil {
			return fmt.Errorf("aged usage of queue %q: %w", m.Queue, err)
		}
	}
	s.indexAging()
	return r.allAged()
}

// agedRecord restores one record.
func (r restorer) agedRecord(m *agedMemory) error {
	s := r.s
	record := aged.Record{Name: aged.Name{Path: m.Queue, OfUser: m.User != nil}, HalfLife: m.HalfLife, At: m.At, Since: m.Gone, Amounts: make([]aged.Amounts, s.types.Width())}
	if m.User != nil {
		record.User = *m.User
	}
	if s.Aged().Find(record.Name) != aged.None || m.HalfLife < 0 || m.At > r.all.Now || m.Gone != nil && *m.Gone > m.At && record.OfUser || m.Gone != nil && *m.Gone > r.all.Now {
		return fmt.Errorf("expected it once, with a half-life, and nothing after the present, found %s", m.At)
	}
	for _, a := range m.Amounts {
		t, known := s.types.Find(a.Type)
		if !known || record.Amounts[t] != (aged.Amounts{}) || !a.Aged.IsValid() || !a.Shown.IsValid() {
			return fmt.Errorf("expected each type once, with amounts of 2^95 at most, found %q", a.Type)
		}
		record.Amounts[t] = aged.Amounts{Aged: a.Aged, Shown: a.Shown}
	}
	usage, gone, err := r.usageOf(&record)
	if err == nil && gone != (m.Gone != nil) {
		err = errors.New("expected since when it is gone if it is, and only then")
	}
	if err == nil {
		s.aging.ledger.Restore(&record, usage)
	}
	return err
}

// usageOf returns the current usage of a record's queue or user, and whether the queue is gone or the user uses nothing.
func (r restorer) usageOf(record *aged.Record) (usage resource.Vec, gone bool, err error) {
	s, tree := r.s, r.s.Queues()
	usage = make(resource.Vec, s.types.Width())
	q, decides := tree.Find(record.Path), tree.Find(decidingPath(record.Name))
	if decides != queues.None {
		conf := tree.Conf(decides)
		if conf.HalfLife != record.HalfLife || record.OfUser && !s.comparesUsers(conf) || !record.OfUser && (conf.Leaf || conf.HalfLife == 0) {
			return nil, false, fmt.Errorf("expected the half-life in force, %s, found %s", conf.HalfLife, record.HalfLife)
		}
	}
	switch {
	case q == queues.None:
		gone = true
	case !record.OfUser:
		usage = tree.AllUsed(q)
	default:
		gone = true
		for a := range s.leaves[q].Apps {
			if a.User() == record.User && a.Allocations() > 0 {
				usage.Add(a.Used().Amounts())
				gone = false
			}
		}
	}
	return usage, gone, nil
}

// allAged checks that each queue and each user whose usage ages has a record.
func (r restorer) allAged() error {
	s, tree := r.s, r.s.Queues()
	for q := range tree.All {
		parent := tree.Parent(q)
		missing := parent != queues.None && tree.Conf(parent).HalfLife > 0 && s.AgedOf(q) == aged.None
		if s.aging.byUser[q] {
			for a := range s.leaves[q].Apps {
				missing = missing || a.Allocations() > 0 && s.AgedUser(q, a.User()) == aged.None
			}
		}
		if missing {
			return fmt.Errorf("queue %q: expected its aged usage, and that of its users", tree.Path(q))
		}
	}
	return nil
}
