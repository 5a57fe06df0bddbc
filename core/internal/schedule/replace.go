package schedule

import (
	"slices"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/class"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// replacing holds the applications with tasks that may replace placeholders. After none of an application's tasks could be placed, it is
// not tried again until something about it changes, or room or headroom grows somewhere.
type replacing struct {
	apps     map[app.App]bool // true if none of the tasks could be placed since the last change
	order    []app.Turn       // turns to try, in the order of the walk, and some of applications that are no longer in apps; valid while inOrder
	inOrder  bool
	eligible uint64 // Walk.eligible when apps were last reset
}

// gangChanged handles a change of the placeholders or tasks of an application.
func (r *replacing) gangChanged(a app.App) {
	failed, known := r.apps[a]
	switch may := a.MayReplace(); {
	case !may && known:
		delete(r.apps, a) // order stays sorted
	case may && (!known || failed):
		if r.apps == nil {
			r.apps = map[app.App]bool{}
		}
		r.apps[a] = false
		r.inOrder = false
	}
}

// takeIn handles a change of any kind.
func (r *replacing) takeIn(kind state.ChangeKind) {
	switch kind {
	case state.NodeOpened, state.QueueOpened, state.LimitOpened, state.TotalChanged, state.TypesAdded, state.PoliciesChanged:
		r.wake()
	case state.AskPending, state.AskGone, state.AskUpdated, state.AskAllocated, state.AllocationMade, state.AllocationEnded, state.AppMoved,
		state.AppTransferred:
		r.inOrder = false
	}
}

// wake has all applications tried again.
func (r *replacing) wake() {
	for a, failed := range r.apps {
		if failed {
			r.apps[a], r.inOrder = false, false
		}
	}
}

// allocateReplacement allocates the first task whose placeholder has left and that fits the chosen node. others reports whether some tasks did
// not fit; they wait as before.
func (s *Walk) allocateReplacement() (landed, others bool) {
	for s.state.Replacements().Ready() > 0 {
		landed, priority := s.state.AllocateReplacement(s.fitsNow)
		if landed {
			s.allocated(priority, 1)
			return true, others
		}
		others = true
	}
	return false, others
}

// fitsNow reports whether a task whose placeholder has left fits a node and the headroom.
func (s *Walk) fitsNow(task app.Ask, n int32) bool {
	return s.state.Nodes().Schedulable(n) && s.state.Nodes().Fits(n, task.Class()) && s.state.MayBeOn(task, n) && s.state.Nodes().Admits(task.Class(), n) && s.fitsWithout(task, app.Ask{}) && s.fitsBesideHeld(task, n)
}

// replaceOne asks a placeholder to leave: one that the first placeable task in the order of the walk can replace. It reports whether there
// was one. If a task is too large for the placeholders of its group, it ends one of them instead.
func (s *Walk) replaceOne() bool {
	r := &s.replacing
	if len(r.apps) == 0 {
		return false
	}
	if r.eligible != s.eligible {
		r.eligible = s.eligible
		r.wake()
	}
	s.orderReplacing()
	for len(r.order) > 0 {
		t := r.order[0]
		if _, known := r.apps[t.App]; known {
			if s.state.MayStart(t.App) && s.replaceIn(t) {
				return true
			}
			r.apps[t.App] = t.Surplus || !t.Leaf().Sorts(app.Turn{App: t.App, Surplus: true}) // it was the last
		}
		r.order = r.order[1:]
	}
	return false
}

// orderReplacing lists the turns to try. Replacing does not change the order, so one list serves many replacements.
func (s *Walk) orderReplacing() {
	r := &s.replacing
	if r.inOrder {
		return
	}
	r.order = r.order[:0]
	for a, failed := range r.apps {
		if failed {
			continue
		}
		tree := s.state.Queues()
		for q := tree.Parent(queueOf(a.Leaf())); q != queues.None; q = tree.Parent(q) {
			s.Freshen(q)
		}
		s.FreshenLeaf(a.Leaf())
	}
	s.Sync()
	for a, failed := range r.apps {
		for _, t := range []app.Turn{{App: a}, {App: a, Surplus: true}} {
			if !failed && a.Leaf().Sorts(t) {
				r.order = append(r.order, t)
			}
		}
	}
	slices.SortFunc(r.order, func(a, b app.Turn) int {
		switch {
		case a == b:
			return 0
		case s.comesBefore(a, b):
			return -1
		}
		return 1
	})
	r.inOrder = true
}

// comesBefore reports whether a turn comes before another one in the order of the walk. Both have pending asks.
func (s *Walk) comesBefore(a, b app.Turn) bool {
	p, q, tree := queueOf(a.Leaf()), queueOf(b.Leaf()), s.state.Queues()
	if p == q {
		return a.Leaf().ComesBefore(a, b)
	}
	meet := tree.CommonAncestor(p, q)
	return s.order.ComesBefore(tree.Below(p, meet), tree.Below(q, meet))
}

// replaceIn tries the first task of each class and group of a turn. It reports whether a placeholder was ended.
func (s *Walk) replaceIn(t app.Turn) (done bool) {
	t.WaitingTasks(func(task app.Ask) bool {
		done = s.replace(task)
		return !done
	})
	return done
}

// replace finds a place for a task: that of the oldest placeholder of its group in whose place it fits, or else another node with the
// headroom of the oldest. If a task fits nowhere and needs more of some type than the oldest placeholder, that placeholder is given up.
func (s *Walk) replace(task app.Ask) bool {
	oldest := task.App().Oldest(task.TaskGroup())
	if oldest.IsNone() {
		return false
	}
	for p := oldest; !p.IsNone(); p = p.NextPlaceholder() {
		if s.fitsInPlaceOf(task, p) {
			s.state.Replace(p, task, p.Node())
			return true
		}
	}
	if s.fitsWithout(task, oldest) && s.swapsBesideHeld(task, oldest) && !s.failed(task.Class()) {
		s.trying = task
		n, contested := s.state.Nodes().Best(task.Class(), s.grants)
		if n != app.NoNode {
			s.state.Replace(oldest, task, n)
			return true
		}
		if !contested {
			s.fail(task.Class())
		}
	}
	if !exceeds(task.Class(), oldest.Class()) {
		return false
	}
	s.state.EndUselessPlaceholder(task, oldest)
	return true
}

// exceeds reports whether a class needs more of some type than another class, more devices, or more of each device.
func exceeds(c, other class.Class) bool {
	for t, amount := range c.Demand().All {
		if amount > other.Demand().At(t) {
			return true
		}
	}
	return slices.ContainsFunc(c.Devices(), func(ask core.DeviceAsk) bool {
		at := slices.IndexFunc(other.Devices(), func(o core.DeviceAsk) bool { return o.Type == ask.Type })
		return at < 0 || ask.Count > other.Devices()[at].Count || ask.Share > other.Devices()[at].Share || ask.Memory > other.Devices()[at].Memory
	})
}

// fitsInPlaceOf reports whether windows let a task be placed on the node of a placeholder, and it fits the node and the headroom of a placeholder once that has left. Reservations, claims and room
// that is held for a gang only block tasks that are larger than the placeholder.
func (s *Walk) fitsInPlaceOf(task, placeholder app.Ask) bool {
	n, c, left := placeholder.Node(), task.Class(), placeholder.Class().Demand()
	larger := exceeds(c, placeholder.Class())
	if !s.state.Nodes().Schedulable(n) || !s.state.MayBeOn(task, n) || larger && (s.state.Nodes().Hold(n).IsClaimed() || !s.mayTake(task, n)) {
		return false
	}
	var held resource.Vec
	if larger && !s.MayUseHeld(task) {
		held = s.accumulating.onNode[n]
	}
	if len(c.Devices()) > 0 && !s.state.DevicesWithout(placeholder).Fits(c.Devices()) {
		return false
	}
	for need := range c.PlainNeeds().All {
		room := s.state.Nodes().FreeWithout(n, need.Lane, left.At(need.Lane))
		if held != nil {
			room = resource.Sub(room, held[need.Lane])
		}
		if room < need.Min {
			return false
		}
	}
	return s.state.Nodes().Admits(c, n) && s.fitsWithout(task, placeholder) && s.swapsBesideHeld(task, placeholder)
}

// swapsBesideHeld reports whether a task fits the headroom beside what is held for a gang, once a placeholder has left.
func (s *Walk) swapsBesideHeld(task, placeholder app.Ask) bool {
	if !exceeds(task.Class(), placeholder.Class()) || s.MayUseHeld(task) {
		return true
	}
	held := slices.Clone(s.accumulating.all)
	held.Sub(placeholder.Class().Demand())
	return s.fitsHeadroomBeside(task, held)
}

// fitsWithout reports whether a task fits the headroom once a placeholder of its application has left. If the placeholder is nil, the
// headroom is that of now.
func (s *Walk) fitsWithout(task, placeholder app.Ask) bool {
	tree := s.state.Queues()
	for q := s.state.QueueOf(task); q != queues.None; q = tree.Parent(q) {
		for need := range task.Class().Needs().All {
			held := int64(0)
			if !placeholder.IsNone() {
				held = placeholder.Class().Demand().At(need.Lane)
			}
			if tree.RoomWithout(q, need.Lane, held) < need.Min {
				return false
			}
		}
	}
	if task.App().Limits().IsNone() {
		return true
	}
	var held resource.Amounts
	if !placeholder.IsNone() {
		held = placeholder.Class().Demand()
	}
	return task.App().Limits().FitsWithout(task.Class(), held)
}

// lapseRestingClaims ends the claims of asks that now have to wait for their gang, or for the place of a placeholder.
func (s *Walk) lapseRestingClaims() {
	var resting []app.Ask
	for c := range s.state.Claims().All() {
		if ask := s.state.AskAt(c.Ask); ask.WaitsForGang() || c.Gang == 0 && !ask.WaitingGang().IsNone() { // its gang may have ended since
			resting = append(resting, ask)
		}
	}
	if len(resting) == 0 {
		return
	}
	for _, ask := range resting {
		if ask.Hold().IsClaimed() { // if it has not ended together with its gang's other claims
			s.state.LapseClaim(ask, core.ReasonNotStartable)
		}
	}
	s.Sync()
}
