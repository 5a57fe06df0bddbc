package state

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/windows"
)

// A window reserves nodes by the calendar. From its start until its end, only asks of applications that it names are placed on its nodes; before its
// start, others are only placed there if they promise to end by then. Searches ask on each node of a window whether an ask may be placed on it:
// the node counts as contested.

// HasWindows reports whether the partition has windows.
func (s *State) HasWindows() bool { return s.windows.View().Len() > 0 }

// walltimeOfClass returns the walltime of the class of an ask: with windows, it matters where the ask may be placed.
func (s *State) walltimeOfClass(limit time.Duration) time.Duration {
	if !s.HasWindows() {
		return 0
	}
	return limit
}

// reclassPending gives all pending asks the classes that they have with windows, or without.
func (s *State) reclassPending() {
	for _, ask := range s.PendingBySubmission() {
		if c, walltime := ask.Class(), s.walltimeOfClass(ask.Walltime().Limit); c.Walltime() != walltime {
			s.reclass(ask, c.Topology(), walltime)
		}
	}
}

// joinWindows lists the windows of a node.
func (s *State) joinWindows(n int32) {
	if !s.HasWindows() && !s.finder.Hold(n).IsWindowed() {
		return
	}
	s.windows.Join(n, s.finder.ID(n), func(name string) (string, bool) { return s.finder.Attribute(n, name) })
	if in := s.windows.View().On(n).Len() > 0; in != s.finder.Hold(n).IsWindowed() {
		s.nodes.Window(n, in)
		s.nodeChanged(n)
	}
}

// joinAll lists the windows of all nodes, after windows were added or removed.
func (s *State) joinAll() {
	for n := range s.finder.Sorted().All {
		s.joinWindows(n)
	}
}

// windowOpened records that the nodes of a window may admit other asks than before.
func (s *State) windowOpened(i int) {
	for n := range s.finder.Sorted().All {
		for on := range s.windows.View().On(n).All {
			if int(on) == i {
				s.nodeOpened(n)
			}
		}
	}
}

// advanceWindows closes the windows whose end has come, and then opens those whose start has come.
func (s *State) advanceWindows() {
	if at, ok := s.windows.View().Next(); !ok || at > s.now {
		return
	}
	for i := 0; i < s.windows.View().Len(); i++ {
		w := s.windows.View().At(i)
		switch {
		case w.Until() > s.now:
		case w.IsRecurring():
			if w.IsOpen() {
				s.windowClosed(w)
			}
			s.windowOpened(i)
			s.windows.Close(i, s.now)
		default:
			s.windowClosed(w)
			s.dropWindow(i)
			i--
		}
	}
	s.openWindows()
}

func (s *State) windowClosed(w windows.Window) {
	d := s.emit(core.WindowClosed)
	d.ID, d.Partition = w.ID(), s.shown
}

// dropWindow removes a window. Asks may be placed on its nodes that could not before.
func (s *State) dropWindow(i int) {
	s.windowOpened(i)
	s.windows.Remove(i)
	s.joinAll()
	if !s.HasWindows() {
		s.reclassPending()
	}
}

// openWindows opens the windows whose start has come. An application that they name may be placed on their nodes for a shorter time than before,
// which may fit before another window.
func (s *State) openWindows() {
	for i := range s.windows.View().Len() {
		w := s.windows.View().At(i)
		if w.IsOpen() || w.From() > s.now {
			continue
		}
		s.Slipped(SlipWindow)
		s.windows.Open(i)
		d := s.emit(core.WindowOpened)
		d.ID, d.Nodes, d.Partition = w.ID(), s.usedByOthers(i), s.shown
		s.windowOpened(i)
	}
}

// usedByOthers lists the nodes of a window on which applications have allocations that it does not name.
func (s *State) usedByOthers(i int) []string {
	list := []string{}
	for n := range s.finder.Sorted().All {
		for on := range s.windows.View().On(n).All {
			if int(on) == i && s.usedByOther(n, i) {
				list = append(list, s.finder.ID(n))
			}
		}
	}
	return list
}

func (s *State) usedByOther(n int32, i int) bool {
	for a := s.orders.FirstOn(n); !a.IsNone(); a = a.NextOnNode() {
		if !s.namedIn(a.App()).names[i] {
			return true
		}
	}
	return false
}

// named says which windows name an application.
type named struct {
	app     app.App
	leaf    app.Leaf
	seq     uint64
	version uint64 // of the windows
	names   []bool // by index of the window
}

// namedIn returns the windows that name an application. It is valid until the next call.
func (s *State) namedIn(a app.App) *named {
	k := &s.named
	if version := s.windows.View().Version(); k.app != a || k.leaf != a.Leaf() || k.seq != a.Seq() || k.version != version {
		*k = named{app: a, leaf: a.Leaf(), seq: a.Seq(), version: version, names: k.names[:0]}
		path, user, groups := s.Queues().Path(QueueOfApp(a)), a.User(), a.Groups()
		for i := range s.windows.View().Len() {
			k.names = append(k.names, s.windows.View().At(i).Names(path, user, groups))
		}
	}
	return k
}

