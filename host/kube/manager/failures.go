package manager

import (
	"context"
	"errors"
	"log/slog"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

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

// failures asks the API server to fail pods.
type failures struct {
	ctx   context.Context // ends with the run
	pods  *pods
	write func(pod *corev1.Pod, why string)  // beside the loop
	later func(key string, in time.Duration) // schedules a look at a pod
	log   *slog.Logger
}

// fail asks the API server to fail a waiting pod.
func (f *failures) fail(p *pod) {
	if p.state == podstate.Failing {
		return
	}
	f.pods.fire(p, podstate.FailureSent)
	f.write(p.seen, p.why)
}

// failRetry is the pause before the next attempt to fail a pod.
const failRetry = time.Second

// recorded schedules another attempt for pods that the API server has not failed.
func (f *failures) recorded(list []failing) {
	for _, o := range list {
		p := f.pods.at(o.key)
		if o.err == nil || p == nil || p.seen.UID != o.uid {
			continue
		}
		if f.pods.fire(p, podstate.FailureNotRecorded); !errors.Is(o.err, podwrite.ErrStale) && f.ctx.Err() == nil {
			f.log.Warn("a pod whose gang was not placed in time could not be failed; it is tried again", "pod", o.key, "error", o.err)
		}
		f.later(o.key, failRetry)
	}
}
