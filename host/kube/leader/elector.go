package leader

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/quern-project/quern/host/clock"
	"github.com/quern-project/quern/host/kube/retry"
)

// Timing is how fast a leader is replaced, and how often the API server is asked for it.
type Timing struct {
	Lease    time.Duration // from the last renewal that others have seen until they take the Lease; whole seconds
	Deadline time.Duration // from the start of the last renewal until the term ends; less than Lease
	Renew    time.Duration // between renewals
	Retry    time.Duration // between two looks of a waiting replica, and from a failed request to the next
}

// DefaultTiming outlasts a restart of the API server. After a crash of the leader, another replica takes over within Lease + Retry and the time
// of two requests.
var DefaultTiming = Timing{Lease: 15 * time.Second, Deadline: 10 * time.Second, Renew: 2 * time.Second, Retry: time.Second}

func (t Timing) check() error {
	switch {
	case t.Lease < time.Second || t.Lease%time.Second != 0:
		return fmt.Errorf("lease duration: expected whole seconds, found %v", t.Lease)
	case t.Deadline >= t.Lease:
		return fmt.Errorf("renew deadline: expected less than the lease duration %v, found %v", t.Lease, t.Deadline)
	case t.Renew <= 0 || t.Renew >= t.Deadline:
		return fmt.Errorf("renew interval: expected more than 0 and less than the renew deadline %v, found %v", t.Deadline, t.Renew)
	case t.Retry <= 0 || t.Retry >= t.Deadline:
		return fmt.Errorf("retry interval: expected more than 0 and less than the renew deadline %v, found %v", t.Deadline, t.Retry)
	}
	return nil
}

// request bounds one request: a server that does not answer leaves time for another attempt.
func (t Timing) request() time.Duration { return t.Deadline / 2 }

// Options of an Elector. Client must not share a rate limit with other work, which would delay renewals.
type Options struct {
	Client          kubernetes.Interface
	Namespace, Name string // of the Lease, which is created if it is missing
	Identity        string // unlike that of any other replica, also of an earlier process; empty: the host name and a random part
	Timing          Timing // zero: DefaultTiming
	Log             *slog.Logger
}

// ErrLost says that the term has ended although the caller did not end it. The cause of the term's context wraps it.
var ErrLost = errors.New("leadership is lost")

// Elector is one replica's part in the election.
type Elector struct {
	Options
	leases leases
	now    func() time.Duration // never goes back, and counts the time in which the process is stopped
	date   func() time.Time     // which may jump, and differ from that of other replicas: it is written for readers, and decides nothing
	end    atomic.Int64         // of the term, on the clock now; lapsed: there is no term
}

// lapsed is an end in the past of every clock.
const lapsed = -1 << 62

// New checks the options. It sends no request.
func New(o Options) (*Elector, error) {
	if o.Timing == (Timing{}) {
		o.Timing = DefaultTiming
	}
	if err := o.Timing.check(); err != nil {
		return nil, err
	}
	if o.Client == nil || o.Namespace == "" || o.Name == "" {
		return nil, errors.New("leader election: expected a client, and a namespace and a name of the Lease")
	}
	if o.Identity == "" {
		host, err := os.Hostname()
		if err != nil {
			return nil, fmt.Errorf("host name for the leader election: %w", err)
		}
		o.Identity = host + "_" + rand.Text()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	e := &Elector{Options: o, leases: o.Client.CoordinationV1().Leases(o.Namespace), now: clock.Now, date: time.Now}
	e.end.Store(lapsed)
	return e, nil
}

// Run waits until this replica leads, calls lead once, and returns after lead has returned: with its error, or else with ErrLost if the term was
// lost. The context of lead ends with the term or with ctx. Once lead has returned, the Lease is released, so that another replica takes over
// at once; lead must have ended its work by then. If ctx ends before this replica leads, Run returns the error of ctx. Run may be called again,
// but not concurrently.
func (e *Elector) Run(ctx context.Context, lead func(leading context.Context) error) error {
	h, err := e.acquire(ctx)
	if err != nil {
		return err
	}
	e.Log.Info("this replica leads", "lease", e.Namespace+"/"+e.Name, "identity", e.Identity)
	leading, stop := context.WithCancelCause(ctx)
	var group sync.WaitGroup
	group.Go(func() { e.announce("became leader") })
	group.Go(func() { e.expire(leading, stop) })
	group.Go(func() { e.keep(leading, stop, h) })
	err = lead(leading)
	lost := context.Cause(leading)
	stop(nil)
	group.Wait()
	e.release(h)
	e.announce("stopped leading")
	if errors.Is(lost, ErrLost) {
		e.Log.Error("this replica has stopped leading", "cause", lost)
		return errors.Join(lost, err)
	}
	e.Log.Info("this replica has stopped leading")
	return err
}

// Remaining is how long the present term lasts if the Lease is not renewed again; not positive: there is no term.
func (e *Elector) Remaining() time.Duration { return time.Duration(e.end.Load()) - e.now() }

// Fence returns the context of one write that only the leader may send, such as the bind of a pod. It ends with the term, or earlier after
// longest. The error is ErrLost if the term of leading is over. It must be called right before each write.
func (e *Elector) Fence(leading context.Context, longest time.Duration) (context.Context, context.CancelFunc, error) {
	left := e.Remaining()
	if leading.Err() != nil || left <= 0 {
		return nil, nil, ErrLost
	}
	ctx, cancel := context.WithTimeout(leading, min(longest, left))
	return ctx, cancel, nil
}

// expire ends the term when its time is over.
func (e *Elector) expire(leading context.Context, stop context.CancelCauseFunc) {
	for {
		left := e.Remaining()
		if left <= 0 {
			stop(fmt.Errorf("%w: the Lease was not renewed for %v", ErrLost, e.Timing.Deadline))
			return
		}
		if !retry.Wait(leading, left) {
			return
		}
	}
}
