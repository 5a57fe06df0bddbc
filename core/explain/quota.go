package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
	"github.com/quern-project/quern/core/resource"
)

// Reasons why a queue over its max does not release allocations, in the order in which they are checked.
const (
	QuotaOff          core.Reason = "switched-off"          // the partition has preemption by quota off
	QuotaNoDelay      core.Reason = "no-delay"              // no quota.preemption.delay is in force for the queue
	QuotaRoot         core.Reason = "root"                  // root has no max
	QuotaDynamic      core.Reason = "dynamic"               // the queue was created by a placement rule
	QuotaNoCandidates core.Reason = "no-candidates"         // a round could not end the excess, and no change has occurred since
	QuotaWaits        core.Reason = "waits-for-queue-above" // victims of a round of an ancestor are still leaving
)

// QuotaExplanation explains by how much a queue exceeds its max, and when it releases that.
type QuotaExplanation struct {
	Excess resource.Set // without leaving allocations
	Reason core.Reason  // why it does not release it; empty if a round is due at Due
	Above  string       // for QuotaWaits: the ancestor
	Since  time.Duration
	Due    time.Duration
}

// MaxExplanation explains what a queue would release if it had another max.
type MaxExplanation struct {
	Queue   string
	Excess  resource.Set  // usage beyond the max, without leaving allocations
	Victims []Victim      // in order of allocation
	Stays   resource.Set  // the part of the excess that would remain without the victims
	Reason  core.Reason   // QuotaOff, QuotaNoDelay, QuotaRoot or QuotaDynamic if the victims would not be released anyway; otherwise empty
	Delay   instant.Delay // after which they would be released
	Text    string
}

var quotaTexts = map[core.Reason]string{
	QuotaOff:          "it releases nothing, since preemption by quota is off in the partition (preemption.quotapreemptionenabled)",
	QuotaNoDelay:      "it releases nothing, since no quota.preemption.delay is in force for it",
	QuotaRoot:         "it releases nothing, since only queues below root do",
	QuotaDynamic:      "it releases nothing by itself, since a placement rule created it",
	QuotaNoCandidates: "no more of its allocations may go; it is looked at again when its usage or its configuration changes",
}

// Sentence says when a queue over its max releases allocations, or why it does not.
func (e *QuotaExplanation) Sentence(queue string, now time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Queue %s uses %s more than its max: ", queue, e.Excess.Readable())
	switch {
	case e.Reason == QuotaWaits:
		fmt.Fprintf(&b, "it releases that when the allocations have left that queue %s releases", e.Above)
	case e.Reason != "":
		b.WriteString(quotaTexts[e.Reason])
	case e.Due == instant.Never:
		b.WriteString("it never releases that, since its delay is longer than the clock runs")
	case e.Due > now:
		fmt.Fprintf(&b, "it releases that in %s", instant.Readable(instant.Sub(e.Due, now)))
	default:
		b.WriteString("it releases that in the next cycle")
	}
	return b.String() + "."
}

// Sentences says which allocations another max would release.
func (e *MaxExplanation) Sentences() string {
	var b strings.Builder
	if len(e.Excess) == 0 {
		fmt.Fprintf(&b, "Queue %s uses no more than that.", e.Queue)
		return b.String()
	}
	fmt.Fprintf(&b, "Queue %s uses %s more than that", e.Queue, e.Excess.Readable())
	switch {
	case e.Reason != "":
		fmt.Fprintf(&b, "; %s", quotaTexts[e.Reason])
		if len(e.Victims) > 0 {
			fmt.Fprintf(&b, ". Otherwise it would release %s", victimsText(e.Victims))
		}
	case len(e.Victims) > 0:
		fmt.Fprintf(&b, " and would release %s, once it has been over its max for %s", victimsText(e.Victims), instant.Readable(time.Duration(e.Delay)))
	default:
		b.WriteString(", and none of its allocations may go")
	}
	b.WriteString(".")
	if len(e.Stays) > 0 {
		fmt.Fprintf(&b, " %s would stay over the max.", e.Stays.Readable())
	}
	return b.String()
}
