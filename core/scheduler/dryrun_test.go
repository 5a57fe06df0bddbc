package scheduler_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
	"pgregory.net/rapid"
)

// TestADryRunIsTrue compares all statements of dry runs of preemption with the laws, computed from a Dump alone.
func TestADryRunIsTrue(t *testing.T) {
	verdicts := map[core.Reason]int{}
	rapid.Check(t, func(t *rapid.T) {
		s, said, enabled := contest(t)
		c := newBench(s, said, enabled)
		for _, id := range slices.Sorted(maps.Keys(c.tasks)) {
			if k := c.tasks[id]; k.Node == "" {
				e, ok := s.ExplainPreemption(id)
				if !ok {
					t.Fatalf("%s is not explained", id)
				}
				verdicts[e.Verdict]++
				if wrong := cmp.Or(c.judge(k, e), c.judgeAgreement(k, e)); wrong != "" {
					t.Fatalf("%s: %s\n%s\n%+v", id, wrong, e.Text, e)
				}
			}
		}
	})
	t.Log(verdicts)
}

// TestImpossibleAsk_SaysWhy compares each pending ask of a generated cluster with the configured maxima and nodes.
func TestImpossibleAsk_SaysWhy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, asks := crowd(t)
		c := bench{census: newCensus(s.Dump())}
		for _, app := range c.Applications {
			for _, ask := range app.Asks {
				e, _ := s.ExplainAsk(ask.ID)
				never := c.never(&stake{ask, asks[ask.ID].Ask, app.ID, app.Queue})
				if e.Pending && !slices.Equal(e.Never, never) {
					t.Fatalf("%s: expected the bounds %v, found %v", ask.ID, never, e.Never)
				}
				if e.Pending && len(never) > 0 != strings.Contains(e.Text, "It can never run") {
					t.Fatalf("%s: expected the bounds %v, found %s", ask.ID, never, e.Text)
				}
			}
		}
	})
}

