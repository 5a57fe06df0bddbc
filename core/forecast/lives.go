package forecast

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/ledger"
)

// life is an ask or allocation, and the run times that it may have.
type life struct {
	id, app string
	times   []time.Duration // of alike ones, longer than its age, shortest first; empty: none are known
	group   uint64          // hash of the group of these
	age     time.Duration   // how long it has run
	most    time.Duration   // how long it may run: its walltime; instant.Never: it promises no end
	made    bool
	ends    time.Duration // if it was told to end: when it does, otherwise instant.Never
}

// Basis is what a forecast rests on: how many asks and allocations take their run times from where.
type Basis struct {
	Groups    []Group
	Walltimes int // have no alike ones that ran so long, and run to their promised end
	Outlived  int // promise no end and have run longer than all alike ones: they run as long again
	Unbounded int // promise no end, and nothing is known of alike ones: they do not end
}

// Group is a group of alike allocations of which some have ended.
type Group struct {
	Of    string // ann/train, ann, or 4 vcore in root.batch
	Ended int    // allocations of the group that have ended
	Asks  int    // asks and allocations whose run times are drawn from theirs
}

// lifeOf returns how long an ask may run, and counts what that rests on.
func (f *Forecast) lifeOf(a *core.AskItem, runs *ledger.RunTimes) life {
	l := life{id: a.ID, app: a.App, most: instant.Never, ends: instant.Never, made: a.Node != ""}
	if a.Walltime > 0 {
		l.most = a.Walltime
	}
	if l.made {
		l.age = max(0, instant.Sub(f.now, a.Began))
	}
	if a.Leaves {
		l.ends = instant.Add(f.now, f.o.Grace)
		return l
	}
	alike := ledger.Alike{User: a.User, App: a.App, Queue: core.ShownPath(a.Partition, a.Queue), Resources: a.Resources}
	if known, ok := runs.Longer(&alike, l.age); ok {
		l.times, l.group = known.Times, hash(known.Of)
		f.count(&known)
		return l
	}
	_, known := runs.Longer(&alike, 0)
	switch {
	case l.most != instant.Never:
		f.basis.Walltimes++
	case known && l.made:
		f.basis.Outlived++
		l.most = instant.Add(l.age, l.age)
	default:
		f.basis.Unbounded++
	}
	return l
}

// count counts an ask whose run time is drawn from those of a group.
func (f *Forecast) count(from *ledger.Runs) {
	i, counted := f.groups[from.Of]
	if !counted {
		i = len(f.basis.Groups)
		f.groups[from.Of] = i
		f.basis.Groups = append(f.basis.Groups, Group{Of: from.Of, Ended: from.Ended})
	}
	f.basis.Groups[i].Asks++
}

// sort lists groups that count for more asks first.
func (b *Basis) sort() {
	slices.SortFunc(b.Groups, func(x, y Group) int { return cmp.Or(y.Asks-x.Asks, cmp.Compare(x.Of, y.Of)) })
}
