package explanation

import (
	"fmt"
	text "strings"
	"time"

	"github.com/quern-project/quern/core/explain"
	"github.com/quern-project/quern/host/format"
	"github.com/quern-project/quern/host/replay"
)

// storyObject is how an ask came to be allocated.
type storyObject struct {
	Submitted  string            `json:"submitted"`
	Allocated  string            `json:"allocated"`
	Waited     float64           `json:"waited_seconds"`
	Waits      []waitObject      `json:"waits"`
	Node       string            `json:"node"`
	Fits       int               `json:"fits"`  // nodes that took it at its allocation
	Nodes      []nodeObject      `json:"nodes"` // those that did not
	NodePolicy string            `json:"node_policy,omitempty"`
	Reserved   bool              `json:"reserved"` // the node was reserved for it
	Kept       bool              `json:"kept"`     // it was kept for it, since it had preempted there
	Candidates []candidateObject `json:"candidates"`

	text string
}

// waitObject is a time from which it waited for the same reasons.
type waitObject struct {
	From    string   `json:"from"`
	Reasons []string `json:"reasons"`
}

// Story is how an ask came to be allocated, as a host or a replay tells it.
type Story struct {
	Submitted, Allocated time.Duration
	Node                 string
	// Before is the explanation of the ask just before its allocation. It is not pending where that is not known of a member of a gang.
	Before explain.AskExplanation
	Waits  []Wait
	// From is the time from which the waits are known.
	From time.Duration
}

// Wait is a time from which an ask waited for the same reasons.
type Wait = replay.Wait

// told is how the ask of the question came to be allocated; nil: it is not known.
func (q *Question) told() *Story {
	if s := q.Replayed; s != nil && s.Told() {
		return &Story{s.Submitted, s.Allocated, s.Node, s.Before, s.Waits, s.Submitted}
	}
	return q.Story
}

// withStory adds to the explanation of an allocation how it came about.
func (q *Question) withStory(w writer, said string, o askObject) Answer {
	allocated := !o.Pending && !o.Gone
	o.Placement = w.story(q, allocated)
	switch {
	case o.Placement != nil:
		said += " " + o.Placement.text
	case allocated && q.Untold != "":
		said += " " + q.Untold
	}
	o.Text = said
	return says(said, o)
}

// story is that of the ask of a question; nil: it is not known, or the ask was not allocated.
func (w writer) story(q *Question, allocated bool) *storyObject {
	s := q.told()
	if s == nil || !allocated {
		return nil
	}
	b := &s.Before
	o := &storyObject{
		Submitted: w.time(s.Submitted), Allocated: w.time(s.Allocated), Waited: (s.Allocated - s.Submitted).Seconds(), Waits: []waitObject{},
		Node: s.Node, Fits: b.Fits, Nodes: nodes(b.Nodes), NodePolicy: b.NodePolicy, Reserved: b.Reserved, Kept: b.Claimed, Candidates: candidates(b.Candidates),
	}
	for _, wait := range s.Waits {
		o.Waits = append(o.Waits, waitObject{w.time(wait.From), reasons(wait.Reasons)})
	}
	o.text = w.waitText(s) + whyHere(s)
	return o
}

// mostWaits bounds the changes of reasons in a text; JSON has all.
const mostWaits = 8

// waitText says how long the ask waited, and for what.
func (w writer) waitText(s *Story) string {
	if s.Allocated == s.Submitted {
		return fmt.Sprintf("It was submitted and allocated at %s.", w.time(s.Allocated))
	}
	var b text.Builder
	fmt.Fprintf(&b, "It was submitted at %s and allocated at %s, after %s.", w.time(s.Submitted), w.time(s.Allocated), format.Duration(s.Allocated-s.Submitted))
	if s.From > s.Submitted {
		fmt.Fprintf(&b, " What it waited for before %s is not in the record any more.", w.time(s.From))
	}
	for i, wait := range s.Waits {
		if i == mostWaits {
			fmt.Fprintf(&b, " Later, the reasons changed %d more times.", len(s.Waits)-i)
			break
		}
		fmt.Fprintf(&b, " From %s on it waited, since %s.", w.time(wait.From), waitedFor(wait.Reasons))
	}
	return b.String()
}

const withGang = " It was placed by one decision with other members of its gang, on nodes that hold all of them."

// whyHere says why the ask went to its node rather than to another one.
func whyHere(s *Story) string {
	b := &s.Before
	switch {
	case !b.Pending:
		return withGang
	case b.Claimed:
		return fmt.Sprintf(" Node %s was kept for it, since it had preempted there.", s.Node)
	case b.Reserved && b.Node == s.Node:
		return fmt.Sprintf(" Node %s was reserved for it.", s.Node)
	case b.Required != "":
		return fmt.Sprintf(" It runs on node %s only.", s.Node)
	case b.Atomic != nil: // the nodes are those that suit the gang, whatever the policy prefers for one of its members
		return withGang + byItself(s)
	}
	first, said := "", ""
	var after, passed []string
	for i := range b.Candidates {
		c := &b.Candidates[i]
		switch {
		case !c.Fits:
			passed = append(passed, fmt.Sprintf("%s (%s)", c.Node, against(c)))
		case c.Node == s.Node:
			first = c.Node + score(b.NodePolicy, c)
		default:
			after = append(after, c.Node+score(b.NodePolicy, c))
		}
	}
	switch {
	case first == "":
		return ""
	case b.Fits == 1:
		said = fmt.Sprintf(" Node %s was the only one that would take it.", s.Node)
	default:
		said = fmt.Sprintf(" %d nodes would take it, and policy %s prefers %s to %s.", b.Fits, b.NodePolicy, first, text.Join(after, ", "))
	}
	if len(passed) > 0 {
		said += " These would come first, but do not take it: " + text.Join(passed, ", ") + "."
	}
	return said
}

// byItself says where a member of a gang would have gone without the others, and why; empty: nowhere.
func byItself(s *Story) string {
	b := &s.Before
	var takers []string
	there := false
	for i := range b.Candidates {
		if c := &b.Candidates[i]; c.Fits {
			there = there || len(takers) == 0 && c.Node == s.Node
			takers = append(takers, c.Node+score(b.NodePolicy, c))
		}
	}
	switch {
	case len(takers) == 0:
		return ""
	case len(takers) == 1:
		return fmt.Sprintf(" Only node %s would take it.", takers[0])
	}
	said := " By itself, it would have gone to another node"
	if there {
		said = " By itself, it would have gone to the same node"
	}
	return fmt.Sprintf("%s: %d nodes would take it, and policy %s prefers %s to %s.", said, b.Fits, b.NodePolicy, takers[0], text.Join(takers[1:], ", "))
}

// score is the score of a node in brackets.
func score(policy string, c *explain.Candidate) string {
	if c.Unscored {
		return ""
	}
	return " (" + c.ScoreText(policy) + ")"
}
