package manager

import (
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/quern-project/quern/core"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/podwrite"
)

// The pods of a gang that is Hard fail when its time is over: their phase is Failed, so that what controls them sees it and a Job, say, counts it
// against its backoffLimit. Pods that come after them begin a new gang.

// reasonGangTimeout stands on pods that failed so, and on events about gangs whose time is over.
const reasonGangTimeout = "GangTimeout"

// failing is the outcome of having a pod fail.
type failing struct {
	key string
	uid types.UID
	err error
}

// condemn notes that a pod that waits is to fail.
func (r *run) condemn(p *pod, why string) {
	if p == nil {
		return
	}
	if p.state == podstate.Duplicate { // an ask that the manager does not know must not stay behind
		r.withdraw(p)
	}
	if r.fire(p, podstate.FailureDecided) {
		p.why = why
	}
}

// fail has a pod fail that waits.
func (r *run) fail(p *pod) {
	if p.state == podstate.Failing {
		return
	}
	r.fire(p, podstate.FailureSent)
	r.writes.fail(p.seen, p.why)
}

// failRetry is how long it takes until a pod is failed again that the API server has not failed.
const failRetry = time.Second

// podsFailed has those fail again that have not.
func (r *run) podsFailed(list []failing) {
	for _, f := range list {
		p := r.pods[f.key]
		if f.err == nil || p == nil || p.seen == nil || p.seen.UID != f.uid {
			continue
		}
		if r.fire(p, podstate.FailureNotRecorded); !errors.Is(f.err, podwrite.ErrStale) && r.ctx.Err() == nil {
			r.log.Warn("a pod whose gang was not placed in time could not be failed; it is tried again", "pod", f.key, "error", f.err)
		}
		r.inbox.podLater(f.key, failRetry)
	}
}

// fellBack reports on pods whose gang was not placed in time that they go on singly.
func (r *run) fellBack(d *core.Decision) {
	a := r.apps[d.App]
	if a == nil || !a.since.knownTo(d.At) {
		return
	}
	for _, p := range r.podsOf(a) {
		r.events.add(&event{p.seen, corev1.EventTypeWarning, reasonGangTimeout, "Scheduling", "The gang of the pod was not placed in time: its pods are scheduled one by one.", nil})
	}
}
