package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/state/windows"
)

// windowMemory is a window in a snapshot.
type windowMemory struct {
	ID          string
	From, Until time.Duration
	Every       time.Duration `json:",omitempty"`
	Open        bool          `json:",omitempty"`
	Configured  bool          `json:",omitempty"` // the configuration says the rest
	Nodes       []string      `json:",omitempty"`
	Queues      []string      `json:",omitempty"`
	Users       []string      `json:",omitempty"`
	Groups      []string      `json:",omitempty"`
}

// rememberWindows lists the windows, in the order in which they were added.
func (s *State) rememberWindows() (list []windowMemory) {
	for i := range s.windows.View().Len() {
		w := s.windows.View().At(i)
		m := windowMemory{ID: w.ID(), From: w.From(), Until: w.Until(), Every: w.Every(), Open: w.IsOpen(), Nodes: w.Nodes().Clone()}
		if conf := w.Configured(); conf != nil {
			m.Configured = true
			if conf.Count == 0 {
				m.Nodes = nil
			}
		} else {
			m.Queues, m.Users, m.Groups = w.Queues().Clone(), w.Users().Clone(), w.Groups().Clone()
		}
		list = append(list, m)
	}
	return list
}

// windows restores the windows. Nodes are known, and asks are not yet.
func (r restorer) windows() error {
	s := r.s
	s.windows = windows.Windows{}
	for _, m := range r.m.Windows {
		if m.ID == "" || s.partitionOfWindow(m.ID) != nil || m.From >= m.Until && m.From != instant.Never || m.Open && m.From > r.all.Now || m.Every < 0 || m.Until <= r.all.Now {
			return fmt.Errorf("window %q: expected an ID of its own, and an end to come after its start, found %s until %s", m.ID, m.From, m.Until)
		}
		if !m.Configured {
			s.windows.Add(windows.Spec{ID: m.ID, From: m.From, Until: m.Until, Every: m.Every, Opened: m.Open, Nodes: m.Nodes, Queues: m.Queues, Users: m.Users, Groups: m.Groups})
			continue
		}
		at := slices.IndexFunc(s.conf.Windows, func(w *config.Window) bool { return w.ID == m.ID })
		if at < 0 {
			return fmt.Errorf("window %q: expected one of the configuration, found none", m.ID)
		}
		s.windows.AddConfigured(s.conf.Windows[at], r.all.Now, m.Nodes)
		s.windows.Restore(s.windows.View().Len()-1, m.From, m.Until, m.Open, m.Nodes)
	}
	for _, conf := range s.conf.Windows {
		if s.windows.View().Find(conf.ID) < 0 {
			s.windows.AddConfigured(conf, r.all.Now, nil)
		}
	}
	s.joinAll()
	return nil
}

// presentWindows returns the inputs that add the windows which are not in the configuration, with their nodes that exist.
func (m *partitionMemory) presentWindows(partition string) (list []core.Input) {
	for _, w := range m.Windows {
		if w.Configured {
			continue
		}
		add := &core.AddWindow{ID: w.ID, Partition: partition, From: w.From, Every: w.Every, Queues: w.Queues, Users: w.Users, Groups: w.Groups}
		if w.Until != instant.Never {
			add.Until = new(w.Until)
		}
		for _, id := range w.Nodes {
			if slices.ContainsFunc(m.Nodes, func(n nodeMemory) bool { return n.ID == id }) {
				add.Nodes = append(add.Nodes, id)
			}
		}
		if len(add.Nodes) > 0 {
			list = append(list, core.Input{Event: add})
		}
	}
	return list
}
