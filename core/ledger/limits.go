package ledger

import (
	"cmp"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// LimitSource is a scheduler that reports the usage of user and group limits.
type LimitSource interface {
	Limited() bool
	LimitUsage() []core.LimitUsage
	AppLimits(app string) []core.LimitUsage
}

// Limits records how near users and groups come to their limits. It reads usage at the end of an instant, and only for the applications
// that had allocations in it. Without limits, it does nothing.
type Limits struct {
	NopWatcher
	books    *Ledger
	source   LimitSource
	limited  bool // a queue has limits
	touched  map[*app]struct{}
	last     *app // last one touched, since allocations of an application often come in a row
	reloaded bool // a configuration was accepted since the last Until
	peaks    map[limitKey]*LimitPeak
}

type limitKey struct {
	queue, name string
	group       bool
}

// LimitPeak is the time at which a user or group came nearest to its limit in a queue.
type LimitPeak struct {
	Queue           string // in shown form
	Group           bool   // Name is a group
	Name            string
	At              time.Duration
	Share           int64        // of the limit, in billionths: the maximum over its types and applications
	Used            resource.Set // of the types of the limit, including claims of asks
	Max             resource.Set
	Applications    int
	MaxApplications uint64       // 0 is unlimited
	Final           resource.Set // usage of the same types at the end; nil if the limit was removed or the user or group has no application
}

// mostPeaks is the number of users and groups that are remembered: those that came nearest to their limits.
const mostPeaks = 1000

// WatchLimits makes a watcher of a scheduler's ledger.
func WatchLimits(books *Ledger, source LimitSource) *Limits {
	w := &Limits{books: books, source: source, limited: source.Limited(), touched: map[*app]struct{}{}, peaks: map[limitKey]*LimitPeak{}}
	books.Watch(w)
	return w
}

// Placed records that the usage of an application has increased.
func (w *Limits) Placed(a *Ask) { w.touch(a.app) }

// Decided records that other limits may apply.
func (w *Limits) Decided(d *core.Decision) {
	switch d.Type {
	case core.ConfigAccepted:
		w.limited = w.source.Limited()
		w.reloaded = w.limited
	case core.AppMoved:
		w.touch(w.books.apps[d.ID])
	}
}

func (w *Limits) touch(p *app) {
	if w.limited && p != w.last {
		w.last = p
		w.touched[p] = struct{}{}
	}
}

// Until records the usage at the end of the past instant.
func (w *Limits) Until(time.Duration) {
	if w.reloaded {
		w.reloaded = false
		w.enter(w.source.LimitUsage())
	}
	for p := range w.touched {
		w.enter(w.source.AppLimits(p.id))
	}
	if w.last = nil; len(w.touched) > 0 {
		clear(w.touched)
	}
	if len(w.peaks) >= 2*mostPeaks {
		for _, p := range w.sorted()[mostPeaks:] {
			delete(w.peaks, limitKey{p.Queue, p.Name, p.Group})
		}
	}
}

// enter records usage that is nearer to its limit than before.
func (w *Limits) enter(list []core.LimitUsage) {
	for i := range list {
		u := &list[i]
		key := limitKey{core.ShownPath(u.Partition, u.Queue), u.Name, u.Group}
		share := shareOf(u)
		if p := w.peaks[key]; p != nil && p.Share >= share || share == 0 {
			continue
		}
		w.peaks[key] = &LimitPeak{
			Queue: key.queue, Group: u.Group, Name: u.Name, At: w.books.Now, Share: share,
			Used: bounded(u.Used, u.Max), Max: u.Max, Applications: u.Applications, MaxApplications: u.MaxApplications,
		}
	}
}

// shareOf returns the share of a limit that is used, in billionths.
func shareOf(u *core.LimitUsage) int64 {
	share := int64(0)
	for _, most := range u.Max {
		used, _ := u.Used.Value(most.Type)
		share = max(share, resource.Share(used, most.Value))
	}
	if u.MaxApplications > 0 {
		share = max(share, resource.Share(int64(u.Applications), int64(u.MaxApplications)))
	}
	return share
}

// bounded returns the part of a usage that a limit bounds.
func bounded(used, most resource.Set) resource.Set {
	list := make(resource.Set, 0, len(most))
	for _, q := range most {
		amount, _ := used.Value(q.Type)
		list = append(list, resource.Quantity{Type: q.Type, Value: amount})
	}
	return list
}

// Peaks lists the users and groups with usage, in descending order of their share.
func (w *Limits) Peaks() []LimitPeak {
	final := map[limitKey]resource.Set{}
	for _, u := range w.source.LimitUsage() {
		final[limitKey{core.ShownPath(u.Partition, u.Queue), u.Name, u.Group}] = u.Used
	}
	var all []LimitPeak
	sorted := w.sorted()
	for _, p := range sorted[:min(len(sorted), mostPeaks)] {
		if used, alive := final[limitKey{p.Queue, p.Name, p.Group}]; alive {
			p.Final = bounded(used, p.Max)
		}
		all = append(all, p)
	}
	return all
}

func (w *Limits) sorted() []LimitPeak {
	all := make([]LimitPeak, 0, len(w.peaks))
	for _, p := range w.peaks {
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b LimitPeak) int {
		group := 0
		if a.Group != b.Group {
			group = 1 // users before groups
			if b.Group {
				group = -1
			}
		}
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Queue, b.Queue), group, cmp.Compare(a.Name, b.Name))
	})
	return all
}
