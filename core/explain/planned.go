package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
)

// Codes for why a pending ask has no planned start in a partition that plans starts, beside core.ReasonUnplanned, core.ReasonBarred and
// core.ReasonOutOfReach.
const (
	NoPlanUnbounded core.Reason = "unbounded"     // what is in its way promises no end
	NoPlanRequired  core.Reason = "required-node" // the node that it requires is held for it
	NoPlanHeadroom  core.Reason = "headroom-only" // it lacks the headroom of queues alone, and only a depth of all plans such asks
)

// MostDepartures is the number of departures that an explanation of a planned start names.
const MostDepartures = 10

// PlanExplanation explains the planned start of an ask, or of the gang that it belongs to.
type PlanExplanation struct {
	Start  time.Duration
	Node   string
	Reason core.Reason `json:",omitempty"` // of the last decision about it; empty before the first
	Gang   string      `json:",omitempty"` // the ID of the gang whose members start together
	Nodes  []string    `json:",omitempty"` // of the members of the gang, in the order of these
	When   string      // Start in words, such as "at 1h0m0s"
	// After are the allocations that make room by leaving, and the planned asks that have the room before it; those that leave first come first.
	// More is the number of those that are not named.
	After []Departure `json:",omitempty"`
	More  int         `json:",omitempty"`
	// Window is the window that ends at Start on Node; empty for none.
	Window string `json:",omitempty"`
	// Told identifies what the last decision has told of the start. Unlike the rest, it changes only with decisions.
	Told string `json:"-"`
}

// Departure is an allocation, or a planned ask, that leaves at an instant at the latest.
type Departure struct {
	Ask, App string
	Ends     time.Duration
	Planned  bool `json:",omitempty"` // it is not allocated yet
}

// Shorter is a walltime with which an ask would start now, since it would leave before it takes room of planned starts or windows.
type Shorter struct {
	Walltime time.Duration // the longest one
	Node     string        // the first node that it could start on
}

// PlannedRoom is room in a queue, or at a limit, that an ask could use now but would take from planned asks.
type PlannedRoom struct {
	Queue string        // empty for a limit of its user or group
	From  time.Duration // from when on the room is planned for others
	When  string        // From in words
}

// sentence says when and where the ask starts, and what has to leave before.
func (p *PlanExplanation) sentence() string {
	what := "It"
	if p.Gang != "" {
		what = "Its gang " + p.Gang
	}
	text := fmt.Sprintf("%s starts %s on %s", what, p.When, p.where())
	if after := p.after(); after != "" {
		text += ", when " + after
	}
	text += " at the latest."
	if reason := slipped[p.Reason]; reason != "" {
		text += " It was planned for earlier before: " + reason + "."
	}
	switch {
	case len(p.After) == 1 && p.More == 0:
		text += " It may start sooner if " + p.After[0].Ask + " leaves sooner."
	case len(p.After) > 0:
		text += " It may start sooner if they leave sooner."
	}
	return text
}

// slipped says why a start was planned for later.
var slipped = map[core.Reason]string{
	core.ReasonOutranked: "an ask of higher priority, a preemption or a kept node took its room",
	core.ReasonOverrun:   "an allocation has stayed beyond its promised end, or promises a later one",
	core.ReasonCapacity:  "nodes have less room, or a max or limit fell",
	core.ReasonChanged:   "the ask, its walltime or its queue has changed",
	core.ReasonWindow:    "a window came or opened",
}

// where lists the nodes, each once.
func (p *PlanExplanation) where() string {
	if len(p.Nodes) == 0 {
		return p.Node
	}
	var list []string
	seen := map[string]bool{}
	for _, n := range p.Nodes {
		if !seen[n] {
			list = append(list, n)
		}
		seen[n] = true
	}
	return listed(list)
}

// after lists what has to leave, or returns "" if nothing has to.
func (p *PlanExplanation) after() string {
	var parts []string
	for _, d := range p.After {
		if d.Planned {
			parts = append(parts, d.Ask+" (planned before it)")
		} else {
			parts = append(parts, d.Ask)
		}
	}
	if p.More > 0 {
		parts = append(parts, fmt.Sprintf("%d more", p.More))
	}
	text := ""
	if len(parts) > 0 {
		verb := " has left"
		if len(parts) > 1 || p.More > 1 {
			verb = " have left"
		}
		text = listed(parts) + verb
	}
	if p.Window == "" {
		return text
	}
	if text != "" {
		text += " and "
	}
	return text + "window " + p.Window + " has closed"
}

// writePlanned writes when the ask starts, or why it has no planned start.
func (e *AskExplanation) writePlanned(b *strings.Builder) {
	if e.PlannedRoom != nil {
		b.WriteString(" " + e.PlannedRoom.sentence())
	}
	if e.Planned != nil {
		b.WriteString(" " + e.Planned.sentence())
	}
	if text := noPlan[e.Unplanned]; text != "" {
		b.WriteString(" It has no planned start: " + text + ".")
	}
}

func (p *PlannedRoom) sentence() string {
	of := "queue " + p.Queue
	if p.Queue == "" {
		of = "a limit of its user or group"
	}
	return fmt.Sprintf("The room that it would take in %s is planned for other asks, which start %s.", of, p.When)
}

// writeShorter writes with which walltime it would start now.
func (e *AskExplanation) writeShorter(b *strings.Builder) {
	if e.Shorter != nil {
		fmt.Fprintf(b, " With a walltime of %s or less, it would start now on %s.", e.Shorter.Walltime, e.Shorter.Node)
	}
}

// noPlan says why an ask has no planned start.
var noPlan = map[core.Reason]string{
	core.ReasonUnplanned:  "other blocked asks come before it, and no more of them get one (backfill.depth)",
	core.ReasonBarred:     "it could not start even if no other ask were running",
	core.ReasonOutOfReach: "it cannot start within the horizon (backfill.horizon)",
	NoPlanUnbounded:       "allocations in its way promise no end, since they have no walltime",
	NoPlanRequired:        "asks that require a node have their node held for them instead",
	NoPlanHeadroom:        "it lacks the headroom of queues alone, and only backfill.depth all plans for such asks",
}
