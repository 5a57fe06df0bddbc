package manager

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// pod is the submitted state of a pod, and what is under way for it.
type pod struct {
	key   string
	state podstate.State // only pods.fire changes it

	// The versions of the pod; nil stands for a pod that is not there.
	submitted *corev1.Pod // the version that was submitted; nil: the scheduler does not have the pod
	seen      *corev1.Pod // that was looked at last
	app       string      // the application that the pod belongs to, while it waits or runs
	done      bool        // it has succeeded
	endsBy    time.Time   // until when it is awaited, if it is deleted
	stays     bool        // it is deleted and has not ended by then: the scheduler has it no more, and its room is still in use

	// While the scheduler has an ask or an allocation:
	since      since
	resources  resource.Set
	node       string // of the allocation
	selectors  []*nodefit.Selector
	plugins    []string
	predicate  string // of the ask, if it has plugins
	protection protection
	binding    uint64    // counts its bindings: the outcome of an earlier one is of no interest
	unbind     func()    // ends the preparation of its binding
	eviction   *eviction // while Evicting
	asked      time.Time // when, for its conditions

	why         string // while Held, Condemned or Failing: the reason, as a sentence
	backoff     backoff
	failures    int  // of bindings, one after the other
	undeletable bool // the API server refused to delete it

	shown string    // the kind of what its conditions say
	said  time.Time // when that was written
	letIn []share   // of the headroom, while its conditions say that it waits for nodes
}

// protection is whether an ask or allocation asks not to be preempted, and since when the scheduler knows that.
type protection struct {
	on    bool
	since since
}

// backoff is a time in which a pod does not ask.
type backoff struct {
	until time.Time
	cause backoffCause
	why   string // for the conditions, as a sentence; a failed binding has none
}

type backoffCause uint8

// The causes of a backoff.
const (
	noBackoff backoffCause = iota
	bindingFailed
	askRefused
)

func newPod(key string) *pod { return &pod{key: key, unbind: noBinding} }

// noBinding is the unbind of a pod whose binding is not under way.
func noBinding() {}

// known is what the scheduler has of a pod, for the translation.
func (p *pod) known(app bool) translate.Known {
	switch {
	case p.state.Placed():
		return translate.Known{App: app, Has: translate.Allocation, Resources: p.resources, Node: p.node}
	case p.state.Known():
		return translate.Known{App: app, Has: translate.Pending, Resources: p.resources}
	}
	return translate.Known{App: app}
}
