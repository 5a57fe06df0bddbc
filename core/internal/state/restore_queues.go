package state

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/quern-project/quern/core/config"
	"github.com/quern-project/quern/core/internal/app"
	"github.com/quern-project/quern/core/internal/state/queues"
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
		c.deviceTypes = read.Devices
		c.install(read.Partitions, make([]*State, len(read.Partitions)))
		c.source = src
	}
	if found := len(r.m.partitions()); found != len(c.partitions) {
		return fmt.Errorf("partitions: expected the %d of the configuration, found %d", len(c.partitions), found)
	}
	for i := range r.m.Ended {
		e := &r.m.Ended[i]
		if e.Partition == "" { // written when there was only one partition
			e.Partition = c.partitions[0].name
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
		tree := s.Queues()
		parent := tree.Find(d.Parent)
		if parent == queues.None || tree.IsLeaf(parent) || tree.Find(d.Conf.Path) != queues.None || d.Conf.Path == "" {
			return fmt.Errorf("draining queue %q: expected a parent %q and no queue of its name", d.Conf.Path, d.Parent)
		}
		if label, below := strings.CutPrefix(d.Conf.Path, d.Parent+"."); !below || label == "" || strings.Contains(label, ".") {
			return fmt.Errorf("draining queue %q: expected a name below %q", d.Conf.Path, d.Parent)
		}
		if d.Dynamic && !tree.IsDraining(parent) || !d.Dynamic && tree.IsDynamic(parent) || !d.Dynamic && d.Quota != nil {
			return fmt.Errorf("draining queue %q: expected a dynamic one below a draining one, and a configured one without tags", d.Conf.Path)
		}
		if d.Dynamic {
			memory, err := r.dynamicLeaf(d.Conf.Leaf, d.Quota)
			if err != nil {
				return fmt.Errorf("draining queue %q: %w", d.Conf.Path, err)
			}
			s.attach(&d.Conf, parent, memory, true)
			continue
		}
		q := s.queues.Add(&d.Conf, parent, queues.Kind{Draining: true})
		if d.Conf.Leaf {
			s.fileLeaf(&leaf{OwnedLeaf: app.NewLeaf(s.types)}, q)
		}
	}
	s.enforce(s.conf)
	s.renewAging()
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
		q := s.Queues().Find(m.Queue)
		if q == queues.None || !s.Queues().IsLeaf(q) {
			return fmt.Errorf("leaf queue %q: expected a queue of the configuration", m.Queue)
		}
		l := s.leaves[q]
		l.Ban(m.BannedUntil, m.ExpiredAt)
		if m.BannedUntil > r.all.Now {
			s.timers.push(timer{at: m.BannedUntil, kind: banTimer, leaf: l})
		}
	}
	return nil
}

// quotas restores the times since which queues exceed their max. The snapshot must name all of these queues.
func (r restorer) quotas() error {
	s, tree := r.s, r.s.Queues()
	s.quotas = quotas{}
	for _, m := range r.m.Over {
		q := tree.Find(m.Queue)
		if q == queues.None || isOver(tree, q) || !s.quotaOn(q) || tree.Excess(q) == nil || m.Since > r.all.Now {
			return fmt.Errorf("queue %q: expected it once, over its max since %s at the latest, with preemption by quota on, found %s", m.Queue, r.all.Now, m.Since)
		}
		s.addOver(q, queues.Over{Since: m.Since, Tried: m.Tried, Again: m.Again})
	}
	return r.allOver(tree.Root())
}

func isOver(tree queues.View, q queues.ID) bool {
	_, over := tree.Over(q)
	return over
}

// allOver checks that the snapshot names every queue that exceeds its max.
func (r restorer) allOver(q queues.ID) error {
	tree := r.s.Queues()
	if !isOver(tree, q) && r.s.quotaOn(q) && tree.Excess(q) != nil {
		return fmt.Errorf("queue %q: expected since when it is over its max", tree.Path(q))
	}
	for child := range tree.Children(q) {
		if err := r.allOver(child); err != nil {
			return err
		}
	}
	return nil
}
