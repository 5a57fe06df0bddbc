package explain

import (
	"fmt"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/instant"
)

// Predicate returns the verdict in sentences of which the ask's name is the subject. They are built from codes and amounts alone.
func (e *PreemptionExplanation) Predicate(now time.Duration) string {
	var b strings.Builder
	switch e.Verdict {
	case VerdictWaits:
		fmt.Fprintf(&b, "preempted on node %s, which is kept for it.", e.Node)
		if len(e.Victims) > 0 {
			fmt.Fprintf(&b, " It waits for %s to leave.", victimsText(e.Victims))
		}
	case VerdictPreempts:
		e.choice(&b, now)
	case VerdictNoVictims:
		b.WriteString("may preempt, but no node has enough preemptable allocations.")
		e.protections(&b)
		e.nearest(&b)
		if e.Again != nil {
			fmt.Fprintf(&b, " It looks again in %s.", instant.Readable(instant.Sub(*e.Again, now)))
		}
	default:
		b.WriteString(verdictTexts[e.Verdict])
		e.ownQueues(&b)
		e.protections(&b)
	}
	return b.String()
}

var verdictTexts = map[core.Reason]string{
	VerdictNeverPreempts:  "may not preempt: its preempt_others is false.",
	VerdictSurplusAsk:     "may not preempt: its gang has the members that it needs, so it comes after all other asks of its priority in its queue.",
	VerdictGang:           "may not preempt, since it waits for its gang or for the place of a placeholder.",
	VerdictSet:            "may not preempt, since its gang starts together with other gangs of its set.",
	VerdictIncomplete:     "may not preempt, since its gang, which preempts as a whole, has too few members pending or has chosen already.",
	VerdictBlocked:        "may not preempt, since its application may not be allocated to now.",
	VerdictLimited:        "may not preempt: it would still exceed a limit of its user or group.",
	VerdictNoNode:         "cannot preempt: no node would take it even if nothing were allocated there.",
	VerdictDrained:        "cannot preempt: the nodes that would hold it are drained.",
	VerdictMax:            "cannot preempt: it is larger than the max of its queue, or of a queue above it.",
	VerdictNeedsNoVictims: "needs no victims: a node takes it now, or once the allocations that were told to leave have left.",
	VerdictOff:            "may not preempt: the partition has preemption off (preemption.enabled is false).",
	VerdictDisabled:       "may not preempt: preemption.policy is disabled for its queue.",
	VerdictFenced:         "may not preempt: its preemption fence ends where its guarantees begin (law 7).",
	VerdictNotEntitled:    "may not preempt: for every resource type that it needs, the nearest of its queues with a guarantee has used it up, or no queue has one (law 4).",
}

// choice writes which victims it preempts, and why these.
func (e *PreemptionExplanation) choice(b *strings.Builder, now time.Duration) {
	would := "preempts"
	switch {
	case e.Observed:
		would = "would preempt, if preemption were not only observed,"
	case e.Due == instant.Never:
		would = "would preempt, but its delay is longer than the clock runs,"
	case e.Due > now:
		would = fmt.Sprintf("would preempt, once it has waited for its delay (in %s),", instant.Readable(instant.Sub(e.Due, now)))
	}
	choice := "of all lawful sets the one that does the least harm"
	if e.Approximate {
		choice = "of the sets that were tried the one that does the least harm"
	}
	fmt.Fprintf(b, "%s %s on node %s: %s.", would, victimsText(e.Victims), e.Node, choice)
	for i := range e.Victims {
		b.WriteString(" " + e.Victims[i].sentence())
	}
	if n := e.Next; n != nil {
		fmt.Fprintf(b, " Next best is %s on node %s: %s.", listed(n.Victims), n.Node, worseTexts[n.Worse])
	}
	if e.Approximate {
		b.WriteString(" The node has too many allocations to try every set, so a better one may exist.")
	}
}

var worseTexts = map[core.Reason]string{
	WorseOriginators: "more originators", WorseOptedOuts: "more that asked not to be preempted", WorseLasting: "more that are no surplus of elastic gangs", WorsePriority: "a higher highest priority",
	WorseGangs: "more gangs that end", WorseRank: "ranked later by the policy", WorseNumber: "more victims", WorsePriorities: "higher priorities",
	WorseExcess: "more left free than needed", WorseShares: "equal, but of queues that have used less", WorseAge: "equal but older",
}

// ownQueues writes the usage of the ask's own queues that law 4 compares.
func (e *PreemptionExplanation) ownQueues(b *strings.Builder) {
	for _, f := range e.Laws {
		if f.Law == Law4 && (e.Verdict == VerdictNotEntitled || e.Verdict == VerdictFenced) {
			fmt.Fprintf(b, " Queue %s uses %s; %s guaranteed.", f.Queue, readable(f.Type, f.Milli, f.Used), are(amount(f.Type, f.Milli, f.Guaranteed)))
		}
	}
}

// are adds the verb to an amount without its type: "1 is", "4 are".
func are(amount string) string {
	if amount == "1" || strings.HasPrefix(amount, "1 ") {
		return amount + " is"
	}
	return amount + " are"
}

