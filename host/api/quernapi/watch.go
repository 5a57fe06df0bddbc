package quernapi

import (
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

// One message has at most so many decisions, and ends with the one that makes it so long, in bytes: a reader that does not read holds
// some messages.
const (
	mostTold = 500
	mostText = 32 << 10
)

// Watch implements the service.
func (s *Service) Watch(r *quernv1.WatchRequest, stream grpc.ServerStreamingServer[quernv1.WatchResponse]) (err error) {
	from, next := r.GetFrom(), s.server.View().NextDecision()
	if from == 0 {
		from = next
	}
	if from > next {
		return &grpcserver.Problem{Status: codes.OutOfRange, Code: "bad_parameter", Key: "from", Detail: fmt.Sprintf("from: expected at most %d, the next decision, found %d", next, from)}
	}
	list, err := s.server.Decisions(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, list.Close()) }()
	list.Only(server.Filter{ID: r.GetId(), App: r.GetApp(), Queue: r.GetQueue(), Node: r.GetNode(), Type: r.GetType()})
	list.Gather()
	// The first message says where the watch begins, so that one that breaks before the first decision can go on from there.
	if err := stream.Send(&quernv1.WatchResponse{Next: from}); err != nil {
		return err
	}
	w := watch{list: list, told: from}
	for {
		more, err := w.gather()
		if err != nil {
			return err
		}
		if next := list.Seq(); next != w.told {
			if err := stream.Send(&quernv1.WatchResponse{Decisions: w.found, Next: next}); err != nil {
				return err
			}
			w.told = next
		}
		if more {
			continue
		}
		select {
		case <-list.More():
		case <-stream.Context().Done():
			return stream.Context().Err()
		case <-grpcserver.Stopping(stream.Context()):
			return server.ErrStopping
		}
	}
}

// watch goes through decisions for one client.
type watch struct {
	list  *server.Decisions
	found []*quernv1.Decision
	told  uint64 // the seq that the client knows to be next
}

// gather finds decisions for one message, and reports whether there are more at once.
func (w *watch) gather() (more bool, err error) {
	w.found = nil
	for size := 0; len(w.found) < mostTold && size < mostText; {
		next, err := w.list.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if next == nil {
			break // the client is told how far it is
		}
		d, err := grpcserver.Decision(next)
		if err != nil {
			return false, err
		}
		w.found = append(w.found, d)
		size += len(next.Line)
	}
	return true, nil
}
