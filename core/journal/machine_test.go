package journal

import (
	"slices"
	"time"

	"github.com/quern-project/quern/core"
)

// The timers of the fake: applications start to run after startAfter, for which idle waits, and expire after expireAfter, for which it
// does not.
const (
	startAfter  = 5 * time.Minute
	expireAfter = 72 * time.Hour
)

// fake is a machine that is simple enough to check by hand. Every node has room for as many allocations as its vcore says. Asks are
// placed in order. If an ask with a priority above 0 finds no room, it preempts the youngest allocation with a priority of 0 or less.
type fake struct {
	now     time.Duration
	nodes   []fakeNode
	pending []core.Input
	running []fakeAllocation // in order of allocation
	apps    map[string]bool
	timers  []fakeTimer // by time
	made    []core.Decision
	seq     uint64
	placed  uint64
	refused core.Reason // of the current input
	calls   []string    // with times, for tests of the order of calls
}

type fakeNode struct {
	id   string
	room int64
}

type fakeAllocation struct {
	core.Input
	node      string
	leaving   bool
	placement uint64
}

type fakeTimer struct {
	at    time.Duration
	id    string
	state string
}

func newFake() *fake { return &fake{apps: map[string]bool{}} }

func (f *fake) Now() time.Duration { return f.now }

func (f *fake) Deadline() (time.Duration, bool) {
	if len(f.timers) == 0 {
		return 0, false
	}
	return f.timers[0].at, true
}

func (f *fake) IdleDeadline() (time.Duration, bool) {
	i := slices.IndexFunc(f.timers, func(t fakeTimer) bool { return t.state != core.StateExpired })
	if i < 0 {
		return 0, false
	}
	return f.timers[i].at, true
}

func (f *fake) Advance(to time.Duration) {
	if at, ok := f.Deadline(); ok && to > at || to < f.now {
		panic("the clock passed over a deadline, or went back")
	}
	f.now = to
	f.calls = append(f.calls, "advance "+to.String())
	for len(f.timers) > 0 && f.timers[0].at == to {
		f.decide(core.Decision{Type: core.AppState, ID: f.timers[0].id, To: f.timers[0].state})
		f.timers = f.timers[1:]
	}
}

func (f *fake) decide(d core.Decision) {
	f.seq++
	d.Seq, d.At = f.seq, f.now
	f.made = append(f.made, d)
}

func (f *fake) refuse(d core.Decision) {
	f.refused = d.Reason
	f.decide(d)
}

func (f *fake) Apply(in *core.Input) core.Reason {
	f.calls = append(f.calls, string(in.Type())+" "+in.ID())
	f.refused = core.Accepted
	f.apply(in)
	return f.refused
}

func (f *fake) apply(in *core.Input) {
	switch in.Type() {
	case core.ConfigSet:
		if in.Event.(*core.SetConfig).Config == "bad" {
			f.refused = core.ReasonInvalidConfig
			f.decide(core.Decision{Type: core.ConfigRejected, Errors: []string{"a problem", "another"}})
			return
		}
		f.decide(core.Decision{Type: core.ConfigAccepted})
	case core.NodeAdd:
		cores, _ := in.Event.(*core.AddNode).Capacity.Value("vcore")
		f.nodes = append(f.nodes, fakeNode{in.ID(), cores / 1000})
	case core.NodeRemove:
		f.nodes = slices.DeleteFunc(f.nodes, func(n fakeNode) bool { return n.id == in.ID() })
		f.release(core.ReasonNodeRemoved, func(a fakeAllocation) bool { return a.node == in.ID() })
	case core.AppAdd:
		f.timers = append(f.timers, fakeTimer{f.now + startAfter, in.ID(), core.StateRunning},
			fakeTimer{f.now + expireAfter, in.ID(), core.StateExpired})
		slices.SortStableFunc(f.timers, func(a, b fakeTimer) int { return int(a.at - b.at) })
	case core.AppRemove:
		f.release(core.ReasonAppRemoved, func(a fakeAllocation) bool { return a.Ask().App == in.ID() })
		f.pending = slices.DeleteFunc(f.pending, func(ask core.Input) bool { return ask.Ask().App == in.ID() })
	case core.AskAdd, core.AllocationRestore:
		f.ask(in)
	case core.AskRemove:
		f.remove(in)
	case core.AllocationRelease:
		f.end(in)
	}
}

