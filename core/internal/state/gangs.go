package state

import (
	"fmt"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/resource"
)

// placeholderPeriod is the time of placeholders where the application names none.
const placeholderPeriod = 15 * time.Minute

// newGang makes the gang that an input declares; nil: the application has no placeholders.
func (s *State) newGang(p *core.Placeholders) *app.Gang {
	if p == nil || p.Ask.IsZero() {
		return nil
	}
	s.admit(p.Ask)
	timeout := p.Timeout
	if timeout == 0 {
		timeout = placeholderPeriod
	}
	return app.NewGang(p.Ask, p.Hard, timeout, s.Types.Width())
}

// gangRefusal says why an application with placeholders cannot run in a leaf, which may have to be made below a queue; a reason of "" lets it.
func (s *State) gangRefusal(in *core.AddApp, leaf *config.Queue, above *queue.Queue) (reason core.Reason, message string) {
	p := in.Placeholders
	if reason, message = s.gangSortRefusal(leaf); reason != "" {
		return reason, message
	}
	conf := leaf
	for q := above; q != nil; q = q.Parent {
		if over := exceeding(p.Ask, conf.Max); over != nil {
			most, _ := conf.Max.Value(over.Type)
			return core.ReasonGangTooLarge, fmt.Sprintf("the placeholders need %s, and the max of queue %q is %s",
				over.Readable(), core.ShownPath(s.Shown, conf.Path), resource.Readable(over.Type, most))
		}
		conf = q.Conf
	}
	nearest := s.nearest(leaf.Path) // queues to be made have no limits
	group := groupOf(nearest, in.Groups)
	for q := nearest; q != nil; q = q.Parent {
		if q.Limits == nil {
			continue
		}
		for _, l := range q.Limits.Of(in.User, group) {
			if over := exceeding(p.Ask, l.MaxResources); over != nil {
				most, _ := l.MaxResources.Value(over.Type)
				return core.ReasonGangTooLarge, fmt.Sprintf("the placeholders need %s, and a limit of queue %q is %s",
					over.Readable(), q.Shown, resource.Readable(over.Type, most))
			}
		}
	}
	return "", ""
}

// gangSortRefusal says why the order of applications in a leaf does not suit placeholders; a reason of "": it does.
func (s *State) gangSortRefusal(leaf *config.Queue) (reason core.Reason, message string) {
	if sort := leaf.AppSort; sort != config.FIFO && sort != config.StateAware {
		return core.ReasonGangSortPolicy, fmt.Sprintf("queue %q sorts applications by %s: gangs need %s or %s", core.ShownPath(s.Shown, leaf.Path), sort, config.FIFO, config.StateAware)
	}
	return "", ""
}

// exceeding is the first amount that passes a bound; nil: none does.
func exceeding(amounts, most resource.Set) *resource.Quantity {
	for i := range amounts {
		if bound, set := most.Value(amounts[i].Type); set && amounts[i].Value > 0 && amounts[i].Value > bound {
			return &amounts[i]
		}
	}
	return nil
}

// refuseMember says why an application takes no ask or allocation as an input describes it; a reason of "": it does.
func refuseMember(a *app.App, in *core.AddAsk) (reason core.Reason, message string) {
	switch {
	case a.State == core.StateFailing:
		return core.ReasonAppFailing, fmt.Sprintf("application %q is failing: it takes no asks", a.ID)
	case !in.Ask.Placeholder:
		return "", ""
	case a.Gang == nil:
		return core.ReasonNotAGang, fmt.Sprintf("application %q has declared no placeholders", a.ID)
	case in.Ask.TaskGroup == "":
		return core.ReasonNoTaskGroup, "a placeholder must name its task group"
	case a.Gang.Failed:
		return core.ReasonGangOver, fmt.Sprintf("the gang of application %q was not formed in time", a.ID)
	}
	return "", ""
}

// rejectMember rejects an ask that its application does not take.
func (s *State) rejectMember(a *app.App, in *core.AddAsk) bool {
	reason, message := refuseMember(a, in)
	if reason != "" {
		s.rejectAsk(in, reason, message)
	}
	return reason != ""
}

// gangChanged brings up to date what the tasks of an application wait for, after a change of its placeholders, of those of a
// group (nil: of none) or of its state.
func (s *State) gangChanged(a *app.App, group *app.TaskGroup) {
	a.UpdateTasks(group, a.State == core.StateResuming)
	c := s.note(GangChanged)
	c.App, c.Leaf = a, s.Leaves[a.Leaf.ID]
}