var barTexts = map[core.Reason]string{
	ExcludedLeaving: "already told to leave", ExcludedSameApp: "of the same application (law 3)", ExcludedNode: "bound to their node",
	ExcludedSameQueue: "of its own queue", ExcludedOff: "out of reach, since the partition has preemption off",
	ExcludedAsker: "out of reach, since preemption.policy is disabled for the ask's own queue", ExcludedDisabled: "of a queue whose preemption.policy is disabled",
	ExcludedFence:       "outside its fence (law 7)",
	ExcludedEntitlement: "where it is not entitled (law 4)", ExcludedPriority: "of too high a priority (law 6)",
	ExcludedGuaranteed: "needed for a guarantee (laws 2 and 5)", ExcludedGang: "of a gang that leaves as a whole, of which another member may not leave (law 8)",
	ExcludedGangShare:  "of a gang that leaves as a whole, and is larger than what its queue uses beyond its guaranteed (laws 2 and 8)",
	ExcludedYoung:      "spared for now by preemption.min-runtime",
	ExcludedBudget:     "spared for now by the preemption.budget of a queue",
	ExcludedGangBudget: "of a gang that leaves as a whole, and is larger than the preemption.budget of a queue (law 8)",
	ExcludedReserved:   "on a node that is reserved or kept for another ask",
}

func (e *PreemptionExplanation) protections(b *strings.Builder) {
	for i := range e.Excluded { // one for each queue and reason, so there may be many
		p := &e.Excluded[i]
		for _, part := range [...]string{" In ", p.Queue, ": ", Count(p.Allocations, "allocation"), " ", barTexts[p.Reason], "."} {
			b.WriteString(part)
		}
	}
}

// nearest describes the node that comes closest to fitting the ask: the missing amounts, and the allocations that laws protect there.
func (e *PreemptionExplanation) nearest(b *strings.Builder) {
	if e.Node == "" {
		return
	}
	fmt.Fprintf(b, " Closest is node %s", e.Node)
	if len(e.Short) == 0 {
		b.WriteString(", where no set of them is lawful as a whole.")
		return
	}
	for i, s := range e.Short {
		lead := ", where "
		if i > 0 {
			lead = " and "
		}
		fmt.Fprintf(b, "%s%s would still be missing", lead, readable(s.Type, s.Milli, s.Missing))
		if s.Queue != "" {
			fmt.Fprintf(b, " below the max of %s", s.Queue)
		}
	}
	b.WriteString(".")
	for _, w := range e.NonVictims {
		fmt.Fprintf(b, " %s of %s stays: %s.", w.ID, w.Queue, barTexts[w.Reason])
	}
}

func victimsText(list []Victim) string {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return listed(ids)
}

// listed joins names with commas and "and".
func listed(ids []string) string {
	if len(ids) > 1 {
		return strings.Join(ids[:len(ids)-1], ", ") + " and " + ids[len(ids)-1]
	}
	return strings.Join(ids, "")
}

// endsText says that a gang of some members ends with a victim.
func endsText(members int) string { return fmt.Sprintf("its gang of %d ends with it", members) }

// sentence says by what right a victim is preempted.
func (v *Victim) sentence() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s has priority %d", v.ID, v.Queue, v.Priority)
	switch v.Kind {
	case ByNode:
		fmt.Fprintf(&b, ", not above %d, on the one node that the ask may run on", v.ForSeen)
	case ByQuota:
	case ByIntraQueue:
		fmt.Fprintf(&b, ", below %d, in the ask's own queue", v.ForSeen)
	default:
		if v.Kind == BySurplus {
			fmt.Fprintf(&b, ", and gang %s of %s does not need it", v.Gang, v.App)
		}
		if v.Seen != v.Priority {
			fmt.Fprintf(&b, " (%d below %s)", v.Seen, v.Common)
		}
		fmt.Fprintf(&b, ", not above %d (law 6)", v.ForSeen)
		for _, f := range v.Over {
			fmt.Fprintf(&b, "; %s keeps %s of its guaranteed %s (law 5)", f.Queue, amount(f.Type, f.Milli, f.Used), readable(f.Type, f.Milli, f.Guaranteed))
		}
		if len(v.Over) == 0 {
			fmt.Fprintf(&b, "; %s guarantees nothing that it uses (law 5)", v.Queue)
		}
	}
	if v.EndsWith > 0 {
		b.WriteString("; " + endsText(v.EndsWith) + " (law 8)")
	}
	switch {
	case v.Originator:
		b.WriteString("; an originator, and nothing else suffices")
	case v.OptedOut:
		b.WriteString("; it asked not to be preempted, and nothing else suffices")
	}
	return b.String() + "."
}

// sentences says which ask preempted an allocation, and by what right.
func (e *VictimExplanation) sentences() string {
	var b strings.Builder
	state := "has been told to leave"
	if e.Gone {
		state = "was preempted and has left"
	}
	if e.Kind == ByQuota {
		fmt.Fprintf(&b, "Allocation %s %s node %s, since", e.ID, state, e.Node)
		for i, f := range e.Over {
			if i > 0 {
				b.WriteString(" and")
			}
			fmt.Fprintf(&b, " %s used %s of its max of %s", f.Queue, amount(f.Type, f.Milli, f.Used), readable(f.Type, f.Milli, f.Guaranteed))
		}
		fmt.Fprintf(&b, " (preemption by quota). %s", e.sentence())
		return b.String()
	}
	fmt.Fprintf(&b, "Allocation %s %s node %s for ask %s of application %s in %s. %s", e.ID, state, e.Node, e.For, e.ForApp, e.ForQueue, e.sentence())
	for _, f := range e.Entitled {
		if f.Holds {
			fmt.Fprintf(&b, " %s used %s of its guaranteed %s (law 4).", f.Queue, amount(f.Type, f.Milli, f.Used), readable(f.Type, f.Milli, f.Guaranteed))
		}
	}
	if len(e.With) > 0 {
		fmt.Fprintf(&b, " Together with %s.", strings.Join(e.With, ", "))
	}
	return b.String()
}
