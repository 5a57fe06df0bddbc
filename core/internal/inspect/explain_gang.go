package inspect

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
)

// explainGang describes the placeholders of an application, or returns nil if it has no gang.
func (s *View) explainGang(a app.App) *explain.GangExplanation {
	if !a.HasGang() {
		return nil
	}
	n := a.Number()
	g := s.Gangs().Of(n)
	e := &explain.GangExplanation{
		Formed: g.Formed, Failed: g.Failed, Hard: g.Hard, Declared: withoutZeros(s.Gangs().Declared(n)), Staying: s.Types().Set(s.Gangs().Staying(n), 0),
		Pending: int(g.Pending), Allocated: int(g.Allocated), Leaving: int(g.Allocated) - len(a.StayingPlaceholders()), Replaced: int(g.Replaced),
	}
	if e.EndsAt, e.Timed = g.EndsAt(); e.Timed {
		e.Ends = s.moment(e.EndsAt)
	}
	return e
}

// moment returns a future instant as text.
func (s *View) moment(at time.Duration) string {
	switch {
	case at == instant.Never:
		return "never"
	case s.Options().Moment != nil:
		return "at " + s.Options().Moment(at)
	}
	return "in " + instant.Readable(instant.Sub(at, s.Now()))
}

// explainMember describes the role of an ask in the gang of its application, or returns nil if it has none.
func (s *View) explainMember(ask app.Ask) *explain.MemberExplanation {
	if !ask.Grouped() {
		return nil
	}
	m := ask.Member()
	e := &explain.MemberExplanation{Group: ask.TaskGroup().Name(), Placeholder: m.Placeholder, GaveUp: m.NoPlaceholderFits, Bound: m.Replacing, Leaves: m.Placeholder && ask.Leaving()}
	if why, leaves := s.Replacements().Notice(ask.Slot()); leaves {
		e.For = s.Replacements().For(why)
	}
	r, waits := s.Replacements().Of(ask.Slot())
	if waits && r.Node != app.NoNode {
		e.Node = s.Nodes().ID(r.Node)
	}
	switch {
	case waits && r.Placeholder != app.NoSlot:
		e.Takes = s.AskAt(r.Placeholder).ID()
	case !waits && ask.Pending() && ask.WaitsForGang() && !ask.App().TasksWait():
		e.Takes = ask.App().Oldest(ask.TaskGroup()).ID()
	}
	return e
}

// placeholderFor returns the placeholder that a waiting task may replace, the oldest of its group, or nil.
func placeholderFor(ask app.Ask) app.Ask {
	if ask.Grouped() && !ask.IsPlaceholder() && ask.WaitsForGang() {
		return ask.App().Oldest(ask.TaskGroup())
	}
	return app.Ask{}
}

// restReason returns why a pending ask is not placed like other asks, or an empty reason if it is.
func restReason(ask app.Ask) core.Reason {
	switch {
	case !ask.WaitsForGang():
		return ""
	case ask.IsReplacing():
		return explain.WaitRelease
	case ask.App().TasksWait():
		return explain.WaitGang
	}
	return explain.WaitPlaceholder
}
