// Package schedule decides which ask is allocated on which node: by the walk through the queues in order, reservations, held required
// nodes, and claims that can be allocated.
//
// A Walk reads the state, follows its change log, and changes it only through its methods. Its own fields only record what need not be
// visited again; New rebuilds them from the state at any time, and decisions stay the same.
package schedule

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/limit"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/internal/resumable"
	"github.com/quern-project/quern/core/internal/state"
	"github.com/quern-project/quern/core/internal/state/claims"
	"github.com/quern-project/quern/core/internal/state/queues"
	"github.com/quern-project/quern/core/resource"
)

// Walk allocates pending asks. Make one with New.
type Walk struct {
	state    *state.State
	cursor   state.Cursor
	progress *resumable.Search // of the partition's cycle
	search   search
	wide     queue.Cluster
	order    *queue.Order // of the children of each queue
	eligible uint64       // incremented when the set of applications that may be allocated to changes
	measured []uint64     // by leaf queue: the epoch of the cluster's total that its order is based on

	trying app.Ask          // the ask that tryAllocate tries
	grants func(int32) bool // reports whether trying may take a reserved node

	arrivals        state.Arrivals       // pending asks that may reserve after the reservation delay
	recheckAll      bool                 // some reservation may have to end, for any reason
	recheckLimited  bool                 // some reservation may have to end for lack of headroom
	filled          []claims.Reservation // reservations whose nodes have enough room now, in the order in which they were made
	landable        []claims.Claim       // claims whose nodes have enough room now, in the order in which they were made
	made            int                  // number of allocations of the current step
	gangs           gangWalk
	suspended       map[string][]suspendedClass // by required node: classes whose node cannot be held
	requiredChanged []string                    // required nodes with suspended classes that have changed
	blocked         blockedByLimit              // asks and applications that limits hold back
	replacing       replacing
	accumulating    accumulating
	planning        planning
}

// New makes a walk over the current state. progress is the position of the partition's cycle.
func New(st *state.State, progress *resumable.Search) *Walk {
	s := &Walk{state: st, progress: progress, suspended: map[string][]suspendedClass{}}
	s.grants = func(n int32) bool { return s.MayUse(s.trying, n) }
	s.search.barred = noneBarred
	s.measure()
	s.order = queue.New(st.Queues(), st.Types(), st.QueueOrder, st.ShownUsage)
	s.rebuild()
	for r := range s.state.Reservations().All() {
		s.checkReservation(r.Node)
	}
	for c := range s.state.Claims().All() {
		s.checkClaim(c.Node)
	}
	s.state.SkipLog(&s.cursor)
	return s
}

// measure reallocates what depends on the width of vectors.
func (s *Walk) measure() {
	width := s.state.Types().Width()
	s.wide.Total = s.state.Nodes().Total()
	s.wide.Scratch = make(resource.Vec, width)
	s.wide.Within = s.state.Classes().Within
	s.wide.Largest = s.state.Classes().Largest()
	s.search.measure(width)
}

// rebuild starts from a new queue tree.
func (s *Walk) rebuild() {
	s.wide.Epoch++
	s.measured = make([]uint64, s.state.Queues().Len())
	for _, l := range s.state.Leaves {
		l.VisitAll()
	}
	s.recount()
	s.reconsider()
	s.unblockAll()
	for id := range s.suspended { // the order among asks that require the same node may have changed
		s.requiredChanged = append(s.requiredChanged, id)
	}
	s.recheckReservations()
	s.showAllGangs()
	s.replacing = replacing{}
	for a := range s.state.Asks().Apps {
		if a.HasGang() {
			s.replacing.gangChanged(a)
		}
	}
	s.listWaiting()
	s.resetPlanning()
	s.arrivals = state.Arrivals{}
	for _, ask := range s.state.PendingBySubmission() {
		s.arrivals.Push(s.state.Asks(), ask.Slot(), ask.Seq())
	}
}

// recount counts the pending asks that are subject to predicates.
func (s *Walk) recount() {
	s.search.predicatePending, s.search.placementPending = 0, 0
	for ask := range s.state.Pending {
		s.search.countPending(s, ask.Class())
	}
}

// Advance accounts for the passage of time.
func (s *Walk) Advance() {
	s.arrivals.Next(s.state.ReservationDelay().Before(s.state.Now()))
}

