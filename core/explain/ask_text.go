package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Sentences returns the explanation in sentences, which are built from its codes and amounts alone.
func (e *AskExplanation) Sentences(now time.Duration) string {
	var b strings.Builder
	b.WriteString(e.identity())
	e.writeQueues(&b)
	e.writeNodes(&b, now)
	e.writeGangs(&b)
	if e.Reserved {
		b.WriteString(e.reservedText())
	}
	if e.Atomic != nil {
		e.Atomic.write(&b, now)
	}
	e.writePlanned(&b)
	e.writeShorter(&b)
	return b.String()
}

// identity returns the sentences about the ask itself: its queue, its position and its demand.
func (e *AskExplanation) identity() string {
	return fmt.Sprintf("Ask %s of application %s waits in %s, number %d in the order. It needs %s.", e.ID, e.App, e.Queue, e.Place, e.Resources.Readable())
}

// writeQueues writes why queues, limits and the order of applications bar it.
func (e *AskExplanation) writeQueues(b *strings.Builder) {
	for i := range e.Shortfalls {
		b.WriteString(" " + e.Shortfalls[i].sentence() + ".")
	}
	b.WriteString(limitsText(e.Limits))
	if len(e.Blocked) > 0 {
		fmt.Fprintf(b, " Its application may not start: %s at maxapplications.", strings.Join(e.Blocked, ", "))
	}
	if slices.Contains(e.Reasons, WaitStateFilter) {
		b.WriteString(" Another application of the queue has to start first (stateaware).")
	}
	if slices.Contains(e.Reasons, WaitPolicy) {
		b.WriteString(" The queue's application order does not let its application run now.")
	}
	if slices.Contains(e.Reasons, WaitNotRunning) {
		b.WriteString(" Its application is Resuming or Completing: nothing is allocated to it.")
	}
}

// writeGangs writes how it depends on the placeholders of its application.
func (e *AskExplanation) writeGangs(b *strings.Builder) {
	if e.Gang != nil {
		b.WriteString(" " + e.Gang.Sentence())
	}
	if e.Member != nil && e.Member.Sentence() != "" {
		b.WriteString(" " + e.Member.Sentence())
	}
}

func (e *AskExplanation) reservedText() string {
	return fmt.Sprintf(" Node %s is reserved for it.", e.Node)
}

// writeNodes writes which nodes would take it, and why others would not.
func (e *AskExplanation) writeNodes(b *strings.Builder, now time.Duration) {
	if e.NoSuchNode {
		fmt.Fprintf(b, " Node %s, which it requires, does not exist.", e.Required)
	}
	for _, n := range e.Nodes {
		fmt.Fprintf(b, " %s.", n.Sentence())
	}
	for i := range e.Mismatches {
		b.WriteString(" " + e.Mismatches[i].sentence() + ".")
	}
	for i := range e.Holders {
		b.WriteString(" " + e.Holders[i].sentence(now) + ".")
	}
	if e.Fits > 0 {
		fmt.Fprintf(b, " %s would take it.", nodesText(e.Fits))
		b.WriteString(e.best())
	}
}

// sentence is such as: it belongs to set s, of which 2 or more gangs start together; 2 complete, and 1 fit beside one another.
func (s *GangSet) sentence() string {
	text := fmt.Sprintf(" It belongs to set %s, of which %d or more gangs start together; %d complete", s.ID, s.Min, s.Complete)
	if s.Complete >= s.Min {
		text += fmt.Sprintf(", and %d fit beside one another", s.Fits)
	}
	return text + "."
}

// write writes the state of a gang in sentences.
func (g *AtomicGang) write(b *strings.Builder, now time.Duration) {
	fmt.Fprintf(b, " It belongs to gang %s, of which %d or more are placed together", g.ID, g.Min)
	if g.Succeeded > 0 {
		fmt.Fprintf(b, ", since %d of %d have succeeded", g.Succeeded, g.Succeeded+g.Min)
	}
	fmt.Fprintf(b, "; it has %s pending", Count(g.Pending, "member"))
	if g.Resting > 0 {
		fmt.Fprintf(b, ", of which %d cannot be placed before placeholders are", g.Resting)
	}
	ready := g.Pending - g.Resting
	switch {
	case ready < g.Min:
		fmt.Fprintf(b, ", %d too few.", g.Min-ready)
	case g.Fits >= g.Min:
		b.WriteString(", and enough of them fit.")
	default:
		fmt.Fprintf(b, ", and %d fit beside one another.", g.Fits)
	}
	if g.Domains != nil && ready >= g.Min {
		g.Domains.write(b, g.Min)
	}
	if g.Set != nil {
		b.WriteString(g.Set.sentence())
	}
	if g.Accumulates {
		b.WriteString(" " + g.accumulation(now))
	}
	if g.Unplaced == "" {
		return
	}
	fmt.Fprintf(b, " Beside these, ask %s does not fit:", g.Unplaced)
	var why []string
	for _, l := range g.Shortfalls {
		why = append(why, "queue "+l.Queue+" lacks "+readable(l.Type, l.Milli, l.Missing))
	}
	for i := range g.Limits {
		why = append(why, g.Limits[i].String())
	}
	for _, n := range g.Nodes {
		why = append(why, n.Sentence())
	}
	b.WriteString(" " + strings.Join(why, ", ") + ".")
}