// sameItems compares lists regardless of order.
func sameItems[T any](a, b []T) bool {
	text := func(list []T) []string {
		out := make([]string, len(list))
		for i, x := range list {
			out[i] = fmt.Sprint(x)
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(text(a), text(b))
}

// judge returns an error text if a dry run is wrong.
func (c *bench) judge(k *stake, e explain.PreemptionExplanation) string {
	verdict, holders := c.verdict(k)
	switch {
	case e.Verdict != verdict:
		return "expected the verdict " + string(verdict)
	case e.App != k.app || e.Queue != k.queue:
		return "it is in " + k.queue
	case !sameItems(e.Laws, c.laws(k)):
		return fmt.Sprintf("expected the laws %v", c.laws(k))
	}
	switch verdict {
	case explain.VerdictNoNode, explain.VerdictDrained:
		return c.judgeNodes(k, e)
	case explain.VerdictMax:
		if never := c.never(k); len(never) == 0 || !slices.Equal(e.Never, never) {
			return fmt.Sprintf("expected the bounds %v", never)
		}
	case explain.VerdictPreempts:
		return c.judgeChoice(k, e)
	case explain.VerdictWaits:
		return c.judgeWait(k, e)
	case explain.VerdictNeedsNoVictims, explain.VerdictNeverPreempts:
	default:
		return c.judgeRefusal(k, e, holders)
	}
	return ""
}

// judgeAgreement compares the explanation of the ask with the dry run.
func (c *bench) judgeAgreement(k *stake, e explain.PreemptionExplanation) string {
	a, _ := c.s.ExplainAsk(k.ID)
	var seen []explain.Seen
	for _, q := range c.chain(k.queue, "root") {
		seen = append(seen, explain.Seen{Queue: q.Path, Priority: c.seen(k.Priority, k.queue, q.Path[:strings.LastIndex(q.Path, ".")])})
	}
	switch {
	case !slices.Equal(a.Seen, seen):
		return fmt.Sprintf("expected it to be seen as %v, found %v", seen, a.Seen)
	case !slices.Equal(a.Never, c.never(k)):
		return fmt.Sprintf("expected the bounds %v, found %v", c.never(k), a.Never)
	case !strings.HasPrefix(e.Text, fmt.Sprintf("Ask %s of application %s in %s %s", k.ID, k.app, k.queue, strings.TrimPrefix(a.Preemption, "It "))):
		return "the ask's explanation says something else: " + a.Preemption
	}
	return ""
}

// usedUp reports whether law 4 fails as its sentence says: for every type, the nearest guarantee, if any, is used up.
func (c *bench) usedUp(k *stake) bool {
	for _, need := range k.Resources {
		for _, q := range c.chain(k.queue, "root") {
			if g := valueOf(q.Guaranteed, need.Type); g > 0 {
				if c.claimed(q, need.Type) < g {
					return false
				}
				break
			}
		}
	}
	return true
}

func (c *bench) judgeNodes(k *stake, e explain.PreemptionExplanation) string {
	counts := map[explain.NodeCount]int{}
	for _, n := range c.Nodes {
		up := n
		up.Schedulable, up.Used, up.ClaimedBy = true, nil, ""
		reason, detail := cause(up, k.AskDump, asking{Ask: k.said})
		if reason == "" {
			reason = explain.NodeDraining
		}
		counts[explain.NodeCount{Reason: reason, Detail: detail}]++
	}
	found := map[explain.NodeCount]int{}
	for _, n := range e.Nodes {
		found[explain.NodeCount{Reason: n.Reason, Detail: n.Detail}] = n.Nodes
	}
	if !maps.Equal(found, counts) || !slices.Equal(e.Never, c.never(k)) {
		return fmt.Sprintf("expected the nodes %v and the bounds %v", counts, c.never(k))
	}
	return ""
}

// judgeChoice checks that the set on each of the two nodes is permitted and minimal, and checks the facts of each victim.
func (c *bench) judgeChoice(k *stake, e explain.PreemptionExplanation) string {
	var set []*stake
	for _, v := range e.Victims {
		other := c.tasks[v.ID]
		set = append(set, other)
		meet := c.meet(k.queue, v.Queue)
		seen, forSeen := c.seen(other.Priority, v.Queue, meet), c.seen(k.Priority, k.queue, meet)
		kind := explain.ByGuarantee
		if k.said.Node != "" {
			kind, seen, forSeen = explain.ByNode, other.Priority, k.Priority
		} else if v.Queue == k.queue {
			kind = explain.ByIntraQueue
		}
		if v.App != other.app || v.Queue != other.queue || v.Priority != other.Priority || v.Common != meet || v.Seen != seen || v.ForSeen != forSeen || v.Kind != kind || v.OptedOut != other.said.NotPreemptable {
			return fmt.Sprintf("the facts of %s are wrong", v.ID)
		}
	}
	for _, v := range e.Victims {
		if over := c.over(k, c.tasks[v.ID], set); !sameItems(v.Over, over) {
			return fmt.Sprintf("expected %v to be over, of %s", over, v.ID)
		}
	}
	if !c.minimal(k, c.node(e.Node), set) {
		return "the set is not lawful, or has a needless victim"
	}
	if e.Next == nil {
		return ""
	}
	set = nil
	for _, id := range e.Next.Victims {
		set = append(set, c.tasks[id])
	}
	if e.Next.Node == e.Node || !c.minimal(k, c.node(e.Next.Node), set) {
		return "the next set is not lawful, or has a needless victim"
	}
	return ""
}

func (c *bench) judgeWait(k *stake, e explain.PreemptionExplanation) string {
	var ids []string
	for _, v := range c.on(c.node(k.Claims)) {
		if v.Leaving == k.ID {
			ids = append(ids, v.ID)
		}
	}
	var found []string
	for _, v := range e.Victims {
		found = append(found, v.ID)
	}
	slices.Sort(ids)
	slices.Sort(found)
	if e.Node != k.Claims || !slices.Equal(ids, found) {
		return fmt.Sprintf("%s is kept, and %v have yet to leave", k.Claims, ids)
	}
	return ""
}

// judgeRefusal counts the reasons why allocations cannot be victims, and measures the closest node.
func (c *bench) judgeRefusal(k *stake, e explain.PreemptionExplanation, holders []core.NodeDump) string {
	counts := map[explain.Excluded]int{}
	for _, n := range holders {
		for _, v := range c.on(n) {
			if code := c.bar(k, v, n); code != "" {
				counts[explain.Excluded{Queue: v.queue, Reason: code}]++
			}
		}
	}
	found := map[explain.Excluded]int{}
	for _, b := range e.Excluded {
		found[explain.Excluded{Queue: b.Queue, Reason: b.Reason}] = b.Allocations
	}
	switch {
	case !maps.Equal(found, counts):
		return fmt.Sprintf("expected the bars %v", counts)
	case e.Verdict == explain.VerdictNotEntitled && !c.usedUp(k):
		return "it is entitled to something"
	}
	if e.Verdict != explain.VerdictNoVictims || e.Node == "" {
		return ""
	}
	n := c.node(e.Node)
	var stay []explain.NonVictim
	var free []*stake
	for _, v := range c.on(n) {
		if code := c.bar(k, v, n); code != "" {
			stay = append(stay, explain.NonVictim{ID: v.ID, App: v.app, Queue: v.queue, Reason: code})
		} else {
			free = append(free, v)
		}
	}
	if c.closed(k, n) || !slices.Equal(e.NonVictims, stay) {
		return fmt.Sprintf("expected %v in the way", stay)
	}
	if short := c.short(k, n, free); !sameItems(e.Short, short) {
		return fmt.Sprintf("expected %v to be missing", short)
	}
	return ""
}
