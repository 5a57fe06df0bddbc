package config

import (
	"slices"
	"strconv"
)

// file reads the outermost level. It makes a Config also where there are errors, which nobody gets to see then.
func (d *decoder) file(v *value) *Config {
	c := &Config{
		Partition:         DefaultPartition,
		NodeSort:          NodeSort{Fair, defaultWeights()},
		PreemptionEnabled: true,
	}
	var partitions *value
	for _, f := range d.fields(InFile, "partitions", v) {
		switch f.name {
		case "partitions":
			partitions = f.value
		case "checksum":
		default:
			d.unknown(InFile, InFile, "", f)
		}
	}
	if partitions == nil || partitions.kind == null {
		d.add(v.at, InFile, "partitions", "a list with one partition", "none")
		return c
	}
	items := d.items(InFile, "partitions", partitions)
	switch {
	case len(items) == 0 && partitions.kind == list:
		d.add(partitions.at, InFile, "partitions", "one partition", "an empty list")
	case len(items) > 1:
		d.add(items[1].value.at, InFile, "partitions", "one partition (more are not supported yet)", strconv.Itoa(len(items)))
	}
	if len(items) > 0 {
		d.partition(c, items[0].value)
	}
	return c
}

// partition reads the one partition.
func (d *decoder) partition(c *Config, v *value) {
	var queues *value
	for _, f := range d.fields(InPartition, "partitions", v) {
		switch f.name {
		case "name":
			if name := d.text(InPartition, f.name, f.value); name != "" {
				c.Partition = name
			}
		case "queues":
			queues = f.value
		case "nodesortpolicy":
			d.nodeSort(&c.NodeSort, f.value)
		case "preemption":
			d.preemption(c, f.value)
		case "usergroupresolver":
			d.resolver(f.value)
		case "placementrules", "limits":
			d.refuse(InPartition, f)
		default:
			d.unknown(InPartition, InPartition, "", f)
		}
	}
	d.root(c, v.at, queues)
}

func (d *decoder) preemption(c *Config, v *value) {
	for _, f := range d.fields(InPartition, "preemption", v) {
		key := "preemption." + f.name
		switch f.name {
		case "enabled":
			c.PreemptionEnabled = d.truth(InPartition, key, f.value, true)
		case "observe":
			c.PreemptionObserve = d.truth(InPartition, key, f.value, false)
		case "quotapreemptionenabled":
			if d.truth(InPartition, key, f.value, false) {
				d.add(f.at, InPartition, key, "false (preemption by quota is not supported yet)", "true")
			}
		default:
			d.unknown(InPartition, InPartition, "preemption.", f)
		}
	}
}

// resolver accepts a resolver that resolves nothing: users and groups come with each application.
func (d *decoder) resolver(v *value) {
	for _, f := range d.fields(InPartition, "usergroupresolver", v) {
		if f.name != "type" {
			d.unknown(InPartition, InPartition, "usergroupresolver.", f)
			continue
		}
		switch name := d.text(InPartition, "usergroupresolver.type", f.value); name {
		case "", "none":
		case "os", "ldap":
			d.add(f.value.at, InPartition, "usergroupresolver.type", "none or nothing (os and ldap are not supported yet)", name)
		default:
			d.add(f.value.at, InPartition, "usergroupresolver.type", oneOf("none", "os", "ldap"), quote(name))
		}
	}
}

// root reads the list of queues. Where it does not start with root, root is added above it.
func (d *decoder) root(c *Config, at place, queues *value) {
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
	c.Root = top.queue
	own := items[0].value
	if d.isRoot(own) {
		for _, other := range items[1:] {
			d.add(other.value.at, InPartition, "queues", "nothing beside root (queues belong in its own list)", "another queue")
		}
	} else {
		for _, item := range items {
			if d.isRoot(item.value) {
				d.add(item.value.at, InPartition, "queues", "root as the only one of the list, or not at all", "root after other queues")
			}
		}
		own = &value{kind: mapping, at: queues.at, fields: []field{{"queues", queues.at, queues}}}
	}
	d.queue(top, own)
	top.queue.Leaf = false
	c.ReservationDelay = d.reservation
	if !hasLeaf(top.queue) {
		if below := own.field("queues"); below != nil {
			own = below.value
		}
		below := d.warnings
		d.warnings = nil
		d.warn(own.at, "root", "queues", "no queue below root takes applications, since none is a leaf")
		d.warnings = append(d.warnings, below...) // root is the first queue
	}
}

// hasLeaf reports whether a queue or one below it takes applications.
func hasLeaf(q *Queue) bool { return q.Leaf || slices.ContainsFunc(q.Children, hasLeaf) }
