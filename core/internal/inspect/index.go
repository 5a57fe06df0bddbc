package inspect

import (
	"cmp"
	"strings"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state"
)

// Index keeps the applications and asks of all partitions in the order of lists, so that a page costs what it has. It follows the
// state's log; a scheduler that lists nothing has none.
type Index struct {
	shared *state.Shared
	apps   ordered[appEntry]
	asks   ordered[*app.Ask]
	ended  []appEntry // the state's list of terminal applications as it was last seen
	first  uint64     // the number of ended[0]: they are numbered in the order in which they ended
}

// appEntry is an application of the index.
type appEntry struct {
	id    string
	seq   uint64
	live  *app.App // nil: it is terminal
	view  *View    // of a live one
	ended uint64   // number of a terminal one
}

func compareApps(a, b appEntry) int {
	return cmp.Or(strings.Compare(a.id, b.id), cmp.Compare(a.seq, b.seq))
}

func compareAsks(a, b *app.Ask) int {
	if a.App == b.App {
		return cmp.Compare(a.Seq, b.Seq)
	}
	return cmp.Or(strings.Compare(a.App.ID, b.App.ID), cmp.Compare(a.Seq, b.Seq))
}

// NewIndex makes an index of what is there, which the views keep up to date from now on.
func NewIndex(views []*View) *Index {
	x := &Index{shared: views[0].Shared, apps: ordered[appEntry]{compare: compareApps}, asks: ordered[*app.Ask]{compare: compareAsks}}
	var apps []appEntry
	var asks []*app.Ask
	for _, v := range views {
		for _, a := range v.Apps {
			apps = append(apps, appEntry{id: a.ID, seq: a.Seq, live: a, view: v})
		}
		v.Asks.All(func(ask *app.Ask) bool { asks = append(asks, ask); return true })
		v.index = x
		v.SkipLog(&v.cursor)
	}
	x.apps.fill(apps)
	x.asks.fill(asks)
	x.followEnded()
	return x
}

// Forget ends the index of a view.
func (s *View) Forget() { s.index = nil }

// Follow has what is kept of the partition take in what changed.
func (s *View) Follow() {
	s.followTally()
	s.followIndex()
}

// followIndex has the index take in what changed in the partition.
func (s *View) followIndex() {
	x := s.index
	if x == nil {
		return
	}
	for _, c := range s.State.Follow(&s.cursor) {
		switch c.Kind {
		case state.AppCame:
			x.apps.put(appEntry{id: c.App.ID, seq: c.App.Seq, live: c.App, view: s})
		case state.AskPending, state.AllocationMade:
			x.asks.put(c.Ask)
		case state.AskGone, state.AllocationEnded:
			x.asks.drop(c.Ask)
		}
	}
	x.followEnded()
}

// followEnded takes in which applications have ended or expired: the oldest go first.
func (x *Index) followEnded() {
	list := x.shared.Ended
	for len(x.ended) > 0 && (len(list) == 0 || x.ended[0].seq != list[0].Seq) {
		x.apps.drop(x.ended[0])
		x.ended, x.first = x.ended[1:], x.first+1
	}
	for _, e := range list[len(x.ended):] {
		entry := appEntry{id: e.ID, seq: e.Seq, ended: x.first + uint64(len(x.ended))}
		x.ended = append(x.ended, entry)
		x.apps.put(entry)
	}
}

// endedApp is the terminal application of an entry.
func (x *Index) endedApp(e *appEntry) *state.EndedApp { return &x.shared.Ended[e.ended-x.first] }
