package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/config"
)

// setConfig replaces the configuration. If the new one is invalid or not possible now, it changes nothing.
func (o *Oracle) setConfig(in *core.SetConfig) {
	read, err := config.Decode([]byte(in.Config), config.Options{File: in.File, Format: config.Format(in.Format)})
	if err != nil {
		o.refuseConfig([]string{err.Error()})
		return
	}
	kept := o.matchPartitions(read.Partitions)
	if refusals := slices.Concat(o.refusalsOf(read.Partitions, kept), o.windowRefusals(read.Partitions), o.deviceRefusals(read.Devices)); len(refusals) > 0 {
		o.refuseConfig(refusals)
		return
	}
	warnings := []string{}
	for _, w := range read.Warnings {
		warnings = append(warnings, w.String())
	}
	o.decide(core.Decision{Type: core.ConfigAccepted, Warnings: warnings})
	o.partitions, o.deviceTypes = nil, read.Devices
	for i, settings := range read.Partitions {
		if kept[i] == nil {
			kept[i] = newPartition(o, settings)
		}
		o.partitions = append(o.partitions, kept[i])
	}
	for i, p := range kept {
		p.reload(read.Partitions[i])
	}
	for _, p := range o.partitions {
		p.reloadWindows()
	}
}

// matchPartitions returns, for each configured partition, the existing one with its name, or nil. If there is only one before and after, it
// is kept regardless of its name.
func (o *Oracle) matchPartitions(configured []*config.Partition) []*partition {
	kept := make([]*partition, len(configured))
	if len(configured) == 1 && len(o.partitions) == 1 {
		kept[0] = o.partitions[0]
		return kept
	}
	for i, settings := range configured {
		for _, p := range o.partitions {
			if p.name() == strings.ToLower(settings.Name) {
				kept[i] = p
			}
		}
	}
	return kept
}

// refusalsOf lists the reasons why the configuration is not possible now.
func (o *Oracle) refusalsOf(configured []*config.Partition, kept []*partition) []string {
	var all []string
	for _, p := range o.partitions {
		i := slices.Index(kept, p)
		switch {
		case i >= 0:
			all = append(all, p.refusals(p.root, configured[i].Root)...)
		case p.inUse():
			all = append(all, fmt.Sprintf("partition %s: in use, cannot be left out", p.settings.Name))
		}
	}
	return all
}

func (p *partition) reload(settings *config.Partition) {
	before, sorted := p.states(), p.usersSorted()
	p.reloads++
	p.settings = settings
	p.makeLevels(core.Topology{})
	p.root = p.adopt(p.root, settings.Root, nil)
	p.renewAging(sorted)
	p.forgetVictims()
	p.announce(before)
}

// refusals lists the queues in use that would change between leaf and parent.
func (p *partition) refusals(q *queue, settings *config.Queue) []string {
	var all []string
	if q.isLeaf() != settings.Leaf && p.isUsed(q) {
		all = append(all, fmt.Sprintf("%s: in use, cannot change between leaf and parent", q.path()))
	}
	for _, named := range settings.Children {
		if child := q.child(named.Name); child != nil {
			all = append(all, p.refusals(child, named)...)
		}
	}
	return all
}

// adopt applies new settings to a queue. The old queue, which may be nil, is kept if it stays a leaf or a parent. Queues that are no longer
// configured drain while they are in use, and are removed otherwise. Dynamic queues stay, with the settings of the new templates; those
// that are configured now become configured queues.
func (p *partition) adopt(old *queue, settings *config.Queue, parent *queue) *queue {
	if old == nil || old.isLeaf() != settings.Leaf {
		return newTree(settings, parent)
	}
	old.settings, old.parent, old.draining, old.dynamic = settings, parent, false, nil // first, since dynamic queues below read the settings above
	children := p.drained(old, settings, (*queue).isManaged)
	for _, named := range settings.Children {
		children = append(children, p.adopt(old.child(named.Name), named, old))
	}
	made := slices.DeleteFunc(slices.Clone(old.children), func(child *queue) bool {
		return child.isManaged() || names(settings, child)
	})
	old.children = append(children, made...)
	for _, q := range made {
		q.renew()
	}
	return old
}

// drained lists the children in use that are no longer configured. They drain, with all queues in use below them.
func (p *partition) drained(q *queue, settings *config.Queue, which func(child *queue) bool) []*queue {
	var children []*queue
	for _, child := range q.children {
		if names(settings, child) || !p.isUsed(child) || !which(child) {
			continue
		}
		child.draining = true
		child.children = p.drained(child, &config.Queue{}, func(*queue) bool { return true })
		children = append(children, child)
	}
	return children
}

func (q *queue) isManaged() bool { return q.dynamic == nil }

// names reports whether the settings contain the child.
func names(settings *config.Queue, child *queue) bool {
	return slices.ContainsFunc(settings.Children, func(s *config.Queue) bool { return s.Name == child.settings.Name })
}

func (q *queue) state() string {
	if q.draining {
		return core.QueueDraining
	}
	return core.QueueActive
}

// states returns all queues with their states.
func (p *partition) states() map[*queue]string {
	states := map[*queue]string{}
	for _, q := range p.root.subtree() {
		states[q] = q.state()
	}
	return states
}

// announce records decisions, in path order, for queues whose state has changed. New and removed queues have no decision.
func (p *partition) announce(before map[*queue]string) {
	queues := p.root.subtree()
	slices.SortFunc(queues, func(a, b *queue) int { return cmp.Compare(a.path(), b.path()) })
	for _, q := range queues {
		from, known := before[q]
		if !known || from == q.state() {
			continue
		}
		why := core.ReasonQueueRemoved
		if !q.draining {
			why = core.ReasonQueueRestored
		}
		p.decide(core.Decision{Type: core.QueueState, Queue: q.path(), From: from, To: q.state(), Reason: why})
	}
}
