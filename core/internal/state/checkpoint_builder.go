package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
)

// CheckpointBuilder builds a checkpoint in steps, between which the scheduler may continue. Objects that change after they were copied are copied
// again, and the last step copies the rest. So each step is short, whatever the size of the state.
type CheckpointBuilder struct {
	shared *Shared
	size   int // number of objects that a step copies
	parts  []*partitionCopy
	last   *snapshot // made by the last step, without asks and nodes
	others []string  // as in Checkpoint
}

// partitionCopy is the part of a copy that concerns one partition.
type partitionCopy struct {
	s      *State
	cursor Cursor
	asks   copied[app.Ask, askMemory]
	nodes  copied[int32, nodeMemory]
}

// copied holds the copies of objects of one kind, in rounds. Each round
// copies the objects that have changed since the round before it began.
type copied[K comparable, M any] struct {
	rounds  []round[K, M]
	changed map[K]bool // objects that have changed since the last round began
}

type round[K comparable, M any] struct {
	from    []K
	done    int        // number of objects copied
	to      [][]M      // by step, so that no large list has to be allocated at once
	changed map[K]bool // objects that have changed since this round began, until the next one begins
}

// copyRounds limits the number of rounds. If objects change faster than they are copied, the last step copies the rest.
const copyRounds = 12

// BuildCheckpoint starts a copy whose steps copy size asks or nodes each. An earlier unfinished copy can no longer continue.
func (c *Shared) BuildCheckpoint(size int) *CheckpointBuilder {
	k := &CheckpointBuilder{shared: c, size: size}
	for _, s := range c.Partitions {
		p := &partitionCopy{s: s}
		asks := make([]app.Ask, 0, s.Asks.Len())
		s.Asks.All(func(ask app.Ask) bool { asks = append(asks, ask); return true })
		p.asks.begin(asks)
		p.nodes.begin(s.Nodes.Sorted())
		s.SkipLog(&p.cursor)
		s.copy = p
		k.parts = append(k.parts, p)
	}
	return k
}

// begin starts a round.
func (c *copied[K, M]) begin(from []K) {
	c.changed = map[K]bool{}
	c.rounds = append(c.rounds, round[K, M]{from: from, changed: c.changed})
}

// step copies some more objects. It reports whether the number of changed ones is small enough for finish.
func (c *copied[K, M]) step(size int, here func(K) bool, remember func(K) M) (done bool) {
	r := &c.rounds[len(c.rounds)-1]
	if r.done < len(r.from) {
		r.copy(size, remember)
		return false
	}
	if len(c.changed) > size && len(c.rounds) < copyRounds {
		c.begin(c.changedHere(here))
		return false
	}
	return true
}

// copy copies the next objects. It skips objects that have changed meanwhile, since they may be gone; a later round copies them.
func (r *round[K, M]) copy(size int, remember func(K) M) {
	next := r.from[r.done:min(len(r.from), r.done+size)]
	to := make([]M, len(next))
	for i, k := range next {
		if !r.changed[k] {
			to[i] = remember(k)
		}
	}
	r.to, r.done = append(r.to, to), r.done+len(next)
}

// changedHere lists the objects that have changed in the last round and still exist.
func (c *copied[K, M]) changedHere(here func(K) bool) []K {
	var list []K
	for k := range c.changed {
		if here(k) {
			list = append(list, k)
		}
	}
	return list
}

// finish copies the remaining objects in one round.
func (c *copied[K, M]) finish(here func(K) bool, remember func(K) M) {
	c.begin(c.changedHere(here))
	r := &c.rounds[len(c.rounds)-1]
	r.copy(len(r.from), remember)
}

// all returns the latest copies of all existing objects, sorted.
func (c *copied[K, M]) all(order func(a, b *M) int) []M {
	var list []*M
	stale := map[K]bool{}
	for i := len(c.rounds) - 1; i >= 0; i-- {
		r := &c.rounds[i]
		maps.Copy(stale, r.changed)
		at := 0
		for _, part := range r.to {
			for n := range part {
				if !stale[r.from[at]] {
					list = append(list, &part[n])
				}
				at++
			}
		}
	}
	slices.SortFunc(list, order)
	out := make([]M, 0, len(list))
	for _, m := range list {
		out = append(out, *m)
	}
	return out
}

