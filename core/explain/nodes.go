package explain

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/resource"
)

// Details are limited to so many nodes, holders and values, so that an explanation stays short on a large cluster.
const (
	MostCandidates = 5
	MostHolders    = 10
	MostValues     = 10
)

// Candidate is a node in the order in which nodes are tried for an ask.
type Candidate struct {
	Node   string
	Fits   bool
	Reason api.Reason // why it does not take the ask, as for NodeCount
	Detail string
	// Score is what the policy gave the node: the larger, the better. Of built-in policies it is the utilisation of the node, from 0
	// to 1, below 0 where the least utilised node is the best. Unscored: the policy was not asked about the node as it is now.
	Score    float64
	Unscored bool
}

// Holder is an ask for which a node is reserved or kept.
type Holder struct {
	Node, Ask, App, Queue string
	Kept                  bool          // it preempted there, and waits for its victims
	Until                 time.Duration // 0: until the ask is allocated or removed
}

// Mismatch is an attribute of which nodes have no allowed value.
type Mismatch struct {
	Attribute string
	Wanted    []string       // the allowed values
	Nodes     int            // that have none of them
	Present   []ValuePresent // the most frequent first, MostValues at most
	Without   int            // of Nodes: those without the attribute
}

// ValuePresent is a value that nodes have instead of an allowed one.
type ValuePresent struct {
	Value string
	Nodes int
}

func (l *Lack) sentence() string {
	return fmt.Sprintf("Queue %s lacks %s: it uses %s of its max of %s", l.Queue, readable(l.Type, l.Missing),
		resource.Readable(l.Type, l.Used), resource.Readable(l.Type, l.Max))
}

// sentence names the wanted and the present values.
func (m *Mismatch) sentence() string {
	var present []string
	for _, p := range m.Present {
		present = append(present, fmt.Sprintf("%s (%d)", p.Value, p.Nodes))
	}
	if m.Without > 0 {
		present = append(present, fmt.Sprintf("none (%d)", m.Without))
	}
	return fmt.Sprintf("Attribute %s must be %s; other nodes have %s", m.Attribute, strings.Join(m.Wanted, " or "), strings.Join(present, ", "))
}

// sentence says for which ask a node is held.
func (h *Holder) sentence(now time.Duration) string {
	how := "reserved"
	if h.Kept {
		how = "kept"
	}
	text := fmt.Sprintf("Node %s is %s for ask %s of application %s in %s", h.Node, how, h.Ask, h.App, h.Queue)
	if h.Until != 0 {
		text += fmt.Sprintf(", for %s at most", instant.Readable(instant.Sub(h.Until, now)))
	}
	return text
}

// best says which node comes first and why.
func (e *AskExplanation) best() string {
	for i := range e.Candidates {
		if c := &e.Candidates[i]; c.Fits {
			return fmt.Sprintf(" The first of them is %s (%s).", c.Node, c.scored(e.NodePolicy))
		}
	}
	return ""
}

// scored is a score with the policy that gave it.
func (c *Candidate) scored(policy string) string {
	if c.Unscored {
		return policy
	}
	return policy + ": " + c.ScoreText(policy)
}

// ScoreText is the score that a policy gave the node, of the built-in policies its utilisation; empty: the policy was not asked.
func (c *Candidate) ScoreText(policy string) string {
	switch {
	case c.Unscored:
		return ""
	case policy == "fair", policy == "binpacking":
		return fmt.Sprintf("%.3g %% used", 100*math.Abs(c.Score))
	}
	return fmt.Sprintf("score %.6g", c.Score)
}
