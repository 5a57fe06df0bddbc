package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// GangExplanation says how the placeholders of an application stand.
type GangExplanation struct {
	Formed   bool         // the placeholders have had their room, or a task was allocated
	Failed   bool         // it was not formed in time
	Hard     bool         // if it is not formed in time, the application fails; otherwise its tasks go on without a gang
	Declared resource.Set // the sum of the placeholders
	Staying  resource.Set // used by allocated placeholders that were not told to leave

	Pending   int // placeholders
	Allocated int // placeholders, those that leave included
	Leaving   int // of these
	Replaced  int // placeholders in whose place a task was allocated, so far

	Timed  bool          // the time of the placeholders is measured
	EndsAt time.Duration // of Timed: when they are told to leave; instant.Never: not at all
	Ends   string        // of Timed: the same in words
}

// Sentence says it in words.
func (e *GangExplanation) Sentence() string {
	var b strings.Builder
	switch {
	case e.Failed:
		b.WriteString("Its gang was not formed in time")
	case e.Formed:
		b.WriteString("Its gang is formed")
	default:
		b.WriteString("Its gang is not formed: placeholders use " + e.stayingText())
	}
	fmt.Fprintf(&b, "; %s pending, %d allocated, %d replaced", Count(e.Pending, "placeholder"), e.Allocated, e.Replaced)
	if e.Leaving > 0 {
		fmt.Fprintf(&b, ", %d leaving", e.Leaving)
	}
	if e.Timed {
		b.WriteString("; the placeholders are told to leave " + e.Ends)
	}
	return b.String() + "."
}

// stayingText lists how much of what was declared is in use: 1 of 4 pods and 2 of 8 vcore.
func (e *GangExplanation) stayingText() string {
	words := make([]string, len(e.Declared))
	for i, q := range e.Declared {
		used, _ := e.Staying.Value(q.Type)
		words[i] = resource.Readable(q.Type, used) + " of " + q.Readable()
	}
	return listed(words)
}

// MemberExplanation says what an ask of a gang application has to do with its placeholders.
type MemberExplanation struct {
	Group       string // its task group; empty: it names none
	Placeholder bool
	GaveUp      bool   // a task: no placeholder was large enough, so it is placed as any ask
	For         string // a placeholder that leaves: the ask that takes its place, there or not any more
	Takes       string // a task: the placeholder that was told to leave for it, or whose place it waits for; empty: none
	Bound       bool   // of Takes: it was told to leave
	Node        string // of Bound: where the task lands; empty: that node was removed
	Leaves      bool   // a placeholder: it was told to leave
}

// Sentence says it in words; empty: there is nothing to say.
func (e *MemberExplanation) Sentence() string {
	switch {
	case e.Placeholder && e.For != "":
		return fmt.Sprintf("It is a placeholder of task group %s and leaves for %s.", e.Group, e.For)
	case e.Placeholder && e.Leaves:
		return fmt.Sprintf("It is a placeholder of task group %s and was told to leave.", e.Group)
	case e.Placeholder:
		return fmt.Sprintf("It is a placeholder of task group %s.", e.Group)
	case e.Bound && e.Takes == "":
		return "The placeholder that left for it is gone: it lands" + onNode(e.Node) + " in the next cycle."
	case e.Bound:
		return fmt.Sprintf("It waits until placeholder %s has left for it%s.", e.Takes, onNode(e.Node))
	case e.Takes != "":
		return fmt.Sprintf("It may only replace a placeholder of task group %s, and fits none of them now; the oldest is %s.", e.Group, e.Takes)
	case e.GaveUp:
		return "No placeholder of its task group was large enough for it."
	}
	return ""
}

func onNode(id string) string {
	if id == "" {
		return ""
	}
	return " on node " + id
}