// follow records the objects that have changed according to the log.
func (p *partitionCopy) follow() {
	for _, c := range p.s.Follow(&p.cursor) {
		if !c.Ask.IsNone() {
			p.asks.changed[c.Ask] = true
		}
		if c.Kind.setsNode() {
			p.nodes.changed[c.Node] = true
		}
	}
}

// FollowCopy has an unfinished copy read the log.
func (s *State) FollowCopy() {
	if s.copy != nil {
		s.copy.follow()
	}
}

// copyAgain records a change of an ask that is not in the log, since no decision depends on it.
func (s *State) copyAgain(ask app.Ask) {
	if s.copy != nil {
		s.copy.asks.changed[ask] = true
	}
}

func (p *partitionCopy) askHere(ask app.Ask) bool {
	return ask.ID() != "" && p.s.Asks.Find(ask.ID()) == ask
}

func (p *partitionCopy) nodeHere(n int32) bool { return p.s.Nodes.Has(n) }

// rememberAsk copies an ask. If the copy refers to other objects, the last step copies the ask again.
func (p *partitionCopy) rememberAsk(ask app.Ask) askMemory {
	m := p.s.rememberAsk(ask)
	if m.Leaving != nil || m.Told != nil || m.Replaces != nil || m.Keeps != "" || m.Reserves != "" {
		p.asks.changed[ask] = true
	}
	return m
}

// Step copies some more objects, and reports whether the copy is complete. short is as in Snapshot. ok is false if the copy cannot
// continue, since the configuration has changed the partitions, or another copy has started.
func (k *CheckpointBuilder) Step(short []bool) (done, ok bool) {
	if len(k.parts) != len(k.shared.Partitions) {
		return false, false
	}
	for i, p := range k.parts {
		if k.shared.Partitions[i] != p.s || p.s.copy != p {
			return false, false
		}
	}
	for _, p := range k.parts {
		if !p.asks.step(k.size, p.askHere, p.rememberAsk) || !p.nodes.step(k.size, p.nodeHere, p.s.rememberNode) {
			return false, true
		}
	}
	for _, p := range k.parts {
		p.finish()
	}
	k.last = k.shared.rememberWith(short, func(*State, *partitionMemory) {}).detached()
	for _, p := range k.parts[1:] {
		k.others = append(k.others, p.s.Name)
	}
	k.Cancel()
	return true, true
}

// finish copies the remaining changed objects, and all asks that refer to other objects.
func (p *partitionCopy) finish() {
	s := p.s
	for slot := range s.Departures().All {
		p.asks.changed[s.AskAt(slot)] = true
	}
	for slot := range s.Replacements().Leaving {
		p.asks.changed[s.AskAt(slot)] = true
	}
	for slot := range s.Replacements().Waiting {
		p.asks.changed[s.AskAt(slot)] = true
	}
	for r := range s.Reservations().All() {
		p.asks.changed[s.AskAt(r.Ask)] = true
	}
	for c := range s.Claims().All() {
		p.asks.changed[s.AskAt(c.Ask)] = true
	}
	p.asks.finish(p.askHere, s.rememberAsk)
	p.nodes.finish(p.nodeHere, s.rememberNode)
}

// Cancel ends a copy.
func (k *CheckpointBuilder) Cancel() {
	for _, p := range k.parts {
		if p.s.copy == p {
			p.s.copy = nil
		}
	}
}

// Checkpoint assembles the copies. It does not read the scheduler.
func (k *CheckpointBuilder) Checkpoint() *Checkpoint {
	c := &Checkpoint{memory: k.last, others: k.others}
	for i, m := range k.last.partitions() {
		p := k.parts[i]
		m.Asks = p.asks.all(func(a, b *askMemory) int { return cmp.Compare(a.Seq, b.Seq) })
		m.Nodes = p.nodes.all(func(a, b *nodeMemory) int { return cmp.Compare(a.ID, b.ID) })
	}
	return c
}
