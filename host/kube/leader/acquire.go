package leader

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/quern-project/quern/host/kube/retry"
)

// observation is the Lease as a waiting replica has seen it.
type observation struct {
	version string        // resourceVersion
	holder  string        // empty: it is free
	expires time.Duration // when it may be taken from its holder, on the clock of the Elector
}

// note records a Lease that was read at a time. Any change of it means that its holder may have renewed it.
func (o *observation) note(l *coordinationv1.Lease, at, usual time.Duration) {
	if l.ResourceVersion == o.version {
		return
	}
	duration := usual
	if s := l.Spec.LeaseDurationSeconds; s != nil && *s > 0 {
		duration = time.Duration(*s) * time.Second // the holder may be of another configuration
	}
	*o = observation{l.ResourceVersion, holder(l), at + duration}
}

// acquire waits until this replica holds the Lease; its term has begun then. The error is that of ctx.
func (e *Elector) acquire(ctx context.Context) (*held, error) {
	var seen observation
	for {
		h, err := e.attempt(ctx, &seen)
		if h != nil {
			return h, nil
		}
		if err != nil && ctx.Err() == nil {
			e.Log.Warn("the Lease could not be acquired", "error", err)
		}
		wait := e.Timing.Retry
		if left := seen.expires - e.now(); left > 0 {
			wait = min(wait, left)
		}
		if !retry.Wait(ctx, wait) {
			return nil, context.Cause(ctx)
		}
	}
}

// attempt looks at the Lease, and takes it if it is free. It returns nil if it is not.
func (e *Elector) attempt(ctx context.Context, seen *observation) (*held, error) {
	ctx, cancel := context.WithTimeout(ctx, e.Timing.request())
	defer cancel()
	found, err := e.leases.Get(ctx, e.Name, metav1.GetOptions{})
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return nil, err
	}
	if !missing {
		seen.note(found, e.now(), e.Timing.Lease)
	}
	// The holder of a Lease that was deleted learns of it late, so its time must pass anyway.
	if seen.holder != "" && seen.holder != e.Identity && e.now() < seen.expires {
		return nil, nil
	}
	start := e.now()
	var taken *coordinationv1.Lease
	if missing {
		taken, err = e.leases.Create(ctx, e.claim(&coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name}}), metav1.CreateOptions{})
	} else {
		taken, err = e.leases.Update(ctx, e.claim(found), metav1.UpdateOptions{})
	}
	switch {
	case apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err):
		return nil, nil // another replica was faster
	case err != nil:
		return nil, err
	}
	e.end.Store(int64(start + e.Timing.Deadline))
	return &held{taken}, nil
}

// claim returns a Lease with this replica as its new holder.
func (e *Elector) claim(old *coordinationv1.Lease) *coordinationv1.Lease {
	l := old.DeepCopy()
	seconds, transitions := int32(e.Timing.Lease/time.Second), int32(0)
	if l.Spec.LeaseTransitions != nil {
		transitions = *l.Spec.LeaseTransitions + 1
	}
	at := e.today()
	l.Spec.HolderIdentity, l.Spec.LeaseDurationSeconds, l.Spec.LeaseTransitions = &e.Identity, &seconds, &transitions
	l.Spec.AcquireTime, l.Spec.RenewTime = at, at
	return l
}
