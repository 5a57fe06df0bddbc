package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/queue"
	"github.com/quern-project/quern/core/policy"
)

// configure makes the partitions from the configuration of a snapshot.
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
		if e.Partition == "" { // written when there was only one partition
			e.Partition = c.Partitions[0].Name
		}
	}
	return nil
}

// draining restores the queues that the configuration no longer names.
func (r restorer) draining() error {
	s := r.s
	for i := range r.m.Draining { // all types first, since a queue outside the tree would not be widened
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

// ordered checks that the policies that a queue names exist.
func (r restorer) ordered(c *config.Queue) error {
	for p, name := range map[policy.Point]string{policy.AppOrder: c.AppSort, policy.AskOrder: c.AskSort, policy.QueueOrder: c.QueueSort} {
		if policy.Builtin(p, name, nil) == nil && !r.s.knows(string(p), name) {
			return fmt.Errorf("expected a policy for %s, found %q", p, name)
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

// quotas restores the times since which queues exceed their max. The snapshot must name all of these queues.
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

// allOver checks that the snapshot names every queue that exceeds its max.
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
