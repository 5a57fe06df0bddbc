package rpc

import (
	"time"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
)

// scheduler returns that of a machine or a session, to be read.
func (server *Server) scheduler(id int) (*scheduler.Scheduler, error) {
	m, s := server.machines[id], server.sessions[id]
	switch {
	case m != nil && m.closed, s != nil && s.closed:
		return nil, isClosed(id)
	case m != nil:
		return m.Scheduler, nil
	case s != nil:
		return s.scheduler, nil
	}
	return nil, unknown(id)
}

func (server *Server) snapshot(h *idHead, _ []byte) (*nothing, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	return nil, s.Snapshot(), nil
}

type stateHead struct {
	Op    string
	ID    int
	Parts []string // queues, nodes, applications; default: all
}

// stateAnswer is what a Dump holds, of the lists those that were asked for.
type stateAnswer struct {
	Now          time.Duration
	Total        resource.Set
	NodeSort     string
	DeviceTypes  []string             `json:",omitempty"` // their amounts are in thousandths
	Queues       []core.QueueDump     `json:",omitempty"`
	Nodes        []core.NodeDump      `json:",omitempty"`
	Applications []core.AppDump       `json:",omitempty"`
	Gangs        []core.GangDump      `json:",omitempty"` // with the applications
	Others       []core.PartitionDump `json:",omitempty"`
}

func (server *Server) state(h *stateHead, _ []byte) (*stateAnswer, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	var parts core.Parts
	for _, name := range h.Parts {
		switch name {
		case "queues":
			parts |= core.OfQueues
		case "nodes":
			parts |= core.OfNodes
		case "applications":
			parts |= core.OfApplications
		default:
			return nil, nil, badKey("parts", "queues, nodes or applications", name)
		}
	}
	if h.Parts == nil {
		parts = core.Everything
	}
	d := s.Read(parts)
	a := &stateAnswer{Now: d.Now, Total: d.Total, NodeSort: d.NodeSort, DeviceTypes: s.DeviceTypes(), Others: d.Others}
	if parts&core.OfQueues != 0 {
		a.Queues = append([]core.QueueDump{}, d.Queues...)
	}
	if parts&core.OfNodes != 0 {
		a.Nodes = append([]core.NodeDump{}, d.Nodes...)
	}
	if parts&core.OfApplications != 0 {
		a.Applications = append([]core.AppDump{}, d.Applications...)
		a.Gangs = s.Gangs()
	}
	return a, nil, nil
}

type explainHead struct {
	Op   string
	ID   int
	Kind string // ask, application, queue, preemption
	Name string
}

// explainAnswer holds one of core's explanations, as Kind says.
type explainAnswer struct {
	Found       bool
	Meant       []string `json:",omitempty"` // not found: names that are like it
	Explanation any      `json:",omitempty"`
}

func (server *Server) explain(h *explainHead, _ []byte) (*explainAnswer, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	a, thing := &explainAnswer{}, core.AskKind
	switch h.Kind {
	case "ask":
		a.Explanation, a.Found = s.ExplainAsk(h.Name)
	case "application":
		thing = core.AppKind
		a.Explanation, a.Found = s.ExplainApp(h.Name)
	case "queue":
		thing = core.QueueKind
		a.Explanation, a.Found = s.ExplainQueue(h.Name)
	case "preemption":
		a.Explanation, a.Found = s.ExplainPreemption(h.Name)
	case "consolidation":
		a.Explanation, a.Found = s.Consolidate(h.Name)
	default:
		return nil, nil, badKey("kind", "ask, application, queue, preemption or consolidation", h.Kind)
	}
	if !a.Found {
		a.Explanation, a.Meant = nil, s.SuggestNames(thing, h.Name)
	}
	return a, nil, nil
}
