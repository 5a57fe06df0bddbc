package config

import (
	"slices"
	"strconv"
)

// Bounds of a configuration, so that its cost is about proportional to the length of its text. Queues store their path and the properties
// in force, so the stored sizes of both are bounded, not the written ones.
const (
	maxPartitions = 1_000
	maxQueues     = 200_000
	maxTypes      = 1_000    // of resources; the scheduler never drops a type, and each vector has an element for it
	maxPaths      = 64 << 20 // bytes of the paths of all queues
	maxProperties = 2 << 20  // in force; counted in each queue that sets some of its own
)

// Bounds of reports. Errors are sorted and duplicates removed before the first ones are listed.
const (
	listedErrors   = 100
	maxErrors      = 10 * listedErrors
	listedWarnings = 1_000
)

// usage counts how much of the bounds a configuration has used.
type usage struct {
	queues, paths, properties int
	types                     map[string]struct{}
	typesEnded                bool // the bound was exceeded, and reported
	full                      bool // a bound was exceeded; no more queues are read
}

// exceeded reports the first bound that is exceeded, and ends the reading of queues.
func (d *decoder) exceeded(at place, queue, key, bound string) {
	if !d.used.full {
		d.used.full = true
		d.add(at, queue, key, bound, "more")
	}
}

// admitQueue counts a queue, and reports whether it may be read.
func (d *decoder) admitQueue(at place, path string) bool {
	d.used.queues++
	d.used.paths += len(path)
	switch {
	case d.used.queues > maxQueues:
		d.exceeded(at, path, "queues", "at most "+strconv.Itoa(maxQueues)+" queues")
	case d.used.paths > maxPaths:
		d.exceeded(at, path, "name", "full names of queues that take at most "+strconv.Itoa(maxPaths)+" bytes together")
	}
	return !d.used.full
}

// admitProperties counts the properties that a queue stores, and reports whether it may store them.
func (d *decoder) admitProperties(at place, path string, n int) bool {
	if d.used.properties += n; d.used.properties > maxProperties {
		d.exceeded(at, path, "properties", "at most "+strconv.Itoa(maxProperties)+" properties, with the inherited ones counted in each queue that sets some")
	}
	return !d.used.full
}

// admitType counts a resource type, and reports whether it may be used.
func (d *decoder) admitType(at place, queue, key, name string) bool {
	if _, known := d.used.types[name]; known {
		return true
	}
	if len(d.used.types) >= maxTypes {
		if !d.used.typesEnded {
			d.used.typesEnded = true
			d.add(at, queue, key, "at most "+strconv.Itoa(maxTypes)+" resource types in a configuration", "more")
		}
		return false
	}
	if d.used.types == nil {
		d.used.types = map[string]struct{}{}
	}
	d.used.types[name] = struct{}{}
	return true
}

// errorsFull reports whether further errors are only counted, so that their texts need not be built.
func (d *decoder) errorsFull() bool { return len(d.errors) >= maxErrors }

// refusal lists the errors in the order of the text. A long list is cut, and its last error says how many there are.
func (d *decoder) refusal() Errors {
	kept := d.errors.sortedDistinct()
	total := len(kept) + d.droppedErrors
	if total <= listedErrors {
		return kept
	}
	last := *kept[listedErrors-1]
	last.Queue, last.Key, last.total = InFile, "errors", total
	last.Expected, last.Found = "at most "+strconv.Itoa(listedErrors)+" errors", strconv.Itoa(total)+", of which these are the first"
	return append(slices.Clip(kept[:listedErrors]), &last)
}

// listWarnings lists the warnings. A long list is cut, and its last warning says how many there are.
func (d *decoder) listWarnings() []Warning {
	if d.droppedWarnings > 0 {
		last := d.warnings[len(d.warnings)-1]
		last.Queue, last.Key = InFile, "warnings"
		last.Text = strconv.Itoa(len(d.warnings)+d.droppedWarnings) + " warnings, of which these are the first"
		d.warnings, d.droppedWarnings = append(d.warnings, last), 0
	}
	return d.warnings
}