// memberChanged is gangChanged after a change of an ask, if that is of a gang.
func (s *State) memberChanged(ask *app.Ask) {
	if ask.Member != nil {
		s.gangChanged(ask.App, ask.Member.Group)
	}
}

// placeMember counts an allocation in its gang. With its first placeholder an application holds a place.
func (s *State) placeMember(ask *app.Ask) {
	a := ask.App
	place := func() { a.Gang.Place(ask) }
	if !ask.Member.Placeholder || a.HoldsPlaceholder() {
		place()
		return
	}
	s.changePlaces(a, func() { a.ChangeHeld(s.World, place) })
}

// freeMember takes back what placeMember counted.
func (s *State) freeMember(ask *app.Ask) {
	a := ask.App
	free := func() { a.Gang.Free(ask) }
	if !ask.Member.Placeholder || a.Gang.Allocated > 1 {
		free()
		return
	}
	s.changePlaces(a, func() { a.ChangeHeld(s.World, free) })
}

// memberAllocated moves a gang on after an allocation, and reports whether that is all that there is to do.
func (s *State) memberAllocated(ask *app.Ask) bool {
	a := ask.App
	if ask.IsPlaceholder() {
		s.placeholderAllocated(a)
	} else {
		a.Gang.Formed = true
	}
	s.memberChanged(ask)
	return ask.IsPlaceholder()
}

// placeholderAllocated begins the time of placeholders, and sees whether the gang is formed.
func (s *State) placeholderAllocated(a *app.App) {
	g := a.Gang
	if !g.Timed {
		g.Timed, g.Expired, g.Since = true, false, s.Now
		s.timeGang(a)
	}
	if g.Formed || a.State != core.StateAccepted || !g.HasRoom(s.Types) {
		return
	}
	g.Formed = true
	to := core.StateStarting
	if a.Tags[stateAwareOff] == "true" {
		to = core.StateRunning
	}
	s.setState(a, to, core.ReasonGangFormed)
}

// timeGang sets the timer of placeholders.
func (s *State) timeGang(a *app.App) {
	if at, ok := a.Gang.EndsAt(); ok {
		s.timers.push(timer{at: at, kind: gangTimer, seq: a.Seq, app: a})
	}
}

// endGang ends the placeholders whose time is over. If the gang was not formed, the application goes on without it, or fails.
func (s *State) endGang(a *app.App) {
	g := a.Gang
	g.Expired = true
	s.tellAllToLeave(a, core.ReasonTimeout)
	if !g.Formed {
		g.Failed = true
		if g.Hard {
			s.setState(a, core.StateFailing, core.ReasonGangTimeout)
			for _, ask := range s.PendingOf(a) {
				s.withdraw(ask)
			}
		} else {
			s.setState(a, core.StateResuming, core.ReasonGangTimeout)
		}
		s.gangChanged(a, nil)
	}
	s.idle(a)
}

// endPlaceholders has the placeholders of an application leave that is Completing for long enough. It reports whether there
// were any.
func (s *State) endPlaceholders(a *app.App) bool {
	if a.Gang == nil || a.Gang.Placeholders() == 0 {
		return false
	}
	a.Gang.Ended = true
	s.tellAllToLeave(a, core.ReasonAppCompleting)
	s.gangLeft(a)
	return true
}

// gangLeft moves the state of an application with placeholders that lost an ask or an allocation. It reports whether that is all
// that there is to do.
func (s *State) gangLeft(a *app.App) bool {
	g, left := a.Gang, a.Asks+a.Allocations
	if g.Placeholders() == 0 {
		g.Timed, g.Expired = false, false
	}
	switch {
	case a.State == core.StateFailing:
		if left == 0 {
			s.end(a, core.StateFailed, core.ReasonFailed)
		}
		return true
	case a.State == core.StateCompleting:
		if g.Ended && g.Placeholders() == 0 {
			s.end(a, core.StateCompleted, core.ReasonCompletingDone)
		}
		return true
	case a.State == core.StateResuming && left > 0:
		if g.Placeholders() == 0 {
			s.setState(a, core.StateAccepted, core.ReasonGangOver)
			s.gangChanged(a, nil)
		}
		return true
	case g.Formed && a.AllocationsMade > 0 && g.Tasks == 0 && left > 0:
		s.setState(a, core.StateCompleting, core.ReasonIdle)
		return true
	}
	return false
}
