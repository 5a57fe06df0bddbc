package state

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
)

// budgets holds the victims that still count in the budgets of queues, oldest first. Queues without any have no entry.
type budgets map[queues.ID][]pastVictims

// pastVictims are the victims of a queue that were chosen at one instant.
type pastVictims struct {
	At    time.Duration
	Count int64
}

// SpendsBudgets reports whether some queue has victims that count in its budget.
func (s *State) SpendsBudgets() bool { return len(s.budgets) > 0 }

// BudgetLeft returns how many more victims the budget of a queue permits now. It is below 0 if victims that the budget does not bound exceed it.
func (s *State) BudgetLeft(q queues.ID) int64 {
	left := s.Queues().Conf(q).Budget.Victims
	for _, past := range s.budgets[q] {
		left -= past.Count
	}
	return left
}

// spendBudgets counts chosen victims in the budgets of their queues.
func (s *State) spendBudgets(victims []app.Ask) {
	tree := s.Queues()
	for _, v := range victims {
		for q := s.QueueOf(v); q != queues.None; q = tree.Parent(q) {
			if tree.Conf(q).Budget.Victims > 0 {
				s.spend(q)
			}
		}
	}
}

func (s *State) spend(q queues.ID) {
	list := s.budgets[q]
	if last := len(list) - 1; last >= 0 && list[last].At == s.now {
		list[last].Count++
		return
	}
	if s.budgets == nil {
		s.budgets = budgets{}
	}
	s.budgets[q] = append(list, pastVictims{s.now, 1})
}

// NextBudget returns the next instant at which victims no longer count in a budget. ok is false if none count.
func (s *State) NextBudget() (at time.Duration, ok bool) {
	for q, list := range s.budgets {
		at, ok = instant.Sooner(at, ok, s.Queues().Conf(q).Budget.Within.After(list[0].At))
	}
	return at, ok
}

// renewBudgets drops the victims that no longer count.
func (s *State) renewBudgets() {
	for q, list := range s.budgets {
		conf, n := s.Queues().Conf(q), 0
		for n < len(list) && (conf.Budget.Victims == 0 || conf.Budget.Within.After(list[n].At) <= s.now) {
			n++
		}
		if n == 0 {
			continue
		}
		if s.budgets[q] = slices.Clone(list[n:]); n == len(list) {
			delete(s.budgets, q)
		}
		s.note(BudgetFreed)
	}
}

// clone returns an independent copy.
func (b budgets) clone() budgets {
	if len(b) == 0 {
		return nil
	}
	out := make(budgets, len(b))
	for q, list := range b {
		out[q] = slices.Clone(list)
	}
	return out
}

// budgetMemory holds the victims that count in the budget of a queue.
type budgetMemory struct {
	Queue   string
	Victims []pastVictims
}

func (s *State) rememberBudgets() (list []budgetMemory) {
	for _, q := range slices.SortedFunc(maps.Keys(s.budgets), func(a, b queues.ID) int {
		return cmp.Compare(s.Queues().Path(a), s.Queues().Path(b))
	}) {
		list = append(list, budgetMemory{s.Queues().Path(q), slices.Clone(s.budgets[q])})
	}
	return list
}

// budgets restores the victims that count in budgets. Queues are known.
func (r restorer) budgets() error {
	s := r.s
	s.budgets = nil
	for _, m := range r.m.Budgets {
		q := s.Queues().Find(m.Queue)
		if q == queues.None || s.Queues().Conf(q).Budget.Victims == 0 || len(m.Victims) == 0 || s.budgets[q] != nil {
			return fmt.Errorf("budget of queue %q: expected a queue with a budget once, with victims", m.Queue)
		}
		for i, past := range m.Victims {
			if past.Count < 1 || past.At > r.all.Now || i > 0 && past.At <= m.Victims[i-1].At {
				return fmt.Errorf("budget of queue %q: expected victims in order of time until %s, found %d at %s", m.Queue, r.all.Now, past.Count, past.At)
			}
		}
		if s.budgets == nil {
			s.budgets = budgets{}
		}
		s.budgets[q] = slices.Clone(m.Victims)
	}
	return nil
}
