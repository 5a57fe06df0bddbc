package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/api"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
	"github.com/quern-project/quern/core/resource"
)

// Restore makes a scheduler from a snapshot: it goes on as the one that wrote it would have. A snapshot that is damaged,
// of another version, or contradicts itself is refused. short says, for each partition, that a search for victims has yet to
// be finished.
func Restore(data []byte, o api.Options) (shared *Shared, short []bool, err error) {
	m, err := readSnapshot(data)
	if err != nil {
		return nil, nil, err
	}
	shared, err = restore(m, o)
	return shared, m.short(), err
}

// short tells of each partition whether a search for victims has yet to be finished.
func (m *snapshot) short() []bool {
	var list []bool
	for _, p := range m.partitions() {
		list = append(list, p.Short)
	}
	return list
}

// restore makes a scheduler of what a snapshot remembers, and takes that over.
func restore(m *snapshot, o api.Options) (*Shared, error) {
	c := New(o)
	all := sharedRestorer{c, m}
	for _, step := range []func() error{all.numbers, all.policies, all.configure, all.fill} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
	}
	c.Now, c.Started, c.seq, c.Counters, c.Ended, c.Gone = m.Now, m.Started, m.Seq, m.Counters, m.Ended, m.Gone
	for i, p := range m.partitions() {
		s := c.Partitions[i]
		s.Precedence, s.World, s.Retries = slices.Clone(p.Placed), p.World, 0
		s.TrimLog()
	}
	c.decisions = c.decisions[:0]
	return c, nil
}

// sharedRestorer puts back what all partitions share.
type sharedRestorer struct {
	c *Shared
	m *snapshot
}

