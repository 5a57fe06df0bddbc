package oracle_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
)

// victimsCase is one ask's choice of victims, before it takes effect.
type victimsCase struct {
	*lawChecker
	ask     *task
	node    *core.NodeDump
	victims []*task
}

func (p *victimsCase) execute() {
	for _, v := range p.victims {
		v.Leaving = p.ask.ID
	}
	p.ask.Claims, p.node.ClaimedBy = p.node.ID, p.ask.ID
	p.judged++
}

func (p *victimsCase) judge() {
	k, n := p.ask, p.node
	p.expect(k.Node == "" && k.Claims == "" && !k.said.NoPreemptOthers, "%s may not preempt", k.ID)
	p.expect(n.Schedulable && n.ClaimedBy == "" && (k.said.Node == "" || k.said.Node == n.ID), "%s may not preempt on %s", k.ID, n.ID)
	if holder := p.tasks[n.Reserved]; holder != nil && holder != k {
		p.expect(p.seen(k, holder) > p.seen(holder, k), "%s does not outrank %s, which reserves %s", k.ID, holder.ID, n.ID)
		p.expect(holder.said.Node == "" || k.said.Node == n.ID, "%s may not preempt on %s, held for %s", k.ID, n.ID, holder.ID)
	}
	for _, v := range p.victims {
		p.expect(v.Node == n.ID && v.Leaving == "" && v.app != k.app && v.said.Node == "", "%s may not take %s", k.ID, v.ID)
	}
	p.expect(p.fits(p.victims), "%s does not fit %s with its victims gone", k.ID, n.ID)
	for i, v := range p.victims {
		rest := slices.Delete(slices.Clone(p.victims), i, i+1)
		p.expect(!p.fits(rest), "%s takes %s needlessly", k.ID, v.ID)
	}
	if k.said.Node != "" {
		for _, v := range p.victims {
			p.expect(v.Priority <= k.Priority, "%s takes %s of higher priority", k.ID, v.ID)
		}
		return
	}
	p.expect(p.dump.Now-k.Submitted >= p.delay(), "%s has not waited", k.ID)
	for _, v := range p.victims {
		p.judgePair(v)
	}
	p.judgeExchange()
}

// fits reports whether the ask fits node and queues without some victims and all leaving allocations, and with all claims.
func (p *victimsCase) fits(gone []*task) bool {
	stays := func(k *task) bool { return k.stays() && !slices.Contains(gone, k) }
	for _, need := range withoutZeros(p.ask.Resources) {
		free := valueIn(p.node.Capacity, need.Type) - valueIn(p.node.Occupied, need.Type) - p.usage("root", need.Type, func(k *task) bool {
			return k.Node == p.node.ID && stays(k)
		})
		if free < need.Value {
			return false
		}
		for _, path := range chain(p.ask.queue, "") {
			limit, set := p.queues[path].Max.Value(need.Type)
			if (set || path == "root") && p.usage(path, need.Type, stays)+need.Value > limit {
				return false
			}
		}
	}
	return true
}

// judgePair checks the laws about single victims.
func (p *victimsCase) judgePair(v *task) {
	k := p.ask
	if v.queue == k.queue {
		p.expect(strings.EqualFold(p.queues[k.queue].Properties["preemption.intra-queue"], "enabled"), "%s takes %s of its own queue", k.ID, v.ID)
		p.expect(v.Priority < k.Priority, "%s takes %s of its own queue, of no lower priority", k.ID, v.ID)
		return
	}
	meet := common(v.queue, k.queue)
	p.expect(p.seen(v, k) <= p.seen(k, v), "law 6: %s takes %s of higher priority", k.ID, v.ID)
	for _, path := range chain(k.queue, meet) {
		p.expect(!p.says(path, "preemption.policy", "fence"), "law 7: %s takes %s from outside of %s", k.ID, v.ID, path)
	}
	for _, path := range append(chain(k.queue, "root"), chain(v.queue, "root")...) {
		p.expect(!p.says(path, "preemption.policy", "disabled"), "%s takes %s, and %s is disabled", k.ID, v.ID, path)
	}
	p.expect(p.entitled(meet), "law 4: %s takes %s and is not entitled below %s", k.ID, v.ID, meet)
	for _, path := range chain(v.queue, meet) {
		for _, promise := range p.queues[path].Guaranteed {
			left := p.usage(path, promise.Type, func(o *task) bool {
				return o.Node != "" && o.Leaving == "" && !slices.Contains(p.victims, o)
			})
			p.expect(valueIn(v.Resources, promise.Type) <= 0 || promise.Value <= 0 || left >= promise.Value,
				"laws 2 and 5: %s leaves %s with %d of %d guaranteed %s", k.ID, path, left, promise.Value, promise.Type)
		}
	}
}

// entitled implements law 4 for the ask's queues below a meeting queue.
func (p *victimsCase) entitled(meet string) bool {
	for _, need := range withoutZeros(p.ask.Resources) {
		promised, under := 0, 0
		for _, path := range chain(p.ask.queue, meet) {
			promise := valueIn(p.queues[path].Guaranteed, need.Type)
			if promise <= 0 {
				continue
			}
			promised++
			if p.usage(path, need.Type, func(o *task) bool { return o.Node != "" || o.Claims != "" }) < promise {
				under++
			}
		}
		if promised > 0 && promised == under {
			return true
		}
	}
	return false
}

// judgeExchange checks that no queue falls below its guarantee, and that preemption by guarantees increases the sum of usage within
// guarantees, so that a sequence of preemptions ends.
func (p *victimsCase) judgeExchange() {
	var before, after int64
	exchanged := func(o *task) bool { return o == p.ask || o.stays() && !slices.Contains(p.victims, o) }
	for path, q := range p.queues {
		for _, promise := range q.Guaranteed {
			was := min(p.usage(path, promise.Type, (*task).stays), promise.Value)
			is := min(p.usage(path, promise.Type, exchanged), promise.Value)
			p.expect(is >= was, "%s lowers %s below its guaranteed %s, from %d to %d", p.ask.ID, path, promise.Type, was, is)
			before, after = before+was, after+is
		}
	}
	own := func(v *task) bool { return v.queue == p.ask.queue }
	p.expect(after > before || slices.ContainsFunc(p.victims, own), "%s brings the guarantees no further", p.ask.ID)
}

func (p *victimsCase) delay() time.Duration {
	delay, err := time.ParseDuration(p.queues[p.ask.queue].Properties["preemption.delay"])
	if err != nil || delay <= 0 {
		return 30 * time.Second
	}
	return delay
}

func (c *lawChecker) says(path, key, value string) bool {
	return strings.EqualFold(c.queues[path].Properties[key], value)
}

// seen returns the priority of a task as seen just below the queue where it meets the other task.
func (c *lawChecker) seen(k, other *task) int64 {
	priority := int64(k.Priority)
	for _, path := range chain(k.queue, common(k.queue, other.queue)) {
		offset, err := strconv.ParseInt(c.queues[path].Properties["priority.offset"], 10, 32)
		if err != nil {
			offset = 0
		}
		if c.says(path, "priority.policy", "fence") {
			priority = 0
		}
		priority = max(math.MinInt32, min(math.MaxInt32, priority+offset))
	}
	return priority
}

func valueIn(s resource.Set, typ string) int64 {
	value, _ := s.Value(typ)
	return value
}
