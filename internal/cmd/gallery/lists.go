package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal/openb"
	"github.com/quern-project/quern/core/resource"
)

// The types of the trace.
const (
	gpuMilli = "gpu_milli"
	memory   = "memory"
	vcore    = resource.VCore
)

// amounts are what a node or an ask has of the three types.
type amounts struct{ gpu, vcore, memory int64 }

func amountsOf(s resource.Set) (a amounts) {
	a.gpu, _ = s.Value(gpuMilli)
	a.vcore, _ = s.Value(vcore)
	a.memory, _ = s.Value(memory)
	return a
}

func (a amounts) plus(b amounts, sign int64) amounts {
	return amounts{a.gpu + sign*b.gpu, a.vcore + sign*b.vcore, a.memory + sign*b.memory}
}

func (a amounts) fits(free amounts) bool {
	return a.gpu <= free.gpu && a.vcore <= free.vcore && a.memory <= free.memory
}

// pod is an application with one ask, both of that name.
type pod struct {
	app     core.AddApp
	ask     core.AddAsk
	wants   amounts
	created time.Duration
	lasts   time.Duration
}

// lists are the trace.
type lists struct {
	nodes  []core.AddNode
	pods   []pod
	total  amounts // of all nodes
	shapes []shape

	timeline []core.Input   // what happens to the pods, in order of time
	place    map[string]int // of a pod in the list, by name
}

// readLists reads nodes.csv and pods-default.csv of a folder. Nodes get zones, a to d in turn.
func readLists(folder string) (*lists, error) {
	nodes, err := os.ReadFile(filepath.Join(folder, "nodes.csv"))
	if err != nil {
		return nil, err
	}
	pods, err := os.ReadFile(filepath.Join(folder, "pods-default.csv"))
	if err != nil {
		return nil, err
	}
	source, _, err := openb.Read(bytes.NewReader(nodes), bytes.NewReader(pods), openb.Options{NodesName: "nodes.csv", PodsName: "pods-default.csv"})
	if err != nil {
		return nil, err
	}
	l := &lists{place: map[string]int{}}
	for {
		entry, err := source.Next()
		if errors.Is(err, io.EOF) {
			l.shapes = shapesOf(l.pods)
			return l, nil
		}
		if err != nil {
			return nil, err
		}
		l.take(entry.Input)
	}
}

// zones are the texts of the attribute zone, which nodes get in turn.
var zones = []string{"a", "b", "c", "d"}

// take files an input of the trace.
func (l *lists) take(in core.Input) {
	switch e := in.Event.(type) {
	case *core.AddNode:
		node := *e
		node.Attributes = map[string]string{"zone": zones[len(l.nodes)%len(zones)]}
		for name, text := range e.Attributes {
			node.Attributes[name] = text
		}
		l.nodes = append(l.nodes, node)
		l.total = l.total.plus(amountsOf(e.Capacity), 1)
		return
	case *core.AddApp:
		l.place[e.ID] = len(l.pods)
		l.pods = append(l.pods, pod{app: *e, created: in.At})
	case *core.AddAsk:
		p := &l.pods[l.place[e.ID]]
		p.ask, p.wants = *e, amountsOf(e.Resources)
	case *core.RemoveApp:
		p := &l.pods[l.place[e.ID]]
		p.lasts = in.At - p.created
	default:
	}
	l.timeline = append(l.timeline, in)
}

// again returns the pod under another name, as of the n-th time that its list is submitted.
func (p pod) again(n int) pod {
	if n > 0 {
		name := fmt.Sprintf("%s-%d", p.app.ID, n)
		p.app.ID, p.ask.ID, p.ask.App = name, name, name
	}
	return p
}