// fill puts back what each partition holds.
func (r sharedRestorer) fill() error {
	for i, m := range r.m.partitions() {
		p := restorer{r.c.Partitions[i], m, r.m}
		for _, step := range []func() error{p.dynamic, p.draining, p.nodes, p.apps, p.empty, p.asks, p.places, p.claims, p.replacements, p.leaves, p.quotas} {
			if err := step(); err != nil && i > 0 {
				return fmt.Errorf("partition %s: %w", p.s.Name, err)
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// restorer puts what a snapshot remembers of a partition into a new one, step by step.
type restorer struct {
	s   *State
	m   *partitionMemory
	all *snapshot
}

// numbers checks that what orders end in was handed out once.
func (r sharedRestorer) numbers() error {
	var apps, asks, placed, reserved, claimed []uint64
	for _, a := range r.m.Ended {
		apps = append(apps, a.Seq)
	}
	for _, m := range r.m.partitions() {
		for _, a := range m.Apps {
			apps = append(apps, a.Seq)
		}
		for _, a := range m.Asks {
			asks = append(asks, a.Seq)
			if a.PlacedOn != "" {
				placed = append(placed, a.Placed)
			}
			if a.Reserves != "" {
				reserved = append(reserved, a.Reserved)
			}
			if a.Keeps != "" {
				claimed = append(claimed, a.Claimed)
			}
		}
		if !m.Placed.valid(r.m.Now) {
			return errors.New("allocated priorities: expected later ones to be higher, and none after the present")
		}
	}
	c := r.m.Counters
	return cmp.Or(once("applications", apps, c.App), once("asks", asks, c.Ask), once("allocations", placed, c.Placed), once("reservations", reserved, c.Reserved),
		once("claims", claimed, c.Claimed))
}

// once checks that numbers differ and are from 1 to last.
func once(what string, numbers []uint64, last uint64) error {
	sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
	for i, n := range numbers {
		if n == 0 || n > last || i > 0 && numbers[i-1] == n {
			return fmt.Errorf("%s: expected numbers from 1 to %d, each once, found %d", what, last, n)
		}
	}
	return nil
}

func (r sharedRestorer) policies() error {
	for _, p := range r.m.Modules {
		m := &module{set: p.Set, calls: p.Calls, recorded: recallAnswers(p.Name, p.Recorded), backOff: p.BackOff, until: p.Until, returned: p.Returned}
		if p.Set.Name == "" {
			known := r.c.host(p.Name)
			known.calls, known.recorded, known.backOff, known.until, known.returned = m.calls, m.recorded, m.backOff, m.until, m.returned
			continue
		}
		manifest, err := policy.ParseManifest(p.Set.Manifest)
		if err == nil && (manifest.Name != p.Name || p.Set.Name != p.Name) {
			err = fmt.Errorf("expected it under its own name, found %q", manifest.Name)
		}
		if err != nil {
			return fmt.Errorf("policy %q: %w", p.Name, err)
		}
		m.Manifest, m.impure, m.gone = *manifest, manifest.Impure, p.Gone
		r.c.bind(m)
		r.c.Modules.announced[p.Name] = m
	}
	return nil
}

// knows accepts policies that were removed, too: the configuration may name them since before.
func (c *Shared) knows(point, name string) bool {
	m := c.Modules.announced[name]
	return m != nil && m.Points[policy.Point(point)] != nil
}

// configure makes the partitions.
func (r sharedRestorer) configure() error {
	c, src := r.c, r.m.Config
	if src.Text != "" {
		read, err := config.Decode([]byte(src.Text), config.Options{
			File: src.File, Format: config.Format(cmp.Or(src.Format, string(config.YAML))), Policies: c.knows,
		})
		if err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
		c.install(read.Partitions, make([]*State, len(read.Partitions)))
		c.Source = src
	}
	if found := len(r.m.partitions()); found != len(c.Partitions) {
		return fmt.Errorf("partitions: expected the %d of the configuration, found %d", len(c.Partitions), found)
	}
	for i := range r.m.Ended {
		e := &r.m.Ended[i]
		if e.Partition == "" { // it was written when there was one partition alone
			e.Partition = c.Partitions[0].Name
		}
	}
	return nil
}

// draining puts queues back that the configuration no longer names.
func (r restorer) draining() error {
	s := r.s
	for i := range r.m.Draining { // all types first: what is half made cannot be widened
		d := &r.m.Draining[i]
		amounts := limitedTypes(&d.Conf)
		if err := cmp.Or(positive(amounts...), r.ordered(&d.Conf)); err != nil {
			return fmt.Errorf("draining queue %q: %w", d.Conf.Path, err)
		}
		s.admit(amounts...)
	}
	for i := range r.m.Draining {
		d := &r.m.Draining[i]
		parent := s.ByPath[d.Parent]
		if parent == nil || parent.Leaf() || s.ByPath[d.Conf.Path] != nil || d.Conf.Path == "" {
			return fmt.Errorf("draining queue %q: expected a parent %q and no queue of its name", d.Conf.Path, d.Parent)
		}
		if label, below := strings.CutPrefix(d.Conf.Path, d.Parent+"."); !below || label == "" || strings.Contains(label, ".") {
			return fmt.Errorf("draining queue %q: expected a name below %q", d.Conf.Path, d.Parent)
		}
		if d.Dynamic && !parent.Draining || !d.Dynamic && parent.Dynamic || !d.Dynamic && d.Quota != nil {
			return fmt.Errorf("draining queue %q: expected a dynamic one below a draining one, and a configured one without tags", d.Conf.Path)
		}
		q := queue.New(&d.Conf, parent, s.Types)
		q.Draining = true
		if d.Dynamic {
			memory, err := r.dynamicLeaf(q.Leaf(), d.Quota)
			if err != nil {
				return fmt.Errorf("draining queue %q: %w", q.Path, err)
			}
			s.attach(q, memory)
			continue
		}
		b := builder{s: s}
		b.finish(q, nil, nil)
		parent.Adopt(append(slices.Clone(parent.Children()), q), s.order(policy.QueueOrder, parent.Conf.QueueSort))
	}
	s.enforce(s.Conf)
	return nil
}

// ordered checks that the policies exist that a queue names.
func (r restorer) ordered(c *config.Queue) error {
	for p, name := range map[policy.Point]string{policy.AppOrder: c.AppSort, policy.AskOrder: c.AskSort, policy.QueueOrder: c.QueueSort} {
		if policy.Builtin(p, name, nil) == nil && !r.s.knows(string(p), name) {
			return fmt.Errorf("expected a policy for %s, found %q", p, name)
		}
	}
	return nil
}

func (r restorer) nodes() error {
	s := r.s
	for _, m := range r.m.Nodes {
		if m.ID == "" || s.partitionOfNode(m.ID) != nil {
			return fmt.Errorf("node %q: expected an ID that no other node has", m.ID)
		}
		if err := positive(m.Capacity, m.Occupied); err != nil {
			return fmt.Errorf("node %q: %w", m.ID, err)
		}
		s.admit(m.Capacity, m.Occupied)
		if t := s.overflows(s.Nodes.Total(), nil, s.Types.Vec(m.Capacity, 0)); t >= 0 {
			return fmt.Errorf("node %q: %s", m.ID, s.overflow("the cluster's total", t))
		}
		s.addNode(&api.Input{ID: m.ID, Capacity: m.Capacity, Occupied: m.Occupied, Attributes: m.Attributes, Unschedulable: !m.Schedulable})
		s.Nodes.Find(m.ID).GrownAt = m.GrownAt
	}
	return nil
}

// positive checks amounts that a decoder would have refused.
func positive(sets ...resource.Set) error {
	for _, set := range sets {
		for i, q := range set {
			if q.Value < 0 || i > 0 && set[i-1].Type >= q.Type {
				return fmt.Errorf("resources: expected amounts of at least 0, sorted by type, found %s %d", q.Type, q.Value)
			}
		}
	}
	return nil
}

// liveStates are the states that an application in a snapshot may have.
var liveStates = []string{api.StateNew, api.StateAccepted, api.StateStarting, api.StateRunning, api.StateResuming, api.StateCompleting, api.StateFailing}

func (r restorer) apps() error {
	s := r.s
	for _, m := range r.m.Apps {
		q := s.ByPath[m.Queue]
		if q == nil || !q.Leaf() || s.PartitionOfApp(m.ID) != nil || !slices.Contains(liveStates, m.State) || m.Seq == 0 {
			return fmt.Errorf("application %q: expected an ID of its own, a leaf queue and a live state, found %q and %q", m.ID, m.Queue, m.State)
		}
		gang, err := r.gang(m.Gang)
		if err != nil {
			return fmt.Errorf("application %q: %w", m.ID, err)
		}
		a := app.NewApp(m.ID, m.Seq, s.Types.Width())
		a.User, a.Groups, a.Tags, a.State, a.Gang = m.User, m.Groups, m.Tags, api.StateNew, gang
		a.Placement = m.Placement
		s.enter(a, s.Leaves[q.ID])
		s.joinLimits(a)
		s.Now = m.Since
		if m.State != api.StateNew {
			s.setState(a, m.State, "")
		}
		a.Since, a.Submitted, a.AllocationsMade = m.Since, m.Submitted, m.Ever
		if a.Gang != nil {
			a.Gang.Ended = m.Gang.Ended
			s.timeGang(a)
		}
		if err := r.atomicGangs(a, m.Gangs); err != nil {
			return err
		}
	}
	return nil
}

func (r restorer) asks() error {
	s := r.s
	for i := range r.m.Asks {
		m := &r.m.Asks[i]
		a := s.Apps[m.App]
		if a == nil || s.PartitionOfAsk(m.ID) != nil || m.Seq == 0 || a.State == api.StateNew || a.State == api.StateCompleting && a.Gang == nil {
			return fmt.Errorf("ask %q: expected a started or accepted application and an ID of its own, found application %q", m.ID, m.App)
		}
		if err := positive(m.Resources); err != nil {
			return fmt.Errorf("ask %q: %w", m.ID, err)
		}
		if err := r.member(a, m); err != nil {
			return fmt.Errorf("ask %q: %w", m.ID, err)
		}
		if err := r.atomicMember(a, m); err != nil {
			return err
		}
		if m.PlacedOn == "" && m.Resources.IsZero() || m.PlacedOn != "" && s.Nodes.Find(m.PlacedOn) == nil {
			return fmt.Errorf("ask %q: expected resources and a known node, found node %q", m.ID, m.PlacedOn)
		}
		ask := s.newAsk(&api.Input{ID: m.ID, Resources: m.Resources, Ask: m.Ask}, a)
		ask.Seq, ask.Created, ask.Observed = m.Seq, m.Created, m.Observed
		if ask.Member != nil {
			ask.Member.GaveUp = m.GaveUp
		}
		if m.PlacedOn == "" {
			s.pend(ask)
			s.memberChanged(ask)
		}
	}
	return r.gangsHaveMembers()
}

// places puts allocations on their nodes, in the order in which they were made, and reservations back.
func (r restorer) places() error {
	s := r.s
	var placed []*askMemory
	for i := range r.m.Asks {
		if m := &r.m.Asks[i]; m.PlacedOn != "" {
			placed = append(placed, m)
		}
	}
	slices.SortFunc(placed, func(a, b *askMemory) int { return cmp.Compare(a.Placed, b.Placed) })
	for _, m := range placed {
		ask, n := s.Asks.Find(m.ID), s.Nodes.Find(m.PlacedOn)
		if message := s.restoreOverflows(n, &api.Input{Resources: m.Resources}); message != "" {
			return fmt.Errorf("ask %q: %s", m.ID, message)
		}
		s.restore(ask, n)
		s.memberChanged(ask)
		ask.Placed, ask.PlacedAt = m.Placed, m.PlacedAt
	}
	for _, m := range r.m.Asks {
		if m.Reserves == "" {
			continue
		}
		n, ask := s.Nodes.Find(m.Reserves), s.Asks.Find(m.ID)
		l := s.Leaves[ask.App.Leaf.ID]
		if n == nil || n.Held || !ask.Pending() || l.Reservation != nil && ask.Class.Node == "" {
			return fmt.Errorf("ask %q: expected its reservation on a node without one, found %q", m.ID, m.Reserves)
		}
		if need := ask.Class.Node; need != "" && need != n.ID {
			return fmt.Errorf("ask %q: expected no reservation but of the node %q that it requires, found %q", m.ID, need, n.ID)
		}
		s.holdFor(&Reservation{Ask: ask, Seq: m.Reserved, ExpiresAt: m.ExpiresAt}, n)
	}
	slices.SortFunc(s.Reservations, func(a, b *Reservation) int { return cmp.Compare(a.Seq, b.Seq) })
	return nil
}

// claims has victims leave again, and keeps nodes for those that they leave for.
func (r restorer) claims() error {
	s := r.s
	var kept []*askMemory
	for i := range r.m.Asks {
		m := &r.m.Asks[i]
		if m.Leaving != nil {
			if d := m.Leaving; d.Quota != "" && d.Claim > 0 {
				return fmt.Errorf("ask %q: expected it to leave for a claim or by quota, found claim %d and queue %q", m.ID, d.Claim, d.Quota)
			}
			if m.PlacedOn == "" || m.Leaving.Claim > r.all.Counters.Claimed {
				return fmt.Errorf("ask %q: expected an allocation that leaves for one of %d claims, found %d", m.ID, r.all.Counters.Claimed, m.Leaving.Claim)
			}
			s.leave(s.Asks.Find(m.ID), m.Leaving)
			if q := s.ByPath[m.Leaving.Quota]; q != nil {
				q.Giving++
			}
		}
		if m.Keeps != "" {
			kept = append(kept, m)
		}
	}
	slices.SortFunc(kept, func(a, b *askMemory) int { return cmp.Compare(a.Claimed, b.Claimed) })
	for _, m := range kept {
		n := s.Nodes.Find(m.Keeps)
		if n == nil || m.PlacedOn != "" || n.Kept && !r.landsWith(s.OnNode[n.Slot].Claim, m.LandsWith) {
			return fmt.Errorf("ask %q: expected a pending ask and a node that is kept for no other ask, found %q", m.ID, m.Keeps)
		}
		c := &Claim{Seq: m.Claimed, Ask: s.Asks.Find(m.ID), Node: n}
		if err := r.joinClaims(c, m.LandsWith); err != nil {
			return err
		}
		s.keep(c)
	}
	for _, d := range s.Leaving {
		if c := s.claimOf(d); c != nil && c.Gang != nil {
			c.Gang.Leaving++
		}
	}
	return nil
}

func (r restorer) leaves() error {
	s := r.s
	for _, m := range r.m.Leaves {
		q := s.ByPath[m.Queue]
		if q == nil || !q.Leaf() {
			return fmt.Errorf("leaf queue %q: expected a queue of the configuration", m.Queue)
		}
		l := s.Leaves[q.ID]
		l.BannedUntil, l.ExpiredAt = m.BannedUntil, m.ExpiredAt
		if m.BannedUntil > r.all.Now {
			s.timers.push(timer{at: m.BannedUntil, kind: banTimer, leaf: l})
		}
	}
	return nil
}

// quotas puts back since when queues are over their max; each that is must be named.
func (r restorer) quotas() error {
	s := r.s
	s.quotas = quotas{}
	for _, m := range r.m.Over {
		q := s.ByPath[m.Queue]
		if q == nil || q.Over != nil || !s.quotaOn(q) || q.Excess(q.Max) == nil || m.Since > r.all.Now {
			return fmt.Errorf("queue %q: expected it once, over its max since %s at the latest, with preemption by quota on, found %s", m.Queue, r.all.Now, m.Since)
		}
		s.addOver(q, &queue.Over{Since: m.Since, Tried: m.Tried})
	}
	return r.allOver(s.Root)
}

// allOver checks that the snapshot names every queue that is over its max.
func (r restorer) allOver(q *queue.Queue) error {
	if q.Over == nil && r.s.quotaOn(q) && q.Excess(q.Max) != nil {
		return fmt.Errorf("queue %q: expected since when it is over its max", q.Path)
	}
	for _, child := range q.Children() {
		if err := r.allOver(child); err != nil {
			return err
		}
	}
	return nil
}