// MayBeOn reports whether windows let an ask be placed on a node now.
func (s *State) MayBeOn(ask app.Ask, n int32) bool {
	if !s.finder.Hold(n).IsWindowed() {
		return true
	}
	_, may := s.PromiseOn(ask, n, s.now)
	return may
}

// PromiseOn reports whether windows let an ask be placed on a node at an instant that is not in the past, and when its allocation would promise to
// end. That is instant.Never if it promises no end.
func (s *State) PromiseOn(ask app.Ask, n int32, start time.Duration) (end time.Duration, may bool) {
	end, by := s.promiseOn(ask, n, start)
	return end, by == noWindow
}

// WindowAgainst returns the ID of the first window that does not let an ask be placed on a node now, or "".
func (s *State) WindowAgainst(ask app.Ask, n int32) string {
	_, by := s.promiseOn(ask, n, s.now)
	if by == noWindow {
		return ""
	}
	return s.windows.View().At(by).ID()
}

// noWindow is the index of no window.
const noWindow = -1

// promiseOn is PromiseOn with the index of the first window that does not let the ask be placed, or noWindow.
func (s *State) promiseOn(ask app.Ask, n int32, start time.Duration) (end time.Duration, by int) {
	end, limit := instant.Never, ask.Walltime().Limit
	if limit > 0 {
		end = instant.Add(start, limit)
	}
	if !s.finder.Hold(n).IsWindowed() {
		return end, noWindow
	}
	names, view := s.namedIn(ask.App()).names, s.windows.View()
	for i := range view.On(n).All {
		if from, until := view.At(int(i)).Occurrence(start); names[i] && from <= start {
			end = min(end, until)
		}
	}
	for i := range view.On(n).All {
		if names[i] {
			continue
		}
		switch from, _ := view.At(int(i)).Occurrence(start); {
		case from <= start:
			return 0, int(i)
		case end <= from:
		case limit > 0 || !s.conf.UnboundedBeforeWindows:
			return 0, int(i)
		default:
			end = from
		}
	}
	return end, noWindow
}

// promiseByWindow has an allocation that is being made promise to end with a window that names it, or at the start of one that does not. An
// allocation that was made earlier, and is restored, is taken as it is.
func (s *State) promiseByWindow(ask app.Ask, n int32) {
	if !s.started || !s.finder.Hold(n).IsWindowed() { // a snapshot has all promises
		return
	}
	w := ask.Walltime()
	made, end := s.now, instant.Never
	if w.Backdated {
		made = w.Since
	}
	if w.Limit > 0 {
		end = instant.Add(made, w.Limit)
	}
	by, names, view := instant.Never, s.namedIn(ask.App()).names, s.windows.View()
	for i := range view.On(n).All {
		switch of := view.At(int(i)); {
		case names[i] && of.From() <= made:
			by = min(by, of.Until())
		case !names[i] && !of.IsOpen() && w.Limit == 0 && s.conf.UnboundedBeforeWindows:
			by = min(by, of.From())
		}
	}
	if by < end {
		w.By, w.Windowed = by, true
		s.asks.SetWalltime(ask.Slot(), w)
	}
}

// whyEnds returns why an allocation has to end at its promised end.
func (s *State) whyEnds(ask app.Ask) core.Reason {
	if w := ask.Walltime(); w.Windowed && (w.Limit == 0 || instant.Add(ask.Began(), w.Limit) > w.By) {
		return core.ReasonWindow
	}
	return core.ReasonWalltime
}

// LetGoBarred lets go of the room that is held for members of a gang where windows no longer let them be placed.
func (s *State) LetGoBarred() {
	if s.Accumulates() {
		s.letGo(core.ReasonWindow, func(p Placement) bool { return !s.MayBeOn(p.Ask, p.Node) })
	}
}

// IdleWindow returns the next start or end of a window for which a replay waits that runs until the scheduler is idle. Windows that open again and
// again never end. They count while asks are pending that came within the horizon.
func (c *Shared) IdleWindow() (at time.Duration, ok bool) {
	for _, s := range c.partitions {
		for i := range s.windows.View().Len() {
			w := s.windows.View().At(i)
			if !w.IsRecurring() || w.Next() <= config.DefaultHorizon.After(s.lastPending()) {
				at, ok = instant.Sooner(at, ok, w.Next())
			}
		}
	}
	return at, ok
}

// lastPending returns when the newest pending ask came, or instant.Beginning if there is none.
func (s *State) lastPending() time.Duration {
	last := instant.Beginning
	for ask := range s.Pending {
		last = max(last, ask.Created())
	}
	return last
}
