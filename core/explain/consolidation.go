package explain

import (
	"fmt"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// Verdicts on whether moves of allocations make room for an ask or a gang, besides those that exclude preemption too: VerdictWaits,
// VerdictGang, VerdictIncomplete, VerdictSet, VerdictBlocked and VerdictLimited.
const (
	VerdictRuns     core.Reason = "allocated"   // it waits for nothing
	VerdictHeadroom core.Reason = "headroom"    // it exceeds the headroom of a queue, which moves do not change
	VerdictSlices   core.Reason = "gang-slices" // gangs in slices are not consolidated
	VerdictDevices  core.Reason = "devices"     // asks for devices are not consolidated
	VerdictFits     core.Reason = "fits"        // there is room without moves
	VerdictMoves    core.Reason = "moves"       // there is room after Moves
	VerdictNoMoves  core.Reason = "no-moves"    // no moves make room
)

// Consolidation says which moves of allocations would make room for a waiting ask, or for a gang as a whole. Nothing is moved.
type Consolidation struct {
	ID, App, Queue string
	Gang           string // the gang with which it is allocated together, if any
	Verdict        core.Reason
	Moves          []Relocation
	Places         []Held // the node of the ask, or of each member of the gang
	Movable        int    // number of allocations that may be moved
	Approximate    bool   // better moves may exist, or for VerdictNoMoves any
	Text           string
}

// Relocation is a move of an allocation from one node to another.
type Relocation struct {
	ID, App, Queue string
	From, To       string
	Resources      resource.Set
}

// Sentences returns the explanation in sentences.
func (c *Consolidation) Sentences() string {
	subject := fmt.Sprintf("Ask %s of application %s in %s", c.ID, c.App, c.Queue)
	if c.Gang != "" {
		subject = fmt.Sprintf("Gang %s of application %s in %s", c.Gang, c.App, c.Queue)
	}
	switch c.Verdict {
	case VerdictFits:
		return subject + " needs no moves: " + c.places() + "."
	case VerdictMoves:
		return subject + " fits after " + Count(len(c.Moves), "move") + ": " + c.moves() + ". Then " + c.places() + "." + c.caveat(" Fewer or smaller moves may exist.")
	case VerdictNoMoves:
		return subject + " does not fit, whichever of " + Count(c.Movable, "movable allocation") + " are moved." + c.caveat(" Not all moves were tried, so some may exist.")
	}
	return subject + " " + consolidationTexts[c.Verdict]
}

var consolidationTexts = map[core.Reason]string{
	VerdictRuns:       "waits for nothing: it is allocated.",
	VerdictWaits:      "needs no moves: it has preempted, and its node is kept for it.",
	VerdictGang:       "waits for its gang or for the place of a placeholder, which no moves bring.",
	VerdictIncomplete: "has too few members pending, which no moves bring.",
	VerdictBlocked:    "is not helped by moves: its application may not be allocated to now.",
	VerdictLimited:    "is not helped by moves: it would exceed a limit of its user or group.",
	VerdictHeadroom:   "is not helped by moves: it would exceed the max of its queue, or of a queue above it.",
	VerdictSet:        "starts together with other gangs, for which no moves are searched.",
	VerdictSlices:     "is placed in slices, for which no moves are searched.",
	VerdictDevices:    "gets devices, for which no moves are searched.",
}

func (c *Consolidation) caveat(text string) string {
	if c.Approximate {
		return text
	}
	return ""
}

func (c *Consolidation) moves() string {
	list := make([]string, len(c.Moves))
	for i := range c.Moves {
		m := &c.Moves[i]
		list[i] = fmt.Sprintf("%s of %s (%s) from %s to %s", m.ID, m.App, m.Resources.Readable(), m.From, m.To)
	}
	return strings.Join(list, ", ")
}

func (c *Consolidation) places() string {
	list := make([]string, len(c.Places))
	for i, p := range c.Places {
		list[i] = fmt.Sprintf("%s goes to %s", p.Ask, p.Node)
	}
	return strings.Join(list, ", ")
}
