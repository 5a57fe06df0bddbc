package openb

import (
	"cmp"
	"io"
	"slices"
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/journal"
)

// source yields the entries of a trace: its nodes at 0, then the events of its pods.
type source struct {
	nodes               []node
	pods                []pod
	nodesName, podsName string

	events []event // in order
	node   int     // index of the next one
	event  int     // index of the next one
	entry  journal.Entry
}

// event is one input about a pod.
type event struct {
	at  time.Duration
	pod int
	typ core.InputType
}

// Form returns the form of the trace's times.
func (s *source) Form() journal.Form { return journal.Relative }

// Next implements journal.Source.
func (s *source) Next() (*journal.Entry, error) {
	switch {
	case s.node < len(s.nodes):
		s.nodeEntry(&s.nodes[s.node])
		s.node++
	case s.event < len(s.events):
		s.podEntry(s.events[s.event])
		s.event++
	default:
		return nil, io.EOF
	}
	return &s.entry, nil
}

func (s *source) nodeEntry(n *node) {
	in := &core.AddNode{ID: n.name, Capacity: n.capacity}
	if n.model != "" {
		in.Attributes = map[string]string{gpuModel: n.model}
	}
	s.entry = journal.Entry{Input: core.Input{Event: in}, Count: 1, File: s.nodesName, Line: n.line}
}

func (s *source) podEntry(e event) {
	p := &s.pods[e.pod]
	s.entry = journal.Entry{Input: core.Input{At: e.at, Event: p.event(e.typ)}, Count: 1, File: s.podsName, Line: p.line}
}

// event returns the event of a type for a pod.
func (p *pod) event(typ core.InputType) core.Event {
	switch typ {
	case core.AppAdd:
		return &core.AddApp{ID: p.name, Queue: p.class.Queue}
	case core.AskAdd:
		ask := core.Ask{Priority: p.class.Priority}
		if p.spec != nil {
			ask.Constraints = map[string][]string{gpuModel: p.spec}
		}
		return &core.AddAsk{ID: p.name, App: p.name, Resources: p.resources, Ask: ask}
	}
	return &core.RemoveApp{ID: p.name}
}

// fillEvents submits all pods at 0, in the order of the list.
func (s *source) fillEvents() {
	s.events = make([]event, 0, 2*len(s.pods))
	for i := range s.pods {
		s.submit(i, 0)
	}
}

func (s *source) submit(pod int, at time.Duration) {
	s.events = append(s.events, event{at, pod, core.AppAdd}, event{at, pod, core.AskAdd})
}

// timedEvents submits and deletes pods at their times. Within a second, deletions come before submissions, each in the order of the
// list. A pod is deleted by removing its application, whether it was placed or not. A pod whose deletion is not after its creation is
// deleted immediately after its submission.
func (s *source) timedEvents() {
	type turn struct {
		event
		going bool
	}
	turns := make([]turn, 0, 2*len(s.pods))
	for i := range s.pods {
		p := &s.pods[i]
		turns = append(turns, turn{event{p.created, i, core.AppAdd}, false})
		if p.deleted > p.created {
			turns = append(turns, turn{event{p.deleted, i, core.AppRemove}, true})
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int {
		if a.at != b.at || a.going == b.going {
			return cmp.Compare(a.at, b.at)
		}
		if a.going {
			return -1
		}
		return 1
	})
	s.events = make([]event, 0, 3*len(s.pods))
	for _, t := range turns {
		if t.going {
			s.events = append(s.events, t.event)
			continue
		}
		s.submit(t.pod, t.at)
		if p := &s.pods[t.pod]; p.deleted >= 0 && p.deleted <= p.created {
			s.events = append(s.events, event{t.at, t.pod, core.AppRemove})
		}
	}
}
