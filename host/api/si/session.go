package si

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/server"
	siv1 "github.com/quern-project/quern/sdk/api/si/v1"
)

// session is a resource manager that has registered.
type session struct {
	id     string
	user   string // whose it is; empty: there is no authentication
	source *server.Source

	allocations  *outbox[siv1.AllocationResponse]
	applications *outbox[siv1.ApplicationResponse]
	nodes        *outbox[siv1.NodeResponse]

	streams   map[string]stream  // by method: the one that is open
	answering int                // streams whose messages are not all answered
	answered  chan struct{}      // closed when there is one less
	batch     uint64             // the last in which its inputs are durable
	beginning uint64             // counts registrations: what was named since has this number
	foreign   map[string]foreign // by allocation key
	build     map[string]string  // what it says of itself
}

func newSession(id string, source *server.Source, now func() time.Time) *session {
	return &session{id: id, source: source, streams: map[string]stream{}, answered: make(chan struct{}),
		allocations: newOutbox[siv1.AllocationResponse](now), applications: newOutbox[siv1.ApplicationResponse](now), nodes: newOutbox[siv1.NodeResponse](now)}
}

// stream is a stream that is open.
type stream struct {
	reader int // of its outbox
	end    context.CancelCauseFunc
}

// Reasons for the end of a stream.
var (
	errRegisteredAgain = &grpcserver.Problem{Status: codes.Aborted, Code: "registered_again", Detail: "the resource manager has registered again: open new streams"}
	errTakenOver       = &grpcserver.Problem{Status: codes.Aborted, Code: "taken_over", Detail: "another stream of this resource manager has taken over"}
	errRegisterFirst   = &grpcserver.Problem{Status: codes.FailedPrecondition, Code: "not_registered", Detail: "expected a resource manager that has registered since the host started"}
	errFull            = &grpcserver.Problem{Status: codes.ResourceExhausted, Code: "not_read", Detail: "too many answers were not read in time, and some are lost: register again"}
)

// begin restarts: streams end, and what waits for them is told again when it is asked for.
func (s *session) begin(now func() time.Time) {
	for method, open := range s.streams {
		open.end(errRegisteredAgain)
		delete(s.streams, method)
	}
	s.allocations, s.applications, s.nodes = newOutbox[siv1.AllocationResponse](now), newOutbox[siv1.ApplicationResponse](now), newOutbox[siv1.NodeResponse](now)
	s.foreign = map[string]foreign{}
	s.beginning++
}

// Ranks of answers in their messages.
const (
	rankNew = iota
	rankRejected
	rankAfter // what may follow on something new
)

func (s *session) tellNode(id, rejected string) {
	if rejected != "" {
		s.nodes.put(rankRejected, func(m *siv1.NodeResponse) {
			m.Rejected = append(m.Rejected, &siv1.RejectedNode{NodeID: id, Reason: rejected})
		})
		return
	}
	s.nodes.put(rankNew, func(m *siv1.NodeResponse) { m.Accepted = append(m.Accepted, &siv1.AcceptedNode{NodeID: id}) })
}

func (s *session) tellApplication(id, rejected string) {
	if rejected != "" {
		s.applications.put(rankRejected, func(m *siv1.ApplicationResponse) {
			m.Rejected = append(m.Rejected, &siv1.RejectedApplication{ApplicationID: id, Reason: rejected})
		})
		return
	}
	s.applications.put(rankNew, func(m *siv1.ApplicationResponse) {
		m.Accepted = append(m.Accepted, &siv1.AcceptedApplication{ApplicationID: id})
	})
}

func (s *session) tellState(u *siv1.UpdatedApplication) {
	s.applications.put(rankAfter, func(m *siv1.ApplicationResponse) { m.Updated = append(m.Updated, u) })
}

func (s *session) tellRejected(key, app, reason string) {
	s.allocations.put(rankRejected, func(m *siv1.AllocationResponse) {
		m.RejectedAllocations = append(m.RejectedAllocations, &siv1.RejectedAllocation{AllocationKey: key, ApplicationID: app, Reason: reason})
	})
}

func (s *session) tellAllocation(a *siv1.Allocation) {
	s.allocations.put(rankNew, func(m *siv1.AllocationResponse) { m.New = append(m.New, a) })
}

func (s *session) tellRelease(r *siv1.AllocationRelease) {
	s.allocations.put(rankAfter, func(m *siv1.AllocationResponse) { m.Released = append(m.Released, r) })
}
