package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/node"
)

// Copying takes a checkpoint in steps, between which the scheduler may go on: what has changed since it was copied is copied again,
// and the last step takes the rest. So each step is short, however much there is.
type Copying struct {
	shared *Shared
	size   int // how many things a step copies
	parts  []*partitionCopy
	last   *snapshot // of the last step, with neither asks nor nodes
	others []string  // as in Checkpoint
}

// partitionCopy is what has been copied of a partition.
type partitionCopy struct {
	s      *State
	cursor Cursor
	asks   copied[*app.Ask, askMemory]
	nodes  copied[*node.Node, nodeMemory]
}

// copied is what has been copied of things of a kind, in rounds: each copies again what has changed since the one before.
type copied[K comparable, M any] struct {
	rounds  []round[K, M]
	changed map[K]bool // since the last round began
}

type round[K comparable, M any] struct {
	from    []K
	done    int        // of them
	to      [][]M      // by step: one list of all would have to be made at once
	changed map[K]bool // while it went on, or after it until the next began
}

// copyRounds is how many rounds there are at most: what changes faster than it is copied is left to the last step.
const copyRounds = 12

// Copying begins a copy in steps of so many asks or nodes. The one that was under way, if there is one, cannot go on.
func (c *Shared) Copying(size int) *Copying {
	k := &Copying{shared: c, size: size}
	for _, s := range c.Partitions {
		p := &partitionCopy{s: s}
		asks := make([]*app.Ask, 0, s.Asks.Len())
		s.Asks.All(func(ask *app.Ask) bool { asks = append(asks, ask); return true })
		p.asks.begin(asks)
		p.nodes.begin(s.Nodes.Sorted())
		s.SkipLog(&p.cursor)
		s.copy = p
		k.parts = append(k.parts, p)
	}
	return k
}

// begin begins a round.
func (c *copied[K, M]) begin(from []K) {
	c.changed = map[K]bool{}
	c.rounds = append(c.rounds, round[K, M]{from: from, changed: c.changed})
}

// step copies some things more, and reports whether so few have changed meanwhile that the rest can be copied at once.
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

// copy copies the next things. What has changed meanwhile may have gone, and is copied by a later round.
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

// changedHere lists what has changed in the last round and is there.
func (c *copied[K, M]) changedHere(here func(K) bool) []K {
	var list []K
	for k := range c.changed {
		if here(k) {
			list = append(list, k)
		}
	}
	return list
}

// finish copies what is left.
func (c *copied[K, M]) finish(here func(K) bool, remember func(K) M) {
	c.begin(c.changedHere(here))
	r := &c.rounds[len(c.rounds)-1]
	r.copy(len(r.from), remember)
}

// all lists, in an order, what was copied last of everything that is there.
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

// follow notes what the log says has changed.
func (p *partitionCopy) follow() {
	for _, c := range p.s.Follow(&p.cursor) {
		if c.Ask != nil {
			p.asks.changed[c.Ask] = true
		}
		if c.Node != nil {
			p.nodes.changed[c.Node] = true
		}
	}
}

// FollowCopy has a copy that is under way take in what changed.
func (s *State) FollowCopy() {
	if s.copy != nil {
		s.copy.follow()
	}
}

// copyAgain notes a change of an ask that is not in the log, since nothing that is decided depends on it.
func (s *State) copyAgain(ask *app.Ask) {
	if s.copy != nil {
		s.copy.asks.changed[ask] = true
	}
}

func (p *partitionCopy) askHere(ask *app.Ask) bool {
	return ask.ID != "" && p.s.Asks.Find(ask.ID) == ask
}

func (p *partitionCopy) nodeHere(n *node.Node) bool { return p.s.Nodes.Find(n.ID) == n }

// rememberAsk copies an ask. What it says of others is taken again in the last step.
func (p *partitionCopy) rememberAsk(ask *app.Ask) askMemory {
	m := p.s.rememberAsk(ask)
	if m.Leaving != nil || m.Told != nil || m.Replaces != nil || m.Keeps != "" || m.Reserves != "" {
		p.asks.changed[ask] = true
	}
	return m
}

// Step copies a little more, and reports whether the copy is whole. short is as in Snapshot. ok is false where the configuration has
// made other partitions meanwhile, or another copy has begun: then this one cannot go on.
func (k *Copying) Step(short []bool) (done, ok bool) {
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
	k.Abandon()
	return true, true
}

// finish copies what has changed, and what asks say of others.
func (p *partitionCopy) finish() {
	s := p.s
	for v := range s.departures {
		p.asks.changed[v] = true
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

// Abandon ends a copy.
func (k *Copying) Abandon() {
	for _, p := range k.parts {
		if p.s.copy == p {
			p.s.copy = nil
		}
	}
}

// Checkpoint puts together what was copied. The scheduler is not read any more.
func (k *Copying) Checkpoint() *Checkpoint {
	c := &Checkpoint{memory: k.last, others: k.others}
	for i, m := range k.last.partitions() {
		p := k.parts[i]
		m.Asks = p.asks.all(func(a, b *askMemory) int { return cmp.Compare(a.Seq, b.Seq) })
		m.Nodes = p.nodes.all(func(a, b *nodeMemory) int { return cmp.Compare(a.ID, b.ID) })
	}
	return c
}
