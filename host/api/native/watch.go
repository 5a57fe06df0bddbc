package native

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"github.com/quern-project/quern/host/api/grpcserver"
	"github.com/quern-project/quern/host/server"
	quernv1 "github.com/quern-project/quern/sdk/api/quern/v1"
)

const (
	mostTold  = 500    // decisions of one message
	mostWidth = 10_000 // decisions that filters leave out until the client is told how far it is
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
	// The first message says where the watch begins, so that one that breaks before the first decision can go on from there.
	if err := stream.Send(&quernv1.WatchResponse{Next: from}); err != nil {
		return err
	}
	w := watch{filter: r, list: list, next: from}
	for {
		more, err := w.gather()
		if err != nil {
			return err
		}
		if w.next != w.told {
			if err := stream.Send(&quernv1.WatchResponse{Decisions: w.found, Next: w.next}); err != nil {
				return err
			}
			w.told = w.next
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
	filter *quernv1.WatchRequest
	list   *server.Decisions
	found  []*quernv1.Decision
	next   uint64
	told   uint64 // what the client knows of next
}

// gather finds decisions for one message, and reports whether there are more at once.
func (w *watch) gather() (more bool, err error) {
	w.found = nil
	for seen := 0; len(w.found) < mostTold && seen < mostWidth; seen++ {
		line, err := w.list.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		d, err := grpcserver.Decision(line)
		if err != nil {
			return false, err
		}
		w.next = d.GetSeq() + 1
		if wanted(w.filter, d) {
			w.found = append(w.found, d)
		}
	}
	return true, nil
}

// wanted reports whether a filter lets a decision pass. Of the app, the application's own decisions are wanted, too.
func wanted(f *quernv1.WatchRequest, d *quernv1.Decision) bool {
	is := func(want, found string) bool { return want == "" || want == found }
	app := is(f.GetApp(), d.GetApp()) || strings.HasPrefix(d.GetType(), "app.") && d.GetId() == f.GetApp()
	return app && is(f.GetId(), d.GetId()) && is(strings.ToLower(f.GetQueue()), d.GetQueue()) && is(f.GetNode(), d.GetNode()) && is(f.GetType(), d.GetType())
}
