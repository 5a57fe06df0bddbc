package inspect

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/app"
)

// ListWindows lists the windows: by partition, with the first partition first and the others by name, then in the order in which they were added.
func ListWindows(views []*View) (list []core.WindowItem) {
	for _, s := range byShown(views) {
		list = append(list, s.windowItems()...)
	}
	return list
}

// windowItems lists the windows of a partition with their nodes.
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
