package state

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/apps"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// placeholderPeriod is the default timeout of placeholders.
const placeholderPeriod = 15 * time.Minute

// declared returns the placeholders that an input declares, with their timeout. It returns nil if there are none.
func (s *State) declared(p *core.Placeholders) *core.Placeholders {
	if p == nil || p.Ask.IsZero() {
		return nil
	}
	ask := s.deviceAmounts(p.Ask)
	s.admit(ask)
	timeout := p.Timeout
	if timeout == 0 {
		timeout = placeholderPeriod
	}
	return &core.Placeholders{Ask: ask, Hard: p.Hard, Timeout: timeout, Unit: p.Unit}
}

// gangRefusal returns the reason why an application with placeholders cannot run in a leaf, which may not exist yet, below a queue. The
// reason is empty if it can.
func (s *State) gangRefusal(in *core.AddApp, leaf *config.Queue, above queues.ID) (reason core.Reason, message string) {
	p := *in.Placeholders
	p.Ask = s.deviceAmounts(p.Ask)
	if reason, message = s.gangSortRefusal(leaf); reason != "" {
		return reason, message
	}
	conf, tree := leaf, s.Queues()
	for q := above; q != queues.None; q = tree.Parent(q) {
		if over := exceeding(p.Ask, conf.Max); over != nil {
			most, _ := conf.Max.Value(over.Type)
			return core.ReasonGangTooLarge, fmt.Sprintf("the placeholders need %s, and the max of queue %q is %s",
				over.Readable(), core.ShownPath(s.shown, conf.Path), resource.Readable(over.Type, most))
		}
		conf = tree.Conf(q)
	}
	nearest := s.nearest(leaf.Path) // queues that do not exist yet have no limits
	group := groupOf(tree, nearest, in.Groups)
	for q := nearest; q != queues.None; q = tree.Parent(q) {
		limits := tree.Limits(q)
		if limits.IsNone() {
			continue
		}
		for _, l := range limits.Of(in.User, group) {
			if over := exceeding(p.Ask, l.MaxResources); over != nil {
				most, _ := l.MaxResources.Value(over.Type)
				return core.ReasonGangTooLarge, fmt.Sprintf("the placeholders need %s, and a limit of queue %q is %s",
					over.Readable(), tree.Shown(q), resource.Readable(over.Type, most))
			}
		}
	}
	return "", ""
}

// gangSortRefusal returns the reason why a leaf's order of applications does not permit placeholders. The reason is empty if it does.
func (s *State) gangSortRefusal(leaf *config.Queue) (reason core.Reason, message string) {
	if sort := leaf.AppSort; sort != config.FIFO && sort != config.StateAware {
		return core.ReasonGangSortPolicy, fmt.Sprintf("queue %q sorts applications by %s: gangs need %s or %s", core.ShownPath(s.shown, leaf.Path), sort, config.FIFO, config.StateAware)
	}
	return "", ""
}

// exceeding returns the first amount that exceeds its bound, or nil.
func exceeding(amounts, most resource.Set) *resource.Quantity {
	for i := range amounts {
		if bound, set := most.Value(amounts[i].Type); set && amounts[i].Value > 0 && amounts[i].Value > bound {
			return &amounts[i]
		}
	}
	return nil
}

// refuseMember returns the reason why an application does not accept an ask or a restored allocation. The reason is empty if it does.
func (s *State) refuseMember(a app.App, in *core.AddAsk) (reason core.Reason, message string) {
	switch {
	case a.State() == apps.StateFailing:
		return core.ReasonAppFailing, fmt.Sprintf("application %q is failing: it takes no asks", a.ID())
	case !in.Ask.Placeholder:
		return "", ""
	case !a.HasGang():
		return core.ReasonNotAGang, fmt.Sprintf("application %q has declared no placeholders", a.ID())
	case in.Ask.TaskGroup == "":
		return core.ReasonNoTaskGroup, "a placeholder must name its task group"
	case s.Gangs().Of(a.Number()).Failed:
		return core.ReasonGangOver, fmt.Sprintf("the gang of application %q was not formed in time", a.ID())
	}
	return "", ""
}

// rejectMember rejects an ask that its application does not accept. It reports whether it did.
func (s *State) rejectMember(a app.App, in *core.AddAsk) bool {
	reason, message := s.refuseMember(a, in)
	if reason != "" {
		s.rejectAsk(in, reason, message)
	}
	return reason != ""
}

// gangChanged updates the state of an application's tasks after a change of its placeholders, of those of a group (none if no group is
// concerned), or of its state.
func (s *State) gangChanged(a app.App, group app.TaskGroup) {
	s.edit(a).UpdateTasks(group, a.State() == apps.StateResuming)
	c := s.note(GangChanged)
	c.app, c.queue = a, QueueOfApp(a)
}

// memberChanged calls gangChanged after a change of an ask, if the ask belongs to a gang.
func (s *State) memberChanged(ask app.Ask) {
	if ask.Grouped() {
		s.gangChanged(ask.App(), ask.TaskGroup())
	}
}

// enqueueMember counts an ask that becomes pending in its gang.
func (s *State) enqueueMember(ask app.Ask, a app.App) {
	placeholder := ask.IsPlaceholder()
	s.gangs.Enqueue(a.Number(), placeholder)
	if !placeholder {
		s.edit(a).ListTask(ask)
	}
}

// dequeueMember undoes enqueueMember.
func (s *State) dequeueMember(ask app.Ask, a app.App) {
	placeholder := ask.IsPlaceholder()
	s.gangs.Dequeue(a.Number(), placeholder)
	if !placeholder {
		s.edit(a).UnlistTask(ask)
	}
}

