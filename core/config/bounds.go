package config

import (
	"slices"
	"strconv"
)

// Bounds on what a configuration may hold, so that it costs little more than the length of its text. A queue stores its path, and the
// properties in force, so both are bounded as they are stored and not as they are written.
const (
	maxPartitions = 1_000
	maxQueues     = 200_000
	maxTypes      = 1_000    // of resources; the scheduler keeps each for good, and amounts have a place for it
	maxPaths      = 64 << 20 // bytes of the paths of all queues
	maxProperties = 2 << 20  // in force, counted in each queue that sets some of its own
)

// Bounds on reports. Errors are sorted and repetitions removed before the first ones are listed.
const (
	listedErrors   = 100
	keptErrors     = 10 * listedErrors
	listedWarnings = 1_000
)

// usage counts what a configuration has used of its bounds.
type usage struct {
	queues, paths, properties int
	types                     map[string]struct{}
	typesEnded                bool // an error says so
	full                      bool // a bound was passed; no more queues are read
}

// exceeded reports the first bound that is passed, and ends the reading of queues.
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

// crowded reports whether further errors are only counted, so that their texts need not be built.
func (d *decoder) crowded() bool { return len(d.errors) >= keptErrors }

// refusal lists the errors in the order of the text. The last of a long list tells how many there are.
func (d *decoder) refusal() Errors {
	kept := d.errors.settled()
	total := len(kept) + d.unkept
	if total <= listedErrors {
		return kept
	}
	last := *kept[listedErrors-1]
	last.Queue, last.Key, last.total = InFile, "errors", total
	last.Expected, last.Found = "at most "+strconv.Itoa(listedErrors)+" errors", strconv.Itoa(total)+", of which these are the first"
	return append(slices.Clip(kept[:listedErrors]), &last)
}

// listWarnings lists the warnings. The last of a long list tells how many there are.
func (d *decoder) listWarnings() []Warning {
	if d.unlisted > 0 {
		last := d.warnings[len(d.warnings)-1]
		last.Queue, last.Key = InFile, "warnings"
		last.Text = strconv.Itoa(len(d.warnings)+d.unlisted) + " warnings, of which these are the first"
		d.warnings, d.unlisted = append(d.warnings, last), 0
	}
	return d.warnings
}
