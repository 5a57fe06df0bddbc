package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core/resource"
)

// GangExplanation is the state of an application's placeholders.
type GangExplanation struct {
	Formed   bool         // the placeholders had the declared room, or a task was allocated
	Failed   bool         // it did not form in time
	Hard     bool         // the application fails if the gang does not form in time; otherwise its tasks are scheduled without it
	Declared resource.Set // the sum of the placeholders
	Staying  resource.Set // used by allocated placeholders that are not leaving

	Pending   int // number of pending placeholders
	Allocated int // number of allocated placeholders, including leaving ones
	Leaving   int // number of leaving placeholders
	Replaced  int // number of placeholders that were replaced by tasks

	Timed  bool          // the timeout of the placeholders runs
	EndsAt time.Duration // if Timed: when the timeout expires, or instant.Never
	Ends   string        // if Timed: the same in words
}

// Sentence returns the state in a sentence.
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

// stayingText lists the used amounts of the declared ones: 1 of 4 pods and 2 of 8 vcore.
func (e *GangExplanation) stayingText() string {
	words := make([]string, len(e.Declared))
	for i, q := range e.Declared {
		used, _ := e.Staying.Value(q.Type)
		words[i] = amount(q.Type, q.Milli, used) + " of " + q.Readable()
	}
	return listed(words)
}

// MemberExplanation explains how an ask depends on the placeholders of its application.
type MemberExplanation struct {
	Group       string // its task group, if any
	Placeholder bool
	GaveUp      bool   // of a task: no placeholder was large enough, so it is allocated like other asks
	For         string // of a leaving placeholder: the ask that replaces it, which may have ended
	Takes       string // of a task: the placeholder that it replaces or waits for, if any
	Bound       bool   // Takes is leaving
	Node        string // if Bound: the node on which the task will be allocated; empty if it was removed
	Leaves      bool   // of a placeholder: it is leaving
}

// Sentence returns the explanation in a sentence, or "".
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
