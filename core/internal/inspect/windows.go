package inspect

import (
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
)

// ListWindows returns a page of the windows, by ID.
func ListWindows(views []*View, page *core.Page) core.WindowList {
	p := pager[core.WindowItem]{page: page}
	p.Next = page.After
	var all []core.WindowItem
	for _, s := range views {
		if is(page.Where.Partition, s.Shown()) {
			all = append(all, s.windowItems()...)
		}
	}
	slices.SortFunc(all, func(a, b core.WindowItem) int { return strings.Compare(a.ID, b.ID) })
	for _, w := range all {
		if w.ID <= page.After.Name {
			continue
		}
		if p.over() {
			return p.Listed
		}
		p.pass(core.Key{Name: w.ID})
		p.add(w, workOfNode+len(w.Nodes)/4)
	}
	p.More = false
	return p.Listed
}

// FindWindow returns the window with an ID.
func (s *View) FindWindow(id string) (d core.WindowItem, ok bool) {
	if i := s.Windows().Find(id); i >= 0 {
		return s.windowItems()[i], true
	}
	return d, false
}

// windowItems lists the windows of a partition, in the order in which they were added.
func (s *View) windowItems() (list []core.WindowItem) {
	for i := range s.Windows().Len() {
		list = append(list, s.windowItem(i))
	}
	if list == nil {
		return nil
	}
	for n := range s.Nodes().Sorted().All {
		for i := range s.Windows().On(n).All {
			list[i].Nodes = append(list[i].Nodes, s.Nodes().ID(n))
		}
	}
	return list
}

// windowItem returns a window without its nodes that exist.
func (s *View) windowItem(i int) core.WindowItem {
	w := s.Windows().At(i)
	d := core.WindowItem{
		Partition: s.Shown(), ID: w.ID(), Open: w.IsOpen(), From: w.From(), Until: w.Until(), Every: w.Every(),
		Queues: w.Queues().Clone(), Users: w.Users().Clone(), Groups: w.Groups().Clone(),
	}
	if conf := w.Configured(); conf != nil {
		d.Schedule = conf.Schedule
	}
	for id := range w.Nodes().All {
		if s.Nodes().Find(id) == app.NoNode {
			d.Missing = append(d.Missing, id)
		}
	}
	return d
}

// ExplainWindow explains a window. ok is false if there is none with the ID.
func (s *View) ExplainWindow(id string) (e explain.WindowExplanation, ok bool) {
	if e.Window, ok = s.FindWindow(id); !ok {
		return e, false
	}
	w := s.Windows().At(s.Windows().Find(id))
	for _, node := range e.Window.Nodes {
		for a := s.Asks().FirstOn(s.Nodes().Find(node)); !a.IsNone(); a = a.NextOnNode() {
			q := s.QueueOf(a)
			u := explain.WindowUse{Node: node, Ask: a.ID(), App: a.App().ID(), Queue: s.Queues().Shown(q),
				Named: w.Names(s.Queues().Path(q), a.App().User(), a.App().Groups())}
			if ends := a.Ends(); ends != instant.Never {
				u.Ends = &ends
			}
			e.Uses = append(e.Uses, u)
		}
	}
	e.Text = e.Sentences(s.moment)
	return e, true
}
