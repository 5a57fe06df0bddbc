// Package openb reads the public "openb" trace of a GPU cluster, which is a list of nodes and a list of pods, as a journal.
//
// Every pod is one application with one ask; both have the pod's name as their ID. The defaults of missing columns are: no model, any
// GPU type, quality of service BE, created at 0, never deleted.
package openb

import (
	"fmt"
	"io"
	"slices"

	"github.com/quern-project/quern/core/journal"
)

// Class is the queue and priority of the pods of one quality of service.
type Class struct {
	Queue    string // full name
	Priority int32
}

// Options specify how a trace is read.
type Options struct {
	NodesName, PodsName string // for messages

	// Map replaces classes of Classes, and may add others.
	Map map[string]Class

	// Fill ignores all times: all pods are submitted at 0, in the order of the list. Otherwise pods are submitted and deleted at their
	// times.
	Fill bool
}

// bestEffort is the class of pods without one.
const bestEffort = "BE"

// Classes returns the classes of the trace with their usual queues and priorities.
func Classes() map[string]Class {
	return map[string]Class{
		"LS":         {"root.ls", 100},
		"Guaranteed": {"root.guaranteed", 100},
		"Burstable":  {"root.burstable", 50},
		bestEffort:   {"root.be", 0},
	}
}

// Read reads both lists completely, and returns their journal and a queue configuration (YAML) with the queues of the classes. For a
// bad row, the error is a *journal.Error that names file, line and column.
func Read(nodes, pods io.Reader, o Options) (journal.Source, string, error) {
	classes := Classes()
	for name, class := range o.Map {
		classes[name] = class
	}
	s := &source{nodesName: o.NodesName, podsName: o.PodsName}
	var err error
	if s.nodes, err = readNodes(nodes, o.NodesName); err != nil {
		return nil, "", fmt.Errorf("reading the nodes: %w", err)
	}
	if s.pods, err = readPods(pods, o.PodsName, classes); err != nil {
		return nil, "", fmt.Errorf("reading the pods: %w", err)
	}
	if o.Fill {
		s.fillEvents()
	} else {
		s.timedEvents()
	}
	return s, configuration(classes), nil
}

// queuesOf returns the queues of the classes without duplicates, in bytewise order.
func queuesOf(classes map[string]Class) []string {
	var queues []string
	for _, class := range classes {
		queues = append(queues, class.Queue)
	}
	slices.Sort(queues)
	return slices.Compact(queues)
}