func (f *fake) ask(in *core.Input) {
	switch {
	case f.known(in.ID()):
		f.refuse(core.Decision{Type: core.AskRejected, ID: in.ID(), App: in.Ask().App, Reason: core.ReasonDuplicate})
	case in.Type() == core.AllocationRestore:
		f.place(in.Clone(), in.Event.(*core.RestoreAllocation).PlacedOn)
	default:
		f.pending = append(f.pending, in.Clone())
	}
}

func (f *fake) known(id string) bool {
	same := func(ask core.Input) bool { return ask.ID() == id }
	return slices.ContainsFunc(f.pending, same) || slices.ContainsFunc(f.running, func(a fakeAllocation) bool { return a.ID() == id })
}

func (f *fake) remove(in *core.Input) {
	before := len(f.pending)
	f.pending = slices.DeleteFunc(f.pending, func(ask core.Input) bool { return ask.ID() == in.ID() })
	if len(f.pending) == before {
		f.refuse(core.Decision{Type: core.Ignored, ID: in.ID(), Input: in.Type(), Reason: core.ReasonUnknownAsk})
	}
}

func (f *fake) end(in *core.Input) {
	i := slices.IndexFunc(f.running, func(a fakeAllocation) bool { return a.ID() == in.ID() })
	if i < 0 {
		f.refuse(core.Decision{Type: core.Ignored, ID: in.ID(), Input: in.Type(), Reason: core.ReasonUnknownAsk})
		return
	}
	reason := core.ReasonFinished
	if f.running[i].leaving {
		reason = core.ReasonPreempted
	}
	f.release(reason, func(a fakeAllocation) bool { return a.ID() == in.ID() })
}

func (f *fake) release(reason core.Reason, which func(fakeAllocation) bool) {
	for _, a := range f.running {
		if which(a) {
			f.decide(core.Decision{Type: core.Release, ID: a.ID(), Reason: reason})
			f.take(a.node, -1)
		}
	}
	f.running = slices.DeleteFunc(f.running, which)
}

func (f *fake) take(node string, n int64) {
	for i := range f.nodes {
		if f.nodes[i].id == node {
			f.nodes[i].room -= n
		}
	}
}

func (f *fake) place(ask core.Input, node string) {
	f.placed++
	f.running = append(f.running, fakeAllocation{Input: ask, node: node, placement: f.placed})
	f.take(node, 1)
}

func (f *fake) Cycle(limit int) int {
	f.calls = append(f.calls, "cycle")
	made := 0
	for i := 0; i < len(f.pending) && made != limit; {
		ask := f.pending[i]
		n := slices.IndexFunc(f.nodes, func(n fakeNode) bool { return n.room > 0 })
		if n < 0 {
			f.preempt(ask)
			i++
			continue
		}
		f.pending = slices.Delete(f.pending, i, i+1)
		f.place(ask, f.nodes[n].id)
		f.decide(core.Decision{Type: core.Allocation, ID: ask.ID(), App: ask.Ask().App, Queue: "root.default", Node: f.nodes[n].id,
			Priority: ask.Ask().Priority, Resources: ask.Ask().Resources})
		made++
	}
	return made
}

func (f *fake) preempt(ask core.Input) {
	if ask.Ask().Priority <= 0 || slices.ContainsFunc(f.running, func(a fakeAllocation) bool { return a.leaving }) {
		return
	}
	for i := len(f.running) - 1; i >= 0; i-- {
		if victim := &f.running[i]; victim.Ask().Priority == 0 {
			victim.leaving = true
			f.decide(core.Decision{Type: core.Preemption, ID: victim.ID(), For: ask.ID(), Node: victim.node, Queue: "root.default", Placement: victim.placement})
			return
		}
	}
}

func (f *fake) Take() []core.Decision {
	made := f.made
	f.made = nil
	return made
}
