package si

import (
	"crypto/sha256"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/core/scheduler"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// node is a node of a resource manager.
type node struct {
	id     string
	owner  *session
	named  uint64 // the registration since which it was named last
	stream int    // the stream of that registration whose message created it
	sum    string // of that message
	drains uint64 // the last registration since which it was created as draining, and is not ready yet
	leaves bool   // the resource manager has removed it

	foreign map[string]foreign // by allocation key: what was named since the registration
	before  resource.Set       // what occupied it before the registration; nil: the resource manager has named all that there is
}

func (s *Service) takeNodes(b *batch, own *session, m *siv1.NodeRequest) {
	for _, n := range m.GetNodes() {
		s.takeNode(b, own, n)
	}
}

const nodeTaken = string(core.ReasonDuplicate) + ": this resource manager has created the node already; UPDATE changes it"

const unknownNode = string(core.ReasonUnknownNode) + ": this resource manager has no such node"

func (s *Service) takeNode(b *batch, own *session, n *siv1.NodeInfo) {
	id := n.GetNodeID()
	known := s.node(own, id)
	created := n.GetAction() == siv1.NodeInfo_CREATE || n.GetAction() == siv1.NodeInfo_CREATE_DRAIN
	switch {
	case id == "":
		own.tellNode(id, noID)
	case known != nil && known.owner != own:
		own.tellNode(id, notOwned)
	case (known == nil || known.leaves) && created:
		s.createNode(b, own, n)
	case known == nil || known.leaves:
		own.tellNode(id, unknownNode)
	case created && known.taken(n):
		own.tellNode(id, nodeTaken)
	case created:
		s.createAgain(b, known, n)
	default:
		s.changeNode(b, known, n)
	}
}

// name notes that the present stream creates the node by a message.
func (n *node) name(info *siv1.NodeInfo) {
	n.named, n.stream, n.sum = n.owner.beginning, n.owner.nodeStream(), sumOf(info)
}

// taken reports whether the resource manager has created the node since it registered. On a later stream it may repeat its message: it
// cannot know whether the host received that.
func (n *node) taken(info *siv1.NodeInfo) bool {
	repeated := n.stream != n.owner.nodeStream() && n.sum == sumOf(info)
	return n.named == n.owner.beginning && !repeated
}

// nodeStream is the stream on which nodes come.
func (s *session) nodeStream() int { return s.streams[methodNode].reader }

// sumOf is the same for equal messages. One that cannot be encoded cannot have been received.
func sumOf(info *siv1.NodeInfo) string {
	text, _ := proto.MarshalOptions{Deterministic: true}.Marshal(info)
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// createNode submits a node.
func (s *Service) createNode(b *batch, own *session, info *siv1.NodeInfo) {
	in, err := own.nodeInput(info)
	if err != nil {
		own.tellNode(in.ID(), refusalText(err))
		return
	}
	if replaced := s.nodes[in.ID()]; replaced != nil {
		replaced.forgetForeign()
	}
	n := &node{id: in.ID(), owner: own, foreign: map[string]foreign{}}
	n.name(info)
	s.nodes[n.id] = n
	b.add(in)
	b.then(func(o *outcome) {
		reason := o.rejected(core.NodeRejected, n.id)
		if o.err != nil || reason != "" {
			s.dropNode(n)
		}
		if o.err == nil {
			own.tellNode(n.id, reason)
		}
	})
}

// createAgain takes a node that the scheduler knows, as in a resync: the message has its present state, except for what occupies it.
func (s *Service) createAgain(b *batch, n *node, info *siv1.NodeInfo) {
	own := n.owner
	in, err := own.updateInput(info)
	if err != nil {
		own.tellNode(n.id, refusalText(err))
		return
	}
	n.name(info)
	n.drains = 0
	next := core.Input{Event: &core.ResumeNode{ID: n.id}}
	if info.GetAction() == siv1.NodeInfo_CREATE_DRAIN {
		n.drains, next.Event = own.beginning, &core.DrainNode{ID: n.id}
	}
	b.add(in, next)
	b.then(func(o *outcome) {
		if o.err == nil {
			own.tellNode(n.id, o.ignored(core.NodeUpdate, n.id))
		}
	})
}

// changeNode submits an action on a node. Only a refusal is answered.
func (s *Service) changeNode(b *batch, n *node, info *siv1.NodeInfo) {
	var in core.Input
	var err error
	switch info.GetAction() {
	case siv1.NodeInfo_UPDATE:
		in, err = n.owner.updateInput(info)
	case siv1.NodeInfo_DRAIN_NODE:
		in.Event = &core.DrainNode{ID: n.id}
	case siv1.NodeInfo_DRAIN_TO_SCHEDULABLE:
		in.Event = &core.ResumeNode{ID: n.id}
		if n.drains == n.owner.beginning && len(n.before) > 0 {
			n.ready(b)
		}
	case siv1.NodeInfo_DECOMISSION:
		in.Event, n.leaves = &core.RemoveNode{ID: n.id}, true
	default:
		n.owner.tellNode(n.id, "bad-request: the action "+info.GetAction().String()+" is unknown")
		return
	}
	if err != nil {
		n.owner.tellNode(n.id, refusalText(err))
		return
	}
	b.add(in)
	b.then(func(o *outcome) {
		switch {
		case in.Type() == core.NodeRemove && o.err == nil:
			s.dropNode(n)
		case in.Type() == core.NodeRemove:
			n.leaves = false
		}
		if reason := o.ignored(in.Type(), n.id); reason != "" {
			n.owner.tellNode(n.id, reason)
		}
	})
}

// dropNode forgets a node, and what is foreign on it.
func (s *Service) dropNode(n *node) {
	if s.nodes[n.id] != n {
		return
	}
	delete(s.nodes, n.id)
	s.note(kindNode, n.id, gone{batch: n.owner.batch})
	n.forgetForeign()
}

// node returns a node that is known, or that the scheduler knows as this resource manager's.
func (s *Service) node(own *session, id string) *node {
	if n := s.nodes[id]; n != nil {
		return n
	}
	if !s.trusts(kindNode, id) {
		return nil
	}
	var found core.NodeDump
	var ok bool
	s.server.View().Read(func(present *scheduler.Scheduler) { found, ok = present.Node(id) })
	if !ok || found.Attributes[Owner] != own.id {
		return nil
	}
	n := &node{id: id, owner: own, foreign: map[string]foreign{}, before: slices.Clone(found.Occupied)}
	s.nodes[id] = n
	return n
}
