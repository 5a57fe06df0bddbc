package explain

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// Bounds of details, so that explanations stay short on large clusters.
const (
	MostCandidates = 5
	MostHolders    = 10
	MostValues     = 10
)

// Candidate is a node that is tried for an ask.
type Candidate struct {
	Node   string
	Fits   bool
	Reason core.Reason // why it does not take the ask, as in NodeCount
	Detail string
	// Score is the node's score; larger is better. For built-in policies, it is the utilisation of the node, from 0 to 1, negated if the
	// least utilised node is the best. Unscored is set if the policy has not been asked about the current state of the node.
	Score    float64
	Unscored bool
}

// Holder is an ask that has reserved or claimed a node, or has a planned start on it.
type Holder struct {
	Node, Ask, App, Queue string
	Claimed               bool          `json:"kept"` // it has claimed the node by preempting there
	Until                 time.Duration // 0 means until the ask is allocated or removed
	// From is the planned start of the ask, and When the same in words, if its room there is only planned.
	From *time.Duration `json:",omitempty"`
	When string         `json:",omitempty"`
}

// Mismatch is an attribute of which some nodes have no allowed value.
type Mismatch struct {
	Attribute string
	Wanted    []string       // the allowed values
	Nodes     int            // number of nodes without an allowed value
	Present   []ValuePresent // most frequent first; at most MostValues
	Without   int            // number of nodes without the attribute
}

// ValuePresent is a value that nodes have instead of an allowed one.
type ValuePresent struct {
	Value string
	Nodes int
}

func (l *HeadroomShortfall) sentence() string {
	return fmt.Sprintf("Queue %s lacks %s: it uses %s of its max of %s", l.Queue, readable(l.Type, l.Milli, l.Missing),
		amount(l.Type, l.Milli, l.Used), amount(l.Type, l.Milli, l.Max))
}

// sentence lists the allowed and the present values.
func (m *Mismatch) sentence() string {
	var present []string
	for _, p := range m.Present {
		present = append(present, fmt.Sprintf("%s (%d)", p.Value, p.Nodes))
	}
	if m.Without > 0 {
		present = append(present, fmt.Sprintf("none (%d)", m.Without))
	}
	if len(m.Wanted) == 0 { // any value will do
		return fmt.Sprintf("Attribute %s must be set; %s without it", m.Attribute, nodesText(m.Nodes))
	}
	return fmt.Sprintf("Attribute %s must be %s; other nodes have %s", m.Attribute, strings.Join(m.Wanted, " or "), strings.Join(present, ", "))
}

// sentence says which ask holds a node.
func (h *Holder) sentence(now time.Duration) string {
	if h.From != nil {
		return fmt.Sprintf("Room on node %s is planned for ask %s of application %s in %s, which starts %s at the latest", h.Node, h.Ask, h.App, h.Queue, h.When)
	}
	how := "reserved"
	if h.Claimed {
		how = "kept"
	}
	text := fmt.Sprintf("Node %s is %s for ask %s of application %s in %s", h.Node, how, h.Ask, h.App, h.Queue)
	if h.Until != 0 {
		text += fmt.Sprintf(", for %s at most", instant.Readable(instant.Sub(h.Until, now)))
	}
	return text
}

// best returns a sentence about the first node that would take the ask.
func (e *AskExplanation) best() string {
	for i := range e.Candidates {
		if c := &e.Candidates[i]; c.Fits {
			return fmt.Sprintf(" The first of them is %s (%s).", c.Node, c.scored(e.NodePolicy))
		}
	}
	return ""
}

// scored returns the score with the name of its policy.
func (c *Candidate) scored(policy string) string {
	if c.Unscored {
		return policy
	}
	return policy + ": " + c.ScoreText(policy)
}

// ScoreText formats the score, for built-in policies as utilisation. It returns "" if the node is Unscored.
func (c *Candidate) ScoreText(policy string) string {
	switch {
	case c.Unscored:
		return ""
	case policy == "fair", policy == "binpacking":
		return fmt.Sprintf("%.3g %% used", 100*math.Abs(c.Score))
	}
	return fmt.Sprintf("score %.6g", c.Score)
}