// accumulation says which room is held for the gang, and how long at most.
func (g *AtomicGang) accumulation(now time.Duration) string {
	var held []string
	for _, h := range g.Held {
		held = append(held, h.Ask+" on "+h.Node)
	}
	if held == nil {
		held = []string{"none of them yet"}
	}
	return fmt.Sprintf("It has waited for long, and asks behind it were placed, so room is held for its members, for %s at most: %s.",
		instant.Readable(instant.Sub(g.HeldUntil, now)), listed(held))
}

func nodesText(n int) string { return Count(n, "node") }

// Count formats a number of things, in the singular or the plural.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// readable formats an amount of a type for people.
func readable(typ string, milli bool, value int64) string {
	return resource.Quantity{Type: typ, Value: value, Milli: milli}.Readable()
}

// amount formats an amount for people, without its type.
func amount(typ string, milli bool, value int64) string {
	return resource.Quantity{Type: typ, Value: value, Milli: milli}.Amount()
}

// Sentence returns the number of nodes and the cause, without a full stop.
func (n *NodeCount) Sentence() string {
	nodes := nodesText(n.Nodes)
	switch n.Reason {
	case NodeDraining:
		return nodes + " draining"
	case NodeNotRequired:
		return nodes + " other than the required one"
	case NodeConstraint:
		return nodes + " without an allowed value of " + n.Detail
	case NodeTooSmall:
		return nodes + " with too little " + n.Detail + " even when empty"
	case NodeFull:
		return nodes + " with too little " + n.Detail + " free"
	case NodeDevices:
		have := " have "
		if n.Nodes == 1 {
			have = " has "
		}
		return nodes + have + n.Detail + " in sum, none on one device"
	case NodeWindow:
		return nodes + " barred by window " + n.Detail
	case NodeClaimed:
		return nodes + " kept for other asks that preempted there"
	case NodeReserved:
		return nodes + " reserved for other asks"
	case NodePlanned:
		return nodes + " with room that is planned for other asks"
	default:
		if n.Detail == NotAsked {
			return nodes + " that the predicate has not judged yet"
		}
		return nodes + " ruled out by a predicate (" + n.Detail + ")"
	}
}

// NeverText returns a sentence that an ask can never run with the current configuration and nodes, or "" for an empty list. restricted is
// set if the ask may run only on some nodes.
func NeverText(list []Bound, restricted bool) string {
	if len(list) == 0 {
		return ""
	}
	nodes := "node"
	if restricted {
		nodes = "node that it may run on"
	}
	var b strings.Builder
	b.WriteString(" It can never run with the current queues and nodes:")
	typ := ""
	for i, bound := range list {
		switch {
		case bound.Type != typ && i > 0:
			b.WriteString(";")
		case bound.Type == typ && i > 0:
			b.WriteString(",")
		}
		if bound.Type == "" {
			fmt.Fprintf(&b, " no %s has all that it needs at once", nodes)
			continue
		}
		if bound.Type != typ {
			typ = bound.Type
			fmt.Fprintf(&b, " it needs %s,", readable(typ, bound.Milli, bound.Needs))
		}
		if bound.Queue != "" {
			fmt.Fprintf(&b, " the max of %s is %s", bound.Queue, amount(typ, bound.Milli, bound.Most))
		} else {
			fmt.Fprintf(&b, " the largest %s has %s", nodes, amount(typ, bound.Milli, bound.Most))
		}
	}
	return b.String() + "."
}

// WithText returns a copy of the explanation with its texts.
func (e *VictimExplanation) WithText() *VictimExplanation {
	c := *e
	c.Text = c.sentences()
	if c.EndsWith > 0 {
		c.GangText = strings.ToUpper(endsText(c.EndsWith)[:1]) + endsText(c.EndsWith)[1:] + "."
	}
	return &c
}
