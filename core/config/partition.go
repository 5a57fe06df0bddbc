package config

import (
	"slices"
	"sort"
)

// partitionFields are the fields of a partition that depend on others.
type partitionFields struct {
	queues, rules, limits *value
}

// readPartition reads one partition. Paths of queues outside the first one begin with its name, as in [gpu]root.a.
func (d *decoder) readPartition(v *value, first bool) *Partition {
	p := &Partition{
		Name:              DefaultPartition,
		NodeSort:          NodeSort{Fair, defaultWeights()},
		PreemptionEnabled: true,
		ReservationDelay:  DefaultReservationDelay,
		Patience:          DefaultPatience,
		AccumulateAfter:   DefaultAccumulateAfter,
		AccumulateFor:     DefaultAccumulateFor,
	}
	d.partition, d.label, d.rootLimits = p, "", nil
	mark := len(d.warnings)
	own := d.partitionSettings(p, v)
	if !first {
		d.label = "[" + p.Name + "]"
	}
	var rules []*writtenRule
	if own.rules != nil {
		rules = d.rules(p, own.rules)
	}
	if own.limits != nil {
		d.rootLimits = d.limits(InPartition, own.limits)
	}
	sortWarnings(d.warnings[mark:])
	d.root(p, v.at, own.queues)
	if p.Root != nil {
		d.checkFixedRules(p.Root, rules)
	}
	if p.Backfill.Plans() {
		p.AccumulateAfter = 0 // plans take the place of it
	}
	return p
}

// partitionSettings reads the fields that do not depend on others, and returns the rest.
func (d *decoder) partitionSettings(p *Partition, v *value) partitionFields {
	var own partitionFields
	for _, f := range d.fields(InPartition, "partitions", v) {
		switch f.name {
		case "name":
			if name := d.text(InPartition, f.name, f.value); name != "" {
				p.Name = name
			}
		case "queues":
			own.queues = f.value
		case "nodesortpolicy":
			d.nodeSort(&p.NodeSort, f.value)
		case "preemption":
			d.preemption(p, f.value)
		case "usergroupresolver":
			d.resolver(p, f.value)
		case "placementrules":
			own.rules = f.value
		case "limits":
			own.limits = f.value
		case "topology":
			p.Topology = d.topology(f.value)
		case "windows":
			p.Windows = d.windows(f.value)
		case "window":
			d.windowSettings(p, f.value)
		case "backfill":
			d.backfill(p, f.value)
		default:
			d.unknown(InPartition, InPartition, "", f)
		}
	}
	return own
}

func (d *decoder) preemption(p *Partition, v *value) {
	for _, f := range d.fields(InPartition, "preemption", v) {
		key := "preemption." + f.name
		switch f.name {
		case "enabled":
			p.PreemptionEnabled = d.boolean(InPartition, key, f.value, true)
		case "observe":
			p.PreemptionObserve = d.boolean(InPartition, key, f.value, false)
		case "quotapreemptionenabled":
			p.QuotaPreemption = d.boolean(InPartition, key, f.value, false)
		default:
			d.unknown(InPartition, InPartition, "preemption.", f)
		}
	}
}

// resolver reads how the host finds the groups of a user. The core does not use it: inputs contain user and groups of each application.
func (d *decoder) resolver(p *Partition, v *value) {
	for _, f := range d.fields(InPartition, "usergroupresolver", v) {
		if f.name != "type" {
			d.unknown(InPartition, InPartition, "usergroupresolver.", f)
			continue
		}
		switch name := d.text(InPartition, "usergroupresolver.type", f.value); name {
		case "", "none":
			p.Resolver = ResolveNone
		case ResolveOS, ResolveLDAP:
			p.Resolver = name
		default:
			d.add(f.value.at, InPartition, "usergroupresolver.type", oneOf("none", "os", "ldap"), quote(name))
		}
	}
}

// root reads the list of queues. If root is not in it, root is added above it.
func (d *decoder) root(p *Partition, at place, queues *value) {
	var items []field
	if queues != nil {
		at = queues.at
		items = d.items(InPartition, "queues", queues)
	}
	if len(items) == 0 {
		if queues == nil || queues.kind != scalar && queues.kind != mapping {
			d.add(at, InPartition, "queues", "a list with at least one queue", "none")
		}
		return
	}
	top := &scope{queue: newQueue("root", nil)}
	p.Root = top.queue
	own := d.rootItem(items, queues)
	mark := len(d.warnings)
	d.queue(top, own)
	top.queue.Leaf = false
	if !hasLeaf(top.queue) {
		if below := own.field("queues"); below != nil {
			own = below.value
		}
		below := slices.Clone(d.warnings[mark:])
		d.warnings = d.warnings[:mark]
		d.warn(own.at, "root", "queues", "no queue below root takes applications, since none is a leaf")
		d.warnings = append(d.warnings, below...) // root is the first queue
	}
}

// rootItem returns the list's item for root, or makes one that contains the list.
func (d *decoder) rootItem(items []field, queues *value) *value {
	if own := items[0].value; d.isRoot(own) {
		for _, other := range items[1:] {
			d.add(other.value.at, InPartition, "queues", "nothing beside root (queues belong in its own list)", "another queue")
		}
		return own
	}
	for _, item := range items {
		if d.isRoot(item.value) {
			d.add(item.value.at, InPartition, "queues", "root as the only queue of the list, or no root", "root after other queues")
		}
	}
	return &value{kind: mapping, at: queues.at, fields: []field{{"queues", queues.at, queues}}}
}

// hasLeaf reports whether a queue is a leaf or has one below it.
func hasLeaf(q *Queue) bool { return q.Leaf || slices.ContainsFunc(q.Children, hasLeaf) }

// sortWarnings sorts the warnings of one queue or partition.
func sortWarnings(list []Warning) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Key < list[j].Key })
}
