package journal

import (
	"strconv"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// apply applies an entry, or the next ask of an entry with a count.
func (p *Player) apply(entry *Entry) {
	if !entry.Numbered {
		p.one(entry)
		p.src.Skip()
		return
	}
	if p.given < entry.Count {
		p.given++
		p.ask = *entry
		p.ask.Count, p.ask.Numbered = 1, false
		p.ask.Input.Event = p.counted.of(entry.Input.Event, p.given)
		p.one(&p.ask)
	}
	if p.given >= entry.Count {
		p.given = 0
		p.src.Skip()
	}
}

// one applies an input and updates the ends of allocations.
func (p *Player) one(entry *Entry) {
	p.result.Inputs++
	in := &entry.Input
	refused := p.enterInput(in)
	if p.o.Inputs != nil {
		p.o.Inputs(entry, refused)
	}
	p.take()
	if refused != core.Accepted {
		return
	}
	switch e := in.Event.(type) {
	case *core.AddAsk:
		p.expect(entry, e)
	case *core.RestoreAllocation:
		p.expect(entry, &e.AddAsk)
		p.ends.allocated(e.ID, in.At)
	case *core.RemoveAsk:
		p.ends.gone(e.ID)
	case *core.RemoveApp:
		p.ends.appGone(e.ID)
	default:
	}
}

// expect records the run time of an ask if its entry has one.
func (p *Player) expect(entry *Entry, ask *core.AddAsk) {
	if entry.HasRun {
		p.ends.expect(ask.ID, ask.App, entry.Run)
	}
}

// counted holds the current ask of an entry with a count.
type counted struct {
	ask     core.AddAsk
	restore core.RestoreAllocation
}

// of returns the n-th ask of such an entry. It is valid until the next call.
func (c *counted) of(e core.Event, n int) core.Event {
	switch e := e.(type) {
	case *core.AddAsk:
		c.ask = *e
		c.ask.ID += "-" + strconv.Itoa(n)
		return &c.ask
	case *core.RestoreAllocation:
		c.restore = *e
		c.restore.ID += "-" + strconv.Itoa(n)
		return &c.restore
	default:
		return e // no other event has a count
	}
}

// input applies an input that does not come from the source.
func (p *Player) input(in *core.Input) {
	p.enterInput(in)
	p.take()
}

func (p *Player) enterInput(in *core.Input) core.Reason {
	p.enter()
	refused := p.instant.Apply(in)
	p.leave()
	return refused
}

// begin applies the policies and the configuration of the options.
func (p *Player) begin() error {
	for _, in := range p.o.Policies {
		in.At = p.at
		p.input(&in)
	}
	if p.o.Config == nil {
		return nil
	}
	p.enter()
	refused := p.instant.Apply(&core.Input{At: p.at, Event: p.o.Config})
	decisions := p.machine.Take()
	p.leave()
	if refused != core.Accepted {
		d := &decisions[0]
		return &ConfigError{Reason: string(d.Reason), Message: d.Message, Errors: d.Errors}
	}
	p.hand(decisions)
	return nil
}

// take passes on the decisions of the machine.
func (p *Player) take() {
	p.hand(p.machine.Take())
}

// hand updates the ends of allocations from decisions, and passes the decisions on.
func (p *Player) hand(decisions []core.Decision) {
	for i := range decisions {
		switch d := &decisions[i]; d.Type {
		case core.Allocation:
			p.ends.allocated(d.ID, d.At)
		case core.Release:
			p.ends.gone(d.ID)
		case core.Exceeded:
			p.overran = true
			p.ends.preempted(d.ID, instant.Add(d.At, p.o.Grace), d.Placement)
		case core.Preemption, core.Replaced:
			p.ends.preempted(d.ID, instant.Add(d.At, p.o.Grace), d.Placement)
		case core.TimedOut:
			p.timedOut(d)
		case core.GangEnded:
			for _, m := range d.Members {
				p.ends.preempted(m.ID, instant.Add(d.At, p.o.Grace), m.Placement)
			}
		case core.AskRejected:
			if d.Reason == core.ReasonGangTimeout { // for other reasons, the ask never had an end, or shares its ID with another ask that has one
				p.ends.gone(d.ID)
			}
		case core.AppState:
			if d.To == core.StateFailing {
				p.ends.pendingGone(d.ID)
			}
		}
	}
	p.result.Decisions += len(decisions)
	if p.o.Decisions != nil && len(decisions) > 0 {
		p.o.Decisions(decisions)
	}
}

// timedOut ends a placeholder. A pending one ends at once; an allocated one leaves like a victim.
func (p *Player) timedOut(d *core.Decision) {
	if d.Node == "" {
		p.ends.gone(d.ID)
		return
	}
	p.ends.preempted(d.ID, instant.Add(d.At, p.o.Grace), d.Placement)
}

func (p *Player) enter() {
	if p.o.Enter != nil {
		p.o.Enter()
	}
}

func (p *Player) leave() {
	if p.o.Leave != nil {
		p.o.Leave()
	}
}
