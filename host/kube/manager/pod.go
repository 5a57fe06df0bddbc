package manager

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/quern-project/quern/core/resource"
	"github.com/quern-project/quern/host/kube/nodefit"
	"github.com/quern-project/quern/host/kube/podstate"
	"github.com/quern-project/quern/host/kube/translate"
)

// pod is what the manager knows of a pod of the API server. Each group of fields has an owner; besides it, only renew changes
// them.
type pod struct {
	key   string
	state podstate.State // pods.fire
	why   string         // while Held, Condemned or Failing: the reason, as a sentence
	app   string         // apps: the application that the pod belongs to, while it waits or runs

	// The reconciler has these. A pod is followed after a turn only if it was there.
	seen      *corev1.Pod // the version that was looked at last
	submitted *corev1.Pod // the version that the scheduler's data reflects; nil only if that has nothing of the pod, neither demand nor occupied room
	done      bool        // it has succeeded

	deletion deletion // deletions
	demand   demand   // pods and predicates: while the state is Known
	binding  binding  // bindings
	eviction evicted  // evictions
	backoff  backoff  // bindings and the run; the next ask ends it
	shown    shown    // conditions
	shares   []share  // headroom: taken while the conditions say that the pod waits for nodes
}

// protection is whether an ask or allocation asks not to be preempted, and since when the scheduler knows that.
type protection struct {
	on    bool
	since since
}

// demand is the ask or allocation that the scheduler has of a pod.
type demand struct {
	since      since
	resources  resource.Set
	node       string // of the allocation
	selectors  []*nodefit.Selector
	plugins    []string
	predicate  string // of the ask, if it has plugins
	gang       string // the atomic gang of the ask; empty: none
	protection protection
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

// newPod is a pod that was not looked at yet.
func newPod(key string) *pod { return &pod{key: key, binding: binding{cancel: noBinding}} }

// renew drops what holds of the pod before, if another one of its name has taken its place.
func (p *pod) renew() {
	p.backoff, p.binding.failures, p.shown.kind, p.eviction.denied = backoff{}, 0, "", false
}

// known is what the scheduler has of a pod, for the translation.
func (p *pod) known(app bool) translate.Known {
	switch {
	case p.state.Placed():
		return translate.Known{App: app, Has: translate.Allocation, Resources: p.demand.resources, Node: p.demand.node}
	case p.state.Known():
		return translate.Known{App: app, Has: translate.Pending, Resources: p.demand.resources}
	}
	return translate.Known{App: app}
}
