package grpcserver

import (
	"errors"
	"time"

	"google.golang.org/grpc"
)

// errUnread ends a call whose client does not read: it may call again, and go on with what comes next.
var errUnread = errors.New("the client has not read for too long: call again to go on")

// listening is a call whose client only listens. Where it does not read, flow control has the handler wait: it would do so as long as the
// client answers pings. So the handler has a goroutine of its own, which the end of the call sets free.
func (c *calls) listening(service any, s grpc.ServerStream, method string, handle grpc.StreamHandler) error {
	told := &paced{ServerStream: s, patience: c.patience, unread: make(chan struct{}, 1)}
	told.late = time.AfterFunc(c.patience, func() {
		select {
		case told.unread <- struct{}{}:
		default:
		}
	})
	told.late.Stop()
	ended := make(chan error, 1)
	go func() {
		var err error
		defer func() { ended <- err }()
		defer c.recovered(method, &err)
		err = handle(service, told)
	}()
	select {
	case err := <-ended:
		return c.answered(method, err)
	case <-told.unread:
		return c.answered(method, errUnread)
	}
}

// paced is a stream that notices when a message waits too long for room.
type paced struct {
	grpc.ServerStream
	patience time.Duration
	late     *time.Timer
	unread   chan struct{}
}

// SendMsg implements grpc.ServerStream.
func (s *paced) SendMsg(m any) error {
	s.late.Reset(s.patience)
	defer s.late.Stop()
	return s.ServerStream.SendMsg(m)
}
