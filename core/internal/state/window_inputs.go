package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/windows"
)

// partitionOfWindow returns the partition of a window, or nil.
func (c *Shared) partitionOfWindow(id string) *State {
	for _, s := range c.partitions {
		if s.windows.View().Find(id) >= 0 {
			return s
		}
	}
	return nil
}

func (s *State) addWindow(in *core.AddWindow) {
	reason, message := core.ReasonDuplicate, fmt.Sprintf("window %q already exists", in.ID)
	if s.partitionOfWindow(in.ID) == nil {
		reason, message = s.badWindow(in)
	}
	if reason != core.Accepted {
		s.refuse(core.WindowRejected, in.ID, reason, message).Partition = s.shown
		return
	}
	w := windows.Spec{ID: in.ID, From: in.From, Until: instant.Never, Every: in.Every, Nodes: in.Nodes, Users: in.Users, Groups: in.Groups}
	if in.Until != nil {
		w.Until = *in.Until
	}
	if in.Nodes == nil {
		w.Nodes = s.matching(in.Constraints)[:in.Count]
	}
	for _, q := range in.Queues {
		w.Queues = append(w.Queues, strings.ToLower(q))
	}
	d := s.emit(core.WindowAccepted)
	d.ID, d.Partition = in.ID, s.shown
	s.windows.Add(w)
	s.windowsAdded()
}

// windowsAdded applies the addition of windows.
func (s *State) windowsAdded() {
	s.Slipped(SlipWindow)
	s.reclassPending()
	s.joinAll()
	s.openWindows()
}

// badWindow returns why a window is refused whose ID is free.
func (s *State) badWindow(in *core.AddWindow) (core.Reason, string) {
	for _, id := range in.Nodes {
		if s.finder.Find(id) == app.NoNode {
			message := fmt.Sprintf("there is no node %q", id)
			if s.partitionOfNode(id) != nil {
				message += " in partition " + s.name
			}
			return core.ReasonUnknownNode, message
		}
	}
	switch matching := len(s.matching(in.Constraints)); {
	case in.Nodes == nil && in.Count > matching:
		return core.ReasonBadWindow, fmt.Sprintf("count is %d, and the constraints admit %s", in.Count, explain.Count(matching, "node"))
	case in.Until == nil && in.Every > 0:
		return core.ReasonBadWindow, "every needs an until"
	case in.Until == nil:
	case *in.Until <= in.From:
		return core.ReasonBadWindow, "until is not after from"
	case *in.Until <= s.now:
		return core.ReasonBadWindow, "until is in the past"
	case in.Every > 0 && in.Every < instant.Sub(*in.Until, in.From):
		return core.ReasonBadWindow, fmt.Sprintf("every, %s, is shorter than the window, which is open for %s", in.Every, instant.Sub(*in.Until, in.From))
	}
	return core.Accepted, ""
}

// matching lists the IDs of the nodes that meet constraints, in order.
func (s *State) matching(constraints map[string][]string) (list []string) {
	for n := range s.finder.Sorted().All {
		if windows.Meets(constraints, func(name string) (string, bool) { return s.finder.Attribute(n, name) }) {
			list = append(list, s.finder.ID(n))
		}
	}
	return list
}

func (s *State) removeWindow(in *core.RemoveWindow) {
	i := s.windows.View().Find(in.ID)
	if i < 0 {
		s.ignore(in, core.ReasonUnknownWindow, fmt.Sprintf("there is no window %q", in.ID))
		return
	}
	if w := s.windows.View().At(i); w.Configured() != nil {
		s.ignore(in, core.ReasonConfigured, fmt.Sprintf("window %q is in the configuration, and ends with a reload without it", in.ID))
		return
	}
	s.endWindow(i)
}

// endWindow removes a window before its time.
func (s *State) endWindow(i int) {
	if w := s.windows.View().At(i); w.IsOpen() {
		s.windowClosed(w)
	}
	s.dropWindow(i)
}

// renewWindows applies the windows of a new configuration. Those that are as before go on.
func (s *State) renewWindows() {
	s.named = named{} // queues may have other numbers
	before := s.windows.View().Version()
	for i := 0; i < s.windows.View().Len(); i++ {
		if was := s.windows.View().At(i).Configured(); was != nil && !slices.ContainsFunc(s.conf.Windows, func(w *config.Window) bool { return windows.Same(was, w) }) {
			s.endWindow(i)
			i--
		}
	}
	for _, conf := range s.conf.Windows {
		if i := s.windows.View().Find(conf.ID); i >= 0 {
			s.windows.Reconfigure(i, conf)
		} else {
			s.windows.AddConfigured(conf, s.now, nil)
		}
	}
	if s.windows.View().Version() != before {
		s.windowsAdded()
	}
}

// windowRefusals returns errors for the windows of a configuration whose IDs other windows have.
func (c *Shared) windowRefusals(configured []*config.Partition) (out []string) {
	for _, p := range configured {
		for i, w := range p.Windows {
			if s := c.partitionOfWindow(w.ID); s != nil && s.windows.View().At(s.windows.View().Find(w.ID)).Configured() == nil {
				out = append(out, fmt.Sprintf("partition: windows[%d].id: expected an ID that no other window has, found %q, which window.add has added", i+1, w.ID))
			}
		}
	}
	return out
}
