package leader

import (
	"context"
	"errors"
	"fmt"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kube/retry"
)

// leases is what an Elector asks of the API server.
type leases interface {
	Get(context.Context, string, metav1.GetOptions) (*coordinationv1.Lease, error)
	Create(context.Context, *coordinationv1.Lease, metav1.CreateOptions) (*coordinationv1.Lease, error)
	Update(context.Context, *coordinationv1.Lease, metav1.UpdateOptions) (*coordinationv1.Lease, error)
}

// held is the Lease as this replica wrote or read it last, naming this replica. One goroutine uses it at a time.
type held struct{ lease *coordinationv1.Lease }

// errTaken says that the Lease is no longer this replica's.
var errTaken = errors.New("the Lease is not held by this replica any more")

func holder(l *coordinationv1.Lease) string {
	if l.Spec.HolderIdentity == nil {
		return ""
	}
	return *l.Spec.HolderIdentity
}

// keep renews the Lease until the term ends, and ends the term if another replica has the Lease.
func (e *Elector) keep(leading context.Context, stop context.CancelCauseFunc, h *held) {
	wait := e.Timing.Renew
	for retry.Wait(leading, wait) && e.Remaining() > 0 {
		err := e.renew(leading, h)
		switch {
		case err == nil:
			wait = e.Timing.Renew
		case errors.Is(err, errTaken):
			stop(fmt.Errorf("%w: %w", ErrLost, err))
			return
		default:
			wait = e.Timing.Retry
			e.Log.Warn("the Lease could not be renewed", "error", err, "remaining", e.Remaining())
		}
	}
}

// renew extends the term. The request does not outlast it.
func (e *Elector) renew(leading context.Context, h *held) error {
	start := e.now()
	ctx, cancel := context.WithTimeout(leading, min(e.Timing.request(), e.Remaining()))
	defer cancel()
	next := h.lease.DeepCopy()
	next.Spec.RenewTime = e.today()
	err := e.write(ctx, h, next)
	if err == nil && e.Remaining() > 0 {
		e.end.Store(int64(start + e.Timing.Deadline))
	}
	return err
}

// write updates the Lease. An update whose answer was lost makes the next one conflict; then the Lease is read, for the next attempt.
func (e *Elector) write(ctx context.Context, h *held, next *coordinationv1.Lease) error {
	written, err := e.leases.Update(ctx, next, metav1.UpdateOptions{})
	if err == nil {
		h.lease = written
		return nil
	}
	if apierrors.IsNotFound(err) {
		return fmt.Errorf("%w: %w", errTaken, err)
	}
	if !apierrors.IsConflict(err) {
		return err
	}
	read, readErr := e.leases.Get(ctx, e.Name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(readErr):
		return fmt.Errorf("%w: %w", errTaken, readErr)
	case readErr != nil:
		return readErr
	case holder(read) != e.Identity:
		return fmt.Errorf("%w: its holder is %q", errTaken, holder(read))
	}
	h.lease = read
	return err
}

// release lets others take the Lease at once. If it fails, they wait until the Lease expires.
func (e *Elector) release(h *held) {
	e.end.Store(lapsed)
	ctx, cancel := context.WithTimeout(context.Background(), e.Timing.request())
	defer cancel()
	const attempts = 3 // the first conflicts if the answer to a renewal was lost
	for range attempts {
		next := h.lease.DeepCopy()
		none, second := "", int32(1)
		next.Spec.HolderIdentity, next.Spec.LeaseDurationSeconds, next.Spec.RenewTime = &none, &second, e.today()
		err := e.write(ctx, h, next)
		if err == nil || errors.Is(err, errTaken) {
			return
		}
		e.Log.Warn("the Lease could not be released", "error", err)
		if !apierrors.IsConflict(err) {
			return
		}
	}
}

// today is what the Lease says of a time, for its readers.
func (e *Elector) today() *metav1.MicroTime { return &metav1.MicroTime{Time: e.date()} }
