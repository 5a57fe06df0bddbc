package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/replacements"
	"github.com/quern-project/quern/core/resource"
)

// gangMemory is the gang of an application, except what follows from its asks.
type gangMemory struct {
	Ask      resource.Set
	Hard     bool `json:",omitempty"`
	Unit     bool `json:",omitempty"`
	Timeout  time.Duration
	Formed   bool `json:",omitempty"`
	Failed   bool `json:",omitempty"`
	Timed    bool `json:",omitempty"`
	Since    time.Duration
	Expired  bool `json:",omitempty"`
	Ended    bool `json:",omitempty"`
	Replaced int  `json:",omitempty"`
}

// toldMemory is the reason why an allocation that is not a victim is leaving.
type toldMemory struct {
	Reason core.Reason
	For    string `json:",omitempty"`
}

// replacementMemory is the wait of a task for a placeholder.
type replacementMemory struct {
	Placeholder string `json:",omitempty"` // empty after it has left
	Node        string `json:",omitempty"` // where the task will be allocated; empty after that node was removed
}

func (s *State) rememberGang(a app.App) *gangMemory {
	if !a.HasGang() {
		return nil
	}
	g := s.Gangs().Of(a.Number())
	return &gangMemory{s.Gangs().Declared(a.Number()), g.Hard, g.Unit, g.Timeout, g.Formed, g.Failed, g.Timed, g.Since, g.Expired, g.Ended, int(g.Replaced)}
}

func (s *State) rememberMember(ask app.Ask, m *askMemory) {
	m.Ask.TaskGroup, m.Ask.Placeholder, m.GaveUp = ask.TaskGroup().Name(), ask.IsPlaceholder(), ask.Member().NoPlaceholderFits
	if r, waits := s.Replacements().Of(ask.Slot()); waits {
		m.Replaces = &replacementMemory{}
		if r.Placeholder != app.NoSlot {
			m.Replaces.Placeholder = s.AskAt(r.Placeholder).ID()
		}
		if r.Node != app.NoNode {
			m.Replaces.Node = s.finder.ID(r.Node)
		}
	}
}

// gang returns the placeholders that an application declared. It returns nil if m is nil.
func (r restorer) gang(m *gangMemory) (*core.Placeholders, error) {
	if m == nil {
		return nil, nil
	}
	if err := positive(m.Ask); err != nil {
		return nil, err
	}
	switch {
	case m.Ask.IsZero() || m.Timeout <= 0:
		return nil, errors.New("expected placeholders with a sum above 0 and a timeout above 0")
	case m.Formed && m.Failed && m.Hard, m.Expired && !m.Timed:
		return nil, errors.New("expected a gang that failed or was formed, and placeholders that were told to leave only after some were allocated")
	case m.Timed && m.Since > r.all.Now:
		return nil, fmt.Errorf("expected placeholders that were allocated by %s, found %s", r.all.Now, m.Since)
	}
	return r.s.declared(&core.Placeholders{Ask: m.Ask, Hard: m.Hard, Unit: m.Unit, Timeout: m.Timeout}), nil
}

// gangFacts restores how far a gang has come.
func (r restorer) gangFacts(a app.App, m *gangMemory) {
	g := r.s.gangs.Edit(a.Number())
	g.Formed, g.Failed, g.Timed, g.Since, g.Expired = m.Formed, m.Failed, m.Timed, m.Since, m.Expired
	g.Replaced = int64(m.Replaced)
}

// member checks an ask's placeholder settings against its application.
func (r restorer) member(a app.App, m *askMemory) error {
	switch {
	case m.Ask.Placeholder && (!a.HasGang() || m.Ask.TaskGroup == ""):
		return errors.New("expected a placeholder of a gang, with a task group")
	case m.GaveUp && (!a.HasGang() || m.Ask.Placeholder):
		return errors.New("expected a task of a gang that gave placeholders up")
	case m.PlacedOn == "" && a.State() == apps.StateFailing:
		return fmt.Errorf("expected no pending ask of the failing application %q", m.App)
	}
	return nil
}

// replacements restores notices of leaving allocations, and the tasks that wait for placeholders.
func (r restorer) replacements() error {
	s := r.s
	for i := range r.m.Asks {
		m := &r.m.Asks[i]
		if m.Told == nil {
			continue
		}
		ask := s.orders.Find(m.ID)
		why, known := replacements.CauseOf(m.Told.Reason)
		if m.PlacedOn == "" || m.Leaving != nil || !known || !m.mayLeave(why) {
			return fmt.Errorf("ask %q: expected an allocated placeholder that was told to leave once, found the reason %q", m.ID, m.Told.Reason)
		}
		s.notify(ask, why, m.Told.For)
		s.memberChanged(ask)
	}
	for i := range r.m.Asks {
		if m := &r.m.Asks[i]; m.Replaces != nil {
			if err := r.replacement(m); err != nil {
				return fmt.Errorf("ask %q: %w", m.ID, err)
			}
		}
	}
	return nil
}

// mayLeave reports whether an allocation may have been asked to leave for a cause.
func (m *askMemory) mayLeave(why replacements.Cause) bool {
	switch why {
	case replacements.Finished:
		return true
	case replacements.GangEnded:
		return m.Ask.Gang != nil || m.Ask.Placeholder
	case replacements.TimedOut:
		return m.Walltime != nil && (m.Walltime.Limit > 0 || m.Walltime.Windowed) || m.Ask.Placeholder
	default:
		return m.Ask.Placeholder
	}
}

// replacement restores the wait of a task for its placeholder.
func (r restorer) replacement(m *askMemory) error {
	s, task := r.s, r.s.orders.Find(m.ID)
	if !task.Grouped() || task.IsPlaceholder() || m.PlacedOn != "" || m.Keeps != "" {
		return errors.New("expected a pending task of a gang that waits for a placeholder")
	}
	slot, on := app.NoSlot, app.NoNode
	if id := m.Replaces.Placeholder; id != "" {
		placeholder := s.orders.Find(id)
		if placeholder.IsNone() || placeholder.App() != task.App() || !r.leavesFor(placeholder, m.ID) {
			return fmt.Errorf("expected a placeholder of its application that was told to leave for it, found %q", id)
		}
		slot = placeholder.Slot()
	}
	if id := m.Replaces.Node; id != "" {
		n := s.finder.Find(id)
		if n == app.NoNode {
			return fmt.Errorf("expected a known node to land on, found %q", id)
		}
		on = n
	}
	s.awaitPlaceholder(task, slot, on)
	return nil
}

// leavesFor reports whether a placeholder is leaving for the task with an ID, and no task waits for it yet.
func (r restorer) leavesFor(placeholder app.Ask, id string) bool {
	v := r.s.Replacements()
	why, leaves := v.Notice(placeholder.Slot())
	return leaves && v.For(why) == id && why.Task == app.NoSlot
}