// Deadline returns the time at which the next pending ask may reserve a node. ok is false if there is none.
func (s *Walk) Deadline() (at time.Duration, ok bool) {
	if s.planning.on {
		return s.plannedDeadline()
	}
	if s.state.ReservationDelay() <= 0 {
		return 0, false
	}
	if tree := s.state.Queues(); tree.Asks(tree.Root()) == 0 {
		s.arrivals.Clear()
	}
	came, ok := s.arrivals.Next(s.state.ReservationDelay().Before(s.state.Now()))
	at = s.state.ReservationDelay().After(came)
	return at, ok && at != instant.Never
}

// Follow applies the changes in the log of the state.
func (s *Walk) Follow() {
	if !s.state.Behind(&s.cursor) {
		return
	}
	changes := s.state.Follow(&s.cursor)
	for i := range changes.Len() {
		s.applyChange(changes.At(i))
	}
}

// usageAged has the order of a queue's children, or of a leaf's applications, follow aged usage.
func (s *Walk) usageAged(q queues.ID) {
	if !s.order.IsLeaf(q) {
		s.order.UsageAged(q)
		return
	}
	s.state.Leaf(q).ReorderAll()
	s.order.MarkChanged(q)
}

// treeChanged applies the addition or removal of a queue, or a change of its limits.
func (s *Walk) treeChanged(c state.Change) {
	s.measured = state.GrowToQueue(s.measured, c.Queue())
	s.measured[c.Queue()] = 0
	switch c.Kind() {
	case state.QueueAdded:
		s.order.Add(c.Queue(), c.Parent())
	case state.QueueEnded:
		s.order.Remove(c.Queue())
		s.order.MarkChanged(c.Parent())
		return
	case state.LimitsChanged:
		s.order.LimitsChanged(c.Queue())
		s.recheckReservations()
	}
	s.order.MarkChanged(c.Queue())
}

func (s *Walk) applyChange(c state.Change) {
	if s.planning.on {
		s.followPlanned(c)
	}
	if len(s.replacing.apps) > 0 {
		s.replacing.takeIn(c.Kind())
	}
	if len(s.gangs.hiddenSets) > 0 {
		s.setMayChange(c)
	}
	if c.Kind() <= state.AllocationEnded { // most changes are those of asks
		s.askChanged(c)
		return
	}
	switch c.Kind() {
	case state.AppAdded, state.AppMoved, state.EligibleChanged: // the application is filed again, and others pass no more searches than before
	default:
		s.search.changes++
	}
	switch c.Kind() {
	case state.AppAdded, state.EligibleChanged:
	case state.AppMoved, state.AppTransferred:
		s.order.MarkChanged(c.Queue())
		if s.state.HasReservations(c.Queue()) { // they may need a place within maxapplications of another queue now
			s.recheckReservations()
		}
	case state.NodeChanged, state.NodeOpened, state.NodeRemoved:
		s.nodeChanged(c)
	case state.QueueChanged, state.QueueOpened:
		s.order.MarkChanged(c.Queue())
	case state.UsageAged:
		s.usageAged(c.Queue())
	case state.QueueFull, state.LimitFull:
		s.recheckReservations()
	case state.LimitOpened:
		s.unblockAt(c.Limit())
	case state.LimitUsage:
		s.limitUsed(c.Limit())
	case state.ReservationMade, state.ReservationEnded, state.ClaimMade, state.ClaimEnded:
		s.holdChanged(c)
	case state.QueueAdded, state.QueueEnded, state.LimitsChanged:
		s.treeChanged(c)
	case state.AccumulationChanged:
		s.readHeld()
		s.recheckHeadroom()
		if !s.accumulating.IsNone() { // reservations of asks behind it no longer keep it from being placed
			s.retryHolder()
		}
	case state.FutureUsageChanged:
		s.recheckHeadroom()
	case state.GangChanged:
		s.replacing.gangChanged(c.App())
		if s.state.HasReservations(c.Queue()) { // a task's reservation ends if the task has to wait for its gang now
			s.recheckReservations()
		}
		s.order.MarkChanged(c.Queue())
	default:
		s.allChanged(c)
	}
}

// askChanged applies a change of an ask.
func (s *Walk) askChanged(c state.Change) {
	switch c.Kind() {
	case state.AskPending:
		s.search.countPending(s, c.Class())
		if c.InGang() {
			s.gangWaits(c.App(), c.Ask().WaitingGang())
		}
		if s.state.ReservationDelay() > 0 {
			s.arrivals.Push(s.state.Asks(), c.Ask().Slot(), c.Ask().Seq())
		}
	case state.AskGone:
		s.askGone(c)
	case state.AskUpdated:
		if c.InGang() { // it may have ended, and waits anew
			s.gangWaits(c.App(), c.Ask().WaitingGang())
		}
		if c.Ask().Hold().IsReserved() { // other asks may take the node now
			s.recheckHeadroom()
			s.reconsider()
			s.recheckAll = s.recheckAll || !c.Ask().WaitingGang().IsNone() || !c.Ask().Class().Topology().IsNone() // its gang has ended, or has another domain
		}
	case state.AskAllocated:
		s.askGone(c)
		s.allocationMade(c)
	case state.AllocationMade:
		s.allocationMade(c)
	}
	s.order.MarkChanged(c.Queue())
}

