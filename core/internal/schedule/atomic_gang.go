package schedule

import (
	"sort"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// gangWalk is the part of a Walk that concerns atomic gangs.
type gangWalk struct {
	stoppedAt app.Ask                // the first pending member of the gang at which the last walk stopped
	search    *gangSearch            // the unfinished search; nil if there is none
	inDomains *domainSearch          // likewise, of a gang with a level
	dormant   map[uint64]dormantGang // by the Seq of the gang
	hidden    []hiddenGangs          // dormant gangs that searches do not find
	// hiddenSets has the applications of hidden gangs that wait for their sets, and changedSets those whose sets have changed since.
	hiddenSets  map[app.App]bool
	changedSets []app.App
	grew        bool // room may have grown since showGrown last looked
	// reopening lists gangs that may fit after room has shrunk, since other members would be chosen then. They are tried again whenever the
	// log has grown beyond reopenedAt.
	reopening  []reopeningGang
	reopenedAt uint64
	// barred holds, by the Seq of the first claim of a gang with claims, the log position of its
	// last failed allocation. The gang is not tried again until something changes: another attempt
	// would mark its nodes as changed, and searches for victims there would restart in each cycle.
	barred map[uint64]uint64

	// Scratch memory of one attempt.
	placed   []state.Placement
	unfit    map[startShape]int32 // shapes that fit no node any more, with the highest priority tried
	headroom resource.Vec
}

// shape identifies members that fit the same nodes.
type shape struct {
	startShape
	priority int32
}

// fitShape returns what decides which nodes have room for an ask: walltimes do beside plans and windows alone.
func (s *Walk) fitShape(ask app.Ask) startShape {
	if s.planning.on || s.state.HasWindows() {
		return startShape{ask.Class(), ask.Walltime().Limit}
	}
	return startShape{class: ask.Class()}
}

// shapeOfMember returns the shape of an ask.
func (s *Walk) shapeOfMember(ask app.Ask) shape { return shape{s.fitShape(ask), ask.Priority()} }

// mustStop reports whether the walk must stop before another search for the nodes of a gang.
func (s *Walk) mustStop() bool { return s.progress.MustStop(resumable.Placement) }

// tryGang allocates the gang of which an ask is the first pending member, or nothing. It returns false as well if the search has stopped
// (ending is atGang); the walk ends then.
func (s *Walk) tryGang(ask app.Ask) bool {
	g := ask.App().GangOf(ask)
	if !g.Complete() || !s.planning.on && ask.GangTriedAt(s.state.LogEnd()) {
		return false
	}
	if g.WaitsForSet() {
		return s.trySet(ask, g)
	}
	s.headroomFor(ask)
	switch level, required, known := s.state.LevelOf(g); {
	case !known:
		return false
	case level != state.NoLevel, g.Row().Topology.Slice.Size > 0:
		return s.tryInDomains(ask, g, level, required)
	}
	if x := s.gangs.search; x == nil || x.gang != g {
		if s.mustStop() {
			s.stopAt(ask)
			return false
		}
		if s.placeInOrder(ask, g) {
			s.landGang(s.gangs.placed)
			return true
		}
		s.progress.Spend(memberSteps * len(s.gangs.placed))
		s.takeBack(s.gangs.placed)
	}
	placed, done := s.searchGang(ask, g)
	switch {
	case !done, placed == nil && s.progress.PolicyFailed(resumable.Placement):
		s.stopAt(ask)
		return false
	case placed == nil: // a finished search is not repeated until something changes
		ask.RecordGangTry(s.state.LogEnd())
		return false
	}
	s.landGang(placed)
	return true
}

// memberSteps is the number of steps charged for a member that is placed in order. A walk stops between gangs that do not fit; one pass
// over the members takes less time than their allocation would.
const memberSteps = 32

// stopAt stops the walk at the gang of which an ask is the first pending member. The next cycle resumes there.
func (s *Walk) stopAt(ask app.Ask) {
	s.gangs.stoppedAt, s.search.ending = ask, atGang
	s.progress.Stop(resumable.Placement)
}

// headroomFor computes the headroom of the gang of which an ask is the first pending member.
func (s *Walk) headroomFor(first app.Ask) {
	s.headroomOf(first.App())
	s.narrowBesideHeld(first)
}

// headroomOf computes the headroom of an application under all queues and limits.
func (s *Walk) headroomOf(a app.App) {
	room, tree := s.gangs.headroom[:0], s.state.Queues()
	for t := range s.wide.Total {
		least := int64(resource.Most)
		for q := queueOf(a.Leaf()); q != queues.None; q = tree.Parent(q) {
			least = min(least, tree.Room(q, t))
		}
		room = append(room, least)
	}
	if !a.Limits().IsNone() {
		a.Limits().Trackers().Narrow(room)
	}
	s.gangs.headroom = room
}

// placeInOrder assumes each member in order on the best node that fits it in addition to the members before it, until there are enough. It
// reports whether there are. The members stay assumed on their nodes.
func (s *Walk) placeInOrder(first app.Ask, g app.AtomicGang) bool {
	w := &s.gangs
	w.placed = w.placed[:0]
	clear(w.unfit)
	first.App().EachMember(first, func(ask app.Ask) bool {
		if s.assume(ask) {
			return len(w.placed) < g.Need()
		}
		if !s.Predicated(ask.Class()) {
			w.noteUnfit(s.fitShape(ask), ask)
		}
		return true
	})
	return len(w.placed) == g.Need()
}

// noteUnfit records that a member fits no node any more.
func (w *gangWalk) noteUnfit(of startShape, ask app.Ask) {
	if w.unfit == nil {
		w.unfit = map[startShape]int32{}
	}
	if tried, known := w.unfit[of]; !known || tried < ask.Priority() {
		w.unfit[of] = ask.Priority()
	}
}

// assume assumes a member on the best node that fits it. It reports whether headroom and a node allow that.
func (s *Walk) assume(ask app.Ask) bool {
	w, c := &s.gangs, ask.Class()
	if !c.Fits(w.headroom) || s.failed(c) || s.planning.on && !s.fitsShared(ask, s.state.Now()) {
		return false
	}
	if len(w.unfit) > 0 { // room only shrinks, and only higher priorities may take reserved nodes
		if tried, known := w.unfit[s.fitShape(ask)]; known && tried >= ask.Priority() {
			return false
		}
	}
	s.trying = ask
	n, contested := s.state.Nodes().Best(c, s.grants)
	if n == app.NoNode {
		if !contested && len(w.placed) == 0 {
			s.fail(c)
		}
		return false
	}
	p := state.Placement{Ask: ask, Node: n}
	s.assumeOn(p)
	w.headroom.Sub(c.Demand())
	w.placed = append(w.placed, p)
	return true
}

// allocateGang allocates the members of a gang, which are assumed on their nodes, and retries due asks that they may have overtaken.
func (s *Walk) allocateGang(placed []state.Placement) {
	s.gangs.search = nil
	s.allocated(s.state.AllocateGang(placed), len(placed))
}

// allocateClaimedGang allocates a gang that has claims, if all members can be allocated.
func (s *Walk) allocateClaimedGang(gang claims.GangID) bool {
	first := s.state.Claims().FirstOf(gang)
	a := s.state.AskAt(first.Ask).App()
	if !a.PassesStateFilter() || s.gangs.barred[first.Seq] == s.state.LogEnd() {
		return false
	}
	w := &s.gangs
	w.placed = w.placed[:0]
	beside := make(resource.Vec, len(s.wide.Total))
	for c := range s.state.Claims().OfGang(gang) {
		p := state.Placement{Ask: s.state.AskAt(c.Ask), Node: c.Node}
		if !s.state.Nodes().Schedulable(p.Node) || !s.state.Nodes().Fits(p.Node, p.Ask.Class()) || !s.state.Nodes().Admits(p.Ask.Class(), p.Node) || !s.fitsBeside(p.Ask, beside) {
			s.state.TakeBack(w.placed)
			s.bar(first.Seq)
			return false
		}
		s.state.Assume(p)
		beside.Add(p.Ask.Class().Demand())
		w.placed = append(w.placed, p)
	}
	s.state.FormSlices(w.placed)
	sort.Slice(w.placed, func(i, j int) bool { return a.Before(w.placed[i].Ask, w.placed[j].Ask) })
	s.allocateGang(w.placed)
	return true
}

// fitsBeside reports whether an ask with a claim fits every max and limit in addition to the current usage and more, which may be nil.
func (s *Walk) fitsBeside(ask app.Ask, more resource.Vec) bool {
	tree := s.state.Queues()
	for q := s.state.QueueOf(ask); q != queues.None; q = tree.Parent(q) {
		if !fitsMax(tree, q, ask.Class(), more) {
			return false
		}
	}
	return ask.App().Limits().IsNone() || ask.App().Limits().FitsNow(ask.Class(), more)
}
