package rpc

import (
	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/explain"
)

type placementHead struct {
	Op        string
	ID        int
	Partition string
	Queue     string
	User      string
	Groups    []string
	Tags      map[string]string
}

// placement says where an application would go that is submitted now. Nothing changes.
func (server *Server) placement(h *placementHead, _ []byte) (*explain.PlacementExplanation, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	e := s.ExplainPlacement(&core.AddApp{Partition: h.Partition, Queue: h.Queue, User: h.User, Groups: h.Groups, Tags: h.Tags})
	return &e, nil, nil
}

type limitsAnswer struct {
	Usage []core.LimitUsage
}

// limits lists what users and groups use in the queues that limit them.
func (server *Server) limits(h *idHead, _ []byte) (*limitsAnswer, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	return &limitsAnswer{append([]core.LimitUsage{}, s.LimitUsage()...)}, nil, nil
}

type meantHead struct {
	Op   string
	ID   int
	Kind string // ask, application, queue, node
	Name string
}

type meantAnswer struct {
	Meant []string
}

// meantThings are what a name may be of.
var meantThings = map[string]core.ObjectKind{"ask": core.AskKind, "application": core.AppKind, "queue": core.QueueKind, "node": core.NodeKind}

// meant lists the names that are like one that nothing has.
func (server *Server) meant(h *meantHead, _ []byte) (*meantAnswer, []byte, error) {
	s, err := server.scheduler(h.ID)
	if err != nil {
		return nil, nil, err
	}
	thing, known := meantThings[h.Kind]
	if !known {
		return nil, nil, badKey("kind", "ask, application, queue or node", h.Kind)
	}
	return &meantAnswer{append([]string{}, s.SuggestNames(thing, h.Name)...)}, nil, nil
}