// placeholderLeaves counts an allocated placeholder as leaving in its gang.
func (s *State) placeholderLeaves(ask app.Ask) {
	s.gangs.Leave(ask.App().Number(), ask.Class().Demand())
	s.edit(ask.App()).UnlistPlaceholder(ask)
}

// mayForm reports whether the gang of an application has neither formed nor failed yet. An application without placeholders has none.
func (s *State) mayForm(a app.App) bool {
	g := s.Gangs().Of(a.Number())
	return a.HasGang() && !g.Formed && !g.Failed
}

// placeMember counts an allocation in its gang. With its first allocated placeholder, an application takes a place under maxapplications.
func (s *State) placeMember(ask app.Ask) {
	a := ask.App()
	if !ask.IsPlaceholder() {
		s.gangs.PlaceTask(a.Number())
		return
	}
	place := func() { s.gangs.Place(a.Number(), ask.Class().Demand()); s.edit(a).ListPlaceholder(ask) }
	if a.HoldsPlaceholder() {
		place()
		return
	}
	s.changePlaces(a, func() { s.edit(a).Change(s.shrinkEpoch, place) })
}

// freeMember undoes placeMember.
func (s *State) freeMember(ask app.Ask) {
	a := ask.App()
	if !ask.IsPlaceholder() {
		s.gangs.FreeTask(a.Number())
		return
	}
	if !ask.Leaving() {
		s.placeholderLeaves(ask)
	}
	free := func() { s.gangs.Free(a.Number()) }
	if s.Gangs().Of(a.Number()).Allocated > 1 {
		free()
		return
	}
	s.changePlaces(a, func() { s.edit(a).Change(s.shrinkEpoch, free) })
}

// memberAllocated updates a gang after an allocation. It reports whether the application needs no further update.
func (s *State) memberAllocated(ask app.Ask) bool {
	a := ask.App()
	if ask.IsPlaceholder() {
		s.placeholderAllocated(a)
	} else if !s.Gangs().Of(a.Number()).Formed {
		s.gangFormed(a)
	}
	s.memberChanged(ask)
	return ask.IsPlaceholder()
}

func (s *State) gangFormed(a app.App) {
	g := s.gangs.Edit(a.Number())
	if g.Formed = true; g.Unit {
		s.note(UnitChanged).app = a
	}
}

// placeholderAllocated starts the timeout of placeholders, and checks whether the gang has formed.
func (s *State) placeholderAllocated(a app.App) {
	g := s.gangs.Edit(a.Number())
	if !g.Timed {
		g.Timed, g.Expired, g.Since = true, false, s.now
		s.timeGang(a)
	}
	if g.Formed || a.State() != apps.StateAccepted || !s.Gangs().HasRoom(a.Number(), s.types) {
		return
	}
	s.gangFormed(a)
	to := apps.StateStarting
	if a.Tag(stateAwareOff) == "true" {
		to = apps.StateRunning
	}
	s.setState(a, to, core.ReasonGangFormed)
}

// timeGang sets the timer of placeholders.
func (s *State) timeGang(a app.App) {
	if at, ok := s.Gangs().Of(a.Number()).EndsAt(); ok {
		s.timers.push(timer{at: at, kind: gangTimer, seq: a.Seq(), app: a})
	}
}

// endGang ends the placeholders after their timeout. If the gang has not formed, the application continues without it, or fails.
func (s *State) endGang(a app.App) {
	s.gangs.Edit(a.Number()).Expired = true
	s.endAllPlaceholders(a, core.ReasonTimeout)
	if g := s.gangs.Edit(a.Number()); !g.Formed {
		g.Failed = true
		if g.Hard {
			s.setState(a, apps.StateFailing, core.ReasonGangTimeout)
			for _, ask := range s.PendingOf(a) {
				s.withdraw(ask)
			}
		} else {
			s.setState(a, apps.StateResuming, core.ReasonGangTimeout)
		}
		s.gangChanged(a, app.TaskGroup{})
	}
	s.idle(a)
}

// endPlaceholders ends the placeholders of an application that has been Completing for its whole period. It reports whether there were any.
func (s *State) endPlaceholders(a app.App) bool {
	if s.Gangs().Of(a.Number()).Placeholders() == 0 {
		return false
	}
	s.gangs.Edit(a.Number()).Ended = true
	s.endAllPlaceholders(a, core.ReasonAppCompleting)
	s.gangLeft(a)
	return true
}

// gangLeft updates the state of an application with placeholders after it has lost an ask or an allocation. It reports whether no further
// update is needed.
func (s *State) gangLeft(a app.App) bool {
	g, left, state := s.gangs.Edit(a.Number()), a.PendingAsks()+a.Allocations(), a.State()
	if g.Placeholders() == 0 {
		g.Timed, g.Expired = false, false
	}
	switch {
	case state == apps.StateFailing:
		if left == 0 {
			s.end(a, apps.StateFailed, core.ReasonFailed)
		}
		return true
	case state == apps.StateCompleting:
		if g.Ended && g.Placeholders() == 0 {
			s.end(a, apps.StateCompleted, core.ReasonCompletingDone)
		}
		return true
	case state == apps.StateResuming && left > 0:
		if g.Placeholders() == 0 {
			s.setState(a, apps.StateAccepted, core.ReasonGangOver)
			s.gangChanged(a, app.TaskGroup{})
		}
		return true
	case g.Formed && a.AllocationsMade() > 0 && g.Tasks == 0 && left > 0:
		s.setState(a, apps.StateCompleting, core.ReasonIdle)
		return true
	}
	return false
}
