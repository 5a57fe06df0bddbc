package replay

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

// Story is how an ask came to be allocated: what it waited for, and why it went to its node. The first run with it notes when the ask
// came and which cycle allocated it. A second run of the same workload stops in front of the allocation, and looks.
type Story struct {
	ID        string
	Submitted time.Duration
	Allocated time.Duration
	Waits     []Wait
	// Before is the explanation of the ask just before its allocation, or before that of its gang. Its zero value: it is not known.
	Before explain.AskExplanation
	Node   string

	cycles  int // of this run
	first   int // the first cycle in which it was pending; 0: it did not come
	last    int // the one that allocated it; 0: none did
	ahead   int // allocations of that cycle before it, or before those of its gang
	gangs   map[string]gang
	restate bool
}

// Wait is a time from which an ask waited for the same reasons, as they were at the end of an instant.
type Wait struct {
	From    time.Duration
	Reasons []core.Reason
}

// gang is an atomic gang of an application.
type gang struct{ app, id string }

// mostSamples is about how many instants of a wait are looked at.
const mostSamples = 500

// Told reports whether the ask came, and was allocated, while the story was followed.
func (s *Story) Told() bool { return s.last > 0 }

// Restate has the next run look at what the last one noted.
func (s *Story) Restate() { s.cycles, s.restate = 0, true }

// explaining is a scheduler that explains asks.
type explaining interface {
	ExplainAsk(id string) (explain.AskExplanation, bool)
}

// came notes that an ask was submitted.
func (s *Story) came(in *core.Input) {
	ask, ok := in.Event.(*core.AddAsk)
	if s.restate || !ok {
		return
	}
	if ask.Gang != nil {
		if s.gangs == nil {
			s.gangs = map[string]gang{}
		}
		s.gangs[ask.ID] = gang{ask.App, ask.Gang.ID}
	}
	if ask.ID == s.ID {
		s.Submitted, s.first, s.last = in.At, s.cycles+1, 0
	}
}

// resumed notes since when the ask has waited that a journal began with.
func (s *Story) resumed(apps []core.AppDump) {
	for i := range apps {
		for j := range apps[i].Asks {
			if ask := &apps[i].Asks[j]; ask.ID == s.ID && !s.restate && s.first > 0 {
				s.Submitted = ask.Submitted
			}
		}
	}
}

// decided notes an allocation.
func (s *Story) decided(list []core.Decision) {
	ahead, first := 0, 0 // first is that of the gang
	var last gang
	for i := range list {
		d := &list[i]
		if d.Type != core.Allocation {
			continue
		}
		if g := s.gangs[d.ID]; g == (gang{}) || g != last {
			first, last = ahead, g
		}
		if !s.restate && d.ID == s.ID && s.first > 0 {
			s.Allocated, s.Node, s.last, s.ahead = d.At, d.Node, s.cycles, first
		}
		ahead++
	}
}

// stops is how many allocations a cycle of the second run makes before the ask is looked at; ok is false in all other cycles.
func (s *Story) stops() (allocations int, ok bool) { return s.ahead, s.restate && s.cycles == s.last }

// look explains the ask before its allocation.
func (s *Story) look(m Scheduler) {
	if e, ok := m.(explaining); ok {
		if before, ok := e.ExplainAsk(s.ID); ok && before.Pending {
			s.Before = before
		}
	}
}

// sample notes why the ask waits after a cycle of the second run.
func (s *Story) sample(m Scheduler) {
	step := (s.last-s.first)/mostSamples + 1
	if !s.restate || s.cycles < s.first || s.cycles >= s.last || (s.cycles-s.first)%step != 0 {
		return
	}
	e, ok := m.(explaining)
	if !ok {
		return
	}
	if x, ok := e.ExplainAsk(s.ID); ok && x.Pending {
		if n := len(s.Waits); n == 0 || !slices.Equal(s.Waits[n-1].Reasons, x.Reasons) {
			s.Waits = append(s.Waits, Wait{m.Now(), x.Reasons})
		}
	}
}