// askGone accounts for an ask that is no longer pending.
func (s *Walk) askGone(c state.Change) {
	s.search.uncountPending(s, c.Class())
	if c.Class().Node() != "" {
		s.forgetSuspended(c.App(), c.Class())
	}
}

// allocationMade accounts for less room on a node and in its queues.
func (s *Walk) allocationMade(c state.Change) {
	s.recheckNode(c.Node())
	tree := s.state.Queues()
	for q := c.Queue(); q != queues.None && s.state.Reservations().Required() > 0; q = tree.Parent(q) {
		if tree.MayLimit(q, s.state.Classes().Largest()) {
			s.recheckReservations()
		}
	}
	for q := c.Queue(); tree.Parent(q) != queues.None && s.state.Reservations().Ordinary() > 0; q = tree.Parent(q) { // the cluster's total only delays the allocation
		if tree.MayLimit(q, s.state.Classes().Largest()) {
			s.recheckHeadroom()
		}
	}
	if !c.App().Limits().IsNone() {
		s.recheckHeadroom()
	}
	s.roomShrank()
}

// nodeChanged applies a change of a node.
func (s *Walk) nodeChanged(c state.Change) {
	switch c.Kind() {
	case state.NodeRemoved:
		s.search.forget(c.Node())
		s.placementsChanged()
		return
	case state.NodeOpened:
		s.search.grew(c.Node(), s.state.ShrinkEpoch())
		s.gangs.grew = true
		s.placementsChanged()
	}
	s.recheckNode(c.Node())
}

// recheckNode rechecks the suspended classes, the reservation and the claims of a changed node.
func (s *Walk) recheckNode(n int32) {
	if len(s.suspended) > 0 && len(s.suspended[s.state.Nodes().ID(n)]) > 0 {
		s.requiredChanged = append(s.requiredChanged, s.state.Nodes().ID(n))
	}
	if s.state.Reservations().Len() == 0 && s.state.Claims().Len() == 0 {
		return // no node is held
	}
	hold := s.state.Nodes().Hold(n)
	if hold.IsReserved() {
		s.checkReservation(n)
		if hold.IsRequired() {
			s.recheckReservations()
		}
	}
	if hold.IsClaimed() {
		s.checkClaim(n)
	}
}

// holdChanged applies the start or end of a reservation or a claim.
func (s *Walk) holdChanged(c state.Change) {
	switch c.Kind() {
	case state.ReservationEnded:
		s.filled = slices.DeleteFunc(s.filled, func(r claims.Reservation) bool { return r.Ask == c.Ask().Slot() })
	case state.ClaimEnded:
		s.landable = slices.DeleteFunc(s.landable, func(x claims.Claim) bool { return x.Ask == c.Ask().Slot() })
	}
	s.order.MarkChanged(c.Queue())
}

// limitUsed reorders the applications that a limit counts, if a policy orders them by its usage.
func (s *Walk) limitUsed(t limit.Tracker) {
	s.state.AppsAt(t, func(a app.App) {
		if a.Leaf().LimitUsed(a) {
			s.order.MarkChanged(queueOf(a.Leaf()))
		}
	})
}

// allChanged applies a change that concerns every queue.
func (s *Walk) allChanged(c state.Change) {
	switch c.Kind() {
	case state.TotalChanged:
		copy(s.wide.Total, s.state.Nodes().Total())
		s.wide.Epoch++
		s.search.bounds = true
		if s.state.JudgesApps() {
			s.markLeaves((app.Leaf).ReorderAll)
		}
	case state.TypesAdded:
		s.measure()
		s.order.Widen()
		s.reconsider()
	case state.ConfigChanged:
		s.order.Rebuild()
		s.rebuild()
	case state.PoliciesChanged:
		s.order.SetPolicies()
		s.unblockQueued()
		s.recount()
		s.reconsider()
		s.markLeaves(func(app.Leaf) {})
	}
}

// markLeaves calls do for each leaf, and marks its queue as changed.
func (s *Walk) markLeaves(do func(app.Leaf)) {
	for q, l := range s.state.Leaves {
		do(l)
		s.order.MarkChanged(q)
	}
}
