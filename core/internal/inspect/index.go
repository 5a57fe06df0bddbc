package inspect

import (
	"cmp"
	"strings"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
)

// Index keeps the applications and asks of all partitions in list order, so that the cost of a page depends on its size, not on the
// length of the list. It follows the log of each partition. A scheduler without lists has no index.
type Index struct {
	shared *View // of some partition; it reads what all of them share
	apps   ordered[appEntry]
	asks   ordered[app.Ask]
	ended  []appEntry // copy of the state's list of terminal applications, as of the last followEnded
	first  uint64     // number of ended[0]; applications are numbered in the order in which they ended
}

// appEntry is an entry for a live or terminal application.
type appEntry struct {
	id    string
	seq   uint64
	live  app.App // none if it is terminal
	view  *View   // its partition, if it is live
	ended uint64  // its number, if it is terminal
}

func compareApps(a, b appEntry) int {
	return cmp.Or(strings.Compare(a.id, b.id), cmp.Compare(a.seq, b.seq))
}

func compareAsks(a, b app.Ask) int {
	if a.App() == b.App() {
		return cmp.Compare(a.Seq(), b.Seq())
	}
	return cmp.Or(strings.Compare(a.App().ID(), b.App().ID()), cmp.Compare(a.Seq(), b.Seq()))
}

// NewIndex builds an index of the current applications and asks. The views keep it up to date from then on.
func NewIndex(views []*View) *Index {
	x := &Index{shared: views[0], apps: ordered[appEntry]{compare: compareApps}, asks: ordered[app.Ask]{compare: compareAsks}}
	var apps []appEntry
	var asks []app.Ask
	for _, v := range views {
		for a := range v.Asks().Apps {
			apps = append(apps, appEntry{id: a.ID(), seq: a.Seq(), live: a, view: v})
		}
		v.Asks().All(func(ask app.Ask) bool { asks = append(asks, ask); return true })
		v.index = x
		v.SkipLog(&v.cursor)
	}
	x.apps.fill(apps)
	x.asks.fill(asks)
	x.followEnded()
	return x
}

// Forget removes the index from a view.
func (s *View) Forget() { s.index = nil }

// Follow brings the tally and the index of the partition up to date.
func (s *View) Follow() {
	s.followTally()
	s.followIndex()
}

// followIndex brings the partition's part of the index up to date.
func (s *View) followIndex() {
	x := s.index
	if x == nil {
		return
	}
	for c := range s.State.Follow(&s.cursor).All {
		switch c.Kind() {
		case state.AppAdded:
			x.apps.put(appEntry{id: c.App().ID(), seq: c.App().Seq(), live: c.App(), view: s})
		case state.AskPending, state.AllocationMade:
			x.asks.put(c.Ask())
		case state.AskGone, state.AllocationEnded:
			x.asks.drop(c.Ask())
		}
	}
	x.followEnded()
}

// followEnded adds applications that have ended and removes those that have expired, the oldest first.
func (x *Index) followEnded() {
	for len(x.ended) > 0 && (x.shared.EndedCount() == 0 || x.ended[0].seq != x.shared.EndedAt(0).Seq) {
		x.apps.drop(x.ended[0])
		x.ended, x.first = x.ended[1:], x.first+1
	}
	for i := len(x.ended); i < x.shared.EndedCount(); i++ {
		e := x.shared.EndedAt(i)
		entry := appEntry{id: e.ID, seq: e.Seq, ended: x.first + uint64(len(x.ended))}
		x.ended = append(x.ended, entry)
		x.apps.put(entry)
	}
}

// endedApp returns the terminal application of an entry.
func (x *Index) endedApp(e *appEntry) state.EndedApp { return x.shared.EndedAt(int(e.ended - x.first)) }
