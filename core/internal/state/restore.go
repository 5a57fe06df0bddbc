package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/internal/state/nodes"
	"github.com/quern-project/quern/core/policy"
)

// Restore makes a scheduler from a snapshot. It continues as the one that wrote the snapshot would have. A snapshot that is damaged, of a
// later version, or inconsistent is refused. short reports, for each partition, whether a search for victims is unfinished.
func Restore(data []byte, o core.Options) (shared *Shared, short []bool, err error) {
	m, err := readSnapshot(data)
	if err != nil {
		return nil, nil, err
	}
	shared, err = restore(m, o)
	return shared, m.short(), err
}

// short reports, for each partition, whether a search for victims is unfinished.
func (m *snapshot) short() []bool {
	var list []bool
	for _, p := range m.partitions() {
		list = append(list, p.Short)
	}
	return list
}

// restore makes a scheduler from a decoded snapshot, which it takes over.
func restore(m *snapshot, o core.Options) (*Shared, error) {
	c := New(o)
	all := sharedRestorer{c, m}
	for _, step := range []func() error{all.numbers, all.policies, all.configure, all.fill} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("snapshot: %w", err)
		}
	}
	c.now, c.started, c.seq, c.counters, c.ended, c.gone, c.parts = m.Now, m.Started, m.Seq, m.Counters, m.Ended, m.Gone, m.Parts
	c.judged, c.restoredAt = m.Judged, m.RestoredAt
	for i, p := range m.partitions() {
		s := c.partitions[i]
		s.precedence, s.shrinkEpoch, s.retryEpochs = slices.Clone(p.Placed), p.World, 0
		s.timeWalltimes()
		s.indexAging()
		s.TrimLog()
	}
	c.decisions = c.decisions[:0]
	return c, nil
}

// sharedRestorer restores what all partitions share.
type sharedRestorer struct {
	c *Shared
	m *snapshot
}

// fill restores the contents of each partition.
func (r sharedRestorer) fill() error {
	for i, m := range r.m.partitions() {
		p := restorer{r.c.partitions[i], m, r.m}
		for _, step := range []func() error{p.dynamic, p.draining, p.nodes, p.windows, p.apps, p.empty, p.asks, p.places, p.claims, p.replacements, p.runningGangs, p.accumulation, p.plans, p.leaves, p.quotas, p.aging, p.budgets} {
			if err := step(); err != nil && i > 0 {
				return fmt.Errorf("partition %s: %w", p.s.name, err)
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// restorer restores a partition from a snapshot, step by step.
type restorer struct {
	s   *State
	m   *partitionMemory
	all *snapshot
}

// numbers checks that each number was given out at most once and within its counter, and that the allocated priorities are in order.
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

// once checks that numbers are distinct and between 1 and last.
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
		if !m.gone { // a removed module is never called
			r.c.bind(m)
		}
		r.c.modules.announced[p.Name] = m
	}
	return nil
}

// knows is serves including removed policies, which the configuration may still name.
func (c *Shared) knows(point, name string) bool {
	m := c.modules.announced[name]
	return m != nil && m.Points[policy.Point(point)] != nil
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
		if t := s.overflows(s.finder.TotalOf, s.types.Vec(m.Capacity, 0)); t >= 0 {
			return fmt.Errorf("node %q: %s", m.ID, s.overflow("the cluster's total", t))
		}
		s.addNode(&core.AddNode{ID: m.ID, Capacity: m.Capacity, Occupied: m.Occupied, Attributes: m.Attributes, Unschedulable: !m.Schedulable, Devices: m.Devices, OccupiedDevices: m.OccupiedDevices})
		if s.finder.Find(m.ID) == nodes.None {
			return fmt.Errorf("node %q: expected devices of the types of the configuration", m.ID)
		}
		s.nodes.Grow(s.finder.Find(m.ID), m.GrownAt)
	}
	return nil
}
