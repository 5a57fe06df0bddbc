package config

import (
	"strings"
	"time"
)

// DecodeSupported is Decode for a scheduler that has no preemption by quota. A configuration that sets it is refused: passing
// over it would let in what it keeps out. Callers go over to Decode, and this file goes, once the scheduler has it.
func DecodeSupported(text []byte, o Options) (*Config, error) {
	d := &decoder{options: o}
	tree := d.tree(withoutChecksum(text))
	if tree == nil {
		return nil, d.errors
	}
	d.refuseFile(tree)
	return d.config(tree)
}

// refuseFile reports the keys that are not supported and takes them out of the tree, so that they cause no other errors.
func (d *decoder) refuseFile(tree *value) {
	partitions := tree.list("partitions")
	if partitions == nil {
		return
	}
	for i, item := range partitions.fields {
		d.label = ""
		if f := item.value.field("name"); i > 0 && f != nil {
			d.label = "[" + f.value.text + "]"
		}
		d.refusePartition(item.value)
	}
	d.label = ""
}

// list is the value of a field that holds a list with items, or nil.
func (v *value) list(name string) *value {
	if v.kind != mapping {
		return nil
	}
	if f := v.field(name); f != nil && f.value.kind == list && len(f.value.fields) > 0 {
		return f.value
	}
	return nil
}

func (d *decoder) refusePartition(v *value) {
	if f := v.inner("preemption", "quotapreemptionenabled"); f != nil {
		probe := &decoder{options: d.options}
		if probe.truth("", "", f.value, false) {
			d.add(f.at, InPartition, "preemption.quotapreemptionenabled", "false (preemption by quota is not supported yet)", "true")
			f.drop()
		}
	}
	queues := v.list("queues")
	if queues == nil {
		return
	}
	if d.isRoot(queues.fields[0].value) {
		d.refuseQueue("root", queues.fields[0].value)
		return
	}
	d.refuseQueues("root", queues)
}

// inner finds a field of a mapping within a mapping.
func (v *value) inner(outer, name string) *field {
	if v.kind != mapping {
		return nil
	}
	if f := v.field(outer); f != nil && f.value.kind == mapping {
		return f.value.field(name)
	}
	return nil
}

// drop makes a field say nothing.
func (f *field) drop() { f.value = &value{kind: null, at: f.value.at} }

func (d *decoder) refuseQueues(parent string, queues *value) {
	for _, item := range queues.fields {
		name := "?"
		if f := item.value.field("name"); f != nil && f.value.text != "" {
			name = strings.ToLower(f.value.text)
		}
		d.refuseQueue(parent+"."+name, item.value)
	}
}

func (d *decoder) refuseQueue(path string, v *value) {
	if v.kind != mapping {
		return
	}
	if f := v.inner("properties", propQuotaDelay); f != nil && f.value.kind == scalar {
		if delay, err := time.ParseDuration(f.value.text); err != nil || delay != 0 {
			d.add(f.value.at, path, propQuotaDelay, "0 (preemption by quota is not supported yet)", f.value.found())
			f.drop()
		}
	}
	if queues := v.list("queues"); queues != nil {
		d.refuseQueues(path, queues)
	}
}
